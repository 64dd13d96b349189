"""Density plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from podium.arrays import FloatArray
from podium.checks import check_flag
from podium.plot import canvas
from podium.plot.categorical import CategoricalAxes
from podium.plot.colours import edge_colour, text_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.density import Density
from podium.plot.figures.density import density as density_numbers
from podium.plot.scales import log_values, spread_ticks
from podium.plot.style import Size, cell_size, label_values, title_height, write_title

__all__ = ["density"]

_LEGEND = canvas.with_legend(
    lambda numbers: numbers.algorithms,
    lambda numbers, sheet, options: (
        0.5 * 72 * sheet.width + title_height(options["title"], numbers.heading, sheet.room) + canvas.axis_below(1)
    ),
)


def _canvas(ax: Any, numbers: Density, size: Size, options: canvas.Options) -> canvas.Canvas:
    check_flag(options["overlay"], "overlay")
    return (_LEGEND if options["overlay"] else canvas.categorical)(ax, numbers, size, options)


@plot_of(density_numbers, canvas=_canvas)
def density(
    ax: Axes,
    numbers: Density,
    *,
    overlay: bool = False,
    palette: Mapping[str, str],
    title: str | None = None,
) -> list[Line2D]:
    """Draw density estimates, algorithms ordered by mean: one curve above the other, or all on one base line.

    Estimates are cut at the smallest and the largest value. One above the other, each has its mean as a line, and
    peaks are drawn as high as the square roots of the densities, so that flat curves stay visible.

    Parameters
    ----------
    overlay : bool, default False
        Whether all curves share one base line, with a legend; suitable for up to about six algorithms.
    """
    if overlay:
        return _draw_overlay(ax, numbers, palette, title)
    _draw_ridges(ax, numbers, palette, title)
    return []


def curve(numbers: Density, k: int) -> tuple[FloatArray, FloatArray]:
    """Cut the density estimate of one algorithm at its smallest and largest value: there is nothing beyond."""
    low, high = numbers.lowest[k], numbers.highest[k]
    inside = (numbers.grid > low) & (numbers.grid < high)
    value = np.concatenate([[low], numbers.grid[inside], [high]])
    return value, np.interp(value, numbers.grid, numbers.density[k])


def _draw_ridges(ax: Axes, numbers: Density, palette: Mapping[str, str], title: str | None) -> None:
    """Draw densities one above the other."""
    chart = CategoricalAxes(ax, numbers, "horizontal")
    highest = max(float(numbers.density.max()), 1e-300)
    for k, name in enumerate(numbers.algorithms):
        # The tallest curve reaches a little into the row above; flat ones are raised to stay visible.
        own = max(float(numbers.density[k].max()), 1e-300)
        value, height = curve(numbers, k)
        height *= 1.15 / own * (own / highest) ** 0.5
        base = np.full(len(value), k + 0.4)
        look = {"facecolor": palette[name], "edgecolor": edge_colour(palette[name]), "linewidth": 0.8, "alpha": 0.85}
        chart.band(value, base, base - height, zorder=2 + 0.01 * k, **look)
        mean = float(numbers.means[k])
        top = float(np.interp(mean, value, height))
        for colour, width in (("black", 1.0), (text_colour(palette[name]), 0.6)):
            ax.plot([mean, mean], [k + 0.4, k + 0.4 - top], color=colour, linewidth=width, zorder=2.005 + 0.01 * k)
    chart.finish(logarithmic=numbers.logarithmic and numbers.grid[0] > 0, title=title, room=0.75)


def _draw_overlay(ax: Axes, numbers: Density, palette: Mapping[str, str], title: str | None) -> list[Line2D]:
    """Draw all densities on one base line."""
    styles = ("-", "--", ":", "-.")
    handles = []
    for k, name in enumerate(numbers.algorithms):
        look: dict[str, Any] = {"color": palette[name], "linewidth": 2, "linestyle": styles[k % len(styles)]}
        ax.plot(*curve(numbers, k), **look)
        handles.append(Line2D([], [], **look))
    left = 4.5 * float(mpl.rcParams["font.size"])  # the numbers and the label of the densities
    length = cell_size(ax)[0] - left
    if numbers.logarithmic and numbers.grid[0] > 0:
        log_values(ax, "x", length)
    else:
        spread_ticks(ax, "x", length)
    label_values(ax, numbers.value_parts, "x", length)
    ax.set_ylabel("density")
    ax.set_ylim(bottom=0)
    write_title(ax, title, numbers.heading, left=left)
    return handles
