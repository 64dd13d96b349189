"""Stability of prototypes against their number."""

from __future__ import annotations

import matplotlib as mpl
from matplotlib.axes import Axes

from podium.errors import plural
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import PALETTE
from podium.plot.figures.stability_curve import StabilityCurve
from podium.plot.figures.stability_curve import stability_curve as stability_numbers
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["stability_curve"]


def _heading(numbers: StabilityCurve) -> str:
    return f"Stability of {numbers.method} over {plural(numbers.resamples, 'bootstrap sample')}"


@plot_of(stability_numbers)
def stability_curve(ax: Axes, numbers: StabilityCurve, *, title: str | None = None) -> None:
    """Draw the agreement of bootstrap solutions with that of all data, against the number of prototypes.

    Light bars go from the lower to the upper quartile.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(40, 2))
    >>> found = podium.archetypal.prototype_stability(X, [2, 3], resamples=4, n_init=2)
    >>> ax = podium.plot.stability_curve(found)
    """
    colour = PALETTE["blue"]
    ax.vlines(numbers.k, numbers.lower, numbers.upper, colors=colour, linewidths=3.5, alpha=0.4)
    ax.plot(numbers.k, numbers.agreement, color=colour, marker="o", linewidth=1.4)
    ax.set_xlim(int(numbers.k[0]) - 0.5, int(numbers.k[-1]) + 0.5)
    low, high = float(numbers.lower.min()), float(numbers.upper.max())
    margin = 0.06 * max(high - low, 0.05)
    ax.set_ylim(low - margin, high + margin)
    left = 5 * float(mpl.rcParams["font.size"])
    wide, tall = cell_size(ax)
    spread_ticks(ax, "x", wide - left, integer=True)
    spread_ticks(ax, "y", 0.7 * tall)
    ax.grid(axis="y")
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("\n".join(in_lines(["number of prototypes;", "light bars: quartiles of the samples"], wide - left)))
    ax.set_ylabel("\n".join(in_lines(["share of agreement", "of the coefficients"], 0.6 * tall)))
    write_title(ax, title, _heading(numbers), left=left)
