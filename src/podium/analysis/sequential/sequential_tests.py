"""One-sided sequential tests of paired differences, for many pairs at once: their paths over the stages; arrays only.

A `SequentialTest` tests, after each stage, "the difference is at most 0" against "it is greater".
Its path at a level depends only on the data up to a stage, and a test that rejects at a level also rejects at every
higher one: Holm's procedure over pairs, stage by stage, needs both.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy.special import ndtr, ndtri

from podium.analysis.methods.equivalence import mean_above_pvalues
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, PairwiseTest, Structure
from podium.analysis.sequential.always_valid import (
    asymptotic_bounds,
    asymptotic_pvalues,
    betting_bounds,
    betting_pvalues,
    mixture_scale,
)
from podium.analysis.sequential.combinations import COMBINATIONS
from podium.analysis.sequential.group_sequential import (
    BOUNDARIES,
    MAX_LOOKS,
    SHAPES,
    SpendingFunction,
    boundary_values,
    crossing_probabilities,
)
from podium.analysis.sequential.recursive_combination import (
    ACCEPT,
    BOUND_RULES,
    REJECT,
    BoundRule,
    RecursivePaths,
    recursive_paths,
    stage_weights,
)
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_choice, check_count, check_ratio, is_number, shown
from podium.errors import InputError, join_names
from podium.results.aggregation import power_of_two

Kind: TypeAlias = Literal["betting", "asymptotic"]

STAGE_TESTS = ("wilcoxon", "sign", "t", "permutation t", "bootstrap t")  # one-sided tests of independent differences
LOOK_TESTS = (*STAGE_TESTS, "corrected t")
BURN_IN = 20  # replications before which an asymptotic confidence sequence is not trusted
BISECTIONS = 40  # of a confidence bound
_TOGETHER = 4  # of them at once: few rows take nearly as long as one
_REACHES = tuple(10.0**power for power in range(2, 13))  # how far a bound may lie below all values, in their ranges
FIRST_SHARE = 0.2  # of the level that the first stage of a recursive combination test spends, as in chapter 6


@dataclass(frozen=True, kw_only=True, eq=False)
class StagePaths:
    """The paths of a one-sided sequential test over T stages, for P pairs; all arrays have the shape (P, T).

    Attributes
    ----------
    pvalue : ndarray of float
        What is compared with the bounds: the p-value of the stage, of all data so far, or the always-valid one. NaN
        where the test had ended, or a stage has no data.
    level : ndarray of float
        The level that remains for this stage and all that follow, where the test has one; else that of the test.
    reject, accept : ndarray of float
        It rejects if the p-value is at most `reject`, and ends without rejecting if it is above `accept` (NaN: never).
    critical : ndarray of float
        Critical value of the combination; NaN in other tests.
    rejected, accepted : ndarray of bool
        Whether it has rejected, or ended without rejecting, by this stage.
    """

    pvalue: FloatArray
    level: FloatArray
    reject: FloatArray
    accept: FloatArray
    critical: FloatArray
    rejected: BoolArray
    accepted: BoolArray


@dataclass(frozen=True, kw_only=True)
class SequentialTest(ABC):
    """A one-sided test of paired differences with planned stages.

    Attributes
    ----------
    sizes : tuple of int
        Number of replications of each planned stage.
    """

    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        sizes = self.sizes
        if not isinstance(sizes, tuple) or not sizes:
            raise InputError(f"`sizes` must be the numbers of replications of the stages; got {shown(sizes)}.")
        for i, size in enumerate(sizes):
            check_count(size, f"sizes[{i}]", path=("sizes", i))

    @property
    def ends(self) -> tuple[int, ...]:
        """Replications after each planned stage."""
        return tuple(int(end) for end in np.cumsum(self.sizes))

    def paths(self, differences: FloatArray, level: float, origin: float = 0.0) -> StagePaths:
        """Test each row of differences (P, n) against greater than `origin` at this level; n ends a planned stage.

        NaN are differences that are missing.
        """
        return self.paths_of(self.evidence(differences, origin), level)

    @abstractmethod
    def evidence(self, differences: FloatArray, origin: float = 0.0, *, of_mean: bool = False) -> FloatArray:
        """P-values that are compared with bounds after each stage, shape (P, T); they do not depend on the level.

        With `of_mean` they are of the mean difference, whatever the test is; NaN where there is no spread.
        """

    @abstractmethod
    def paths_of(self, pvalues: FloatArray, level: float) -> StagePaths:
        """Compare such p-values with the bounds of a test at this level."""

    def next_bounds(self, pvalues: FloatArray, level: float) -> StagePaths | None:
        """Bounds of the stage after those of these p-values (P, T), shape (P, 1); None after the last planned one.

        NaN where the test has ended.
        """
        rows, stages = pvalues.shape
        if stages == len(self.sizes):
            return None
        # The bounds of a stage do not depend on its own p-value: any will do.
        paths = self.paths_of(np.concatenate([pvalues, np.full((rows, 1), 0.5)], axis=1), level)
        return StagePaths(**{name: getattr(paths, name)[:, -1:] for name in StagePaths.__annotations__})

    @abstractmethod
    def overall(self, differences: FloatArray, level: float) -> FloatArray:
        """P-value of each row after all stages so far; `level` is the planned level of the test."""

    def lower_bound(self, differences: FloatArray, level: float) -> FloatArray:
        """Lower confidence bound of each row after all stages so far: the largest difference that is rejected.

        A repeated confidence bound: it holds at all stages together, whatever made the experiment stop. It is what the
        test, with its own bounds for every difference, has not rejected by now (Lehmacher & Wassmer 1999; Jennison &
        Turnbull 2000, chapter 9).
        """
        some = ~np.isnan(differences).all(axis=1)
        if not some.all():
            found = np.full(len(differences), np.nan)
            if some.any():
                found[some] = self.lower_bound(differences[some], level)
            return found
        unit = power_of_two(differences)  # so that no reach overflows
        differences = differences / unit
        spread = np.nanmax(differences, axis=1) - np.nanmin(differences, axis=1)
        spread = np.maximum(spread, 1e-9 * np.nanmax(np.abs(differences), axis=1) + 1e-300)
        least, high = np.nanmin(differences, axis=1), np.nanmax(differences, axis=1) + spread
        low = least - 10 * spread
        possible = self._rejects(differences - low[:, None], level)
        if not possible.all() and self._rejects(self.clearest(differences.shape[1]), level)[0]:
            # A t test of few values at a small level rejects only what is farther away.
            for reach in _REACHES:
                rows = np.flatnonzero(~possible)
                low[rows], high[rows] = least[rows] - reach * spread[rows], low[rows]
                possible[rows] = self._rejects(differences[rows] - low[rows, None], level)
                if possible.all():
                    break
        for _ in range(BISECTIONS // _TOGETHER):
            low, high = self._bisect(differences, level, low, high)
        noise = 1e-9 * np.nanmax(np.abs(differences), axis=1)
        return np.where(possible, np.where(np.abs(low) <= noise, 0.0, low * unit[:, 0]), -np.inf)

    def _bisect(
        self, differences: FloatArray, level: float, low: FloatArray, high: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Halve the intervals that hold the bounds a few times, after one test at all points that may be met."""
        edges = [low, high]
        for _ in range(_TOGETHER):
            middles = [(one + two) / 2 for one, two in pairwise(edges)]
            edges = [edge for pair in zip(edges, middles, strict=False) for edge in pair] + [high]
        inner, rows = np.array(edges[1:-1]), np.arange(len(low))
        shifted = differences - inner[:, :, None]
        rejected = self._rejects(shifted.reshape(-1, differences.shape[1]), level).reshape(inner.shape)
        left, width = np.zeros(len(low), np.intp), 1 << _TOGETHER
        while width > 1:
            width //= 2
            left = np.where(rejected[left + width - 1, rows], left + width, left)
        return np.array(edges)[left, rows], np.array(edges)[left + 1, rows]

    def _rejects(self, differences: FloatArray, level: float) -> BoolArray:
        return self.paths(differences, level).rejected[:, -1]

    @abstractmethod
    def clearest(self, n: int) -> FloatArray:
        """Differences, shape (1, n), that are as clear as possible: if these are not rejected, none can be."""

    def earliest(self, level: float) -> int | None:
        """First stage that can reject at all at this level; None if none can."""
        rejected = self.paths(self.clearest(self.ends[-1]), level).rejected[0]
        return int(np.argmax(rejected)) + 1 if rejected.any() else None

    def stages_of(self, differences: FloatArray) -> int:
        """Count the stages that these differences make up."""
        n = differences.shape[1]
        if n not in self.ends:
            ends = join_names(map(str, self.ends), most=20, quote=False)
            raise InputError(f"The stages end after {ends} replications; there are {n}.")
        return self.ends.index(n) + 1


