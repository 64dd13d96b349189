"""Drawing of departures from a model along a variable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from podium.plot import canvas
from podium.plot.categorical import name_columns
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.instability import InstabilityNumbers
from podium.plot.figures.instability import instability as instability_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.podium import marks
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["instability"]


def _heading(numbers: InstabilityNumbers) -> str:
    if np.isnan(numbers.pvalue):
        return f"Node {numbers.node}: {numbers.variable}, not tested"
    p = "p < 0.001" if numbers.pvalue < 0.001 else f"p = {numbers.pvalue:.3f}"
    return f"Node {numbers.node}: {numbers.variable}, {p}"


_CANVAS = canvas.with_legend(
    lambda numbers: numbers.algorithms, lambda numbers, sheet, options: 0.62 * 72 * sheet.width
)


@plot_of(instability_numbers, canvas=_CANVAS)
def instability(
    ax: Axes, numbers: InstabilityNumbers, *, palette: Mapping[str, str], title: str | None = None
) -> list[Line2D]:
    """Draw how the wins of each algorithm depart from the model of a node along a variable.

    A line adds up wins minus expected wins, from the smallest value on. It wanders around 0 where nothing changes;
    where it turns, the strength of the algorithm changes. The dashed line is the split. A variable with levels has a
    dot for each algorithm and level.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import podium
    >>> size = np.arange(100)
    >>> outcome = np.where(size % 10 < np.where(size > 49, 8, 1), 1, -1)
    >>> pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": outcome}))
    >>> tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20)
    >>> ax = podium.plot.instability(tree)
    """
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8)
    wide, tall = cell_size(ax)
    if numbers.levels:
        apart = np.linspace(-0.2, 0.2, len(numbers.algorithms))
        for k, name in enumerate(numbers.algorithms):
            look: dict[str, Any] = {"c": palette[name], "edgecolors": [edge_colour(palette[name])], "linewidths": 1.0}
            ax.scatter(numbers.values + apart[k], numbers.path[:, k], s=36, zorder=3, **look)
        ax.set_xlim(-0.5, len(numbers.levels) - 0.5)
        name_columns(ax, [f"{level} (left)" if level in numbers.left else level for level in numbers.levels])
    else:
        for k, name in enumerate(numbers.algorithms):
            ax.step(numbers.values, numbers.path[:, k], where="post", color=palette[name], linewidth=1.6)
        if not np.isnan(numbers.threshold):
            ax.axvline(numbers.threshold, color=NEUTRAL, linewidth=1.0, linestyle=(0, (4, 3)))
        spread_ticks(ax, "x", 0.8 * wide)
    spread_ticks(ax, "y", 0.7 * tall)
    ax.set_xlabel("\n".join(in_lines([numbers.variable], 0.8 * wide)))
    ax.set_ylabel("\n".join(in_lines(["departure", "from the model"], 0.7 * tall)))
    write_title(ax, title, _heading(numbers))
    if numbers.levels:
        return marks(numbers.algorithms, palette)
    return [Line2D([], [], color=palette[name], linewidth=2.4) for name in numbers.algorithms]
