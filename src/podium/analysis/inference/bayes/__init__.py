"""Bayesian comparisons: the probability that one algorithm is better, that they are equivalent, or the other way."""

from podium.analysis.inference.bayes.compare import compare_bayes
from podium.analysis.inference.bayes.comparison import BayesComparison

__all__ = ["BayesComparison", "compare_bayes"]
