"""Trellis of Hasse diagrams."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from podium.arrays import ObjectArray
from podium.figures.hasse_trellis import HasseTrellis
from podium.figures.hasse_trellis import hasse_trellis as trellis_numbers
from podium.plot.canvas import Canvas, Options, check_panels
from podium.plot.drawing import PLOTS, draws
from podium.plot.hasse import height_of_diagram
from podium.plot.layout import Constrained
from podium.plot.names import literal
from podium.plot.style import PAD, Size, cell_size, local, sheet_of, title_height, title_lines, whole_figure

__all__ = ["hasse_trellis"]

PANEL = 1.65  # width of a panel in inches, at least


def _grid(ax: Any, numbers: HasseTrellis, size: Size, options: Options) -> Canvas:
    """Return a grid of panels, each row as high as its highest diagram."""
    m = len(numbers.panels)
    if ax is not None:
        return Canvas(check_panels(ax, m))
    sheet = sheet_of(size)
    columns = min(max(int(sheet.width / PANEL), 1), m)
    room = 72 * sheet.width / columns - 2 * PAD
    with local("column"):
        high = [
            (height_of_diagram(panel, room) + title_height(name, "", room)) / 72 + 0.1
            for name, panel in zip(numbers.datasets, numbers.panels, strict=True)
        ]
        above = title_height(_heading(numbers, options["title"]), "", sheet.room) / 72
    rows = int(np.ceil(m / columns))
    heights = [max(high[row * columns : (row + 1) * columns]) for row in range(rows)]
    figure = plt.figure(figsize=(sheet.width, sheet.height or sum(heights) + above), layout=Constrained())
    grid = figure.subplots(rows, columns, squeeze=False, gridspec_kw={"height_ratios": heights}).ravel()
    return Canvas(check_panels(grid, m))


@draws(trellis_numbers, canvas=_grid)
def hasse_trellis(
    ax: ObjectArray, numbers: HasseTrellis, *, palette: Mapping[str, str], title: str | None = None
) -> None:
    """Draw the Hasse diagram of every data set of a domain.

    Parameters
    ----------
    title : str, optional
        Title above all panels; by default which page it is, if there are several.

    Examples
    --------
    >>> import podium
    >>> domain = podium.domain(podium.datasets.load_ulas2008("accuracy"), method="5x2cv F")
    >>> panels = podium.plot.hasse_trellis(domain, datasets=["iris", "wine", "optdigits"])
    >>> [ax.get_title() for ax in panels]
    ['iris', 'wine', 'optdigits']
    """
    with local("column"):
        for one, name, panel in zip(ax, numbers.datasets, numbers.panels, strict=True):
            PLOTS["hasse"].draw_on(Canvas(one), panel, {"palette": palette, "title": None})
            one.set_title("\n".join(title_lines(name, cell_size(one)[0])))
    heading = _heading(numbers, title)
    if heading:
        whole_figure(ax[0]).suptitle(literal(heading))


def _heading(numbers: HasseTrellis, title: str | None) -> str:
    return title or ("" if numbers.pages == 1 else f"page {numbers.page} of {numbers.pages}")
