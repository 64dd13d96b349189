"""Results to fit models to: simulated ones, and those of the dissertation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import gamma

import podium
from podium.results import MeasureInfo, Results

HERE = Path(__file__).parent


def make_results(values: np.ndarray, direction: str = "lower") -> Results:
    """M × B × K values of data sets d0, ..., replications 1, ... and algorithms a0, ..."""
    m, b, k = values.shape
    return Results(
        values=values[..., None],
        datasets=tuple(f"d{i}" for i in range(m)),
        replications=tuple(range(1, b + 1)),
        algorithms=tuple(f"a{i}" for i in range(k)),
        measures=(MeasureInfo("error", direction),),
    )


def simulate_values(
    rng: np.random.Generator,
    shape: tuple[int, int, int],
    *,
    means: np.ndarray | float = 0.0,
    dataset: float = 1.0,
    interaction: float = 1.0,
    replication: float = 0.5,
    residual: float = 1.0,
    missing: float = 0.0,
) -> np.ndarray:
    """Draw from the domain model with these standard deviations."""
    m, b, k = shape
    values = means + residual * rng.normal(size=shape)
    values = values + dataset * rng.normal(size=(m, 1, 1)) + interaction * rng.normal(size=(m, 1, k))
    values = values + replication * rng.normal(size=(m, b, 1))
    if missing:
        values[rng.random(shape) < missing] = np.nan
    return values


@pytest.fixture(scope="session")
def of() -> Callable[..., Results]:
    """Turn an M × B × K array into results."""
    return make_results


@pytest.fixture(scope="session")
def draw() -> Callable[..., np.ndarray]:
    """Draw an M × B × K array from the domain model."""
    return simulate_values


@pytest.fixture(scope="session")
def draw_many() -> Callable[..., np.ndarray]:
    """Draw many such arrays at once: data sets are independent, whichever experiment they are in."""

    def many(rng: np.random.Generator, count: int, shape: tuple[int, int, int], **effects: float) -> np.ndarray:
        m, b, k = shape
        return simulate_values(rng, (count * m, b, k), **effects).reshape(count, *shape)

    return many


@pytest.fixture(scope="session")
def check_uniform() -> Callable[[Sequence[float]], None]:
    """Check that simulated p-values are not too small, by the sum of their logarithms (Fisher 1932, section 21.1).

    The sum sees more than the share of p-values below 5%: if that is 10%, 70 of them are noticed as often as 100 would
    be by their share. Uniform p-values fail in 0.4% of all studies, as often as three standard errors of that share.
    """

    def check(pvalues: Sequence[float]) -> None:
        assert -np.log(pvalues).sum() <= gamma.isf(0.004, len(pvalues))

    return check


@pytest.fixture(scope="session")
def simulated() -> Results:
    """The domain that `data/reference.R` was run on."""
    return podium.read(HERE / "data" / "simulated.csv", measure="error")


@pytest.fixture(scope="session")
def r_figures() -> dict:
    """Figures that R computed from it."""
    return json.loads((HERE / "data" / "reference.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def golden(reference: Callable[[str], Path]) -> Callable[[str], dict]:
    """Return a function from a name to the figures of the dissertation's data, computed in R."""
    return lambda name: json.loads(reference(f"golden/eugster/{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def monks3(reference: Callable[[str], Path]) -> Results:
    """The data set of chapter 2: 250 replications × 6 algorithms."""
    return podium.read(reference("data/eugster/monks3raw.csv")).select(measure="Misclassification")


@pytest.fixture(scope="session")
def uci(reference: Callable[[str], Path]) -> Results:
    """The domain of chapter 4: 21 data sets × 250 replications × 6 algorithms, 1,213 cells missing."""
    return podium.read(reference("data/eugster/uci621raw.csv.gz")).select(measure="Misclassification")


@pytest.fixture(scope="session")
def uci_common(uci: Results) -> Results:
    """The same with the 81 replications that are complete on all data sets."""
    whole = ~uci.missing.any(axis=(0, 2, 3))
    return uci.select(replication=[name for name, kept in zip(uci.replications, whole, strict=True) if kept])
