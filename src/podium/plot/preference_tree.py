"""Drawing of a tree of Bradley–Terry models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from podium.plot import canvas
from podium.plot.categorical import name_rows
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL
from podium.plot.figures.preference_tree import PreferenceTree
from podium.plot.figures.preference_tree import preference_tree as tree_numbers
from podium.plot.podium import marks
from podium.plot.scales import STEPS
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["preference_tree"]

STEP = 0.11  # width of a level of the tree, where the worths are 1 wide
GAP = 0.06


def _labels(numbers: PreferenceTree) -> Sequence[str]:
    """Say for each node how it is reached, how large it is, and how clear its split."""
    found = []
    for i, (variable, condition) in enumerate(zip(numbers.variable, numbers.condition, strict=True)):
        parts = [f"{variable} {condition}" if variable else "all", f"n = {numbers.size[i]}"]
        if not numbers.leaf[i]:
            p = float(numbers.pvalue[i])
            parts.append("p < 0.001" if p < 0.001 else f"p = {p:.3f}")
        found.append(", ".join(parts))
    return found


def _heading(numbers: PreferenceTree) -> str:
    if numbers.classical_warning:
        return "Replications tested as if they were independent"
    return "Worths in groups of data sets" if numbers.unit == "dataset" else "Worths in groups of subjects"


_CANVAS = canvas.with_legend(
    lambda numbers: numbers.algorithms,
    canvas.height_with_rows(_labels, label=2, heading=_heading),
    beside=False,
)


@plot_of(tree_numbers, canvas=_CANVAS)
def preference_tree(
    ax: Axes, numbers: PreferenceTree, *, palette: Mapping[str, str], title: str | None = None
) -> list[Line2D]:
    """Draw a tree of Bradley–Terry models from top to bottom, with the worths of the algorithms in its leaves.

    Each node is a row. Its text says which values lead to it, how many subjects it has and, where it is split, the
    adjusted p-value of the split. A leaf has a panel with a dot at the worth of each algorithm; the dashed line is
    where all would be worth the same.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import podium
    >>> size = np.arange(100)
    >>> outcome = np.where(size % 10 < np.where(size > 49, 8, 1), 1, -1)
    >>> pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": outcome}))
    >>> tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20)
    >>> ax = podium.plot.preference_tree(tree)
    """
    n, most = len(numbers.parent), float(np.nanmax(numbers.worth[numbers.leaf]))
    step = STEP * most
    start = -GAP * most - step * int(numbers.depth.max())
    across = start + step * numbers.depth
    lines = []
    for node in range(1, n):
        up = int(numbers.parent[node])
        lines.append([(across[up], up), (across[up], node), (across[node], node)])
    ax.add_collection(LineCollection(lines, colors=NEUTRAL, linewidths=1.0))
    rows = np.arange(n)
    inner = ~numbers.leaf
    ax.scatter(across[inner], rows[inner], s=22, c="white", edgecolors=NEUTRAL, linewidths=1, zorder=2)
    even = 1 / len(numbers.algorithms)
    for row in rows[numbers.leaf]:
        ax.plot([across[row], 0.0], [row, row], color=NEUTRAL, linewidth=1.0)
        ax.fill_between([0.0, 1.04 * most], row - 0.4, row + 0.4, color="0.95", linewidth=0, zorder=0)
        ax.plot([even, even], [row - 0.4, row + 0.4], color=NEUTRAL, linewidth=0.8, linestyle=(0, (3, 2)), zorder=1)
    apart = np.linspace(-0.26, 0.26, len(numbers.algorithms))  # dots of nearly the same worth stay visible
    for k, name in enumerate(numbers.algorithms):
        colour = palette[name]
        look: dict[str, Any] = {"c": colour, "edgecolors": [edge_colour(colour)], "linewidths": 1.0, "zorder": 3}
        ax.scatter(numbers.worth[numbers.leaf, k], rows[numbers.leaf] + apart[k], s=26, **look)
    ax.set_xlim(start - 0.5 * step - 0.02 * most, 1.04 * most)
    ax.set_ylim(n - 0.5, -0.5)
    left = name_rows(ax, _labels(numbers))
    length = cell_size(ax)[0] - left
    whole = 1.04 * most - start
    number = 3.5 * float(mpl.rcParams["xtick.labelsize"])
    places = MaxNLocator(int(np.clip(length * most / whole / number, 1, 5)), steps=STEPS).tick_values(0.0, most)
    ticks = [float(tick) for tick in places if -1e-9 <= tick <= 1.04 * most]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.set_xlabel("\n".join(in_lines(["worth;", f"dashed: all the same (1/{len(numbers.algorithms)})"], length)))
    write_title(ax, title, _heading(numbers), left=left)
    return marks(numbers.algorithms, palette)
