"""`StoppingRule`: determines, from all values so far, which pairs are decided and which algorithms are beaten.

A rule is a pure function of the data: given the values of all stages so far it always returns the same typed decisions.
It keeps no state, so a run may be interrupted, continued and repeated.

**Error over pairs and measures.** A hypothesis is "a and b do not differ in this measure". After each stage Holm's
procedure tests every open hypothesis at level alpha/(m - r), where m counts all hypotheses and r those that are
rejected so far, and starts again with the higher level after each rejection. A sequential test rejects a true
hypothesis at level γ with a probability of at most γ at all stages together, and rejects at every higher level, too;
hence, by Bonferroni's inequality, the probability of calling any difference that does not exist is at most alpha,
whatever the other hypotheses are and however the tests depend on each other. Leaving out algorithms leaves out tests,
and can only lower it. Equivalence is a second family with its own alpha, by the same argument (two one-sided
tests for each pair).

S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6, 65–70. —
W. Maurer, F. Bretz (2013). Multiple testing in group sequential trials using graphical approaches. Statistics in
Biopharmaceutical Research 5, 311–320.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import all_pairs
from podium.analysis.pairs import Alternative
from podium.analysis.sequential.sequential_tests import (
    CombinationTestOfStages as CombinationTestOfStages,
)
from podium.analysis.sequential.sequential_tests import (
    ConfidenceSequenceTest as ConfidenceSequenceTest,
)
from podium.analysis.sequential.sequential_tests import (
    GroupSequentialTest as GroupSequentialTest,
)
from podium.analysis.sequential.sequential_tests import SequentialTest, StagePaths
from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray, StrArray
from podium.checks import check_alpha, check_choice, check_flag, shown
from podium.errors import InputError

PairState: TypeAlias = Literal["open", "better", "worse", "equivalent", "accepted", "left out"]
Side: TypeAlias = Literal["better", "worse", "above", "below"]

STATES: tuple[PairState, ...] = get_args(PairState)
SIDES: tuple[Side, ...] = get_args(Side)
_OPEN, _BETTER, _WORSE, _EQUIVALENT, _ACCEPTED, _LEFT_OUT = range(len(STATES))


@dataclass(frozen=True, kw_only=True, eq=False)
class PairDecisions:
    """What is decided after some stages, about H hypotheses: pairs of algorithms, in each measure.

    Attributes
    ----------
    first, second, measure : ndarray of int, shape (H,)
        Positions of a, b and the measure.
    state : ndarray of str, shape (H,)
        ``"better"`` or ``"worse"`` (a than b), ``"equivalent"`` (within the margin), ``"accepted"`` (stopped without
        showing a difference), ``"left out"`` (an algorithm was dropped), ``"open"``.
    stage : ndarray of int, shape (H,)
        The stage, from 1, that decided; 0 while open.
    dropped : ndarray of int, shape (K,)
        The stage after which an algorithm was dropped because it is beaten; 0 if it was not.
    level : ndarray of float, shape (T, H)
        Level at which each hypothesis was tested after each stage, over both sides; NaN where it was decided before.
    pvalue, reject, accept : ndarray of float, shape (T, H, 4)
        After each stage, and of each one-sided test: what is compared, and with which bounds. The sides are a is
        better, a is worse, and, for equivalence, the difference is above the lower and below the upper end of the area.
        NaN where there is no such test.
    planned : int
        Number of planned stages.
    """

    first: IntArray
    second: IntArray
    measure: IntArray
    state: StrArray
    stage: Int64Array
    dropped: Int64Array
    level: FloatArray
    pvalue: FloatArray
    reject: FloatArray
    accept: FloatArray
    planned: int

    @property
    def stages(self) -> int:
        """Number of stages so far."""
        return len(self.level)

    @property
    def open(self) -> BoolArray:
        """Which hypotheses are still open."""
        return np.asarray(self.state == "open")

    @property
    def finished(self) -> bool:
        """Whether nothing is left to decide, or no stage is left."""
        return not bool(self.open.any()) or self.stages >= self.planned

    @property
    def needed(self) -> BoolArray:
        """Which algorithms take part in an open hypothesis, shape (K,): those that the next stage must run."""
        needed = np.zeros(len(self.dropped), bool)
        needed[self.first[self.open]] = True
        needed[self.second[self.open]] = True
        return needed

    def rows(self) -> list[dict[str, Any]]:
        """One record for each stage, hypothesis and side that was tested, of plain numbers and words."""
        found = []
        for t, h, s in np.argwhere(~np.isnan(self.pvalue)):
            found.append(
                {
                    "stage": int(t) + 1,
                    "a": int(self.first[h]),
                    "b": int(self.second[h]),
                    "measure": int(self.measure[h]),
                    "side": SIDES[s],
                    "level": float(self.level[t, h]),
                    "pvalue": float(self.pvalue[t, h, s]),
                    "reject": float(self.reject[t, h, s]),
                    "accept": float(self.accept[t, h, s]),
                    "state": str(self.state[h]) if self.stage[h] == t + 1 else "open",
                }
            )
        return found


@dataclass(frozen=True, kw_only=True)
class StoppingRule:
    """A sequential test of every pair, with the error controlled over pairs and measures.

    Attributes
    ----------
    test : SequentialTest or tuple of SequentialTest
        The one-sided test of a pair with its planned stages; one for each measure, or one for all.
    alpha : float
        Error over all pairs and measures.
    alternative : {"two-sided", "better", "worse"}
        Of a against b. A two-sided test is two one-sided tests at half the level.
    control : int, optional
        Position of the algorithm with which all others are compared: a is the other, b is the control.
    pairs : tuple of (int, int), optional
        The pairs (a, b) to compare; by default all.
    equivalence : (float, float) or tuple of those, optional
        Differences a - b, in the units of the measure, that do not matter: the same for all measures, or for each.
    racing : bool
        Whether an algorithm that is beaten by another, in every measure, is dropped.
    """

    test: SequentialTest | tuple[SequentialTest, ...]
    alpha: float = 0.05
    alternative: Alternative = "two-sided"
    control: int | None = None
    pairs: tuple[tuple[int, int], ...] | None = None
    equivalence: tuple[float, float] | tuple[tuple[float, float] | None, ...] | None = None
    racing: bool = False

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_choice(self.alternative, get_args(Alternative), "alternative")
        check_flag(self.racing, "racing")
        tests = self.test if isinstance(self.test, tuple) else (self.test,)
        if not tests or not all(isinstance(test, SequentialTest) for test in tests):
            raise InputError(f"`test` must be a sequential test, or one for each measure; got {shown(self.test)}.")
        if len({test.sizes for test in tests}) > 1:
            raise InputError("`test`: all measures must have the same stages.")
        if self.control is not None and self.pairs is not None:
            raise InputError("`control` and `pairs` exclude each other.")

    @property
    def sizes(self) -> tuple[int, ...]:
        """Replications of each planned stage."""
        return self._test(0).sizes

    def _test(self, measure: int) -> SequentialTest:
        return self.test[measure] if isinstance(self.test, tuple) else self.test

    def hypotheses(self, algorithms: int, measures: int = 1) -> tuple[IntArray, IntArray, IntArray]:
        """Positions of a, b and the measure of all hypotheses."""
        if self.pairs is not None:
            a, b = np.array(self.pairs, np.intp).reshape(-1, 2).T
        elif self.control is not None:
            a = np.delete(np.arange(algorithms), self.control)
            b = np.full(len(a), self.control)
        else:
            a, b = all_pairs(algorithms)
        return np.tile(a, measures), np.tile(b, measures), np.repeat(np.arange(measures), len(a))

    def earliest(self, algorithms: int, measures: int = 1) -> int | None:
        """First stage at which any pair can be decided, however clear the values are; None if no stage can."""
        m = len(self.hypotheses(algorithms, measures)[0])
        sides = 2 if self.alternative == "two-sided" else 1
        found = [self._test(j).earliest(self.alpha / m / sides) for j in range(measures)]
        possible = [stage for stage in found if stage is not None]
        return min(possible) if possible else None

    def decide(self, stages: Sequence[FloatArray], signs: Sequence[int] = (1,)) -> PairDecisions:
        """Decide from the values of all stages so far.

        Parameters
        ----------
        stages : sequence of ndarray
            Values of each stage: replications × algorithms, or replications × algorithms × measures. NaN where a value
            is missing; columns of algorithms that were dropped are not used.
        signs : sequence of int
            1 for measures where low values are better, -1 where high ones are.
        """
        return self.decide_after(len(stages), self._joined(stages), signs)

    def decide_after(self, performed: int, values: FloatArray, signs: Sequence[int]) -> PairDecisions:
        """Decide after this number of stages, from their replications × algorithms × measures; nothing after none."""
        algorithms, measures = values.shape[1:]
        if len(signs) != measures or not set(signs) <= {1, -1}:
            raise InputError(f"`signs` must be 1 or -1 for each of {measures} measures; got {shown(signs)}.")
        a, b, j = self.hypotheses(algorithms, measures)
        gains = np.array(signs)[j][:, None] * (values[:, b, j] - values[:, a, j]).T  # positive where a is better
        state = _State.start(len(a), algorithms, performed)
        paths = _Paths(self, gains, np.array(signs), j)
        for t in range(performed):
            self._differences(t, state, paths, len(a))
            if self.equivalence is not None:
                self._equivalences(t, state, paths, len(a))
            if self.racing:
                _drop_beaten(t, state, a, b, measures, self.control)
        return PairDecisions(
            first=a, second=b, measure=j, state=np.array(STATES)[state.code], stage=state.stage, dropped=state.dropped,
            level=state.level, pvalue=state.pvalue, reject=state.reject, accept=state.accept, planned=len(self.sizes),
        )  # fmt: skip

    def _joined(self, stages: Sequence[FloatArray]) -> FloatArray:
        sizes = self.sizes
        if not 1 <= len(stages) <= len(sizes):
            raise InputError(f"`stages` must be values of 1 to {len(sizes)} stages; got {len(stages)}.")
        for i, (stage, size) in enumerate(zip(stages, sizes, strict=False)):
            if np.ndim(stage) not in (2, 3) or len(stage) != size:
                raise InputError(
                    f"`stages[{i}]` must have {size} replications × algorithms (× measures); got {np.shape(stage)}."
                )
        joined = np.concatenate([np.asarray(stage, float) for stage in stages])
        return joined[:, :, None] if joined.ndim == 2 else joined

    def _differences(self, t: int, state: _State, paths: _Paths, m: int) -> None:
        """Holm's procedure for the hypotheses of no difference, after stage t."""
        sides = 2 if self.alternative == "two-sided" else 1
        while True:
            level = self.alpha / max(m - int(np.isin(state.code, (_BETTER, _WORSE)).sum()), 1)
            open_ = state.code == _OPEN
            if not open_.any():
                return
            found = {}
            for side, code in ((0, _BETTER), (1, _WORSE)):
                if self.alternative in ("two-sided", SIDES[side]):
                    found[code] = paths.at(level / sides, side)
                    state.note(t, side, open_, level, found[code])
            new = np.zeros(m, bool)
            for code, path in found.items():
                rejected = open_ & path.rejected[:, t] & ~new
                state.code[rejected], state.stage[rejected] = code, t + 1
                new |= rejected
            if not new.any():
                break
        ended = open_ & np.logical_and.reduce([path.accepted[:, t] for path in found.values()])
        if t + 1 < len(self.sizes):  # where equivalence can still be shown, the pair continues
            ended &= ~self._has_area(paths.measure)
        state.code[ended], state.stage[ended] = _ACCEPTED, t + 1

    def _has_area(self, measure: IntArray) -> BoolArray:
        return np.array([self.area(int(j)) is not None for j in measure], bool)

    def _equivalences(self, t: int, state: _State, paths: _Paths, m: int) -> None:
        """Holm's procedure for the hypotheses of a difference outside the area, after stage t."""
        while True:
            level = self.alpha / max(m - int((state.code == _EQUIVALENT).sum()), 1)
            open_ = (state.code == _OPEN) | ((state.code == _ACCEPTED) & (state.stage == t + 1))
            if not open_.any():
                return
            both = np.ones(m, bool)
            for side in (2, 3):
                path = paths.at(level, side)
                state.note(t, side, open_, level, path)
                both &= path.rejected[:, t]
            new = open_ & both
            if t + 1 == len(self.sizes):
                new |= open_ & paths.identical & self._has_area(paths.measure)
            if not new.any():
                return
            state.code[new], state.stage[new] = _EQUIVALENT, t + 1

    def area(self, measure: int) -> tuple[float, float] | None:
        """Differences a - b of a measure that do not matter."""
        if self.equivalence is None:
            return None
        first = self.equivalence[0]
        if first is None or isinstance(first, tuple):
            return self.equivalence[measure]  # type: ignore[return-value]
        return self.equivalence  # type: ignore[return-value]


