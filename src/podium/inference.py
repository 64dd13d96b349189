"""Global tests, tests of one pair, adjustments, effect sizes, Bayesian comparisons, mixed models."""

from typing import TYPE_CHECKING

from podium.analysis import inference as _inference
from podium.analysis import mixed as _mixed
from podium.analysis.blocks import Blocks as Blocks
from podium.analysis.compare import compare as compare
from podium.analysis.comparison import Comparison as Comparison
from podium.analysis.inference import *  # noqa: F403
from podium.analysis.mixed import *  # noqa: F403
from podium.analysis.omnibus import Omnibus as Omnibus
from podium.analysis.procedure import Procedure as Procedure
from podium.analysis.procedure import Request as Request
from podium.checks import close_module

__all__ = sorted(
    {"Blocks", "Comparison", "Omnibus", "Procedure", "Request", "compare", *_inference.__all__, *_mixed.__all__}
)

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
