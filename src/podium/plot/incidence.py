"""Incidence matrix."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from podium.analysis.preference import Relation
from podium.figures.incidence import Incidence
from podium.figures.incidence import incidence as numbers_of
from podium.plot.names import fit_names
from podium.plot.style import Size, axes, local, size_in_points, width_of
from podium.plot.style import title as write_title

_SHADES = {"better": "#1F4E9C", "indifferent": "#B5CDEE", "worse": "#F2F3F5", "incomparable": "#FFFFFF"}
_SIGNS = {"better": "<", "indifferent": "~", "worse": "", "incomparable": ""}
SMALLEST_SIGN = 4.0  # points; smaller signs cannot be read, and the shades say the same


def incidence(
    relation: Relation | Incidence, *, ax: Axes | None = None, size: Size = "screen", title: str | None = None
) -> Axes:
    """Draw the incidence matrix of a relation, the best algorithms first.

    A dark cell with ``<`` means that the row is better than the column, a light one with ``~`` that both are
    indifferent; a hatched one (weak relations only) that they are incomparable.

    Parameters
    ----------
    relation : Relation or figures.Incidence
    ax : Axes, optional
        Axes to draw on; new ones if left out.
    size : {"screen", "column"} or (float, float)
        Size of a new figure.
    title : str, optional
        The kind of the relation, unless given.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.incidence(podium.Relation.from_chain("rpart ~ svm < rf < nnet < knn ~ lda"))
    """
    numbers = relation if isinstance(relation, Incidence) else numbers_of(relation)
    with local(size):
        if ax is None:
            width = width_of(size) * (0.85 if size == "screen" else 1.0)
            ax = axes(None, size=(width, 0.9 * width) if isinstance(size, str) else size)
        draw_incidence(ax, numbers)
        write_title(ax, numbers.kind if title is None else title)
    return ax


def draw_incidence(ax: Axes, numbers: Incidence) -> None:
    """Draw the numbers of an incidence matrix."""
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
        if font >= SMALLEST_SIGN and _SIGNS[state]:
            colour = "white" if state == "better" else "black"
            ax.text(j, i, _SIGNS[state], ha="center", va="center", fontsize=font, color=colour)
    name_sides(ax, numbers.algorithms)
    ax.set_aspect("equal")


def name_sides(ax: Axes, labels: tuple[str, ...], width: int = 22) -> None:
    """Name the rows and columns of a square table: columns below, upright where their names would touch."""
    k = len(labels)
    short = fit_names(labels, width)
    room = 0.75 * size_in_points(ax)[0] / k
    font = min(float(mpl.rcParams["ytick.labelsize"]), max(4.0, 0.8 * room))
    upright = max(map(len, short)) * 0.62 * font > room
    ax.set_xticks(range(k), short, rotation=90 if upright else 0, fontsize=font)
    ax.set_yticks(range(k), short, fontsize=font)
    ax.tick_params(length=0)
    ax.set_xlim(-0.5, k - 0.5)
    ax.set_ylim(k - 0.5, -0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
