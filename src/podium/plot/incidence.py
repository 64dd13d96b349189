"""Incidence matrix."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from podium.figures.incidence import Incidence
from podium.figures.incidence import incidence as incidence_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.square_table import name_sides
from podium.plot.style import SMALLEST_FONT, WIDTHS, NamedSize, size_in_points, write_title

__all__ = ["incidence"]

_SHADES = {"better": "#1F4E9C", "indifferent": "#B5CDEE", "worse": "#F2F3F5", "incomparable": "#FFFFFF"}
_SIGNS = {"better": "<", "indifferent": "~", "worse": "", "incomparable": ""}


def _inches(numbers: Incidence, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    width = WIDTHS[size] * (0.85 if size == "screen" else 1.0)
    return width, 0.9 * width


@draws(incidence_numbers, canvas=canvas.fitted(_inches))
def incidence(ax: Axes, numbers: Incidence, *, title: str | None = None) -> None:
    """Draw the incidence matrix of a relation, the best algorithms first.

    A dark cell with ``<`` means that the row is better than the column, a light one with ``~`` that both are
    indifferent; a hatched one (weak relations only) that they are incomparable.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default the kind of the relation.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.incidence(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    """
    k = len(numbers.algorithms)
    font = min(float(mpl.rcParams["font.size"]), 0.4 * size_in_points(ax)[0] / k)
    for i, j in np.ndindex(k, k):
        state = str(numbers.states[i, j])
        if state == "self":
            continue
        hatched = state == "incomparable"
        ax.add_patch(
            Rectangle(
                (j - 0.46, i - 0.46),
                0.92,
                0.92,
                facecolor=_SHADES[state],
                edgecolor="#B4B8BF" if hatched else "none",
                hatch="////" if hatched else None,
                linewidth=0,
            )
        )
        if font >= SMALLEST_FONT and _SIGNS[state]:
            colour = "white" if state == "better" else "black"
            ax.text(j, i, _SIGNS[state], ha="center", va="center", fontsize=font, color=colour)
    name_sides(ax, numbers.algorithms, above=False)
    ax.set_aspect("equal")
    write_title(ax, title, numbers.kind)
