"""P-value table."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Patch, Rectangle

from podium.checks import check_flag
from podium.plot import canvas
from podium.plot.categorical import inside
from podium.plot.drawing import plot_of
from podium.plot.figures.pvalues import PValues
from podium.plot.figures.pvalues import pvalues as pvalue_numbers
from podium.plot.heat_map import cell_font, fit_plan, name_sides, plan_table, shade_cells
from podium.plot.legend import LegendPlan
from podium.plot.names import LINE
from podium.plot.style import SMALLEST_FONT, Sheet, cell_size, title_height, write_title

__all__ = ["pvalues"]

_SHADES = ("#1F4E9C", "#3E73BE", "#B5CDEE", "#F2F3F5")  # below 0.001, below 0.01, below alpha, above
_HATCH = "#B4B8BF"
_WIDEST = "<0.001"
_ADJUSTMENTS = {
    "none": "no",
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "rom": "Rom",
    "sidak": "Šidák",
    "holm-sidak": "Holm–Šidák",
    "finner": "Finner",
    "li": "Li",
    "shaffer": "Shaffer",
    "shaffer-dynamic": "dynamic Shaffer",
    "bergmann-hommel": "Bergmann–Hommel",
    "bh": "Benjamini–Hochberg",
    "by": "Benjamini–Yekutieli",
}


def _height(numbers: PValues, sheet: Sheet, options: canvas.Options) -> float:
    table = plan_table(numbers.algorithms, sheet.room)
    return table.tall + 4 + title_height(options["title"], _heading(numbers), sheet.room)


def _heading(numbers: PValues) -> str:
    adjustment = _ADJUSTMENTS.get(numbers.adjust, numbers.adjust)
    return f"{numbers.method}, {numbers.block_label}, {adjustment} adjustment"


def _steps(numbers: PValues) -> list[float]:
    return sorted({0.001, 0.01, numbers.alpha})


def _untested(numbers: PValues) -> np.ndarray:
    return np.isnan(numbers.matrix) & ~np.eye(len(numbers.algorithms), dtype=bool)


def _key(numbers: PValues) -> list[str]:
    """Texts of the legend: what each shade means."""
    steps, p = _steps(numbers), "p" if numbers.adjust == "none" else "adjusted p"
    texts = [
        f"{p} < {steps[0]:g}",
        *(f"< {step:g}" for step in steps[1:]),
        f"≥ {steps[-1]:g}",
    ]
    return [*texts, "not tested"] if _untested(numbers).any() else texts


@plot_of(pvalue_numbers, canvas=canvas.with_legend(_key, _height, beside=False))
def pvalues(
    ax: Axes,
    numbers: PValues,
    *,
    write: bool | None = None,
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> list[Artist]:
    """Draw the adjusted p-values of all pairs as a heat map, best algorithm first.

    Pairs that were not tested are hatched. Where the names of columns do not fit, columns and rows are numbered.

    Parameters
    ----------
    write : bool, optional
        Whether to write the p-values into the cells; by default where they can be read.
    """
    if write is not None:
        check_flag(write, "write")
    steps = _steps(numbers)
    colours = [*_SHADES[3 - len(steps) : 3], _SHADES[3]]
    norm = BoundaryNorm([0.0, *steps, 1.0], len(colours))
    shade_cells(ax, np.ma.masked_invalid(numbers.matrix), cmap=ListedColormap(colours), norm=norm)
    for i, j in np.argwhere(_untested(numbers)):
        ax.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="////", edgecolor=_HATCH, linewidth=0))
    room = cell_size(ax)[0]
    around = title_height(title, _heading(numbers), room) + (legend.height if legend else 0.0)
    plan = fit_plan(plan_table(numbers.algorithms, room), ax, numbers.algorithms, around)
    name_sides(ax, plan, above=True)
    font = cell_font([_WIDEST], plan.width, 0.85 * float(mpl.rcParams["font.size"]))
    if font is not None and LINE * font > plan.height:
        font = None
    if font is not None if write is None else write:
        _write(ax, numbers, font or SMALLEST_FONT)
    write_title(ax, title, _heading(numbers), left=plan.left)
    return _patches(colours, hatched=bool(_untested(numbers).any()))


def _patches(colours: Sequence[str], *, hatched: bool) -> list[Artist]:
    patches: list[Artist] = [Patch(facecolor=colour, edgecolor="#C9CCD1", linewidth=0.5) for colour in colours]
    if hatched:
        patches.append(Patch(fill=False, hatch="////", edgecolor=_HATCH, linewidth=0))
    return patches


def _write(ax: Axes, table: PValues, font: float) -> None:
    for i, j in np.argwhere(~np.isnan(table.matrix)):
        p = float(table.matrix[i, j])
        text = "<0.001" if p < 0.001 else f"{p:.3f}"
        colour = "white" if p < 0.01 else "black"
        inside(ax.text(j, i, text, ha="center", va="center", fontsize=font, color=colour))
