"""Stacked bars, spine and mosaic plots."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from podium.plot import canvas
from podium.plot.canvas import height_of_many
from podium.plot.categorical import bars
from podium.plot.drawing import plot_of
from podium.plot.figures.stacked import Stacked
from podium.plot.figures.stacked import stacked as stacked_numbers
from podium.plot.legend import LegendPlan, draw_legend
from podium.plot.names import LINE, lines_of, names_beside, widest
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title

__all__ = ["stacked"]


def _height(numbers: Stacked, sheet: Sheet, options: canvas.Options) -> float:
    """Height in points."""
    return (
        height_of_many(numbers.datasets, sheet) + canvas.axis_below(2) + title_height(options["title"], "", sheet.room)
    )


@plot_of(stacked_numbers, canvas=canvas.with_legend(lambda numbers: numbers.algorithms, _height))
def stacked(
    ax: Axes,
    numbers: Stacked,
    *,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> None:
    """Draw a statistic of all algorithms on each data set, stacked: how hard it is, and for which algorithms.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.stacked(podium.examples.load_demsar2006(), kind="mosaic")
    """
    middle = numbers.top + numbers.thickness / 2
    rows = len(numbers.datasets)
    gap = 0.0 if rows > 60 else 0.04 if numbers.kind == "mosaic" and rows <= 20 else 0.12
    high = numbers.thickness * (1 - gap)
    for i, name in enumerate(numbers.algorithms):
        bars(ax, numbers.left[:, i], middle - high / 2, numbers.width[:, i], high, color=palette[name], linewidth=0)
    width, height = cell_size(ax)
    font = float(mpl.rcParams["ytick.labelsize"])
    names = names_beside(numbers.datasets, width, font)
    height -= canvas.axis_below(2) + title_height(title, "", width) + (legend.height if legend else 0.0)
    tall = LINE * font * lines_of(names)
    end = float(numbers.top[-1] + numbers.thickness[-1])
    shown: list[int] = []
    for row in np.argsort(-numbers.thickness, kind="stable").tolist():  # names that would cover another are left out
        if all(abs(middle[row] - middle[other]) * height / end >= 0.97 * tall for other in shown):
            shown.append(row)
    ax.set_yticks(middle[shown], [names[row] for row in shown], linespacing=1.05)
    ax.set_ylim(end, 0)
    ax.set_xlim(0, float((numbers.left + numbers.width).max()) or 1.0)
    ax.tick_params(length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    what = f"{numbers.statistic} {numbers.measure.name}" + (
        f" [{numbers.measure.units}]" if numbers.measure.units else ""
    )
    parts = [f"sum of {what}"] if numbers.kind == "bars" else [f"share of the sum of {what}"]
    left = widest(names, font) + 6
    length = width - left - (legend.width if legend is not None and legend.right else 0.0)
    spread_ticks(ax, "x", length)
    lines = in_lines(parts, length)
    ax.set_xlabel("\n".join(lines))
    write_title(ax, title, "", left=left)
    if legend is not None:
        below = LINE * (len(lines) - 1) * float(mpl.rcParams["axes.labelsize"])
        draw_legend(ax, [Patch(color=palette[name]) for name in numbers.algorithms], legend, below=below)
