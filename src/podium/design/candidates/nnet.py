"""nnet: neural networks with one hidden layer."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray, IntArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Candidate, Classifier, Codes, Regressor, folds, parameter, splits


@dataclass(kw_only=True, eq=False)
class TunedNetwork(Candidate, ABC):
    """One hidden layer, whose size is chosen by cross-validation between 1 and log n; each fit the best of several.

    Parameters
    ----------
    hidden : int, optional
        Number of hidden units; chosen by cross-validation between 1 and log n if not given.
    folds : int
        Folds of that cross-validation.
    repeats : int
        Number of sets of random weights that each fit starts from; the best fit is kept.
    decay : float
        Penalty on the squared weights.
    steps : int
        Maximum number of iterations of a fit.
    """

    hidden: int | None = parameter(None, whole=True, minimum=1)
    folds: int = parameter(10, whole=True, minimum=2)
    repeats: int = parameter(5, whole=True, minimum=1)
    decay: float = parameter(0.0, minimum=0)
    steps: int = parameter(100, whole=True, minimum=1)

    scale: ClassVar[bool] = True

    def tune(self, Z: FloatArray, y: AnyArray, codes: Codes | None) -> None:
        """Choose the number of hidden units, ties going to the smallest, and fit."""
        hidden = self.hidden
        if hidden is None:
            sizes = range(1, max(1, int(np.log(len(Z)))) + 1)
            fold = folds(len(Z), self.folds, self.rng("folds"), codes=codes, rows=self.rows)
            losses = [self._validated(size, Z, y, fold) for size in sizes] if len(sizes) > 1 else [0.0]
            hidden = sizes[int(np.argmin(losses))]
        self.tuned = {"hidden": hidden}
        self.network = self.best_fit(hidden, Z, y, "final")

    def _validated(self, hidden: int, Z: FloatArray, y: AnyArray, fold: IntArray) -> float:
        loss = 0.0
        for number, (learn, held) in enumerate(splits(fold)):
            network = self.best_fit(hidden, Z[learn], y[learn], "fold", number)
            loss += self.held_out_loss(network.predict(Z[held]), y[held])
        return loss

    def best_fit(self, hidden: int, Z: FloatArray, y: AnyArray, *purpose: str | int) -> Any:
        """Fit from several sets of random weights; return the network with the smallest loss."""
        from sklearn.exceptions import ConvergenceWarning

        networks = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the number of iterations is limited on purpose
            for number in range(self.repeats):
                network = self.new_network(
                    hidden_layer_sizes=(hidden,),
                    activation="logistic",
                    solver="lbfgs",
                    alpha=2 * self.decay,
                    max_iter=self.steps,
                    tol=1e-6,
                    random_state=self.random_state("weights", hidden, *purpose, number),
                )
                networks.append(network.fit(Z, y))
        return min(networks, key=lambda network: float(network.loss_))

    @abstractmethod
    def new_network(self, **settings: Any) -> Any:
        """Return an unfitted network of scikit-learn."""

    @abstractmethod
    def held_out_loss(self, predicted: AnyArray, y: AnyArray) -> float:
        """Return the total loss of these predictions."""


@dataclass(kw_only=True, eq=False)
class NetworkClassifier(TunedNetwork, Classifier):
    """A network with one hidden layer, fitted by minimum cross-entropy."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Tune and fit."""
        self.tune(self.encode(X), codes, codes)

    def new_network(self, **settings: Any) -> Any:
        """Return an unfitted classifier."""
        from sklearn.neural_network import MLPClassifier

        return MLPClassifier(**settings)

    def held_out_loss(self, predicted: AnyArray, y: AnyArray) -> float:
        """Count the misclassified."""
        return float((predicted != y).sum())

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        output: FloatArray = self.network.predict_proba(self.matrix(X))
        return output


@dataclass(kw_only=True, eq=False)
class NetworkRegressor(TunedNetwork, Regressor):
    """A network with one hidden layer and a linear output, fitted by least squares to the standardised response."""

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Tune and fit."""
        self.centre, self.spread = float(y.mean()), float(y.std())
        self.tune(self.encode(X), (y - self.centre) / self.spread, None)

    def new_network(self, **settings: Any) -> Any:
        """Return an unfitted regressor."""
        from sklearn.neural_network import MLPRegressor

        return MLPRegressor(**settings)

    def held_out_loss(self, predicted: AnyArray, y: AnyArray) -> float:
        """Add up the squared errors."""
        return float(((predicted - y) ** 2).sum())

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        output: FloatArray = self.network.predict(self.matrix(X))
        return output * self.spread + self.centre


NNET = NamedCandidate(
    "nnet",
    "neural network with one hidden layer",
    {"classification": NetworkClassifier, "regression": NetworkRegressor},
    rule="hidden units between 1 and log n by 10-fold cross-validation, each fit the best of 5",
    settled_by=("hidden",),
)
