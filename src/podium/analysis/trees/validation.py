"""`TreeValidation`: whether a tree advises better than the overall winner does, on data sets it has not seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
import pandas as pd
from scipy.stats import t as student

from podium.analysis.trees.paired_comparisons import LOSS, TIE, WIN, PairedComparisons
from podium.arrays import FloatArray, IntArray
from podium.checks import check_probability, record
from podium.errors import InputError, plural
from podium.typesetting import Table


class Advisor(Protocol):
    """What gives advice: a tree."""

    @property
    def nodes(self) -> tuple[Any, ...]:
        """The nodes, the root first."""

    @property
    def leaves(self) -> tuple[Any, ...]:
        """The leaves."""

    def predict(self, covariates: pd.DataFrame) -> pd.DataFrame:
        """Predict for new subjects."""


@record(eq=False, repr=False, kw_only=True)
class TreeValidation:
    """Outcome of the cross-validation of a tree over whole data sets.

    The success of an object on a data set is the share of its comparisons there that it wins, a tie being half a win.

    Attributes
    ----------
    units : tuple
        The data sets that were left out in turn; subjects where data sets are not known.
    fold : ndarray of int
        In which fold.
    advised, winner : tuple of str
        What the tree recommends for each, and the overall winner of the data sets that the tree was grown from. Where
        replications of a data set fall into several leaves, what most of them recommend.
    tree, overall : ndarray of float
        Success of the two.
    leaves : tuple of int
        Number of leaves of the tree of each fold.
    of : {"dataset", "subject"}
        What was left out: data sets, or subjects where data sets are not known.
    unclear : int
        Number of others, in which the advice or the overall winner was not compared with anything.
    """

    units: tuple[Any, ...]
    fold: IntArray
    advised: tuple[str, ...]
    winner: tuple[str, ...]
    tree: FloatArray
    overall: FloatArray
    leaves: tuple[int, ...]
    of: Literal["dataset", "subject"] = "dataset"
    unclear: int = 0

    @property
    def gain(self) -> float:
        """Mean success of the tree minus that of the overall winner."""
        return float((self.tree - self.overall).mean())

    @property
    def se(self) -> float:
        """Standard error of the gain, over data sets."""
        return float((self.tree - self.overall).std(ddof=1) / np.sqrt(len(self.tree)))

    @property
    def pvalue(self) -> float:
        """One-sided p-value of a t test over data sets: the tree is not better. Folds share data: an approximation."""
        if self.se == 0:
            return 1.0 if self.gain <= 0 else 0.0
        return float(student.sf(self.gain / self.se, len(self.tree) - 1))

    def better(self, alpha: float = 0.05) -> bool:
        """Return whether the tree is better than always taking the overall winner, at this level."""
        check_probability(alpha, "alpha")
        return self.pvalue <= alpha

    def frame(self) -> pd.DataFrame:
        """One row per data set: its fold, what the tree recommends, the overall winner, and the success of both."""
        return pd.DataFrame(
            {
                "unit": list(self.units),
                "fold": self.fold,
                "advised": list(self.advised),
                "winner": list(self.winner),
                "tree": self.tree,
                "overall": self.overall,
            }
        )

    def __str__(self) -> str:
        noun = "data set" if self.of == "dataset" else "subject"
        head = (
            f"{plural(len(self.units), noun)} in {plural(len(self.leaves), 'fold')}: what the tree recommends wins "
            f"{self.tree.mean():.1%} of its comparisons, the overall winner {self.overall.mean():.1%}; gain "
            f"{100 * self.gain:+.1f} percentage points (standard error {100 * self.se:.1f}), one-sided p = "
            f"{self.pvalue:.3g}."
        )
        if self.unclear:
            head += f"\n{plural(self.unclear, noun)} more, in which one of the two was not compared, do not count."
        if max(self.leaves) == 1:
            return f"{head}\nNo tree was split: its advice is the overall winner."
        if self.better():
            return f"{head}\nThe tree is better than always taking the overall winner."
        return f"{head}\nThe tree has not been shown to be better than always taking the overall winner."

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame(), notes=[str(self)]).html()


def cross_validated(
    grow: Callable[[IntArray], Advisor],
    pairs: PairedComparisons,
    covariates: pd.DataFrame,
    folds: int,
    rng: np.random.Generator,
) -> TreeValidation:
    """Leave out whole data sets in turn."""
    labels = pairs.dataset or pairs.subjects or tuple(range(pairs.rows))
    unit, names = pd.factorize(pd.Series(list(labels), dtype=object))
    count = len(names)
    if count < 4:
        noun = "data sets" if pairs.dataset else "subjects"
        raise InputError(f"A cross-validation needs 4 {noun}; there are {count}.")
    fold = np.empty(count, np.intp)
    fold[rng.permutation(count)] = np.arange(count) % min(folds, count)
    success = _success(pairs, unit, count)
    place = {name: i for i, name in enumerate(pairs.objects)}
    advised, winner, leaves = np.full(count, -1), np.full(count, -1), []
    for one in range(int(fold.max()) + 1):
        out = fold[unit] == one
        learn = np.flatnonzero(~out)
        tree = grow(learn)
        leaves.append(len(tree.leaves))
        best = place[tree.nodes[0].best]
        table = tree.predict(covariates.iloc[np.flatnonzero(out)].reset_index(drop=True))
        votes = np.zeros((count, len(place)))
        np.add.at(votes, (unit[out], table["best"].map(place).to_numpy()), 1.0)
        here = np.flatnonzero(fold == one)
        advised[here], winner[here] = votes[here].argmax(axis=1), best
    known = np.flatnonzero(~np.isnan(success[np.arange(count), advised] + success[np.arange(count), winner]))
    if len(known) < 2:
        raise InputError("The recommendation was compared with another object on fewer than two data sets.")
    return TreeValidation(
        units=tuple(names[known].tolist()),
        fold=fold[known] + 1,
        advised=tuple(pairs.objects[i] for i in advised[known]),
        winner=tuple(pairs.objects[i] for i in winner[known]),
        tree=success[known, advised[known]],
        overall=success[known, winner[known]],
        leaves=tuple(leaves),
        of="dataset" if pairs.dataset else "subject",
        unclear=count - len(known),
    )


def _success(pairs: PairedComparisons, unit: IntArray, count: int) -> FloatArray:
    """Share of its comparisons that each object wins in each unit; NaN where it has none."""
    k = len(pairs.objects)
    at = unit[pairs.row]
    one, two = pairs.first[pairs.pair], pairs.second[pairs.pair]
    half = 0.5 * (pairs.outcome == TIE)
    won, made = np.zeros((count, k)), np.zeros((count, k))
    for side, outcome in ((one, WIN), (two, LOSS)):
        np.add.at(won, (at, side), pairs.weight * ((pairs.outcome == outcome) + half))
        np.add.at(made, (at, side), pairs.weight)
    share: FloatArray = np.divide(won, made, out=np.full((count, k), np.nan), where=made > 0)
    return share
