"""Tables for papers: the numbers of results and comparisons as a `Table`, which prints itself in any form."""

from podium.checks import close_module
from podium.tables.algorithms import algorithms
from podium.tables.measures import measures
from podium.tables.pairs import pairs
from podium.tables.scores import scores
from podium.tables.table import table
from podium.tables.wins import wins
from podium.typesetting import Cell, Column, Table

__all__ = ["Cell", "Column", "Table", "algorithms", "measures", "pairs", "scores", "table", "wins"]

__getattr__, __dir__ = close_module(__name__, __all__)
