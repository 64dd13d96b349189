"""The look shared by all drawings: sizes, fonts, colours, names that fit, export.

Nothing here changes matplotlib's settings for good: a drawing function works inside `local`, whose settings end
with the block, and `save` brings its own.

A drawing function reads::

    with local(size):
        ax = axes(ax, size=size, rows=len(algorithms))
        ...
        return ax
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from podium.arrays import ObjectArray
from podium.errors import InputError, LabelError, listing
from podium.figures.palette import NEUTRAL, markers
from podium.figures.palette import colours as palette_colours
from podium.results import Results

__all__ = [
    "NEUTRAL",
    "Size",
    "axes",
    "check_size",
    "colours",
    "dress",
    "edge",
    "label_values",
    "literal",
    "local",
    "markers",
    "save",
    "shorten",
    "size_in_points",
    "title",
    "whole_figure",
    "width_of",
]

NamedSize: TypeAlias = Literal["screen", "column"]
Size: TypeAlias = NamedSize | tuple[float, float]

WIDTHS: Mapping[str, float] = {"screen": 7.0, "column": 3.3}  # inches
FONTS: Mapping[str, float] = {"screen": 10.0, "column": 7.5}  # points

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

# Text stays text, so that it can be searched and edited; equal figures give equal files.
_EXPORT: Mapping[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.hashsalt": "podium",
}


def check_size(size: Size) -> Size:
    """Refuse a size that is neither a known name nor two positive numbers."""
    if isinstance(size, str):
        if size in get_args(NamedSize):
            return size
    elif (
        isinstance(size, Sequence)
        and len(size) == 2
        and all(isinstance(side, int | float) and side > 0 for side in size)
    ):
        return size
    raise InputError(f"`size` must be 'screen', 'column' or (width, height) in inches; got {size!r}.")


def width_of(size: Size) -> float:
    """Width in inches."""
    return WIDTHS[size] if isinstance(size, str) else float(size[0])


def font_of(size: Size) -> float:
    """Size of the text in points: that of a paper's column below 4 inches, that of a screen above."""
    name = size if isinstance(size, str) else ("column" if size[0] < 4 else "screen")
    return FONTS[name]


@contextmanager
def local(size: Size = "screen") -> Iterator[None]:
    """Draw with podium's settings inside the block; afterwards matplotlib's are as before."""
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


def axes(
    ax: Axes | None, *, size: Size = "screen", rows: int | None = None, columns: Sequence[str] = (), wide: float = 1.0
) -> Axes:
    """Return the axes to draw on: those given, or new ones in a figure of a fitting size.

    Parameters
    ----------
    ax : Axes or None
    size : {"screen", "column"} or (float, float)
        A width for a screen (7 in) or for one column of a paper (3.3 in), or width and height in inches.
    rows : int, optional
        Number of algorithms that stand one above the other; sets the height of a new figure.
    columns : sequence of str, optional
        Names that stand beside each other below the axes; a new figure is higher if they must be slanted.
    wide : float, default 1
        Factor on the width, for figures that grow with the number of algorithms. Ignored for a size in inches
        and for one column.
    """
    if ax is not None:
        if not isinstance(ax, Axes):
            raise InputError(f"`ax` must be axes of matplotlib, as plt.subplots() returns them; got {ax!r}.")
        return dress(ax)
    check_size(size)
    if isinstance(size, str):
        width = WIDTHS[size] * (wide if size == "screen" else 1.0)
        row = FONTS[size] * (0.042 if rows is None or rows <= 10 else 0.035)
        tall = row * rows + 0.085 * FONTS[size] if rows is not None else WIDTHS[size] * 0.62
        if columns:
            letter = 0.0085 * FONTS[size]
            longest = min(max(map(len, columns)), 26)
            tall += 0.64 * letter * longest if letter * longest > 0.8 * width / len(columns) else 0.0
        size = (width, max(tall, 0.17 * FONTS[size]))
    figure = plt.figure(figsize=size, layout="constrained")
    return figure.add_subplot()


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


