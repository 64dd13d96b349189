"""`Pairs`: pairs of algorithms, compared, and what is decided about them; numbers only, without any text."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtr

from podium.analysis.adjustment import adjust_pvalues, least_adjusted
from podium.analysis.blocks import Unit
from podium.analysis.groups import MAX_GROUPS, Group, groups_in_order
from podium.analysis.magnitude import superiority_interval
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus, capitalised, check_outcome
from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray, StrArray
from podium.checks import (
    check_alpha,
    check_choice,
    check_count,
    check_flag,
    expect,
    is_number,
    position,
    record,
    shown,
)
from podium.errors import InputError, LabelError, join_names
from podium.results import MeasureInfo, MissingReport
from podium.results.ranks import ROUNDING

Decision: TypeAlias = Literal["better", "equivalent", "undecided"]
Alternative: TypeAlias = Literal["two-sided", "better", "worse"]
# What a procedure estimates; a user's own test may use another word.
Estimand: TypeAlias = (
    Literal[
        "mean",
        "mean over data sets",
        "mean log",
        "mean transformed",
        "mean rank",
        "weighted mean rank",
        "mean aligned rank",
        "pseudomedian",
        "net share",
        "log worth",
        "first fold",
    ]
    | str
)

# What `estimate` may be for its interval to decide whether the mean difference lies in an area of equivalence.
_MEANS = ("mean", "mean over data sets", "mean log", "first fold")
_DECISIONS: tuple[Decision, ...] = get_args(Decision)
# Columns of ratios, and the columns of logarithms that they come from.
RATIOS = {"ratio": "estimate", "ratio_lower": "lower", "ratio_upper": "upper"}


@dataclass(frozen=True, eq=False, repr=False)
class PairRows:
    """The rows of `Pairs.frame` as arrays: each pair with the better algorithm first, ordered by a and b."""

    a: IntArray
    b: IntArray
    columns: Mapping[str, FloatArray]
    decided: IntArray
    significant: BoolArray
    superiority: FloatArray | None
    superiority_interval: tuple[FloatArray, FloatArray] | None

    def which(self, decision: Decision) -> IntArray:
        """Return the positions of the rows with a decision."""
        return np.flatnonzero(self.decided == _DECISIONS.index(decision))

    def decisions(self) -> list[Decision]:
        """Return the decision of each row."""
        return [_DECISIONS[i] for i in self.decided]


@record(eq=False, repr=False, kw_only=True)
class Pairs:
    """All pairs of algorithms, or all against a control, with their decisions; see `Comparison` for the fields."""

    method: str
    procedure: str
    algorithms: tuple[str, ...]
    first: IntArray
    second: IntArray
    estimate: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    lower: FloatArray
    upper: FloatArray
    estimand: Estimand
    in_units: bool
    sign: Literal[1, -1]
    measure: MeasureInfo
    unit: Unit
    n: int
    datasets: int
    transform: str = "identity"
    alpha: float = 0.05
    adjust: str = "none"
    alternative: Alternative = "two-sided"
    control: str | None = None
    dataset: str | None = None
    equivalence: tuple[float, float] | None = None
    equivalence_interval: tuple[FloatArray, FloatArray] | None = None
    equivalence_pvalue: FloatArray | None = None
    omnibus: Omnibus | None = None
    gated: bool = False
    signed: bool = True
    se: FloatArray | None = None
    df: FloatArray | None = None
    critical_value: FloatArray | None = None
    critical_difference: float | None = None
    means: FloatArray | None = None
    mean_ranks: FloatArray | None = None
    wins: Int64Array | None = None
    common: Int64Array | None = None
    contrasts: pd.DataFrame | None = None
    exact: bool = False
    permutations: int = 0
    least_pvalue: float | None = None
    overlap: bool = False
    missing: MissingReport | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_equivalence(self.equivalence)
        check_outcome(self)
        expect(self.measure, MeasureInfo, "measure")
        check_choice(self.alternative, get_args(Alternative), "alternative")
        check_choice(self.sign, (1, -1), "sign")
        for name in ("estimand", "adjust"):
            expect(getattr(self, name), str, name)
        for name in ("in_units", "gated", "signed", "exact", "overlap"):
            check_flag(getattr(self, name), name)
        if self.control is not None:
            check_choice(self.control, self.algorithms, "control")
        arrays = ("se", "df", "critical_value", "means", "mean_ranks", "wins", "common")
        optional = {**dict.fromkeys(arrays, np.ndarray), "omnibus": Omnibus, "contrasts": pd.DataFrame, "dataset": str}
        for name, kind in optional.items():
            if getattr(self, name) is not None:
                expect(getattr(self, name), kind, name)
        check_count(self.permutations, "permutations", least=0)
        if self.least_pvalue is not None and not is_number(self.least_pvalue):
            raise InputError(f"`least_pvalue` must be a number or None; got {shown(self.least_pvalue)}.")
        for name in ("first", "second", "estimate", "statistic", "pvalue", "adjusted", "lower", "upper"):
            given = getattr(self, name)
            if not isinstance(given, np.ndarray) or given.shape != self.first.shape or given.dtype.kind not in "iuf":
                raise InputError(f"`{name}` must be an array with one entry per pair; got {shown(given)}.")
            locked = given.copy()  # the order is found once, so nobody may change the values behind it
            locked.flags.writeable = False
            object.__setattr__(self, name, locked)
        for name in ("first", "second"):
            given = getattr(self, name)
            if not ((given >= 0) & (given < len(self.algorithms)) & (given == np.floor(given))).all():
                raise InputError(f"`{name}` must be positions of the {len(self.algorithms)} algorithms, from 0.")

    @property
    def title(self) -> str:
        """The method, for the start of a line."""
        return capitalised(self.method)

    @property
    def one_sided(self) -> bool:
        """Whether the alternative has a direction."""
        return self.alternative != "two-sided"

    @property
    def stopped(self) -> bool:
        """Whether a global test that is not significant keeps all pairs from being called different."""
        return self.gated and self.omnibus is not None and not self.omnibus.significant

    @property
    def significant(self) -> BoolArray:
        """Which pairs differ at level alpha, by the adjusted p-value; an untested pair (NaN) does not.

        After a global test that is not significant no pair does, if the comparison is `gated`.
        """
        if self.stopped:
            return np.zeros(len(self.adjusted), bool)
        return np.asarray(self.adjusted <= self.alpha)

    @property
    def untested(self) -> BoolArray:
        """Which pairs have no p-value."""
        return np.isnan(self.adjusted)

    @property
    def powerless(self) -> bool:
        """Whether there are too few blocks for any pair to be called different, whatever their values are.

        Known of procedures that have a `least_pvalue`.
        """
        if self.least_pvalue is None:
            return False
        return least_adjusted(self.least_pvalue, self._hypotheses, self.adjust) > self.alpha

    @property
    def _hypotheses(self) -> int:
        """Number of pairs that the p-values are adjusted for: those that were tested."""
        return max(int((~self.untested).sum()), 1)

    @property
    def area(self) -> tuple[float, float] | None:
        """The differences that do not matter, whichever algorithm of a pair is named first.

        Against a control, and in your own contrasts, a difference has a direction, and this is `equivalence`. Among all
        pairs a - b and b - a are one comparison: there it is the part of `equivalence` that is the same both ways.
        """
        if self.equivalence is None or self.control is not None or self.contrasts is not None:
            return self.equivalence
        return both_ways(self.equivalence)

    @property
    def identical(self) -> BoolArray:
        """Which pairs have equal values in all the blocks that they have in common."""
        if self.wins is None or self.common is None or self.contrasts is not None:
            lower, upper = self._mean_interval
            return np.asarray((lower == 0) & (upper == 0))
        decided = self.wins + self.wins.T
        return np.asarray((decided[self.first, self.second] == 0) & (self.common[self.first, self.second] > 1))

    @property
    def inside(self) -> BoolArray:
        """For which pairs the interval of the mean difference lies wholly in the `area` of equivalence.

        Intervals of something else do not count, nor does one without width, which shows no spread, unless the two are
        `identical`.
        """
        if self.area is None:
            return np.zeros(len(self.estimate), bool)
        low, high = self.area
        lower, upper = self._mean_interval
        within = (lower >= low - ROUNDING * abs(low)) & (upper <= high + ROUNDING * abs(high))
        return np.asarray((within & (lower < upper)) | self.identical)

    @property
    def _mean_interval(self) -> tuple[FloatArray, FloatArray]:
        """Ends of the interval of the mean difference; NaN where there is none."""
        if self.equivalence_interval is not None:
            return self.equivalence_interval
        if self.estimand in _MEANS:
            return self.lower, self.upper
        return np.full(len(self.estimate), np.nan), np.full(len(self.estimate), np.nan)

    @property
    def equivalent(self) -> BoolArray:
        """Which pairs are shown to differ too little to matter: `inside` the area, significant or not.

        An area that is bounded by 0, or not bounded, on one side has a margin on the other side only; its inside is not
        equivalence but a claim of that side: not worse by more than the margin, for example. Nor does a one-sided test,
        which does not ask how far the other side goes, make those equivalent that lie wholly on the other side.
        """
        if self.area is None:
            return self.inside
        if 0 in self.area or not np.isfinite(self.area).all():
            return self.identical
        lower, upper = self._mean_interval
        beyond = ((lower > 0) | (upper < 0)) & ~self.significant & self.one_sided
        return self.inside & ~beyond

    @property
    def holds_zero(self) -> BoolArray:
        """Which pairs are called different although their interval contains 0; a note says why.

        A one-sided bound of 0 agrees with a difference.
        """
        ends = (self.lower == 0) | (self.upper == 0)
        holds: BoolArray = (self.lower <= 0) & (self.upper >= 0) & ~(ends & self.one_sided)
        return self.significant & ~self.equivalent & holds

    @property
    def equivalence_pvalues(self) -> FloatArray | None:
        """P-values of two one-sided tests for each pair: small if the difference is shown to lie in the `area`.

        Those of the procedure's own test, or from estimates with their standard errors and degrees of freedom; None
        where a procedure has neither, or without an area. They are not adjusted for the number of pairs.
        """
        if self.area is None:
            return None
        if self.equivalence_pvalue is not None:
            return np.where(self.identical, 0.0, self.equivalence_pvalue)
        if not self.in_units or self.se is None:
            return None
        low, high = self.area
        df = np.full(len(self.estimate), np.inf) if self.df is None else self.df
        reach = np.minimum(self.estimate - low, high - self.estimate)
        certain = np.where(self.identical, np.inf, np.nan)
        t = np.divide(reach, self.se, out=certain, where=self.se > 0)
        return np.where(np.isinf(df), ndtr(-t), stdtr(df, -t))

    @property
    def superiority(self) -> FloatArray | None:
        """Probability that a is better than b in a block, ties counted half, as estimated by the share of blocks.

        None where the procedure does not count blocks (your own contrasts); NaN for a pair without a common block.
        """
        if self.wins is None or self.common is None or self.contrasts is not None:
            return None
        won, lost = self.wins[self.first, self.second], self.wins[self.second, self.first]
        together = self.common[self.first, self.second].astype(float)
        balance = np.divide(won - lost, together, out=np.full(len(won), np.nan), where=together > 0)
        share: FloatArray = (1 + balance) / 2
        return share

    @property
    def superiority_interval(self) -> tuple[FloatArray, FloatArray] | None:
        """Lower and upper ends of the interval of `superiority`, for each pair alone with confidence 1 - alpha."""
        if self.wins is None or self.common is None or self.contrasts is not None:
            return None
        pairs, turned = (self.first, self.second), (self.second, self.first)
        lower, upper = superiority_interval(self.wins[pairs], self.wins[turned], self.common[pairs], self.alpha)
        none = self.common[pairs] == 0
        return np.where(none, np.nan, lower), np.where(none, np.nan, upper)

    def superiority_of(self, a: str, b: str) -> float:
        """Probability that a is better than b in a block, ties counted half; NaN where it is not known."""
        i, j = position(self.algorithms, a, "a"), position(self.algorithms, b, "b")
        share = self.superiority
        if share is None:
            return float("nan")
        found = np.flatnonzero((self.first == i) & (self.second == j))
        turned = np.flatnonzero((self.first == j) & (self.second == i))
        if found.size:
            return float(share[found[0]])
        return 1 - float(share[turned[0]]) if turned.size else float("nan")

    @property
    def relevant(self) -> BoolArray:
        """Which pairs differ significantly and are not shown to be equivalent."""
        return self.significant & ~self.equivalent

    @property
    def decision(self) -> StrArray:
        """For each pair: ``"better"`` (one is), ``"equivalent"`` (the difference does not matter) or ``"undecided"``.

        The estimate says which one is better. Not significant is not equal: without an area of equivalence
        no pair is ever called equivalent.
        """
        return np.array(_DECISIONS)[self._decided()]

    def _decided(self) -> IntArray:
        """Positions of the decisions in their tuple."""
        return np.where(self.equivalent, 1, np.where(self.significant, 0, 2))

    @property
    def order(self) -> tuple[str, ...]:
        """The algorithms, the one with the best estimates first, those without any estimate last.

        Empty where pairs were compared on the blocks that each has, and all algorithms have fewer than half of the
        blocks in common: ``missing.common`` counts these.
        """
        return self.layout if self.ordered else ()

    @property
    def ordered(self) -> bool:
        """Whether the algorithms have enough blocks in common for an order."""
        return self.missing is None or self.missing.ordered

    @property
    def layout(self) -> tuple[str, ...]:
        """The algorithms as tables and figures list them: in their order, or by name where there is none."""
        return tuple(self.algorithms[i] for i in self._best_first)

    def frame(self) -> pd.DataFrame:
        """One row per pair, the algorithm with the better estimate first.

        Returns
        -------
        DataFrame
            Columns a, b, estimate (a - b), lower, upper, statistic, pvalue, adjusted, decision; ``"better"`` reads
            "a is better than b". Rows are ordered by a and b, best first. Where the estimates are differences of
            logarithms, ratio (a / b), ratio_lower and ratio_upper follow upper.
        """
        rows = self._rows()
        names = pd.Series(list(self.algorithms)).array  # taken by position, which is quick for millions of pairs
        return pd.DataFrame(
            {
                "a": names.take(rows.a),
                "b": names.take(rows.b),
                **rows.columns,
                "decision": pd.Series(list(_DECISIONS)).array.take(rows.decided),
            }
        )

    def _rows(self) -> PairRows:
        """Return the rows of `frame` without the labels, for what is written about them."""
        place = self._places()
        swap = ~self._first_leads(place)
        a, b = np.where(swap, self.second, self.first), np.where(swap, self.first, self.second)
        order = np.argsort(place[a] * len(place) + place[b], kind="stable")
        share, ends, flip = self.superiority, self.superiority_interval, np.where(swap, -1.0, 1.0)
        lower, upper = np.where(swap, -self.upper, self.lower), np.where(swap, -self.lower, self.upper)
        columns = {"estimate": flip * self.estimate + 0.0, "lower": lower, "upper": upper}  # no -0
        if self.transform == "log":
            columns |= {name: np.exp(columns[column]) for name, column in RATIOS.items()}
        columns |= {"statistic": self._oriented_statistic(flip) + 0.0, "pvalue": self.pvalue, "adjusted": self.adjusted}
        return PairRows(
            a[order],
            b[order],
            {name: values[order] for name, values in columns.items()},
            self._decided()[order],
            self.significant[order],
            None if share is None else np.where(swap, 1 - share, share)[order],
            None
            if ends is None
            else (np.where(swap, 1 - ends[1], ends[0])[order], np.where(swap, 1 - ends[0], ends[1])[order]),
        )

    def equivalence_frame(self) -> pd.DataFrame:
        """One row per pair, as in `frame`: the p-values of two one-sided tests for equivalence.

        Returns
        -------
        DataFrame
            Columns a, b, pvalue, adjusted (by Holm's method), decision.
        """
        tested = self.equivalence_pvalues
        if tested is None:
            raise InputError(
                "There are no p-values for equivalence: `compare` needs an area, equivalence=..., and a pairwise or a "
                "mixed `method`."
            )
        place = self._places()
        swap = ~self._first_leads(place)
        names = np.array(self.algorithms, object)
        a, b = np.where(swap, self.second, self.first), np.where(swap, self.first, self.second)
        adjusted = adjust_pvalues(tested, "holm")
        columns = {"a": names[a], "b": names[b], "pvalue": tested, "adjusted": adjusted, "decision": self.decision}
        order = np.argsort(place[a] * len(place) + place[b], kind="stable")
        return pd.DataFrame(columns).iloc[order].reset_index(drop=True)

    def pair(self, a: str, b: str) -> pd.Series[Any]:
        """One pair, seen from a: estimate a - b, and decision ``"better"``, ``"worse"``, ..."""
        texts = isinstance(a, str) and isinstance(b, str)
        for i, (x, y) in enumerate(zip(self.first, self.second, strict=True)):
            names = (self.algorithms[x], self.algorithms[y])
            if texts and names in ((a, b), (b, a)):
                flip = 1.0 if names == (a, b) else -1.0
                ends = sorted((flip * self.lower[i], flip * self.upper[i]))
                decision = str(self.decision[i])
                if decision == "better" and self._first_leads()[i] != (flip > 0):
                    decision = "worse"
                return pd.Series(
                    {
                        "a": a,
                        "b": b,
                        "estimate": flip * self.estimate[i],
                        "lower": ends[0],
                        "upper": ends[1],
                        **(_ratios(flip * self.estimate[i], *ends) if self.transform == "log" else {}),
                        "statistic": self._oriented_statistic(np.full(len(self.estimate), flip))[i],
                        "pvalue": self.pvalue[i],
                        "adjusted": self.adjusted[i],
                        "decision": decision,
                    }
                )
        raise LabelError(
            f"{shown(a)} and {shown(b)} are not a pair of this comparison of {join_names(self.algorithms, most=12)}."
        )

    def matrix(self, what: Literal["adjusted", "pvalue"] = "adjusted") -> pd.DataFrame:
        """Return a square table of p-values, labelled, with ones on the diagonal; NaN where not compared."""
        check_choice(what, ("adjusted", "pvalue"), "what")
        k = len(self.algorithms)
        square = np.full((k, k), np.nan)
        square[self.first, self.second] = square[self.second, self.first] = getattr(self, what)
        np.fill_diagonal(square, 1.0)
        return pd.DataFrame(square, index=list(self.algorithms), columns=list(self.algorithms))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed, given by name: ``**changes``."""
        return dataclasses.replace(self, **changes)

    def _with(self, **changes: Any) -> Self:
        """Return a copy with some fields changed that need no check."""
        made = copy.copy(self)
        for name, value in changes.items():
            object.__setattr__(made, name, value)
        return made

    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of algorithms no two of which are known to differ, best first; an algorithm may be in several.

        Untested pairs are in no common group, unless no pair was tested.
        """
        return [tuple(self.algorithms[i] for i in members) for members in self.group_positions()]

    def group_positions(self, most: int = MAX_GROUPS) -> list[Group]:
        """List the groups as positions, best algorithm first; with a control there is only its own.

        Beyond `most` groups a smaller collection that covers every pair is listed.
        """
        check_count(most, "most")
        k = len(self.algorithms)
        joined = np.zeros((k, k), bool)
        alike = ~self.significant & ~(self.untested & (not self.untested.all()))
        joined[self.first[alike], self.second[alike]] = True
        joined |= joined.T
        order = self._best_first
        if self.control is not None:
            control = self.algorithms.index(self.control)
            return [tuple(int(i) for i in order if i == control or joined[control, i])]
        return [tuple(int(order[i]) for i in group) for group in groups_in_order(joined[np.ix_(order, order)], most)]

    def _first_leads(self, place: IntArray | None = None) -> BoolArray:
        """Whether a has the better estimate; where that is 0, the statistic decides, and then the order of all."""
        lead = self.estimate
        if self.signed:
            lead = np.where(self.estimate == 0, self.statistic, self.estimate)
        place = self._places() if place is None else place
        side = np.sign(self.sign * np.nan_to_num(lead))
        return np.where(side == 0, place[self.first] < place[self.second], side < 0)

    def _oriented_statistic(self, flip: FloatArray) -> FloatArray:
        """Reverse signed statistics together with their pair; unsigned ones stay."""
        return flip * self.statistic if self.signed else self.statistic

    def _places(self) -> IntArray:
        """The place of each algorithm, from 0, in the order of all."""
        place = np.empty(len(self.algorithms), int)
        place[self._best_first] = np.arange(len(self.algorithms))
        return place

    @cached_property  # table, text and groups each need it
    def _best_first(self) -> IntArray:
        """Order the algorithms by their estimates against all others, or against the control; equal ones by name.

        Those without any estimate come last. Without enough blocks in common, all come by name.
        """
        by_name = np.argsort(np.array(self.algorithms), kind="stable")
        if not self.ordered:
            return by_name
        known, there = np.zeros(len(by_name), bool), ~np.isnan(self.estimate)
        known[self.first[there]] = known[self.second[there]] = True
        last = ~known[by_name]
        order = np.concatenate([self._order_among(by_name[~last]), by_name[last]])
        order.flags.writeable = False
        return order

    def _order_among(self, members: IntArray) -> IntArray:
        """Order some algorithms, given by name, by their estimates against each other, or against the control.

        Those whose totals differ by rounding alone are ordered among themselves: an estimate against an algorithm that
        is worse by far may have hidden how they differ.
        """
        among = np.zeros(len(self.algorithms), bool)
        among[members] = True
        pairs = among[self.first] if self.control is not None else among[self.first] & among[self.second]
        first, second, lead = self.first[pairs], self.second[pairs], np.nan_to_num(self.sign * self.estimate[pairs])
        total, size = np.zeros((2, len(self.algorithms)))
        np.add.at(total, first, lead)
        np.maximum.at(size, first, np.abs(lead))
        if self.control is None:
            np.subtract.at(total, second, lead)
            np.maximum.at(size, second, np.abs(lead))
        noise = len(members) * ROUNDING * size
        order = members[np.argsort(total[members], kind="stable")]
        apart = np.diff(total[order]) > np.maximum(noise[order[1:]], noise[order[:-1]])
        groups = np.split(order, np.flatnonzero(apart) + 1)
        if len(groups) == 1:
            return members
        by_name = np.empty(len(self.algorithms), np.intp)
        by_name[members] = np.arange(len(members))
        return np.concatenate(
            [group if len(group) == 1 else self._order_among(group[np.argsort(by_name[group])]) for group in groups]
        )


def _ratios(estimate: float, lower: float, upper: float) -> dict[str, float]:
    """Ratio and its interval, of a difference of logarithms."""
    return dict(zip(RATIOS, np.exp([estimate, lower, upper]).tolist(), strict=True))


def both_ways(area: tuple[float, float]) -> tuple[float, float]:
    """The part of an area of equivalence that is the same for a - b and for b - a."""
    reach = min(0.0 - float(area[0]), float(area[1]))
    return 0.0 - reach, reach  # -reach would turn 0 into -0


def equivalence_area(equivalence: object) -> tuple[float, float] | None:
    """Check an area of differences that do not matter; a number Δ stands for [-Δ, Δ]."""
    if equivalence is None:
        return None
    if isinstance(equivalence, np.ndarray) and equivalence.ndim == 0:
        equivalence = equivalence.item()
    if is_number(equivalence):
        reach = float(equivalence)  # type: ignore[arg-type]
        if not 0 < reach < np.inf:
            raise InputError(
                "`equivalence` must be a positive number Δ, for [-Δ, Δ], or a pair (Δ1, Δ2) around 0; got "
                f"{shown(equivalence)}."
            )
        return -reach, reach
    check_equivalence(equivalence)
    ends: tuple[float, float] = equivalence  # type: ignore[assignment]
    return ends[0], ends[1]


def check_equivalence(area: Any) -> None:
    """Refuse an area of equivalence that does not contain 0."""
    if area is None:
        return
    listed = isinstance(area, tuple | list) or (isinstance(area, np.ndarray) and area.ndim == 1)
    pair = listed and len(area) == 2 and all(is_number(end) for end in area)
    if not pair or not area[0] <= 0 <= area[1] or area[0] == area[1]:
        raise InputError(f"`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got {shown(area)}.")
