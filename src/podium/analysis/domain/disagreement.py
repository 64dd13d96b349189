"""`Disagreement`: two algorithms that the consensus and the model of a domain put in opposite order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.consensus.profile import Profile
from podium.analysis.relation import Relation
from podium.arrays import FloatArray
from podium.checks import record


@record(kw_only=True)
class Disagreement:
    """Two algorithms in opposite order: the consensus counts data sets, the model weighs the size of differences.

    Eugster, Hothorn & Leisch (2008), section 4.3.

    Attributes
    ----------
    a, b : str
        The consensus puts a before b; by the means of the model b is the better one.
    wins, losses, ties : int
        On how many data sets a is better than b, worse, or neither.
    gain, loss : float
        By how much the mean of a is better on average where a wins, and worse where it loses, in the units of
        `measure`; NaN where there is no such data set. The order on a data set may follow from other criteria, or
        from other numbers than means: below 0 the mean of a is worse where a wins, or better where it loses.
    even : float
        By how much b is ahead on average where neither is better; NaN where there is no such data set.
    estimate : float
        By how much b is better than a in the model.
    decision : {"better", "equivalent", "undecided"}
        What the model decides about b against a.
    majority : bool
        Whether the data sets on which a is better count more than those on which it is worse, weights included. If
        not, the consensus puts a before b because of how the two compare with the other algorithms.
    criteria : int
        Number of criteria of the orders on the data sets; the model has the measure of the first one only.
    measure : str
        That measure.
    ratios : bool
        Whether `gain`, `loss` and `estimate` are logarithms of ratios: the model is on the log scale.
    """

    a: str
    b: str
    wins: int
    losses: int
    ties: int
    gain: float
    loss: float
    even: float
    estimate: float
    decision: Literal["better", "equivalent", "undecided"]
    majority: bool = True
    criteria: int = 1
    measure: str
    ratios: bool = False

    def __str__(self) -> str:
        total = self.wins + self.losses + self.ties
        model = {
            "better": f"{self.b} is significantly better by the model",
            "equivalent": f"the model calls the two equivalent, {self.b} slightly ahead",
            "undecided": f"{self.b} is ahead by the model, though not significantly",
        }[self.decision]
        return (
            f"{self.a} is before {self.b} in the consensus, but {model} ({self._size(self.estimate)}): "
            f"{self.a} is better on {self.wins} of {total} data sets{self._average(self.gain, self.wins, 'worse')} and "
            f"worse on {self.losses}{self._average(self.loss, self.losses, 'better')}. {self._reason()}"
        )

    def _reason(self) -> str:
        if not self.majority:
            why = "The consensus does not follow from these two alone: it is the nearest order of all algorithms"
        elif self.wins <= self.losses:
            why = (
                "The data sets have different weights in the consensus; the model weighs how large the differences are"
            )
        elif self._decided > 0 and self.even > 0:
            others = "the other one" if self.ties == 1 else f"the {self.ties} others"
            why = (
                f"The consensus counts data sets on which a difference is shown; the model weighs all of them, and on "
                f"{others} {self.b} is ahead ({self._size(self.even)}{' on average' if self.ties > 1 else ''})"
            )
        elif self.gain < 0:  # the two do not compare the same numbers
            if self.criteria == 1:
                return "The model compares means, which the orders on the data sets do not follow."
            return f"The orders on the data sets use {self.criteria} criteria, the model {self.measure} alone."
        else:
            why = "The consensus counts data sets; the model weighs how large the differences are"
        more = f"; the orders on the data sets use {self.criteria} criteria, the model {self.measure} alone"
        return f"{why}{more if self.criteria > 1 else ''}."

    @property
    def _decided(self) -> float:
        """By how much a is ahead in sum where one of the two is better."""
        return float(np.nansum([self.wins * self.gain, -self.losses * self.loss]))

    def _average(self, size: float, count: int, opposite: str) -> str:
        """Say how large the difference of means is where one is better; `opposite` if it points the other way."""
        if np.isnan(size):
            return ""
        known = f"{self._size(abs(size))}{' on average' if count > 1 else ''}"
        mean = f"{'geometric mean' if self.ratios else 'mean'} {self.measure}"
        return f" ({known})" if size >= 0 else f" (although its {mean} is {opposite} there, {known})"

    def _size(self, size: float) -> str:
        return f"by a factor of {np.exp(size):.3g}" if self.ratios else f"by {size:.3g}"


def find_disagreements(
    consensus: Relation,
    comparison: Comparison,
    profile: Profile,
    costs: pd.DataFrame,
    *,
    weights: Mapping[str, float],
    criteria: int,
) -> tuple[Disagreement, ...]:
    """List the pairs that the consensus orders one way and the means of the model the other.

    `costs` are the means of the algorithms (columns) on the data sets (rows), signed so that lower is better,
    on the scale of the model.
    """
    names = list(profile.algorithms)
    strict = profile.matrices("strict")
    judged = profile.judged
    each = np.array([weights[name] for name in profile.voters])
    found = []
    order = consensus.restrict(names)
    for first, second, estimate, decision in zip(
        comparison.first, comparison.second, comparison.estimate, comparison.decision, strict=True
    ):
        one, two = comparison.algorithms[first], comparison.algorithms[second]
        lead = float(estimate) * comparison.sign  # above 0: the second is better by the model
        a, b = (one, two) if lead > 0 else (two, one)
        if lead == 0 or a not in names or b not in names or not order.prefers(a, b):
            continue
        i, j = names.index(a), names.index(b)
        won, lost = strict[:, i, j], strict[:, j, i]
        ahead = (costs[b] - costs[a]).reindex(list(profile.voters)).to_numpy(np.float64)
        found.append(
            Disagreement(
                a=a,
                b=b,
                wins=int(won.sum()),
                losses=int(lost.sum()),
                ties=int((judged[:, i, j] & ~won & ~lost).sum()),
                gain=_mean(ahead[won]),
                loss=_mean(-ahead[lost]),
                even=_mean(-ahead[judged[:, i, j] & ~won & ~lost]),
                estimate=abs(lead),
                decision=str(decision),  # type: ignore[arg-type]
                majority=bool(each[won].sum() > each[lost].sum()),
                criteria=criteria,
                measure=comparison.measure.name,
                ratios=comparison.transform == "log",
            )
        )
    return tuple(sorted(found, key=lambda one: (one.a, one.b)))


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if values.size else float("nan")
