"""Podium places: how often each algorithm is first, second, third, ..."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.blocks import one_measure
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_call, check_choice, check_seed
from podium.results import MeasureInfo, Results
from podium.results.missing import RANKING, MissingPolicy, missing_cells_error, parse_policy, set_stopped_aside

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
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}
        Policy for missing cells; ``"worst-rank"`` places them last.

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
    >>> podium.summaries.places(podium.datasets.load_demsar2006()).iloc[:, :5].round(2)
                  1     2     3     4  outright
    C4.5+m+cf  6.25  3.75  2.75  1.25         6
    C4.5+m     4.25  5.75  3.75  0.25         4
    C4.5+cf    1.25  3.75  3.75  5.25         1
    C4.5       2.25  0.75  3.75  7.25         2
    """
    check_choice(ties, get_args(PlaceTies), "ties")
    check_seed(seed)
    ranked, info, report = placed(results, measure, missing=missing)
    low, high = ranks_of(ranked, "min"), ranks_of(ranked, "max")
    if ties == "random":
        counts = count_places(*[ranks_of(ranked, "random", seed)] * 2)
    else:
        counts = count_places(low, high if ties == "shared" else low)
    k = len(ranked.algorithms)
    columns: dict[int | str, object] = {place + 1: counts[place] for place in range(k)}
    if ties != "shared":
        columns = {place: np.asarray(count).astype(int) for place, count in columns.items()}
    columns["outright"] = ((low == 1) & (high == 1)).sum(axis=0)
    columns["best place"] = low.min(axis=0).astype(int)
    columns["worst place"] = low.max(axis=0).astype(int)
    columns["mean place"] = ((low + high) / 2).mean(axis=0)
    frame = pd.DataFrame(columns, index=list(ranked.algorithms))
    mean_place = frame["mean place"].to_dict()
    frame = frame.loc[sorted(ranked.algorithms, key=lambda name: (mean_place[name], name))]
    frame.attrs["measure"] = str(info)
    frame.attrs["missing"] = report
    frame.attrs["legend"] = _legend(k, ties, seed, len(results.datasets) > 1)
    return frame


def placed(results: Results, measure: str | None, *, missing: str) -> tuple[Results, MeasureInfo, str]:
    """Resolve missing cells and reduce several data sets to one block each, so that all blocks can be ranked."""
    chosen = one_measure(results, measure)
    info = chosen.measures[0]
    policy = parse_policy(missing, allowed=RANKING)
    last = policy == "worst-rank"
    if last:
        chosen = set_stopped_aside(chosen)
    elif policy == "raise" and set_stopped_aside(chosen).missing.any():
        raise missing_cells_error(set_stopped_aside(chosen), RANKING)
    if not last:
        chosen = chosen.resolve_missing(policy)
    report = "; ".join(str(one) for one in chosen.reports)
    if last and chosen.missing.any():
        count = int(chosen.missing.sum())
        report = f"{count} of {chosen.cells} cells missing; worst-rank: placed last in their block"
    if len(chosen.datasets) > 1:
        chosen = chosen.aggregate("mean", missing="available")
    return chosen, info, report


def policy_for_values(missing: str) -> MissingPolicy:
    """Return the policy for the values beside the places: those that are only ranked last stay missing."""
    policy = parse_policy(missing, allowed=RANKING)
    return "available" if policy == "worst-rank" else policy


def ranks_of(ranked: Results, ties: Literal["min", "max", "random", "average"], seed: int = 0) -> FloatArray:
    """Rank within the blocks of the design: shape (blocks, algorithms)."""
    cube = ranked.ranks(ties=ties, seed=seed, missing="worst-rank")
    return cube.values[..., 0][measured_blocks(ranked)]


def measured_blocks(ranked: Results) -> BoolArray:
    """Find which blocks have at least one value, as an M × B array."""
    return np.asarray(ranked.present[..., 0].any(axis=2))


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
