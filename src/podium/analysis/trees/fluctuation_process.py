"""`Instability`: how the comparisons of a node depart from its model along a covariate."""

from __future__ import annotations

import numpy as np
import pandas as pd

from podium.analysis.trees.covariates import Counts, Covariate, CovariateKind, CovariateSplit
from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.arrays import FloatArray
from podium.checks import record
from podium.typesetting import Table


@record(eq=False, kw_only=True)
class Instability:
    """The process behind the test of a covariate in a node (Eugster 2011, figure 5.3a).

    A departure is what an object has won, a tie being half a win, minus what the model of the node expects.

    Attributes
    ----------
    objects : tuple of str
    variable : str
    kind : {"numeric", "ordered", "nominal"}
    node : int
    values : ndarray of float
        The values in the node in increasing order; positions in `levels` where the variable has levels.
    levels : tuple of str
    path : ndarray, values × objects
        Of a number: departures of all subjects up to a value, over the square root of the sum of their squares. Where
        nothing changes, each is a Brownian bridge. Of levels: departures within each level, scaled in the same way.
    split : CovariateSplit or None
        Where the node is split by this variable.
    statistic, adjusted : float
        Of the test; NaN where it was not made.
    """

    objects: tuple[str, ...]
    variable: str
    kind: CovariateKind
    node: int
    values: FloatArray
    levels: tuple[str, ...]
    path: FloatArray
    split: CovariateSplit | None
    statistic: float
    adjusted: float

    def frame(self) -> pd.DataFrame:
        """One row per value or level of the variable, one column per object: the path."""
        index = pd.Index(self.levels if self.levels else self.values, name=self.variable)
        return pd.DataFrame(self.path, index=index, columns=list(self.objects))

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), f"Departures along {self.variable} in node {self.node}").html()


def instability_of(
    *,
    objects: tuple[str, ...],
    pairs: PairedComparisons,
    counts: Counts,
    p: FloatArray,
    covariate: Covariate,
    split: CovariateSplit | None,
    statistic: float,
    adjusted: float,
    node: int,
) -> Instability:
    """Compute the departures of the subjects of a node, and add them up along a covariate."""
    q, outcomes, k = len(pairs.first), p.shape[1], len(objects)
    won = np.zeros((q, outcomes, k))  # what each object wins by an outcome of a pair
    at = np.arange(q)
    won[at, 0, pairs.first] = 1.0
    won[at, 1, pairs.second] = 1.0
    if outcomes == 3:
        won[at, 2, pairs.first] = won[at, 2, pairs.second] = 0.5
    centred = won - np.einsum("qo,qok->qk", p, won)[:, None, :]
    departures: FloatArray = counts @ centred.reshape(-1, k)
    size = np.sqrt((departures**2).sum(axis=0))
    scaled = departures / np.where(size > 1e-12 * max(float(size.max(initial=0.0)), 1e-300), size, np.inf)
    values, place = np.unique(covariate.values, return_inverse=True)
    path = np.zeros((len(values), k))
    np.add.at(path, place, scaled)
    if covariate.kind == "numeric":
        path = np.cumsum(path, axis=0)
    levels = tuple(covariate.levels[int(code)] for code in values) if covariate.levels else ()
    return Instability(
        objects=objects,
        variable=covariate.name,
        kind=covariate.kind,
        node=node,
        values=np.arange(len(values), dtype=float) if levels else values,
        levels=levels,
        path=path,
        split=split,
        statistic=statistic,
        adjusted=adjusted,
    )
