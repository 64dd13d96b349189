"""`dataset`: make a `Dataset` from a name, a file, a table, arrays or a generator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pandas as pd

from podium.checks import check_call, check_seed, describe
from podium.design.catalogue import entry_for, find_entry
from podium.design.dataset import Dataset, Generator, Task
from podium.design.generators import generator
from podium.design.sources.arff import ArffTable, read_arff
from podium.design.sources.frame import Roles, from_arrays, from_frame
from podium.design.sources.named import from_entry
from podium.design.sources.openml import from_openml
from podium.design.sources.tables import read_csv, read_parquet
from podium.design.spec.entry import check_value
from podium.errors import AmbiguousInputError, InputError, join_names
from podium.results.text_files import foreign_file

FileKind: TypeAlias = Literal["csv", "parquet", "arff"]
ENDINGS: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arff": "arff",
}
COMPRESSIONS = (".gz", ".bz2", ".xz", ".zip", ".zst")
OPENML = "openml:"


@check_call
def dataset(
    source: Any,
    *,
    target: str | None = None,
    task: Task | None = None,
    name: str | None = None,
    nominal: Sequence[str] = (),
    drop: Sequence[str] = (),
    groups: str | None = None,
    na_values: Sequence[str] | None = None,
    seed: int = 0,
) -> Dataset:
    """Make a data set from a name, a file, a table, arrays or a generator.

    Parameters
    ----------
    source : str, path, DataFrame, (X, y), Dataset or Generator
        - a name of the catalogue, such as ``"sonar"`` (see `podium.catalogue`);
        - a file ``.csv`` (or ``.tsv``, ``.txt``, ``.data``, with a header), ``.parquet`` or ``.arff``;
        - ``"openml:61"``, a data set of OpenML by its number, downloaded once and cached;
        - a DataFrame with the response in the column `target`;
        - a pair of arrays ``(X, y)``, or ``(X, None)``;
        - a generator, or its name, such as ``"twonorm"``: one data set is drawn, with `seed`.
    target : str, optional
        The column with the response. Data sets of the catalogue have theirs; in an ARFF file the default is the last
        attribute. For a pair of arrays: a name for the response (default ``"y"``).
    task : {"classification", "regression", "unsupervised"}, optional
        What is to be learned. By default it is recognised from the response: text, bool, categories, two different
        numbers, and integers 0 to k-1 or 1 to k with k up to 10 are classes; numbers with fractions are a quantity;
        other whole numbers are refused. In an unsupervised task the response, if given, is used by measures only.
    name : str, optional
        Name of the data set; default: the name, the file without its extension, OpenML's name, or ``"data"``.
    nominal : sequence of str, optional
        Attributes that are nominal although they hold numbers.
    drop : sequence of str, optional
        Columns to be left out, such as identifiers.
    groups : str, optional
        Column that says which observations belong together, for resampling schemes that keep groups together.
    na_values : sequence of str, optional
        What means *missing* in a CSV file; default: an empty cell, ``?``, ``NA``, ``N/A``, ``n/a``, ``NaN``,
        ``nan``, ``NULL``, ``null``, ``<NA>``, ``#N/A``. The text ``None`` is a level.
    seed : int, default 0
        For a generator: which of its data sets is drawn.

    Returns
    -------
    Dataset
        Its ``origin`` says what was read and how the task was recognised.

    Examples
    --------
    >>> import pandas as pd, podium
    >>> podium.dataset("sonar")
    Dataset 'sonar': classification, 208 observations, 60 numeric attributes, 2 classes
    >>> frame = pd.DataFrame({"dose": [1.5, 2.5, 3.5, 4.5], "cured": ["no", "no", "yes", "yes"]})
    >>> trial = podium.dataset(frame, target="cured", name="trial")
    >>> trial.origin
    "table of 4 rows; classification, because the response 'cured' holds text"
    """
    check_value(name, str | None, "name")
    check_value(na_values, Sequence[str] | None, "na_values")
    check_seed(seed)
    roles = Roles(target=target, task=task, nominal=nominal, drop=drop, groups=groups)
    _refuse_idle(source, roles, na_values)
    if isinstance(source, Dataset):
        return source if name is None else source.renamed(name)
    if isinstance(source, Generator):
        return (source if name is None else replace(source, name=name)).fixed(seed)
    if isinstance(source, pd.DataFrame):
        return from_frame(source, roles, name=name or "data", origin=f"table of {len(source)} rows")
    if isinstance(source, tuple) and len(source) == 2:
        return from_arrays(*source, roles, name=name or "data")
    if isinstance(source, Path) or (isinstance(source, str) and file_kind(Path(source)) is not None):
        return from_file(Path(source), roles, name=name, na_values=na_values)
    if isinstance(source, str) and source.lower().startswith(OPENML):
        return from_openml(openml_number(source), roles, name=name)
    if isinstance(source, str):
        entry = entry_for(source)
        if entry.origin == "generator":
            return generator(entry.name, name=name).fixed(seed)
        return from_entry(entry, roles, name=name)
    raise InputError(
        "`source` must be a name, a file, 'openml:NUMBER', a DataFrame, a pair (X, y) or a generator; got "
        f"{describe(source)}."
    )


def file_kind(path: Path) -> FileKind | None:
    """Find the kind of a table file by its extension, ignoring that of a compression; None if it is not known."""
    endings = [ending for ending in (suffix.lower() for suffix in path.suffixes) if ending not in COMPRESSIONS]
    return ENDINGS.get(endings[-1]) if endings else None


def from_file(
    path: Path,
    roles: Roles,
    *,
    name: str | None = None,
    na_values: Sequence[str] | None = None,
    folder: Path | None = None,
) -> Dataset:
    """Read a data set from a file; `folder` is where a relative path starts."""
    kind = file_kind(path)
    place = path if folder is None else folder / path
    if kind is None:
        raise InputError(
            f"The file {str(path)!r} has an extension that podium does not read; use .csv, .parquet or .arff.",
            path=("file",),
        )
    if not place.is_file():
        raise InputError(f"There is no file {str(place)!r}.", path=("file",))
    spec: dict[str, Any] = {"file": path.as_posix(), **roles.as_spec()}
    if na_values is not None:
        spec["na_values"] = list(na_values)
    if name is not None:
        spec["name"] = name
    stem = path.name
    while Path(stem).suffix.lower() in (*COMPRESSIONS, *ENDINGS):
        stem = Path(stem).stem
    origin = path.name
    with foreign_file(place):
        if kind == "csv":
            frame = read_csv(place, na_values)
        elif kind == "parquet":
            frame = read_parquet(place)
        else:
            table = read_arff(place)
            roles, reason = _arff_roles(table, roles, path.name)
            frame, origin = table.frame, f"{path.name}{reason}"
    return from_frame(frame, roles, name=name or stem, origin=origin, spec=spec)


def openml_number(text: str) -> int:
    """Read the number in ``openml:61``."""
    number = text[len(OPENML) :].strip()
    if not number.isascii() or not number.isdigit():
        raise InputError(f"'openml:' must be followed by the number of a data set, as in openml:61; got {text!r}.")
    return int(number)


def _arff_roles(table: ArffTable, roles: Roles, file: str) -> tuple[Roles, str]:
    """Take the last attribute as the response, as Weka does, and refuse dates."""
    reason = ""
    if roles.target is None and roles.task != "unsupervised":
        roles = replace(roles, target=table.attributes[-1].name)
        reason = f"; response {roles.target!r}, the last attribute"
    dates = [a.name for a in table.attributes if a.kind == "date" and a.name not in (*roles.drop, *roles.nominal)]
    if dates:
        raise AmbiguousInputError(
            f"The attribute {join_names(dates)} of {file!r} holds dates, which are neither numeric nor nominal. Leave "
            f"it out with drop={dates!r}, or keep it as nominal={dates!r}."
        )
    return roles, reason


def _refuse_idle(source: Any, roles: Roles, na_values: Sequence[str] | None) -> None:
    """Refuse arguments that would have no effect."""
    given = [*roles.as_spec()]
    entry = find_entry(source) if given and isinstance(source, str) else None
    drawn = isinstance(source, Generator) or (entry is not None and entry.origin == "generator")
    if given and (drawn or isinstance(source, Dataset)):
        reason = "is drawn from a generator" if drawn else "is already a Dataset"
        raise InputError(f"`{given[0]}` has no effect: the source {reason}.")
    if na_values is not None and not (isinstance(source, str | Path) and file_kind(Path(source)) == "csv"):
        raise InputError("`na_values` has no effect: it applies to CSV files only.")
