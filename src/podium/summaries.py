"""What one looks at before any test: summaries, intervals, orders, places, worst cases, quartile charts."""

from podium.analysis import describe as _describe
from podium.analysis.describe import *  # noqa: F403

__all__ = sorted(_describe.__all__)
