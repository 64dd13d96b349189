"""Heat map of predicted data set effects."""

from __future__ import annotations

from typing import Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

from podium.analysis.mixed import MixedFit
from podium.figures.dataset_effects import DatasetEffects
from podium.figures.dataset_effects import dataset_effects as numbers_of
from podium.plot.style import FONTS, Size, axes, local, shorten, size_in_points, whole_figure, width_of
from podium.plot.style import title as write_title

# From what favours an algorithm to what does not; the middle is white, both ends are dark.
_SHADES = LinearSegmentedColormap.from_list(
    "favours to hinders", ["#1F4E9C", "#B5CDEE", "#FFFFFF", "#F4C79B", "#B4540A"]
)


def dataset_effects(
    fit: MixedFit | DatasetEffects,
    effect: Literal["interaction", "cell"] = "interaction",
    *,
    ax: Axes | None = None,
    size: Size = "screen",
    title: str | None = None,
) -> Axes:
    """Draw how each algorithm likes each data set, the easiest data set and the best algorithm first.

    Blue favours the algorithm, orange hinders it. Effects that are clear (further from zero than 1.96 prediction
    errors) bear a dot. The column on the left is the effect of the data set on all algorithms alike.

    Parameters
    ----------
    fit : MixedFit or figures.DatasetEffects
        A domain model.
    effect : {"interaction", "cell"}
        The effect of a data set on an algorithm, beyond that on all algorithms, or with it.
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
    >>> ax = podium.plot.dataset_effects(podium.mixed(podium.datasets.load_ulas2008()))
    """
    numbers = fit if isinstance(fit, DatasetEffects) else numbers_of(fit, effect)
    with local(size):
        if ax is None:
            width = width_of(size)
            font = FONTS["screen" if width > 4 else "column"]
            height = 0.024 * font * len(numbers.datasets) + 0.14 * font
            ax = axes(None, size=(width, height) if isinstance(size, str) else size)
        draw_dataset_effects(ax, numbers)
        write_title(ax, _heading(numbers) if title is None else title)
    return ax


def draw_dataset_effects(ax: Axes, numbers: DatasetEffects) -> None:
    """Draw the numbers of a heat map of data set effects."""
    m, k = numbers.effects.shape
    gap = 0.35  # between the effect of the data set and the others
    sizes = np.abs(np.concatenate([numbers.effects.ravel(), numbers.dataset_effect]))
    # The few largest share the darkest shade, so that the others are told apart.
    largest = max(float(np.quantile(sizes, 0.98)), 1e-300)
    norm = TwoSlopeNorm(0.0, -largest, largest)
    shades = _SHADES if numbers.measure.sign == 1 else _SHADES.reversed()
    rows = np.arange(m + 1) - 0.5
    line = 0.8 if m <= 60 else 0.2
    for edges, values in (
        (np.array([-1.5, -0.5]) - gap, numbers.dataset_effect[:, None]),
        (np.arange(k + 1) - 0.5, numbers.effects),
    ):
        mesh = ax.pcolormesh(edges, rows, values, cmap=shades, norm=norm, edgecolor="white", linewidth=line)
    room = 0.7 * size_in_points(ax)[1] / m
    y, x = np.nonzero(numbers.clear)
    strong = np.abs(numbers.effects[y, x]) > 0.7 * largest
    ax.scatter(x, y, s=min(9.0, 0.5 * room), c=np.where(strong, "white", "black"), linewidths=0, zorder=3)
    font = min(float(mpl.rcParams["ytick.labelsize"]), max(3.5, 0.95 * room))
    ax.set_yticks(range(m), shorten(numbers.datasets, 22, lines=1), fontsize=font)
    names = ["all", *shorten(numbers.algorithms, 14, lines=1)]
    place = 0.6 * size_in_points(ax)[0] / (k + 1)
    upright = max(map(len, names)) * 0.6 * float(mpl.rcParams["xtick.labelsize"]) > place
    ax.set_xticks([-1 - gap, *range(k)], names, rotation=90 if upright else 0)
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.set_xlim(-1.55 - gap, k - 0.5)
    ax.set_ylim(m - 0.5, -0.5)
    for spine in ax.spines.values():
        spine.set_visible(False)
    extend = "both" if sizes.max() > largest else "neither"
    bar = whole_figure(ax).colorbar(mesh, ax=ax, aspect=30, shrink=0.75, extend=extend)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0)
    units = f" [{numbers.measure.units}]" if numbers.measure.units else ""
    bar.set_label(f"effect on {numbers.measure.name}{units}; a dot: clear of zero")


def _heading(numbers: DatasetEffects) -> str:
    if numbers.effect == "interaction":
        return f"How the algorithms like {numbers.data}"
    return f"Effects of {numbers.data} on the algorithms"
