"""Colours of algorithms, and of the edges and lines on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import matplotlib as mpl
import numpy as np

from podium.checks import describe, did_you_mean
from podium.errors import InputError, LabelError, join_names
from podium.plot.figures.palette import colours as palette_colours
from podium.results import Results

__all__ = ["colours"]


def colours(algorithms: Results | Iterable[str], palette: Mapping[str, str] | None = None) -> dict[str, str]:
    """Give each algorithm a colour: the one chosen, or the one that belongs to its name.

    Parameters
    ----------
    algorithms : Results or iterable of str
        Their names, or results that have them.
    palette : mapping of str to str, optional
        Colours by algorithm, in any of matplotlib's notations; it may leave algorithms out. If it gives every algorithm
        a colour, it may name others too, such as those of results that these are a part of.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> import podium
    >>> podium.plot.colours(["svm", "my net"], {"my net": "black"})
    {'svm': '#3F74C8', 'my net': 'black'}
    """
    by_name = palette_colours(algorithms)
    if palette is None:
        return by_name
    if not isinstance(palette, Mapping):
        raise InputError(f"`palette` must be a mapping from names to colours; got {describe(palette)}.")
    bad = [name for name, colour in palette.items() if not mpl.colors.is_color_like(colour)]
    if bad:
        raise InputError(
            f"`palette` gives {join_names(bad)} a colour that matplotlib does not recognise: {palette[bad[0]]!r}."
        )
    unknown = [name for name in palette if name not in by_name]
    if unknown and not by_name.keys() <= palette.keys():  # an algorithm without a colour: the name may be a typo
        raise LabelError(
            f"`palette` names {join_names(unknown)}, but the algorithms are "
            f"{join_names(by_name, most=12)}.{did_you_mean(unknown[0], by_name)}"
        )
    return {name: palette.get(name, colour) for name, colour in by_name.items()}


def edge_colour(colour: str) -> tuple[float, float, float]:
    """Return a darker shade for the edge of a mark, so that light colours show on white."""
    red, green, blue = mpl.colors.to_rgb(colour)
    return red * 0.62, green * 0.62, blue * 0.62


def text_colour(colour: str) -> str:
    """Return black for lines on a filled area, or white where black would hardly show: at a contrast below 3 to 1.

    The contrast is that of the Web Content Accessibility Guidelines 2.2, which require 3 to 1.

    Examples
    --------
    >>> text_colour("#F0DC1E"), text_colour("#5A2D0C")
    ('black', 'white')
    """
    channels = np.array(mpl.colors.to_rgb(colour))
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    luminance = float(linear @ [0.2126, 0.7152, 0.0722])
    return "black" if (luminance + 0.05) / 0.05 >= 3 else "white"
