"""Files of drawings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from podium.arrays import ObjectArray
from podium.checks import describe, is_number
from podium.errors import InputError, listing
from podium.plot.style import whole_figure

__all__ = ["save"]

# Text stays text, so that it can be searched and edited; equal figures give equal files.
_EXPORT: Mapping[Any, Any] = {
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.hashsalt": "podium",
}


def save(drawing: Axes | ObjectArray | Figure, path: str | Path, *, dpi: float = 150) -> Path:
    """Write a drawing to a file; the ending of its name decides the format.

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
    >>> ax = podium.plot.box(podium.datasets.load_ulas2008().select(dataset="iris"))
    >>> podium.plot.save(ax, "box.svg").name  # doctest: +SKIP
    'box.svg'
    """
    figures = {whole_figure(ax) for ax in np.ravel(np.asarray(drawing, object)) if isinstance(ax, Axes)}
    if isinstance(drawing, Figure):
        figures = {drawing}
    if len(figures) != 1:
        raise InputError(f"`drawing` must be what a function of podium.plot returned; got {describe(drawing)}.")
    figure = figures.pop()
    if not isinstance(path, str | Path):
        raise InputError(f"`path` must be the name of a file; got {describe(path)}.")
    path = Path(path)
    if not is_number(dpi) or not dpi > 0:
        raise InputError(f"`dpi` must be a number greater than 0; got {dpi!r:.60}.")
    known = figure.canvas.get_supported_filetypes()
    kind = path.suffix.lstrip(".").lower()
    if kind not in known:
        raise InputError(f"`path` must end in one of {listing(sorted(known), most=20)}; got {path.name!r}.")
    if not path.parent.is_dir():
        raise InputError(f"`path` is in a folder that does not exist: {str(path.parent)!r}. Create it first.")
    dateless = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "ps": {}, "eps": {}}.get(kind)
    with mpl.rc_context(dict(_EXPORT)):
        figure.savefig(path, dpi=dpi, metadata=dateless)
    return path
