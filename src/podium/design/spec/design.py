"""Designs: an experiment as plain values, read from a design file, written to one, and recorded in a warehouse."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, ClassVar

from podium.checks import check_depth, check_keys, check_mapping
from podium.design.characteristics.characteristic import CHARACTERISTICS
from podium.design.dataset import Dataset
from podium.design.identity import Identity, identify
from podium.design.spec.entry import AtLeast, Entry, OneOrMore, Ref
from podium.design.spec.experiment_like import ExperimentLike
from podium.design.spec.objects import plain
from podium.design.spec.parts import NOUNS, Part, ResolvedEntry, placed
from podium.errors import DesignError, EntryPath, join_names

FORMAT = 2


@dataclass(frozen=True, kw_only=True)
class DesignEntry(Entry):
    """A benchmark experiment: data sets × replications × algorithms × measures.

    Attributes
    ----------
    datasets : list
        What is learned from.
    algorithms : list
        The candidates to be compared.
    resampling : text or mapping
        How learning and test samples are drawn.
    measures : list
        What is measured.
    seed : int
        All randomness derives from it.
    name : str
        Name of the experiment; default: the name of the file.
    keep : list
        What is kept of each trial besides its numbers.
    characteristics : list
        Which characteristics of the learning samples are kept.
    stopping : text or mapping
        When a run may stop before all replications are drawn.
    """

    noun: ClassVar[str] = "design"

    datasets: Annotated[Any, OneOrMore("dataset")]
    algorithms: Annotated[Any, OneOrMore("algorithm")]
    resampling: Annotated[Any, Ref("resampling")]
    measures: Annotated[Any, OneOrMore("measure")]
    seed: Annotated[int, AtLeast(0)] = 0
    name: str = ""
    keep: Annotated[Any, Ref("keep")] = ()
    characteristics: Annotated[Any, Ref("characteristics")] = ()
    stopping: Annotated[Any, Ref("stopping")] = None

    @classmethod
    def arguments(cls, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Check the keys and the plain values of a mapping, and return them as arguments of `Experiment`."""
        with placed():
            check_mapping(mapping, "A design")
            check_depth(mapping, "A design")
            check_keys(mapping, cls.known_keys(), "A design", "key")
        needed = cls.known_keys()[:4]
        lacking = [key for key in needed if key not in mapping]
        if lacking:
            raise DesignError(
                f"The design lacks {join_names(lacking, quote=False)}; it needs {join_names(needed, quote=False)}."
            )
        for key in needed:
            if mapping[key] is None:
                raise DesignError(f"`{key}` is empty; write one entry or a list after the colon.", (key,))
        with placed():
            cls(**mapping)
        return dict(mapping)


def design_of(
    experiment: ExperimentLike,
    datasets: Sequence[ResolvedEntry[Any]],
    algorithms: Sequence[ResolvedEntry[Any]],
    measures: Sequence[ResolvedEntry[Any]],
    *,
    strict: bool = False,
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
        "datasets": [_written_entry(resolved, "datasets", strict) for resolved in datasets],
        "algorithms": [_written_entry(resolved, "algorithms", strict) for resolved in algorithms],
        "resampling": plain(scheme),
        "measures": [_written_entry(resolved, "measures", strict) for resolved in measures],
        **({"keep": list(experiment.keep)} if experiment.keep else {}),
        **({"characteristics": _characteristics(experiment, strict)} if experiment.characteristics else {}),
        **({} if experiment.stopping is None else {"stopping": experiment.stopping.spec()}),
    }


def record_of(experiment: ExperimentLike) -> dict[str, Any]:
    """Write a design for a warehouse: grids expanded, everything with its identity as of now.

    The identity of a data set covers the seed and the resampling, which draw its samples.
    """
    scheme = experiment.resampling.spec
    return {
        "format": FORMAT,
        "name": experiment.name,
        "seed": experiment.seed,
        "resampling": {"object": experiment.resampling.describe()} if scheme is None else plain(scheme),
        "drawing": asdict(identify(experiment.resampling, name="the resampling")),
        "datasets": {
            d.name: {
                "spec": _spec_or_object(d),
                "data": d.fingerprint if isinstance(d, Dataset) else None,
                "factors": plain(d.factors),
                "identity": asdict(identify(d, experiment.resampling, experiment.seed, name=d.name)),
            }
            for d in experiment.datasets
        },
        "algorithms": {
            a.name: {
                "spec": _spec_or_object(a),
                "factors": plain(a.factors),
                "identity": asdict(identify(a, name=a.name)),
            }
            for a in experiment.algorithms
        },
        "measures": {
            m.name: {
                "spec": _spec_or_object(m),
                **asdict(m.info),
                "identity": asdict(identify(m, name=m.name)),
            }
            for m in experiment.measures
        },
        **({} if experiment.stopping is None else {"stopping": experiment.stopping.spec()}),
    }


