"""mlp: multilayer perceptron, trained online, and what it shares with lnp."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from podium.arrays import FloatArray
from podium.setup.candidates import NamedCandidate
from podium.setup.candidates.candidate import Classifier, Codes, one_hot, parameter
from podium.setup.candidates.network import Layout, train_online


@dataclass(kw_only=True, eq=False)
class Online(Classifier, ABC):
    """Softmax outputs, trained by gradient descent on one observation at a time.

    Parameters
    ----------
    epochs : int
        How often each observation is seen.
    rate : float
        Learning rate in the first epoch.
    slower : float
        Factor on the learning rate after each epoch.
    """

    epochs: int = parameter(50, whole=True, minimum=1)
    rate: float = parameter(0.01, minimum=0)
    slower: float = parameter(0.95, minimum=0)

    scale: ClassVar[bool] = True

    @abstractmethod
    def hidden_units(self, inputs: int) -> int:
        """Return the number of hidden units."""

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Train."""
        Z, Y = self.encode(X), one_hot(codes, len(self.classes_))
        self.layout = Layout(Z.shape[1], self.hidden_units(Z.shape[1]), Y.shape[1], unit="tanh")
        self.tuned = {"hidden": self.layout.hidden} if self.layout.hidden else {}
        self.weights = train_online(
            self.layout, Z, Y, self.rng("training"), epochs=self.epochs, rate=self.rate, slower=self.slower
        )

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        return self.layout.forward(self.weights, self.matrix(X))[1]


@dataclass(kw_only=True, eq=False)
class MultilayerPerceptron(Online):
    """One hidden layer of (D + K)/2 tanh units for D inputs and K classes, trained by backpropagation without momentum.

    Parameters
    ----------
    hidden : int, optional
        Number of hidden units; (D + K)/2, rounded down, if not given.
    """

    hidden: int | None = parameter(None, whole=True, minimum=1)

    def hidden_units(self, inputs: int) -> int:
        """Return (D + K)/2."""
        return (inputs + len(self.classes_)) // 2 if self.hidden is None else self.hidden


MLP = NamedCandidate(
    "mlp",
    "multilayer perceptron",
    {"classification": MultilayerPerceptron},
    rule="(D + K)/2 hidden units, online backpropagation, 50 epochs",
)
