"""Plot of worths."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from podium.plot import canvas
from podium.plot.categorical import name_rows
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.worths import Worths
from podium.plot.figures.worths import worths as worth_numbers
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, in_lines, write_title
from podium.typesetting.numbers import confidence

__all__ = ["worths"]


def _heading(numbers: Worths) -> str:
    reduced = ", bias-reduced" if numbers.bias_reduced else ""
    return f"Worths{reduced}, with {confidence(numbers.alpha):%} intervals by quasi standard errors"


@plot_of(worth_numbers, canvas=canvas.rows(lambda numbers: numbers.algorithms, label=2, heading=_heading))
def worths(ax: Axes, numbers: Worths, *, palette: Mapping[str, str], title: str | None = None) -> None:
    """Draw the log worth of each object, best first, with its own interval.

    Two objects differ by the distance of their dots; the squares of their quasi standard errors nearly add up to its
    variance.

    Examples
    --------
    >>> import podium
    >>> pairs = podium.PairedComparisons.from_results(podium.examples.load_demsar2006())
    >>> ax = podium.plot.worths(podium.bradley_terry(pairs))
    """
    fill = [palette[name] for name in numbers.algorithms]
    rim = [edge_colour(colour) for colour in fill]
    rows = range(len(fill))
    lines = [[(low, row), (high, row)] for row, low, high in zip(rows, numbers.lower, numbers.upper, strict=True)]
    ax.add_collection(LineCollection(lines, colors=fill, linewidths=3.2, capstyle="butt"))
    ax.scatter(numbers.estimate, list(rows), s=42, c=fill, edgecolors=rim, linewidths=1, zorder=3)
    margin = 0.05 * float(numbers.upper.max() - numbers.lower.min())
    ax.set_xlim(float(numbers.lower.min()) - margin, float(numbers.upper.max()) + margin)
    ax.set_ylim(len(fill) - 0.5, -0.5)
    left = name_rows(ax, numbers.algorithms)
    length = cell_size(ax)[0] - left
    spread_ticks(ax, "x", length)
    ax.set_xlabel("\n".join(in_lines(["log worth,", "minus the mean of all"], length)))
    write_title(ax, title, _heading(numbers), left=left)