def form_of(experiment: ExperimentLike) -> dict[str, Any]:
    """Write what a design file says as a record: without what data and code are, so neither is looked at."""
    scheme = experiment.resampling.spec
    named = {"datasets": experiment.datasets, "algorithms": experiment.algorithms, "measures": experiment.measures}
    return {
        "seed": experiment.seed,
        "resampling": {"object": experiment.resampling.describe()} if scheme is None else plain(scheme),
        **{part: {one.name: {"spec": _spec_or_object(one)} for one in things} for part, things in named.items()},
        **({} if experiment.stopping is None else {"stopping": experiment.stopping.spec()}),
    }


def form_in(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same of a design that was recorded."""
    parts = ("datasets", "algorithms", "measures")
    return {
        **{key: record[key] for key in ("seed", "resampling", "stopping") if key in record},
        **{part: {name: {"spec": entry["spec"]} for name, entry in record[part].items()} for part in parts},
    }


def read_identity(entry: Mapping[str, Any] | None) -> Identity | None:
    """Read the identity in an entry of a record; None in one that was made without looking at data and code."""
    return None if entry is None else Identity(**entry)


def content_of(record: Mapping[str, Any]) -> str:
    """Write the part of a record that makes a design what it is: no name, no origin, no versions of libraries."""
    parts = {
        part: {
            name: {**{key: entry[key] for key in entry if key not in _ORIGIN}, "digest": entry["identity"]["digest"]}
            for name, entry in record[part].items()
        }
        for part in ("datasets", "algorithms", "measures")
    }
    return json.dumps({**record, **parts, "name": "", "drawing": record["drawing"]["digest"]}, sort_keys=True)


def fingerprint_of(record: Mapping[str, Any]) -> str:
    """Return a short text that changes when the design does."""
    return hashlib.blake2b(content_of(record).encode("ascii"), digest_size=8).hexdigest()


_ORIGIN = ("spec", "data", "identity")


def _characteristics(experiment: ExperimentLike, strict: bool) -> list[Any]:
    """Write the names of characteristics."""
    own = [one for one in experiment.characteristics if CHARACTERISTICS.get(one.name) is not one]
    if own and strict:
        raise DesignError(
            f"The characteristic {own[0].name!r} was made from functions and has no file form. Use one of podium's.",
            ("characteristics",),
        )
    return [_object(one) if one in own else one.name for one in experiment.characteristics]


def _written_entry(resolved: ResolvedEntry[Any], part: Part, strict: bool) -> Any:
    if resolved.grid is None:
        return _written(resolved.members[0], part, resolved.path, strict)
    entry = _written(resolved.grid.base, part, resolved.path, strict)
    base = {_NAME_KEYS[part]: entry} if isinstance(entry, str) else entry
    return {**base, "grid": plain(resolved.grid.spec)}


def _written(thing: Any, part: Part, path: EntryPath, strict: bool) -> Any:
    """Write one entry: as its name if that is enough, else as a mapping."""
    if thing.spec is None:
        if strict:
            raise DesignError(
                f"The {NOUNS[part]} {thing.name!r} was made from an object and has no file form. {_WAYS_OUT[part]}",
                path,
            )
        return _object(thing)
    spec = plain(thing.spec)
    key = _NAME_KEYS[part]
    return spec[key] if spec.keys() == {key} and isinstance(spec[key], str) else spec


# A mapping with nothing but this key is written as its value, the name.
_NAME_KEYS: Mapping[Part, str] = {"datasets": "dataset", "algorithms": "candidate", "measures": "measure"}
_WAYS_OUT: Mapping[Part, str] = {
    "datasets": "Save the data to a file and use podium.Dataset.from_file('file.csv', target=...).",
    "algorithms": "Use one of podium's candidates or an importable class with plain parameters.",
    "measures": "Use one of podium's measures, a scorer of scikit-learn or an importable function.",
}


def _spec_or_object(thing: Any) -> Any:
    return _object(thing) if thing.spec is None else plain(thing.spec)


def _object(thing: Any) -> dict[str, Any]:
    made_from = getattr(thing, "description", "") or type(thing).__name__
    return {"name": thing.name, "object": str(made_from)}
