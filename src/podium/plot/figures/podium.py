"""The benchmark experiment plot: a podium with one place per rank, and every algorithm's dots in every place.

Eugster (2011), sections 2.2 and 3.2.1; Eugster, Hothorn & Leisch (2008), section 3.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np

from podium.analysis.blocks import Blocks, ordered_blocks
from podium.analysis.describe.places import PlaceTies, count_places, ranks_of
from podium.arrays import FloatArray, IntArray
from podium.checks import check_choice, check_count, check_seed, record
from podium.plot.figures.numbers import FigureNumbers, evenly, from_blocks, panel
from podium.results import Results
from podium.results.labels import Label
from podium.results.missing import POLICIES

__all__ = ["Podium", "podium"]

MAX_DOTS = 20_000
MAX_LINES = 500


@record(eq=False, kw_only=True)
class Podium(FigureNumbers):
    """Numbers of a benchmark experiment plot.

    Places count from 0 here: ``counts[0]`` is place 1.

    Attributes
    ----------
    counts : ndarray of float, shape (places, algorithms)
        How often each algorithm takes each place.
    dot_place, dot_algorithm : ndarray of int
        For each dot its place, and the position of its algorithm.
    dot_value : ndarray of float
        Its value.
    dot_share : ndarray of float
        1, or less for the dots of an algorithm that shares several places.
    line_algorithm : ndarray of int, shape (lines, places)
        For each line the algorithm it meets in each place; equal algorithms in the order of their means.
    line_value : ndarray of float, shape (lines, places)
    labels : tuple
        Names of the blocks.
    dots, lines : int
        How many there are; more than are given if these were thinned.
    ties : {"random", "shared", "min"}
    seed : int or None
    """

    counts: FloatArray
    dot_place: IntArray
    dot_algorithm: IntArray
    dot_value: FloatArray
    dot_share: FloatArray
    line_algorithm: IntArray
    line_value: FloatArray
    labels: tuple[Label, ...]
    dots: int
    lines: int
    ties: PlaceTies
    seed: int | None


@panel
def podium(
    results: Results,
    measure: str | None = None,
    *,
    ties: PlaceTies = "random",
    seed: int = 0,
    order: Sequence[str] | None = None,
    most_dots: int = MAX_DOTS,
    most_lines: int = MAX_LINES,
    missing: str = "raise",
) -> Podium:
    """Compute the numbers of a benchmark experiment plot.

    In each block the algorithms are placed by their performance, place 1 for the best; within each place they keep
    the order of their means.

    Parameters
    ----------
    ties : {"random", "shared", "min"}
        Equal algorithms take their places at random; or each takes an equal share of each of them; or all take the
        best of them. Under the first two the counts of each place add up to the number of blocks.
    seed : int, default 0
        Seed for random ties. The outcome depends on it and on the names, not on the order of rows.
    most_dots, most_lines : int
        Where there are more, an even selection is shown: of the dots within each place and algorithm, with the
        extremes; of the lines over the blocks. Counts are always those of all blocks.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells, as for `podium.summaries.places`; ``"worst-rank"`` places them last, without a dot.
    """
    check_choice(ties, get_args(PlaceTies), "ties")
    check_count(most_dots, "most_dots")
    check_count(most_lines, "most_lines")
    check_seed(seed)
    table = ordered_blocks(results, measure, missing=missing, order=order, allowed=POLICIES)
    low, high = _places(table, ties, seed)
    line_algorithm = np.argsort(low, axis=1, kind="stable")
    drawn = evenly(len(low), most_lines)
    dots = _dots(table.values, low, high)
    shown = _thinned(dots, most_dots)
    return Podium(
        **from_blocks(table),
        counts=count_places(low, high),
        **{name: column[shown] for name, column in dots.items()},
        line_algorithm=line_algorithm[drawn],
        line_value=np.take_along_axis(table.values, line_algorithm, axis=1)[drawn],
        labels=table.labels,
        dots=len(dots["dot_place"]),
        lines=len(low),
        ties=ties,
        seed=seed if ties == "random" else None,
    )


def _places(table: Blocks, ties: PlaceTies, seed: int) -> tuple[FloatArray, FloatArray]:
    """First and last place that each algorithm takes in each block."""
    if ties == "random":
        places = ranks_of(table, "random", seed)
        return places, places
    low = ranks_of(table, "min")
    return low, ranks_of(table, "max") if ties == "shared" else low


def _dots(values: FloatArray, low: FloatArray, high: FloatArray) -> dict[str, Any]:
    """One dot per block, algorithm and place it takes; a missing value has none."""
    block, algorithm = np.nonzero(~np.isnan(values))
    first = low[block, algorithm].astype(np.int64) - 1
    size = (high - low)[block, algorithm].astype(np.int64) + 1
    start = np.repeat(np.cumsum(size) - size, size)
    return {
        "dot_place": np.repeat(first, size) + np.arange(size.sum()) - start,
        "dot_algorithm": np.repeat(algorithm, size),
        "dot_value": np.repeat(values[block, algorithm], size),
        "dot_share": np.repeat(1 / size, size),
    }


def _thinned(dots: dict[str, Any], most: int) -> IntArray:
    """Choose the dots to show: in each place and algorithm evenly over the values."""
    total = len(dots["dot_place"])
    if total <= most:
        return np.arange(total)
    order = np.lexsort((dots["dot_value"], dots["dot_algorithm"], dots["dot_place"]))
    cell = dots["dot_place"][order] * (int(dots["dot_algorithm"].max()) + 1) + dots["dot_algorithm"][order]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    sizes = np.diff(starts, append=total)
    each = _fair_share(sizes, most)
    return np.concatenate([order[start + evenly(size, each)] for start, size in zip(starts, sizes, strict=True)])


def _fair_share(sizes: IntArray, most: int) -> int:
    """Find the largest number that every cell may keep so that all stay within `most`; at least 1."""
    low, high = 1, int(sizes.max())
    while low < high:
        middle = (low + high + 1) // 2
        if np.minimum(sizes, middle).sum() <= most:
            low = middle
        else:
            high = middle - 1
    return low
