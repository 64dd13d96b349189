"""The catalogue: the data sets and generators that podium provides by name."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

import numpy as np
import pandas as pd

from podium.checks import check_call, describe, did_you_mean
from podium.design.generators import GENERATORS, checked_parameters
from podium.design.sample import Task
from podium.errors import InputError, LabelError

Origin = Literal["bundled", "enumerated", "scikit-learn", "generator"]


@dataclass(frozen=True, kw_only=True)
class CatalogueEntry:
    """One data set of the catalogue.

    Attributes
    ----------
    name, title : str
    origin : {"bundled", "enumerated", "scikit-learn", "generator"}
        A file shipped with podium, computed by podium, shipped with scikit-learn, or drawn from a generator.
    n, numeric, nominal, classes, incomplete : int
        Observations, numeric and nominal attributes, classes, observations with a missing value. For a generator:
        with its default parameters.
    source, licence, note : str
    task : {"classification", "regression"}
    target : str
        The response in a bundled file.
    as_nominal : tuple of str
        Attributes of a bundled file that are nominal although they hold numbers.
    aliases : tuple of str
        Other names in the literature; case does not matter.
    """

    name: str
    title: str
    origin: Origin
    n: int
    source: str
    task: Task = "classification"
    numeric: int = 0
    nominal: int = 0
    classes: int = 0
    incomplete: int = 0
    licence: str = ""
    note: str = ""
    target: str = "class"
    as_nominal: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@cache
def fixed_entries() -> tuple[CatalogueEntry, ...]:
    """Return the entries of all fixed data sets, in the order of ``data/catalogue.toml``."""
    text = (resources.files("podium.design") / "data" / "catalogue.toml").read_text(encoding="utf-8")
    tables: dict[str, dict[str, Any]] = tomllib.loads(text)
    for table in tables.values():
        table.update({key: tuple(table[key]) for key in ("as_nominal", "aliases") if key in table})
    return tuple(CatalogueEntry(name=name, **table) for name, table in tables.items())


@check_call
def catalogue() -> pd.DataFrame:
    """List every data set and generator that podium provides by name.

    Returns
    -------
    DataFrame
        One row per name, which is the index. Columns: ``title``; ``task``; ``n``, the observations; ``numeric`` and
        ``nominal``, the attributes; ``classes``; ``incomplete``, the observations with a missing value; ``origin``:
        ``bundled`` with podium, ``enumerated`` by podium, part of ``scikit-learn``, drawn from a ``generator``;
        ``generator``, whether fresh samples can be drawn.

    Examples
    --------
    >>> import podium
    >>> podium.catalogue().loc[["heart", "twonorm"], ["task", "n", "numeric", "nominal", "classes", "origin"]]
                       task     n  numeric  nominal  classes     origin
    name
    heart    classification   303        6        7        2    bundled
    twonorm  classification  1200       20        0        2  generator
    """
    fixed = {entry.name for entry in fixed_entries()}
    drawn = [generator_entry(kind) for kind in GENERATORS if kind not in fixed]
    entries = sorted([*fixed_entries(), *drawn], key=lambda entry: entry.name.lower())
    columns = ("name", "title", "task", "n", "numeric", "nominal", "classes", "incomplete", "origin")
    frame = pd.DataFrame([{column: getattr(entry, column) for column in columns} for entry in entries])
    return frame.assign(generator=frame["name"].isin(list(GENERATORS))).set_index("name")


def find_entry(name: str) -> CatalogueEntry | None:
    """Return the entry of a name or alias, whatever its case; None if there is none."""
    wanted = name.casefold()
    for entry in fixed_entries():
        if wanted in {known.casefold() for known in (entry.name, *entry.aliases)}:
            return entry
    return generator_entry(wanted) if wanted in GENERATORS else None


def entry_for(name: object) -> CatalogueEntry:
    """Return the entry of a name or alias, or refuse the name."""
    if not isinstance(name, str):
        raise InputError(f"The name of a data set must be text; got {describe(name)}.")
    entry = find_entry(name)
    if entry is None:
        known = [alias for entry in fixed_entries() for alias in (entry.name, *entry.aliases)]
        raise LabelError(
            f"There is no data set {name!r}. `podium datasets` lists the names; a file needs its extension (.csv, "
            f".parquet, .arff), an OpenML number its prefix (openml:61).{did_you_mean(name, [*known, *GENERATORS])}"
        )
    return entry


def generator_entry(kind: str) -> CatalogueEntry:
    """Describe a generator with its default parameters."""
    known = GENERATORS[kind]
    sample = known.draw(4, np.random.default_rng(0), **checked_parameters(kind, {}))
    nominal = sum(isinstance(dtype, pd.CategoricalDtype) for dtype in sample.X.dtypes)
    return CatalogueEntry(
        name=kind,
        title=known.title,
        origin="generator",
        task=known.task,
        n=known.n,
        numeric=sample.X.shape[1] - nominal,
        nominal=nominal,
        classes=len(sample.y.cat.categories) if known.task == "classification" and sample.y is not None else 0,
        source=known.source,
    )
