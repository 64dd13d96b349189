"""Summaries of the performance of each algorithm."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.errors import InputError, listing
from podium.results import Results


def summarize(results: Results, measure: str | None = None, *, missing: str = "raise") -> pd.DataFrame:
    """Summarise the performance of each algorithm, best first.

    On one data set the numbers describe the distribution over its replications. On several data sets the
    replications are averaged first, and the numbers describe the distribution over data sets: data sets with
    many replications count no more than others.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. What it did stands in ``frame.attrs["missing"]``.

    Returns
    -------
    DataFrame
        One row per algorithm, ordered by mean (best first; equal means by name), with columns

        - ``n``: number of replications (one data set) or data sets (several);
        - ``mean``, ``sd`` (with n - 1), ``median``, ``q25``, ``q75``, ``min``, ``max``;
        - ``mean rank``: mean of the ranks within blocks, rank 1 for the best, ties averaged.

    Examples
    --------
    >>> import podium
    >>> podium.summarize(podium.datasets.load_demsar2006())[["n", "mean", "sd", "mean rank"]].round(3)
                n   mean     sd  mean rank
    C4.5+m+cf  14  0.809  0.155      1.929
    C4.5+m     14  0.808  0.151      2.000
    C4.5+cf    14  0.800  0.159      2.929
    C4.5       14  0.795  0.153      3.143
    """
    chosen = one_measure(results, measure)
    resolved = chosen.resolve_missing(missing)
    blocks = resolved if len(resolved.datasets) == 1 else resolved.aggregate("mean", missing="available")
    values = blocks.values[..., 0].reshape(-1, len(blocks.algorithms))
    values = values[~np.isnan(values).all(axis=1)]
    # Cells left missing by "available" are ranked last only where the algorithm was not run at all.
    ranks = blocks.ranks(missing="worst-rank").values[..., 0].reshape(-1, len(blocks.algorithms))
    frame = pd.DataFrame(values, columns=list(blocks.algorithms))
    quartiles = frame.quantile([0.25, 0.75])
    table = pd.DataFrame(
        {
            "n": frame.count(),
            "mean": frame.mean(),
            "sd": frame.std(),
            "median": frame.median(),
            "q25": quartiles.loc[0.25],
            "q75": quartiles.loc[0.75],
            "min": frame.min(),
            "max": frame.max(),
            "mean rank": np.nanmean(ranks, axis=0),
        }
    )
    info = blocks.measures[0]
    best_first = sorted(table.index, key=lambda name: (info.sign * table.loc[name, "mean"], name))
    table = table.loc[best_first]
    table.attrs["measure"] = str(info)
    table.attrs["missing"] = "; ".join(str(report) for report in resolved.reports)
    return table


def one_measure(results: Results, measure: str | None) -> Results:
    """Take the named measure, or the only one there is."""
    if measure is not None:
        return results.select(measure=measure)
    if len(results.measures) > 1:
        raise InputError(
            f"These results have {len(results.measures)} measures; say which one: measure="
            f"{results.measure_names[0]!r}. There are {listing(results.measure_names, most=12)}."
        )
    return results
