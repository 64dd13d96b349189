"""Inference by ranks and by pairs.

Global tests (`friedman` and its kin) end in an `Omnibus`, comparisons of pairs in a `Comparison`. Every outcome says
which unit it generalises to: replications of one data set, or data sets of a domain.
"""

from typing import TYPE_CHECKING

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.blocks import Blocks
from podium.analysis.inference.bayes import BayesComparison, compare_bayes
from podium.analysis.inference.effects import cliffs_delta, effect_sizes, superiority
from podium.analysis.inference.global_test import GLOBAL_TESTS, GlobalOutcome, GlobalTest
from podium.analysis.inference.paired import PairedTest, paired_test
from podium.analysis.inference.pairwise_test import PAIRWISE_TESTS, PairOutcome, PairwiseTest, Structure
from podium.analysis.inference.rank_test import RANK_TESTS, RankTest
from podium.analysis.inference.ranks import RankOutcome
from podium.analysis.notes import Note
from podium.analysis.procedure import Procedure, Request

if TYPE_CHECKING:
    from podium.analysis.inference.omnibus.aligned_ranks import aligned_ranks as aligned_ranks
    from podium.analysis.inference.omnibus.cochran_q import cochran_q as cochran_q
    from podium.analysis.inference.omnibus.friedman import friedman as friedman
    from podium.analysis.inference.omnibus.iman_davenport import iman_davenport as iman_davenport
    from podium.analysis.inference.omnibus.quade import quade as quade
    from podium.analysis.inference.omnibus.skillings_mack import skillings_mack as skillings_mack

__all__ = [
    "ADJUSTMENTS",
    "GLOBAL_TESTS",
    "PAIRWISE_TESTS",
    "RANK_TESTS",
    "BayesComparison",
    "Blocks",
    "GlobalOutcome",
    "GlobalTest",
    "Note",
    "PairOutcome",
    "PairedTest",
    "PairwiseTest",
    "Procedure",
    "RankOutcome",
    "RankTest",
    "Request",
    "Structure",
    "adjust_pvalues",
    "cliffs_delta",
    "compare_bayes",
    "effect_sizes",
    "paired_test",
    "superiority",
]

# Every global test of the folder is a function of its name.
_global = {name: test.public or test for name, test in GLOBAL_TESTS.items()}
globals().update(_global)
__all__ += sorted(_global)
