"""What two designs differ in, and whether one extends the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["extends", "reduces", "changes"]

_GROWING = ("replications", "repeats")


@dataclass(frozen=True)
class Difference:
    """One thing in which a design differs from an earlier one.

    Attributes
    ----------
    kind : {"extends", "reduces", "changes"}
        Whether what was measured under the earlier design stays valid and more is asked for, stays valid and less is
        asked for, or does not stay valid.
    text : str
    """

    kind: Kind
    text: str

    def __str__(self) -> str:
        return self.text


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Compare two designs as `Experiment.record` writes them."""
    found: list[Difference] = []
    if old["seed"] != new["seed"]:
        found.append(Difference("changes", f"the seed was {old['seed']} and is {new['seed']}"))
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
            yield Difference("extends" if after > before else "reduces", f"{path[-1]}: {before} before, {after} now")
    else:
        yield Difference("changes", f"the resampling was {old} and is {new}")


def _datasets(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _names("data set", old, new)
    for name in (name for name in new if name in old):
        before, after = old[name], new[name]
        if before["data"] is not None and after["data"] is not None:
            if before["data"] != after["data"]:
                yield Difference("changes", f"the data of the data set {name!r} are others than before")
        elif before["spec"] != after["spec"] or before["data"] != after["data"]:
            yield Difference("changes", f"the data set {name!r} was {before['spec']} and is {after['spec']}")


def _algorithms(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    yield from _names("algorithm", old, new)
    for name in (name for name in new if name in old):
        if old[name]["spec"] != new[name]["spec"]:
            yield Difference("changes", f"the algorithm {name!r} was {old[name]['spec']} and is {new[name]['spec']}")


def _measures(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    for name in new:
        if name not in old:
            yield Difference("changes", f"the measure {name!r} is new, and finished trials cannot be measured again")
        elif old[name] != new[name]:
            yield Difference("changes", f"the measure {name!r} was {old[name]} and is {new[name]}")
    for name in old:
        if name not in new:
            yield Difference("reduces", f"the measure {name!r} is no longer there")


def _names(noun: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    for name in new:
        if name not in old:
            yield Difference("extends", f"the {noun} {name!r} is new")
    for name in old:
        if name not in new:
            yield Difference("reduces", f"the {noun} {name!r} is no longer there")


def _unequal(old: Any, new: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return the paths at which two nested mappings differ; a path of length one stands for all below it."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return [] if old == new else [path]
    if old.keys() != new.keys():
        return [path or ("",)]
    return [inner for key in old for inner in _unequal(old[key], new[key], (*path, key))]


def _at(mapping: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        mapping = mapping[key]
    return mapping
