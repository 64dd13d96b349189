"""The parts of a design: the entries of its lists of data sets, algorithms and measures, resolved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import pandas as pd

from podium.checks import describe
from podium.design.algorithm import KEYS as ALGORITHM_KEYS
from podium.design.algorithm import Algorithm, algorithm_from_spec, as_algorithm
from podium.design.dataset import Dataset, Generator
from podium.design.factors import Grid, combinations, grid, level_name
from podium.design.generators import GENERATORS
from podium.design.measure import Measure, as_measure, measure_from_spec, measure_keys
from podium.design.sources.spec import KEYS as DATASET_KEYS
from podium.design.sources.spec import dataset_from_spec
from podium.design.spec.document import named_modules
from podium.errors import DesignError, EntryPath, InputError, at_path, join_names

Part: TypeAlias = Literal["datasets", "algorithms", "measures"]
Problem: TypeAlias = Dataset | Generator
Thing = TypeVar("Thing", "Dataset | Generator", Algorithm, Measure)

NOUNS: Mapping[Part, str] = {"datasets": "data set", "algorithms": "algorithm", "measures": "measure"}


@dataclass(frozen=True, eq=False)
class ResolvedEntry(Generic[Thing]):
    """One entry of a list in a design.

    Attributes
    ----------
    members : tuple
        What it stands for: one thing, or those of a grid.
    path : tuple of str and int
        Where it is in the design.
    grid : Grid or None
        The grid, if it is one; its `base` is then a thing, not the name of one.
    """

    members: tuple[Thing, ...]
    path: EntryPath
    grid: Grid | None = None

    @property
    def family(self) -> str:
        """Name of what was varied, or of the thing itself."""
        base = self.members[0] if self.grid is None else self.grid.base
        return str(base.name)


class Reader(Protocol[Thing]):
    """Reads the entries of one part of a design."""

    def make(self, entry: Any, name: str | None = None) -> Thing:
        """Make what an entry stands for."""

    def vary(self, base: Thing, levels: Mapping[str, Any]) -> Thing:
        """Set parameters of a thing; they become its factor levels."""


@dataclass(frozen=True)
class _Datasets:
    folder: Path

    def make(self, entry: Any, name: str | None = None) -> Problem:
        if isinstance(entry, Dataset | Generator):
            return entry if name is None else entry.renamed(name)
        if isinstance(entry, pd.DataFrame):
            raise InputError(
                "Which column of the table is the response? Use podium.Dataset(frame, target=...) with one of "
                f"{join_names(entry.columns, most=12)}."
            )
        if isinstance(entry, str | Mapping):
            found = dataset_from_spec(entry, self.folder)
            return found if name is None else found.renamed(name)
        if isinstance(entry, Path):
            return Dataset.from_file(entry, name=name)
        if isinstance(entry, tuple) and len(entry) == 2:
            return Dataset(*entry, name=name or "data")
        raise InputError(
            "A data set is a Dataset, a name, a file, 'openml:NUMBER', a pair (X, y) or a generator; got "
            f"{describe(entry)}."
        )

    def vary(self, base: Problem, levels: Mapping[str, Any]) -> Problem:
        if isinstance(base, Dataset):
            way_out = f" Write {{generator: {base.name}}}." if base.name in GENERATORS else ""
            raise InputError(f"`grid` varies parameters, and {base.name!r} is a data set without any.{way_out}")
        return base.renamed(level_name(base.name, levels), **levels)


@dataclass(frozen=True)
class _Algorithms:
    named: bool

    def make(self, entry: Any, name: str | None = None) -> Algorithm:
        later = self.named and isinstance(entry, Mapping) and named_modules({"algorithms": entry})
        return as_algorithm(algorithm_from_spec(entry, named=True) if later else entry, name)

    def vary(self, base: Algorithm, levels: Mapping[str, Any]) -> Algorithm:
        return base.with_parameters(**levels).renamed(level_name(base.name, levels), **levels)


@dataclass(frozen=True)
class _Measures:
    named: bool

    def make(self, entry: Any, name: str | None = None) -> Measure:
        later = self.named and isinstance(entry, Mapping) and named_modules({"measures": entry})
        return as_measure(measure_from_spec(entry, named=True) if later else entry, name)

    def vary(self, base: Measure, levels: Mapping[str, Any]) -> Measure:
        raise InputError(f"`grid` varies algorithms and data generating processes, not the measure {base.name!r}.")


def dataset_entries(given: Any, folder: Path) -> tuple[ResolvedEntry[Problem], ...]:
    """Read the data sets of a design; relative paths start in the folder."""
    return _resolve_all(given, "datasets", _Datasets(folder))


def algorithm_entries(given: Any, *, named: bool = False) -> tuple[ResolvedEntry[Algorithm], ...]:
    """Read the algorithms of a design; if named, the modules of their code are imported later."""
    return _resolve_all(given, "algorithms", _Algorithms(named))


def measure_entries(given: Any, *, named: bool = False) -> tuple[ResolvedEntry[Measure], ...]:
    """Read the measures of a design; if named, the modules of their code are imported later."""
    return _resolve_all(given, "measures", _Measures(named))


def members(entries: Sequence[ResolvedEntry[Thing]], part: Part) -> tuple[Thing, ...]:
    """Collect what the entries stand for; refuse a name that is given twice."""
    first: dict[str, int] = {}
    found: list[Thing] = []
    for i, resolved in enumerate(entries):
        for member in resolved.members:
            if member.name in first:
                raise DesignError(
                    f"The {NOUNS[part]} {member.name!r} is given twice, as entry {first[member.name] + 1} and as entry "
                    f"{i + 1} of `{part}`. Remove one of them, or rename it with `name`.",
                    resolved.path,
                )
            first[member.name] = i
            found.append(member)
    return tuple(found)


@contextmanager
def placed(*path: str | int) -> Iterator[None]:
    """Turn every input error raised inside into a design error with the path of the offending entry."""
    try:
        yield
    except InputError as error:
        message = error.message if isinstance(error, DesignError) else str(error)
        raise DesignError(message, (*path, *error.path)) from error


def _resolve_all(given: Any, part: Part, reader: Reader[Thing]) -> tuple[ResolvedEntry[Thing], ...]:
    entries: list[tuple[EntryPath, str | None, Any]]
    if _gives_names(given, part):
        entries = [((part, name), name, thing) for name, thing in given.items()]
    elif isinstance(given, list | tuple) and not _is_pair(given):
        entries = [((part, i), None, entry) for i, entry in enumerate(given)]
    else:
        entries = [((part,), None, given)]
    if not entries:
        raise DesignError(f"`{part}` is empty; an experiment needs at least one {NOUNS[part]}.", (part,))
    found = []
    for path, name, entry in entries:
        with placed(*path):
            if entry is None:
                raise InputError(f"An entry of `{part}` is empty.")
            found.append(entry if isinstance(entry, ResolvedEntry) else _resolve_listed(entry, path, name, reader))
    return tuple(found)


def refuse_object(entry: object) -> None:
    """Refuse what `Experiment.to_dict` writes for something without a file form."""
    if isinstance(entry, Mapping) and "object" in entry:
        name = str(entry.get("name", "The resampling"))
        raise InputError(f"{name!r} was made from an object ({entry['object']}) and has no file form.")


def _resolve(entry: Any, path: EntryPath, name: str | None, reader: Reader[Thing]) -> ResolvedEntry[Thing]:
    refuse_object(entry)
    if isinstance(entry, Mapping) and "grid" in entry:
        with at_path("grid"):
            entry = grid({key: value for key, value in entry.items() if key != "grid"}, entry["grid"])
    if not isinstance(entry, Grid):
        return ResolvedEntry((reader.make(entry, name),), path)
    base = reader.make(entry.base, name)
    varied = []
    for i, block in enumerate(entry.blocks):
        with at_path("grid", *([] if len(entry.blocks) == 1 else [i])):
            varied += [reader.vary(base, levels) for levels in combinations(block)]
    return ResolvedEntry(tuple(varied), path, replace(entry, base=base))


def _resolve_listed(entry: Any, path: EntryPath, name: str | None, reader: Reader[Thing]) -> ResolvedEntry[Thing]:
    """Read an entry; if it is several names in one text, explain how to write a list."""
    try:
        return _resolve(entry, path, name, reader)
    except InputError as error:
        if isinstance(entry, str) and "," in entry:
            raise InputError(f"{error} Several names are a list: [{entry}].", path=error.path) from error
        raise


def _gives_names(given: Any, part: Part) -> bool:
    """Return whether a mapping gives names to entries rather than being the file form of one entry."""
    if not isinstance(given, Mapping) or not given:
        return False
    objects = [not isinstance(value, _PLAIN) for value in given.values()]
    if all(objects):
        return True
    keys = measure_keys() if part == "measures" else _ENTRY_KEYS[part]
    known = [*keys, "name", "factors", "grid"]
    if any(key in known for key in given) or not all(isinstance(key, str) for key in given):
        return False
    # Where all values are plain, a key may be a typo: {klass: sklearn.svm.SVC}.
    typo = any(get_close_matches(key, known, 1, 0.75) for key in given)
    return any(objects) or (not typo and all(isinstance(value, str | Mapping) for value in given.values()))


_PLAIN = (str, Mapping, list, int, float, type(None))
_ENTRY_KEYS: Mapping[Part, tuple[str, ...]] = {
    "datasets": DATASET_KEYS,
    "algorithms": ALGORITHM_KEYS,
}


def _is_pair(given: Any) -> bool:
    """Return whether this is one data set (X, y)."""
    return isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "shape")
