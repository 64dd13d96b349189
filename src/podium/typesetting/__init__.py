"""A table as data, and one renderer for each form: text, Markdown, HTML, LaTeX, DataFrame."""

from typing import TYPE_CHECKING

from podium.lazy import lazy_names

if TYPE_CHECKING:
    from podium.typesetting.table import Cell, Column, Table
else:  # descriptions of experiments need one renderer only
    __getattr__, __dir__ = lazy_names(__name__, {"table": "Cell Column Table"})

__all__ = ["Cell", "Column", "Table"]
