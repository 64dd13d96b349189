"""Plot of simultaneous intervals."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.simultaneous_intervals import SimultaneousIntervals
from podium.plot.figures.simultaneous_intervals import simultaneous_intervals as interval_numbers
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
    interval_handle,
    limits,
    name_pairs,
    room_of_row,
)
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, label_values, title_height, write_title
from podium.typesetting.numbers import confidence

__all__ = ["simultaneous_intervals"]

_MEANINGS = {
    "better": "first is better",
    "equivalent": "equivalent",
    "undecided": "undecided",
    "area": "area of equivalence",
}


def _names(numbers: SimultaneousIntervals, room: float) -> PairNames:
    return name_pairs(numbers.first, numbers.second, numbers.algorithms, room, combinations=numbers.combinations)


def _heading(numbers: SimultaneousIntervals) -> str:
    what = "confidence interval" if len(numbers.first) == 1 else "simultaneous intervals"
    return f"{confidence(numbers.alpha):%} {what}, {numbers.block_label}"


def _there(numbers: SimultaneousIntervals) -> list[str]:
    """Return what the drawing shows, in the order of the legend."""
    found = [decision for decision in COLOURS if decision in numbers.decisions]
    return found if numbers.equivalence is None else [*found, "area"]


_CANVAS = canvas.with_legend(
    lambda numbers: [_MEANINGS[what] for what in _there(numbers)],
    height_of_pairs(_names, _heading),
    beside=False,
)


@plot_of(interval_numbers, canvas=_CANVAS)
def simultaneous_intervals(
    ax: Axes, numbers: SimultaneousIntervals, *, title: str | None = None, legend: LegendPlan | None = None
) -> None:
    """Draw the simultaneous confidence interval of every pair, with the area of equivalence behind.

    Blue intervals belong to significant differences: the first algorithm is better. They do not contain zero, unless
    the p-values were adjusted stepwise, which shows more than the intervals do. Green ones lie inside the area of
    equivalence: the difference does not matter, whether it is significant (a filled dot) or not. Grey ones decide
    nothing. An interval that is infinite to one side ends in an arrow at the border. Where the names of pairs do not
    fit, algorithms have numbers, with a key below.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="mixed", missing="available")
    >>> ax = podium.plot.simultaneous_intervals(comparison)
    """
    n = len(numbers.first)
    wide, tall = cell_size(ax)
    names = _names(numbers, wide)
    room = room_of_row(names, n, (wide, tall), title_height(title, _heading(numbers), wide), legend)
    infinite = (not np.isfinite(numbers.lower).all(), not np.isfinite(numbers.upper).all())
    area = [] if numbers.equivalence is None else [numbers.equivalence]
    ax.set_xlim(*limits([numbers.lower, numbers.upper, numbers.estimate, *area], arrows=infinite))
    ax.set_ylim(n - 0.4, -0.6)
    if numbers.equivalence is not None:
        draw_area(ax, numbers.equivalence)
    draw_zero(ax)
    draw_intervals(
        ax, numbers.estimate, numbers.lower, numbers.upper, numbers.decisions, numbers.significant, room=room
    )
    draw_names(ax, names, n, room)
    length = wide - names.left
    spread_ticks(ax, "x", length)
    lines = label_values(ax, numbers.value_parts, "x", length)
    write_title(ax, title, _heading(numbers), left=names.left)
    handles: dict[str, Artist] = {
        _MEANINGS[what]: area_handle()
        if what == "area"
        else interval_handle(what, filled=bool(numbers.significant[numbers.decisions == what].all()))
        for what in _there(numbers)
    }
    draw_pair_legend(ax, names, handles, legend, length, lines)
