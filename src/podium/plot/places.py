"""Place table."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.figures.places import Places
from podium.figures.places import places as place_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.names import shorten
from podium.plot.podium import places_to_name
from podium.plot.style import size_in_points, whole_figure, write_title

__all__ = ["places"]

NUMBERS_UP_TO = 12  # places; with more, a cell is too small for its count


@draws(place_numbers, canvas=canvas.rows(lambda numbers: len(numbers.algorithms) + 1))
def places(ax: Axes, numbers: Places, *, title: str | None = None) -> None:
    """Draw how often each algorithm takes each place, as a table of shades; the best mean place on top."""
    k = len(numbers.algorithms)
    edges = np.arange(k + 1) - 0.5
    mesh = ax.pcolormesh(edges + 1, edges, numbers.counts, cmap="Blues", vmin=0)
    mesh.set_edgecolor("white")
    mesh.set_linewidth(1.0 if k <= NUMBERS_UP_TO else 0.3)
    if k <= NUMBERS_UP_TO:
        _write_counts(ax, numbers)
    else:
        whole_figure(ax).colorbar(mesh, ax=ax, label=numbers.block_noun, aspect=30)
    width = 14 if size_in_points(ax)[0] < 220 else 24
    ax.set_yticks(range(k), shorten(numbers.algorithms, width), linespacing=1.1)
    ax.set_ylim(k - 0.5, -0.5)
    ax.set_xticks(places_to_name(k, 0.85 * size_in_points(ax)[0], float(mpl.rcParams["xtick.labelsize"])))
    ax.set_xlim(0.5, k + 0.5)
    ax.tick_params(length=0)
    ax.set_xlabel("place")
    for spine in ax.spines.values():
        spine.set_visible(False)
    write_title(ax, title, numbers.heading)


def _write_counts(ax: Axes, numbers: Places) -> None:
    whole = bool((numbers.counts == np.round(numbers.counts)).all())
    texts = [[f"{count:.0f}" if whole else f"{count:.1f}" for count in row] for row in numbers.counts]
    longest = max(len(text) for row in texts for text in row)
    room = 0.9 * size_in_points(ax)[0] / len(numbers.algorithms)
    font = min(float(mpl.rcParams["font.size"]) * 0.9, room / (0.62 * longest))
    for i, row in enumerate(numbers.counts):
        for j, count in enumerate(row):
            if count > 0:
                dark = count > 0.55 * numbers.counts.max()
                ax.text(
                    j + 1, i, texts[i][j], ha="center", va="center", color="white" if dark else "black", fontsize=font
                )
