"""Benchmark experiments: compare learning algorithms and end with an order that is statistically sound.

An experiment yields M × B × K × J numbers: M data sets, B replications, K algorithms, J measures. podium

1. sets up the design: `Experiment` and its parts,
2. runs it: `run`, `preview`,
3. keeps every trial: `Warehouse`,
4. analyses it, starting from `Results`, the labelled cube of those numbers: `summarize`, `compare`, `consensus`, …
5. reports the outcome in tables and figures: `plot`, `explore`.

If you already have a table of scores, start at 4 with one line: ``results = podium.read("scores.csv")``.

The names here are those that most analyses need. What experts need is grouped in modules: `podium.summaries`,
`podium.inference`, `podium.relations`, `podium.setup`, `podium.figures`, `podium.results`, `podium.warehouse`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from podium import datasets, errors, results
from podium.results import MeasureInfo, Results, read

if TYPE_CHECKING:
    from podium import execution, figures, inference, plot, relations, setup, summaries, warehouse
    from podium.analysis.compare import compare
    from podium.analysis.comparison import Comparison
    from podium.analysis.consensus import Consensus, consensus
    from podium.analysis.describe import summarize
    from podium.analysis.inference import friedman
    from podium.analysis.mixed import MixedFit, mixed
    from podium.analysis.omnibus import Omnibus
    from podium.analysis.preference import Relation
    from podium.execution.preview import preview
    from podium.execution.runner import run
    from podium.plot.explore import explore
    from podium.setup.algorithm import Algorithm, algorithm
    from podium.setup.candidates import candidates
    from podium.setup.catalogue import catalogue
    from podium.setup.dataset import Dataset, Generator
    from podium.setup.experiment import Experiment
    from podium.setup.factors import grid
    from podium.setup.generators import generator
    from podium.setup.measure import Measure, measure
    from podium.setup.measures import measures
    from podium.setup.resampling import (
        Bootstrap,
        CrossValidation,
        FreshDraws,
        HoldOut,
        Subsampling,
        five_by_two,
    )
    from podium.setup.sources import dataset
    from podium.warehouse import Warehouse

__version__ = "0.1.0"

# Where to find the names that are imported on first use: SciPy, scikit-learn and matplotlib take longer to import
# than all the rest, and nobody needs all of them.
_HOMES = {
    "podium.analysis.comparison": "Comparison",
    "podium.analysis.consensus": "Consensus consensus",
    "podium.analysis.describe": "summarize",
    "podium.analysis.compare": "compare",
    "podium.analysis.inference": "friedman",
    "podium.analysis.mixed": "MixedFit mixed",
    "podium.analysis.omnibus": "Omnibus",
    "podium.analysis.preference": "Relation",
    "podium.execution.preview": "preview",
    "podium.execution.runner": "run",
    "podium.plot.explore": "explore",
    "podium.setup.algorithm": "Algorithm algorithm",
    "podium.setup.candidates": "candidates",
    "podium.setup.catalogue": "catalogue",
    "podium.setup.dataset": "Dataset Generator",
    "podium.setup.experiment": "Experiment",
    "podium.setup.factors": "grid",
    "podium.setup.generators": "generator",
    "podium.setup.measure": "Measure measure",
    "podium.setup.measures": "measures",
    "podium.setup.resampling": ("Bootstrap CrossValidation FreshDraws HoldOut Subsampling five_by_two"),
    "podium.setup.sources": "dataset",
    "podium.warehouse": "Warehouse",
}
_LATE = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = {
    "execution": "podium.execution",
    "figures": "podium.figures",
    "inference": "podium.inference",
    "plot": "podium.plot",
    "relations": "podium.relations",
    "setup": "podium.setup",
    "summaries": "podium.summaries",
    "warehouse": "podium.warehouse",
}

__all__ = [
    "Algorithm",
    "Bootstrap",
    "Comparison",
    "Consensus",
    "CrossValidation",
    "Dataset",
    "Experiment",
    "FreshDraws",
    "Generator",
    "HoldOut",
    "Measure",
    "MeasureInfo",
    "MixedFit",
    "Omnibus",
    "Relation",
    "Results",
    "Subsampling",
    "Warehouse",
    "algorithm",
    "candidates",
    "catalogue",
    "compare",
    "consensus",
    "dataset",
    "datasets",
    "errors",
    "execution",
    "explore",
    "figures",
    "five_by_two",
    "friedman",
    "generator",
    "grid",
    "inference",
    "measure",
    "measures",
    "mixed",
    "plot",
    "preview",
    "read",
    "relations",
    "results",
    "run",
    "setup",
    "summaries",
    "summarize",
    "warehouse",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        found = import_module(_MODULES[name])
    elif name in _LATE:
        found = getattr(import_module(_LATE[name]), name)
    else:
        raise AttributeError(_unknown(name))
    globals()[name] = found
    return found


# Where to find what is not a top-level name.
_INSTEAD = {
    "resampling": "use podium.Bootstrap, podium.Subsampling, podium.CrossValidation, podium.HoldOut, "
    "podium.FreshDraws, or podium.setup.resampling_scheme(name)",
    **{
        name: f"it is a method: podium.Warehouse(path).{name}(...)"
        for name in ("export_trials", "import_trials", "merge", "status")
    },
}


def _unknown(name: str) -> str:
    """Build the message for an unknown name: where it is now, or a similar name."""
    from difflib import get_close_matches  # here, so that importing podium does not pay for it

    if name in _INSTEAD:
        return f"podium has no {name!r}; {_INSTEAD[name]}"
    for module in ("summaries", "inference", "relations", "setup", "results", "execution", "warehouse"):
        if name in import_module(f"podium.{module}").__all__:
            return f"podium has no {name!r}; use podium.{module}.{name}"
    near = get_close_matches(name, __all__, 1)
    return f"podium has no {name!r}{f'; did you mean {near[0]!r}?' if near else ''}"


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
