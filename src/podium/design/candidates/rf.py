"""rf: random forests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Candidate, Classifier, Codes, Regressor, parameter
from podium.design.encoding import Nominal


@dataclass(kw_only=True, eq=False)
class Forest(Candidate):
    """Trees on bootstrap samples; missing values are kept.

    Parameters
    ----------
    trees : int
        Number of trees.
    min_leaf : int
        Smallest leaf.
    """

    trees: int = parameter(500, whole=True, minimum=1)
    min_leaf: int = parameter(1, whole=True, minimum=1)

    impute: ClassVar[bool] = False


@dataclass(kw_only=True, eq=False)
class RandomForestClassifier(Forest, Classifier):
    """Full trees, √p columns tried at each split (Breiman 2001); a column for each level of a nominal attribute."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Grow the forest."""
        from sklearn.ensemble import RandomForestClassifier as Ensemble

        Z = self.encode(X)
        self.forest = Ensemble(
            n_estimators=self.trees, min_samples_leaf=self.min_leaf, random_state=self.random_state("forest")
        ).fit(Z, codes)

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the class shares, averaged over the trees."""
        averaged: FloatArray = self.forest.predict_proba(self.matrix(X))
        return averaged


@dataclass(kw_only=True, eq=False)
class RandomForestRegressor(Forest, Regressor):
    """Leaves of five or more, a third of the attributes tried at each split; levels ranked by the response."""

    min_leaf: int = parameter(5, whole=True, minimum=1)

    nominal: ClassVar[Nominal] = "ordered"

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Grow the forest."""
        from sklearn.ensemble import RandomForestRegressor as Ensemble

        Z = self.encode(X, y[:, None])
        self.forest = Ensemble(
            n_estimators=self.trees,
            min_samples_leaf=self.min_leaf,
            max_features=max(1, Z.shape[1] // 3),
            random_state=self.random_state("forest"),
        ).fit(Z, y)

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the mean over the trees."""
        mean: FloatArray = self.forest.predict(self.matrix(X))
        return mean


RF = NamedCandidate(
    "rf",
    "random forest",
    {"classification": RandomForestClassifier, "regression": RandomForestRegressor},
    rule="500 trees",
    settled_by=("trees",),
)
