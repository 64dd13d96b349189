"""The one data set whose replications are followed."""

from __future__ import annotations

from podium.errors import InputError, setting, worded
from podium.results import Results


def one_dataset(results: Results, purpose: str) -> Results:
    """Return the results if they are of one data set; the functions that need one have no argument that selects it."""
    if len(results.datasets) > 1:
        first = results.datasets[0]
        raise InputError(
            f"{purpose} needs one data set; these results have {len(results.datasets)}. Select one: "
            f"{worded(f'results.select(dataset={first!r})', setting('dataset', first))}."
        )
    return results
