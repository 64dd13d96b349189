"""Podium places: how often each algorithm is first, second, third, ..."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.blocks import Blocks, ordered_blocks
from podium.arrays import FloatArray
from podium.checks import check_call, check_choice, check_seed
from podium.results import Results
from podium.results.missing import POLICIES
from podium.results.ranks import Ties, identity_keys, rank_rows

PlaceTies: TypeAlias = Literal["shared", "random", "min"]


@check_call
def places(
    results: Results,
    measure: str | None = None,
    *,
    ties: PlaceTies = "shared",
    seed: int = 0,
    missing: str = "raise",
) -> pd.DataFrame:
    """Count how often each algorithm takes each place of the podium.

    In each block (replication of the one data set; data set, by its mean, if there are several) the algorithms are
    placed by their performance, place 1 for the best.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    ties : {"shared", "random", "min"}
        What equal algorithms get: an equal share of each of the places they take together; these places at random;
        or each of them the best of these places, as in sports (then places do not add up to the number of blocks).
    seed : int, default 0
        Seed for random ties. The outcome depends on it and on the names, not on the order of rows.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells; ``"worst-rank"`` places them last, ``"available"`` takes the blocks that all
        algorithms with a value have. If these are too few for an order, the rows are ordered by name.

    Returns
    -------
    DataFrame
        One row per algorithm, ordered by mean place (best first; then by name), with columns

        - 1, 2, ..., K: how often it takes that place;
        - ``outright``: in how many blocks it is better than all others;
        - ``best place``, ``worst place``: the best and the worst it ever takes, with ties at the better place;
        - ``mean place``: mean of the places, with ties averaged.

    Examples
    --------
    >>> import podium
    >>> podium.summaries.places(podium.examples.load_demsar2006()).iloc[:, :5].round(2)
                  1     2     3     4  outright
    C4.5+m+cf  6.25  3.75  2.75  1.25         6
    C4.5+m     4.25  5.75  3.75  0.25         4
    C4.5+cf    1.25  3.75  3.75  5.25         1
    C4.5       2.25  0.75  3.75  7.25         2
    """
    check_choice(ties, get_args(PlaceTies), "ties")
    check_seed(seed)
    table = ordered_blocks(results, measure, missing=missing, allowed=POLICIES)
    low, high = ranks_of(table, "min"), ranks_of(table, "max")
    if ties == "random":
        counts = count_places(*[ranks_of(table, "random", seed)] * 2)
    else:
        counts = count_places(low, high if ties == "shared" else low)
    k = len(table.algorithms)
    columns: dict[int | str, object] = {place + 1: counts[place] for place in range(k)}
    if ties != "shared":
        columns = {place: np.asarray(count).astype(int) for place, count in columns.items()}
    columns["outright"] = ((low == 1) & (high == 1)).sum(axis=0)
    columns["best place"] = low.min(axis=0).astype(int)
    columns["worst place"] = low.max(axis=0).astype(int)
    columns["mean place"] = ((low + high) / 2).mean(axis=0)
    frame = pd.DataFrame(columns, index=list(table.algorithms))
    mean_place = frame["mean place"].to_dict() if table.missing.ordered else dict.fromkeys(table.algorithms, 0)
    frame = frame.loc[sorted(table.algorithms, key=lambda name: (mean_place[name], name))]
    frame.attrs["measure"] = str(table.measure)
    frame.attrs["missing"] = str(table.missing)
    frame.attrs["legend"] = _legend(k, ties, seed, table.unit == "dataset")
    return frame


def ranks_of(table: Blocks, ties: Ties, seed: int = 0) -> FloatArray:
    """Rank within the blocks: shape (blocks, algorithms); what is missing comes last."""
    if ties != "random":
        return rank_rows(table.costs, ties)
    single = table.unit == "replication"
    datasets, replications = (table.source.datasets, table.labels) if single else (table.labels, ("mean",))
    keys = identity_keys((datasets, replications, table.algorithms, (table.measure.name,)), seed)
    return rank_rows(table.costs, ties, keys.reshape(table.values.shape))


def count_places(low: FloatArray, high: FloatArray) -> FloatArray:
    """Count places from the first and the last place that each algorithm shares in each block.

    Returns
    -------
    ndarray of float, shape (places, algorithms)
        Each algorithm gives each of its places in a block an equal share of 1.
    """
    k = low.shape[1]
    first, size = low.astype(int) - 1, (high - low).astype(int) + 1
    column = np.broadcast_to(np.arange(k), low.shape)
    counts = np.zeros((k, k))
    # Ties of each size are counted in whole numbers, so that the order of the blocks cannot matter.
    for together in np.unique(size):
        here = size == together
        change = np.zeros((k + 1, k), int)
        np.add.at(change, (first[here], column[here]), 1)
        np.add.at(change, (first[here] + together, column[here]), -1)
        counts += np.cumsum(change, axis=0)[:-1] / together
    return counts


def _legend(k: int, ties: PlaceTies, seed: int, several: bool) -> dict[int | str, str]:
    unit = "data sets" if several else "replications"
    how = {
        "shared": "algorithms that are equal share the places they take together",
        "random": f"ties broken at random, seed {seed}",
        "min": "algorithms that are equal all take the best of their places",
    }
    legend: dict[int | str, str] = dict.fromkeys(
        range(1, k + 1), f"number of {unit} in which the algorithm takes this place; {how[ties]}"
    )
    legend["outright"] = f"number of {unit} in which the algorithm is better than all others"
    legend["best place"] = "best place it takes in any block, with ties at the better place"
    legend["worst place"] = "worst place it takes in any block, with ties at the better place"
    legend["mean place"] = "mean of its places, ties averaged"
    return legend
