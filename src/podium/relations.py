"""Preference relations and what becomes of several: distances, votes, consensus, stability, several criteria."""

from podium.analysis import consensus as _consensus
from podium.analysis import preference as _preference
from podium.analysis.consensus import *  # noqa: F403
from podium.analysis.preference import *  # noqa: F403

__all__ = sorted([*_consensus.__all__, *_preference.__all__])
