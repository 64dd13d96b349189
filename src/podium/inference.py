"""Global tests, tests of one pair, adjustments, effect sizes, Bayesian comparisons, mixed models."""

from podium.analysis import inference as _inference
from podium.analysis import mixed as _mixed
from podium.analysis.compare import compare as compare
from podium.analysis.comparison import Comparison as Comparison
from podium.analysis.inference import *  # noqa: F403
from podium.analysis.mixed import *  # noqa: F403
from podium.analysis.omnibus import Omnibus as Omnibus

__all__ = sorted(["Comparison", "Omnibus", "compare", *_inference.__all__, *_mixed.__all__])
