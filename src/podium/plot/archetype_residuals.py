"""Residuals and robust weights of the observations."""

from __future__ import annotations

import matplotlib as mpl

from podium.arrays import ObjectArray
from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_residuals import ArchetypeResiduals
from podium.plot.figures.archetype_residuals import archetype_residuals as residual_numbers
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.scales import spread_ticks
from podium.plot.style import Sheet, cell_size, in_lines, title_height, write_title

__all__ = ["archetype_residuals"]


def _heading(numbers: ArchetypeResiduals) -> str:
    count = int(numbers.outlying.sum())
    few = f", {count} with a weight below\u00a00.1" if count else ""
    return f"Residuals and weights of {numbers.n:,} observations, {numbers.method} archetypes{few}"


def _height(numbers: ArchetypeResiduals, sheet: Sheet, options: canvas.Options) -> float:
    return 0.75 * 72 * sheet.width + title_height(options["title"], _heading(numbers), sheet.room)


@plot_of(residual_numbers, canvas=canvas.panels(2, _height))
def archetype_residuals(ax: ObjectArray, numbers: ArchetypeResiduals, *, title: str | None = None) -> None:
    """Draw the length of the residual of each observation, and below it its robust weight; outliers are red.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 2))
    >>> axes = podium.plot.archetype_residuals(podium.ArchetypalAnalysis(3, family="robust").fit(X))
    """
    colours = [PALETTE["red"] if out else NEUTRAL for out in numbers.outlying]
    left = 5 * float(mpl.rcParams["font.size"])
    for panel, values, label in zip(
        ax, (numbers.residuals, numbers.weights), (["length of", "the residual"], ["weight"]), strict=True
    ):
        if panel is ax[0]:
            panel.vlines(numbers.place, 0, values, colors=colours, linewidths=0.8)
        panel.scatter(numbers.place, values, s=9, c=colours, linewidths=0)
        panel.set_ylim(bottom=0)
        panel.set_xlim(0, numbers.n + 1)
        wide, tall = cell_size(panel)
        spread_ticks(panel, "x", wide - left, integer=True)
        spread_ticks(panel, "y", 0.6 * tall)
        panel.set_ylabel("\n".join(in_lines(label, 0.7 * tall)))
    ax[1].set_ylim(-0.05, 1.05)  # weights of 0 are whole points
    ax[1].set_xlabel("observation")
    write_title(ax[0], title, _heading(numbers), left=left)
