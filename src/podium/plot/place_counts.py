"""Place counts of a domain."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.figures.palette import shade
from podium.figures.place_counts import PlaceCounts
from podium.figures.place_counts import place_counts as place_count_numbers
from podium.plot import canvas
from podium.plot.categorical import bars, inside, name_rows
from podium.plot.colours import edge
from podium.plot.drawing import draws
from podium.plot.podium import places_to_name
from podium.plot.style import cell_size, write_title

__all__ = ["place_counts"]

NUMBERS_UP_TO = 12  # places; with more, a bar is too small for its count


@draws(place_count_numbers, canvas=canvas.rows(lambda numbers: numbers.algorithms, least=4.5))
def place_counts(ax: Axes, numbers: PlaceCounts, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw on how many data sets each algorithm takes each place; the part of a bar in full colour is taken alone.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> domain = podium.domain(podium.datasets.load_ulas2008("accuracy"), method="5x2cv F")
    >>> ax = podium.plot.place_counts(domain)
    """
    k = len(numbers.algorithms)
    most = max(int(numbers.counts.max()), 1)
    place = np.arange(1, k + 1)
    for row, name in enumerate(numbers.algorithms):
        colour = mpl.colors.to_hex(palette[name])
        base = row + 0.4
        tall, dark = 0.72 * numbers.counts[row] / most, 0.72 * numbers.alone[row] / most
        bars(
            ax,
            place - 0.43,
            base,
            0.86,
            -tall,
            facecolors=shade(colour, white=0.55),
            edgecolors=edge(colour),
            linewidths=np.where(tall > 0, 0.5, 0.0),
            joinstyle="miter",
        )
        bars(ax, place - 0.43, base, 0.86, -dark, facecolors=colour, linewidths=0)
        if k <= NUMBERS_UP_TO:
            for at in place[numbers.counts[row] > 0]:
                count, font = f"{numbers.counts[row, at - 1]}", 0.8 * float(mpl.rcParams["font.size"])
                inside(ax.text(at, base - tall[at - 1] - 0.02, count, ha="center", va="bottom", fontsize=font))
    ax.set_ylim(k - 0.5, -0.62)
    left = name_rows(ax, numbers.algorithms)
    ax.set_xticks(places_to_name(k, cell_size(ax)[0] - left, float(mpl.rcParams["xtick.labelsize"])))
    ax.set_xlim(0.45, k + 0.55)
    ax.tick_params(length=0)
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.hlines(np.arange(k) + 0.4, 0.45, k + 0.55, colors="#C9CCD1", linewidths=0.6)
    ax.set_xlabel("place (full colour: taken alone)")
    write_title(ax, title, "", left=left)
