"""Bootstrap samples of the replications of a domain; repeats of a cross-validation are drawn as a whole."""

from __future__ import annotations

import numpy as np

from podium.arrays import Int64Array, IntArray
from podium.results import Results


def draw_replications(results: Results, rng: np.random.Generator) -> Results:
    """Draw replications within each data set, with replacement.

    Where they are a repeated cross-validation, whole repeats are drawn, so that the sample has the same design and the
    same tests apply: a repeat of 5×2 cross-validation is a pair of folds.
    """
    m, b = results.design.shape
    columns = np.tile(np.arange(b), (m, 1))
    structure = {name: array.copy() for name, array in results.structure.items()}
    repeats = structure.get("repeat")
    for row, there in enumerate(results.design):
        own = np.flatnonzero(there)
        parts = None if repeats is None else _repeats(repeats[row, own])
        if parts is None:
            columns[row, own] = rng.choice(own, len(own))
        else:
            columns[row, own] = own[parts[rng.integers(0, len(parts), len(parts))].ravel()]
    at = np.arange(m)[:, None], columns
    taken = {name: array[at] for name, array in structure.items()}
    if repeats is not None:
        # A repeat that was drawn twice is two repeats of the sample.
        for row, there in enumerate(results.design):
            own = np.flatnonzero(there)
            parts = _repeats(repeats[row, own])
            if parts is not None:
                taken["repeat"][row, own] = np.repeat(np.arange(1, len(parts) + 1), parts.shape[1])
    return results.replace(
        values=results.values[at],
        reasons=results.reasons[at],
        design=results.design[at],
        structure=taken,
        replications=tuple(range(1, b + 1)),
    )


def _repeats(numbers: Int64Array) -> IntArray | None:
    """Return the positions of each repeat, one row per repeat; None if there are not several equal ones of several."""
    names, counts = np.unique(numbers, return_counts=True)
    if (numbers < 0).any() or len(names) < 2 or counts[0] < 2 or (counts != counts[0]).any():
        return None
    return np.stack([np.flatnonzero(numbers == name) for name in names])
