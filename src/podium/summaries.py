"""What one looks at before any test: summaries, intervals, orders, places, worst cases, quartile charts."""

from typing import TYPE_CHECKING, NoReturn

from podium.analysis import describe as _describe
from podium.analysis.describe import *  # noqa: F403
from podium.checks import unknown_name

__all__ = sorted(_describe.__all__)

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves

    def __getattr__(name: str) -> NoReturn:
        raise unknown_name(__name__, name, __all__)
