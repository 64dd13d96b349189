"""The candidates of the literature, ready by name, with their tuning rules; none imports scikit-learn before a fit."""

from podium.setup.candidates.registry import ENTRIES, Entry, candidates, check_parameters, entry

__all__ = ["ENTRIES", "Entry", "candidates", "check_parameters", "entry"]
