"""`PlaceShares`: which places the algorithms take on bootstrap resamples."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from podium.analysis.blocks import Unit, ordered_blocks
from podium.analysis.describe.places import ranks_of
from podium.analysis.transform import transform_results
from podium.arrays import FloatArray
from podium.checks import random_generator, record
from podium.errors import InputError
from podium.results import Results
from podium.results.missing import POLICIES

MIN_BLOCKS = 5  # blocks that are drawn again; fewer have too few different resamples
NEAR = 12  # significant digits in which means must differ not to be tied


@record(eq=False)
class PlaceShares:
    """How often each algorithm takes each place on bootstrap resamples.

    Several data sets are drawn again, and the algorithms ordered by mean rank; of one data set its replications, and
    they are ordered by mean: as in the answer of a report. Replications that overlap, or may, are not drawn again: such
    resamples vary less than the order does.

    Attributes
    ----------
    shares : DataFrame
        Share of the resamples in which an algorithm (row) takes a place (column, from 1). Tied algorithms share their
        places in equal parts.
    resamples : int
    unit : {"replication", "dataset"}
        What was drawn.
    """

    shares: pd.DataFrame
    resamples: int
    unit: Unit


def place_shares(main: Results, *, resamples: int, seed: int, missing: str) -> PlaceShares:
    """Order the algorithms on bootstrap resamples, and count their places."""
    independent = main.structure.get("independent", np.full(main.design.shape, -1))
    if len(main.datasets) == 1 and not (independent[main.design] == 1).all():
        raise InputError(
            "How sure the order is cannot be found by resamples of replications that overlap, or may; say with "
            "independent=True that they are independent."
        )
    table = ordered_blocks(transform_results(main, None).results, missing=missing, allowed=POLICIES)
    losses = ranks_of(table, "average") if table.unit == "dataset" else table.costs
    n, k = losses.shape
    if not table.missing.ordered:
        raise InputError(f"There is no order: {table.missing}")
    if n < MIN_BLOCKS:
        raise InputError(f"Resamples of {n} blocks say nothing; {MIN_BLOCKS} are needed.")
    weights = random_generator(seed).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    low, high = _places(weights @ losses / n)
    shares = [(((low <= place) & (place <= high)) / (high - low + 1)).mean(axis=0) for place in range(1, k + 1)]
    names = pd.Index(table.algorithms, name="algorithm")
    return PlaceShares(pd.DataFrame(np.transpose(shares), index=names, columns=range(1, k + 1)), resamples, table.unit)


def _places(means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First and last of the places that each algorithm shares."""
    scale = np.abs(means).max(initial=0.0)
    near = np.round(means / scale, NEAR) if scale > 0 else means
    return tuple(stats.rankdata(near, method=side, axis=1) for side in ("min", "max"))  # type: ignore[return-value]