@dataclass
class _State:
    """What is decided so far, while the stages are processed."""

    code: Int64Array
    stage: Int64Array
    dropped: Int64Array
    level: FloatArray
    pvalue: FloatArray
    reject: FloatArray
    accept: FloatArray

    @classmethod
    def start(cls, hypotheses: int, algorithms: int, stages: int) -> _State:
        """Begin with everything open."""
        zeros = np.zeros(hypotheses, np.int64)
        tables = (np.full((stages, hypotheses, len(SIDES)), np.nan) for _ in range(3))
        return cls(zeros, zeros.copy(), np.zeros(algorithms, np.int64), np.full((stages, hypotheses), np.nan), *tables)

    def note(self, t: int, side: int, rows: BoolArray, level: float, path: StagePaths) -> None:
        """Keep what was compared after a stage."""
        if side < 2:
            self.level[t, rows] = level
        for name in ("pvalue", "reject", "accept"):
            getattr(self, name)[t, rows, side] = getattr(path, name)[rows, t]


class _Paths:
    """The paths of all hypotheses at a level, computed once for each side and level."""

    def __init__(self, rule: StoppingRule, gains: FloatArray, signs: IntArray, measure: IntArray) -> None:
        self._rule, self._gains, self._signs, self.measure = rule, gains, signs, measure
        self._known: dict[tuple[float, int], StagePaths] = {}
        self._evidence: dict[tuple[int, int], FloatArray] = {}
        self.identical = (gains == 0).any(axis=1) & ~(gains != 0).any(axis=1, where=~np.isnan(gains))

    def at(self, level: float, side: int) -> StagePaths:
        """Return the paths of one side of all hypotheses at a level."""
        if (level, side) not in self._known:
            parts = []
            for j in range(len(self._signs)):
                if (j, side) not in self._evidence:
                    differences, origin = self._oriented(self._gains[self.measure == j], j, side)
                    self._evidence[j, side] = self._rule._test(j).evidence(differences, origin, of_mean=side >= 2)
                parts.append(self._rule._test(j).paths_of(self._evidence[j, side], level))
            self._known[level, side] = StagePaths(
                **{name: np.concatenate([getattr(part, name) for part in parts]) for name in StagePaths.__annotations__}
            )
        return self._known[level, side]

    def _oriented(self, gains: FloatArray, j: int, side: int) -> tuple[FloatArray, float]:
        """Differences and origin of a test: the side claims that they are greater than the origin."""
        if side < 2:
            return (gains if side == 0 else -gains), 0.0
        area = self._rule.area(j)
        if area is None:
            return np.full(gains.shape, np.nan), 0.0
        difference = -self._signs[j] * gains  # a - b, in the units of the measure
        return (difference, area[0]) if side == 2 else (-difference, -area[1])


def _drop_beaten(t: int, state: _State, a: IntArray, b: IntArray, measures: int, control: int | None) -> None:
    """Drop the algorithms that another one, itself not dropped, beats in every measure; the control stays.

    Tests of pairs may contradict each other: algorithms that beat each other in a cycle all stay.
    """
    k = len(state.dropped)
    wins = np.zeros((k, k), np.int64)
    for code, (winner, loser) in ((_BETTER, (a, b)), (_WORSE, (b, a))):
        chosen = state.code == code
        np.add.at(wins, (winner[chosen], loser[chosen]), 1)
    alive = state.dropped == 0
    beats = (wins == measures) & np.outer(alive, alive)
    reaches = beats.copy()  # directly, or through others
    for middle in range(k):
        reaches |= np.outer(reaches[:, middle], reaches[middle])
    beaten = (beats & ~reaches.T).any(axis=0)
    if control is not None:
        beaten[control] = False
    state.dropped[beaten] = t + 1
    left = (state.code == _OPEN) & (beaten[a] | beaten[b])
    state.code[left], state.stage[left] = _LEFT_OUT, t + 1
