"""Plot of variance shares."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from podium.analysis.mixed import MixedFit
from podium.figures.variance_shares import VarianceShares
from podium.figures.variance_shares import variance_shares as numbers_of
from podium.plot.legend import draw_legend, legend_and_axes
from podium.plot.style import FONTS, Size, local, shorten, width_of
from podium.plot.style import title as write_title

_SHADES = {
    "data set": "#1F4E9C",
    "data set × algorithm": "#5B8BD0",
    "replication": "#B5CDEE",
    "residual": "#D9DCE1",
}
_WRITTEN = 0.06  # smallest share with its number in the bar


def variance_shares(
    fits: MixedFit | Mapping[str, MixedFit] | VarianceShares,
    *,
    ax: Axes | None = None,
    size: Size = "screen",
    title: str | None = None,
) -> Axes:
    """Draw how much each source of variation adds to the variance, one bar per model.

    Parameters
    ----------
    fits : MixedFit, mapping of str to MixedFit, or figures.VarianceShares
        One model, or several by name.
    ax : Axes, optional
        Axes to draw on; new ones if left out.
    size : {"screen", "column"} or (float, float)
        Size of a new figure.
    title : str, optional

    Returns
    -------
    Axes

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.variance_shares(podium.mixed(podium.datasets.load_ulas2008()))
    """
    numbers = fits if isinstance(fits, VarianceShares) else numbers_of(fits)
    rows = len(numbers.labels)
    with local(size):
        font = FONTS["screen" if width_of(size) > 4 else "column"]
        height = (0.04 * font * rows + 0.1 * font) / width_of(size)
        plan, ax = legend_and_axes(ax, numbers.sources, size, height=height)
        row = np.arange(rows)
        left = np.zeros(rows)
        for name, share in zip(numbers.sources, np.maximum(numbers.shares, 0.0).T, strict=True):
            ax.barh(row, 100 * share, left=100 * left, height=0.62, color=_SHADES[name], edgecolor="white")
            for y, part, start in zip(row, share, left, strict=True):
                if part >= _WRITTEN:
                    dark = name in ("data set", "data set × algorithm")
                    middle = 100 * (start + part / 2)
                    colour = "white" if dark else "black"
                    ax.text(middle, float(y), f"{100 * part:.0f} %", ha="center", va="center", color=colour)
            left = left + share
        ax.set_yticks(row, shorten(numbers.labels, 24))
        ax.tick_params(axis="y", length=0)
        ax.set_ylim(rows - 0.5, -0.5)
        ax.set_xlim(0, 100 * max(1.0, float(left.max())))
        ax.set_xlabel("share of the variance [%]")
        ax.spines["left"].set_visible(False)
        handles = [Patch(facecolor=_SHADES[name]) for name in numbers.sources]
        draw_legend(ax, handles, plan)
        about = f", {numbers.block_label}" if numbers.alike else ""
        write_title(ax, f"Where the variation comes from{about}" if title is None else title)
    return ax
