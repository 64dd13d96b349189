"""Paired comparisons: the Bradley–Terry model, and trees of such models."""

from podium.analysis.trees.bradley_terry import BradleyTerry, bradley_terry
from podium.analysis.trees.covariates import Covariate, CovariateSplit
from podium.analysis.trees.fluctuation_process import Instability
from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.analysis.trees.tree import BradleyTerryTree, Node, bradley_terry_tree
from podium.analysis.trees.validation import TreeValidation

__all__ = [
    "BradleyTerry",
    "BradleyTerryTree",
    "Covariate",
    "CovariateSplit",
    "Instability",
    "Node",
    "PairedComparisons",
    "TreeValidation",
    "bradley_terry",
    "bradley_terry_tree",
]
