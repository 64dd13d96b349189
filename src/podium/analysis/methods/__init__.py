"""Inference: rank tests and pairwise tests.

Global tests (`friedman` and related tests) end in an `Omnibus`, comparisons of pairs in a `Comparison`. Every outcome
says which unit it generalises to: replications of one data set, or data sets of a domain.
"""

from typing import TYPE_CHECKING

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.blocks import Blocks
from podium.analysis.magnitude import magnitude as magnitude
from podium.analysis.methods.bayes import BayesComparison, PlackettLuce, compare_bayes, plackett_luce
from podium.analysis.methods.effects import cliffs_delta, effect_sizes, superiority
from podium.analysis.methods.global_test import GLOBAL_TESTS, GlobalFunction, GlobalOutcome, GlobalTest
from podium.analysis.methods.paired import PairedTest, paired_test
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, PairOutcome, PairwiseTest, Structure
from podium.analysis.methods.rank_test import RANK_TESTS, RankTest
from podium.analysis.methods.ranks import RankOutcome
from podium.analysis.notes import Note
from podium.analysis.procedure import Procedure, Request

__all__ = [
    "ADJUSTMENTS",
    "GLOBAL_TESTS",
    "PAIRWISE_TESTS",
    "RANK_TESTS",
    "BayesComparison",
    "Blocks",
    "GlobalFunction",
    "GlobalOutcome",
    "GlobalTest",
    "Note",
    "PairOutcome",
    "PairedTest",
    "PairwiseTest",
    "PlackettLuce",
    "Procedure",
    "RankOutcome",
    "RankTest",
    "Request",
    "Structure",
    "adjust_pvalues",
    "cliffs_delta",
    "compare_bayes",
    "effect_sizes",
    "magnitude",
    "paired_test",
    "plackett_luce",
    "superiority",
]

if TYPE_CHECKING:
    aligned_ranks: GlobalFunction
    cochran_q: GlobalFunction
    friedman: GlobalFunction
    iman_davenport: GlobalFunction
    quade: GlobalFunction
    skillings_mack: GlobalFunction
    __all__ += ["aligned_ranks", "cochran_q", "friedman", "iman_davenport", "quade", "skillings_mack"]

# Every global test of the folder is a function of its name.
_global = {name: test.public for name, test in GLOBAL_TESTS.items()}
globals().update(_global)
__all__ += sorted(_global)
