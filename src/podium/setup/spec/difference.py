"""`Difference`: what two designs differ in, and whether one extends the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from podium.checks import check_call

Effect: TypeAlias = Literal["extends", "reduces", "changes"]
Subject: TypeAlias = Literal["seed", "resampling", "data set", "data", "algorithm", "measure"]

_GROWING = ("replications", "repeats")


@check_call
@dataclass(frozen=True)
class Difference:
    """One difference between a design and an earlier one.

    Attributes
    ----------
    kind : {"extends", "reduces", "changes"}
        Whether earlier outcomes stay valid and more is asked for, stay valid and less is asked for, or do not stay
        valid.
    subject : {"seed", "resampling", "data set", "data", "algorithm", "measure"}
        What differs; ``"data"`` are the observations of a data set.
    name : str
        Name of the data set, algorithm or measure, or of the parameter of the resampling; empty where there is none.
    old, new : object
        The file form before and now; None where it was or is absent.
    """

    kind: Effect
    subject: Subject
    name: str = ""
    old: Any = None
    new: Any = None

    def __str__(self) -> str:
        what = f"the {self.subject} {self.name!r}" if self.name else f"the {self.subject}"
        if self.subject == "data":
            return f"the data of the data set {self.name!r} have changed"
        if self.subject == "resampling" and self.name:
            return f"{self.name}: {self.old} before, {self.new} now"
        if self.old is None:
            late = ", and finished trials cannot be measured again" if self.subject == "measure" else ""
            return f"{what} is new{late}"
        return f"{what} has been removed" if self.new is None else f"{what} was {self.old} and is {self.new}"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Compare two designs as `Experiment.record` writes them."""
    found: list[Difference] = []
    if old["seed"] != new["seed"]:
        found.append(Difference("changes", "seed", old=old["seed"], new=new["seed"]))
    found += _resampling(old["resampling"], new["resampling"])
    found += _datasets(old["datasets"], new["datasets"])
    found += _algorithms(old["algorithms"], new["algorithms"])
    found += _measures(old["measures"], new["measures"])
    return found


def _resampling(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    if old == new:
        return
    changed = _unequal(old, new)
    growth = [path for path in changed if path[-1] in _GROWING and path[0] != "parameters"]
    if changed and len(growth) == len(changed):
        for path in growth:
            before, after = _at(old, path), _at(new, path)
            yield Difference("extends" if after > before else "reduces", "resampling", path[-1], before, after)
    else:
        yield Difference("changes", "resampling", old=old, new=new)


def _datasets(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _names("data set", old, new)
    for name in (name for name in new if name in old):
        before, after = old[name], new[name]
        if before["data"] is not None and after["data"] is not None:
            if before["data"] != after["data"]:
                yield Difference("changes", "data", name, before["data"], after["data"])
        elif before["spec"] != after["spec"] or before["data"] != after["data"]:
            yield Difference("changes", "data set", name, before["spec"], after["spec"])


def _algorithms(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _names("algorithm", old, new)
    for name in (name for name in new if name in old):
        if old[name]["spec"] != new[name]["spec"]:
            yield Difference("changes", "algorithm", name, old[name]["spec"], new[name]["spec"])


def _measures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _names("measure", old, new, added="changes")
    for name in (name for name in new if name in old):
        if old[name] != new[name]:
            yield Difference("changes", "measure", name, old[name], new[name])


def _names(
    subject: Subject, old: Mapping[str, Any], new: Mapping[str, Any], *, added: Effect = "extends"
) -> Iterator[Difference]:
    for name in new:
        if name not in old:
            yield Difference(added, subject, name, new=new[name]["spec"])
    for name in old:
        if name not in new:
            yield Difference("reduces", subject, name, old=old[name]["spec"])


def _unequal(old: Any, new: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths at which two nested mappings differ; a path of length one stands for everything below it."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return [] if old == new else [path]
    if old.keys() != new.keys():
        return [path or ("",)]
    return [inner for key in old for inner in _unequal(old[key], new[key], (*path, key))]


def _at(mapping: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        mapping = mapping[key]
    return mapping
