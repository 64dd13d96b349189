"""sv2: support vector machine with quadratic kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.design.candidates import NamedCandidate
from podium.design.candidates.svl import LinearMachine
from podium.design.candidates.svm import Kernel


@dataclass(kw_only=True, eq=False)
class QuadraticMachine(LinearMachine):
    """Polynomial kernel of degree 2, (x·x'/D + 1)² for D inputs; costs are powers of 10."""

    kernel: ClassVar[Kernel] = "quadratic"


SV2 = NamedCandidate(
    "sv2",
    "support vector machine with quadratic kernel",
    {"classification": QuadraticMachine},
    rule="C between 10^-5 and 10^5 in steps of 100, by 3-fold cross-validation",
)
