"""Benchmark experiments: compare learning algorithms and end with an order that is statistically sound.

An experiment yields M × B × K × J numbers: M data sets, B replications, K algorithms, J measures. podium

1. sets up the design: `Experiment` and its parts,
2. runs it: `run`, `preview`,
3. keeps every trial: `Warehouse`,
4. analyses it, starting from `Results`, the labelled cube of those numbers: `summarize`, `compare`, `consensus`, …
5. reports the outcome in tables, figures, a report and a browser: `table`, `plot`, `explore`, `report`, `explorer`.

If you already have a table of scores, start at 4 with one line: ``results = podium.read("scores.csv")``.

The names here are those that most analyses need. What experts need is grouped in modules: `podium.summaries`,
`podium.inference`, `podium.relations`, `podium.archetypal`, `podium.setup`, `podium.figures`, `podium.tables`,
`podium.results`, `podium.warehouse`.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from podium import (
        archetypal,
        datasets,
        errors,
        execution,
        figures,
        inference,
        interactive,
        plot,
        relations,
        reporting,
        results,
        setup,
        summaries,
        tables,
        warehouse,
    )
    from podium.analysis.archetypes.archetypes import archetypes
    from podium.analysis.archetypes.estimator import ArchetypalAnalysis
    from podium.analysis.compare import compare
    from podium.analysis.comparison import Comparison
    from podium.analysis.consensus import Consensus, consensus
    from podium.analysis.describe import summarize
    from podium.analysis.domain import domain
    from podium.analysis.inference import friedman
    from podium.analysis.mixed import mixed
    from podium.analysis.multitest import multi2test, multitest
    from podium.analysis.preference import Relation
    from podium.analysis.sequential import combination_test, monitor, sequential
    from podium.analysis.trees import PairedComparisons, bradley_terry, bradley_terry_tree
    from podium.execution.characteristics import characterize
    from podium.execution.preview import preview
    from podium.execution.runner import run
    from podium.interactive.explorer import explorer
    from podium.plot.explore import explore
    from podium.reporting.report import report
    from podium.results import MeasureInfo, Results, read
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
    from podium.setup.stopping import Stopping
    from podium.tables import table
    from podium.warehouse import Warehouse

__version__ = "0.1.0"

# The oldest versions that work, as in pyproject.toml.
_OLDEST = {
    "numpy": "1.26",
    "scipy": "1.13",
    "pandas": "2.2",
    "scikit-learn": "1.7",
    "matplotlib": "3.9",
    "cloudpickle": "3.0",
    "pyyaml": "6.0",
}


def _check_versions() -> None:
    """Refuse packages that are too old.

    The names of the folders that installers leave beside a package say its version. To ask `importlib.metadata` takes
    several times as long as to import this module.
    """
    installed = {}
    for folder in reversed(sys.path):  # the first one counts
        try:
            entries = os.listdir(folder or ".")
        except OSError:  # an archive, or not there
            continue
        for entry in entries:
            if entry.endswith((".dist-info", ".egg-info")):
                name, _, version = entry.rpartition(".")[0].partition("-")
                installed[name.lower().replace("_", "-")] = version.partition("-")[0]
    old = [name for name, oldest in _OLDEST.items() if _release(installed.get(name, oldest)) < _release(oldest)]
    if old:
        found = "; ".join(f"{name} {installed[name]} found, {_OLDEST[name]} needed" for name in old)
        raise ImportError(
            f"podium cannot work with these versions: {found}. Run: pip install --upgrade {' '.join(old)}"
        )


def _release(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:2] if part.isdigit()]


_check_versions()

# Where to find the names that are imported on first use: pandas, SciPy, scikit-learn and matplotlib take longer to
# import than all the rest, and no program needs all of them; `podium --help` needs none.
_HOMES = {
    "podium.analysis.archetypes.estimator": "ArchetypalAnalysis",
    "podium.analysis.archetypes.archetypes": "archetypes",
    "podium.analysis.comparison": "Comparison",
    "podium.analysis.consensus": "Consensus consensus",
    "podium.analysis.describe": "summarize",
    "podium.analysis.compare": "compare",
    "podium.analysis.domain.domain": "domain",
    "podium.analysis.inference": "friedman",
    "podium.analysis.mixed": "mixed",
    "podium.analysis.multitest": "multi2test multitest",
    "podium.analysis.preference": "Relation",
    "podium.analysis.sequential": "combination_test monitor sequential",
    "podium.analysis.trees": "PairedComparisons bradley_terry bradley_terry_tree",
    "podium.execution.preview": "preview",
    "podium.execution.runner": "run",
    "podium.interactive.explorer": "explorer",
    "podium.plot.explore": "explore",
    "podium.reporting.report": "report",
    "podium.results": "MeasureInfo Results read",
    "podium.setup.algorithm": "Algorithm algorithm",
    "podium.setup.candidates": "candidates",
    "podium.setup.catalogue": "catalogue",
    "podium.execution.characteristics": "characterize",
    "podium.setup.dataset": "Dataset Generator",
    "podium.setup.experiment": "Experiment",
    "podium.setup.factors": "grid",
    "podium.setup.generators": "generator",
    "podium.setup.measure": "Measure measure",
    "podium.setup.measures": "measures",
    "podium.setup.resampling": ("Bootstrap CrossValidation FreshDraws HoldOut Subsampling five_by_two"),
    "podium.setup.sources": "dataset",
    "podium.setup.stopping": "Stopping",
    "podium.tables": "table",
    "podium.warehouse": "Warehouse",
}
_LATE = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = {
    "archetypal": "podium.archetypal",
    "datasets": "podium.datasets",
    "errors": "podium.errors",
    "execution": "podium.execution",
    "figures": "podium.figures",
    "inference": "podium.inference",
    "interactive": "podium.interactive",
    "plot": "podium.plot",
    "relations": "podium.relations",
    "reporting": "podium.reporting",
    "results": "podium.results",
    "setup": "podium.setup",
    "summaries": "podium.summaries",
    "tables": "podium.tables",
    "warehouse": "podium.warehouse",
}

__all__ = [
    "Algorithm",
    "ArchetypalAnalysis",
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
    "PairedComparisons",
    "Relation",
    "Results",
    "Stopping",
    "Subsampling",
    "Warehouse",
    "algorithm",
    "archetypal",
    "archetypes",
    "bradley_terry",
    "bradley_terry_tree",
    "candidates",
    "catalogue",
    "characterize",
    "combination_test",
    "compare",
    "consensus",
    "dataset",
    "datasets",
    "domain",
    "errors",
    "execution",
    "explore",
    "explorer",
    "figures",
    "five_by_two",
    "friedman",
    "generator",
    "grid",
    "inference",
    "interactive",
    "measure",
    "measures",
    "mixed",
    "monitor",
    "multi2test",
    "multitest",
    "plot",
    "preview",
    "read",
    "relations",
    "report",
    "reporting",
    "results",
    "run",
    "sequential",
    "setup",
    "summaries",
    "summarize",
    "table",
    "tables",
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
    "bayes": "use podium.inference.compare_bayes(results)",
    "order": "use podium.compare(results).relation(), or .order for the order of the estimates",
    "ranks": "use podium.inference.rank_report(results), or the method results.ranks()",
    "summary": "use podium.summarize(results)",
    "wins": "use podium.table(results, kind='wins'), or podium.inference.win_table(results)",
    "resampling": "use podium.Bootstrap, podium.Subsampling, podium.CrossValidation, podium.HoldOut, "
    "podium.FreshDraws, or podium.setup.resampling_scheme(name)",
    **{
        name: f"it is a method: podium.Warehouse(path).{name}(...)"
        for name in ("export_trials", "import_trials", "merge", "status")
    },
}


def _unknown(name: str) -> str:
    """Build the message for an unknown name: where it is now, or a similar name."""
    if name.startswith("_"):  # tools look for such names, and each module would be imported for them
        return f"podium has no {name!r}"
    if name in _INSTEAD:
        return f"podium has no {name!r}; {_INSTEAD[name]}"
    modules = (
        "summaries",
        "inference",
        "relations",
        "archetypal",
        "setup",
        "results",
        "tables",
        "execution",
        "warehouse",
        "datasets",
        "plot",
        "reporting",
        "interactive",
    )
    for module in modules:
        if name in import_module(f"podium.{module}").__all__:
            return f"podium has no {name!r}; use podium.{module}.{name}"
    from difflib import get_close_matches  # here, so that importing podium does not pay for it

    near = get_close_matches(name, __all__, 1, cutoff=0.65)
    return f"podium has no {name!r}{f'; did you mean {near[0]!r}?' if near else ''}"


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
