"""Data sets by name: bundled files, enumerated populations, and the data sets of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import pandas as pd

from podium.design.catalogue import CatalogueEntry
from podium.design.columns import coded
from podium.design.generators import GENERATORS
from podium.design.sources.files import read_csv
from podium.design.sources.frame import Roles
from podium.errors import MissingExtraError

_ORIGINS: Mapping[str, str] = {
    "bundled": "file bundled with podium",
    "enumerated": "enumerated by podium",
    "scikit-learn": "loaded from scikit-learn",
}
_COUNT = "count"  # a table of counts has this column


def from_entry(entry: CatalogueEntry, roles: Roles) -> dict[str, Any]:
    """Load a fixed data set of the catalogue; return the arguments of `Dataset`."""
    frame = _frame(entry).copy()
    target: str | None = roles.target or entry.target
    drop = list(roles.drop)
    if roles.target is None and roles.task == "unsupervised" and entry.task == "regression":
        target, drop = None, [*drop, entry.target]  # a quantity is not a known grouping
    columns = Roles(
        target=target,
        task=roles.task or (entry.task if roles.target is None else None),
        nominal=[*entry.as_nominal, *(column for column in roles.nominal if column not in entry.as_nominal)],
        drop=drop,
        groups=roles.groups,
    )
    return {
        "X": frame,
        **vars(columns),
        "name": entry.name,
        "origin": _ORIGINS[entry.origin],
        "spec": {"dataset": entry.name, **roles.as_spec()},
        "source": entry.source,
        "licence": entry.licence,
    }


@cache
def _frame(entry: CatalogueEntry) -> pd.DataFrame:
    return _FRAMES[entry.origin](entry)


def _bundled(entry: CatalogueEntry) -> pd.DataFrame:
    with resources.as_file(resources.files("podium.design") / "data" / f"{entry.name}.csv") as path:
        frame = read_csv(path, na_values=[""])
    if _COUNT in frame.columns:
        rows = np.repeat(np.arange(len(frame)), frame[_COUNT].to_numpy())
        frame = frame.drop(columns=_COUNT).iloc[rows].reset_index(drop=True)
    return frame


def _enumerated(entry: CatalogueEntry) -> pd.DataFrame:
    enumerate_all = GENERATORS[entry.name].population
    assert enumerate_all is not None  # a test loads every entry
    population = enumerate_all()
    return population.X.assign(**{entry.target: population.y})


def _sklearn(entry: CatalogueEntry) -> pd.DataFrame:
    try:
        from sklearn import datasets
    except ImportError:
        raise MissingExtraError(f"The data set {entry.name!r}", "scikit-learn", "all") from None
    bunch = getattr(datasets, f"load_{entry.name}")(as_frame=True)
    frame: pd.DataFrame = bunch.data
    if entry.task == "classification":
        classes = [str(label) for label in bunch.target_names]
        return frame.assign(**{entry.target: coded(bunch.target.to_numpy(), classes)})
    return frame.assign(**{entry.target: bunch.target})


_FRAMES: Mapping[str, Callable[[CatalogueEntry], pd.DataFrame]] = {
    "bundled": _bundled,
    "enumerated": _enumerated,
    "scikit-learn": _sklearn,
}
