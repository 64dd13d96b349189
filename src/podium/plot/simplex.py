"""Posterior simplex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon

from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL
from podium.plot.figures.simplex import CORNERS, Simplex
from podium.plot.figures.simplex import simplex as simplex_numbers
from podium.plot.names import LINE, fit_names, lines_of
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["simplex"]

_GROUND = ("#E3EAF5", "#E4EFEA", "#FBE9D7")  # where a is better, where both are equivalent, where b is better
_SIDE = 0.62  # of the width, for a side of the triangle on paper
_LONGEST = 300.0  # points


def _side(room: float) -> float:
    return min(_SIDE * room, _LONGEST)


def _labels(numbers: Simplex, room: float) -> tuple[str, str, str]:
    """Texts of the corners: the outcome and its probability."""
    font = float(mpl.rcParams["font.size"])
    a, b = fit_names([f"{numbers.a} is better", f"{numbers.b} is better"], 0.46 * room, font)
    p, q, r = (f"{probability:.3f}" for probability in numbers.probabilities)
    return f"{a}\n{p}", f"equivalent {q}", f"{b}\n{r}"


def _heading(numbers: Simplex) -> str:
    low, high = (f"{end:g}".replace("-", "−") for end in numbers.equivalence)
    area = f", equivalent within [{low}, {high}]" if numbers.equivalence[0] < numbers.equivalence[1] else ""
    return f"{numbers.method}, {numbers.block_label}{area}"


def _height(numbers: Simplex, sheet: Sheet, options: canvas.Options) -> float:
    side = _side(sheet.room)
    labels = LINE * sheet.font * (lines_of(_labels(numbers, sheet.room)) + 1) + 2.5 * sheet.font
    return 0.87 * side + labels + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(simplex_numbers, canvas=canvas.fitted(_height))
def simplex(ax: Axes, numbers: Simplex, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw the posterior of one pair in a triangle: each dot is a draw of the shares of three outcomes.

    The nearer a dot is to a corner, the larger is the share of that outcome. The three areas are those in which an
    outcome has the largest share; the probability of each, the part of all dots in it, is written at its corner.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(algorithms=["c45", "svr"])
    >>> found = podium.inference.compare_bayes(results, method="signed rank", equivalence=1)
    >>> ax = podium.plot.simplex(found)
    """
    middle = CORNERS.mean(axis=0)
    for i, ground in enumerate(_GROUND):
        # The area nearest to a corner: the corner, the middles of its two sides, and the middle of the triangle.
        sides = [(CORNERS[i] + CORNERS[j]) / 2 for j in range(3) if j != i]
        ax.add_patch(Polygon(np.array([CORNERS[i], sides[0], middle, sides[1]]), facecolor=ground, linewidth=0))
    ax.add_patch(Polygon(CORNERS, fill=False, edgecolor=NEUTRAL, linewidth=0.9))
    lead = numbers.a if numbers.probabilities[0] >= numbers.probabilities[2] else numbers.b
    x, y = numbers.points.T
    ax.scatter(x, y, s=3.0, color=palette[lead], alpha=0.35, linewidths=0, zorder=2)
    room = cell_size(ax)[0]
    left, top, right = _labels(numbers, room)
    font = float(mpl.rcParams["font.size"])
    points = room / _side(room)  # width of the axes, in sides of the triangle
    look: dict[str, Any] = {
        "fontsize": font,
        "linespacing": 1.1,
        "annotation_clip": False,
        "textcoords": "offset points",
    }
    ax.annotate(top, CORNERS[1], (0, 0.4 * font), ha="center", va="bottom", **look)
    for text, x, side in ((left, 0.5 - points / 2, "left"), (right, 0.5 + points / 2, "right")):
        ax.annotate(text, (x, 0), (0, -0.6 * font), ha=side, va="top", **look)
    ax.set_xlim(0.5 - points / 2, 0.5 + points / 2)
    ax.set_ylim(-0.02, 0.87 + 2.0 * font / _side(room))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_aspect("equal", adjustable="box", anchor="C")
    ax.set_axis_off()
    write_title(ax, title, _heading(numbers), left=1.0)
