"""The explorer: an interactive view in a browser of an experiment and everything behind its numbers."""

from podium.show.explorer.absence import Absence
from podium.show.explorer.data import Data, DataColumn
from podium.show.explorer.explorer import Explorer, explorer
from podium.show.explorer.models import Model, PredictionGrid
from podium.show.explorer.source import Source
from podium.show.explorer.space import Space

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
