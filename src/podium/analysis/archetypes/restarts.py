"""Restarts of a fit, of which the best is kept.

All restarts descend to a coarse tolerance, the best of them go on to a finer one, and the best of these to the end.
On small tables they descend side by side, because there calls of numpy take longer than its work. Where there are many
observations, restarts see a random sample of them, with the extremes of each variable, and only the best goes on with
all.
"""

from __future__ import annotations

import multiprocessing
import os
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.archetypes.descent import EXACT, Descent, Problem, descend_together
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.hull import HullPoint, project, vertex
from podium.analysis.archetypes.observations import (
    LARGEST,
    Observations,
    Scale,
    check_differences,
    find_scale,
    observe,
)
from podium.analysis.archetypes.robust import descend_robustly
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.analysis.archetypes.solution import Solution
from podium.analysis.archetypes.starts import furthest_from_hull
from podium.arrays import FloatArray, IntArray
from podium.checks import call_function, shown
from podium.errors import InputError, MissingCellsError, counted
from podium.progress import Progress, ProgressMode, followed, progress_of_analysis

COARSE = 1e-3  # tolerance of the restarts
JOINING = 2  # observations that may join an archetype in an iteration of the restarts
FINALISTS = 3  # restarts that go on
MIDDLE = 1e-5  # tolerance at which the best of these is chosen, which alone goes on to the fine one
SAME = 0.3  # archetypes of two restarts that are nearer than this, in standard deviations, will become the same
SAMPLED = 4_000  # observations above which restarts see a sample
SAMPLE = 2_000  # its size
TOGETHER = 2**15  # coefficients up to which restarts descend side by side
QUICK = 5.0  # seconds of work for which starting processes is not worth it


