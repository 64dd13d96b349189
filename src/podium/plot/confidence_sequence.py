"""Plot of a confidence sequence."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.confidence_sequence import SequenceBand
from podium.plot.figures.confidence_sequence import confidence_sequence as sequence_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title
from podium.typesetting.numbers import confidence

__all__ = ["confidence_sequence"]


def _heading(numbers: SequenceBand) -> str:
    return f"{numbers.a} − {numbers.b} on {numbers.dataset}, {confidence(numbers.alpha):%} confidence sequence"


def _height(numbers: SequenceBand, sheet: Sheet, options: canvas.Options) -> float:
    return 0.52 * sheet.room + canvas.axis_below(2) + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(sequence_numbers, canvas=canvas.fitted(_height))
def confidence_sequence(ax: Axes, numbers: SequenceBand, *, title: str | None = None) -> None:
    """Draw the mean difference over replications, with bounds that hold at all of them together.

    A dotted line marks where 0 leaves the bounds, or where these enter the area of equivalence, which is grey.

    Examples
    --------
    >>> import podium
    >>> error = podium.examples.load_pima()
    >>> ax = podium.plot.confidence_sequence(podium.inference.confidence_sequence(error, pair=("lda", "svm1")))
    """
    there = np.isfinite(numbers.lower) & np.isfinite(numbers.upper)
    x = numbers.replications
    if numbers.equivalence is not None:
        ax.axhspan(*numbers.equivalence, color="#E9EBEE", linewidth=0, zorder=0)
    ax.axhline(0.0, color=NEUTRAL, linewidth=0.8, zorder=1)
    blue = PALETTE["blue"]
    ax.fill_between(x[there], numbers.lower[there], numbers.upper[there], color=blue, alpha=0.25, linewidth=0)
    ax.plot(x, numbers.estimate, color=blue, linewidth=1.2)
    for point in (numbers.decided, numbers.equivalent):
        if np.isfinite(point):
            ax.axvline(point, color=NEUTRAL, linewidth=0.9, linestyle=":")
    _limit(ax, numbers, there)
    room, tall = cell_size(ax)
    shown = [f"{name} after {p:.0f}" for name, p in _shown(numbers) if np.isfinite(p)] or ["no difference shown"]
    ax.set_xlabel("\n".join(in_lines(("number of replications;", *shown), 0.8 * room)))
    ax.set_ylabel("\n".join(in_lines(("difference of", numbers.measure), 0.6 * tall)))
    ax.set_xlim(0, float(x[-1]))
    ax.grid(axis="y")
    spread_ticks(ax, "x", 0.8 * room, integer=True)
    left = 5 * float(mpl.rcParams["ytick.labelsize"])  # tick labels and the name of the axis
    write_title(ax, title, _heading(numbers), left=left)


def _shown(numbers: SequenceBand) -> tuple[tuple[str, float], tuple[str, float]]:
    return ("difference shown", numbers.decided), ("equivalence shown", numbers.equivalent)


def _limit(ax: Axes, numbers: SequenceBand, there: np.ndarray) -> None:
    """Show the later bounds; the first ones, which are wide, may leave the axes."""
    if not there.any():
        return
    later = np.flatnonzero(there)[there.sum() // 10 :]
    low, high = float(numbers.lower[later].min()), float(numbers.upper[later].max())
    reach = 0.08 * (high - low) or 1.0
    ax.set_ylim(min(low, 0.0) - reach, max(high, 0.0) + reach)
