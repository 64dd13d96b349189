"""svr: support vector machine with radial kernel, on a grid of powers of 10."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import parameter
from podium.design.candidates.svm import RadialClassifier


@dataclass(kw_only=True, eq=False)
class DecadeMachine(RadialClassifier):
    """Radial kernel; costs and widths are powers of 10."""

    costs: tuple[float, float] = parameter((-5, 5))
    widths: tuple[float, float] = parameter((-3, 3))
    step: float = parameter(2, above=0)
    folds: int = parameter(3, whole=True, minimum=2)

    base: ClassVar[float] = 10.0


SVR = NamedCandidate(
    "svr",
    "support vector machine with radial kernel",
    {"classification": DecadeMachine},
    rule="C between 10^-5 and 10^5 and γ between 10^-3 and 10^3 in steps of 100, by 3-fold cross-validation",
)
