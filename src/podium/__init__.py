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
    from podium import plot
    from podium.analysis.comparison import Comparison
    from podium.analysis.consensus import (
        Consensus,
        borda,
        compare_aggregations,
        consensus,
        copeland,
        criteria,
        distance,
        distances,
        footrule,
        hierarchical,
        kendall_tau,
        majority,
        mean_rank,
        stability,
        weight_sensitivity,
    )
    from podium.analysis.describe import (
        QuartileChart,
        intervals,
        orders,
        overlaps,
        places,
        quartile_chart,
        summarize,
        worst_case,
    )
    from podium.analysis.inference import (
        adjust_pvalues,
        aligned_ranks,
        cochran_q,
        compare,
        compare_bayes,
        effect_sizes,
        friedman,
        iman_davenport,
        paired_test,
        quade,
        skillings_mack,
    )
    from podium.analysis.mixed import CovarianceComparison, MixedFit, mixed
    from podium.analysis.omnibus import Omnibus
    from podium.analysis.preference import Relation, preferences
    from podium.execution.preview import Preview, preview
    from podium.execution.runner import run
    from podium.execution.status import Status, status
    from podium.plot.explore import explore
    from podium.setup.advice import Advice
    from podium.setup.algorithm import Algorithm, algorithm
    from podium.setup.candidates import candidates
    from podium.setup.catalogue import catalogue
    from podium.setup.dataset import Dataset, Generator, Sample
    from podium.setup.describe import Description
    from podium.setup.experiment import Experiment
    from podium.setup.factors import Factors, Grid, grid
    from podium.setup.generators import generator
    from podium.setup.measure import Measure
    from podium.setup.measures import measure, measures
    from podium.setup.resampling import (
        Bootstrap,
        CrossValidation,
        FreshDraws,
        HoldOut,
        Reserve,
        SklearnSplitter,
        Split,
        Subsampling,
        five_by_two,
        resampling,
    )
    from podium.setup.sources import dataset
    from podium.setup.spec.schema import experiment_schema
    from podium.warehouse import (
        Warehouse,
        export_trials,
        import_trials,
        merge,
        read_benchopt,
        read_cross_validate,
        read_openml_evaluations,
    )

__version__ = "0.1.0"

__all__ = [
    "Advice",
    "Algorithm",
    "Bootstrap",
    "Comparison",
    "Consensus",
    "CovarianceComparison",
    "CrossValidation",
    "Dataset",
    "Description",
    "Experiment",
    "Factors",
    "FreshDraws",
    "Generator",
    "Grid",
    "HoldOut",
    "Measure",
    "MeasureInfo",
    "MissingReport",
    "MixedFit",
    "Omnibus",
    "Preview",
    "QuartileChart",
    "Relation",
    "Reserve",
    "Results",
    "Sample",
    "SklearnSplitter",
    "Split",
    "Status",
    "Subsampling",
    "Warehouse",
    "adjust_pvalues",
    "algorithm",
    "aligned_ranks",
    "borda",
    "candidates",
    "catalogue",
    "cochran_q",
    "compare",
    "compare_aggregations",
    "compare_bayes",
    "consensus",
    "copeland",
    "criteria",
    "dataset",
    "datasets",
    "distance",
    "distances",
    "effect_sizes",
    "errors",
    "experiment_schema",
    "explore",
    "export_trials",
    "five_by_two",
    "footrule",
    "friedman",
    "generator",
    "grid",
    "hierarchical",
    "iman_davenport",
    "import_trials",
    "intervals",
    "kendall_tau",
    "majority",
    "mean_rank",
    "measure",
    "measures",
    "merge",
    "mixed",
    "orders",
    "overlaps",
    "paired_test",
    "places",
    "plot",
    "preferences",
    "preview",
    "quade",
    "quartile_chart",
    "read",
    "read_benchopt",
    "read_cross_validate",
    "read_openml_evaluations",
    "resampling",
    "run",
    "skillings_mack",
    "stability",
    "status",
    "summarize",
    "weight_sensitivity",
    "worst_case",
]

# Where the names live that wait for their first use: SciPy, scikit-learn and matplotlib take longer to import
# than all the rest, and nobody needs all of them.
_HOMES = {
    "podium.analysis.comparison": "Comparison",
    "podium.analysis.consensus": (
        "Consensus borda compare_aggregations consensus copeland criteria distance distances footrule "
        "hierarchical kendall_tau majority mean_rank stability weight_sensitivity"
    ),
    "podium.analysis.describe": "QuartileChart intervals orders overlaps places quartile_chart summarize worst_case",
    "podium.analysis.inference": (
        "adjust_pvalues aligned_ranks cochran_q compare compare_bayes effect_sizes friedman iman_davenport "
        "paired_test quade skillings_mack"
    ),
    "podium.analysis.mixed": "CovarianceComparison MixedFit mixed",
    "podium.analysis.omnibus": "Omnibus",
    "podium.analysis.preference": "Relation preferences",
    "podium.execution.preview": "Preview preview",
    "podium.execution.runner": "run",
    "podium.execution.status": "Status status",
    "podium.plot.explore": "explore",
    "podium.setup.advice": "Advice",
    "podium.setup.algorithm": "Algorithm algorithm",
    "podium.setup.candidates": "candidates",
    "podium.setup.catalogue": "catalogue",
    "podium.setup.dataset": "Dataset Generator Sample",
    "podium.setup.describe": "Description",
    "podium.setup.experiment": "Experiment",
    "podium.setup.factors": "Factors Grid grid",
    "podium.setup.generators": "generator",
    "podium.setup.measure": "Measure",
    "podium.setup.measures": "measure measures",
    "podium.setup.resampling": (
        "Bootstrap CrossValidation FreshDraws HoldOut Reserve SklearnSplitter Split Subsampling five_by_two resampling"
    ),
    "podium.setup.sources": "dataset",
    "podium.setup.spec.schema": "experiment_schema",
    "podium.warehouse": (
        "Warehouse export_trials import_trials merge read_benchopt read_cross_validate read_openml_evaluations"
    ),
}
_LATE = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name in ("plot", "figures"):  # drawings, and the numbers behind them
        found: Any = import_module(f"podium.{name}")
    elif name in _LATE:
        found = getattr(import_module(_LATE[name]), name)
    else:
        from difflib import get_close_matches  # on the way to an error only: every import of podium would pay for it

        near = get_close_matches(name, __all__, 1)
        raise AttributeError(f"podium has no {name!r}{f'; did you mean {near[0]!r}?' if near else ''}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
