"""Preference relations and how to combine several: distances, votes, consensus, stability, several criteria."""

from typing import TYPE_CHECKING

from podium.analysis import consensus as _consensus
from podium.analysis import domain as _domain
from podium.analysis import relation as _relation
from podium.analysis.consensus import *  # noqa: F403
from podium.analysis.domain import *  # noqa: F403
from podium.analysis.relation import *  # noqa: F403
from podium.checks import close_module

__all__ = sorted([*_consensus.__all__, *_domain.__all__, *_relation.__all__])

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
