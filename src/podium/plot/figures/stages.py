"""Stages of sequential tests: p-values with their bounds, one panel per pair and data set."""

from __future__ import annotations

import numpy as np

from podium.analysis.sequential.outcome import Sequential, SequentialPair
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["StagePanel", "Stages", "stages"]


@record(eq=False, kw_only=True)
class StagePanel(Numbers):
    """Numbers of one panel.

    Attributes
    ----------
    label : str
        The pair, the data set, or both, as far as they vary.
    pvalue, reject, accept : ndarray of float, shape (stages,)
        Of the stages that were performed; `accept` is NaN where there is no such bound, and all are in a stage that
        had too few values.
    decision : str
        ``"reject"``, ``"accept"``, ``"equivalent"`` or ``"continue"``.
    stage : int
        The stage that decided, or the last one.
    """

    label: str
    pvalue: FloatArray
    reject: FloatArray
    accept: FloatArray
    decision: str
    stage: int


@record(eq=False, kw_only=True)
class Stages(Numbers):
    """Numbers of a plot of stages.

    Attributes
    ----------
    panels : tuple of StagePanel
    planned : int
        Number of planned stages.
    kind : str
    """

    panels: tuple[StagePanel, ...]
    planned: int
    kind: str


def stages(sequential: Sequential) -> Stages:
    """Compute the numbers of a plot of stages.

    Examples
    --------
    >>> import podium
    >>> found = podium.sequential(podium.examples.load_pima(), pair=("rf", "svm1"), stages=4)
    >>> podium.plot.figures.stages(found).panels[0].pvalue.round(3)
    array([0.042, 0.036])
    """
    expect(sequential, Sequential, "sequential")
    several = {
        "dataset": len(sequential.datasets) > 1,
        "measure": len(sequential.measures) > 1,
        "pair": len({(pair.a, pair.b) for pair in sequential.pairs}) > 1,
    }
    panels = []
    for pair in sequential.pairs:
        names = [
            *([pair.dataset] if several["dataset"] else []),
            *([pair.measure] if several["measure"] else []),
            *([f"{pair.a}, {pair.b}"] if several["pair"] or not any(several.values()) else []),
        ]
        panels.append(
            StagePanel(
                label=": ".join(names),
                pvalue=_by_stage(pair, "pvalue"),
                reject=_by_stage(pair, "reject"),
                accept=_by_stage(pair, "accept"),
                decision=pair.decision,
                stage=pair.stage,
            )
        )
    planned = max(len(sizes) for sizes in sequential.sizes.values())
    return Stages(panels=tuple(panels), planned=planned, kind=sequential.kind)


def _by_stage(pair: SequentialPair, name: str) -> FloatArray:
    """A number of each stage; NaN for a stage that is left out because it had too few values."""
    found = np.full(max((row.stage for row in pair.rows), default=0), np.nan)
    for row in pair.rows:
        found[row.stage - 1] = getattr(row, name)
    return found
