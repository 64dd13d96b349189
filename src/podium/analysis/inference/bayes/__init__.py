"""Bayesian comparisons: the probabilities that one algorithm is better than another, equivalent to it, or worse."""

from podium.analysis.inference.bayes.compare import compare_bayes
from podium.analysis.inference.bayes.comparison import BayesComparison

__all__ = ["BayesComparison", "compare_bayes"]
