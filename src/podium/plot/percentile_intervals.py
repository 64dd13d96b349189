"""Plot of percentile intervals."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import Orientation
from podium.plot.drawing import PLOTS, plot_of
from podium.plot.figures.intervals import Intervals
from podium.plot.figures.percentile_intervals import percentile_intervals as percentile_numbers

__all__ = ["percentile_intervals"]


@plot_of(percentile_numbers, canvas=canvas.categorical)
def percentile_intervals(
    ax: Axes,
    numbers: Intervals,
    *,
    orientation: Orientation = "horizontal",
    palette: Mapping[str, str],
    title: str | None = None,
) -> None:
    """Draw the middle part of each algorithm's performance distribution, and its mean."""
    PLOTS["intervals"].draw(ax, numbers, orientation=orientation, palette=palette, title=title)
