"""svl: support vector machine with linear kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import parameter
from podium.design.candidates.svm import Kernel, SupportVectorClassifier


@dataclass(kw_only=True, eq=False)
class LinearMachine(SupportVectorClassifier):
    """Linear kernel; costs are powers of 10."""

    costs: tuple[float, float] = parameter((-5, 5))
    step: float = parameter(2, above=0)
    folds: int = parameter(3, whole=True, minimum=2)

    kernel: ClassVar[Kernel] = "linear"
    base: ClassVar[float] = 10.0


SVL = NamedCandidate(
    "svl",
    "support vector machine with linear kernel",
    {"classification": LinearMachine},
    rule="C between 10^-5 and 10^5 in steps of 100, by 3-fold cross-validation",
)
