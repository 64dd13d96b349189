"""Simultaneous inference: the distribution of the largest of several correlated statistics.

Tests and intervals for many contrasts at once need P(max |T_i| > c), where the T_i are jointly normal or t and may be
linearly dependent, as the differences between algorithms are. `max_abs` takes their correlation, `max_abs_contrasts`
contrasts and the covariance of the estimates. `podium.inference.MixedFit.contrasts` uses it:

>>> import podium
>>> comparison = podium.mixed(podium.examples.load_demsar2006()).contrasts()
>>> comparison.critical_value.round(3).tolist()[:2]  # one pair alone would need 2.02 standard errors
[2.683, 2.683]
"""

from podium.analysis.simultaneous.contrasts import all_pairs_contrasts, control_contrasts
from podium.analysis.simultaneous.max_t import Maximum, max_abs, max_abs_contrasts, step_down

__all__ = ["Maximum", "all_pairs_contrasts", "control_contrasts", "max_abs", "max_abs_contrasts", "step_down"]
