"""The look that all drawings share: sizes, fonts, labels, titles.

Nothing here changes matplotlib's settings permanently: a plot is drawn inside `local`, whose settings end with the
block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, cast, get_args

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.transforms import blended_transform_factory

from podium.checks import is_number, shown
from podium.errors import InputError
from podium.plot.figures.palette import NEUTRAL
from podium.plot.names import LINE, families, fit_names, literal, text_width

NamedSize: TypeAlias = Literal["screen", "page", "column"]
Size: TypeAlias = NamedSize | float | tuple[float, float]

SHORTEST, LONGEST = 0.5, 100.0  # inches
WIDTHS: Mapping[str, float] = {"screen": 7.0, "page": 7.0, "column": 3.3}  # inches
FONTS: Mapping[str, float] = {"screen": 10.0, "page": 8.0, "column": 7.5}  # points
NARROW = 4.0  # inches; narrower figures have the text of a column
PAD = 3.0  # points that constrained layout leaves free on each side
SMALLEST_FONT = 5.0  # points; smaller numbers and signs in the cells of a table cannot be read


@dataclass(frozen=True)
class Sheet:
    """The paper for a new figure.

    Attributes
    ----------
    width : float
        Inches.
    font : float
        Size of the text in points.
    height : float or None
        Inches, where the user has fixed it; otherwise it follows from what is drawn.
    free : bool
        Whether a figure may be wider where that helps: on a screen, not on paper.
    """

    width: float
    font: float
    height: float | None = None
    free: bool = False

    @property
    def room(self) -> float:
        """Width in points between the margins."""
        return 72 * self.width - 2 * PAD


_LOOK: Mapping[Any, Any] = {
    "axes.edgecolor": NEUTRAL,
    "axes.labelcolor": "black",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "text.usetex": False,  # names and units would be read as commands
    "grid.color": "#E3E5E8",
    "legend.frameon": False,
    "xtick.color": NEUTRAL,
    "ytick.color": NEUTRAL,
    "xtick.labelcolor": "black",
    "ytick.labelcolor": "black",
}


def check_size(size: Size) -> Size:
    """Refuse a size that is neither a known name, nor a width, nor a width and a height that can be drawn."""
    if isinstance(size, str):
        if size in get_args(NamedSize):
            return size
    elif _can_be_drawn(size) or (isinstance(size, Sequence) and len(size) == 2 and all(map(_can_be_drawn, size))):
        return size
    raise InputError(
        f"`size` must be 'screen', 'page', 'column', a width in inches or (width, height), each from {SHORTEST:g} to "
        f"{LONGEST:g}; got {shown(size)}."
    )


def _can_be_drawn(side: Any) -> bool:
    return is_number(side) and SHORTEST <= side <= LONGEST


def sheet_of(size: Size) -> Sheet:
    """Find width, text size and, where it is given, height.

    >>> sheet_of("column")
    Sheet(width=3.3, font=7.5, height=None, free=False)
    >>> sheet_of((5, 4))
    Sheet(width=5.0, font=10.0, height=4.0, free=False)
    """
    check_size(size)
    if isinstance(size, str):
        return Sheet(WIDTHS[size], FONTS[size], free=size == "screen")
    given: Any = size
    width, height = (given, None) if is_number(given) else given
    font = FONTS["column" if width < NARROW else "screen"]
    return Sheet(float(width), font, None if height is None else float(height))


@contextmanager
def local(size: Size = "screen") -> Iterator[None]:
    """Use podium's settings inside the block; afterwards matplotlib's are as before."""
    font = sheet_of(size).font
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
    _load_backend()
    with mpl.rc_context({**_LOOK, "font.family": list(families()), **scaled}):
        yield


@cache
def _load_backend() -> None:
    """Load the backend that pyplot would otherwise load for the first figure, inside the block of `local`.

    The backend of a notebook switches matplotlib to interactive when it is loaded, and shows figures only then; the end
    of the block would switch it back.
    """
    plt.draw_if_interactive()  # type: ignore[no-untyped-call]


def apply_style(ax: Axes) -> Axes:
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
    """Name the axis of values, which will be about `room` points long, and put a light grid behind the marks.

    Returns the number of lines of the label.
    """
    if room is None:
        room = (0.62 if axis == "x" else 0.8) * cell_size(ax)[0 if axis == "x" else 1]
    lines = in_lines(parts, room)
    (ax.set_xlabel if axis == "x" else ax.set_ylabel)("\n".join(lines))
    ax.grid(axis=axis)
    ax.tick_params(axis=axis, length=0)
    return len(lines)


def in_lines(parts: Sequence[str], room: float, font: float | None = None) -> list[str]:
    """Put as many parts of a label on each line as fit `room` points; a longer part has lines of its own."""
    size = float(mpl.rcParams["axes.labelsize"]) if font is None else font
    lines: list[str] = []
    for part in parts:
        if lines and text_width(f"{lines[-1]} {part}", size) <= room:
            lines[-1] += f" {part}"
        else:
            lines += wrap(part, room, size)
    return [literal(line) for line in lines]


def wrap(text: str, room: float, font: float) -> list[str]:
    """Break text between words into lines of at most `room` points, and within words that are longer than that.

    No-break spaces keep words together.
    """
    lines: list[str] = []
    for word in re.split(r"[ \t\n]+", text.strip()):
        if lines and text_width(f"{lines[-1]} {word}", font) <= room:
            lines[-1] += f" {word}"
        elif text_width(word, font) <= room:
            lines.append(word)
        else:
            lines += [part.replace(r"\$", "$") for part in fit_names([word], room, font, lines=10**6)[0].split("\n")]
    return lines


def write_title(ax: Axes, title: str | None, default: str, *, left: float = 0.0, pad: float | None = None) -> None:
    """Write the title given, or the default, above the axes, in as many lines as it needs; empty text is no title.

    `left` is the room in points that is taken by names to the left of the axes: the title starts above them. `pad` is
    the distance in points from the axes, by default matplotlib's.
    """
    text = default if title is None else title
    if not text:
        return
    alone = left > 0 and _alone(ax)
    room = cell_size(ax)[0] if alone else size_in_points(ax)[0]
    written = ax.set_title("\n".join(title_lines(text, room)), loc="left", pad=pad)
    if alone:
        # From the left end of the figure: there the layout ends, wherever it puts the axes.
        written.set_transform(blended_transform_factory(ax.figure.transSubfigure, written.get_transform()))
        written.set_x(PAD / (72 * ax.figure.bbox.width / ax.figure.dpi))


def _alone(ax: Axes) -> bool:
    """Return whether axes take the whole width of a figure with a layout engine."""
    spec = ax.get_subplotspec()
    return whole_figure(ax).get_layout_engine() is not None and spec is not None and spec.get_gridspec().ncols == 1


def title_lines(text: str, room: float) -> list[str]:
    """Break a title into lines of at most `room` points."""
    return [literal(line) for line in wrap(text, 0.97 * room, float(mpl.rcParams["axes.titlesize"]))]


def title_height(title: str | None, default: str, room: float) -> float:
    """Height in points of a title in this room; 0 without one."""
    text = default if title is None else title
    if not text:
        return 0.0
    font = float(mpl.rcParams["axes.titlesize"])
    return LINE * font * len(title_lines(text, room)) + 0.8 * font


def number_text(value: float, decimals: int, sign: Literal["-", "+"] = "-") -> str:
    """Write a number with decimals and a minus sign, not a hyphen; no zero has a sign.

    >>> number_text(-0.5, 2), number_text(0.5, 1, "+"), number_text(-0.001, 2, "+")
    ('−0.50', '+0.5', '0.00')
    """
    rounded = round(float(value), decimals)
    return f"{rounded:{sign}.{decimals}f}".replace("-", "−") if rounded else f"{0.0:.{decimals}f}"


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Width and height of axes, before a layout engine has moved them."""
    box, pixels = ax.get_position(), ax.figure.bbox
    scale = 72 / ax.figure.dpi
    return scale * pixels.width * box.width, scale * pixels.height * box.height


def cell_size(ax: Axes) -> tuple[float, float]:
    """Width and height in points that axes may take with all that is around them: names, numbers, labels."""
    spec = ax.get_subplotspec()
    if whole_figure(ax).get_layout_engine() is None or spec is None:
        return size_in_points(ax)
    grid, pixels, scale = spec.get_gridspec(), ax.figure.bbox, 72 / ax.figure.dpi
    return (
        scale * pixels.width * len(spec.colspan) / grid.ncols - 2 * PAD,
        scale * pixels.height * len(spec.rowspan) / grid.nrows - 2 * PAD,
    )


def whole_figure(ax: Axes) -> Figure:
    """Return the figure around axes, also if they are in a part of it."""
    figure: Any = ax.figure
    while isinstance(figure, SubFigure):
        figure = figure.figure
    if figure is None:
        raise InputError("These axes no longer belong to a figure; draw on new ones.")
    return cast(Figure, figure)
