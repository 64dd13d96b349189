"""Benchmark summary graph."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from podium.plot import canvas
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL
from podium.plot.figures.summary_graph import EDGES, SummaryGraph
from podium.plot.figures.summary_graph import summary_graph as graph_numbers
from podium.plot.legend import LegendPlan
from podium.plot.names import LINE, fit_names, lines_of, text_width
from podium.plot.style import Sheet, cell_size, title_height, write_title
from podium.results.labels import natural_key

__all__ = ["summary_graph"]

SEVERAL = "several winners"
NEAR = 8.0  # points from a node to its name, if there is room
LESS = 0.5  # points of edges behind a name that make another place better
# Distances of a name from its node, in points: near, and then in ever wider circles.
_PLACES = [
    np.array([radius * np.cos(angle), radius * np.sin(angle)])
    for radius in (NEAR, 16.0, 26.0, 38.0, 52.0, 70.0, 90.0)
    for angle in np.pi * np.array([0.5, -0.5, 0, 1, 0.25, 0.75, -0.25, -0.75, 0.12, 0.88, -0.12, -0.88])
]
HIDDEN = 0.08  # share of a name that may be covered
HINTED = 1.1  # how much wider small text can be on a screen, where letters begin at whole pixels
NAMES_UP_TO = 60  # data sets; with more, names would hide the nodes


def _labels(numbers: SummaryGraph) -> list[str]:
    won = [name for i, name in enumerate(numbers.algorithms) if (numbers.winner == i).any()]
    return [*sorted(won, key=natural_key), *([SEVERAL] if (numbers.winner < 0).any() else [])]


def _height(numbers: SummaryGraph, sheet: Sheet, options: canvas.Options) -> float:
    """Height in points, as wide and high as the layout is."""
    wide, tall = float(np.ptp(numbers.x)), float(np.ptp(numbers.y))
    return float(np.clip(tall / wide if wide > 0 else 1.0, 0.55, 0.9)) * sheet.room + title_height(
        options["title"], "", sheet.room
    )


@plot_of(graph_numbers, canvas=canvas.with_legend(_labels, _height))
def summary_graph(
    ax: Axes,
    numbers: SummaryGraph,
    *,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> list[Line2D]:
    """Draw the benchmark summary graph: data sets with similar relations are near each other.

    A node has the colour of the algorithm that wins alone, and is empty where several are first. Edges join data sets
    at the smallest distances; the shorter the distance, the wider and darker the edge. Names that do not fit are left
    out.

    Parameters
    ----------
    title : str, optional
        Title above the axes; by default there is none.

    Examples
    --------
    >>> import podium
    >>> domain = podium.domain(podium.examples.load_ulas2008("accuracy"), method="5x2cv F")
    >>> ax = podium.plot.summary_graph(domain)
    """
    spots = np.column_stack([numbers.x, numbers.y])
    near = 1.0 - numbers.level / max(len(numbers.levels), 1)
    order = np.argsort(near, kind="stable")  # the nearest on top
    few = len(numbers.datasets) <= NAMES_UP_TO
    crowd = min(1.0, EDGES * len(numbers.datasets) / max(len(order), 1))  # many edges are faint, or they hide the nodes
    ax.add_collection(
        LineCollection(
            [spots[[numbers.first[e], numbers.second[e]]] for e in order],
            colors=[mpl.colors.to_rgba(NEUTRAL, crowd * (0.1 + 0.7 * near[e] ** 2)) for e in order],
            linewidths=(0.3 + 2.2 * near[order] ** 2) * (1.0 if few else 0.4),
            zorder=1,
        )
    )
    tones = ["white" if won < 0 else palette[numbers.algorithms[won]] for won in numbers.winner]
    edges = [NEUTRAL if won < 0 else edge_colour(palette[numbers.algorithms[won]]) for won in numbers.winner]
    ax.scatter(
        numbers.x, numbers.y, s=70 if few else 16, c=tones, edgecolors=edges, linewidths=1.2 if few else 0.6, zorder=2
    )
    if few:
        wide, tall = cell_size(ax)
        wide -= legend.width if legend is not None and legend.right else 0.0
        tall -= title_height(title, "", wide) + (legend.height if legend is not None else 0.0)
        _write_names(ax, numbers, spots, (wide, tall))
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.12)
    ax.set_axis_off()
    write_title(ax, title, "")
    looks = [
        ("white", NEUTRAL) if name == SEVERAL else (palette[name], edge_colour(palette[name]))
        for name in _labels(numbers)
    ]
    return [
        Line2D([], [], linestyle="", marker="o", markersize=7, markerfacecolor=face, markeredgecolor=rim)
        for face, rim in looks
    ]


def _write_names(ax: Axes, numbers: SummaryGraph, spots: np.ndarray, room: tuple[float, float]) -> None:
    """Write each name beside its node, where no node and no other name is in the way; at a distance if need be.

    Of the places beside the node, the one with the least edge length behind the name is chosen.

    A name may cover a little of a node, but not another name. One for which there is no such place is left out.
    """
    font = float(mpl.rcParams["font.size"]) * 0.8
    names = fit_names(numbers.datasets, 9 * font, font)
    low, high = spots.min(axis=0), spots.max(axis=0)
    scale = min(side / max(1.24 * span, 1e-9) for side, span in zip(room, high - low, strict=True))
    at = (spots - low) * scale  # in points
    centre, half = (high - low) * scale / 2, np.array(room) / 2 - 2
    border = np.concatenate([centre - half, centre + half])
    boxes = [np.array([x - 5, y - 5, x + 5, y + 5]) for x, y in at]
    starts, ends = at[numbers.first], at[numbers.second]
    for node, name in enumerate(names):
        size = np.array([HINTED * text_width(name, font), LINE * font * lines_of([name])])
        best, least, fewest, chosen = np.zeros(2), np.inf, np.inf, np.zeros(4)
        for step in _PLACES:
            near = float(np.hypot(*step)) <= NEAR + 1e-9
            if least == 0 and not near:
                break
            middle = at[node] + np.sign(np.round(step, 3)) * size / 2 * (np.abs(step) > 2) + step
            box = np.concatenate([middle - size / 2, middle + size / 2])
            hidden = sum(_overlap(box, other) for i, other in enumerate(boxes[: len(at)]) if i != node)
            hidden += 20 * sum(_overlap(box, other) for other in boxes[len(at) :])
            outside = np.maximum(border[:2] - box[:2], 0).sum() + np.maximum(box[2:] - border[2:], 0).sum()
            cost = hidden + 20 * outside
            behind = _length_inside(starts, ends, box) if near else np.inf
            if cost < least - 1e-9 or (cost <= least + 1e-9 and behind < fewest - LESS):
                best, least, fewest, chosen = middle - at[node], cost, behind, box
        if least > HIDDEN * float(size.prod()):
            continue
        boxes.append(chosen)
        far = float(np.hypot(*best)) > 12 + float(np.hypot(*size)) / 2
        ax.annotate(
            name,
            spots[node],
            (float(best[0]), float(best[1])),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=font,
            linespacing=1.05,
            path_effects=[withStroke(linewidth=2.2, foreground="white", alpha=0.85)],
            arrowprops={"arrowstyle": "-", "color": NEUTRAL, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 4}
            if far
            else None,
            zorder=3,
        )


def _length_inside(starts: np.ndarray, ends: np.ndarray, box: np.ndarray) -> float:
    """Sum of the lengths of lines inside a box."""
    along = ends - starts
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (box[:2] - starts) / along, (box[2:] - starts) / along
    beside = (along == 0) & ((starts < box[:2]) | (starts > box[2:]))
    enter = np.where(along == 0, -np.inf, np.minimum(low, high)).max(axis=1).clip(0, 1)
    leave = np.where(along == 0, np.inf, np.maximum(low, high)).min(axis=1).clip(0, 1)
    share = np.where(beside.any(axis=1), 0.0, np.maximum(leave - enter, 0.0))
    return float((share * np.hypot(along[:, 0], along[:, 1])).sum())


def _overlap(one: np.ndarray, two: np.ndarray) -> float:
    wide = min(one[2], two[2]) - max(one[0], two[0])
    tall = min(one[3], two[3]) - max(one[1], two[1])
    return float(wide * tall) if wide > 0 and tall > 0 else 0.0
