"""The explorer: an interactive view in a browser of an experiment and everything behind its numbers."""

from podium.interactive.absence import Absence
from podium.interactive.data import Data, DataColumn
from podium.interactive.explorer import Explorer, explorer
from podium.interactive.models import Model, PredictionGrid
from podium.interactive.source import Source
from podium.interactive.space import Space

__all__ = [
    "Absence",
    "Data",
    "DataColumn",
    "Explorer",
    "Model",
    "PredictionGrid",
    "Source",
    "Space",
    "explorer",
]
