"""Restarts of a fit, of which the best is kept.

All restarts descend to a coarse tolerance; those that are not near a better one go on to a finer one, and those of
them that are still apart to the end. Where they end are the optima that are known. On small tables restarts descend
side by side, because there calls of numpy take longer than its work. Where there are many observations, restarts see a
random sample of them, with the extremes of each variable, and only the best goes on with all.
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
from scipy.optimize import linear_sum_assignment

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
from podium.analysis.archetypes.solution import APART, CLOSE, Optimum, Solution
from podium.analysis.archetypes.starts import furthest_from_hull
from podium.arrays import FloatArray, IntArray
from podium.checks import call_function, shown
from podium.errors import InputError, MissingCellsError, plural
from podium.progress import Progress, ProgressMode, followed, progress_of_analysis

COARSE = 1e-3  # tolerance of the restarts
JOINING = 2  # observations that may join an archetype in an iteration of the restarts
MIDDLE = 1e-5  # tolerance between that of the restarts and the fine one
SAME = 0.3  # archetypes of two restarts that are nearer than this, in standard deviations, will become the same
SAMPLED = 4_000  # observations above which restarts see a sample
SAMPLE = 2_000  # its size
TOGETHER = 2**15  # coefficients up to which restarts descend side by side
NOTHING = 1e-12  # a criterion below this share of the sum of squares is that of a perfect fit
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
            f"{plural(table.distinct, 'different row')}{complete}{moved or weighted}. Ask for fewer.",
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
            f"`start` must return the positions of {plural(k, 'row')}, whole numbers from 0 to "
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
    problem = table.sampled
    tasks = [(k, part) for k in ks for part in _side_by_side(problem, k, range(1 if k == 1 else table.family.n_init))]
    done = _run(table, tasks, workers)
    found: dict[int, list[Descent]] = {k: [] for k in ks}
    shown = followed(done, sum(len(part) for _, part in tasks), "restarts", progress_of_analysis(progress), size=len)
    for (k, _), descents in zip(tasks, shown, strict=True):
        found[k] += descents
    return found


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


def finish(table: PreparedTable, k: int, descents: Sequence[Descent], smaller: Solution | None = None) -> Solution:
    """Let the restarts go on to the fine tolerance, and make a solution of the best.

    `smaller` is a solution with fewer archetypes; with further ones it is a start, too, so that no criterion rises
    with the number of archetypes.
    """
    family = table.family
    leaders, leader_of = _leaders(table, descents)
    tol = max(table.tol, MIDDLE) if len(leaders) > 1 else table.tol
    ends = _descend_on(table, table.sampled, [descents[i] for i in leaders], tol)
    again, end_of = _leaders(table, ends)
    ends, hits = [ends[i] for i in again], np.bincount(end_of[leader_of])
    if tol > table.tol:
        criteria = np.array(_comparable(family, table.sampled, ends))
        close = np.flatnonzero(criteria <= (1 + 2 * CLOSE) * criteria.min()).tolist()
        for i, end in zip(close, _descend_on(table, table.sampled, [ends[i] for i in close], table.tol), strict=True):
            ends[i] = end
    own = int(np.argmin(_comparable(family, table.sampled, ends)))
    best = ends[own]
    if table.sample is not None:
        best = _descend(table, table.problem, [_moved_back(table, best)], table.tol, constants=[best.constant])[0]
    if smaller is not None:
        start = _grown(table, smaller, k)
        grown = _descend(table, table.problem, [start], max(table.tol, MIDDLE))[0]
        if np.argmin(_comparable(family, table.problem, [best, grown])) == 1:
            own, best = -1, _descend_on(table, table.problem, [grown], table.tol)[0]
        if smaller.constant < best.constant and smaller.criterion < best.criterion:
            # A greater tuning constant makes losses greater: go on with that of the smaller solution.
            own, best = -1, _descend(table, table.problem, [start], table.tol, constants=[smaller.constant])[0]
    found = _solution(table, best, np.array([descent.criterion for descent in descents]))
    return replace(found, optima=_optima(table, best, found, ends, own, hits))


def _descend_on(table: PreparedTable, problem: Problem, descents: Sequence[Descent], tol: float) -> list[Descent]:
    """Let descents go on to a finer tolerance."""
    constants = [descent.constant for descent in descents]
    return _descend(table, problem, [descent.points for descent in descents], tol, descents, constants=constants)


def _leaders(table: PreparedTable, descents: Sequence[Descent]) -> tuple[list[int], IntArray]:
    """Descents that are not near a better one, best first, and for every descent the place of its leader among these.

    The archetypes of the others are so near to those of their leader that they will become the same.
    """
    order = np.argsort(_comparable(table.family, table.sampled, descents), kind="stable")
    leaders: list[int] = []
    leader_of = np.empty(len(descents), np.intp)
    for i in order.tolist():
        near = (
            place
            for place, j in enumerate(leaders)
            if _distance(descents[i].archetypes, descents[j].archetypes) < SAME * table.problem.unit
        )
        leader_of[i] = next(near, len(leaders))
        if leader_of[i] == len(leaders):
            leaders.append(i)
    return leaders, leader_of


def _distance(first: FloatArray, second: FloatArray) -> float:
    """Largest distance of an archetype to the nearest one of the other solution."""
    squares = ((first[:, None] - second) ** 2).sum(axis=2)
    return float(np.sqrt(max(squares.min(axis=0).max(), squares.min(axis=1).max())))


def _moved_back(table: PreparedTable, descent: Descent) -> list[HullPoint]:
    """Archetypes of a descent among the sample, as combinations of all rows."""
    assert table.sample is not None
    place = np.full(len(table.problem.targets), -1)
    place[table.problem.hull_rows] = np.arange(len(table.problem.hull_rows))
    back = place[table.sample[table.sampled.hull_rows]]
    return [replace(point, rows=back[point.rows]) for point in descent.points]


def _optima(
    table: PreparedTable, best: Descent, solution: Solution, ends: Sequence[Descent], own: int, hits: IntArray
) -> tuple[Optimum, ...]:
    """The solution, and the other places where restarts ended, as far as they are apart; best first.

    `own` is the end that became the solution; -1 if none did.
    """
    problem, scale = table.sampled, table.scale
    seen = [best, *ends]
    if table.sample is not None:
        a = problem.coefficients(best.archetypes)
        rss = problem.rss(best.archetypes, a, problem.weights)
        seen[0] = replace(best, coefficients=a, criterion=rss)
    criteria = np.array(_comparable(table.family, problem, seen))
    least = max(criteria[0], NOTHING * float((problem.targets**2).sum()))
    found = [Optimum(prototypes=solution.prototypes, excess=0.0, distance=0.0, hits=0)]
    places = [scale.scaled(solution.prototypes)]
    for i in np.argsort(criteria[1:], kind="stable").tolist():
        archetypes = _in_the_data(table, ends[i].archetypes)
        away = [_matched(archetypes, place)[1] / problem.unit for place in places]
        nearest = 0 if i == own else int(np.argmin(away))
        if i == own or away[nearest] < APART:
            found[nearest] = replace(found[nearest], hits=found[nearest].hits + int(hits[i]))
            continue
        places.append(_matched(archetypes, places[0])[0])
        found.append(
            Optimum(
                prototypes=scale.original(places[-1]),
                excess=max(float((criteria[i + 1] - criteria[0]) / least), 0.0),
                distance=away[0],
                hits=int(hits[i]),
            )
        )
    return tuple(found)


def _matched(archetypes: FloatArray, others: FloatArray) -> tuple[FloatArray, float]:
    """Archetypes in the order of those of another solution, and the largest distance of two that belong together."""
    squares = ((others[:, None] - archetypes) ** 2).sum(axis=2)
    its, mine = linear_sum_assignment(squares)
    return archetypes[mine], float(np.sqrt(squares[its, mine].max()))


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
    points = _projected(problem, archetypes)
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
        points = _projected(everything, archetypes)
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


def _projected(problem: Problem, archetypes: FloatArray) -> list[HullPoint]:
    """The nearest points of the hull of the observations."""
    return [project(problem.hull, z, vertex(problem.hull, _nearest(problem.hull, z)), most=500) for z in archetypes]


def _in_the_data(table: PreparedTable, archetypes: FloatArray) -> FloatArray:
    """Archetypes of rows that were moved, back among the rows."""
    if not table.moved:
        return archetypes
    everything = as_problem(table.scale.scaled(table.data), table.counts)
    return np.array([point.point for point in _projected(everything, archetypes)])


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
