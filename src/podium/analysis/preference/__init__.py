"""Preference relations on algorithms: what they are, what they satisfy, and how they are made and written."""

from podium.analysis.preference.extensions import LinearExtensions
from podium.analysis.preference.properties import Check, Kind, Property
from podium.analysis.preference.relation import Relation
from podium.analysis.preference.sources import preferences

__all__ = ["Check", "Kind", "LinearExtensions", "Property", "Relation", "preferences"]
