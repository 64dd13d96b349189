"""Parallel coordinates of data and archetypes, and of coefficients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from podium.arrays import FloatArray, IntArray
from podium.errors import plural
from podium.plot import canvas
from podium.plot.categorical import name_rows
from podium.plot.drawing import plot_of
from podium.plot.figures.archetype_profiles import ArchetypeCoefficients, ArchetypeProfiles
from podium.plot.figures.archetype_profiles import archetype_coefficients as coefficient_numbers
from podium.plot.figures.archetype_profiles import archetype_profiles as profile_numbers
from podium.plot.style import cell_size, in_lines, write_title

__all__ = ["archetype_coefficients", "archetype_profiles"]

GREY = "#A9AEB6"
STYLES = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 1)))
MARKS = ("o", "s", "^", "D", "v", "P", "X")


def look_of(j: int) -> dict[str, Any]:
    """How the line of an archetype is drawn: black, with a mark and a style of its own."""
    return {
        "color": "black",
        "linestyle": STYLES[j % len(STYLES)],
        "marker": MARKS[j % len(MARKS)],
        "markersize": 5,
        "linewidth": 1.8,
        "markeredgecolor": "white",
        "markeredgewidth": 0.7,
    }


def shown_groups(groups: Sequence[str]) -> list[str]:
    """Groups that have a name."""
    return [name for name in groups if name]


def _heading(numbers: ArchetypeProfiles | ArchetypeCoefficients) -> str:
    what = "Coefficients of" if isinstance(numbers, ArchetypeCoefficients) else ""
    k = plural(len(numbers.names), f"{numbers.method} archetype")
    return f"{what} {numbers.n:,} observations and {k}".strip()


def _names(numbers: ArchetypeProfiles) -> list[str]:
    return [*numbers.names, *shown_groups(numbers.groups)]


def draw_lines(
    ax: Axes, values: FloatArray, group: IntArray, groups: Sequence[str], palette: Mapping[str, str]
) -> list[Line2D]:
    """Draw a line from row to row for each observation; return what a legend shows."""
    rows = np.arange(values.shape[1])
    handles = []
    faint = float(np.clip(30 / max(len(values), 1), 0.08, 0.5))
    for g, name in enumerate(groups):
        chosen = values[group == g]
        colour = palette[name] if name else GREY
        lines = [np.column_stack([line, rows]) for line in chosen]
        found = ax.add_collection(LineCollection(lines, colors=colour, linewidths=0.7, alpha=faint, zorder=1))
        found.set_in_layout(False)
        if name:
            handles.append(Line2D([], [], color=colour, linewidth=2))
    return handles


def name_variables(ax: Axes, names: Sequence[str]) -> float:
    """Write the axes of variables, each from its smallest value to its greatest; return the room on the left."""
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(len(names) - 0.5, -0.5)
    left = name_rows(ax, names)
    ax.set_xticks([0, 1], ["smallest", "greatest"])
    first, last = ax.get_xticklabels()
    first.set_horizontalalignment("left")
    last.set_horizontalalignment("right")
    ax.tick_params(length=0)
    what = ["value of the variable,", "from its smallest to its greatest"]
    ax.set_xlabel("\n".join(in_lines(what, cell_size(ax)[0] - left)))
    return left


@plot_of(
    profile_numbers,
    canvas=canvas.with_legend(
        _names, canvas.height_with_rows(lambda numbers: numbers.columns, label=2, heading=_heading, least=2.6)
    ),
)
def archetype_profiles(
    ax: Axes, numbers: ArchetypeProfiles, *, palette: Mapping[str, str], title: str | None = None
) -> list[Line2D]:
    """Draw parallel coordinates: a row per variable, a line per observation, and the archetypes above them.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.archetype_profiles(podium.ArchetypalAnalysis(2).fit(X))
    """
    m = len(numbers.columns)
    groups = draw_lines(ax, numbers.data, numbers.group, numbers.groups, palette)
    handles = []
    for j, line in enumerate(numbers.archetypes):
        ax.plot(line, np.arange(m), zorder=3, **look_of(j))
        handles.append(Line2D([], [], **look_of(j)))
    ax.hlines(np.arange(m), 0, 1, colors="#D9DCE1", linewidths=0.6, zorder=0)
    left = name_variables(ax, numbers.columns)
    write_title(ax, title, _heading(numbers), left=left)
    return [*handles, *groups]


@plot_of(
    coefficient_numbers,
    canvas=canvas.with_legend(
        lambda numbers: shown_groups(numbers.groups) or ["observations"],
        canvas.height_with_rows(lambda numbers: numbers.names, label=2, heading=_heading, least=4.0),
    ),
)
def archetype_coefficients(
    ax: Axes, numbers: ArchetypeCoefficients, *, palette: Mapping[str, str], title: str | None = None
) -> list[Line2D]:
    """Draw parallel coordinates of coefficients: a row per archetype, a line per observation, and means of groups.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> ax = podium.plot.archetype_coefficients(podium.ArchetypalAnalysis(2).fit(X))
    """
    k = len(numbers.names)
    handles = draw_lines(ax, numbers.coefficients, numbers.group, numbers.groups, palette)
    for name, mean in zip(numbers.groups, numbers.means, strict=True):
        colour = palette[name] if name else "black"
        ax.plot(mean, np.arange(k), color="white", linewidth=3.4, zorder=2)
        ax.plot(mean, np.arange(k), color=colour, linewidth=2.2, marker="o", markeredgecolor="white", zorder=3)
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(k - 0.6, -0.4)
    ax.hlines(np.arange(k), 0, 1, colors="#D9DCE1", linewidths=0.6, zorder=0)
    left = name_rows(ax, numbers.names)
    ticks = (0.0, 0.25, 0.5, 0.75, 1.0)
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.tick_params(length=0)
    what = ["coefficient;", "thick lines are means"]
    ax.set_xlabel("\n".join(in_lines(what, cell_size(ax)[0] - left)))
    write_title(ax, title, _heading(numbers), left=left)
    return handles or [Line2D([], [], color=GREY, linewidth=1)]
