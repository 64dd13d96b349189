"""mlp: multilayer perceptron, trained online, and what it shares with lnp."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Classifier, Codes, one_hot, parameter, softmax


@dataclass(kw_only=True, eq=False)
class Online(Classifier, ABC):
    """Softmax outputs, trained by gradient descent on one observation at a time.

    The learning rate falls after each epoch, which `sklearn.neural_network.MLPClassifier` does not offer; with one
    observation at a time it also takes eight to ten times as long.

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
        Z, Y, rng = self.encode(X), one_hot(codes, len(self.classes_)), self.rng("training")
        hidden = self.hidden_units(Z.shape[1])
        self.tuned = {"hidden": hidden} if hidden else {}
        self.layers = random_layers(Z.shape[1], hidden, Y.shape[1], rng)
        for epoch in range(self.epochs):
            train_epoch(self.layers, Z, Y, rng.permutation(len(Z)), self.rate * self.slower**epoch)

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the output of the network."""
        *hidden, out = self.layers
        layer = self.matrix(X)
        for into in hidden:
            layer = np.tanh(layer @ into[:-1] + into[-1])
        return softmax(layer @ out[:-1] + out[-1])


def random_layers(inputs: int, hidden: int, outputs: int, rng: np.random.Generator) -> list[FloatArray]:
    """Return random weights: one matrix per layer, the last row that of the constant unit."""
    sizes = [inputs, hidden, outputs] if hidden else [inputs, outputs]
    return [rng.uniform(-0.5, 0.5, (size + 1, after)) for size, after in pairwise(sizes)]


def train_epoch(layers: list[FloatArray], Z: FloatArray, Y: FloatArray, order: Codes, rate: float) -> None:
    """Change the weights after each observation, in this order, against the gradient of its cross-entropy."""
    *hidden, out = layers
    inputs = np.column_stack([Z, np.ones(len(Z))])
    layer = np.ones(len(out))
    for i in order:
        x = inputs[i]
        if hidden:
            layer[:-1] = np.tanh(x @ hidden[0])
        else:
            layer = x
        raw = layer @ out
        shown = np.exp(raw - raw.max())
        slope = shown / shown.sum() - Y[i]
        if hidden:
            back = (out[:-1] @ slope) * (1 - layer[:-1] ** 2)
            hidden[0] -= rate * (x[:, None] * back)
        out -= rate * (layer[:, None] * slope)


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
