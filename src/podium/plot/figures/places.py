"""Place table: how often each algorithm takes each place, as shares of the blocks."""

from __future__ import annotations

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.places import PlaceTies
from podium.analysis.describe.places import places as place_frame
from podium.arrays import FloatArray
from podium.checks import record
from podium.plot.figures.numbers import FigureNumbers, from_blocks
from podium.results import Results
from podium.results.missing import POLICIES

__all__ = ["Places", "places"]


@record(eq=False, kw_only=True)
class Places(FigureNumbers):
    """Numbers of a place table.

    Attributes
    ----------
    counts : ndarray of float, shape (algorithms, places)
        How often each algorithm takes each place.
    mean_place : ndarray of float
    ties : {"shared", "random", "min"}
    """

    counts: FloatArray
    mean_place: FloatArray
    ties: PlaceTies


def places(
    results: Results,
    measure: str | None = None,
    *,
    ties: PlaceTies = "shared",
    seed: int = 0,
    missing: str = "raise",
) -> Places:
    """Compute the numbers of a place table, the best mean place first.

    Parameters
    ----------
    ties : {"shared", "random", "min"}
        Equal algorithms share the places they take together, or take them at random, or all take the best of them.
    seed : int, default 0
        Seed for random ties.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells, as for `podium.summaries.places`.
    """
    frame = place_frame(results, measure, ties=ties, seed=seed, missing=missing)
    table = ordered_blocks(results, measure, missing=missing, order=list(frame.index), allowed=POLICIES)
    counts = frame[list(range(1, len(frame) + 1))].to_numpy(float)
    return Places(**from_blocks(table), counts=np.array(counts), mean_place=np.array(frame["mean place"]), ties=ties)
