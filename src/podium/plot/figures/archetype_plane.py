"""Data, hull and archetypes in two dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from podium.analysis.archetypes.solution import OUTLYING, as_solution
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_choice, check_count, record
from podium.errors import InputError
from podium.plot.figures.archetype_groups import shown_rows
from podium.plot.figures.numbers import Numbers

__all__ = ["ArchetypePlane", "archetype_plane"]


@record(eq=False, kw_only=True)
class ArchetypePlane(Numbers):
    """Numbers of a plot of data, hull and archetypes.

    Attributes
    ----------
    columns : tuple of str
        The two variables.
    names : tuple of str
        The archetypes.
    data : ndarray of float, shape (shown, 2)
    approximated : ndarray of float, shape (shown, 2)
        What the archetypes make of these observations.
    weights : ndarray of float
        Their robust weights.
    beyond : ndarray of bool
        Which of them are outliers, with a weight below 0.1, so far out that they would take most of the room: outside
        the range of all others by more than half of it, in one variable at least.
    hull : ndarray of float, shape (corners, 2)
        The convex hull of all observations.
    outline : ndarray of float, shape (corners, 2)
        That of the archetypes.
    archetypes : ndarray of float, shape (k, 2)
    trace : ndarray of float, shape (iterations + 1, k, 2)
        Where the archetypes were from the start on.
    n : int
        Number of observations.
    iterations : int
        The iteration that is shown.
    method : str
    """

    columns: tuple[str, str]
    names: tuple[str, ...]
    data: FloatArray
    approximated: FloatArray
    weights: FloatArray
    beyond: BoolArray
    hull: FloatArray
    outline: FloatArray
    archetypes: FloatArray
    trace: FloatArray
    n: int
    iterations: int
    method: str


def archetype_plane(
    archetypes: Any,
    *,
    x: str | None = None,
    y: str | None = None,
    iteration: int | None = None,
    most: int = 2000,
) -> ArchetypePlane:
    """Compute the numbers of a plot of data, hull and archetypes in two dimensions.

    Parameters
    ----------
    x, y : str, optional
        The two variables; by default the first two.
    iteration : int, optional
        The archetypes and weights of an earlier iteration, 0 at the start, without what is approximated; by default
        those of the solution.
    most : int, default 2000
        Largest number of observations shown.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 2))
    >>> podium.plot.figures.archetype_plane(podium.ArchetypalAnalysis(3).fit(X)).archetypes.shape
    (3, 2)
    """
    solution = as_solution(archetypes)
    if len(solution.columns) < 2:
        raise InputError("A plane needs two variables; there is one.")
    first = solution.columns[0] if x is None else x
    check_choice(first, solution.columns, "x")
    second = next(name for name in solution.columns if name != first) if y is None else y
    check_choice(second, solution.columns, "y")
    both = [solution.columns.index(first), solution.columns.index(second)]
    last = len(solution.trace) - 1
    if iteration is not None:
        check_count(iteration, "iteration", least=0, most=last)
    at = last if iteration is None else int(iteration)
    final = iteration is None
    rows = shown_rows(len(solution.data), most)
    data = solution.data[:, both]
    points = (solution.prototypes if final else solution.trace[at])[:, both]
    weights = solution.weights
    if not final and len(solution.weight_trace):
        weights = solution.weight_trace[at]
    fitted = (solution.coefficients @ solution.prototypes)[rows][:, both]
    return ArchetypePlane(
        columns=(first, second),
        names=solution.names,
        data=data[rows],
        approximated=fitted if final else np.empty((0, 2)),
        weights=weights[rows],
        beyond=_beyond(data[rows], weights[rows] < OUTLYING),
        hull=_hull(data[~np.isnan(data).any(axis=1)]),
        outline=_hull(points),
        archetypes=points,
        trace=solution.trace[: at + 1][:, :, both],
        n=len(data),
        iterations=at,
        method=solution.method,
    )


def _beyond(data: FloatArray, outlying: BoolArray) -> BoolArray:
    """Tell which outliers are further outside the range of the other observations than half of it."""
    if outlying.all() or not outlying.any():
        return np.zeros(len(data), dtype=bool)
    low, high = np.nanmin(data[~outlying], axis=0), np.nanmax(data[~outlying], axis=0)
    half = (high - low) / 2
    return np.asarray(outlying & ((data < low - half) | (data > high + half)).any(axis=1))


def _hull(points: FloatArray) -> FloatArray:
    """Corners of the convex hull, in order; the points themselves where they are on a line."""
    try:
        return np.asarray(points[ConvexHull(points).vertices])
    except (QhullError, ValueError):
        return np.asarray(points[np.lexsort(points.T)])
