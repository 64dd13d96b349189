"""Colours and markers of algorithms: one per name, the same in every figure.

Plain text values, so drawings in matplotlib, pages and browsers share them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from podium.checks import as_list, shown
from podium.errors import InputError
from podium.results import Results
from podium.results.labels import natural_key

__all__ = ["colours", "markers"]

# Any two of these ten are at least 11 apart in CIEDE2000, seen normally and with protanopia, deuteranopia or
# tritanopia (simulated after Machado, Oliveira & Fernandes 2009); a test checks this.
PALETTE: Mapping[str, str] = MappingProxyType(
    {
        "blue": "#3F74C8",
        "red": "#D2364B",
        "green": "#3DA584",
        "orange": "#E5862A",
        "purple": "#5B2A86",
        "yellow": "#F0DC1E",
        "sky": "#3CC4F5",
        "brown": "#5C3310",
        "pink": "#F7B6C8",
        "grey": "#777C86",
    }
)

# The colours of Eugster (2011), sections 2 and 4.5.
PUBLISHED: Mapping[str, str] = MappingProxyType(
    {
        "lda": "purple",
        "knn": "yellow",
        "rpart": "red",
        "svm": "blue",
        "nnet": "green",
        "rf": "orange",
        "nb": "brown",
    }
)

NEUTRAL = "#4A4F57"  # lines and text that belong to no algorithm
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
CYCLES = ((0.0, 0.0), (0.4, 0.0), (0.0, 0.45))  # share of black, share of white


def colours(algorithms: Results | Iterable[str]) -> dict[str, str]:
    """Give each algorithm a colour.

    A colour depends on the set of names only, not on their order. Algorithms of the dissertation behind podium
    keep their published colours; the others take what is left, in natural order of their names. After ten, darker
    and lighter shades follow: from there on colours alone do not distinguish algorithms.

    Parameters
    ----------
    algorithms : Results or iterable of str
        Their names, or results that have them.

    Returns
    -------
    dict of str to str
        From name to ``"#RRGGBB"``, in the order given.

    Examples
    --------
    >>> colours(["svm", "my net", "knn"])
    {'svm': '#3F74C8', 'my net': '#D2364B', 'knn': '#F0DC1E'}
    """
    names = _names(algorithms)
    reserved = {name: PALETTE[PUBLISHED[name]] for name in names if name in PUBLISHED}
    taken = set(reserved.values())
    shades = [shade(colour, *mix) for mix in CYCLES for colour in PALETTE.values()]
    free = [colour for colour in shades if colour not in taken]
    others = sorted((name for name in names if name not in reserved), key=natural_key)
    chosen = reserved | {name: free[i % len(free)] for i, name in enumerate(others)}
    return {name: chosen[name] for name in names}


def markers(algorithms: Results | Iterable[str]) -> dict[str, str]:
    """Give each algorithm a marker (matplotlib's letters), for figures in which colours alone are not enough.

    Examples
    --------
    >>> markers(["svm", "knn"])
    {'svm': 's', 'knn': 'o'}
    """
    names = _names(algorithms)
    by_name = {name: MARKERS[i % len(MARKERS)] for i, name in enumerate(sorted(names, key=natural_key))}
    return {name: by_name[name] for name in names}


def shade(colour: str, black: float = 0.0, white: float = 0.0) -> str:
    """Mix a colour with black or white.

    >>> shade("#FF8000", white=0.5)
    '#FFC080'
    """
    parts = [int(colour[i : i + 2], 16) * (1 - black - white) + 255 * white for i in (1, 3, 5)]
    return "#" + "".join(f"{round(part):02X}" for part in parts)


def _names(algorithms: Results | Iterable[str]) -> tuple[str, ...]:
    if isinstance(algorithms, Results):
        return algorithms.algorithms
    names = as_list(algorithms, "algorithms", "names or a Results")
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"`algorithms` must be names or a Results; got {shown(algorithms)}.")
    return tuple(map(str, names))
