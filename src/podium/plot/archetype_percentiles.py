"""Bars of archetypes against the percentiles of the data."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from podium.errors import plural
from podium.plot import canvas
from podium.plot.categorical import bars, name_rows
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_percentiles import ArchetypePercentiles
from podium.plot.figures.archetype_percentiles import archetype_percentiles as percentile_numbers
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["archetype_percentiles"]


def _heading(numbers: ArchetypePercentiles) -> str:
    return f"{plural(len(numbers.names), f'{numbers.method} archetype')} of {numbers.n:,} observations"


def _row(numbers: ArchetypePercentiles) -> float:
    return max(2.0, 0.75 * len(numbers.names))


@plot_of(
    percentile_numbers,
    canvas=canvas.with_legend(
        lambda numbers: numbers.names,
        canvas.height_with_rows(lambda numbers: numbers.columns, label=2, heading=_heading, least=_row),
    ),
)
def archetype_percentiles(
    ax: Axes, numbers: ArchetypePercentiles, *, palette: Mapping[str, str], title: str | None = None
) -> list[Patch]:
    """Draw bars: for each variable, the percentile of each archetype among the observations.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.archetype_percentiles(podium.ArchetypalAnalysis(2).fit(X))
    """
    k, m = numbers.percentiles.shape
    tall = 0.8 / k
    for j, name in enumerate(numbers.names):
        top = np.arange(m) - 0.4 + j * tall
        look = {"facecolor": palette[name], "edgecolor": edge_colour(palette[name]), "linewidth": 0.5}
        bars(ax, 0, top, numbers.percentiles[j], 0.92 * tall, **look)
    ax.set_xlim(0, 100)
    ax.set_ylim(m - 0.5, -0.5)
    ax.vlines([25, 50, 75], -0.5, m - 0.5, colors="#D9DCE1", linewidths=0.6, zorder=0)
    left = name_rows(ax, numbers.columns)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.set_xlabel("\n".join(in_lines(["percentile among", "the observations"], cell_size(ax)[0] - left)))
    write_title(ax, title, _heading(numbers), left=left)
    return [Patch(facecolor=palette[name], edgecolor=edge_colour(palette[name])) for name in numbers.names]
