"""Incidence matrix."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.categorical import bars, inside
from podium.plot.drawing import plot_of
from podium.plot.figures.incidence import Incidence
from podium.plot.figures.incidence import incidence as incidence_numbers
from podium.plot.heat_map import TablePlan, fit_plan, name_sides, plan_table
from podium.plot.style import SMALLEST_FONT, Sheet, cell_size, title_height, write_title

__all__ = ["incidence"]

_SHADES = {"better": "#1F4E9C", "indifferent": "#B5CDEE", "worse": "#F2F3F5", "incomparable": "#FFFFFF"}
_SIGNS = {"better": "<", "indifferent": "~", "worse": "", "incomparable": ""}


def _height(numbers: Incidence, sheet: Sheet, options: canvas.Options) -> float:
    return _plan(numbers, sheet.room).tall + 4 + title_height(options["title"], numbers.kind, sheet.room)


def _plan(numbers: Incidence, room: float) -> TablePlan:
    plan = plan_table(numbers.algorithms, room)
    return plan_table(numbers.algorithms, room, least=min(0.72 * plan.width / plan.font, 4.5))


@plot_of(incidence_numbers, canvas=canvas.fitted(_height))
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
    room = cell_size(ax)[0]
    plan = fit_plan(_plan(numbers, room), ax, numbers.algorithms, title_height(title, numbers.kind, room))
    font = min(float(mpl.rcParams["font.size"]), 0.7 * min(plan.width, plan.height))
    for state, colour in _SHADES.items():
        i, j = np.nonzero(numbers.states == state)
        hatch: Any = {"edgecolors": "#B4B8BF", "hatch": "////"} if state == "incomparable" else {"edgecolors": "none"}
        bars(ax, j - 0.46, i - 0.46, 0.92, 0.92, facecolors=colour, linewidths=0, **hatch)
        if font >= SMALLEST_FONT and _SIGNS[state]:
            look: Any = {"fontsize": font, "color": "white" if state == "better" else "black"}
            for row, column in zip(i.tolist(), j.tolist(), strict=True):
                inside(ax.text(column, row, _SIGNS[state], ha="center", va="center", **look))
    name_sides(ax, plan, above=True)
    write_title(ax, title, numbers.kind, left=plan.left)
