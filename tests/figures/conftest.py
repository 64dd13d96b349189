"""Makes `made_results` importable, and reads the experiment of chapter 2."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import podium
from podium import Results

sys.path.insert(0, str(Path(__file__).parents[1] / "describe"))


@pytest.fixture(scope="session")
def errors(reference: Callable[[str], Path]) -> Results:
    """Misclassification of six algorithms on 250 replications: the data of Eugster (2011), chapter 2."""
    return podium.read(reference("data/eugster/monks3raw.csv")).select(measure="Misclassification")