def colours(results_or_names: Results | Iterable[str], chosen: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give each algorithm a colour: the one chosen, or the one that belongs to its name.

    Parameters
    ----------
    results_or_names : Results or iterable of str
    chosen : mapping of str to str, optional
        Colours by algorithm, in any of matplotlib's notations; it may leave algorithms out.
    """
    by_name = palette_colours(results_or_names)
    if chosen is None:
        return by_name
    bad = [name for name, colour in chosen.items() if not mpl.colors.is_color_like(colour)]
    if bad:
        raise InputError(f"`palette` gives {listing(bad)} no colour that matplotlib knows: {chosen[bad[0]]!r}.")
    if by_name and not set(by_name) & set(chosen):
        raise LabelError(f"`palette` names none of the algorithms {listing(by_name, most=12)}.")
    return {name: chosen.get(name, colour) for name, colour in by_name.items()}


def edge(colour: str) -> tuple[float, float, float]:
    """Return a darker shade for the edge of a mark, so that light colours show on white."""
    red, green, blue = mpl.colors.to_rgb(colour)
    return red * 0.62, green * 0.62, blue * 0.62


def ink(colour: str) -> str:
    """Return black for lines on a filled area, or white where black would hardly show: at a contrast below 3 to 1.

    The contrast is that of the Web Content Accessibility Guidelines 2.2, which ask for 3 to 1.

    Examples
    --------
    >>> ink("#F0DC1E"), ink("#5A2D0C")
    ('black', 'white')
    """
    channels = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "black" if (luminance + 0.05) / 0.05 >= 3 else "white"


def shorten(names: Sequence[str], width: int = 22, lines: int = 2) -> list[str]:
    r"""Break long names into lines, and cut what is still too long in the middle; no two names become alike.

    Examples
    --------
    >>> shorten(["svm", "gradient boosting (depth=12)"], width=18)
    ['svm', 'gradient boosting\n(depth=12)']
    >>> shorten(["a_name_that_goes_on_and_on_and_on_without_an_end"], width=12)
    ['a_name_that_\ngoes…_an_end']
    """
    short = [_fit(name, width, lines) for name in names]
    distinct = [name if short.count(text) > 1 else text for name, text in zip(names, short, strict=True)]
    return [literal(text) for text in distinct]


def literal(text: str) -> str:
    """Keep matplotlib from reading dollar signs as formulas."""
    return text.replace("$", r"\$")


def _fit(name: str, width: int, lines: int) -> str:
    if len(name) <= width:
        return name
    pieces = [piece for piece in re.split(r"(?<=[\s_\-+/,.;:=)])|(?=[(\[])|(?<=[a-z])(?=[A-Z])", name) if piece]
    rows = [""]
    for piece in pieces:
        if rows[-1] and len((rows[-1] + piece).rstrip()) > width:
            rows.append("")
        rows[-1] += piece
    rows = [row.strip() for row in rows]
    if len(rows) <= lines and max(map(len, rows)) <= width:
        return "\n".join(rows)
    if lines == 1:
        return _cut(name, width)
    head = rows[0] if len(rows[0]) <= width else name[:width]
    return head + "\n" + _cut(name[len(head) :].strip(), width)


def _cut(text: str, width: int) -> str:
    """Leave out the middle; more of the end stays than of the beginning, for there variants differ."""
    if len(text) <= width:
        return text
    tail = (width * 3) // 5
    return text[: width - 1 - tail] + "…" + text[-tail:]


def label_values(ax: Axes, text: str, axis: Literal["x", "y"], room: float | None = None) -> None:
    """Name the axis of values, which will be `room` points long, and put a light grid behind the marks."""
    if room is None:
        room = size_in_points(ax)[0 if axis == "x" else 1]
    if 0.55 * float(mpl.rcParams["axes.labelsize"]) * len(text) > room:
        text = text.replace(" (", "\n(")
    (ax.set_xlabel if axis == "x" else ax.set_ylabel)(literal(text))
    ax.grid(axis=axis)
    ax.tick_params(axis=axis, length=0)


def title(ax: Axes, text: str) -> None:
    """Write a title above the left end of the axes, in as many lines as it needs."""
    letters = max(int(size_in_points(ax)[0] / (0.58 * float(mpl.rcParams["axes.titlesize"]))), 8)
    lines = textwrap.wrap(text, letters, break_long_words=False, break_on_hyphens=False)
    ax.set_title("\n".join(shorten([line], letters)[0] for line in lines), loc="left")


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
        raise InputError("These axes belong to no figure any more; draw on new ones.")
    return cast(Figure, figure)


def save(drawing: Axes | ObjectArray | Figure, path: str | Path, *, dpi: float = 150) -> Path:
    """Write a drawing to a file; the ending of the name decides on the format.

    Text stays text in SVG and PDF files (TrueType fonts), and equal drawings give equal files.

    Parameters
    ----------
    drawing : Axes, array of Axes or Figure
        What a drawing function returned, or the figure around it.
    path : str or path
        ``.svg``, ``.pdf``, ``.png`` and whatever else matplotlib writes.
    dpi : float, default 150
        Dots per inch, for pixel formats and for the parts of vector formats that hold very many marks.

    Returns
    -------
    Path

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.box(podium.datasets.load_ulas2008().select(dataset="iris"))
    >>> podium.plot.save(ax, "box.svg").name  # doctest: +SKIP
    'box.svg'
    """
    path = Path(path)
    if not isinstance(drawing, Axes | Figure | np.ndarray | list | tuple):
        raise InputError(f"`drawing` must be what a function of podium.plot returned; got {drawing!r:.60}.")
    figure = drawing if isinstance(drawing, Figure) else whole_figure(np.ravel(np.asarray(drawing, object))[0])
    known = figure.canvas.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind not in known:
        raise InputError(f"`path` must end in one of {listing(sorted(known), most=20)}; got {path.name!r}.")
    if not path.parent.is_dir():
        raise InputError(f"`path` lies in a folder that does not exist: {str(path.parent)!r}. Make it first.")
    dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}.get(kind)
    with mpl.rc_context(dict(_EXPORT)):
        figure.savefig(path, dpi=dpi, metadata=dateless)
    return path
