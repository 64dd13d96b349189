"""Tests, adjustments, effect sizes, Bayesian comparisons, mixed models, MultiTest, Bradley–Terry, sequential tests."""

from typing import TYPE_CHECKING

from podium.analysis import methods as _methods
from podium.analysis import mixed as _mixed
from podium.analysis import multitest as _multitest
from podium.analysis import sequential as _sequential
from podium.analysis import trees as _trees
from podium.analysis.blocks import Blocks as Blocks
from podium.analysis.compare import compare as compare
from podium.analysis.comparison import Comparison as Comparison
from podium.analysis.methods import *  # noqa: F403
from podium.analysis.mixed import *  # noqa: F403
from podium.analysis.multitest import *  # noqa: F403
from podium.analysis.omnibus import Omnibus as Omnibus
from podium.analysis.procedure import Procedure as Procedure
from podium.analysis.procedure import Request as Request
from podium.analysis.sequential import *  # noqa: F403
from podium.analysis.trees import *  # noqa: F403
from podium.checks import close_module

__all__ = sorted(
    {
        *("Blocks", "Comparison", "Omnibus", "Procedure", "Request", "compare"),
        *(*_methods.__all__, *_mixed.__all__, *_multitest.__all__, *_sequential.__all__, *_trees.__all__),
    }
)

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
