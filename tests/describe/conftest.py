"""Makes `made_results` importable, and reads the experiment of chapter 2 with reference values."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import podium
from podium import Results

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def monks3(reference: Callable[[str], Path]) -> Results:
    """Six algorithms, 250 replications, misclassification and time: the data of Eugster (2011), chapter 2."""
    return podium.read(reference("data/eugster/monks3raw.csv"))


@pytest.fixture(scope="session")
def golden(reference: Callable[[str], Path]) -> dict[str, Any]:
    """What R 4.2.2 computed from these data."""
    return json.loads(reference("golden/eugster/monks3.json").read_text())
