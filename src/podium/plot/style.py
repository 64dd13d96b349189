"""The look that all drawings share: sizes, fonts, labels, titles.

Nothing here changes matplotlib's settings permanently: a plot is drawn inside `local`, whose settings end with the
block.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias, cast, get_args

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from podium.checks import is_number, shown
from podium.errors import InputError
from podium.figures.palette import NEUTRAL
from podium.plot.names import literal, shorten

NamedSize: TypeAlias = Literal["screen", "column"]
Size: TypeAlias = NamedSize | tuple[float, float]

SHORTEST, LONGEST = 0.5, 100.0  # inches
WIDTHS: Mapping[str, float] = {"screen": 7.0, "column": 3.3}  # inches
FONTS: Mapping[str, float] = {"screen": 10.0, "column": 7.5}  # points
USUAL_SHARE = 0.775  # of the width of a figure, that axes take before a layout engine has moved them
SMALLEST_FONT = 4.0  # points; smaller numbers and signs in the cells of a table cannot be read

_LOOK: Mapping[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "axes.edgecolor": NEUTRAL,
    "axes.labelcolor": "black",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "grid.color": "#E3E5E8",
    "legend.frameon": False,
    "xtick.color": NEUTRAL,
    "ytick.color": NEUTRAL,
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
}


def check_size(size: Size) -> Size:
    """Refuse a size that is neither a known name nor a width and a height that can be drawn."""
    if isinstance(size, str):
        if size in get_args(NamedSize):
            return size
    elif isinstance(size, Sequence) and len(size) == 2 and all(map(_can_be_drawn, size)):
        return size
    raise InputError(
        f"`size` must be 'screen', 'column' or (width, height) in inches, each from {SHORTEST:g} to {LONGEST:g}; "
        f"got {shown(size)}."
    )


def _can_be_drawn(side: Any) -> bool:
    return is_number(side) and SHORTEST <= side <= LONGEST


def width_of(size: Size) -> float:
    """Width in inches."""
    return WIDTHS[size] if isinstance(size, str) else float(size[0])


def font_of(size: Size) -> float:
    """Size of the text in points: that of a paper's column below 4 inches, that of a screen above."""
    name = size if isinstance(size, str) else ("column" if size[0] < 4 else "screen")
    return FONTS[name]


@contextmanager
def local(size: Size = "screen") -> Iterator[None]:
    """Use podium's settings inside the block; afterwards matplotlib's are as before."""
    font = font_of(check_size(size))
    thin = 0.6 if font < 9 else 0.8
    scaled: Mapping[Any, Any] = {
        "font.size": font,
        "axes.titlesize": font * 1.1,
        "axes.labelsize": font,
        "xtick.labelsize": font * 0.9,
        "ytick.labelsize": font * 0.9,
        "legend.fontsize": font * 0.9,
        "axes.linewidth": thin,
        "xtick.major.width": thin,
        "ytick.major.width": thin,
        "xtick.major.size": font * 0.35,
        "ytick.major.size": font * 0.35,
        "grid.linewidth": thin,
    }
    with mpl.rc_context({**_LOOK, **scaled}):
        yield


def dress(ax: Axes) -> Axes:
    """Give axes that were made elsewhere the look of those made here."""
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_edgecolor(NEUTRAL)
        spine.set_linewidth(mpl.rcParams["axes.linewidth"])
    ax.tick_params(
        color=NEUTRAL,
        labelcolor="black",
        labelsize=mpl.rcParams["xtick.labelsize"],
        grid_color=mpl.rcParams["grid.color"],
        grid_linewidth=mpl.rcParams["grid.linewidth"],
    )
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set_fontsize(mpl.rcParams["axes.labelsize"])
    return ax


def label_values(ax: Axes, parts: Sequence[str], axis: Literal["x", "y"], room: float | None = None) -> int:
    """Name the axis of values, which will be `room` points long, and put a light grid behind the marks.

    Returns the number of lines of the label.
    """
    if room is None:
        room = size_in_points(ax)[0 if axis == "x" else 1]
    lines = in_lines(parts, room)
    (ax.set_xlabel if axis == "x" else ax.set_ylabel)("\n".join(lines))
    ax.grid(axis=axis)
    ax.tick_params(axis=axis, length=0)
    return len(lines)


def in_lines(parts: Sequence[str], room: float) -> list[str]:
    """Put the parts of a label on one line, or, where that is longer than `room` points, each on its own lines."""
    letters = max(int(room / (0.55 * float(mpl.rcParams["axes.labelsize"]))), 8)
    if sum(map(len, parts)) + len(parts) - 1 <= letters:
        return [literal(" ".join(parts))]
    return [literal(line) for part in parts for line in textwrap.wrap(part, letters, break_on_hyphens=False)]


def write_title(ax: Axes, title: str | None, default: str, *, x: float = 0.0) -> None:
    """Write the title given, or the default, above the axes, in as many lines as it needs; `x` is where it starts."""
    lines = title_lines(default if title is None else title, size_in_points(ax)[0])
    ax.set_title("\n".join(lines), loc="left", x=x)


def title_lines(text: str, room: float) -> list[str]:
    """Break a title into lines of at most `room` points."""
    letters = max(int(room / (0.58 * float(mpl.rcParams["axes.titlesize"]))), 8)
    lines = textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
    return [shorten([line], letters)[0] for line in lines]


def number_text(value: float, decimals: int, sign: Literal["-", "+"] = "-") -> str:
    """Write a number with decimals and a minus sign, not a hyphen; no zero has a sign.

    >>> number_text(-0.5, 2), number_text(0.5, 1, "+"), number_text(-0.001, 2, "+")
    ('−0.50', '+0.5', '0.00')
    """
    rounded = round(float(value), decimals)
    return f"{rounded:{sign}.{decimals}f}".replace("-", "−") if rounded else f"{0:.{decimals}f}"


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of axes, before a layout engine has moved them."""
    box, pixels = ax.get_position(), ax.figure.bbox
    scale = 72 / ax.figure.dpi
    return scale * pixels.width * box.width, scale * pixels.height * box.height


def whole_figure(ax: Axes) -> Figure:
    """Return the figure around axes, also if they are in a part of it."""
    figure: Any = ax.figure
    while isinstance(figure, SubFigure):
        figure = figure.figure
    if figure is None:
        raise InputError("These axes no longer belong to a figure; draw on new ones.")
    return cast(Figure, figure)
