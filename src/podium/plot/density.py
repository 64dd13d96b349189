"""Violin plot and density plot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from podium.arrays import FloatArray
from podium.figures.density import Density
from podium.figures.density import density as density_numbers
from podium.plot.lanes import Lanes, Orientation, lane_axes, log_values
from podium.plot.legend import LegendPlan, draw_legend, legend_and_axes
from podium.plot.style import Size, axes, check_size, colours, edge, ink, label_values, local
from podium.plot.style import title as write_title
from podium.results import Results


def violin(
    results: Results,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    orientation: Orientation = "horizontal",
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> Axes:
    """Draw violins, algorithms ordered by mean: the density estimate, the quartiles as a bar, the median as a dot.

    Density estimates are cut at the smallest and the greatest value.

    Parameters
    ----------
    results, measure, ax, orientation, size, palette
        As for `podium.plot.strip`.
    **options
        Passed to `podium.figures.density`: order, missing.

    Returns
    -------
    Axes
    """
    numbers = density_numbers(results, measure, **options)
    with local(size):
        ax = lane_axes(ax, numbers, orientation, size)
        draw_violin(ax, numbers, colours(results, palette), orientation)
    return ax


def density(
    results: Results,
    measure: str | None = None,
    *,
    ax: Axes | None = None,
    overlay: bool = False,
    size: Size = "screen",
    palette: Mapping[str, str] | None = None,
    **options: Any,
) -> Axes:
    """Draw density estimates, algorithms ordered by mean: one curve above the other, or all on one base line.

    Estimates are cut at the smallest and the greatest value. One above the other, each has its mean as a line, and
    peaks are drawn as high as the square roots of the densities, so that flat curves stay visible.

    Parameters
    ----------
    results, measure, ax, size, palette
        As for `podium.plot.strip`.
    overlay : bool, default False
        Whether all curves stand on one base line, with a legend; good for up to six or so.
    **options
        Passed to `podium.figures.density`: order, missing.

    Returns
    -------
    Axes
    """
    numbers = density_numbers(results, measure, **options)
    chosen = colours(results, palette)
    with local(size):
        if overlay:
            plan, ax = legend_and_axes(ax, numbers.algorithms, check_size(size))
            draw_overlay(ax, numbers, chosen, plan)
        else:
            ax = axes(ax, size=size, rows=len(numbers.algorithms))
            draw_density(ax, numbers, chosen)
    return ax


def curve(numbers: Density, k: int) -> tuple[FloatArray, FloatArray]:
    """Cut the density estimate of one algorithm at its smallest and greatest value: there is nothing beyond."""
    low, high = numbers.lowest[k], numbers.highest[k]
    inside = (numbers.grid > low) & (numbers.grid < high)
    value = np.concatenate([[low], numbers.grid[inside], [high]])
    return value, np.interp(value, numbers.grid, numbers.density[k])


def draw_violin(
    ax: Axes,
    numbers: Density,
    palette: Mapping[str, str],
    orientation: Orientation = "horizontal",
    title: str | None = None,
) -> None:
    """Draw the numbers of a violin plot."""
    lanes = Lanes(ax, numbers, orientation)
    for k, name in enumerate(numbers.algorithms):
        value, height = curve(numbers, k)
        half = 0.42 * height / max(height.max(), 1e-300)
        dark = edge(palette[name])
        lanes.band(value, k - half, k + half, facecolor=palette[name], edgecolor=dark, linewidth=0.7, alpha=0.85)
    lane = np.arange(len(numbers.algorithms))
    first, median, last = numbers.quartiles.T
    size = min(3.6, 0.2 * lanes.thickness)
    lanes.strokes(lane, first, last, colors="black", linewidths=0.8 * size, zorder=3)
    lanes.dots(lane, median, size=size, color="white", edgecolors="black", linewidths=0.8, zorder=4)
    lanes.finish(logarithmic=numbers.logarithmic and numbers.grid[0] > 0, title=title)


def draw_density(ax: Axes, numbers: Density, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw densities one above the other."""
    lanes = Lanes(ax, numbers, "horizontal")
    highest = max(float(numbers.density.max()), 1e-300)
    for k, name in enumerate(numbers.algorithms):
        # The tallest curve reaches a little into the row above; flat ones are raised to stay visible.
        own = max(float(numbers.density[k].max()), 1e-300)
        value, height = curve(numbers, k)
        height *= 1.15 / own * (own / highest) ** 0.5
        base = np.full(len(value), k + 0.4)
        look = {"facecolor": palette[name], "edgecolor": edge(palette[name]), "linewidth": 0.8, "alpha": 0.85}
        lanes.band(value, base, base - height, zorder=2 + 0.01 * k, **look)
        mean = float(numbers.means[k])
        top = float(np.interp(mean, value, height))
        for colour, width in (("black", 1.0), (ink(palette[name]), 0.6)):
            ax.plot([mean, mean], [k + 0.4, k + 0.4 - top], color=colour, linewidth=width, zorder=2.005 + 0.01 * k)
    lanes.finish(logarithmic=numbers.logarithmic and numbers.grid[0] > 0, title=title, room=0.75)


def draw_overlay(ax: Axes, numbers: Density, palette: Mapping[str, str], plan: LegendPlan) -> None:
    """Draw all densities on one base line."""
    styles = ("-", "--", ":", "-.")
    handles = []
    for k, name in enumerate(numbers.algorithms):
        look: dict[str, Any] = {"color": palette[name], "linewidth": 2, "linestyle": styles[k % len(styles)]}
        ax.plot(*curve(numbers, k), **look)
        handles.append(Line2D([], [], **look))
    if numbers.logarithmic and numbers.grid[0] > 0:
        log_values(ax, "x")
    label_values(ax, numbers.value_label, "x")
    ax.set_ylabel("density")
    ax.set_ylim(bottom=0)
    write_title(ax, numbers.heading)
    draw_legend(ax, handles, plan)
