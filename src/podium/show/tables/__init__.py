"""Tables for papers: the numbers of results and comparisons as a `Table`, which prints itself in any form."""

from podium.checks import close_module
from podium.show.tables.algorithms import algorithms
from podium.show.tables.measures import measures
from podium.show.tables.pairs import pairs
from podium.show.tables.scores import scores
from podium.show.tables.table import table
from podium.show.tables.wins import wins
from podium.typesetting import Cell, Column, Table

__all__ = ["Cell", "Column", "Table", "algorithms", "measures", "pairs", "scores", "table", "wins"]

__getattr__, __dir__ = close_module(__name__, __all__)
