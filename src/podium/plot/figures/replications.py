"""Replications that a sequential test spends, against those of a fixed design."""

from __future__ import annotations

import numpy as np

from podium.analysis.sequential.outcome import Sequential
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["Replications", "replications"]


@record(eq=False, kw_only=True)
class Replications(Numbers):
    """Numbers of a plot of replications.

    Attributes
    ----------
    labels : tuple of str
        Data sets, or the algorithms of the only one.
    spent, planned : ndarray of float
        Replications that a run with the rule would have needed, and those of the fixed design.
    open : tuple of bool
        Whether something about the row was never decided.
    saved : float
        Share of all trials that was saved.
    kind : str
    """

    labels: tuple[str, ...]
    spent: FloatArray
    planned: FloatArray
    open: tuple[bool, ...]
    saved: float
    kind: str


def replications(sequential: Sequential) -> Replications:
    """Compute the numbers of a plot of replications spent.

    Examples
    --------
    >>> import podium
    >>> found = podium.sequential(podium.examples.load_pima(), racing=True, stages=4, intervals=False)
    >>> podium.plot.figures.replications(found).spent
    array([100.,  50.,  50., 100.])
    """
    expect(sequential, Sequential, "sequential")
    by_dataset = len(sequential.datasets) > 1
    rows: dict[str, tuple[int, int, bool]] = {}
    for dataset, algorithm, spent in sequential.spent.reset_index().itertuples(index=False):
        name = dataset if by_dataset else algorithm
        pairs = [p for p in sequential.pairs if (p.dataset == name if by_dataset else name in (p.a, p.b))]
        most = max(spent, rows[name][0]) if name in rows else spent
        rows[name] = (most, sum(sequential.sizes[dataset]), any(pair.state == "open" for pair in pairs))
    return Replications(
        labels=tuple(rows),
        spent=np.array([row[0] for row in rows.values()], float),
        planned=np.array([row[1] for row in rows.values()], float),
        open=tuple(row[2] for row in rows.values()),
        saved=sequential.saved,
        kind=sequential.kind,
    )
