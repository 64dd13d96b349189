"""A table as data, and one renderer for each form: text, Markdown, HTML, LaTeX, DataFrame."""

from podium.checks import close_module
from podium.typesetting.table import Cell, Column, Table

__all__ = ["Cell", "Column", "Table"]

__getattr__, __dir__ = close_module(__name__, __all__)
