"""Preference relations on algorithms."""

from podium.analysis.preference.relation import Relation

__all__ = ["Relation"]
