"""nnet: neural networks with one hidden layer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.setup.candidates import NamedCandidate
from podium.setup.candidates.candidate import Candidate, Classifier, Codes, Regressor, one_hot, parameter
from podium.setup.candidates.folds import folds, splits
from podium.setup.candidates.network import Layout, train


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

    def tune(self, Z: FloatArray, Y: FloatArray, codes: Codes | None) -> None:
        """Choose the number of hidden units, the smallest of equals, and fit."""
        hidden = self.hidden
        if hidden is None:
            sizes = range(1, max(1, int(np.log(len(Z)))) + 1)
            fold = folds(len(Z), self.folds, self.rng("folds"), codes=codes, rows=self.rows)
            hidden = (
                sizes[int(np.argmin([self._validated(size, Z, Y, fold) for size in sizes]))] if len(sizes) > 1 else 1
            )
        self.tuned = {"hidden": hidden}
        self.layout, self.weights = self._fitted(hidden, Z, Y, "final")

    def _validated(self, hidden: int, Z: FloatArray, Y: FloatArray, fold: Any) -> float:
        loss = 0.0
        for number, (learn, held) in enumerate(splits(fold)):
            layout, weights = self._fitted(hidden, Z[learn], Y[learn], "fold", number)
            loss += self.held_out_loss(layout.forward(weights, Z[held])[1], Y[held])
        return loss

    def _fitted(self, hidden: int, Z: FloatArray, Y: FloatArray, *purpose: str | int) -> tuple[Layout, FloatArray]:
        layout = Layout(Z.shape[1], hidden, Y.shape[1], "classes" if isinstance(self, Classifier) else "number")
        rng = self.rng("weights", hidden, *purpose)
        return layout, train(layout, Z, Y, rng, repeats=self.repeats, decay=self.decay, steps=self.steps)

    @abstractmethod
    def held_out_loss(self, shown: FloatArray, Y: FloatArray) -> float:
        """Return the total loss of these outputs."""


@dataclass(kw_only=True, eq=False)
class NetworkClassifier(TunedNetwork, Classifier):
    """A network with one hidden layer, fitted by minimum cross-entropy."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Tune and fit."""
        Y = one_hot(codes, len(self.classes_))
        self.tune(self.encode(X), Y if Y.shape[1] > 2 else Y[:, 1:], codes)

    def held_out_loss(self, shown: FloatArray, Y: FloatArray) -> float:
        """Count the misclassified."""
        return float((_two_columns(shown).argmax(axis=1) != _two_columns(Y).argmax(axis=1)).sum())

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        return _two_columns(self.layout.forward(self.weights, self.matrix(X))[1])


@dataclass(kw_only=True, eq=False)
class NetworkRegressor(TunedNetwork, Regressor):
    """A network with one hidden layer and a linear output, fitted by least squares to the standardised response."""

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Tune and fit."""
        self.centre, self.spread = float(y.mean()), float(y.std())
        self.tune(self.encode(X), ((y - self.centre) / self.spread)[:, None], None)

    def held_out_loss(self, shown: FloatArray, Y: FloatArray) -> float:
        """Add up the squared errors."""
        return float(((shown - Y) ** 2).sum())

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        return self.layout.forward(self.weights, self.matrix(X))[1][:, 0] * self.spread + self.centre


def _two_columns(shown: FloatArray) -> FloatArray:
    """Write out the probability of the first of two classes."""
    return shown if shown.shape[1] > 1 else np.hstack([1 - shown, shown])


NNET = NamedCandidate(
    "nnet",
    "neural network with one hidden layer",
    {"classification": NetworkClassifier, "regression": NetworkRegressor},
    rule="hidden units between 1 and log n by 10-fold cross-validation, each fit the best of 5",
    settled_by=("hidden",),
)
