"""Plot of the stages of sequential tests."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from podium.arrays import ObjectArray
from podium.plot.canvas import Canvas, Options, check_panels
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.figures.stages import StagePanel, Stages
from podium.plot.figures.stages import stages as stage_numbers
from podium.plot.monitor import root_scale
from podium.plot.names import LINE, literal
from podium.plot.style import PAD, Size, cell_size, in_lines, local, sheet_of, title_height, title_lines, whole_figure

__all__ = ["stages"]

PANEL = 1.6  # width of a panel in inches, at least, where there are several
_HIGH = 1.15  # height of the axes of a panel in inches, with its numbers
_LEFT = 32.0  # points that the numbers and the label on the left take
# How a decision is marked at its stage: the marker, and whether it is filled.
_MARKS = {"reject": ("v", True), "accept": ("^", False), "equivalent": ("s", True), "continue": ("o", True)}
_WORDS = {"reject": "▼ difference shown", "accept": "△ ended without", "equivalent": "■ equivalent"}


def _grid(ax: Any, numbers: Stages, size: Size, options: Options) -> Canvas:
    """Return a grid of panels; a single one has the usual proportions."""
    m = len(numbers.panels)
    if ax is not None:
        return Canvas(check_panels(ax, m))
    sheet = sheet_of(size)
    columns = min(max(int(sheet.width / PANEL), 1), m)
    rows = int(np.ceil(m / columns))
    room = 72 * sheet.width / columns - 2 * PAD - _LEFT
    with local("column"):
        heads = max(title_height(panel.label, "", room) for panel in numbers.panels) / 72
        above = title_height(options["title"], "", sheet.room) / 72
    one = 0.5 * sheet.width if m == 1 else _HIGH
    below = LINE * sheet.font * (len(_key(numbers, sheet.room)) - 1) / 72
    height = sheet.height or rows * (one + heads) + above + 0.3 + below
    figure = plt.figure(figsize=(sheet.width, height), layout="constrained")
    return Canvas(check_panels(figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel(), m))


@plot_of(stage_numbers, canvas=_grid)
def stages(ax: ObjectArray, numbers: Stages, *, title: str | None = None) -> None:
    """Draw the p-value of each stage with its bounds, one panel for each data set and pair.

    Dots are p-values, on a square root scale. A dashed line below joins the bounds of rejection, one above those of
    acceptance. The last dot shows the decision: a triangle that points down for a rejection, an open one that points up
    for an end without rejection, a square for equivalence.

    Parameters
    ----------
    title : str, optional
        Title above all panels; by default there is none.

    Examples
    --------
    >>> import podium
    >>> found = podium.sequential(podium.examples.load_pima(), pair=("rf", "svm1"), stages=4)
    >>> panels = podium.plot.stages(found)
    """
    with local("column"):
        _scale(ax, numbers.planned)
        for one, panel in zip(ax, numbers.panels, strict=True):
            _panel(one, panel)
    figure = whole_figure(ax[0])
    spec = ax[0].get_subplotspec()
    below = len(ax) if spec is None else spec.get_gridspec().ncols
    for one in ax[-below:]:  # the lowest panel of each column
        one.tick_params(labelbottom=True)
    if figure.get_layout_engine() is not None:
        figure.supxlabel("\n".join(_key(numbers, 72 * figure.get_figwidth() - 2 * PAD)), fontsize="medium")
        figure.supylabel("p-value", fontsize="medium")
    if title:
        figure.suptitle(literal(title))


def _key(numbers: Stages, room: float) -> list[str]:
    """Name the axis of stages, the decisions and the bounds, in lines of at most `room` points."""
    marks = {panel.decision for panel in numbers.panels}
    parts = [f"{word}," for decision, word in _WORDS.items() if decision in marks]
    parts.append("dashes below: bounds of rejection")
    if any(_accepts(panel) for panel in numbers.panels):
        parts[-1] += ","
        parts.append("above: of acceptance")
    return ["stage", *in_lines(parts, room)]


def _accepts(panel: StagePanel) -> bool:
    """Whether there are bounds beyond which a stage ends without a difference."""
    return panel.accept.size > 0 and not bool(np.isnan(panel.accept).all())


def _scale(axes: ObjectArray, planned: int) -> None:
    """Set scales, limits and ticks: once for axes that share them, and before there are marks that would move them."""
    with_x: set[Axes] = set()
    with_y: set[Axes] = set()
    for ax in axes:
        if ax not in with_y:
            root_scale(ax)
            with_y.update(ax.get_shared_y_axes().get_siblings(ax))
        if ax not in with_x:
            ax.set_xlim(0.6, planned + 0.4)
            ax.set_xticks(range(1, planned + 1, max(1, int(np.ceil(planned / 8)))))
            with_x.update(ax.get_shared_x_axes().get_siblings(ax))


def _panel(ax: Axes, panel: StagePanel) -> None:
    stage = np.arange(1, len(panel.pvalue) + 1)
    look = {"color": NEUTRAL, "linewidth": 0.9, "linestyle": "--", "marker": "_", "markersize": 7}
    ax.plot(stage, panel.reject, **look)  # type: ignore[arg-type]
    if _accepts(panel):
        ax.plot(stage, panel.accept, **look)  # type: ignore[arg-type]
    red = PALETTE["red"]
    marked = len(stage) > 0 and panel.decision != "continue" and panel.stage <= len(stage)
    plain = stage != (panel.stage if marked else 0)
    ax.plot(stage[plain], panel.pvalue[plain], "o", color=red, markersize=4, zorder=3)
    if marked:
        marker, filled = _MARKS[panel.decision]
        at = panel.stage - 1
        ax.plot(
            [stage[at]], [panel.pvalue[at]], marker, color=red, markerfacecolor=red if filled else "white",
            markersize=7, zorder=4, clip_on=False,
        )  # fmt: skip
    ax.grid(axis="y")
    ax.set_title("\n".join(title_lines(panel.label, cell_size(ax)[0] - _LEFT)), loc="left")
