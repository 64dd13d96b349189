"""`Dataset`: named data with a task. `Generator`: a data generating process that draws such data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, IntArray
from podium.checks import (
    MAX_DRAWS,
    call_function,
    check_call,
    check_choice,
    check_count,
    check_mapping,
    check_stored_name,
    check_text,
    expect,
    shown,
)
from podium.design.columns import attributes_in_words, typed_attributes, typed_classes, typed_quantity
from podium.design.seeds import rng_for
from podium.errors import InputError, join_names
from podium.typesetting.html import described

Task: TypeAlias = Literal["classification", "regression", "unsupervised"]
TASKS: tuple[Task, ...] = get_args(Task)
Indices: TypeAlias = IntArray
Spec: TypeAlias = Mapping[str, Any]


@check_call
@dataclass(frozen=True, eq=False, slots=True)
class Sample:
    """Some observations: a learning sample or a test sample.

    Attributes
    ----------
    X : DataFrame
        Attributes; nominal ones have a categorical dtype whose categories are those of the whole data set.
    y : Series or None
        Response: categorical for classification, float for regression. In unsupervised tasks None, or the known
        groups that measures may compare with; a model never sees them.
    rows : array of int or None
        Positions of the observations in their data set. A bootstrap sample contains copies of observations; tuning
        inside a fit keeps them together.
    """

    X: pd.DataFrame
    y: pd.Series[Any] | None = None
    rows: Indices | None = None

    def __post_init__(self) -> None:
        expect(self.X, pd.DataFrame, "X")
        if self.y is not None:
            expect(self.y, pd.Series, "y")
        if self.rows is not None:
            object.__setattr__(self, "rows", positions(self.rows, "rows"))
        for argument, part in {"y": self.y, "rows": self.rows}.items():
            if part is not None and len(part) != len(self.X):
                raise InputError(
                    f"`{argument}` must have one entry for each of the {len(self.X)} rows of `X`; got {len(part)}."
                )

    def __len__(self) -> int:
        return len(self.X)

    def copy(self) -> Sample:
        """Copy the numbers themselves.

        A copy on write would not do: scikit-learn makes the buffer of a frame writeable and writes into it
        (``StandardScaler(copy=False)``, ``copy_X=False``), past pandas.
        """
        y = None if self.y is None else self.y.copy(deep=True)
        return Sample(self.X.copy(deep=True), y, self.rows)


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """Named data with a task.

    `podium.dataset` makes one from a frame, arrays, a file or a name.

    Parameters
    ----------
    name : str
    X : DataFrame
        One row per observation. Columns of text, bool or categorical dtype are nominal, the others numeric.
        Missing values stay missing.
    y : Series, optional
        The response. For unsupervised tasks none, or the known groups that a measure (such as the adjusted Rand
        index) compares with; a model never sees them.
    task : {"classification", "regression", "unsupervised"}
    groups : array, optional
        Group of each observation, for resampling that keeps groups together.
    source, licence : str
        Where the data come from, and under which terms.
    origin : str
        How the data were read and how the task was recognised.
    factors : mapping
        Levels of the factors behind this data set (a sensitivity analysis); the results keep them.
    spec : mapping, optional
        The file form of the data set, see `podium.design.sources.spec`; None for data in memory.

    Examples
    --------
    >>> import pandas as pd, podium
    >>> X = pd.DataFrame({"size": [1.0, 2.0, None], "colour": ["red", "blue", "red"]})
    >>> podium.Dataset(name="toy", X=X, y=pd.Series(["a", "b", "a"]))
    Dataset 'toy': classification, 3 observations, 1 incomplete, 1 numeric and 1 nominal attribute, 2 classes
    """

    name: str
    X: pd.DataFrame
    y: pd.Series[Any] | None = None
    task: Task = "classification"
    groups: AnyArray | None = None
    source: str = ""
    licence: str = ""
    origin: str = ""
    factors: Mapping[str, Any] = field(default_factory=dict)
    spec: Spec | None = None

    def __post_init__(self) -> None:
        check_stored_name(self.name, "a data set")
        check_choice(self.task, TASKS, "task")
        for argument in ("source", "licence", "origin"):
            check_text(getattr(self, argument), argument)
        check_mapping(self.factors, "`factors`")
        if self.spec is not None:
            check_mapping(self.spec, "`spec`")
        if self.y is None and self.task != "unsupervised":
            raise InputError(
                f"The data set {self.name!r} has the task {self.task!r}, which needs a response `y`. Without one use "
                "task='unsupervised'."
            )
        X = typed_attributes(self.X, self.name)
        object.__setattr__(self, "X", X)
        if self.y is not None:
            typed = typed_quantity if self.task == "regression" else typed_classes
            object.__setattr__(self, "y", typed(self.y, self.name, len(X)))
        if self.groups is not None:
            groups = np.asarray(self.groups)
            if groups.shape != (len(X),):
                raise InputError(
                    f"`groups` of {self.name!r} must have one entry for each of the {len(X)} observations; got the "
                    f"shape {groups.shape}."
                )
            if pd.isna(groups).any():
                rows = np.flatnonzero(pd.isna(groups))
                raise InputError(f"`groups` of {self.name!r} is missing in rows {join_names(rows, quote=False)}.")
            object.__setattr__(self, "groups", groups)

    def __len__(self) -> int:
        return len(self.X)

    @cached_property
    def nominal(self) -> tuple[str, ...]:
        """Names of the nominal attributes."""
        return tuple(str(c) for c, dtype in self.X.dtypes.items() if isinstance(dtype, pd.CategoricalDtype))

    @cached_property
    def numeric(self) -> tuple[str, ...]:
        """Names of the numeric attributes."""
        return tuple(str(c) for c, dtype in self.X.dtypes.items() if not isinstance(dtype, pd.CategoricalDtype))

    @property
    def classes(self) -> tuple[Any, ...]:
        """The classes of a classification task, in order; empty for other tasks."""
        if self.y is None or self.task != "classification":
            return ()
        return tuple(self.y.cat.categories)

    @cached_property
    def incomplete(self) -> int:
        """Number of observations with a missing attribute."""
        return int(self.X.isna().any(axis=1).sum())

    @property
    def attributes(self) -> pd.DataFrame:
        """One row per attribute: its kind, levels or range, and how many values are missing."""
        rows = []
        for name in self.X.columns:
            column = self.X[name]
            nominal = name in self.nominal
            rows.append(
                {
                    "attribute": name,
                    "kind": "nominal" if nominal else "numeric",
                    "levels": len(column.cat.categories) if nominal else pd.NA,
                    "minimum": np.nan if nominal else column.min(),
                    "maximum": np.nan if nominal else column.max(),
                    "missing": int(column.isna().sum()),
                }
            )
        return pd.DataFrame(rows).astype({"levels": "Int64"}).set_index("attribute")

    def take(self, indices: Indices) -> Sample:
        """Return the observations at these positions; a position may occur more than once."""
        rows = _positions(indices, len(self))
        X = self.X.take(rows)
        X.index = pd.RangeIndex(len(rows))
        y = None if self.y is None else pd.Series(self.y.array.take(rows), name=self.y.name, copy=False)
        return Sample(X, y, rows)

    @cached_property
    def fingerprint(self) -> str:
        """A short text that changes when the data, the levels or the groups change; it does not depend on the name."""
        digest = hashlib.blake2b(digest_size=8)
        columns = [self.X[name] for name in self.X.columns]
        columns += [
            part for part in (self.y, None if self.groups is None else pd.Series(self.groups)) if part is not None
        ]
        for name, column in zip([*self.X.columns, "", ""], columns, strict=False):
            nominal = isinstance(column.dtype, pd.CategoricalDtype)
            digest.update(repr((name, list(column.cat.categories) if nominal else "numeric")).encode())
            digest.update(pd.util.hash_pandas_object(column, index=False).to_numpy().tobytes())
        return digest.hexdigest()

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the data set: its data and its task."""
        return self.fingerprint, self.task

    def renamed(self, name: str, **factors: Any) -> Dataset:
        """Return the same data under another name, with factor levels attached."""
        together = {**self.factors, **factors}
        spec = None if self.spec is None else _named(self.spec, name, together)
        return replace(self, name=name, factors=together, spec=spec)

    def __repr__(self) -> str:
        classes = f", {len(self.classes)} classes" if self.task == "classification" else ""
        lacking = f", {self.incomplete} incomplete" if self.incomplete else ""
        attributes = attributes_in_words(self.X)
        return f"Dataset {self.name!r}: {self.task}, {len(self)} observations{lacking}, {attributes}{classes}"

    def _repr_html_(self) -> str:
        facts = [("task", self.task), ("observations", str(len(self))), ("attributes", attributes_in_words(self.X))]
        facts += [("incomplete", str(self.incomplete))] if self.incomplete else []
        facts += [("classes", ", ".join(map(str, self.classes)))] if self.task == "classification" else []
        return described(self.name, facts + ([("source", self.source)] if self.source else []))


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Generator:
    """A data generating process that draws any number of observations.

    `podium.generator` makes one by name; use this class for your own function.

    Parameters
    ----------
    name : str
    draw_sample : callable
        ``draw_sample(n, rng, **parameters) -> Sample``.
    parameters : mapping
        Parameters of the process.
    n : int
        Default size of a data set or learning sample drawn from it.
    task : {"classification", "regression", "unsupervised"}
    source : str
        Where the process is defined.
    factors : mapping
        Levels of the factors behind this process (a sensitivity analysis); the results keep them.
    kind : str
        The name of the process in `podium.generator`; empty for your own functions.
    check : callable, optional
        ``check(parameters) -> parameters``: refuses wrong ones and fills in defaults.
    bayes : callable, optional
        ``bayes(**parameters) -> float``: the error of the best possible classifier.

    Examples
    --------
    >>> import numpy as np, podium
    >>> twonorm = podium.generator("twonorm", n=300)
    >>> twonorm
    Generator 'twonorm': classification, n=300, d=20
    >>> len(twonorm.draw(50, np.random.default_rng(1)))
    50
    >>> round(twonorm.bayes_error, 4)
    0.0228
    """

    name: str
    draw_sample: Callable[..., Sample]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    n: int = 1000
    task: Task = "classification"
    source: str = ""
    factors: Mapping[str, Any] = field(default_factory=dict)
    kind: str = ""
    check: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    bayes: Callable[..., float] | None = None

    def __post_init__(self) -> None:
        check_stored_name(self.name, "a data set")
        check_choice(self.task, TASKS, "task")
        check_count(self.n, "n")
        object.__setattr__(self, "n", int(self.n))
        functions = {"draw_sample": self.draw_sample, "check": self.check, "bayes": self.bayes}
        for argument, function in functions.items():
            if not callable(function) and (function is not None or argument == "draw_sample"):
                raise InputError(f"`{argument}` of {self.name!r} must be a function; got {shown(function)}.")
        check_text(self.source, "source")
        check_text(self.kind, "kind")
        check_mapping(self.factors, "`factors`")
        check_mapping(self.parameters, "`parameters`")
        if self.check is not None:
            checked = call_function(self.check, "check", self.parameters)
            object.__setattr__(self, "parameters", check_mapping(checked, "What `check` returns"))

    @property
    def spec(self) -> dict[str, Any] | None:
        """The file form of the process; None for your own functions."""
        if not self.kind:
            return None
        spec = {"generator": self.kind, "n": self.n, **self.parameters}
        return spec if self.name == self.kind and not self.factors else _named(spec, self.name, self.factors)

    @property
    def bayes_error(self) -> float | None:
        """Error of the best possible classifier; None if it is not known."""
        return None if self.bayes is None else float(self.bayes(**self.parameters))

    def identified_by(self) -> tuple[Any, ...]:
        """Return what identifies the process."""
        return self.draw_sample, sorted(self.parameters.items()), self.n, self.task

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n observations."""
        expect(rng, np.random.Generator, "rng")
        check_count(n, "n", most=MAX_DRAWS)
        try:
            sample = self.draw_sample(int(n), rng, **self.parameters)
        except MemoryError as error:
            raise InputError(
                f"{n:,} observations of {self.name!r} do not fit into memory; draw fewer.", path=("n",)
            ) from error
        return expect(sample, Sample, "draw_sample(n, rng)")

    def dataset(self, rng: np.random.Generator, n: int | None = None) -> Dataset:
        """Draw one finite data set, which can be resampled like any other."""
        sample = self.draw(self.n if n is None else n, rng)
        return Dataset(name=self.name, X=sample.X, y=sample.y, task=self.task, source=self.source, factors=self.factors)

    def fixed(self, seed: int = 0, n: int | None = None) -> Dataset:
        """Draw the data set that belongs to a seed: always the same one, with a file form."""
        drawn = self if n is None else replace(self, n=n)
        data = drawn.dataset(rng_for(seed, "dataset", self.kind or self.name))
        spec = drawn.spec
        return replace(
            data,
            origin=f"drawn from the generator {self.kind or self.name!r} with seed {seed}",
            spec=None if spec is None else {**spec, "seed": int(seed)},
        )

    def renamed(self, name: str, **parameters: Any) -> Generator:
        """Return the process under another name with other parameters (or n), which become its factor levels."""
        others = {key: value for key, value in parameters.items() if key != "n"}
        return replace(
            self,
            name=name,
            n=parameters.get("n", self.n),
            parameters={**self.parameters, **others},
            factors={**self.factors, **parameters},
        )

    def __repr__(self) -> str:
        parameters = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"Generator {self.name!r}: {self.task}, n={self.n}{parameters}"


def positions(given: Any, argument: str) -> Indices:
    """Return positions in a data set as an array; refuse what is not a list of whole numbers."""
    try:
        found = np.asarray(given)
    except ValueError:  # a nested list without a shape
        found = np.asarray(None)
    if found.ndim != 1 or (found.dtype.kind not in "iu" and len(found)):
        raise InputError(f"`{argument}` must be a list of positions; got {shown(given)}.")
    return found.astype(np.intp)


def _positions(indices: Any, n: int) -> Indices:
    rows = positions(indices, "indices")
    if len(rows) and not 0 <= rows.min() <= rows.max() < n:
        raise InputError(f"`indices` must lie between 0 and {n - 1}; got {rows.min()} to {rows.max()}.")
    return rows


def _named(spec: Spec, name: str, factors: Mapping[str, Any]) -> dict[str, Any]:
    named = {**spec, "name": name}
    return {**named, "factors": dict(factors)} if factors else named
