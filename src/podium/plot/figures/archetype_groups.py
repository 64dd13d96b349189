"""Which observations of an archetypal analysis are shown, and the groups whose colours they have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.analysis.archetypes.solution import Solution, as_solution
from podium.arrays import IntArray
from podium.checks import as_list, check_count
from podium.errors import InputError
from podium.plot.figures.numbers import Numbers


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupedObservations(Numbers):
    """Numbers of a figure that shows observations in the colours of their groups.

    Attributes
    ----------
    names : tuple of str
        The archetypes.
    groups : tuple of str
    group : ndarray of int
        The group of each observation that is shown.
    n : int
        Number of observations.
    method : str
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    group: IntArray
    n: int
    method: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The groups, which have colours."""
        return self.groups


def grouped(
    archetypes: Any, group: Iterable[object] | None, most: int
) -> tuple[Solution, IntArray, IntArray, dict[str, Any]]:
    """Return the solution, the rows shown, the group of each observation, and the fields of `GroupedObservations`."""
    solution = as_solution(archetypes)
    names, place = _groups(archetypes, group, len(solution.data))
    rows = shown_rows(len(solution.data), most)
    shared = {"names": solution.names, "groups": names, "group": place[rows], "method": solution.method}
    return solution, rows, place, {**shared, "n": len(solution.data)}


def _groups(archetypes: Any, group: Iterable[object] | None, n: int) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of the groups, and the group of each observation.

    Without groups all observations are in one without a name; those of a domain are grouped by algorithm.
    """
    given = group
    if given is None and hasattr(archetypes, "groups"):
        given = archetypes.groups()
    if given is None:
        return ("",), np.zeros(n, dtype=np.intp)
    labels = [str(label) for label in as_list(given, "group", "a label for each observation")]
    if len(labels) != n:
        raise InputError(f"`group` must have a label for each of the {n:,} observations; got {len(labels):,}.")
    names = tuple(dict.fromkeys(labels))
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[label] for label in labels], dtype=np.intp)


def shown_rows(n: int, most: int) -> IntArray:
    """An even selection of at most `most` rows."""
    check_count(most, "most")
    return np.arange(n) if n <= most else np.linspace(0, n - 1, most).astype(np.intp)
