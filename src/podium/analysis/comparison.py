"""`Comparison`: pairs of algorithms, compared; the outcome of every pairwise test."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.omnibus import Omnibus, Unit
from podium.arrays import BoolArray, FloatArray, IntArray, StrArray
from podium.checks import check_alpha, is_number
from podium.errors import InputError, LabelError, listing
from podium.results import MeasureInfo, MissingReport

if TYPE_CHECKING:
    from podium.analysis.preference import Relation

Decision: TypeAlias = Literal["better", "equivalent", "undecided"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Comparison:
    """All pairs of algorithms, or all against a control.

    The arrays hold one entry per pair; pair i compares ``algorithms[first[i]]`` (called a) with
    ``algorithms[second[i]]`` (called b), and `estimate` is a minus b.

    Attributes
    ----------
    method : str
        Name of the procedure, as it would stand in a paper.
    algorithms : tuple of str
    first, second : ndarray of int
        Positions of a and b.
    estimate : ndarray of float
        Estimated difference a - b, in the terms of `estimand`.
    statistic, pvalue, adjusted : ndarray of float
        Test statistic, p-value of the pair alone, and p-value adjusted for all pairs. NaN where a procedure has none.
    lower, upper : ndarray of float
        Ends of the (simultaneous) confidence interval of the difference; NaN where a procedure has none.
    estimand : str
        What is estimated: ``"difference of means"``, ``"difference of mean ranks"``, ...
    sign : {1, -1}
        1 if a negative estimate favours a (costs, ranks), -1 if a positive one does.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
        What the outcome generalises to: replications of one data set, or data sets of a domain.
    n : int
        Number of blocks.
    alpha : float
        Family-wise level of the decisions, unless `adjustment` controls something else.
    adjustment : str
        How `adjusted` was obtained.
    control : str or None
        The algorithm against which all others are compared.
    equivalence : (float, float) or None
        The area [Δ1, Δ2] of differences that do not matter.
    equivalence_interval : (ndarray, ndarray) or None
        Lower and upper ends to be compared with that area, where `lower` and `upper` are not in the unit of the
        measure (differences of ranks have none); None if they are.
    omnibus : Omnibus or None
        The global test before it.
    gated : bool
        Whether pairs may be called different only if `omnibus` is significant.
    missing : MissingReport or None
    details : mapping
        What else the procedure computed: mean ranks, critical difference, ...
    notes : tuple of str
        Why this procedure, and what a reader should know, in whole sentences.
    """

    _made_from: ClassVar = (
        (pd.DataFrame, "Read it and compare first: podium.compare(podium.read(frame))."),
        (object, "podium.compare(results) makes one."),
    )
    _ways_out: ClassVar = {
        "Results": "Use the results that the Comparison was made from.",
        "MixedFit": "Fit a model to the results it was made from: podium.mixed(results).",
        "Relation": "Use comparison.relation().",
    }

    method: str
    algorithms: tuple[str, ...]
    first: IntArray
    second: IntArray
    estimate: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    adjusted: FloatArray
    lower: FloatArray
    upper: FloatArray
    estimand: str
    sign: Literal[1, -1]
    measure: MeasureInfo
    unit: Unit
    n: int
    alpha: float = 0.05
    adjustment: str = "none"
    control: str | None = None
    equivalence: tuple[float, float] | None = None
    equivalence_interval: tuple[FloatArray, FloatArray] | None = None
    omnibus: Omnibus | None = None
    gated: bool = False
    missing: MissingReport | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_equivalence(self.equivalence)

    @property
    def significant(self) -> BoolArray:
        """Which pairs differ at level alpha, by the adjusted p-value; an untested pair (NaN) does not.

        After a global test that is not significant no pair does, if the comparison is `gated`.
        """
        if self.gated and self.omnibus is not None and not self.omnibus.significant:
            return np.zeros(len(self.adjusted), bool)
        return np.nan_to_num(self.adjusted, nan=1.0) <= self.alpha

    @property
    def untested(self) -> BoolArray:
        """Which pairs have no p-value."""
        return np.isnan(self.adjusted)

    @property
    def area(self) -> tuple[float, float] | None:
        """The differences that do not matter, whichever algorithm of a pair is named first.

        Against a control, and in contrasts of your own, a difference has a direction, and this is `equivalence`. Of all
        pairs a - b and b - a are one comparison: there it is the part of `equivalence` that is the same both ways.
        """
        if self.equivalence is None or self.control is not None or "sides" in self.details:
            return self.equivalence
        return both_ways(self.equivalence)

    @property
    def inside(self) -> BoolArray:
        """Which intervals lie wholly in the `area` of equivalence."""
        if self.area is None:
            return np.zeros(len(self.estimate), bool)
        low, high = self.area
        lower, upper = (self.lower, self.upper) if self.equivalence_interval is None else self.equivalence_interval
        return (lower >= low) & (upper <= high)

    @property
    def relevant(self) -> BoolArray:
        """Which pairs differ significantly and by an interval that is not inside the area of equivalence."""
        return self.significant & ~self.inside

    @property
    def decision(self) -> StrArray:
        """For each pair: ``"better"`` (one is), ``"equivalent"`` (the difference does not matter) or ``"undecided"``.

        Which one is better is told by the estimate. Not significant is not equal: without an area of equivalence
        no pair is ever called equivalent.
        """
        return np.where(self.inside, "equivalent", np.where(self.significant, "better", "undecided"))

    @property
    def order(self) -> tuple[str, ...]:
        """The algorithms, the one with the best estimates first."""
        return tuple(self.algorithms[i] for i in self._best_first())

    def frame(self) -> pd.DataFrame:
        """One row per pair, the algorithm with the better estimate first.

        Returns
        -------
        DataFrame
            Columns a, b, estimate (a - b), lower, upper, statistic, pvalue, adjusted, decision; ``"better"`` reads
            "a is better than b". Rows are ordered by a and b, best first.
        """
        swap = ~self._first_leads()
        flip = np.where(swap, -1.0, 1.0)
        names = np.array(self.algorithms, object)
        a, b = np.where(swap, self.second, self.first), np.where(swap, self.first, self.second)
        frame = pd.DataFrame(
            {
                "a": names[a],
                "b": names[b],
                "estimate": flip * self.estimate + 0.0,  # no -0
                "lower": np.where(swap, -self.upper, self.lower),
                "upper": np.where(swap, -self.lower, self.upper),
                "statistic": self._oriented_statistic(flip) + 0.0,
                "pvalue": self.pvalue,
                "adjusted": self.adjusted,
                "decision": self.decision,
            }
        )
        place = np.empty(len(self.algorithms), int)
        place[self._best_first()] = np.arange(len(self.algorithms))
        return frame.iloc[np.lexsort((place[b], place[a]))].reset_index(drop=True)

    def pair(self, a: str, b: str) -> pd.Series[Any]:
        """One pair, seen from a: estimate a - b, and decision ``"better"``, ``"worse"``, ..."""
        for i, (x, y) in enumerate(zip(self.first, self.second, strict=True)):
            names = (self.algorithms[x], self.algorithms[y])
            if set(names) == {a, b} and a != b:
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
                        "statistic": self._oriented_statistic(np.full(len(self.estimate), flip))[i],
                        "pvalue": self.pvalue[i],
                        "adjusted": self.adjusted[i],
                        "decision": decision,
                    }
                )
        raise LabelError(f"{a!r} and {b!r} are not a pair of this comparison of {listing(self.algorithms, most=12)}.")

    def matrix(self, what: Literal["adjusted", "pvalue"] = "adjusted") -> pd.DataFrame:
        """Return a square table of p-values, labelled, with ones on the diagonal; NaN where not compared."""
        if what not in ("adjusted", "pvalue"):
            raise InputError(f"`what` must be 'adjusted' or 'pvalue'; got {what!r}.")
        k = len(self.algorithms)
        square = np.full((k, k), np.nan)
        square[self.first, self.second] = square[self.second, self.first] = getattr(self, what)
        np.fill_diagonal(square, 1.0)
        return pd.DataFrame(square, index=list(self.algorithms), columns=list(self.algorithms))

    def relation(self, by: Literal["significance", "relevance"] = "significance") -> Relation:
        """Turn the decisions into a preference relation: a ≺ b where a is significantly (or relevantly) better."""
        from podium.analysis.preference import Relation

        if by not in ("significance", "relevance"):
            raise InputError(f"`by` must be 'significance' or 'relevance'; got {by!r}.")
        if self.control is not None:
            raise InputError(
                "A relation needs all pairs; this comparison has only those against the control "
                f"{self.control!r}. Compare all pairs: control=None."
            )
        k = len(self.algorithms)
        pairs = len({frozenset(pair) for pair in zip(self.first.tolist(), self.second.tolist(), strict=True)})
        if pairs < k * (k - 1) // 2:
            raise InputError(
                f"A relation needs all pairs; this comparison has {pairs} of the {k * (k - 1) // 2} of "
                f"{listing(self.algorithms, most=12)}. Compare all pairs: podium.compare(results)."
            )
        if by == "relevance" and self.equivalence is None:
            raise InputError("`by='relevance'` needs an area of equivalence: compare(..., equivalence=(-0.01, 0.01)).")
        differs = self.significant if by == "significance" else self.relevant
        leads = self._first_leads()
        better, worse = np.where(leads, self.first, self.second), np.where(leads, self.second, self.first)
        strict = np.zeros((k, k), bool)
        strict[better[differs], worse[differs]] = True
        return Relation.from_strict(strict, self.algorithms)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return dataclasses.replace(self, **changes)

    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of algorithms of which no two are known to differ, best first; an algorithm may be in several.

        Untested pairs are in no common group.
        """
        from podium.analysis.inference.groups import comparison_groups

        return [tuple(self.algorithms[i] for i in members) for members in comparison_groups(self)]

    def text(self) -> str:
        """Tell the outcome in a paragraph."""
        from podium.analysis.telling import comparison_text

        return comparison_text(self)

    def latex(self, *, caption: str | None = None, label: str | None = None, digits: int = 3) -> str:
        """Return a table of all pairs for a LaTeX document (packages booktabs; longtable beyond 40 pairs).

        Parameters
        ----------
        caption, label : str, optional
            The caption defaults to a sentence on the procedure.
        digits : int, default 3
            Significant digits of estimates, intervals and statistics.
        """
        from podium.analysis.telling import comparison_latex

        return comparison_latex(self, caption=caption, label=label, digits=digits)

    def __repr__(self) -> str:
        from podium.analysis.telling import comparison_repr

        return comparison_repr(self)

    def _repr_html_(self) -> str:
        from podium.analysis.telling import comparison_html

        return comparison_html(self)

    def _first_leads(self) -> BoolArray:
        """Whether a has the better estimate; where that is 0, the statistic tells, and else the whole order."""
        lead = self.estimate
        if not self.details.get("unsigned"):
            lead = np.where(self.estimate == 0, self.statistic, self.estimate)
        place = np.empty(len(self.algorithms), int)
        place[self._best_first()] = np.arange(len(self.algorithms))
        side = np.sign(self.sign * np.nan_to_num(lead))
        leads: BoolArray = np.where(side == 0, place[self.first] < place[self.second], side < 0)
        return leads

    def _oriented_statistic(self, flip: FloatArray) -> FloatArray:
        """Turn signed statistics round with their pair; unsigned ones (``details["unsigned"]``) stay."""
        return self.statistic if self.details.get("unsigned") else flip * self.statistic

    def _best_first(self) -> IntArray:
        """Order the algorithms by their estimates against all others, or against the control; equal ones by name."""
        lead = np.nan_to_num(self.sign * self.estimate)
        total = np.zeros(len(self.algorithms))
        np.add.at(total, self.first, lead)
        if self.control is None:
            np.subtract.at(total, self.second, lead)
        size = float(np.abs(total).max()) or 1.0
        return np.lexsort((np.array(self.algorithms), np.round(total / size, 10)))  # equal up to rounding is equal


def both_ways(area: tuple[float, float]) -> tuple[float, float]:
    """The part of an area of equivalence that is the same for a - b and for b - a."""
    reach = min(-float(area[0]), float(area[1]))
    return -reach, reach


def check_equivalence(area: tuple[float, float] | None) -> None:
    """Refuse an area of equivalence that does not hold 0."""
    if area is None:
        return
    pair = isinstance(area, tuple | list | np.ndarray) and len(area) == 2 and all(is_number(end) for end in area)
    if not pair or not area[0] <= 0 <= area[1] or area[0] == area[1]:
        raise InputError(f"`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got {area!r}.")


def all_pairs(k: int) -> tuple[IntArray, IntArray]:
    """Positions of all pairs i < j of k algorithms."""
    first, second = np.triu_indices(k, 1)
    return first, second
