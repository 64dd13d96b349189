"""Plot of credible intervals."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from podium.plot import canvas
from podium.plot.categorical import bars as draw_bars
from podium.plot.drawing import plot_of
from podium.plot.figures.credible_intervals import CredibleIntervals
from podium.plot.figures.credible_intervals import credible_intervals as interval_numbers
from podium.plot.legend import LegendPlan
from podium.plot.pair_rows import (
    COLOURS,
    PairNames,
    area_handle,
    draw_area,
    draw_intervals,
    draw_names,
    draw_pair_legend,
    draw_zero,
    height_of_pairs,
    limits,
    name_pairs,
    room_of_row,
)
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, label_values, title_height, write_title
from podium.typesetting.numbers import confidence

__all__ = ["credible_intervals"]

_MEANINGS = {
    "better": "first is better",
    "equivalent": "equivalent",
    "worse": "second is better",
    "area": "area of equivalence",
}
_SHADES = {"better": COLOURS["better"], "equivalent": COLOURS["equivalent"], "worse": "#E5862A"}
_BARS = 0.2  # of the width of the axes, for the probabilities


def _names(numbers: CredibleIntervals, room: float) -> PairNames:
    return name_pairs(numbers.first, numbers.second, numbers.algorithms, room)


def _heading(numbers: CredibleIntervals) -> str:
    return f"{numbers.method}, {numbers.block_label}: {confidence(numbers.alpha):%} credible intervals, probabilities"


def _there(numbers: CredibleIntervals) -> list[str]:
    """Return what the drawing shows, in the order of the legend."""
    shown = [outcome for outcome in _SHADES if outcome != "equivalent" or numbers.equivalence is not None]
    return shown if numbers.equivalence is None else [*shown, "area"]


@plot_of(
    interval_numbers,
    canvas=canvas.with_legend(
        lambda numbers: [_MEANINGS[what] for what in _there(numbers)],
        height_of_pairs(_names, _heading),
        beside=False,
    ),
)
def credible_intervals(
    ax: Axes, numbers: CredibleIntervals, *, title: str | None = None, legend: LegendPlan | None = None
) -> None:
    """Draw the credible interval of every pair, with the area of equivalence behind, and three probabilities beside.

    The bars on the right are the probabilities that the first is better (blue), that the difference does not matter
    (green), and that the second is better (orange); they are child axes, ``ax.child_axes[0]``. Intervals and dots are
    blue or green where the probability of that outcome is at least the threshold, and grey where nothing is decided.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> ax = podium.plot.credible_intervals(podium.inference.compare_bayes(iris, equivalence=1))
    """
    n = len(numbers.first)
    wide, tall = cell_size(ax)
    names = _names(numbers, wide)
    room = room_of_row(names, n, (wide, tall), title_height(title, _heading(numbers), wide), legend)
    area = [] if numbers.equivalence is None else [numbers.equivalence]
    low, high = limits([numbers.lower, numbers.upper, numbers.estimate, *area])
    # The bars are inside the axes, at their right end: the layout then handles only one axes.
    ax.set_xlim(low, high + (high - low) * (_BARS + 0.03) / (1 - _BARS - 0.03))
    ax.set_ylim(n - 0.4, -0.6)
    if numbers.equivalence is not None:
        draw_area(ax, numbers.equivalence)
    draw_zero(ax)
    decided = numbers.decisions != "undecided"
    draw_intervals(ax, numbers.estimate, numbers.lower, numbers.upper, numbers.decisions, decided, room=room)
    draw_names(ax, names, n, room)
    length = wide - names.left
    spread_ticks(ax, "x", length)
    lines = label_values(ax, numbers.value_parts, "x", length)
    ax.set_xticks([tick for tick in ax.get_xticks() if low <= tick <= high])
    _draw_bars(ax, numbers)
    write_title(ax, title, _heading(numbers), left=names.left)
    handles: dict[str, Artist] = {
        _MEANINGS[what]: area_handle() if what == "area" else Patch(facecolor=_SHADES[what]) for what in _there(numbers)
    }
    draw_pair_legend(ax, names, handles, legend, length, lines)


def _draw_bars(ax: Axes, numbers: CredibleIntervals) -> None:
    bars = ax.inset_axes((1 - _BARS, 0, _BARS, 1), sharey=ax)
    row, left = np.arange(len(numbers.first)), np.zeros(len(numbers.first))
    for outcome, colour in _SHADES.items():
        share = getattr(numbers, outcome)
        draw_bars(
            bars,
            left,
            row - 0.31,
            share,
            0.62,
            facecolors=colour,
            edgecolors="white",
            linewidths=0.4,
            joinstyle="miter",
        )
        left = left + share
    bars.set_xlim(0, 1)
    bars.set_facecolor("white")
    bars.set_xticks([])
    bars.tick_params(axis="y", length=0, labelleft=False)
    bars.spines[:].set_visible(False)
