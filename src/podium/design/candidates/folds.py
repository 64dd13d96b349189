"""Folds: cross-validation inside a fit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.arrays import AnyArray, BoolArray, IntArray
from podium.design.candidates.candidate import Codes

Mask = BoolArray


def folds(
    n: int,
    k: int,
    rng: np.random.Generator,
    *,
    codes: Codes | None = None,
    rows: AnyArray | None = None,
) -> IntArray:
    """Deal observations into k folds: equal sizes, equal shares of each class, copies of one observation together.

    Parameters
    ----------
    n : int
        Number of observations.
    k : int
        Number of folds; at most the number of observations.
    rng : Generator
    codes : array, optional
        Class of each observation; each fold gets its share of each class.
    rows : array, optional
        Identity of each observation; equal ones fall into the same fold.

    Returns
    -------
    array of int
        Number of the fold of each observation.

    Examples
    --------
    >>> import numpy as np
    >>> fold = folds(6, 3, np.random.default_rng(1), codes=np.array([0, 0, 0, 1, 1, 1]))
    >>> sorted(fold[:3]), sorted(fold[3:])
    ([np.int64(0), np.int64(1), np.int64(2)], [np.int64(0), np.int64(1), np.int64(2)])
    """
    identity = np.arange(n) if rows is None else rows
    _, first, unit = np.unique(identity, return_index=True, return_inverse=True)
    order = rng.permutation(len(first))
    if codes is not None:
        order = order[np.argsort(codes[first][order], kind="stable")]
    fold = np.empty(len(first), dtype=np.intp)
    fold[order] = np.arange(len(first)) % min(k, len(first))
    return fold[unit]


def splits(fold: IntArray) -> Iterator[tuple[Mask, Mask]]:
    """Yield which observations each fold learns from and which it holds out; nothing for a single fold."""
    for number in range(fold.max() + 1 if fold.max() > 0 else 0):
        held = fold == number
        yield ~held, held
