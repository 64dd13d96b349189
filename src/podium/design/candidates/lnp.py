"""lnp: linear perceptron with softmax outputs, trained online."""

from __future__ import annotations

from dataclasses import dataclass

from podium.design.candidates import NamedCandidate
from podium.design.candidates.mlp import Online


@dataclass(kw_only=True, eq=False)
class LinearPerceptron(Online):
    """Inputs connected directly to softmax outputs, trained by gradient descent on the cross-entropy."""

    def hidden_units(self, inputs: int) -> int:
        """Return 0."""
        return 0


LNP = NamedCandidate(
    "lnp",
    "linear perceptron with softmax outputs",
    {"classification": LinearPerceptron},
    rule="online gradient descent, 50 epochs",
)
