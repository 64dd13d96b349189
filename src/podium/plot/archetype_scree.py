"""Scree curve of archetypes."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.analysis.archetypes.path import MIN_CURVE_POINTS
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_scree import ArchetypeScree
from podium.plot.figures.archetype_scree import archetype_scree as scree_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, write_title

__all__ = ["archetype_scree"]

_BELOW = 0.08  # of the height, below 0, so that points and the circle of the elbow are whole there


def _heading(numbers: ArchetypeScree) -> str:
    bend = f"elbow\u00a0at\u00a0{numbers.elbow}" if numbers.elbow is not None else "no\u00a0elbow"
    rule = f", {bend}\u00a0({numbers.rule})" if len(numbers.k) >= MIN_CURVE_POINTS else ""
    return f"Scree curve of {numbers.method} archetypes{rule}"


@plot_of(scree_numbers)
def archetype_scree(ax: Axes, numbers: ArchetypeScree, *, title: str | None = None) -> None:
    """Draw what is minimised, the RSS or the criterion of another family, against the number of archetypes.

    The elbow has a circle.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.archetype_scree(podium.archetypes(X, k=range(1, 5)))
    """
    ax.plot(numbers.k, numbers.criterion, color=NEUTRAL, marker="o", markersize=5, linewidth=1.4)
    if numbers.elbow is not None:
        at = list(numbers.k).index(numbers.elbow)
        ax.plot(
            [numbers.elbow], [numbers.criterion[at]], marker="o", markersize=12, fillstyle="none", color=PALETTE["red"],
            markeredgewidth=2,
        )  # fmt: skip
    top = ax.get_ylim()[1]
    ax.set_ylim(-_BELOW * top, top)
    low, high = int(numbers.k[0]), int(numbers.k[-1])
    ax.set_xlim(low - 0.5, high + 0.5)
    left = 5 * float(mpl.rcParams["font.size"])
    spread_ticks(ax, "x", cell_size(ax)[0] - left, integer=True)
    spread_ticks(ax, "y", 0.7 * cell_size(ax)[1])
    ax.grid(axis="y")
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("number of archetypes")
    plain = np.allclose(numbers.criterion, numbers.rss, rtol=1e-6, atol=1e-9)
    ax.set_ylabel("RSS, standardised data" if plain else "criterion of the family")
    write_title(ax, title, _heading(numbers), left=left)
