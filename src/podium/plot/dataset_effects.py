"""Heat map of predicted data set effects."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

from podium.figures.dataset_effects import DatasetEffects
from podium.figures.dataset_effects import dataset_effects as effect_numbers
from podium.plot import canvas
from podium.plot.drawing import draws
from podium.plot.names import shorten
from podium.plot.style import FONTS, WIDTHS, NamedSize, in_lines, size_in_points, whole_figure, write_title

__all__ = ["dataset_effects"]

# From what favours an algorithm to what does not; the middle is white, both ends are dark.
_SHADES = LinearSegmentedColormap.from_list(
    "favours to hinders", ["#1F4E9C", "#B5CDEE", "#FFFFFF", "#F4C79B", "#B4540A"]
)
_HEADINGS = {
    "interaction": "Interaction of {datasets} data sets with the algorithms",
    "cell": "Effects of {datasets} data sets on the algorithms",
}


def _inches(numbers: DatasetEffects, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    return WIDTHS[size], FONTS[size] * (0.024 * len(numbers.labels) + 0.14)


@draws(effect_numbers, canvas=canvas.fitted(_inches))
def dataset_effects(ax: Axes, numbers: DatasetEffects, *, title: str | None = None) -> None:
    """Draw the effect of each data set on each algorithm, the easiest data set and the best algorithm first.

    Blue favours the algorithm, orange hinders it. Effects that are clear (further from zero than 1.96 prediction
    errors) are marked by a dot. The column on the left is the effect of the data set on all algorithms.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.dataset_effects(podium.mixed(podium.datasets.load_ulas2008()))
    """
    m, k = numbers.effects.shape
    gap = 0.35  # between the effect of the data set and the others
    sizes = np.abs(np.concatenate([numbers.effects.ravel(), numbers.dataset_effect]))
    # The few largest share the darkest shade, so that the others can be told apart.
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
    ax.set_yticks(range(m), shorten(numbers.labels, 22, lines=1), fontsize=font)
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
    parts = (f"effect on {numbers.measure_label};", "a dot: clear of zero")
    bar.set_label("\n".join(in_lines(parts, 0.9 * size_in_points(ax)[1])))
    write_title(ax, title, _HEADINGS[numbers.effect].format(datasets=numbers.datasets))
