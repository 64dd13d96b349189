"""Benchmark experiments: compare learning algorithms and end with an order that is statistically sound.

An experiment yields M × B × K × J numbers: M data sets, B replications, K algorithms, J measures. podium

1. sets up the design: `Experiment` and its parts,
2. runs it: `run`, `preview`,
3. keeps every trial: `Warehouse`,
4. analyses it, starting from `Results`, the labelled cube of those numbers: `summarize`, `compare`, `consensus`, …
5. reports the outcome in tables, figures, a report and a browser: `table`, `plot`, `explore`, `report`, `explorer`.

If you already have a table of scores, start at 4 with one line: ``results = podium.read("scores.csv")``.

The names here are those that most analyses need. What experts need is grouped in modules: `podium.summaries`,
`podium.inference`, `podium.relations`, `podium.archetypal`, `podium.design`, `podium.plot.figures`,
`podium.show.tables`, `podium.results`, `podium.store`.
"""

import os
import sys
from importlib import import_module
from typing import Any

from podium.lazy import lazy_names

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

_find, _, __all__ = lazy_names(__name__)

# Where to find what is not a top-level name.
_INSTEAD = {
    "bayes": "use podium.inference.compare_bayes(results)",
    "order": "use podium.compare(results).relation(), or .order for the order of the estimates",
    "ranks": "use podium.inference.rank_report(results), or the method results.ranks()",
    "summary": "use podium.summarize(results)",
    "wins": "use podium.table(results, kind='wins'), or podium.inference.win_table(results)",
    "resampling": "use podium.Bootstrap, podium.Subsampling, podium.CrossValidation, podium.HoldOut, "
    "podium.FreshDraws, or a name such as '5x2cv'",
    **{
        name: f"it is a method: podium.Warehouse(path).{name}(...)"
        for name in ("export_trials", "import_trials", "merge", "status")
    },
}


# What was moved or became a constructor, and what it is now.
_RENAMED = {
    "algorithm(...)": "Algorithm(name, estimator) or podium.Algorithm.named(name)",
    "dataset(...)": "Dataset(...), podium.Dataset.named(name) or podium.Dataset.from_file(path)",
    "five_by_two()": "CrossValidation.five_by_two()",
    "generator(...)": "Dataset.generated(name, ...)",
    "measure(...)": "Measure(name, function) or podium.Measure.named(name)",
    "datasets": "examples",
    "execution": "running",
    "figures": "plot.figures",
    "interactive": "show.explorer",
    "reporting": "show.report",
    "setup": "design",
    "tables": "show.tables",
    "warehouse": "store",
}

# Modules whose names are suggested.
_MODULES = (
    "summaries",
    "inference",
    "relations",
    "archetypal",
    "design",
    "results",
    "show.tables",
    "running",
    "store",
    "examples",
    "plot",
    "show.report",
    "show.explorer",
)


def __getattr__(name: str) -> Any:
    for old, new in _RENAMED.items():
        if name == old.partition("(")[0]:
            raise AttributeError(f"podium.{old} is now podium.{new}", name=name)
    if name not in __all__ and not name.startswith("_"):  # tools look for names with underscores
        homes = (module for module in _MODULES if name in import_module(f"podium.{module}").__all__)
        instead = _INSTEAD.get(name) or next((f"use podium.{module}.{name}" for module in homes), "")
        if instead:
            raise AttributeError(f"podium has no {name!r}; {instead}")
    return _find(name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
