"""Heat map of predicted data set effects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

from podium.plot import canvas
from podium.plot.drawing import plot_of
from podium.plot.figures.dataset_effects import DatasetEffects
from podium.plot.figures.dataset_effects import dataset_effects as effect_numbers
from podium.plot.heat_map import TablePlan, fit_plan, name_sides, plan_table
from podium.plot.legend import draw_key, draw_scale, key_height, scale_height
from podium.plot.names import text_width
from podium.plot.style import Sheet, cell_size, title_height, write_title

__all__ = ["dataset_effects"]

# From what favours an algorithm to what does not; the middle is white, both ends are dark.
_SHADES = LinearSegmentedColormap.from_list(
    "favours to hinders", ["#1F4E9C", "#B5CDEE", "#FFFFFF", "#F4C79B", "#B4540A"]
)
_HEADINGS = {
    "interaction": "Interaction of {datasets} data sets with the algorithms",
    "cell": "Effects of {datasets} data sets on the algorithms",
}


_GAP = 0.35  # between the effect of the data set and the others, in columns


def _height(numbers: DatasetEffects, sheet: Sheet, options: canvas.Options) -> float:
    plan = _plan(numbers, sheet.room)
    scale = scale_height(_parts(numbers), sheet.room - plan.left)
    key = key_height(_key(numbers, plan), sheet.room)
    return plan.tall + scale + key + title_height(options["title"], _heading(numbers), sheet.room)


def _key(numbers: DatasetEffects, plan: TablePlan) -> list[str]:
    """Return what the numbers of columns stand for, if these have numbers."""
    return [f"{i}  {name}" for i, name in enumerate(numbers.algorithms, 1)] if plan.columns.numbered else []


def _plan(numbers: DatasetEffects, room: float) -> TablePlan:
    columns = ["all", *numbers.algorithms]
    plan = plan_table(numbers.labels, room, columns=columns, extra=_GAP + 0.1)
    if plan.columns.numbered:  # the first column needs no number
        above = ["all", *plan.columns.texts[:-1]]
        if (1 + _GAP) * plan.width < text_width("all", plan.columns.font):
            above[1] = ""
        return replace(plan, columns=replace(plan.columns, texts=tuple(above)))
    return plan


def _heading(numbers: DatasetEffects) -> str:
    return _HEADINGS[numbers.effect].format(datasets=numbers.datasets)


def _parts(numbers: DatasetEffects) -> tuple[str, str]:
    return f"effect on {numbers.measure_label};", "a dot: clear of zero"


@plot_of(effect_numbers, canvas=canvas.fitted(_height))
def dataset_effects(ax: Axes, numbers: DatasetEffects, *, title: str | None = None) -> None:
    """Draw the effect of each data set on each algorithm, the easiest data set and the best algorithm first.

    Blue favours the algorithm, orange hinders it. Effects that are clear (more than 1.96 prediction errors from zero)
    are marked by a dot. The column on the left is the effect of the data set on all algorithms.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.dataset_effects(podium.mixed(podium.examples.load_ulas2008()))
    """
    m, k = numbers.effects.shape
    gap = _GAP
    sizes = np.abs(np.concatenate([numbers.effects.ravel(), numbers.dataset_effect]))
    # The few largest share the darkest shade, so the others can be distinguished.
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
    room = cell_size(ax)[0]
    plan = _plan(numbers, room)
    scale = scale_height(_parts(numbers), room - plan.left)
    key = _key(numbers, plan)
    scale += key_height(key, room)
    plan = fit_plan(plan, ax, numbers.labels, scale + title_height(title, _heading(numbers), room))
    y, x = np.nonzero(numbers.clear)
    strong = np.abs(numbers.effects[y, x]) > 0.7 * largest
    cell = min(plan.width, plan.height)
    ax.scatter(x, y, s=min(9.0, 0.5 * cell), c=np.where(strong, "white", "black"), linewidths=0, zorder=3)
    name_sides(ax, plan, above=True, at=[-1 - gap, *range(k)])
    ax.set_xlim(-1.55 - gap, k - 0.5)
    extend = "both" if sizes.max() > largest else "neither"
    draw_scale(ax, mesh, _parts(numbers), left=plan.left, height=m * plan.height, extend=extend)
    draw_key(ax, key)
    write_title(ax, title, _heading(numbers), left=plan.left)
