"""The catalogue: what can be had by name."""

from __future__ import annotations

from difflib import get_close_matches

import numpy as np
import pandas as pd

from podium.errors import LabelError
from podium.setup.entries import ENTRIES, Entry
from podium.setup.generators import GENERATORS, generator


def catalogue() -> pd.DataFrame:
    """List every data set and generator that podium knows by name.

    Returns
    -------
    DataFrame
        One row per name, which is the index. Columns: ``title``; ``task``; ``n``, the observations; ``numeric`` and
        ``nominal``, the attributes; ``classes``; ``incomplete``, the observations with a missing value; ``origin``:
        ``bundled`` with podium, ``enumerated`` by program, in ``scikit-learn``, drawn from a ``generator``;
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
    entries = sorted([*ENTRIES, *map(generator_entry, _only_generators())], key=lambda entry: entry.name.lower())
    columns = ("name", "title", "task", "n", "numeric", "nominal", "classes", "incomplete", "origin")
    frame = pd.DataFrame([{column: getattr(entry, column) for column in columns} for entry in entries])
    return frame.assign(generator=frame["name"].isin(list(GENERATORS))).set_index("name")


def find_entry(name: str) -> Entry | None:
    """Return the entry of a name or alias, whatever its case; None if there is none."""
    wanted = name.casefold()
    for entry in ENTRIES:
        if wanted in {known.casefold() for known in (entry.name, *entry.aliases)}:
            return entry
    if wanted in GENERATORS:
        return generator_entry(wanted)
    return None


def entry_for(name: str) -> Entry:
    """Return the entry of a name or alias, or refuse the name."""
    entry = find_entry(name)
    if entry is None:
        raise LabelError(
            f"There is no data set {name!r}. {_nearest(name)}`podium datasets` lists the names; a file needs its "
            "ending (.csv, .parquet, .arff), an OpenML number its prefix (openml:61)."
        )
    return entry


def generator_entry(kind: str) -> Entry:
    """Describe a generator with its default parameters."""
    known = GENERATORS[kind]
    sample = generator(kind).draw(4, np.random.default_rng(0))
    nominal = sum(isinstance(dtype, pd.CategoricalDtype) for dtype in sample.X.dtypes)
    return Entry(
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


def _only_generators() -> list[str]:
    """Return the generators whose population is not in the catalogue as a data set."""
    fixed = {entry.name for entry in ENTRIES}
    return [kind for kind in GENERATORS if kind not in fixed]


def _nearest(name: str) -> str:
    known = {alias.casefold(): entry.name for entry in ENTRIES for alias in (entry.name, *entry.aliases)}
    known |= {kind: kind for kind in GENERATORS}
    close = get_close_matches(name.casefold(), known, n=1)
    return f"Did you mean {known[close[0]]!r}? " if close else ""
