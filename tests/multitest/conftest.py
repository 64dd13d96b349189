"""Makes the check of overlapping texts importable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / folder) for folder in ("plot", "describe")]
