"""Trellis: one panel per data set, all with the same algorithms in the same order and colours."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from podium.analysis.blocks import one_measure, ordered_blocks
from podium.checks import check_choice, check_keys, check_mapping, record
from podium.plot.figures.numbers import PANELS, FigureNumbers, from_blocks
from podium.results import Results
from podium.results.labels import natural_key

__all__ = ["Trellis", "trellis"]


@record(eq=False, kw_only=True)
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

    kind: str
    panels: tuple[FigureNumbers, ...]
    limits: tuple[float, float]


def trellis(
    results: Results,
    measure: str | None = None,
    kind: str = "box",
    *,
    options: Mapping[str, Any] | None = None,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Trellis:
    """Compute the numbers of a trellis over data sets.

    Parameters
    ----------
    kind : {"box", "strip", "density", "histogram", "percentile_intervals", "podium", "time"}
        What the panels show: the figure of this name.
    options : mapping of str to object, optional
        Options of that figure, such as ``{"reach": 3}`` for box plots.
    order : sequence of str, optional
        The algorithms in the desired order, instead of that of the means over all data sets.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells, applied within each data set.
    """
    check_choice(kind, sorted(PANELS), "kind")
    given = {} if options is None else check_mapping(options, "`options`")
    known = set(inspect.signature(PANELS[kind]).parameters) - {"results", "measure", "order", "missing"}
    check_keys(given, sorted(known), f"The figure {kind!r} in a panel", "option")
    chosen = one_measure(results, measure)
    overall = ordered_blocks(chosen, missing="available", order=order)
    panels = tuple(
        PANELS[kind](chosen.select(dataset=name), order=overall.algorithms, missing=missing, **given)
        for name in sorted(chosen.datasets, key=natural_key)
    )
    limits = float(np.nanmin(chosen.values)), float(np.nanmax(chosen.values))
    return Trellis(**from_blocks(overall), kind=kind, panels=panels, limits=limits)
