"""Plot of the replications that a sequential test spends."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from podium.analysis.sequential.text import KIND_NAMES
from podium.plot import canvas
from podium.plot.categorical import name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import PALETTE
from podium.plot.figures.replications import Replications
from podium.plot.figures.replications import replications as replication_numbers
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["replications"]


def _heading(numbers: Replications) -> str:
    name = KIND_NAMES[numbers.kind]
    return f"{name[0].upper()}{name[1:]}: {100 * numbers.saved:.0f}% of the trials saved"


@plot_of(replication_numbers, canvas=canvas.rows(lambda numbers: numbers.labels, label=2, heading=_heading, least=2.2))
def replications(ax: Axes, numbers: Replications, *, title: str | None = None) -> None:
    """Draw the replications that were needed until everything was decided, against those of the fixed design.

    One row for each data set, or for each algorithm of the only one. Hatched rows were never decided.

    Examples
    --------
    >>> import podium
    >>> found = podium.sequential(podium.examples.load_pima(), racing=True, intervals=False)
    >>> ax = podium.plot.replications(found)
    """
    row = np.arange(len(numbers.labels))
    names = name_rows(ax, numbers.labels)
    ax.barh(row, numbers.planned, height=0.66, color="#E3E6EB")
    bars = ax.barh(row, numbers.spent, height=0.66, color=PALETTE["blue"], edgecolor="white", linewidth=0.5)
    for bar, never in zip(bars, numbers.open, strict=True):
        if never:
            bar.set_hatch("////")
    ax.set_ylim(len(row) - 0.5, -0.5)
    ax.set_xlim(0, float(numbers.planned.max()))
    room = cell_size(ax)[0] - names
    parts = ["replications; grey: fixed design"]
    if any(numbers.open):
        parts[0] += ","
        parts.append("hatched: not decided")
    ax.set_xlabel("\n".join(in_lines(parts, 0.9 * room)))
    spread_ticks(ax, "x", room, integer=True)
    write_title(ax, title, _heading(numbers), left=names)
