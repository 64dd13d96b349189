"""Prototypes of several methods, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from podium.errors import counted
from podium.figures.palette import MARKERS
from podium.figures.prototype_profiles import PrototypeProfiles
from podium.figures.prototype_profiles import prototype_profiles as profile_numbers
from podium.numerals import numeral
from podium.plot import canvas
from podium.plot.categorical import bars, name_rows
from podium.plot.colours import edge
from podium.plot.drawing import draws
from podium.plot.legend import LegendPlan, draw_legend
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title

__all__ = ["prototype_profiles"]

_BAND = "#E3E5E8"


def _heading(numbers: PrototypeProfiles) -> str:
    return f"{counted(numbers.prototypes.shape[1], 'prototype')} of {numeral(numbers.n):,} observations, by method"


def _height(numbers: PrototypeProfiles, sheet: Sheet, options: canvas.Options) -> float:
    title = title_height(options["title"], _heading(numbers), sheet.room)
    row = max(2.4, 0.8 * len(numbers.methods))
    return canvas.height_of_rows(numbers.columns, sheet, least=row) + canvas.axis_below(2) + title


@draws(
    profile_numbers,
    canvas=canvas.with_legend(lambda numbers: [*numbers.methods, "middle half of the data"], _height),
)
def prototype_profiles(
    ax: Axes,
    numbers: PrototypeProfiles,
    *,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> None:
    """Draw what several methods call prototypes: a row per variable, a lane in it per method, a mark per prototype.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.prototype_profiles(podium.archetypal.prototypes(X, 2))
    """
    m = len(numbers.columns)
    lower, median, upper = numbers.quartiles
    rows = np.arange(m)
    bars(ax, lower, rows - 0.42, upper - lower, 0.84, facecolor=_BAND, linewidth=0)
    ax.vlines(median, rows - 0.42, rows + 0.42, colors="white", linewidths=1.2)
    handles = []
    lane = 0.8 / len(numbers.methods)
    for i, name in enumerate(numbers.methods):
        mark, colour = MARKERS[i % len(MARKERS)], palette[name]
        at = rows - 0.4 + (i + 0.5) * lane
        ax.hlines(
            at, numbers.prototypes[i].min(axis=0), numbers.prototypes[i].max(axis=0), colors=colour, linewidths=0.8
        )
        for values in numbers.prototypes[i]:
            ax.scatter(values, at, s=26, marker=mark, color=colour, edgecolors=edge(colour), linewidths=0.6, zorder=3)
        handles.append(Line2D([], [], linestyle="none", marker=mark, color=colour, markeredgecolor=edge(colour)))
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(m - 0.5, -0.5)
    left = name_rows(ax, numbers.columns)
    ax.set_xticks([0, 1], ["smallest", "greatest"])
    first, last = ax.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    ax.tick_params(length=0)
    ax.set_xlabel(
        "\n".join(in_lines(["value of the variable,", "from its smallest to its greatest"], cell_size(ax)[0] - left))
    )
    write_title(ax, title, _heading(numbers), left=left)
    if legend is not None:
        draw_legend(ax, [*handles, Patch(facecolor=_BAND)], legend)
