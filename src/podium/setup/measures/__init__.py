"""Measures: those known by name, scorers of scikit-learn, own functions."""

from podium.setup.measures.registry import MEASURES, measures
from podium.setup.measures.resolving import measure, measure_from_spec

__all__ = ["MEASURES", "measure", "measure_from_spec", "measures"]
