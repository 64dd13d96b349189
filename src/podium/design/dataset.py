"""`Dataset`: named data with a task. `Generator`: a data generating process that draws such data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import AnyArray
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
from podium.design.catalogue import CatalogueEntry, entry_for
from podium.design.columns import attributes_in_words, typed_attributes, typed_classes, typed_quantity
from podium.design.generators import checked_parameters, named_generator
from podium.design.sample import TASKS, Indices, Sample, Task, positions
from podium.design.seeds import rng_for
from podium.design.sources.files import from_file
from podium.design.sources.frame import Roles, in_roles
from podium.design.sources.named import from_entry
from podium.design.sources.openml import OPENML, from_openml, openml_number
from podium.design.spec.entry import check_value, set_fields
from podium.errors import InputError, join_names
from podium.typesetting.html import described

Spec: TypeAlias = Mapping[str, Any]


@check_call
@dataclass(frozen=True, eq=False, init=False)
class Dataset:
    """Named data with a task.

    `Dataset.named` gives those that podium and OpenML provide, `Dataset.from_file` reads a file, and
    `Dataset.generated` gives a data generating process.

    Parameters
    ----------
    X : DataFrame or array
        One row per observation. Columns of text, bool or categorical dtype are nominal, the others numeric.
        Missing values stay missing.
    y : Series or array, optional
        The response, if it is not a column of `X`. For unsupervised tasks none, or the known groups that a measure
        (such as the adjusted Rand index) compares with; a model never sees them.
    target : str, optional
        The column of `X` with the response; if `y` is given, its name (default: its own, or ``"y"``).
    name : str, default "data"
    task : {"classification", "regression", "unsupervised"}, optional
        What is to be learned. By default it is recognised from the response: text, bool, categories, two different
        numbers, and integers 0 to k-1 or 1 to k with k up to 10 are classes; numbers with fractions are a quantity;
        other whole numbers are refused.
    nominal : sequence of str, optional
        Attributes that are nominal although they hold numbers.
    drop : sequence of str, optional
        Columns to be left out, such as identifiers.
    groups : str or array, optional
        Group of each observation, or the column that holds it, for resampling that keeps groups together.
    source, licence : str
        Where the data come from, and under which terms.
    origin : str
        How the data were read; why the task is what it is will be added.
    factors : mapping
        Levels of the factors behind this data set (a sensitivity analysis); the results keep them.
    spec : mapping, optional
        The file form of the data set, see `podium.design.sources.spec`; None for data in memory.

    Examples
    --------
    >>> import pandas as pd, podium
    >>> frame = pd.DataFrame({"size": [1.0, 2.0, None], "colour": ["red", "blue", "red"], "ripe": ["yes", "no", "yes"]})
    >>> toy = podium.Dataset(frame, target="ripe", name="toy")
    >>> toy
    Dataset 'toy': classification, 3 observations, 1 incomplete, 1 numeric and 1 nominal attribute, 2 classes
    >>> toy.origin
    "table of 3 rows; classification, because the response 'ripe' holds text"
    """

    name: str
    X: pd.DataFrame
    y: pd.Series[Any] | None
    task: Task
    groups: AnyArray | None
    source: str
    licence: str
    origin: str
    factors: Mapping[str, Any]
    spec: Spec | None

    def __init__(
        self,
        X: Any,
        y: Any = None,
        *,
        target: str | None = None,
        name: str = "data",
        task: Task | None = None,
        nominal: Sequence[str] = (),
        drop: Sequence[str] = (),
        groups: Any = None,
        source: str = "",
        licence: str = "",
        origin: str = "",
        factors: Mapping[str, Any] | None = None,
        spec: Spec | None = None,
    ) -> None:
        check_stored_name(name, "a data set")
        if task is not None:
            check_choice(task, TASKS, "task")
        texts = {"source": source, "licence": licence, "origin": origin}
        for argument, text in texts.items():
            check_text(text, argument)
        check_mapping({} if factors is None else factors, "`factors`")
        if spec is not None:
            check_mapping(spec, "`spec`")
        column = groups if isinstance(groups, str) else None
        roles = Roles(target=target, task=task, nominal=nominal, drop=drop, groups=column)
        columns = in_roles(X, y, roles, name)
        attributes = typed_attributes(columns.X, name)
        if columns.y is not None:
            typed = typed_quantity if columns.task == "regression" else typed_classes
            y = typed(columns.y, name, len(attributes))
        groups = groups if column is None else columns.groups
        if groups is not None:
            groups = np.asarray(groups)
            if groups.shape != (len(attributes),):
                raise InputError(
                    f"`groups` of {name!r} must have one entry for each of the {len(attributes)} observations; got "
                    f"the shape {groups.shape}."
                )
            if pd.isna(groups).any():
                rows = np.flatnonzero(pd.isna(groups))
                raise InputError(f"`groups` of {name!r} is missing in rows {join_names(rows, quote=False)}.")
        read = origin or (f"table of {len(attributes)} rows" if isinstance(X, pd.DataFrame) else "arrays")
        texts["origin"] = f"{read}; {columns.reason}" if columns.reason else read
        set_fields(
            self,
            name=name,
            X=attributes,
            y=y,
            task=columns.task,
            groups=groups,
            **texts,
            factors=factors or {},
            spec=spec,
        )

    @classmethod
    def named(
        cls,
        name: str,
        *,
        target: str | None = None,
        task: Task | None = None,
        nominal: Sequence[str] = (),
        drop: Sequence[str] = (),
        groups: str | None = None,
    ) -> Dataset:
        """Load a data set of the catalogue (see `podium.catalogue`), or of OpenML by its number, as ``"openml:61"``.

        Those of OpenML are downloaded once and cached. The options are those of the constructor; what is not given
        is as the catalogue or OpenML say.

        >>> import podium
        >>> podium.Dataset.named("sonar")
        Dataset 'sonar': classification, 208 observations, 60 numeric attributes, 2 classes
        """
        roles = Roles(target=target, task=task, nominal=nominal, drop=drop, groups=groups)
        if isinstance(name, str) and name.lower().startswith(OPENML):
            return cls(**from_openml(openml_number(name), roles))
        entry = entry_for(name)
        if entry.origin == "generator":
            raise InputError(
                f"{entry.name!r} is a generator: podium.Dataset.generated({entry.name!r}); its method "
                "fixed(seed) draws one data set."
            )
        return _copied(_as_it_is(entry)) if roles == Roles() else cls(**from_entry(entry, roles))

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        *,
        target: str | None = None,
        name: str | None = None,
        task: Task | None = None,
        nominal: Sequence[str] = (),
        drop: Sequence[str] = (),
        groups: str | None = None,
        na_values: Sequence[str] | None = None,
    ) -> Dataset:
        """Read a file: ``.csv`` (or ``.tsv``, ``.txt``, ``.data``, with a header), ``.parquet`` or ``.arff``.

        The options are those of the constructor. The default name is the file's without its extension; the default
        response in an ARFF file is the last attribute. `na_values` says what means *missing* in a CSV file; default:
        an empty cell, ``?``, ``NA``, ``N/A``, ``n/a``, ``NaN``, ``nan``, ``NULL``, ``null``, ``<NA>``, ``#N/A``. The
        text ``None`` is a level.
        """
        check_value(name, str | None, "name")
        check_value(na_values, Sequence[str] | None, "na_values")
        roles = Roles(target=target, task=task, nominal=nominal, drop=drop, groups=groups)
        return cls(**from_file(Path(path), roles, name=name, na_values=na_values))

    @classmethod
    def generated(cls, kind: str, *, n: int | None = None, name: str | None = None, **parameters: Any) -> Generator:
        """Make a data generating process known by name, which draws any number of observations.

        Parameters
        ----------
        kind : str
            ``balance``, ``circle``, ``corners``, ``ds1``, ``ds2``, ``friedman1``, ``friedman2``, ``friedman3``,
            ``monks1``, ``monks2``, ``monks3``, ``ringnorm``, ``spirals``, ``threenorm``, ``tictactoe`` or ``twonorm``.
        n : int, optional
            Size of a data set or learning sample drawn from it; each process has its own default.
        name : str, optional
            A name other than `kind`.
        **parameters
            Parameters of the process, such as ``d``, ``sd``, ``noise``; ``podium datasets KIND`` on the command line
            lists them.

        Examples
        --------
        >>> import podium
        >>> podium.Dataset.generated("spirals", n=300, sd=0.1)
        Generator 'spirals': classification, n=300, cycles=1.0, sd=0.1
        >>> podium.Dataset.generated("ringnorm").fixed(seed=1)
        Dataset 'ringnorm': classification, 1200 observations, 20 numeric attributes, 2 classes
        """
        known = named_generator(kind)
        return Generator(
            name=kind if name is None else name,
            draw_sample=known.draw,
            parameters=parameters,
            n=known.n if n is None else n,
            task=known.task,
            source=known.source,
            kind=kind,
            check=partial(checked_parameters, kind),
            bayes=known.bayes,
        )

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

    `podium.Dataset.generated` makes one by name; use this class for your own function.

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
        The name of the process in `podium.Dataset.generated`; empty for your own functions.
    check : callable, optional
        ``check(parameters) -> parameters``: refuses wrong ones and fills in defaults.
    bayes : callable, optional
        ``bayes(**parameters) -> float``: the error of the best possible classifier.

    Examples
    --------
    >>> import numpy as np, podium
    >>> twonorm = podium.Dataset.generated("twonorm", n=300)
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
        origin = f"drawn from the generator {self.kind or self.name!r}"
        about: dict[str, Any] = {"task": self.task, "source": self.source, "factors": self.factors, "origin": origin}
        return Dataset(sample.X, sample.y, name=self.name, **about)

    def fixed(self, seed: int = 0, n: int | None = None) -> Dataset:
        """Draw the data set that belongs to a seed: always the same one, with a file form."""
        drawn = self if n is None else replace(self, n=n)
        data = drawn.dataset(rng_for(seed, "dataset", self.kind or self.name))
        spec = drawn.spec
        return replace(
            data,
            origin=f"{data.origin} with seed {seed}",
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


def _positions(indices: Any, n: int) -> Indices:
    rows = positions(indices, "indices")
    if len(rows) and not 0 <= rows.min() <= rows.max() < n:
        raise InputError(f"`indices` must lie between 0 and {n - 1}; got {rows.min()} to {rows.max()}.")
    return rows


def _named(spec: Spec, name: str, factors: Mapping[str, Any]) -> dict[str, Any]:
    named = {**spec, "name": name}
    return {**named, "factors": dict(factors)} if factors else named


@cache  # designs and their checks name the same few data sets again and again
def _as_it_is(entry: CatalogueEntry) -> Dataset:
    return Dataset(**from_entry(entry, Roles()))


def _copied(data: Dataset) -> Dataset:
    """Copy a data set, with numbers of its own; that it is valid is not checked again."""
    twin = copy(data)
    set_fields(
        twin, X=data.X.copy(), y=None if data.y is None else data.y.copy(), factors={}, spec=dict(data.spec or {})
    )
    return twin
