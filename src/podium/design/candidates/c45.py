"""c45: a classification tree like C4.5."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, one_hot, parameter
from podium.design.candidates.rpart import Grown
from podium.design.candidates.tree import flat, pessimistic, shares


@dataclass(kw_only=True, eq=False)
class PessimisticTree(Grown, Classifier):
    """Splits by information gain and prunes by pessimistic errors, like C4.5.

    Unlike C4.5 it splits a nominal attribute into two sets of levels, not into all levels at once, and therefore needs
    no gain ratio. It replaces subtrees by leaves, but does not raise subtrees.

    Parameters
    ----------
    min_leaf : int
        Smallest leaf.
    confidence : float
        Confidence level of the pessimistic errors; smaller ones prune more.
    """

    min_leaf: int = parameter(2, whole=True, minimum=1)
    confidence: float = parameter(0.25, minimum=0, maximum=1)

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Grow and prune."""
        from sklearn.tree import DecisionTreeClassifier

        self.encoder = self.new_encoder()
        matrix = self.encoder.fit_transform(X, one_hot(codes, len(self.classes_)))
        grower = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=self.min_leaf, random_state=self.random_state("ties")
        )
        full = flat(grower.fit(matrix, codes))
        self.tree = full.pruned(pessimistic(full, self.confidence))
        self.tuned = {"leaves": self.tree.leaves}

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the class shares of each observation's leaf."""
        return shares(self.tree)[self.leaves_of(X, self.encoder, self.tree)]


C45 = NamedCandidate("c45", "tree like C4.5", {"classification": PessimisticTree}, rule="pruned by pessimistic errors")
