"""Data that the tests of inference share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import podium
from podium.results import Results


@pytest.fixture(scope="session")
def monks3(reference: Callable[[str], Path]) -> Results:
    return podium.read(reference("data/eugster/monks3raw.csv")).select(measure="Misclassification")


@pytest.fixture(scope="session")
def demsar() -> Results:
    return podium.examples.load_demsar2006()


@pytest.fixture(scope="session")
def ulas() -> Results:
    return podium.examples.load_ulas2008()


@pytest.fixture(scope="session")
def table() -> Callable[..., Results]:
    """Make results from an array: blocks × algorithms, or data sets × replications × algorithms."""

    def make(values: object, *, names: object = None, rows: str = "replication", measure: str = "error") -> Results:
        array = np.asarray(values, float)
        algorithms = [f"a{i}" for i in range(array.shape[-1])] if names is None else list(names)
        if array.ndim == 3:
            labels = {"dataset": [f"d{i}" for i in range(len(array))], "replication": None, "algorithm": algorithms}
        elif rows == "dataset":
            labels = {"dataset": [f"d{i}" for i in range(len(array))], "algorithm": algorithms}
        else:
            labels = {"replication": None, "algorithm": algorithms}
        return podium.read(array, labels=labels, measure=measure)

    return make
