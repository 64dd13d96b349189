"""The Nemenyi test, and the Bonferroni–Dunn test against a control.

J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning Research
7, 1–30, section 3.2.2.
"""

from __future__ import annotations

from math import inf

from podium.analysis.methods.rank_test import MEAN_RANKS, RankTest
from podium.analysis.methods.ranks import RankOutcome, Tail, rank_pairs
from podium.arrays import FloatArray, IntArray
from podium.checks import is_number, shown
from podium.errors import InputError


def nemenyi_test(
    ranks: FloatArray, first: IntArray, second: IntArray, *, control: bool, tail: Tail, df: float = inf
) -> RankOutcome:
    """Compare mean ranks, with the variance K(K + 1)/(6n) of ranks without ties."""
    if not is_number(df) or not df > 0:
        raise InputError(f"`df` must be a positive number; got {shown(df)}.")
    return rank_pairs(ranks, first, second, variance="plain", control=control, tail=tail, df=float(df))


NEMENYI = RankTest(name="nemenyi", title="Nemenyi test", function=nemenyi_test, caution=MEAN_RANKS)
BONFERRONI_DUNN = RankTest(
    name="bonferroni-dunn",
    title="Bonferroni–Dunn test",
    function=nemenyi_test,
    control_of="nemenyi",
    control_adjust="bonferroni",
    caution=MEAN_RANKS,
)
