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
from podium.results import MeasureInfo, MissingReport, Results, read

if TYPE_CHECKING:
    from podium import plots as plot
    from podium.analysis.describe import summarize

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

# Where the names live that wait for their first use: SciPy, scikit-learn and matplotlib take longer to import
# than all the rest, and nobody needs all of them.
_LATE = {
    "plot": "podium.plots",
    "summarize": "podium.analysis.describe",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'podium' has no attribute {name!r}")
    module = import_module(_LATE[name])
    found = module if name == "plot" else getattr(module, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATE})
