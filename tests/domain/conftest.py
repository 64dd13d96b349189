"""The UCI domain of Eugster (2011), section 4.5.1, analysed once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import podium
from podium import Results
from podium.relations import Domain


@pytest.fixture(scope="session")
def uci(reference: Callable[[str], Path]) -> Results:
    """21 data sets × 250 replications × 6 algorithms, 1,213 cells of misclassification missing."""
    return podium.read(reference("data/eugster/uci621raw.csv.gz")).select(measure="Misclassification")


@pytest.fixture(scope="session")
def uci_domain(uci: Results) -> Domain:
    return podium.domain(uci, "Misclassification", method="mixed", consensus="linear", covariance="scalar", workers=1)


@pytest.fixture(scope="session")
def golden(reference: Callable[[str], Path]) -> dict[str, Any]:
    """What R gives: lme4 1.1-31, multcomp 1.4-22, relations 0.6-18."""
    found: dict[str, Any] = json.loads(reference("golden/eugster/uci.json").read_text())
    return found
