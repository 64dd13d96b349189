"""Trellis: one panel per data set, all with the same algorithms in the same order and colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.blocks import one_measure, ordered_blocks
from podium.errors import InputError, listing
from podium.figures.box import box
from podium.figures.density import density
from podium.figures.histogram import histogram
from podium.figures.intervals import intervals
from podium.figures.numbers import FigureNumbers
from podium.figures.podium import podium
from podium.figures.strip import strip
from podium.figures.time import time
from podium.results import Results
from podium.results.labels import natural_key

Panel: TypeAlias = Literal["strip", "box", "violin", "density", "histogram", "percentile_intervals", "podium", "time"]

PANELS: Mapping[str, Callable[..., FigureNumbers]] = {
    "strip": strip,
    "box": box,
    "violin": density,
    "density": density,
    "histogram": histogram,
    "percentile_intervals": intervals,
    "podium": podium,
    "time": time,
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Trellis(FigureNumbers):
    """Numbers of a trellis.

    Attributes
    ----------
    kind : str
        What the panels show.
    panels : tuple of FigureNumbers
        One per data set, in natural order of the names.
    limits : (float, float)
        Range of the values over all panels.
    """

    kind: Panel
    panels: tuple[FigureNumbers, ...]
    limits: tuple[float, float]


def trellis(
    results: Results,
    kind: Panel = "box",
    measure: str | None = None,
    *,
    order: Sequence[str] | None = None,
    missing: str = "raise",
    **options: Any,
) -> Trellis:
    """Compute the numbers of a trellis over data sets.

    Parameters
    ----------
    results : Results
    kind : {"box", "strip", "violin", "density", "histogram", "percentile_intervals", "podium", "time"}
        What the panels show.
    measure : str, optional
        The measure, where there are several.
    order : sequence of str, optional
        The algorithms in the order wanted, instead of that of the means over all data sets.
    missing : str
        Policy for missing cells, applied within each data set.
    **options
        For the panels; see the function of that name.
    """
    if kind not in get_args(Panel):
        raise InputError(f"`kind` must be one of {listing(get_args(Panel), most=9)}; got {kind!r}.")
    chosen = one_measure(results, measure)
    overall = ordered_blocks(chosen, missing="available", order=order)
    names = sorted(chosen.datasets, key=natural_key)
    panels = tuple(
        PANELS[kind](chosen.select(dataset=name), order=overall.algorithms, missing=missing, **options)
        for name in names
    )
    values = chosen.values
    return Trellis.of(
        overall,
        kind=kind,
        panels=panels,
        limits=(float(np.nanmin(values)), float(np.nanmax(values))),
    )
