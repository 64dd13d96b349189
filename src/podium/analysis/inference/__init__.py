"""Inference by ranks and by pairs.

Global tests (`friedman` and its kin) end in an `Omnibus`, comparisons of pairs (`compare`) in a `Comparison`. Every
outcome says which unit it generalises to: replications of one data set, or data sets of a domain.
"""

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.inference.aligned import aligned_ranks
from podium.analysis.inference.bayes import BayesComparison, compare_bayes
from podium.analysis.inference.cochran import cochran_q
from podium.analysis.inference.compare import compare
from podium.analysis.inference.effects import cliffs_delta, effect_sizes, superiority
from podium.analysis.inference.friedman import friedman, iman_davenport
from podium.analysis.inference.paired import PairedTest, paired_test
from podium.analysis.inference.quade import quade
from podium.analysis.inference.registry import PAIRWISE_TESTS, PairwiseTest
from podium.analysis.inference.skillings_mack import skillings_mack

__all__ = [
    "ADJUSTMENTS",
    "PAIRWISE_TESTS",
    "BayesComparison",
    "PairedTest",
    "PairwiseTest",
    "adjust_pvalues",
    "aligned_ranks",
    "cliffs_delta",
    "cochran_q",
    "compare",
    "compare_bayes",
    "effect_sizes",
    "friedman",
    "iman_davenport",
    "paired_test",
    "quade",
    "skillings_mack",
    "superiority",
]
