"""A design as plain values: from the keys of a file to arguments, from an experiment to a file and to a record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.errors import DesignError, listing
from podium.setup.dataset import Dataset
from podium.setup.suggesting import nearest

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment
    from podium.setup.terms import Term

FORMAT = 1
REQUIRED = ("datasets", "algorithms", "resampling", "measures")
KEYS = ("name", "seed", *REQUIRED)


def build_arguments(design: Mapping[str, Any]) -> dict[str, Any]:
    """Check the keys of a design and return them as arguments of `Experiment`."""
    for key in design:
        if key not in KEYS:
            raise DesignError(
                f"A design has no key {key!r}{nearest(key, KEYS)} Its keys are {listing(KEYS, most=9)}.", (key,)
            )
    lacking = [key for key in REQUIRED if key not in design]
    if lacking:
        raise DesignError(
            f"The design lacks {listing(lacking, quote=False)}; it needs {listing(REQUIRED, quote=False)}."
        )
    for key in REQUIRED:
        if design[key] is None:
            raise DesignError(f"`{key}` is empty; write one entry or a list after the colon.", (key,))
    return dict(design)


def design_of(
    experiment: Experiment, datasets: Sequence[Term[Any]], algorithms: Sequence[Term[Any]], *, strict: bool = False
) -> dict[str, Any]:
    """Write an experiment as a design; if strict, what has no file form is an error."""
    scheme = experiment.resampling.spec
    if scheme is None:
        if strict:
            raise DesignError(
                f"The resampling, {experiment.resampling.describe()}, has no file form. Use a scheme of podium, or a "
                "splitter of scikit-learn with plain parameters.",
                ("resampling",),
            )
        scheme = {"object": experiment.resampling.describe()}
    return {
        **({"name": experiment.name} if experiment.name else {}),
        "seed": experiment.seed,
        "datasets": [_written_term(term, "datasets", i, strict) for i, term in enumerate(datasets)],
        "algorithms": [_written_term(term, "algorithms", i, strict) for i, term in enumerate(algorithms)],
        "resampling": plain(scheme),
        "measures": [_written(m, "measures", i, strict) for i, m in enumerate(experiment.measures)],
    }


def record_of(experiment: Experiment) -> dict[str, Any]:
    """Write what identifies a design: grids expanded, data by their fingerprint."""
    scheme = experiment.resampling.spec
    return {
        "format": FORMAT,
        "name": experiment.name,
        "seed": experiment.seed,
        "resampling": {"object": experiment.resampling.describe()} if scheme is None else plain(scheme),
        "datasets": {
            d.name: {
                "spec": _spec_or_object(d),
                "data": d.fingerprint if isinstance(d, Dataset) else None,
                "factors": plain(d.factors),
            }
            for d in experiment.datasets
        },
        "algorithms": {
            a.name: {"spec": _spec_or_object(a), "factors": plain(a.factors)} for a in experiment.algorithms
        },
        "measures": {m.name: {"spec": _spec_or_object(m), **asdict(m.info)} for m in experiment.measures},
    }


def identity_of(record: Mapping[str, Any]) -> str:
    """Write of a record what makes two designs the same: not the name, and not where the data were read from."""
    datasets = {
        name: {**entry, "spec": entry["spec"] if entry["data"] is None else None}
        for name, entry in record["datasets"].items()
    }
    return json.dumps({**record, "name": "", "datasets": datasets}, sort_keys=True, ensure_ascii=True)


def plain(value: Any) -> Any:
    """Turn tuples into lists, mappings into dicts, and NumPy's numbers into Python's; else the text of the value."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [plain(inner) for inner in value]
    if isinstance(value, np.generic):
        return value.item()
    return value if value is None or isinstance(value, str | bool | int | float) else repr(value)


def _written_term(term: Term[Any], part: str, place: int, strict: bool) -> Any:
    if term.grid is None:
        return _written(term.members[0], part, place, strict)
    entry = _written(term.grid.base, part, place, strict)
    base = {_NAME_KEYS[part]: entry} if isinstance(entry, str) else entry
    return {**base, "grid": plain(term.grid.spec)}


def _written(thing: Any, part: str, place: int, strict: bool) -> Any:
    """Write one entry: a name where that is all there is to say, else a mapping."""
    if thing.spec is None:
        if strict:
            noun = {"datasets": "data set", "algorithms": "algorithm", "measures": "measure"}[part]
            raise DesignError(
                f"The {noun} {thing.name!r} was made from an object and has no file form. {_WAYS_OUT[part]}",
                (part, place),
            )
        return _object(thing)
    spec = plain(thing.spec)
    key = _NAME_KEYS[part]
    return spec[key] if spec.keys() == {key} and isinstance(spec[key], str) else spec


# Below these keys of a mapping stands a name that says as much alone.
_NAME_KEYS = {"datasets": "dataset", "algorithms": "candidate", "measures": "measure"}
_WAYS_OUT = {
    "datasets": "Save the data to a file and use podium.dataset('file.csv', target=...).",
    "algorithms": "Use a candidate of podium or an importable class with plain parameters.",
    "measures": "Use a measure of podium, a scorer of scikit-learn or an importable function.",
}


def _spec_or_object(thing: Any) -> Any:
    return _object(thing) if thing.spec is None else plain(thing.spec)


def _object(thing: Any) -> dict[str, Any]:
    made_from = getattr(thing, "description", "") or type(thing).__name__
    return {"name": thing.name, "object": str(made_from)}
