"""Files of drawings."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from podium.arrays import ObjectArray
from podium.checks import check_path, describe, is_number, new_file, shown
from podium.errors import InputError, MissingLettersWarning, join_names
from podium.plot.names import missing_letters
from podium.plot.style import whole_figure

__all__ = ["save"]

MIN_DPI, MAX_DPI = 20, 10_000
MAX_PIXELS = 250_000_000  # one gigabyte of memory
VECTOR_FORMATS = ("eps", "pdf", "pgf", "ps", "svg", "svgz")

# Text stays text, so that it can be searched and edited; equal figures give equal files.
_EXPORT: Mapping[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.hashsalt": "podium",
}
# Boxes for letters that no font has come from a font with one for every code point. Extracting a part of that font
# takes longer than drawing all letters as shapes, and nobody searches for boxes.
_SHAPES: Mapping[Any, Any] = {"pdf.fonttype": 3, "ps.fonttype": 3}


def save(drawing: Axes | ObjectArray | Figure, path: str | Path, *, dpi: float = 150) -> Path:
    """Write a drawing to a file in the format of its extension.

    Text stays text in SVG and PDF files (TrueType fonts), and equal drawings give equal files.

    Parameters
    ----------
    drawing : Axes, array of Axes or Figure
        What a function of `podium.plot` returned, or the figure around it.
    path : str or path
        ``.svg``, ``.pdf``, ``.png`` or any other format that matplotlib writes.
    dpi : float, default 150
        Dots per inch, for pixel formats and for the parts of vector formats that hold very many marks.

    Returns
    -------
    Path

    Examples
    --------
    >>> import podium
    >>> ax = podium.plot.box(podium.examples.load_ulas2008().select(dataset="iris"))
    >>> podium.plot.save(ax, "box.svg").name  # doctest: +SKIP
    'box.svg'
    """
    figure = figure_of(drawing)
    path = check_path(path)
    if not is_number(dpi) or not MIN_DPI <= dpi <= MAX_DPI:
        raise InputError(f"`dpi` must be a number from {MIN_DPI:,} to {MAX_DPI:,}; got {shown(dpi)}.")
    known = figure.canvas.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind not in known:
        raise InputError(f"`path` must end in one of {join_names(sorted(known), most=20)}; got {path.name!r}.")
    wide, tall = dpi * figure.get_size_inches()
    if kind not in VECTOR_FORMATS and (max(wide, tall) >= 2**16 or wide * tall > MAX_PIXELS):
        raise InputError(
            f"`dpi={dpi:g}` makes a picture of {wide:,.0f} × {tall:,.0f} pixels, too many for {kind!r}. Use fewer dots "
            "per inch, or a vector format such as 'pdf'."
        )
    dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}.get(kind)
    # In SVG files the viewer draws text, with its own fonts.
    boxes = kind not in ("svg", "svgz") and _tell_missing_letters(figure)
    settings = {**_EXPORT, **_SHAPES} if boxes else dict(_EXPORT)
    drawn = io.BytesIO()  # matplotlib leaves a PDF file open that it cannot write
    with mpl.rc_context(settings), without_glyph_warnings():
        figure.savefig(drawn, format=kind, dpi=dpi, metadata=dateless)
    with new_file(path) as part:
        part.write_bytes(drawn.getvalue())
    return path


def figure_of(drawing: object) -> Figure:
    """Return the figure of a drawing: of axes, of an array of axes, or the figure itself."""
    if isinstance(drawing, Figure):
        return drawing
    figures = {whole_figure(ax) for ax in np.ravel(np.asarray(drawing, object)) if isinstance(ax, Axes)}
    if len(figures) != 1:
        raise InputError(f"`drawing` must be what a function of podium.plot returned; got {describe(drawing)}.")
    return figures.pop()


def _tell_missing_letters(figure: Figure) -> bool:
    """Warn of letters that no font has; return whether there are any."""
    texts = [text.get_text() for text in figure.findobj(Text) if isinstance(text, Text) and text.get_visible()]
    letters = missing_letters(texts)
    if letters:
        warnings.warn(missing_letters_warning(letters), stacklevel=4)
    return bool(letters)


def missing_letters_warning(letters: Sequence[str]) -> MissingLettersWarning:
    """Return the warning of letters that no font has."""
    message = (
        f"No installed font has {join_names(letters)}; such letters are drawn as boxes. Install a font that has them, "
        "such as Noto Sans CJK for Chinese, or rename what is drawn."
    )
    return MissingLettersWarning(message, letters=tuple(letters))


@contextmanager
def without_glyph_warnings() -> Iterator[None]:
    """Do not warn about letters that the font does not have; they are drawn as boxes, and tables show them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        yield


def close(drawing: object) -> None:
    """Forget the figure of a drawing, so that its memory is free."""
    plt.close(figure_of(drawing))