@dataclass(frozen=True, kw_only=True)
class CombinationTestOfStages(SequentialTest):
    """Recursive combination test: each stage is tested separately, and the p-values are combined.

    Attributes
    ----------
    method : str
        The test of a stage: ``"wilcoxon"``, ``"sign"``, ``"t"``, ``"permutation t"``, ``"bootstrap t"``.
    combine : {"fisher", "inverse normal"}
    reject : float
        Share of the level that the first stage spends on rejection.
    accept : float
        Acceptance bound of the first stage.
    rule : {"constant", "shrinking"} or callable
        Bounds of the later stages. Your own rule must not reject at a level what it accepts at a higher one.
    last : bool
        Whether the last planned stage spends everything that remains, so nothing stays undecided.
    options : mapping
        Options of the test of a stage.
    """

    method: str = "wilcoxon"
    combine: str = "fisher"
    reject: float = FIRST_SHARE
    accept: float = 0.9
    rule: str | BoundRule = "constant"
    last: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.method, STAGE_TESTS, "method")
        check_choice(self.combine, COMBINATIONS, "combine")
        if not callable(self.rule):
            check_choice(self.rule, BOUND_RULES, "rule")
        for name in ("reject", "accept"):
            value = getattr(self, name)
            if not is_number(value) or not 0 < value <= 1 or (name == "reject" and value == 1):
                raise InputError(f"`{name}` must be a number between 0 and 1; got {shown(value)}.")

    def evidence(self, differences: FloatArray, origin: float = 0.0, *, of_mean: bool = False) -> FloatArray:
        """One-sided p-values of the stages, shape (P, T)."""
        stages = self.stages_of(differences)
        parts = np.split(differences - origin, self.ends[: stages - 1], axis=1)
        if of_mean:
            return np.stack([mean_above_pvalues(part, 0.0) for part in parts], axis=1)
        return np.stack([one_sided_pvalues(part, self.method, self.options) for part in parts], axis=1)

    def paths_of(self, pvalues: FloatArray, level: float) -> StagePaths:
        """Combine p-values of stages, shape (P, T)."""
        paths = self._paths(pvalues, level)
        return StagePaths(
            pvalue=paths.pvalue,
            level=paths.level,
            reject=paths.reject,
            accept=paths.accept,
            critical=paths.critical,
            rejected=np.maximum.accumulate(paths.decision == REJECT, axis=1),
            accepted=np.maximum.accumulate(paths.decision == ACCEPT, axis=1),
        )

    def overall(self, differences: FloatArray, level: float) -> FloatArray:
        """Global p-value, by the stage-wise order (Brannath, Posch & Bauer 2002)."""
        return self._paths(self.evidence(differences), level).overall

    def _paths(self, pvalues: FloatArray, level: float) -> RecursivePaths:
        return recursive_paths(
            pvalues,
            level=level,
            reject=self.reject * level,
            accept=self.accept,
            rule=self.rule,
            combination=COMBINATIONS[self.combine],
            last=len(self.sizes) if self.last else None,
            weights=stage_weights(self.sizes, pvalues.shape[1]),
        )

    def clearest(self, n: int) -> FloatArray:
        """Positive differences that are nearly equal."""
        return _all_positive(n)


