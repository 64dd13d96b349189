"""Hasse diagram."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import FancyBboxPatch

from podium.analysis.relation.layers import Placement, place_layers
from podium.plot import canvas
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.hasse import Hasse
from podium.plot.figures.hasse import hasse as hasse_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.names import LINE, fit_names, lines_of, text_width
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["hasse"]

PADDING = 0.35  # around a name, in font sizes
MARGIN = 0.9  # around the diagram
_SMALLEST = 4.0  # points, where the user has chosen a small figure


def _height(numbers: Hasse, sheet: Sheet, options: canvas.Options) -> float:
    layout = _Layout(numbers, sheet.room, sheet.font)
    return layout.tall + _below(sheet.font) + title_height(options["title"], "", sheet.room)


def height_of_diagram(numbers: Hasse, room: float) -> float:
    """Height in points of a diagram, with the word below it, in a room of this width."""
    font = float(mpl.rcParams["font.size"])
    return _Layout(numbers, room, font).tall + _below(font)


def _below(font: float) -> float:
    """Height of the word below the diagram."""
    return LINE * font + 4


@plot_of(hasse_numbers, canvas=canvas.fitted(_height))
def hasse(ax: Axes, numbers: Hasse, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw the Hasse diagram of a relation: read from the bottom up, the best at the bottom.

    An edge means that the lower algorithm is better; preferences that follow from others have no edge. Each level has
    a band of its own, with several rows where it has more algorithms than fit side by side. Algorithms on the same
    level of a weak order are indifferent; where its levels are large they are drawn as frames, and an edge between two
    frames joins everything in one with everything in the other. A cycle of strict preferences is one node.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.hasse(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    """
    wide, tall = cell_size(ax)
    font = float(mpl.rcParams["font.size"])
    layout = _Layout(numbers, wide, font)
    free = tall - _below(font) - title_height(title, "", wide)
    if layout.tall > 1.03 * free:  # the user has chosen a low figure
        layout = _Layout(numbers, wide, max(font * free / layout.tall, _SMALLEST))
    placed = layout.placed
    for number, (low, high) in enumerate(placed.bands):
        if number % 2 == 0:
            ax.axhspan(low - 0.5 * layout.between, high + 0.5 * layout.between, color="#F3F4F6", linewidth=0, zorder=0)
    lines = placed.lines
    ax.add_collection(LineCollection(lines, colors=NEUTRAL, linewidths=0.9 if len(lines) < 40 else 0.5, zorder=1))
    for left, bottom, right, top in placed.frames:
        box = FancyBboxPatch(
            (left, bottom),
            right - left,
            top - bottom,
            boxstyle=f"round,pad=0,rounding_size={0.5 * layout.font}",
            facecolor="white",
            edgecolor=NEUTRAL,
            linewidth=0.9,
            zorder=1.5,
        )
        ax.add_patch(box)
    for node, text in enumerate(layout.texts):
        members = numbers.members[node]
        shade = palette[members[0]] if len(members) == 1 else "#9AA0A8"
        ax.text(
            *placed.spots[node],
            text,
            ha="center",
            va="center",
            fontsize=layout.font,
            linespacing=1.05,
            bbox={
                "boxstyle": f"round,pad={PADDING}",
                "facecolor": "white",
                "edgecolor": edge_colour(shade),
                "linewidth": 1.2,
            },
            zorder=2,
        )
    ax.set_xlim(0, layout.wide)
    ax.set_ylim(-layout.margin, placed.tall + layout.margin)
    _say_which_end_is_best(ax, layout.font)
    write_title(ax, title, "", left=2 * font)


def _say_which_end_is_best(ax: Axes, font: float) -> None:
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.set_xlabel("best", fontsize=font, color=NEUTRAL, labelpad=2)
    ax.set_ylabel("← better", fontsize=font, color=NEUTRAL, loc="bottom", labelpad=2)  # upright: points down


class _Layout:
    """Names in boxes, and where these go, in points."""

    def __init__(self, numbers: Hasse, room: float, font: float) -> None:
        self.font = font
        self.wide = room - 2.2 * font  # beside the diagram it says where better is
        self.margin = MARGIN * font
        self.between = 2.2 * font
        most = max(sum(item < len(numbers.labels) for item in layer) for layer in numbers.layers)
        # Names are broken so that about four of them, or all of a layer, fit side by side.
        share = float(np.clip(self.wide / min(most, 4) - 2.4 * font, 7 * font, 22 * font))
        self.texts = fit_names(numbers.labels, share, font, lines=6)
        widths = [text_width(text, font) + (2 * PADDING + 0.2) * font for text in self.texts]
        height = LINE * font * lines_of(self.texts) + 2 * PADDING * font
        self.placed: Placement = place_layers(
            numbers.layers,
            numbers.routes,
            widths,
            height,
            self.wide,
            gap=0.9 * font,
            between=self.between,
            bend=1.1 * font,
        )
        self.tall = self.placed.tall + 2 * self.margin
