"""Small `Results` for the tests of summaries, figures and drawings."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import podium
from podium import Results

TURNED = {"lower": "higher", "higher": "lower"}

LONG_NAMES = [
    "GradientBoostingClassifier(n_estimators=500, max_depth=12)",
    "support vector machine with radial kernel",
    "random_forest_with_extremely_randomised_splits",
    "knn",
    "logistic regression (elastic net)",
    "MultilayerPerceptron[128,128,64]-dropout0.5",
]


def made(values: Any, *, direction: str = "lower", names: Any = None, dataset: str = "data") -> Results:
    """Results of one data set from a table of replications × algorithms."""
    values = np.asarray(values, float)
    names = list(names) if names is not None else [f"a{k}" for k in range(values.shape[1])]
    labels = {"replication": range(1, len(values) + 1), "algorithm": names}
    return podium.read(values, labels=labels, measure="score", direction=direction, dataset=dataset)


def noisy(k: int, b: int, *, seed: int = 0, decimals: int = 3, names: Any = None) -> Results:
    """Errors of k algorithms with long names on b replications, skewed, with block effects and ties."""
    random = np.random.default_rng(seed)
    level = np.linspace(0, 0.15, k)[random.permutation(k)]
    values = 0.2 + level + random.normal(0, 0.02, (b, 1)) + random.gamma(2, 0.02, (b, k))
    if names is None:
        names = [LONG_NAMES[i % 6] + (f" #{i // 6}" if i >= 6 else "") for i in range(k)]
    return made(np.round(values, decimals), names=names, dataset="a data set with quite a long name")


def several(m: int = 4, b: int = 6, k: int = 3, *, seed: int = 0) -> Results:
    """Results on several data sets of different difficulty."""
    random = np.random.default_rng(seed)
    values = random.normal(0, 1, (m, 1, 1)) + np.arange(k) / 4 + random.normal(0, 0.3, (m, b, k))
    labels = {"dataset": [f"d{i}" for i in range(1, m + 1)], "replication": range(b), "algorithm": list("xyzuvw"[:k])}
    return podium.read(values, labels=labels, measure="score", direction="lower")


def with_gaps(results: Results, *cells: tuple[int, int, int]) -> Results:
    """Remove some cells (data set, replication, algorithm)."""
    values = results.values.copy()
    for cell in cells:
        values[cell] = np.nan
    return results.replace(values=values, reasons=None)


def flipped(results: Results) -> Results:
    """Negate the values and reverse the direction: nothing else may change."""
    measures = tuple(dataclasses.replace(info, direction=TURNED[info.direction]) for info in results.measures)
    return results.replace(values=-results.values, measures=measures)


def shuffled(results: Results, seed: int = 1) -> Results:
    """The same results with replications, algorithms and data sets in another order."""
    random = np.random.default_rng(seed)
    return results.select(
        datasets=list(random.permutation(results.datasets)),
        replications=[results.replications[i] for i in random.permutation(len(results.replications))],
        algorithms=list(random.permutation(results.algorithms)),
    )


def tables(max_blocks: int = 12, max_algorithms: int = 5) -> st.SearchStrategy[np.ndarray]:
    """Tables of replications × algorithms with many ties."""
    shape = st.tuples(st.integers(1, max_blocks), st.integers(1, max_algorithms))
    return shape.flatmap(lambda s: npst.arrays(float, s, elements=st.integers(-3, 3).map(float)))
