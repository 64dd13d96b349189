"""`PlaceShares`: which places the algorithms take on bootstrap resamples."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from podium.analysis.blocks import Unit, ordered_blocks
from podium.analysis.transform import transform_results
from podium.arrays import FloatArray
from podium.checks import random_generator, record
from podium.errors import InputError
from podium.results import Results

FEWEST = 5  # blocks that are drawn again; fewer have too few different resamples
NEAR = 12  # significant digits in which means must differ not to be tied


@record(eq=False)
class PlaceShares:
    """How often each algorithm takes each place on bootstrap resamples.

    Several data sets are drawn again, and the algorithms ordered by mean rank; of one data set its replications, and
    they are ordered by mean: as in the answer of a report.

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
    table = ordered_blocks(transform_results(main, None).results, missing=missing)
    if table.unit == "dataset":
        means = table.source.aggregate("mean", missing="available").select(algorithms=table.algorithms)
        ranked = means.ranks(missing="worst-rank")
        there = means.select(datasets=ranked.datasets).present[..., 0].any(axis=(1, 2))
        losses = ranked.values[:, 0, :, 0][there]
    else:
        losses = table.values * main.measures[0].sign
    n, k = losses.shape
    if n < FEWEST:
        raise InputError(f"Resamples of {n} blocks say nothing; {FEWEST} are needed.")
    weights = random_generator(seed).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    low, high = _places(_means(weights, losses))
    shares = [(((low <= place) & (place <= high)) / (high - low + 1)).mean(axis=0) for place in range(1, k + 1)]
    names = pd.Index(table.algorithms, name="algorithm")
    return PlaceShares(pd.DataFrame(np.transpose(shares), index=names, columns=range(1, k + 1)), resamples, table.unit)


def _means(weights: FloatArray, losses: FloatArray) -> FloatArray:
    """Resamples × algorithms; an algorithm without a value in a resample comes last."""
    present = ~np.isnan(losses)
    counts = weights @ present
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (weights @ np.where(present, losses, 0.0)) / counts
    return np.where(counts > 0, means, np.inf)


def _places(means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First and last of the places that each algorithm shares."""
    scale = np.abs(means[np.isfinite(means)]).max(initial=0.0)
    near = np.round(means / scale, NEAR) if scale > 0 else means
    return tuple(stats.rankdata(near, method=side, axis=1) for side in ("min", "max"))  # type: ignore[return-value]
