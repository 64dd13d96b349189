"""`DataView`: what the map of a characteristic sees of a data set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import check_call, check_choice, check_seed, expect
from podium.design.columns import typed_attributes
from podium.design.sample import TASKS, Task
from podium.errors import UndefinedError

FLAT = 1e-10  # singular values below this share of the largest belong to linear dependence


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class DataView:
    """Inputs and response of a data set, sorted by kind; derived vectors are computed once.

    Attributes
    ----------
    X : DataFrame
        Inputs: nominal ones categorical, all others float.
    y : Series or None
        Response: categorical for classification, float for regression. It may have missing values.
    task : {"classification", "regression", "unsupervised"}
    seed : int
        For characteristics that draw.
    """

    _made_from: ClassVar = ((object, "podium.characterize makes one for every map."),)

    X: pd.DataFrame
    y: pd.Series | None = None
    task: Task = "unsupervised"
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice(self.task, TASKS, "task")
        check_seed(self.seed)
        object.__setattr__(self, "X", typed_attributes(self.X, "data"))
        if self.y is not None:
            y = expect(self.y, pd.Series, "y").reset_index(drop=True)
            if self.task == "classification" and not isinstance(y.dtype, pd.CategoricalDtype):
                y = y.astype("category")
            if self.task == "regression":
                y = pd.Series(y.to_numpy(dtype=float, na_value=np.nan))
            object.__setattr__(self, "y", y)

    def __len__(self) -> int:
        return len(self.X)

    @cached_property
    def numeric(self) -> FloatArray:
        """The numeric inputs, n × p; missing values are NaN."""
        chosen = [c for c, dtype in self.X.dtypes.items() if not isinstance(dtype, pd.CategoricalDtype)]
        return self.X[chosen].to_numpy(dtype=float).reshape(len(self.X), len(chosen))

    @cached_property
    def nominal(self) -> tuple[pd.Categorical, ...]:
        """The nominal inputs."""
        return tuple(self.X[c].array for c, dtype in self.X.dtypes.items() if isinstance(dtype, pd.CategoricalDtype))

    @cached_property
    def classes(self) -> pd.Categorical:
        """The classes of the observations."""
        if self.task != "classification" or self.y is None:
            raise UndefinedError("The response has no classes.")
        found: pd.Categorical = self.y.array
        return found

    @cached_property
    def quantity(self) -> FloatArray:
        """The response of a regression."""
        if self.task != "regression" or self.y is None:
            raise UndefinedError("The response is not numeric.")
        return self.y.to_numpy(dtype=float)

    @cached_property
    def complete(self) -> BoolArray:
        """Which observations have all numeric inputs."""
        return np.asarray(~np.isnan(self.numeric).any(axis=1), bool)

    @cached_property
    def entropies(self) -> FloatArray:
        """Entropy of each nominal input, in bits."""
        return np.array([entropy(np.bincount(_present(factor.codes))) for factor in self.nominal])

    @cached_property
    def class_entropy(self) -> float:
        """Entropy of the classes, in bits."""
        return entropy(np.bincount(_present(self.classes.codes)))

    @cached_property
    def mutual_information(self) -> FloatArray:
        """Mutual information of each nominal input and the classes, in bits, where both are observed."""
        return np.array([mutual_information(factor.codes, self.classes.codes) for factor in self.nominal])

    @cached_property
    def canonical_correlations(self) -> FloatArray:
        """Canonical correlations of the numeric inputs and the indicators of the classes, largest first."""
        if not self.numeric.shape[1]:
            raise UndefinedError("There are no numeric inputs.")
        codes = self.classes.codes
        rows = self.complete & (codes >= 0)
        present, place = np.unique(codes[rows], return_inverse=True)
        indicators = np.eye(len(present))[place]
        one, two = orthonormal(self.numeric[rows]), orthonormal(indicators)
        if not one.shape[1] or not two.shape[1]:
            raise UndefinedError("The numeric inputs or the classes are constant where all of them are observed.")
        return np.clip(np.linalg.svd(one.T @ two, compute_uv=False), 0.0, 1.0)


def entropy(counts: IntArray) -> float:
    """Entropy of a table of counts, in bits: -Σ p log₂ p."""
    if not counts.sum():
        return float("nan")
    p = counts[counts > 0] / counts.sum()
    return float(max(-(p * np.log2(p)).sum(), 0.0))


def mutual_information(one: IntArray, two: IntArray) -> float:
    """Mutual information of two coded variables, in bits; -1 is missing."""
    both = (one >= 0) & (two >= 0)
    if not both.any():
        return float("nan")
    table = np.zeros((int(one.max()) + 1, int(two.max()) + 1))
    np.add.at(table, (one[both], two[both]), 1.0)
    p = table / table.sum()
    expected = np.outer(p.sum(axis=1), p.sum(axis=0))
    at = p > 0
    found = float((p[at] * np.log2(p[at] / expected[at])).sum())
    return found if found > 1e-14 else 0.0  # what remains of independence is rounding


def orthonormal(columns: FloatArray) -> FloatArray:
    """Return an orthonormal basis of centred columns, with as many as their numerical rank."""
    scaled = standardized(columns)
    if not scaled.shape[1] or not len(scaled):
        return np.zeros((len(columns), 0))
    left, values, _ = np.linalg.svd(scaled, full_matrices=False)
    return left[:, values > FLAT * values[0]]


def standardized(columns: FloatArray) -> FloatArray:
    """Centre columns and scale them to length 1; constant ones are left out."""
    if not len(columns):
        return columns[:, :0]
    varying = columns.max(axis=0) > columns.min(axis=0)
    kept = columns[:, varying]
    kept = kept / np.abs(kept).max(axis=0)  # squares of large numbers would overflow
    centred = kept - kept.mean(axis=0)
    return np.asarray(centred / np.linalg.norm(centred, axis=0))


def _present(codes: Any) -> IntArray:
    found: IntArray = codes[codes >= 0].astype(np.intp)
    return found
