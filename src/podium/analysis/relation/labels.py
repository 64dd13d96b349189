"""Names of algorithms and of relations: which are allowed, and their positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from podium.checks import as_list, position, shown
from podium.errors import InputError, LabelError, join_names


def check_algorithms(algorithms: Iterable[object]) -> tuple[str, ...]:
    """Refuse an empty sequence, names that are not text, and duplicates."""
    names = as_list(algorithms, "algorithms", "several names, such as ['svm', 'knn']")
    if not names:
        raise InputError("`algorithms` is empty: a relation needs at least one algorithm.")
    odd = [name for name in names if not isinstance(name, str) or not name]
    if odd:
        raise InputError(f"`algorithms` must be names; got {join_names(map(shown, odd), quote=False)}.")
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise LabelError(f"`algorithms` must be different; {join_names(twice)} is given twice.")
    return tuple(names)


def positions(known: Sequence[str], names: Iterable[str], argument: str) -> list[int]:
    """Positions of several names among the known ones."""
    expected = f"several names, such as {list(known[:2])}"
    return [position(known, name, argument, "name only") for name in as_list(names, argument, expected)]
