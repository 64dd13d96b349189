"""Bayesian comparisons: the probabilities that one algorithm is better than another, equivalent to it, or worse."""

from podium.analysis.methods.bayes.compare import compare_bayes
from podium.analysis.methods.bayes.comparison import BayesComparison
from podium.analysis.methods.bayes.plackett_luce import PlackettLuce, plackett_luce

__all__ = ["BayesComparison", "PlackettLuce", "compare_bayes", "plackett_luce"]
