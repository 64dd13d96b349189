"""Preference relations on algorithms: how they are made and written, and which properties they have."""

from podium.analysis.relation.preferences import preferences
from podium.analysis.relation.properties import Check
from podium.analysis.relation.relation import LinearExtensions, Relation

__all__ = ["Check", "LinearExtensions", "Relation", "preferences"]
