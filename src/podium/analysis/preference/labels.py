"""Names of algorithms and of relations: which are allowed, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from podium.checks import describe, shown
from podium.errors import InputError, LabelError, listing


def check_algorithms(algorithms: Iterable[object]) -> tuple[str, ...]:
    """Refuse an empty sequence, names that are not text, and duplicates."""
    if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
        raise InputError(f"`algorithms` must be several names, such as ['svm', 'knn']; got {describe(algorithms)}.")
    names = tuple(algorithms)
    if not names:
        raise InputError("`algorithms` is empty: a relation needs at least one algorithm.")
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd:
        raise InputError(f"`algorithms` must be names; got {listing(odd)}.")
    twice = sorted({str(name) for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(f"`algorithms` must be different; {listing(twice)} is given twice.")
    return names  # type: ignore[return-value]


def positions(known: Sequence[str], wanted: Iterable[str], noun: str = "algorithm") -> list[int]:
    """Positions of names among the known ones; unknown names are refused."""
    if isinstance(wanted, str) or not isinstance(wanted, Iterable):
        raise InputError(f"`{noun}s` must be several names, such as {list(known[:2])}; got {shown(wanted)}.")
    where = {name: i for i, name in enumerate(known)}
    names = [str(name) for name in wanted]
    unknown = [name for name in names if name not in where]
    if unknown:
        raise LabelError(f"There is no {noun} {listing(unknown)}; there are {listing(known, most=12)}.")
    return [where[name] for name in names]
