"""Plot of variance shares."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from podium.plot import canvas
from podium.plot.categorical import name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.variance_shares import VarianceShares
from podium.plot.figures.variance_shares import variance_shares as share_numbers
from podium.plot.names import text_width
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, write_title

__all__ = ["variance_shares"]

# Label, colour of the bar, colour of the number in it.
SOURCES = {
    "dataset": ("data set", "#1F4E9C", "white"),
    "interaction": ("data set × algorithm", "#3E73BE", "white"),
    "replication": ("replication", "#B5CDEE", "black"),
    "residual": ("residual", "#D9DCE1", "black"),
}


def _heading(numbers: VarianceShares) -> str:
    return f"Sources of variation{f', {numbers.block_label}' if numbers.alike else ''}"


_CANVAS = canvas.with_legend(
    lambda numbers: [SOURCES[source][0] for source in numbers.sources],
    canvas.height_with_rows(lambda numbers: numbers.labels, heading=_heading),
)


@plot_of(share_numbers, canvas=_CANVAS)
def variance_shares(ax: Axes, numbers: VarianceShares, *, title: str | None = None) -> list[Patch]:
    """Draw how much each source of variation adds to the variance, one bar per model.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.variance_shares(podium.mixed(podium.examples.load_ulas2008()))
    """
    rows = len(numbers.labels)
    row, left = np.arange(rows), np.zeros(rows)
    handles = []
    names = name_rows(ax, numbers.labels)
    length = (cell_size(ax)[0] - names) / max(1.0, float(np.maximum(numbers.shares, 0.0).sum(axis=1).max()))
    font = float(mpl.rcParams["font.size"])
    for source, share in zip(numbers.sources, np.maximum(numbers.shares, 0.0).T, strict=True):
        _, colour, ink = SOURCES[source]
        ax.barh(row, 100 * share, left=100 * left, height=0.62, color=colour, edgecolor="white")
        handles.append(Patch(facecolor=colour))
        for y, part, start in zip(row, share, left, strict=True):
            text = f"{100 * part:.0f}%"
            if part * length > text_width(text, font) + 0.4 * font:
                ax.text(100 * (start + part / 2), float(y), text, ha="center", va="center", color=ink)
        left = left + share
    ax.set_ylim(rows - 0.5, -0.5)
    ax.set_xlim(0, 100 * max(1.0, float(left.max())))
    ax.set_xlabel("share of the variance [%]")
    spread_ticks(ax, "x", cell_size(ax)[0] - names)
    write_title(ax, title, _heading(numbers), left=names)
    return handles
