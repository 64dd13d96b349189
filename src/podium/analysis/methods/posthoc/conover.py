"""The Conover test.

W. J. Conover (1999). Practical Nonparametric Statistics, 3rd edition. Wiley, section 5.8.
"""

from __future__ import annotations

from dataclasses import replace

from podium.analysis.methods.rank_test import RankTest
from podium.analysis.methods.ranks import RankOutcome, Tail, rank_pairs
from podium.arrays import FloatArray, IntArray


def conover_test(ranks: FloatArray, first: IntArray, second: IntArray, *, control: bool, tail: Tail) -> RankOutcome:
    """Compare mean ranks, with the variance that is left after differences between algorithms are removed."""
    outcome = rank_pairs(ranks, first, second, variance="conover", control=control, tail=tail)
    return replace(outcome, single_step=None) if control else outcome


CONOVER = RankTest(
    name="conover",
    title="Conover test",
    function=conover_test,
    control_adjust="holm",
    caution=(
        "Conover's test removes the differences between algorithms from the variance; where some algorithms differ and "
        "others do not, it rejects equal ones more often than alpha allows."
    ),
)
