"""`Dataset`: named data with a task. `Generator`: a data generating process that draws such data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.errors import InputError, listing

Task: TypeAlias = Literal["classification", "regression", "unsupervised"]
TASKS: tuple[Task, ...] = get_args(Task)
Indices: TypeAlias = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """Some observations: a learning sample or a test sample.

    Attributes
    ----------
    X : DataFrame
        Attributes; nominal ones have a categorical dtype whose categories are those of the whole data set.
    y : Series or None
        Response: categorical for classification, float for regression, None for unsupervised tasks.
    """

    X: pd.DataFrame
    y: pd.Series[Any] | None = None

    def __len__(self) -> int:
        return len(self.X)


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """Named data with a task.

    Parameters
    ----------
    name : str
    X : DataFrame
        One row per observation. Columns of text, bool or categorical dtype are nominal, the others numeric.
    y : Series, optional
        The response; none for unsupervised tasks.
    task : {"classification", "regression", "unsupervised"}
    groups : array, optional
        Group of each observation, for resampling that keeps groups together.
    source, licence : str
        Where the data come from, and under which terms.
    factors : mapping
        Levels of the factors that made this data set (a sensitivity analysis); they stay with the results.
    """

    name: str
    X: pd.DataFrame
    y: pd.Series[Any] | None = None
    task: Task = "classification"
    groups: npt.NDArray[Any] | None = None
    source: str = ""
    licence: str = ""
    factors: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"`task` must be one of {listing(TASKS)}; got {self.task!r}.")
        if not len(self.X):
            raise InputError(f"The data set {self.name!r} is empty: `X` has no row.")
        if (self.y is None) != (self.task == "unsupervised"):
            expected = "no response `y`" if self.task == "unsupervised" else "a response `y`"
            raise InputError(f"The data set {self.name!r} has the task {self.task!r}, which needs {expected}.")
        X = _typed_attributes(self.X)
        object.__setattr__(self, "X", X)
        if self.y is not None:
            object.__setattr__(self, "y", _typed_response(self.y, self.task, self.name, len(X)))
        if self.groups is not None and len(self.groups) != len(X):
            raise InputError(f"`groups` of {self.name!r} has {len(self.groups)} entries for {len(X)} observations.")

    def __len__(self) -> int:
        return len(self.X)

    @property
    def nominal(self) -> tuple[str, ...]:
        """Names of the nominal attributes."""
        return tuple(c for c in self.X.columns if isinstance(self.X[c].dtype, pd.CategoricalDtype))

    @property
    def numeric(self) -> tuple[str, ...]:
        """Names of the numeric attributes."""
        return tuple(c for c in self.X.columns if not isinstance(self.X[c].dtype, pd.CategoricalDtype))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes of a classification task, in order; empty for other tasks."""
        if self.y is None or self.task != "classification":
            return ()
        return tuple(self.y.cat.categories)

    @property
    def incomplete(self) -> int:
        """Number of observations with a missing attribute."""
        return int(self.X.isna().any(axis=1).sum())

    def take(self, indices: Indices) -> Sample:
        """Return the observations at these positions; a position may come more than once."""
        y = None if self.y is None else self.y.iloc[indices].reset_index(drop=True)
        return Sample(self.X.iloc[indices].reset_index(drop=True), y)

    @cached_property
    def fingerprint(self) -> str:
        """A short text that changes when the data change."""
        digest = hashlib.blake2b(digest_size=8)
        parts = self.X if self.y is None else self.X.assign(**{"(response)": self.y.to_numpy()})
        digest.update(repr([(c, str(t)) for c, t in parts.dtypes.items()]).encode())
        digest.update(pd.util.hash_pandas_object(parts, index=False).to_numpy().tobytes())
        return digest.hexdigest()

    def renamed(self, name: str, **factors: Any) -> Dataset:
        """Return the same data under another name, with factor levels attached."""
        return replace(self, name=name, factors={**self.factors, **factors})

    def __repr__(self) -> str:
        kinds = f"{len(self.numeric)} numeric and {len(self.nominal)} nominal attributes"
        classes = f", {len(self.classes)} classes" if self.task == "classification" else ""
        lacking = f", {self.incomplete} incomplete" if self.incomplete else ""
        return f"Dataset {self.name!r}: {self.task}, {len(self)} observations{lacking}, {kinds}{classes}"


@dataclass(frozen=True, eq=False, kw_only=True)
class Generator:
    """A data generating process: draws as many observations as asked for.

    Parameters
    ----------
    name : str
    draw_sample : callable
        ``draw_sample(n, rng, **parameters) -> Sample``.
    parameters : mapping
        Parameters of the process.
    n : int
        Size of a data set or learning sample drawn from it, where nothing else is said.
    task : {"classification", "regression", "unsupervised"}
    finite : bool
        True if the process has a finite population that is enumerated (monks, tic-tac-toe, balance scale).
    """

    name: str
    draw_sample: Callable[..., Sample]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    n: int = 1000
    task: Task = "classification"
    source: str = ""
    factors: Mapping[str, Any] = field(default_factory=dict)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n observations."""
        return self.draw_sample(n, rng, **self.parameters)

    def dataset(self, rng: np.random.Generator, n: int | None = None) -> Dataset:
        """Draw one finite data set, to be resampled like any other."""
        sample = self.draw(self.n if n is None else n, rng)
        return Dataset(name=self.name, X=sample.X, y=sample.y, task=self.task, source=self.source, factors=self.factors)

    def renamed(self, name: str, **parameters: Any) -> Generator:
        """Return the process under another name with other parameters, which become its factor levels."""
        return replace(
            self,
            name=name,
            parameters={**self.parameters, **parameters},
            factors={**self.factors, **parameters},
        )

    def __repr__(self) -> str:
        parameters = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"Generator {self.name!r}: {self.task}, n={self.n}{parameters}"


def _typed_attributes(X: pd.DataFrame) -> pd.DataFrame:
    """Make text and bool columns categorical and all others float; names become text."""
    X = X.reset_index(drop=True).rename(columns=str)
    if X.columns.has_duplicates:
        twice = X.columns[X.columns.duplicated()].unique()
        raise InputError(f"`X` has the attribute {listing(list(twice))} twice. Rename or remove one of them.")
    columns = {}
    for name in X.columns:
        column = X[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            columns[name] = column
        elif pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
            columns[name] = column.astype(float)
        else:
            columns[name] = column.astype("category")
    return pd.DataFrame(columns, index=X.index)


def _typed_response(y: pd.Series[Any], task: Task, name: str, n: int) -> pd.Series[Any]:
    y = pd.Series(y).reset_index(drop=True)
    if len(y) != n:
        raise InputError(f"The response `y` of {name!r} has {len(y)} entries for {n} observations.")
    if y.isna().any():
        rows = list(np.flatnonzero(y.isna()))
        raise InputError(f"The response `y` of {name!r} is missing in rows {listing(rows, quote=False)}.")
    if task == "regression":
        return y.astype(float)
    typed = y if isinstance(y.dtype, pd.CategoricalDtype) else y.astype("category")
    return typed.cat.remove_unused_categories()
