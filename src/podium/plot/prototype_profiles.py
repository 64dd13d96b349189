"""Prototypes of several methods, side by side."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from podium.errors import plural
from podium.plot import canvas
from podium.plot.archetype_profiles import name_variables
from podium.plot.categorical import bars
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import MARKERS
from podium.plot.figures.prototype_profiles import PrototypeProfiles
from podium.plot.figures.prototype_profiles import prototype_profiles as profile_numbers
from podium.plot.style import write_title

__all__ = ["prototype_profiles"]

_BAND = "#E3E5E8"


def _heading(numbers: PrototypeProfiles) -> str:
    return f"{plural(numbers.prototypes.shape[1], 'prototype')} of {numbers.n:,} observations, by method"


def _row(numbers: PrototypeProfiles) -> float:
    return max(2.4, 0.8 * len(numbers.methods))


@plot_of(
    profile_numbers,
    canvas=canvas.with_legend(
        lambda numbers: [*numbers.methods, "middle half of the data"],
        canvas.height_with_rows(lambda numbers: numbers.columns, label=2, heading=_heading, least=_row),
    ),
)
def prototype_profiles(
    ax: Axes, numbers: PrototypeProfiles, *, palette: Mapping[str, str], title: str | None = None
) -> list[Artist]:
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
    handles: list[Artist] = []
    lane = 0.8 / len(numbers.methods)
    for i, name in enumerate(numbers.methods):
        mark, colour = MARKERS[i % len(MARKERS)], palette[name]
        at = rows - 0.4 + (i + 0.5) * lane
        ax.hlines(
            at, numbers.prototypes[i].min(axis=0), numbers.prototypes[i].max(axis=0), colors=colour, linewidths=0.8
        )
        for values in numbers.prototypes[i]:
            ax.scatter(
                values, at, s=26, marker=mark, color=colour, edgecolors=edge_colour(colour), linewidths=0.6, zorder=3
            )
        handles.append(Line2D([], [], linestyle="none", marker=mark, color=colour, markeredgecolor=edge_colour(colour)))
    left = name_variables(ax, numbers.columns)
    write_title(ax, title, _heading(numbers), left=left)
    return [*handles, Patch(facecolor=_BAND)]