@dataclass(frozen=True, kw_only=True)
class GroupSequentialTest(SequentialTest):
    """Group sequential test: all data so far are tested after each stage, against boundaries that keep the level.

    The p-value of a look is compared with the tail of the normal distribution beyond the boundary ("significance level
    approach", Jennison & Turnbull 2000, section 3.8), so any test with an approximately normal statistic can be used.

    Attributes
    ----------
    method : str
        The test of all data so far: as for stages, or ``"corrected t"`` with a `ratio`.
    boundary : str or callable
        See `boundary_values`.
    accept : float, optional
        A look whose p-value is above it ends the test without a rejection. It is not binding: the boundaries do not use
        it.
    ratio : float, optional
        For ``"corrected t"``: size of the test sample divided by that of the learning sample. Under the model of Nadeau
        & Bengio (2003), equal correlations, the mean of n has the variance (1/n + ratio) s², and looks have the
        covariances of independent increments of the information 1/(1/n + ratio).
    options : mapping
        Options of the test.
    """

    method: str = "t"
    boundary: str | SpendingFunction = "obrien-fleming"
    accept: float | None = None
    ratio: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.method, LOOK_TESTS, "method")
        if not callable(self.boundary):
            check_choice(self.boundary, BOUNDARIES, "boundary")
        if self.ratio is not None:
            if self.method != "corrected t":
                raise InputError("`ratio` is for method='corrected t'; otherwise leave it out.")
            check_ratio(self.ratio)
        elif self.method == "corrected t":
            raise InputError("`method='corrected t'` needs `ratio`, n_test/n_learn, such as 1/9 or 0.58.")
        if len(self.sizes) > MAX_LOOKS:
            raise InputError(
                f"Group sequential boundaries are for up to {MAX_LOOKS} looks; got {len(self.sizes)}. Confidence "
                "sequences may be checked after every replication."
            )

    @property
    def information(self) -> tuple[float, ...]:
        """Share of the planned information after each stage."""
        found = 1.0 / (1.0 / np.array(self.ends, float) + (self.ratio or 0.0))
        return tuple(float(share) for share in found / found[-1])

    def nominal(self, level: float) -> FloatArray:
        """P-value that each planned look must reach."""
        return ndtr(-np.array(boundary_values(self.information, level, self.boundary)))

    def evidence(self, differences: FloatArray, origin: float = 0.0, *, of_mean: bool = False) -> FloatArray:
        """One-sided p-values of all data so far, after each stage; NaN after a stage that adds no data."""
        stages = self.stages_of(differences)
        away = differences - origin
        options = {**self.options, **({"ratio": self.ratio} if self.method == "corrected t" else {})}
        looks = []
        for size, end in zip(self.sizes, self.ends[:stages], strict=False):
            new = ~np.isnan(away[:, end - size : end]).all(axis=1)
            part = away[:, :end]
            if of_mean:
                pvalues = mean_above_pvalues(part, 0.0, self.ratio or 0.0)
            else:
                pvalues = one_sided_pvalues(part, self.method, options)
            looks.append(np.where(new, pvalues, np.nan))
        return np.stack(looks, axis=1)

    def paths_of(self, pvalues: FloatArray, level: float) -> StagePaths:
        """Compare the looks with the boundaries."""
        p = pvalues
        bounds = np.broadcast_to(self.nominal(level)[: p.shape[1]], p.shape)
        with np.errstate(invalid="ignore"):
            rejected = np.maximum.accumulate(p <= bounds, axis=1)
            accepted = (
                np.zeros(p.shape, bool) if self.accept is None else np.maximum.accumulate(p > self.accept, axis=1)
            )
        nothing = np.full(p.shape, np.nan)
        return StagePaths(
            pvalue=p,
            level=np.full(p.shape, level),
            reject=bounds,
            accept=nothing if self.accept is None else np.full(p.shape, self.accept),
            critical=nothing,
            rejected=rejected,
            accepted=accepted & ~rejected,
        )

    def overall(self, differences: FloatArray, level: float) -> FloatArray:
        """Sequential p-value: the smallest level at which the looks so far reject (Liu & Anderson 2008).

        For the classical shapes the looks of a level are those of a multiple of the shape, and the level is the
        probability of crossing the multiple that the deviates reach. For spending functions it is interpolated between
        levels, of which the planned one is one. Not below 1e-8.

        Q. Liu, K. M. Anderson (2008). On adaptive extensions of group sequential trials for clinical investigations.
        Journal of the American Statistical Association 103, 1621–1630.
        """
        p = self.evidence(differences)
        if isinstance(self.boundary, str) and self.boundary in SHAPES:
            t = np.array(self.information)
            shape = t ** -SHAPES[self.boundary]
            reached = np.fmax.reduce(-ndtri(p) / shape[: p.shape[1]], axis=1)
            places = np.minimum(np.fmax(reached, 0.0), 9.0)
            crossed = [crossing_probabilities(c * shape, t).sum() if c > 0 else 1.0 for c in places]
            return np.clip(crossed, 1e-8, 1.0)
        levels, bounds = self._levels(float(level))
        found = np.ones(len(p))
        for k in range(p.shape[1]):
            reached = np.exp(np.interp(np.log(np.maximum(p[:, k], 1e-300)), np.log(bounds[:, k]), np.log(levels)))
            reached = np.where(p[:, k] <= bounds[-1, k], reached, 1.0)
            found = np.where(np.isnan(p[:, k]), found, np.minimum(found, reached))
        return found

    def _levels(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Levels, the planned one among them, and the p-values that each look must reach at these levels."""
        levels = np.unique(np.append(np.geomspace(1e-8, 0.5, 16), level))
        bounds = np.stack([np.maximum(self.nominal(float(one)), 1e-300) for one in levels])
        return levels, np.maximum.accumulate(bounds, axis=0)

    def clearest(self, n: int) -> FloatArray:
        """Positive differences that are nearly equal."""
        return _all_positive(n)


@dataclass(frozen=True, kw_only=True)
class ConfidenceSequenceTest(SequentialTest):
    """Always-valid p-values, which may be checked after every replication; the mean is tested.

    Attributes
    ----------
    kind : {"betting", "asymptotic"}
        For bounded values, valid for every number of replications; or for others, in the limit of many.
    bounds : (float, float), optional
        For ``"betting"``: the smallest and the largest possible value of the measure; differences lie within their
        distance.
    burn_in : int
        For ``"asymptotic"``: replications before which nothing is concluded.
    tightest : int, optional
        For ``"asymptotic"``: where the sequence is as tight as it can be; by default after half of those planned.
    level : float
        For ``"asymptotic"``: the level it is made for. P-values and bounds at all levels are those of this sequence, so
        a bound excludes 0 exactly if the p-value is at most its level.
    ratio : float, optional
        For ``"asymptotic"``: size of the test sample divided by that of the learning sample, where learning samples
        overlap.
    """

    kind: Kind = "asymptotic"
    bounds: tuple[float, float] | None = None
    burn_in: int = BURN_IN
    tightest: int | None = None
    level: float = 0.05
    ratio: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.kind, get_args(Kind), "kind")
        if (self.kind == "betting") != (self.bounds is not None):
            raise InputError(
                "`bounds` are the smallest and the largest possible value of the measure, such as (0, 1): "
                f"kind='betting' needs them, and kind='asymptotic' does not use them; got kind={self.kind!r} and "
                f"bounds={shown(self.bounds)}."
            )
        if self.bounds is not None:
            ends = self.bounds if isinstance(self.bounds, tuple) and len(self.bounds) == 2 else (None, None)
            if not all(is_number(end) and np.isfinite(end) for end in ends) or not ends[0] < ends[1]:
                raise InputError(f"`bounds` must be two numbers, the smaller first; got {shown(self.bounds)}.")
        check_count(self.burn_in, "burn_in", least=2)
        if self.ratio is not None:
            check_ratio(self.ratio)

    def pvalues(self, differences: FloatArray, null: float = 0.0) -> FloatArray:
        """Always-valid p-values against "the mean difference is at most `null`" after every replication."""
        if self.bounds is not None:
            reach = self.reach
            outside = np.abs(differences) > reach * (1 + 1e-12)
            if outside.any():
                raise InputError(
                    f"`bounds` are {self.bounds[0]:g} and {self.bounds[1]:g}; two values differ by "
                    f"{float(np.abs(differences[outside][0])):g}."
                )
            return betting_pvalues(np.clip(differences, -reach, reach), null, -reach, reach)
        return asymptotic_pvalues(differences, null, **self._tuning)

    def lower_bounds(self, differences: FloatArray, level: float, at: Sequence[int]) -> FloatArray:
        """Lower confidence bounds after `at` replications, shape (P, len(at)); valid at all of them together."""
        places = np.asarray(at, np.intp)
        if self.bounds is not None:
            return np.stack([betting_bounds(row, level, -self.reach, self.reach, places) for row in differences])
        return asymptotic_bounds(differences, level, **self._tuning)[:, places - 1]

    @property
    def reach(self) -> float:
        """Return the largest possible difference of bounded values."""
        return np.inf if self.bounds is None else float(self.bounds[1] - self.bounds[0])

    @property
    def _tuning(self) -> dict[str, Any]:
        half = max(self.ends[-1] / 2, self.burn_in)
        tightest = half if self.tightest is None else self.tightest
        scale = mixture_scale(self.level, tightest, self.ratio or 0.0)
        return {"burn_in": self.burn_in, "scale": scale, "ratio": self.ratio or 0.0}

    def evidence(self, differences: FloatArray, origin: float = 0.0, *, of_mean: bool = False) -> FloatArray:
        """Always-valid p-values after each stage; they are of the mean in any case."""
        stages = self.stages_of(differences)
        p = np.full((len(differences), stages), np.nan)
        for rows, values, counts in _complete(differences, self.ends[:stages]):
            if values.shape[1]:
                found = self.pvalues(values, origin)
                p[rows] = np.where(counts > 0, found[:, np.maximum(counts - 1, 0)], 1.0)
        if of_mean and self.bounds is None:  # the first few differences among many ties show too little spread
            ends = self.ends[:stages]
            p = np.maximum(
                p,
                np.stack([mean_above_pvalues(differences[:, :end], origin, self.ratio or 0.0) for end in ends], axis=1),
            )
        return p

    def paths_of(self, pvalues: FloatArray, level: float) -> StagePaths:
        """Compare the p-values with the level."""
        p = pvalues
        nothing = np.full(p.shape, np.nan)
        return StagePaths(
            pvalue=p,
            level=np.full(p.shape, level),
            reject=np.full(p.shape, level),
            accept=nothing,
            critical=nothing,
            rejected=np.maximum.accumulate(p <= level, axis=1),
            accepted=np.zeros(p.shape, bool),
        )

    def lower_bound(self, differences: FloatArray, level: float) -> FloatArray:
        """Lower end of the confidence sequence after the last stage."""
        rows = [row[~np.isnan(row)][None, :] for row in differences]
        return np.array([self.lower_bounds(row, level, (row.shape[1],))[0, 0] if row.size else np.nan for row in rows])

    def overall(self, differences: FloatArray, level: float) -> FloatArray:
        """Return the always-valid p-value after the last stage."""
        return self.paths(differences, level).pvalue[:, -1]

    def clearest(self, n: int) -> FloatArray:
        """The largest difference, always; of unbounded values nearly equal ones."""
        return _all_positive(n) if self.bounds is None else np.full((1, n), self.reach)


def one_sided_pvalues(differences: FloatArray, method: str, options: Mapping[str, Any]) -> FloatArray:
    """P-values of a test against greater differences, one per row; of incomplete rows from the values that are present.

    NaN for a row with fewer than two values, which show nothing about a difference.
    """
    test: PairwiseTest = PAIRWISE_TESTS[method]
    there = ~np.isnan(differences)
    counts = there.sum(axis=1)
    found = np.full(len(differences), np.nan)
    structure = Structure()
    full = (counts == differences.shape[1]) & (counts >= 2)
    if full.any():
        found[full] = test.function(differences[full], structure, intervals=False, **options).greater
    for i in np.flatnonzero(~full & (counts >= 2)):
        found[i] = test.function(differences[i, there[i]][None, :], structure, intervals=False, **options).greater[0]
    return found


def _complete(differences: FloatArray, ends: Sequence[int]) -> list[tuple[Any, FloatArray, Any]]:
    """Yield the complete rows together, and each other row without its missing values; with counts after each stage."""
    there = ~np.isnan(differences)
    full = np.flatnonzero(there.all(axis=1))
    parts: list[tuple[Any, FloatArray, Any]] = [(full, differences[full], np.asarray(ends))] if full.size else []
    for i in np.flatnonzero(~there.all(axis=1)):
        counts = np.array([there[i, :end].sum() for end in ends])
        parts.append((np.array([i]), differences[i, there[i]][None, :], counts))
    return parts


def _all_positive(n: int) -> FloatArray:
    rising: FloatArray = np.linspace(1.0, 1.0 + 1e-6 * n, n)
    return rising[None, :]
