"""What to look at before any test: summaries, intervals, orders, places, worst cases, quartile charts."""

from typing import TYPE_CHECKING

from podium.analysis import describe as _describe
from podium.analysis.describe import *  # noqa: F403
from podium.checks import close_module

__all__ = sorted(_describe.__all__)

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
