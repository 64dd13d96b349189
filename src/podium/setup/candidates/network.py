"""`Layout`: a network with at most one hidden layer, its loss and gradient, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from podium.arrays import FloatArray
from podium.setup.candidates.candidate import softmax

Output = Literal["classes", "number"]
Unit = Literal["logistic", "tanh"]


@dataclass(frozen=True)
class Layout:
    """Numbers of inputs, hidden units and outputs.

    Classes are predicted by the softmax of G outputs, or for two classes by one logistic output; numbers by one linear
    output. Without hidden units the inputs are connected directly to the outputs.
    """

    inputs: int
    hidden: int
    outputs: int
    output: Output = "classes"
    unit: Unit = "logistic"

    @property
    def weights(self) -> int:
        """Number of weights, those of the constant unit included."""
        if not self.hidden:
            return (self.inputs + 1) * self.outputs
        return (self.inputs + 1) * self.hidden + (self.hidden + 1) * self.outputs

    def unpack(self, theta: FloatArray) -> tuple[FloatArray | None, FloatArray]:
        """Return the weights as matrices, into the hidden layer and out of it."""
        if not self.hidden:
            return None, theta.reshape(self.inputs + 1, self.outputs)
        cut = (self.inputs + 1) * self.hidden
        return theta[:cut].reshape(self.inputs + 1, self.hidden), theta[cut:].reshape(self.hidden + 1, self.outputs)

    def squash(self, raw: FloatArray) -> FloatArray:
        """Return the activation of the hidden units."""
        squashed: FloatArray = np.tanh(raw) if self.unit == "tanh" else logistic(raw)
        return squashed

    def steepness(self, layer: FloatArray) -> FloatArray:
        """Return the derivative of the activation, from its value."""
        return 1 - layer**2 if self.unit == "tanh" else layer * (1 - layer)

    def forward(self, theta: FloatArray, Z: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the values of the last layer before the outputs, and the outputs."""
        into, out = self.unpack(theta)
        layer = Z if into is None else self.squash(Z @ into[:-1] + into[-1])
        raw = layer @ out[:-1] + out[-1]
        if self.output == "number":
            return layer, raw
        return layer, logistic(raw) if self.outputs == 1 else softmax(raw)

    def loss(self, theta: FloatArray, Z: FloatArray, Y: FloatArray, decay: float = 0.0) -> tuple[float, FloatArray]:
        """Return the cross-entropy (or half the squared error) and its gradient.

        Parameters
        ----------
        theta : array
            Weights.
        Z : array, shape (observations, inputs)
        Y : array, shape (observations, outputs)
            Wanted outputs.
        decay : float
            Penalty on the squared weights.
        """
        into, out = self.unpack(theta)
        layer, shown = self.forward(theta, Z)
        slope = shown - Y  # the same for cross-entropy and half the squared error
        gradient = np.empty_like(theta)
        of_into, of_out = self.unpack(gradient)
        np.matmul(layer.T, slope, out=of_out[:-1])
        of_out[-1] = slope.sum(axis=0)
        if into is not None and of_into is not None:
            back = (slope @ out[:-1].T) * self.steepness(layer)
            np.matmul(Z.T, back, out=of_into[:-1])
            of_into[-1] = back.sum(axis=0)
        if decay:
            gradient += 2 * decay * theta
        return self._lack_of_fit(shown, Y) + decay * float(theta @ theta), gradient

    def _lack_of_fit(self, shown: FloatArray, Y: FloatArray) -> float:
        if self.output == "number":
            return float(((shown - Y) ** 2).sum() / 2)
        likely = np.where(Y > 0, shown, 1 - shown) if self.outputs == 1 else (shown * Y).sum(axis=1)
        return -float(np.log(np.maximum(likely, 1e-300)).sum())


def logistic(raw: FloatArray) -> FloatArray:
    """Return 1/(1 + exp(-x))."""
    from scipy.special import expit

    return np.asarray(expit(raw))


def train(
    layout: Layout, Z: FloatArray, Y: FloatArray, rng: np.random.Generator, *, repeats: int, decay: float, steps: int
) -> FloatArray:
    """Fit a network several times from random weights by BFGS; return the weights with the least loss."""
    from scipy.optimize import minimize

    best, weights = np.inf, np.zeros(layout.weights)
    for _ in range(repeats):
        start = rng.uniform(-0.7, 0.7, layout.weights)
        fit = minimize(
            layout.loss,
            start,
            args=(Z, Y, decay),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": steps, "maxcor": 20, "ftol": 1e-8, "gtol": 1e-6},
        )
        if fit.fun < best:
            best, weights = float(fit.fun), fit.x
    return weights


def train_online(
    layout: Layout, Z: FloatArray, Y: FloatArray, rng: np.random.Generator, *, epochs: int, rate: float, slower: float
) -> FloatArray:
    """Train by gradient descent, one observation at a time in random order; the rate falls after each epoch."""
    theta = rng.uniform(-0.5, 0.5, layout.weights)
    into, out = (None if part is None else part.copy() for part in layout.unpack(theta))
    assert out is not None
    inputs = np.column_stack([Z, np.ones(len(Z))])
    layer = np.ones(layout.hidden + 1)
    for epoch in range(epochs):
        step = rate * slower**epoch
        for i in rng.permutation(len(Z)):
            x = inputs[i]
            if into is None:
                layer = x
            else:
                layer[:-1] = layout.squash(x @ into)
            raw = layer @ out
            shown = np.exp(raw - raw.max())
            slope = shown / shown.sum() - Y[i]
            if into is not None:
                back = (out[:-1] @ slope) * layout.steepness(layer[:-1])
                into -= step * (x[:, None] * back)
            out -= step * (layer[:, None] * slope)
    return np.concatenate([part.ravel() for part in (into, out) if part is not None])
