"""`Results`, the narrow waist: the labelled, immutable M × B × K × J cube from which every analysis starts."""

from podium.results.measure_info import MeasureInfo
from podium.results.missing import MissingReport
from podium.results.read import read
from podium.results.results import Results

__all__ = ["MeasureInfo", "MissingReport", "Results", "read"]
