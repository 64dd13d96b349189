"""`Difference`: what two designs differ in, and whether one extends the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from podium.checks import check_call
from podium.design.identity import Identity
from podium.design.spec.design import read_identity

Effect: TypeAlias = Literal["extends", "reduces", "changes"]
Subject: TypeAlias = Literal["seed", "resampling", "data set", "data", "algorithm", "measure", "stopping rule"]

_GROWING = ("replications", "repeats")
_LONGEST = 300  # characters in which two forms are shown as a whole
_MAX_PLACES = 3


@check_call
@dataclass(frozen=True)
class Difference:
    """One difference between a design and an earlier one.

    Attributes
    ----------
    kind : {"extends", "reduces", "changes"}
        Whether earlier outcomes stay valid and more is requested, stay valid and less is requested, or become
        invalid.
    subject : {"seed", "resampling", "data set", "data", "algorithm", "measure", "stopping rule"}
        What differs; ``"data"`` are the observations of a data set.
    name : str
        Name of the data set, algorithm or measure, or of the parameter of the resampling; empty where there is none.
    old, new : object
        The file form before and now; None where it was or is absent.
    versions : mapping of str to (str, str)
        If nothing but the libraries has changed, their versions before and now; empty if one was or is not used.
    """

    kind: Effect
    subject: Subject
    name: str = ""
    old: Any = None
    new: Any = None
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def contradicts(self) -> bool:
        """Whether one warehouse cannot hold both designs: another seed or resampling draws other samples."""
        return self.kind == "changes" and self.subject in ("seed", "resampling")

    def __str__(self) -> str:
        what = f"the {self.subject} {self.name!r}" if self.name else f"the {self.subject}"
        if self.versions:
            return f"{what}: {versions_text(self.versions)}"
        if self.subject == "data":
            return f"the data of the data set {self.name!r} have changed"
        if self.subject == "resampling" and self.name:
            return f"{self.name}: {self.old} before, {self.new} now"
        if self.old is None:
            return f"{what} is new"
        if self.new is None:
            return f"{what} has been removed"
        if self.old == self.new:
            return f"{what} has changed"
        whole = f"{what} was {self.old} and is {self.new}"
        return whole if len(whole) <= _LONGEST else f"{what}: {_places_text(self.old, self.new)}"


def _places_text(old: Any, new: Any) -> str:
    """Say where two long forms differ.

    >>> steps = [{"steps": [["svm", {"class": "SVC", "parameters": {"C": c, "kernel": "rbf"}}]]} for c in (1, 2)]
    >>> _places_text(*steps)
    'steps[0][1].C was 1 and is 2'
    """
    places = list(_places(old, new))
    texts = [f"{path or 'it'} was {_short(before)} and is {_short(after)}" for path, before, after in places]
    more = f"; {len(texts) - _MAX_PLACES} more" if len(texts) > _MAX_PLACES else ""
    return "; ".join(texts[:_MAX_PLACES]) + more


def _places(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in dict.fromkeys([*old, *new]):
            inner = path if key == "parameters" else f"{path}.{key}".removeprefix(".")
            yield from _places(old.get(key), new.get(key), inner)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _places(before, after, f"{path}[{i}]")
    elif old != new:
        yield path, old, new


def _short(value: Any) -> str:
    text = "absent" if value is None else str(value)
    return text if len(text) <= _LONGEST // 4 else text[: _LONGEST // 4 - 1] + "…"


def versions_text(versions: Mapping[str, tuple[str, str]]) -> str:
    """Say which versions of libraries have changed.

    >>> versions_text({"scikit-learn": ("1.6.1", "1.7.2"), "scipy": ("", "1.15")})
    'scikit-learn 1.6.1 before, 1.7.2 now; scipy not used before, 1.15 now'
    """
    return "; ".join(
        f"{name} {before or 'not used'} before, {after or 'not used'} now" for name, (before, after) in versions.items()
    )


def changed_versions(old: Identity, new: Identity) -> dict[str, tuple[str, str]]:
    """Return the versions that differ between two identities, before and now."""
    return {
        name: (old.versions.get(name, ""), new.versions.get(name, ""))
        for name in sorted({*old.versions, *new.versions})
        if old.versions.get(name) != new.versions.get(name)
    }


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Compare two designs as `Experiment.record` writes them."""
    found: list[Difference] = []
    if old["seed"] != new["seed"]:
        found.append(Difference("changes", "seed", old=old["seed"], new=new["seed"]))
    found += _resampling(old, new)
    # The identity of a data set in a record covers how its samples are drawn: compare the rest if that has changed.
    drawn_alike = not any(difference.contradicts for difference in found)
    found += _part("data set", old["datasets"], new["datasets"], by_identity=drawn_alike)
    found += _part("algorithm", old["algorithms"], new["algorithms"])
    found += _part("measure", old["measures"], new["measures"])
    before, after = old.get("stopping"), new.get("stopping")
    if before != after:  # it decides on how many trials there are, not on what they measure
        kind: Effect = "reduces" if before is None else "extends"
        found.append(Difference(kind, "stopping rule", old=before, new=after))
    return found


def _resampling(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Difference]:
    before, after = old["resampling"], new["resampling"]
    drawn, draws = read_identity(old.get("drawing")), read_identity(new.get("drawing"))
    alike = drawn is None or draws is None or drawn.digest == draws.digest
    changed = _unequal(before, after)
    growth = [path for path in changed if path[-1] in _GROWING and path[0] != "parameters"]
    if not alike or len(growth) < len(changed):
        yield Difference("changes", "resampling", old=before, new=after)
        return
    for path in growth:
        less, more = _at(before, path), _at(after, path)
        yield Difference("extends" if more > less else "reduces", "resampling", path[-1], less, more)


def _part(
    subject: Subject, old: Mapping[str, Any], new: Mapping[str, Any], *, by_identity: bool = True
) -> Iterator[Difference]:
    for name in new:
        if name not in old:
            yield Difference("extends", subject, name, new=new[name]["spec"])
    for name in old:
        if name not in new:
            yield Difference("reduces", subject, name, old=old[name]["spec"])
    for name in (name for name in new if name in old):
        yield from _entry(subject, name, old[name], new[name], by_identity)


def _entry(
    subject: Subject, name: str, old: Mapping[str, Any], new: Mapping[str, Any], by_identity: bool
) -> Iterator[Difference]:
    data = old.get("data"), new.get("data")
    if None not in data and data[0] != data[1]:
        yield Difference("changes", "data", name, *data)
        return
    before, after = read_identity(old.get("identity")), read_identity(new.get("identity"))
    if before is None or after is None or not by_identity:
        changed = not _same_form(old, new)
    else:
        changed = before.digest != after.digest
        versions = changed_versions(before, after)
        if not changed and versions:
            yield Difference("changes", subject, name, old["spec"], new["spec"], versions)
    if changed:
        yield Difference("changes", subject, name, old["spec"], new["spec"])


def _same_form(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Compare two entries by their data, or else by their file form."""
    data = old.get("data"), new.get("data")
    return data[0] == data[1] if None not in data else data == (None, None) and bool(old["spec"] == new["spec"])


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
