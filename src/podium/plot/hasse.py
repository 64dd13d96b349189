"""Hasse diagram."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from podium.arrays import FloatArray
from podium.figures.hasse import Hasse
from podium.figures.hasse import hasse as hasse_numbers
from podium.figures.palette import NEUTRAL
from podium.plot import canvas
from podium.plot.colours import edge
from podium.plot.drawing import draws
from podium.plot.names import shorten
from podium.plot.style import USUAL_SHARE, WIDTHS, NamedSize, size_in_points, write_title

__all__ = ["hasse"]

LETTER = 0.62  # width of a letter, in font sizes
LINE = 1.35  # height of a line of text, in font sizes
BEND = 1.1  # width kept free for an edge that passes by, in font sizes


def _inches(numbers: Hasse, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    layout = _Layout(numbers, 72 * WIDTHS[size])
    return WIDTHS[size], (layout.tall + 2 * layout.font) / 72 + (0.3 if options["title"] else 0.0)


@draws(hasse_numbers, canvas=canvas.fitted(_inches))
def hasse(ax: Axes, numbers: Hasse, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw the Hasse diagram of a relation: read from the bottom up, the best at the bottom.

    An edge means that the lower algorithm is better; preferences that follow from others have no edge. Algorithms at
    the same height of a weak order are indifferent. A cycle of strict preferences is one node.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    """
    layout = _Layout(numbers, size_in_points(ax)[0] / USUAL_SHARE)  # the layout will use the margins too
    lines = [[layout.spots[item] for item in route] for route in numbers.routes]
    ax.add_collection(LineCollection(lines, colors=NEUTRAL, linewidths=0.9 if len(lines) < 40 else 0.5, zorder=1))
    for node, text in enumerate(layout.texts):
        members = numbers.members[node]
        shade = palette[members[0]] if len(members) == 1 else "#9AA0A8"
        ax.text(
            *layout.spots[node],
            text,
            ha="center",
            va="center",
            fontsize=layout.font,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": edge(shade), "linewidth": 1.3},
            zorder=2,
        )
    ax.set_xlim(0, layout.wide)
    ax.set_ylim(0, layout.tall)
    ax.set_axis_off()
    write_title(ax, title, "")


class _Layout:
    """Where nodes and bends go, in points: wide layers are staggered over several rows."""

    def __init__(self, numbers: Hasse, wide: float) -> None:
        self.font = float(mpl.rcParams["font.size"])
        self.wide = wide
        self.texts = shorten(numbers.labels, 20, lines=2)
        self.spots: dict[int, tuple[float, float]] = {}
        lines = max(text.count("\n") + 1 for text in self.texts)
        row = self.font * (LINE * lines + 1.1)
        y = 0.6 * row
        for number, layer in enumerate(numbers.layers):
            bends = sum(item >= len(self.texts) for item in layer)
            bend = min(self.font * BEND, 0.3 * wide / max(bends, 1))
            widths = np.array([self._width(item) if item < len(self.texts) else bend for item in layer])
            rows = self._rows(widths, bends * bend, len(layer) - bends)
            squeeze = min(1.0, wide * rows / widths.sum())
            left = (wide - squeeze * widths.sum() / rows) / 2
            ends = np.cumsum(widths) * squeeze / rows
            x = left + ends - squeeze * widths / rows / 2
            nodes = [place for place, item in enumerate(layer) if item < len(self.texts)]
            for start in range(rows):
                x[nodes[start::rows]] = self._apart(x[nodes[start::rows]], widths[nodes[start::rows]])
            heights = dict.fromkeys(range(len(layer)), 0) | {place: i % rows for i, place in enumerate(nodes)}
            for place, item in enumerate(layer):
                self.spots[item] = (float(x[place]), y + row * heights[place])
            y += row * (rows - 1)
            if number < len(numbers.layers) - 1:
                y += row + 1.2 * self.font
        self.tall = y + 0.6 * row

    def _width(self, node: int) -> float:
        """Width of a node with the gap beside it."""
        return self.font * (LETTER * max(map(len, self.texts[node].split("\n"))) + 2.6)

    def _apart(self, x: FloatArray, widths: FloatArray) -> FloatArray:
        """Move the nodes of a row so that none covers another and all stay inside."""
        low = np.concatenate([[0.0], np.cumsum((widths[1:] + widths[:-1]) / 2)]) if len(x) else x
        spread = np.maximum.accumulate(x - low) + low
        over = max(float(spread[-1] + widths[-1] / 2 - self.wide), 0.0) if len(x) else 0.0
        last: FloatArray = np.minimum(spread, spread[-1] - over - low[-1] + low) if len(x) else x
        return last

    def _rows(self, widths: FloatArray, bends: float, nodes: int) -> int:
        """How many rows a layer takes, so that the nodes of each row fit side by side."""
        if widths.sum() <= self.wide:
            return 1
        return max(int(np.ceil(nodes * widths.max() / (self.wide - bends))), 1)
