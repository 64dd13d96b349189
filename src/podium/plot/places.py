"""Place table."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import inside, name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.places import Places
from podium.plot.figures.places import places as place_numbers
from podium.plot.legend import draw_scale, scale_height
from podium.plot.names import widest
from podium.plot.podium import places_to_name
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["places"]

NUMBERS_UP_TO = 12  # places; with more, a cell is too small for its count


def _height(numbers: Places, sheet: Sheet, options: canvas.Options) -> float:
    rows = canvas.height_of_rows(numbers.algorithms, sheet, least=2.4)
    scale = scale_height([numbers.block_noun], sheet.room) if len(numbers.algorithms) > NUMBERS_UP_TO else 0.0
    return rows + scale + canvas.axis_below(1) + title_height(options["title"], numbers.heading, sheet.room)


@plot_of(place_numbers, canvas=canvas.fitted(_height))
def places(ax: Axes, numbers: Places, *, title: str | None = None) -> None:
    """Draw how often each algorithm takes each place, as a heat map; the best mean place on top."""
    k = len(numbers.algorithms)
    edges = np.arange(k + 1) - 0.5
    mesh = ax.pcolormesh(edges + 1, edges, numbers.counts, cmap="Blues", vmin=0)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if k <= NUMBERS_UP_TO else 0.3)
    left = name_rows(ax, numbers.algorithms)
    if k <= NUMBERS_UP_TO:
        _write_counts(ax, numbers, cell_size(ax)[0] - left)
    else:
        draw_scale(ax, mesh, [numbers.block_noun], left=left, height=0.8 * cell_size(ax)[1])
    ax.set_ylim(k - 0.5, -0.5)
    ax.set_xticks(places_to_name(k, cell_size(ax)[0] - left, float(mpl.rcParams["xtick.labelsize"])))
    ax.set_xlim(0.5, k + 0.5)
    ax.tick_params(length=0)
    ax.set_xlabel("place")
    ax.spines[:].set_visible(False)
    write_title(ax, title, numbers.heading, left=left)


def _write_counts(ax: Axes, numbers: Places, width: float) -> None:
    whole = bool((numbers.counts == np.round(numbers.counts)).all())
    texts = [[f"{count:.0f}" if whole else f"{count:.1f}" for count in row] for row in numbers.counts]
    font = float(mpl.rcParams["font.size"]) * 0.9
    longest = widest([text for row in texts for text in row], font)
    font = font * min(1.0, 0.85 * width / len(numbers.algorithms) / longest)
    for i, row in enumerate(numbers.counts):
        for j, count in enumerate(row):
            if count > 0:
                colour = "white" if count > 0.55 * numbers.counts.max() else "black"
                inside(ax.text(j + 1, i, texts[i][j], ha="center", va="center", color=colour, fontsize=font))
