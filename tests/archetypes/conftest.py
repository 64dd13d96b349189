"""Tables of chapters 8 and 9 of the dissertation, and figures for them; sources are in tests/reference/README.md."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest


@pytest.fixture(scope="session")
def table(reference: Callable[[str], Path]) -> Callable[[str], pd.DataFrame]:
    return lambda name: pd.read_csv(reference(f"data/archetypes/{name}.csv"))


@pytest.fixture(scope="session")
def golden(reference: Callable[[str], Path]) -> Callable[[str], Any]:
    return lambda name: json.loads(reference(f"golden/archetypes/{name}.json").read_text())
