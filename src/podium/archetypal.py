"""Archetypal analysis in detail: families and losses, solutions, prototypes, stability, archetypes of a domain."""

from typing import TYPE_CHECKING

from podium.analysis.archetypes.bootstrap import prototype_stability
from podium.analysis.archetypes.family import Family, Loss
from podium.analysis.archetypes.methods import prototypes
from podium.analysis.archetypes.observations import Scale
from podium.analysis.archetypes.path import ArchetypePath
from podium.analysis.archetypes.performances import ArchetypeProfile, DomainArchetypes, domain_archetypes
from podium.analysis.archetypes.prototypes import Prototypes, PrototypeStability
from podium.analysis.archetypes.solution import Optimum, Solution
from podium.checks import close_module

__all__ = [
    "ArchetypePath",
    "ArchetypeProfile",
    "DomainArchetypes",
    "Family",
    "Loss",
    "Optimum",
    "PrototypeStability",
    "Prototypes",
    "Scale",
    "Solution",
    "domain_archetypes",
    "prototype_stability",
    "prototypes",
]

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
