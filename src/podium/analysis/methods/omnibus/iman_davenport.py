"""The Iman–Davenport test: the F version of the Friedman test."""

from __future__ import annotations

from podium.analysis.blocks import RANK_POLICIES
from podium.analysis.methods.global_test import EXCHANGEABLE, GlobalOutcome, GlobalTest
from podium.analysis.methods.omnibus.friedman import TieRule, friedman_test
from podium.arrays import FloatArray


def iman_davenport_test(costs: FloatArray, *, ties: TieRule = "corrected") -> GlobalOutcome:
    """Test whether the algorithms differ at all by the F version of the Friedman test.

    The same as ``friedman(results, distribution="F")``; it is less conservative than χ². With fewer than ten blocks it
    may reject too often, see there; ``friedman(results, distribution="permutation")`` keeps the level. As there, the
    hypothesis is that the algorithms are exchangeable within blocks, which is more than equal means.

    Parameters
    ----------
    ties : {"corrected", "plain"}
        As for `friedman`.

    Examples
    --------
    >>> import podium
    >>> round(podium.inference.iman_davenport(podium.examples.load_demsar2006(), ties="plain").statistic, 4)
    3.9867
    """
    return friedman_test(costs, ties=ties, distribution="F")


IMAN_DAVENPORT = GlobalTest(
    name="iman_davenport",
    title="Iman–Davenport test",
    function=iman_davenport_test,
    policies=RANK_POLICIES,
    caution=EXCHANGEABLE,
)
