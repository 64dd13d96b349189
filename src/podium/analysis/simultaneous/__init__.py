"""Simultaneous inference: the distribution of the largest of several correlated statistics.

Tests and intervals for many contrasts at once need P(max |T_i| > c), where the T_i are jointly normal or t and may be
linearly dependent, as the differences between algorithms are. `max_abs` takes their correlation, `max_abs_contrasts`
contrasts and the covariance of the estimates:

>>> import numpy as np
>>> from podium.analysis.simultaneous import all_pairs_contrasts, max_abs_contrasts
>>> maximum = max_abs_contrasts(all_pairs_contrasts(6), np.eye(6))
>>> print(maximum.quantile(0.95).round(4))           # critical value of all 15 comparisons of 6 algorithms
2.8497
>>> maximum.sf([3.0, 4.0]).round(4)                  # single-step adjusted p-values of two statistics
array([0.0323, 0.0009])
"""

from podium.analysis.simultaneous.contrasts import all_pairs_contrasts, control_contrasts
from podium.analysis.simultaneous.max_t import Maximum, max_abs, max_abs_contrasts
from podium.analysis.simultaneous.step_down import step_down

__all__ = ["Maximum", "all_pairs_contrasts", "control_contrasts", "max_abs", "max_abs_contrasts", "step_down"]
