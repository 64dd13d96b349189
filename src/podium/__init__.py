"""Benchmark experiments: compare learning algorithms and end with an order that is statistically right.

An experiment yields M × B × K × J numbers: M data sets, B replications, K algorithms, J measures. podium

1. sets up the design,
2. runs it,
3. keeps every trial,
4. analyses it, starting from `Results`, the labelled cube of those numbers,
5. tells the outcome in tables, figures and reports.

Whoever has a table of scores starts at 4 with one line: ``results = podium.read("scores.csv")``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from podium import datasets, errors
from podium.analysis.describe import summarize
from podium.results import MeasureInfo, MissingReport, Results, read

if TYPE_CHECKING:
    from podium import plots as plot

__version__ = "0.1.0"

__all__ = [
    "MeasureInfo",
    "MissingReport",
    "Results",
    "datasets",
    "errors",
    "plot",
    "read",
    "summarize",
]

# Drawing needs matplotlib, whose import takes longer than all the rest: it waits for the first use.
_LATE = {"plot": "podium.plots"}


def __getattr__(name: str) -> Any:
    if name in _LATE:
        return import_module(_LATE[name])
    raise AttributeError(f"module 'podium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
