"""The benchmark experiment plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import Bbox

from podium.arrays import FloatArray
from podium.checks import check_choice
from podium.plot import canvas
from podium.plot.categorical import MANY_MARKS
from podium.plot.categorical import bars as draw_bars
from podium.plot.colours import edge_colour
from podium.plot.drawing import plot_of
from podium.plot.figures.palette import NEUTRAL
from podium.plot.figures.podium import Podium
from podium.plot.figures.podium import podium as podium_numbers
from podium.plot.legend import LegendPlan, draw_legend
from podium.plot.names import text_width
from podium.plot.scales import STEPS, log_values, spread_ticks
from podium.plot.style import cell_size, in_lines, label_values, size_in_points, title_height, whole_figure, write_title

__all__ = ["podium"]

Lines: TypeAlias = Literal["algorithm", "neutral"]

MARGIN = 0.06  # of a place, on each side, free of dots
GAP, BARS = 0.06, 0.24  # of the height: free between dots and bars, and taken by the bars

_CANVAS = canvas.with_legend(
    lambda numbers: numbers.algorithms,
    lambda numbers, sheet, options: (
        0.62 * 72 * sheet.width + title_height(options["title"], numbers.heading, sheet.room) + canvas.axis_below(1)
    ),
    lambda numbers: float(np.clip(len(numbers.algorithms) / 9, 1, 2.2)),
)


@plot_of(podium_numbers, canvas=_CANVAS)
def podium(
    ax: Axes,
    numbers: Podium,
    *,
    lines: Lines | None = None,
    palette: Mapping[str, str],
    title: str | None = None,
    legend: LegendPlan | None = None,
) -> None:
    """Draw the benchmark experiment plot.

    The x axis is a podium with one place per rank, the best on the left. In each replication the algorithms are
    placed by their performance, and a dot is drawn in the place taken. Within a place each algorithm has its own
    column, in the order of the means; the bars below count the dots of each column. With `lines`, the dots of
    one replication are joined: parallel lines show algorithms that do well and badly on the same learning samples.
    With several data sets, each data set counts as one replication, by its means.

    The bars are child axes: ``ax.child_axes[0]``.

    Parameters
    ----------
    lines : {"algorithm", "neutral"}, optional
        Join the dots of each replication: each segment in the colour of the algorithm in the better of its two places,
        on the left, or all in grey. By default there are no lines.

    References
    ----------
    M. J. A. Eugster (2011), sections 2.2 and 3.2.1; M. J. A. Eugster, F. Leisch (2008). Bench plot and mixed effects
    models: first steps toward a comprehensive benchmark analysis toolbox.

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.podium(podium.examples.load_ulas2008(), lines="algorithm")
    >>> ax.get_title(loc="left")
    '38 data sets'
    """
    if lines is not None:
        check_choice(lines, get_args(Lines), "lines")
    k = len(numbers.algorithms)
    height = _height(ax, numbers, title, legend)
    below = (GAP + BARS) * height
    bars = _axes_below(ax, GAP * height / 72, BARS * height / 72)
    _draw_ground(ax, bars, k)
    if lines is not None:
        _draw_lines(ax, numbers, palette, lines)
    _draw_dots(ax, numbers, palette)
    _draw_bars(bars, numbers, palette)
    above = (1 - GAP - BARS) * height
    if numbers.logarithmic and (numbers.dot_value > 0).all():
        log_values(ax, "y", above)
    else:
        spread_ticks(ax, "y", above)
    label_values(ax, numbers.value_parts, "y", room=above)
    ax.set_xlim(0, k)
    font = float(mpl.rcParams["font.size"])
    left = 4.5 * font  # the numbers and the label of the values
    _name_places(bars, numbers, cell_size(ax)[0] - left)
    write_title(ax, title, numbers.heading, left=left, pad=font)  # clear of a number at the upper end of the axis
    if legend is not None:
        draw_legend(ax, marks(numbers.algorithms, palette), legend, below=below)


def _height(ax: Axes, numbers: Podium, title: str | None, legend: LegendPlan | None) -> float:
    """Height in points of the dots and the bars together, with what is between them."""
    if whole_figure(ax).get_layout_engine() is None or ax.get_subplotspec() is None:
        return size_in_points(ax)[1]
    wide, tall = cell_size(ax)
    around = title_height(title, numbers.heading, wide) + canvas.axis_below(1)
    return max(tall - around - (legend.height if legend is not None and legend.whole else 0.0), 0.4 * tall)


def marks(names: Sequence[str], palette: Mapping[str, str]) -> list[Line2D]:
    """Make a dot for each algorithm, for legends."""
    look: dict[str, Any] = {"linestyle": "", "marker": "o"}
    return [Line2D([], [], color=palette[name], markeredgecolor=edge_colour(palette[name]), **look) for name in names]


def columns(places: Any, algorithms: Any, k: int) -> FloatArray:
    """Middle of the column of each algorithm in each place, on an axis where place i runs from i to i + 1."""
    return np.asarray(places + MARGIN + (1 - 2 * MARGIN) * (np.asarray(algorithms) + 0.5) / k, float)


def _axes_below(ax: Axes, gap: float, height: float) -> Axes:
    """Make axes for bars below the axes, of a height in inches, and room for them."""
    figure = whole_figure(ax)
    if figure.get_layout_engine() is None:
        # No engine will move the axes up: do it here, within the room they had.
        place = ax.get_position()
        taken = (gap + height) / figure.get_figheight()
        ax.set_position((place.x0, place.y0 + taken, place.width, place.height - taken))
    bars = ax.inset_axes((0, -0.3, 1, 0.2), sharex=ax)
    # A height in inches stays what it is while a layout engine looks for the size of the axes above.
    bars.set_axes_locator(_Below(ax, gap, height))
    ax.tick_params(axis="x", length=0, labelbottom=False)
    return bars


class _Below:
    """Locator of axes below others, at a distance and of a height in inches."""

    def __init__(self, above: Axes, gap: float, height: float) -> None:
        self.above = above
        self.gap = gap
        self.height = height

    def __call__(self, ax: object, renderer: object) -> Bbox:
        """Compute the place, as shares of the figure."""
        place = self.above.get_position()
        inch = self.above.figure.dpi / self.above.figure.bbox.height
        top = place.y0 - self.gap * inch
        return Bbox.from_extents(place.x0, top - self.height * inch, place.x1, top)


def _draw_ground(ax: Axes, bars: Axes, k: int) -> None:
    for panel in (ax, bars):
        for place in range(0, k, 2):
            panel.axvspan(place, place + 1, color="#F1F2F4", linewidth=0, zorder=0)


def _draw_lines(ax: Axes, numbers: Podium, palette: Mapping[str, str], lines: Lines) -> None:
    k = len(numbers.algorithms)
    x = columns(np.arange(k), numbers.line_algorithm, k)
    points = np.stack([x, numbers.line_value], axis=2)
    segments = np.stack([points[:, :-1], points[:, 1:]], axis=2)
    whole = ~np.isnan(segments).any(axis=(2, 3))
    alpha = float(np.clip(60 / max(len(x), 1), 0.1, 0.7))
    if lines == "neutral":
        shade: Any = to_rgba(NEUTRAL, alpha)
    else:
        # The colour of the algorithm in the lower place: Eugster, Hothorn & Leisch (2008), section 3.1.
        paint = np.array([to_rgba(palette[name], alpha) for name in numbers.algorithms])
        shade = paint[numbers.line_algorithm[:, :-1][whole]]
    drawn = segments[whole]
    ax.add_collection(
        LineCollection(list(drawn), colors=shade, linewidths=0.9, rasterized=len(drawn) > MANY_MARKS, zorder=1.5)
    )


def _draw_dots(ax: Axes, numbers: Podium, palette: Mapping[str, str]) -> None:
    k = len(numbers.algorithms)
    gap = size_in_points(ax)[0] * (1 - 2 * MARGIN) / k**2  # between two columns, in points
    diameter = float(np.clip(0.8 * gap, 1.2, 4.5))
    many = len(numbers.dot_value) > MANY_MARKS
    fill = np.array([to_rgba(palette[name]) for name in numbers.algorithms])[numbers.dot_algorithm]
    fill[:, 3] = 0.25 + 0.6 * numbers.dot_share
    rim: Any = np.array([edge_colour(palette[name]) for name in numbers.algorithms])[numbers.dot_algorithm]
    dots = ax.scatter(
        columns(numbers.dot_place, numbers.dot_algorithm, k),
        numbers.dot_value,
        s=diameter**2,
        c=fill,
        edgecolors=rim,
        linewidths=0.08 * diameter,
        rasterized=many,
        zorder=2,
    )
    dots.set_in_layout(False)


def _draw_bars(bars: Axes, numbers: Podium, palette: Mapping[str, str]) -> None:
    k = len(numbers.algorithms)
    width = (1 - 2 * MARGIN) / k
    left = columns(np.arange(k)[:, None], np.arange(k)[None, :], k) - width / 2
    draw_bars(
        bars,
        left,
        0.0,
        width,
        numbers.counts,
        facecolors=[palette[name] for name in numbers.algorithms],
        edgecolors=[edge_colour(palette[name]) for name in numbers.algorithms],
        linewidth=0.4 if k <= 10 else 0.15,
    )
    bars.set_ylim(0, 1.05 * float(numbers.counts.max()))
    bars.yaxis.set_major_locator(MaxNLocator(nbins=2, steps=STEPS, integer=True, min_n_ticks=2))
    bars.grid(axis="y")
    bars.tick_params(axis="y", length=0)
    bars.set_ylabel("count")


def places_to_name(k: int, width: float, font: float) -> list[int]:
    """Choose the places whose numbers fit below axes of this width in points: all, or 1, 5, 10, ...

    >>> places_to_name(12, 100, font=9)
    [1, 5, 10]
    """
    room = text_width(str(k), font) + 0.5 * font
    step = next(step for step in (1, 5, 10, 50, 100, 10**9) if step * width / k >= room or k < 5)
    return [place for place in range(1, k + 1) if step == 1 or place == 1 or place % step == 0]


def name_places(bars: Axes, k: int, width: float) -> None:
    """Write below the bars which place is which, as many as have room."""
    shown = places_to_name(k, width, float(mpl.rcParams["xtick.labelsize"]))
    bars.set_xticks([place - 0.5 for place in shown], [str(place) for place in shown])


def _name_places(bars: Axes, numbers: Podium, width: float) -> None:
    name_places(bars, len(numbers.algorithms), width)
    bars.tick_params(axis="x", length=0)
    how = {"random": "ties broken at random", "shared": "ties share their places", "min": "ties at the better place"}
    bars.set_xlabel("\n".join(in_lines(["place", f"({how[numbers.ties]})"], width)))