@dataclass(frozen=True, eq=False)
class PreparedTable:
    """A table that is ready to be fitted, for any number of archetypes.

    Attributes
    ----------
    data : ndarray of shape (n, m)
    columns : tuple of str
    index : pandas.Index
    family : Family
    scale : Scale
    observations : Observations
        Distinct rows, standardised, after they were moved by the weights of the family.
    problem : Problem
    counts : ndarray of shape (n,)
        Weights of the squared residuals of all rows.
    moved : bool
        Whether the weights of the family have moved observations.
    seed : int
    tol : float
    most : int
    """

    data: FloatArray
    columns: tuple[str, ...]
    index: pd.Index[Any]
    family: Family
    scale: Scale
    observations: Observations
    problem: Problem
    counts: FloatArray
    moved: bool
    seed: int
    tol: float
    most: int

    @property
    def distinct(self) -> int:
        """Number of different rows of which archetypes can be combinations."""
        return len(self.problem.hull)

    @cached_property
    def sample(self) -> IntArray | None:
        """Rows that restarts see, where there are many: a sample, and the extremes of each variable."""
        n = len(self.problem.targets)
        if n <= SAMPLED:
            return None
        generator = np.random.default_rng([self.seed, n])
        hull = self.problem.hull_rows
        extreme = [hull[self.problem.hull.argmin(axis=0)], hull[self.problem.hull.argmax(axis=0)]]
        drawn = generator.choice(n, SAMPLE, replace=False)
        from_hull = generator.choice(hull, min(SAMPLE // 4, len(hull)), replace=False)
        return np.unique(np.concatenate([drawn, from_hull, *extreme]))

    @cached_property
    def sampled(self) -> Problem:
        """The problem of the restarts: that of their sample, or of all rows."""
        return self.problem if self.sample is None else self.problem.subset(self.sample)


def prepare(
    data: FloatArray,
    columns: Sequence[str],
    index: pd.Index[Any],
    family: Family,
    weights: FloatArray | None,
    *,
    seed: int,
    tol: float,
    most: int,
) -> PreparedTable:
    """Scale a table, weight it as its family does, and join equal rows."""
    n = len(data)
    names = list(columns)
    moving = family.shrink and weights is not None
    plain = observe(data, None if moving else weights)
    scale = find_scale(plain, family.scaling, names, left_out=bool((plain.place < 0).any()))
    if moving and weights is not None:
        scaled = scale.scaled(data)
        if weights.ndim == 1:
            centre = np.nanmean(scaled, axis=0)
            seen = observe(centre + (weights / weights.max())[:, None] * (scaled - centre), None)
        else:
            if np.isnan(scaled).any():
                raise InputError("`sample_weight` as a matrix needs rows without missing cells.")
            with np.errstate(over="ignore", invalid="ignore"):  # such products are refused
                product = scale.scaled(weights @ data) if family.scaling == "none" else weights @ scaled
            if not (np.abs(product) < LARGEST).all():
                raise InputError(
                    "`sample_weight` as a matrix W must leave W X small enough for squares in double precision. Divide "
                    "it by its largest value.",
                    path=("sample_weight",),
                )
            seen = observe(product, None)
    else:
        seen = Observations(scale.scaled(plain.values), plain.counts, plain.place)
    problem = as_problem(seen.values, seen.counts)
    if family.scaling == "none":
        problem = replace(problem, unit=float(np.sqrt(np.nanmean(seen.values**2))) or 1.0)
    if family.robust and family.scaling != "robust":
        check_differences(plain, problem.unit * scale.spread, family.scaling, names)
    counts = np.ones(n) if moving or weights is None else weights
    return PreparedTable(data, tuple(columns), index, family, scale, seen, problem, counts, moving, seed, tol, most)


def check_number(table: PreparedTable, k: int, argument: str = "k") -> None:
    """Refuse more archetypes than there are different rows."""
    if not table.distinct:
        raise MissingCellsError(
            "`X` must have rows without missing cells, because archetypes are combinations of such rows; every row has "
            "a missing cell. Leave out the columns with the most missing cells, or fill them in."
        )
    if k > table.distinct:
        complete = "" if table.problem.observed is None else " without missing cells"
        moved = " after its rows were moved by their weights" if table.moved else ""
        weighted = " with a positive weight" if not table.counts.all() else ""
        raise InputError(
            f"`{argument}` must not exceed the number of different rows; got {k}, and `X` has "
            f"{counted(table.distinct, 'different row')}{complete}{moved or weighted}. Ask for fewer.",
            path=(argument,),
        )


def start_points(table: PreparedTable, problem: Problem, k: int, number: int) -> list[HullPoint]:
    """Choose the first archetypes of a restart."""
    if number == 0 and table.family.start == "furthest-sum":
        return [vertex(problem.hull, int(row)) for row in furthest_from_hull(problem.hull, k)]
    generator = np.random.default_rng([table.seed, k, number])
    rows = np.asarray(call_function(table.family.start_rule, "start", problem.hull, k, generator))
    if rows.shape != (k,) or rows.dtype.kind not in "iu" or not ((rows >= 0) & (rows < len(problem.hull))).all():
        raise InputError(
            f"`start` must return the positions of {counted(k, 'row')}, whole numbers from 0 to "
            f"{len(problem.hull) - 1}; got {shown(rows.tolist())}.",
            path=("start",),
        )
    return [vertex(problem.hull, int(row)) for row in rows]


def _descend(
    table: PreparedTable,
    problem: Problem,
    starts: Sequence[Sequence[HullPoint]],
    tol: float,
    before: Sequence[Descent | None] = (),
    joining: int = EXACT,
    constants: Sequence[float] = (),
) -> list[Descent]:
    """Descend from several starts; from the ends of other descents, as long as iterations are left.

    `constants` are the robust tuning constants that were reached where the starts come from.
    """
    before = before or [None] * len(starts)
    constants = constants or [np.inf] * len(starts)
    left = [table.most - (0 if first is None else len(first.history)) for first in before]
    found = list(before)
    going = [i for i in range(len(starts)) if left[i] > 0]
    for part in _side_by_side(problem, len(starts[0]), going):
        points, most = [starts[i] for i in part], [left[i] for i in part]
        if table.family.robust:
            reached = [constants[i] for i in part]
            ended = descend_robustly(problem, points, table.family, tol=tol, most=most, constants=reached)
        else:
            ended = descend_together(problem, points, tol=tol, most=most, joining=joining)
        for i, descent in zip(part, ended, strict=True):
            first = before[i]
            found[i] = descent if first is None else _joined(first, descent)
    return [descent for descent in found if descent is not None]


def _side_by_side(problem: Problem, k: int, numbers: Sequence[int]) -> list[list[int]]:
    """Groups of restarts that descend side by side; they depend on the size of the table alone."""
    size = max(TOGETHER // (len(problem.targets) * k), 1)
    return [list(numbers[i : i + size]) for i in range(0, len(numbers), size)]


def run_restarts(
    table: PreparedTable, ks: Sequence[int], workers: int | None, progress: ProgressMode | Progress
) -> dict[int, list[Descent]]:
    """Run all restarts for all numbers of archetypes, in this process or in several."""
    rows, problem = table.sample, table.sampled
    tasks = [(k, part) for k in ks for part in _side_by_side(problem, k, range(1 if k == 1 else table.family.restarts))]
    done = _run(table, tasks, workers)
    found: dict[int, list[Descent]] = {k: [] for k in ks}
    shown = followed(done, sum(len(part) for _, part in tasks), "restarts", progress_of_analysis(progress), size=len)
    for (k, _), descents in zip(tasks, shown, strict=True):
        found[k] += descents
    if rows is None:
        return found
    place = np.full(len(table.problem.targets), -1)
    place[table.problem.hull_rows] = np.arange(len(table.problem.hull_rows))
    back = place[rows[problem.hull_rows]]
    return {k: [_moved_back(descent, back) for descent in descents] for k, descents in found.items()}


Task: TypeAlias = tuple[int, list[int]]  # a number of archetypes, and restarts that descend side by side


def _run(table: PreparedTable, tasks: Sequence[Task], workers: int | None) -> Iterator[list[Descent]]:
    """Run restarts one task after the other, or in processes if the first takes long enough to make that worthwhile."""
    started = time.perf_counter()
    yield _run_task(table, tasks[0])
    ahead = (time.perf_counter() - started) * (len(tasks) - 1)
    workers = (os.cpu_count() or 1) if workers is None and ahead > QUICK else (workers or 1)
    if workers == 1 or len(tasks) < 3 or "fork" not in multiprocessing.get_all_start_methods():
        for task in tasks[1:]:
            yield _run_task(table, task)
        return
    # Forked processes inherit the data and functions of the user; nothing but positions and outcomes is pickled.
    context = multiprocessing.get_context("fork")
    todo = (table, tasks)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        with ProcessPoolExecutor(workers, mp_context=context, initializer=_GIVEN.extend, initargs=([todo],)) as pool:
            yield from pool.map(_run_given, range(1, len(tasks)))


_GIVEN: list[Any] = []  # in a forked process: the restarts that are to be run


def _run_given(position: int) -> list[Descent]:
    table, tasks = _GIVEN[-1]
    return _run_task(table, tasks[position])


def _run_task(table: PreparedTable, task: Task) -> list[Descent]:
    """Descend from some starts to the coarse tolerance."""
    k, numbers = task
    starts = [start_points(table, table.sampled, k, number) for number in numbers]
    return _descend(table, table.sampled, starts, max(table.tol, COARSE), joining=JOINING)


def _moved_back(descent: Descent, rows: IntArray) -> Descent:
    """The same with the positions of rows among all, not among the sample."""
    points = tuple(replace(point, rows=rows[point.rows]) for point in descent.points)
    return replace(descent, points=points, converged=False, weights=None, weight_trace=())


def finish(table: PreparedTable, k: int, descents: Sequence[Descent], smaller: Solution | None = None) -> Solution:
    """Let the best restarts go on to the fine tolerance, and make a solution of the best.

    `smaller` is a solution with fewer archetypes; with further ones it is a start, too, so that no criterion rises
    with the number of archetypes.
    """
    sampled = table.sample is not None
    order = np.argsort(_comparable(table.family, table.sampled, descents), kind="stable")
    chosen = _different(descents, order, SAME * table.problem.unit)[: 1 if sampled else FINALISTS]
    several = len(chosen) > 1 or smaller is not None
    tol = max(table.tol, MIDDLE) if several else table.tol
    starts: list[Sequence[HullPoint]] = [descents[i].points for i in chosen]
    before = [None if sampled else descents[i] for i in chosen]
    constants = [descents[i].constant for i in chosen]
    if smaller is not None:
        starts.append(_grown(table, smaller, k))
        before.append(None)
        constants.append(np.inf)
    finals = _descend(table, table.problem, starts, tol, before, constants=constants)
    best = finals[int(np.argmin(_comparable(table.family, table.problem, finals)))]
    if tol > table.tol:
        best = _descend(table, table.problem, [best.points], table.tol, [best], constants=[best.constant])[0]
    if smaller is not None and smaller.constant < best.constant and smaller.criterion < best.criterion:
        # A greater tuning constant makes losses greater: go on with that of the smaller solution.
        best = _descend(table, table.problem, [starts[-1]], table.tol, constants=[smaller.constant])[0]
    return _solution(table, best, np.array([descent.criterion for descent in descents]))


def _different(descents: Sequence[Descent], order: IntArray, near: float) -> list[int]:
    """Leave out restarts whose archetypes are so near to those of a better one that they will become the same."""
    kept: list[int] = []
    for i in order.tolist():
        if all(_distance(descents[i].archetypes, descents[j].archetypes) >= near for j in kept):
            kept.append(i)
    return kept


def _distance(first: FloatArray, second: FloatArray) -> float:
    """Largest distance of an archetype to the nearest one of the other solution."""
    squares = ((first[:, None] - second) ** 2).sum(axis=2)
    return float(np.sqrt(max(squares.min(axis=0).max(), squares.min(axis=1).max())))


def _joined(first: Descent, second: Descent) -> Descent:
    """The second descent, preceded by the history that led to its start."""
    history = np.maximum.accumulate([*first.history, *second.history][::-1])[::-1]
    return replace(
        second,
        history=tuple(history.tolist()),
        trace=(*first.trace, *second.trace[1:]),
        weight_trace=(*first.weight_trace, *second.weight_trace[1:]),
    )


def _comparable(family: Family, problem: Problem, descents: Sequence[Descent]) -> list[float]:
    """The criterion of each descent; with a robust loss by a common tuning constant, the smallest one."""
    if not family.robust:
        return [descent.criterion for descent in descents]
    lengths = [family.lengths(problem.residuals(d.archetypes, d.coefficients)) for d in descents]
    constant = min(descent.constant for descent in descents)
    return [family.criterion(length, constant, problem.weights) for length in lengths]


def _grown(table: PreparedTable, smaller: Solution, k: int) -> list[HullPoint]:
    """A solution with fewer archetypes, and the observations with the longest residuals as further ones."""
    problem = table.problem
    archetypes = table.scale.scaled(smaller.prototypes)
    points = [project(problem.hull, z, vertex(problem.hull, _nearest(problem.hull, z)), most=500) for z in archetypes]
    while len(points) < k:
        place = np.array([point.point for point in points])
        left = problem.hull - simplex_least_squares(place, problem.hull) @ place
        squares = np.einsum("ij,ij->i", left, left)
        used = [int(point.rows[0]) for point in points if len(point.rows) == 1]
        squares[used] = -1.0
        points.append(vertex(problem.hull, int(squares.argmax())))
    return points


def _nearest(hull: FloatArray, point: FloatArray) -> int:
    return int(((hull - point) ** 2).sum(axis=1).argmin())


def _solution(table: PreparedTable, best: Descent, restarts: FloatArray) -> Solution:
    """Put a descent in the order and the units of the table."""
    family, scale = table.family, table.scale
    archetypes = best.archetypes
    unit = float(np.abs(archetypes).max()) or 1.0
    order = np.lexsort([*archetypes.T[::-1], np.round(archetypes.mean(axis=1) / unit, 6)])
    archetypes, points = archetypes[order], [best.points[j] for j in order]
    n, k, place = len(table.data), len(archetypes), table.observations.place
    everything = as_problem(scale.scaled(table.data), table.counts)
    if table.moved:
        plain = everything.hull
        points = [project(plain, z, vertex(plain, _nearest(plain, z)), most=500) for z in archetypes]
        archetypes = np.array([point.point for point in points])
        rows = everything.hull_rows
        coefficients = everything.coefficients(archetypes)
    else:
        kept = place >= 0
        first = np.full(len(table.observations.values), -1)
        first[place[kept][::-1]] = np.flatnonzero(kept)[::-1]
        rows = first[table.problem.hull_rows]
        coefficients = np.empty((n, k))
        coefficients[kept] = best.coefficients[place[kept]][:, order]
        if not kept.all():
            coefficients[~kept] = everything.subset(np.flatnonzero(~kept)).coefficients(archetypes)
    data_weights = np.zeros((n, k))
    for j, point in enumerate(points):
        data_weights[rows[point.rows], j] = point.shares
    residuals = everything.residuals(archetypes, coefficients)
    squares = np.einsum("ij,ij->i", residuals, residuals)
    weights = np.ones(n)
    if best.weights is not None:
        weights[place >= 0] = best.weights[place[place >= 0]]
    return Solution(
        method=family.name,
        columns=table.columns,
        index=table.index,
        data=table.data,
        prototypes=scale.original(archetypes),
        coefficients=coefficients,
        data_weights=data_weights,
        counts=table.counts,
        scale=scale,
        rss=float(squares @ table.counts),
        total=_total(everything),
        criterion=best.criterion,
        weights=weights,
        constant=best.constant,
        residuals=family.lengths(residuals),
        history=np.array(best.history),
        trace=scale.original(np.array(best.trace)[:, order]),
        weight_trace=np.array([traced[np.maximum(place, 0)] for traced in best.weight_trace]).reshape(-1, n),
        converged=best.converged,
        restarts=restarts,
    )


def as_problem(scaled: FloatArray, weights: FloatArray | None) -> Problem:
    """Turn standardised rows, of which some may have missing cells, into a problem."""
    observed = ~np.isnan(scaled)
    whole = bool(observed.all())
    targets = scaled if whole else np.where(observed, scaled, 0.0)
    complete = np.arange(len(scaled)) if whole else np.flatnonzero(observed.all(axis=1))
    return Problem(
        targets,
        targets if whole else targets[complete],
        complete,
        None if weights is None or (weights == 1).all() else weights,
        None if whole else observed,
    )


def _total(problem: Problem) -> float:
    """Sum of squares around the mean."""
    n = len(problem.targets)
    counts = np.ones(n) if problem.weights is None else problem.weights
    seen = np.full(1, counts.sum()) if problem.observed is None else counts @ problem.observed
    away = problem.targets - counts @ problem.targets / np.maximum(seen, 1e-300)
    if problem.observed is not None:
        away = np.where(problem.observed, away, 0.0)
    return float(np.einsum("ij,ij->i", away, away) @ counts)
