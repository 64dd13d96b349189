"""Box plots of a characteristic of learning samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from podium.plot import canvas
from podium.plot.categorical import bars, name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL, PALETTE
from podium.plot.figures.resampling_effect import EffectOfResampling
from podium.plot.figures.resampling_effect import resampling_effect as effect_numbers
from podium.plot.scales import spread_ticks
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["resampling_effect"]


def _rows(numbers: EffectOfResampling) -> Sequence[str]:
    return [f"{data}, {scheme}" for data, scheme in zip(numbers.datasets, numbers.schemes, strict=True)]


def _heading(numbers: EffectOfResampling) -> str:
    return f"{numbers.characteristic} of learning samples; red line: of the whole data set"


@plot_of(effect_numbers, canvas=canvas.rows(_rows, heading=_heading))
def resampling_effect(ax: Axes, numbers: EffectOfResampling, *, title: str | None = None) -> None:
    """Draw box plots of a characteristic of learning samples, with a red line at that of the whole data set.

    Examples
    --------
    >>> import podium
    >>> effect = podium.design.resampling_effect("sonar", podium.Bootstrap(replications=10))
    >>> ax = podium.plot.resampling_effect(effect)
    """
    row = np.arange(len(numbers.datasets), dtype=float)
    low, median, high = numbers.quartiles.T
    first, last = numbers.whiskers.T
    for start, end in ((first, low), (high, last)):
        lines = [[(a, y), (b, y)] for a, b, y in zip(start, end, row, strict=True)]
        ax.add_collection(LineCollection(lines, colors=NEUTRAL, linewidths=1))
    bars(ax, low, row - 0.28, high - low, 0.56, facecolors="0.88", edgecolors=NEUTRAL, linewidths=0.8, zorder=2)
    across = [[(value, y - 0.28), (value, y + 0.28)] for value, y in zip(median, row, strict=True)]
    ax.add_collection(LineCollection(across, colors="black", linewidths=1.6, zorder=3))
    ax.scatter(numbers.outlier_value, row[numbers.outlier_box], s=9, c=NEUTRAL, linewidths=0)
    red = [[(value, y - 0.42), (value, y + 0.42)] for value, y in zip(numbers.whole, row, strict=True)]
    ax.add_collection(LineCollection(red, colors=PALETTE["red"], linewidths=1.8, zorder=4))
    shown = np.concatenate([numbers.whiskers.ravel(), numbers.whole, numbers.outlier_value])
    shown = shown[np.isfinite(shown)] if np.isfinite(shown).any() else np.array([0.0, 1.0])
    margin = 0.05 * float(np.ptp(shown)) or 0.05
    ax.set_xlim(float(shown.min()) - margin, float(shown.max()) + margin)
    ax.set_ylim(len(row) - 0.5, -0.5)
    left = name_rows(ax, _rows(numbers))
    length = cell_size(ax)[0] - left
    spread_ticks(ax, "x", length)
    ax.set_xlabel("\n".join(in_lines([numbers.characteristic], length)))
    write_title(ax, title, _heading(numbers), left=left)
