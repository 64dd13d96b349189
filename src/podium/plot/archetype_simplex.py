"""Simplex plot of coefficients."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from podium.plot import canvas
from podium.plot.archetype_profiles import GREY, shown_groups
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_simplex import ArchetypeSimplex
from podium.plot.figures.archetype_simplex import archetype_simplex as simplex_numbers
from podium.plot.figures.palette import NEUTRAL
from podium.plot.style import Sheet, title_height, write_title

__all__ = ["archetype_simplex"]


def _heading(numbers: ArchetypeSimplex) -> str:
    return f"{numbers.n:,} observations as mixtures of {len(numbers.names)} {numbers.method} archetypes"


def _height(numbers: ArchetypeSimplex, sheet: Sheet, options: canvas.Options) -> float:
    title = title_height(options["title"], _heading(numbers), sheet.room)
    return min(0.62 * 72 * sheet.width, 320.0) + title


@plot_of(
    simplex_numbers,
    canvas=canvas.with_legend(lambda numbers: shown_groups(numbers.groups) or ["observations"], _height),
)
def archetype_simplex(
    ax: Axes, numbers: ArchetypeSimplex, *, palette: Mapping[str, str], title: str | None = None
) -> list[Line2D]:
    """Draw observations between the archetypes they are mixtures of: a triangle, or a polygon for more than three.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.archetype_simplex(podium.ArchetypalAnalysis(3).fit(X))
    """
    angle = np.arctan2(numbers.corners[:, 1], numbers.corners[:, 0])
    ax.add_patch(Polygon(numbers.corners[np.argsort(angle)], fill=False, edgecolor=NEUTRAL, linewidth=0.9))
    handles = []
    for g, name in enumerate(numbers.groups):
        x, y = numbers.points[numbers.group == g].T
        colour = palette[name] if name else GREY
        ax.scatter(x, y, s=12, color=colour, edgecolors="white", linewidths=0.3, alpha=0.75, zorder=2)
        handles.append(Line2D([], [], linestyle="none", marker="o", color=colour))
    font = float(mpl.rcParams["font.size"])
    for name, corner in zip(numbers.names, numbers.corners, strict=True):
        away = (1.2 * font * corner[0], 0.9 * font * corner[1])
        ax.annotate(
            name, corner, away, textcoords="offset points", ha="center", va="center", annotation_clip=False
        )  # fmt: skip
    ax.set_xlim(-1.15, 1.15)
    ax.set_ylim(numbers.corners[:, 1].min() - 0.2, 1.2)
    ax.set_aspect("equal", adjustable="box", anchor="C")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_axis_off()
    write_title(ax, title, _heading(numbers), left=1.0)
    return handles
