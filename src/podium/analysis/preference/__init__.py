"""Preference relations on algorithms: how they are made and written, and which properties they have."""

from podium.analysis.preference.preferences import preferences
from podium.analysis.preference.properties import Check
from podium.analysis.preference.relation import LinearExtensions, Relation

__all__ = ["Check", "LinearExtensions", "Relation", "preferences"]
