"""Everything that podium computes for a few results, as plain values; `test_words.py` computes it in processes."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import importlib
import io
import pickle
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from test_places_of_errors import DESIGN, WRONG

import podium
from podium import archetypal, inference, relations
from podium.cli import main
from podium.errors import DesignError, InputError
from podium.reporting import Analyses
from podium.reporting.answer import find_answer

VARYING = ("seconds", "at", "identity")  # fields that differ from run to run, or with the source of podium


def facts(thing: Any, depth: int = 0) -> Any:
    """Everything that an outcome holds, as plain values."""
    if thing is None or isinstance(thing, str | bool | int | float | np.generic):
        return thing
    if depth > 12:
        return type(thing).__name__
    if isinstance(thing, np.ndarray):
        return facts(thing.tolist(), depth + 1)
    if isinstance(thing, pd.DataFrame | pd.Series):
        return facts(thing.reset_index().to_dict("list"), depth + 1)
    if isinstance(thing, Mapping):
        if any(isinstance(key, podium.Relation) for key in thing):  # which has a text, too
            return [facts(pair, depth + 1) for pair in thing.items()]
        return {str(key): facts(value, depth + 1) for key, value in thing.items()}
    if isinstance(thing, Sequence | set | frozenset):
        return [facts(value, depth + 1) for value in thing]
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing) if field.name not in VARYING]
        return {name: facts(getattr(thing, name), depth + 1) for name in names}
    return type(thing).__name__


def cube(m: int, b: int, k: int) -> podium.Results:
    rng = np.random.default_rng(4)
    error = 5 + rng.normal(size=(m, b, k)) + np.linspace(0, 1.5, k) + rng.normal(size=(m, 1, 1))
    seconds = rng.gamma(5, size=(m, b, k)) + np.linspace(2, 0, k)
    labels = {
        "dataset": [f"d{i}" for i in range(m)],
        "replication": None,
        "algorithm": list("abcdef")[:k],
        "measure": ["error", "seconds"],
    }
    return podium.read(np.stack([error, seconds], -1), labels=labels, direction="lower")


BOTH, ONE = cube(8, 10, 4), cube(1, 20, 4)
ERRORS, ERROR = BOTH.select(measure="error"), ONE.select(measure="error")
THREE = ERROR.select(algorithms=["a", "b", "d"])  # where every pair takes long
# Samples of known size on one data set, so that it has another test than the others.
SIZED = ERRORS.to_long().assign(n_learn=lambda long: np.where(long["dataset"] == "d0", 90, np.nan), n_test=10)
TWO_DESIGNS = podium.read(SIZED)
SIZES = pd.DataFrame({"size": np.arange(8.0) ** 2, "kind": list("uvuvuvuv")}, index=list(BOTH.datasets))


def pairs() -> podium.PairedComparisons:
    return podium.PairedComparisons.from_results(ERRORS)


def chains() -> list[podium.Relation]:
    return [podium.Relation.from_chain(chain) for chain in ("a < b < c ~ d", "b < a < d < c", "a ~ b < d < c")]


OUTCOMES: dict[str, Callable[[], list[Any]]] = {
    "corrected t": lambda: [podium.compare(ERROR, method="corrected t", ratio=0.1)],
    "correlated t": lambda: [inference.compare_bayes(ERROR, method="correlated t", ratio=0.1)],
    "multitest": lambda: with_figures(
        podium.multitest(ONE, "error", cost="seconds"), "multitest_graph", "multitest_walk"
    ),
    "multi2test": lambda: with_figures(podium.multi2test(BOTH, "error", cost="seconds"), "two_passes", "cost_tradeoff"),
    "orders by cost": lambda: [inference.orders_by_cost(ONE, "error", costs={"x": [1, 2, 3, 4], "y": [4, 3, 2, 1]})],
    "win table": lambda: [inference.win_table(ERRORS), inference.win_table(ERRORS, test="wilcoxon")],
    "rank report": lambda: [podium.inference.rank_report(ERRORS)],
    "domain": lambda: with_figures(
        podium.domain(ERRORS), "summary", "summary_graph", "place_counts", "hasse_trellis", "distances"
    ),
    "domain of two measures": lambda: with_figures(
        podium.domain(BOTH, criteria=[relations.Criterion("error"), relations.Criterion("seconds", statistic="mean")]),
        "summary",
    ),
    "domain without a model": lambda: [podium.domain(ERROR, method="t")],
    "domain of two designs": lambda: [podium.domain(TWO_DESIGNS), podium.domain(TWO_DESIGNS).test_frame()],
    "sub-domains": lambda: [
        podium.domain(ERRORS).subdomains(2),
        podium.domain(ERRORS).subdomain_stability(2, resamples=5),
    ],
    "monitor": lambda: with_figures(podium.monitor(ERROR, pair=("a", "d")), "monitor"),
    "combination test": lambda: [podium.combination_test([0.65, 0.004], alpha=0.05, reject=0.01, accept=0.9)],
    "sequential": lambda: with_figures(podium.sequential(THREE, stages=4), "stages"),
    "sequential, one pair": lambda: with_figures(podium.sequential(ERROR, pair=("a", "d"), stages=4), "stages"),
    "group sequential": lambda: [podium.sequential(THREE, stages=4, kind="group sequential")],
    "always valid": lambda: [podium.sequential(ERROR, kind="asymptotic", control="a")],
    "confidence sequence": lambda: with_figures(
        inference.confidence_sequence(ERROR, pair=("a", "d"), kind="asymptotic"), "confidence_sequence"
    ),
    "Bradley–Terry": lambda: with_figures(podium.bradley_terry(pairs()), "worths"),
    "contrasts of worths": lambda: [podium.bradley_terry(pairs()).compare()],
    "tree": lambda: with_figures(podium.bradley_terry_tree(pairs(), SIZES, min_size=10), "preference_tree"),
    "consensus": lambda: [podium.consensus(chains(), kind=kind) for kind in ("linear", "weak", "partial")],
    "votes": lambda: [relations.borda(chains()), relations.copeland(chains()), relations.majority(chains())],
    "stability": lambda: [relations.stability(ERRORS, resamples=20)],
    "sensitivity": lambda: [relations.weight_sensitivity(chains(), 0)],
    "archetypes": lambda: with_figures(
        podium.archetypes(ERRORS.values[..., 0].mean(1), k=range(1, 4)), "archetype_scree"
    ),
    "archetypes of a domain": lambda: [archetypal.domain_archetypes(ERRORS, k=2)],
    "prototypes": lambda: [archetypal.prototypes(ERRORS.values[..., 0].mean(1), k=2)],
}


def with_figures(outcome: Any, *names: str) -> list[Any]:
    """An outcome, its tables, and the numbers of its figures."""
    tables = [getattr(outcome, name)() for name in ("frame", "pairs") if callable(getattr(outcome, name, None))]
    return [outcome, *tables, *(getattr(podium.figures, name)(outcome).as_dict() for name in names)]


def blocks(m: int, b: int, k: int) -> podium.Results:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(m, b, k)) + np.linspace(0, 1.5, k) + rng.normal(size=(m, 1, 1))
    labels = {"dataset": [f"d{i}" for i in range(m)], "replication": None, "algorithm": list("abcdef")[:k]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


MANY, FEW = blocks(12, 4, 4), blocks(1, 12, 4)
GAPS = MANY.replace(values=np.where(np.random.default_rng(0).random(MANY.values.shape) < 0.05, np.nan, MANY.values))
BINARY = podium.read(
    np.random.default_rng(1).integers(0, 2, (9, 3)),
    labels={"replication": None, "algorithm": ["a", "b", "c"]},
    measure="error",
    direction="lower",
)

COMPARISONS: dict[str, Callable[[], podium.Comparison]] = {
    "default": lambda: podium.compare(FEW),
    "ranks": lambda: podium.compare(MANY, method="nemenyi", equivalence=0.5),
    "permutations": lambda: podium.compare(MANY, method="wnmt", distribution="permutation", permutations=200),
    "conover": lambda: podium.compare(MANY, method="conover", control="a", alternative="worse"),
    "control": lambda: podium.compare(MANY, method="nwwm", control="b", alternative="better"),
    "not gated": lambda: podium.compare(MANY, method="wnmt", omnibus=False),
    "signed rank": lambda: podium.compare(MANY, method="wilcoxon", adjust="shaffer"),
    "signed rank without intervals": lambda: podium.compare(MANY, method="wilcoxon", intervals=False),
    "sign": lambda: podium.compare(MANY, method="sign", equivalence=(-0.5, 0.5)),
    "t with gaps": lambda: podium.compare(GAPS, method="t", missing="available"),
    "corrected t": lambda: podium.compare(FEW, method="corrected t", ratio=0.1),
    "block": lambda: podium.compare(FEW, method="mixed"),
    "domain": lambda: podium.compare(GAPS, method="mixed", missing="available", equivalence=0.2, relative=True),
    "survey": lambda: podium.mixed(MANY, model="survey").contrasts(adjust="holm"),
    "survey on one": lambda: podium.mixed(MANY, model="survey").contrasts(dataset="d3"),
    "contrasts": lambda: podium.mixed(MANY).contrasts([[1, -0.5, -0.5, 0], [0, 0, 1, -1]], equivalence=(-1, 0.5)),
}
COMPARISON_FIGURES = ("critical_difference", "pvalues", "multi_comparison", "letters", "simultaneous_intervals")


def of_comparison(comparison: podium.Comparison) -> dict[str, Any]:
    """Everything that a comparison decides and shows, and the numbers of its figures."""
    figures = {
        name: lambda name=name: getattr(podium.figures, name)(comparison).as_dict() for name in COMPARISON_FIGURES
    }
    ways = {by: lambda by=by: str(comparison.relation(by)) for by in ("significance", "relevance")}
    return {
        "fields": comparison,
        "frame": comparison.frame(),
        "order": comparison.order,
        "groups": comparison.groups(),
        "matrix": comparison.matrix(),
        "notes": [(note.code, note.kind, note.facts, str(note)) for note in comparison.notes],
        "text": comparison.text(),
        "table": comparison.table(),
        **{name: attempted(make) for name, make in (figures | ways).items()},
    }


def attempted(make: Callable[[], Any]) -> Any:
    """What something makes, or the class of the error with which it refuses."""
    try:
        return make()
    except InputError as error:
        return [type(error).__name__, str(error)]


def of_mixed(model: Any) -> list[Any]:
    fit = podium.mixed(MANY, model=model)
    return [
        fit,
        fit.components,
        fit.estimates,
        fit.component_tests(),
        fit.blups("replication"),
        fit.omnibus(),
        fit.summary(),
    ]


def of_paired(method: Any) -> Any:
    a, b = FEW.values[0, :, 0, 0], FEW.values[0, :, 1, 0]
    options = {"corrected t": {"ratio": 0.1}, "k-fold t": {"fold": np.arange(12)}}.get(method, {})
    return inference.paired_test(a, b, method, **options)


TESTS: dict[str, Callable[[], Any]] = {
    **{name: lambda name=name: getattr(inference, name)(BINARY) for name in inference.GLOBAL_TESTS},
    **{
        f"friedman by {one}": lambda one=one: podium.friedman(FEW, distribution=one)
        for one in ("chi2", "F", "permutation")
    },
    **{
        f"paired {name}": lambda name=name: of_paired(name)
        for name in ("wilcoxon", "sign", "t", "permutation t", "corrected t", "k-fold t")
    },
    **{f"mixed {model}": lambda model=model: of_mixed(model) for model in ("domain", "survey")},
    "bayes, signed rank": lambda: inference.compare_bayes(
        MANY.select(algorithms=["a", "b"]), method="signed rank", equivalence=0.1
    ),
    "bayes, hierarchical": lambda: inference.compare_bayes(
        MANY.select(algorithms=["a", "b"]), method="hierarchical", equivalence=0.1, ratio=0.1, draws=50, warmup=50
    ),
    "summarize": lambda: podium.summarize(MANY, statistics=["best", "q95"]),
    "intervals": lambda: podium.summaries.intervals(FEW, kind="t"),
    "bootstrap": lambda: podium.summaries.intervals(FEW, kind="bootstrap", statistic="median", resamples=50),
    "orders": lambda: podium.summaries.orders(FEW, epsilon=0.1),
    "places": lambda: podium.summaries.places(MANY),
    "worst case": lambda: podium.summaries.worst_case(FEW, m=2, interval=True, resamples=50),
    "quartiles": lambda: podium.summaries.quartile_chart(MANY).frame(),
    "effect sizes": lambda: inference.effect_sizes(MANY),
    "tables": lambda: [podium.table(BOTH, "error"), podium.table(ONE, "seconds"), podium.tables.measures(ONE)],
}

REPORTS: dict[str, Callable[[], podium.Results]] = {
    "several data sets": lambda: BOTH,
    "one data set": lambda: ONE,
    "one replication": lambda: cube(1, 1, 4),
    "with gaps": lambda: BOTH.replace(
        values=np.where(np.random.default_rng(0).random(BOTH.values.shape) < 0.1, np.nan, BOTH.values)
    ),
}


def of_report(results: podium.Results) -> Any:
    """The answer by each measure, and all that a report says and shows."""
    answers = [find_answer(Analyses(results, measure)) for measure in results.measure_names]
    return [answers, podium.report(results).sections]


def of_run() -> Any:
    """A run that stops early: its trials and decisions."""
    experiment = podium.Experiment(
        datasets=["iris"],
        algorithms=["constant", "knn"],
        resampling=podium.Bootstrap(12),
        measures=["misclassification"],
        seed=1,
    )
    vars(importlib.import_module("podium.execution.tasks"))["supported"] = lambda: (
        False
    )  # trials run in this process, which is quick
    options: Any = {"executor": "threads", "workers": 1, "progress": "quiet"}
    with contextlib.redirect_stderr(io.StringIO()):
        results = podium.run(experiment, "run.db", stopping=podium.Stopping(stages=3), **options)
    with podium.Warehouse("run.db", readonly=True) as warehouse:
        return [results.values, warehouse.decisions(), warehouse.status(), experiment.describe(), experiment.to_dict()]


def marks(drawing: Any) -> Any:
    """The data behind every mark of a figure."""
    from podium.plot.save import figure_of

    found = []
    for ax in figure_of(drawing).axes:
        lines = [np.asarray(line.get_xydata(), float).round(6) for line in ax.lines]
        points = [np.asarray(collection.get_offsets(), float).round(6) for collection in ax.collections]
        found.append([len(ax.patches), lines, points])
    plt.close("all")
    return found


# What they draw takes long.
SLOW = {"archetype-residuals", "archetype-scree", "preference-tree", "prototype-profiles", "resampling-effect"}
SLOW |= {"stability-curve", "two-passes"}


def drawings() -> dict[str, Callable[[], Any]]:
    """One drawing by each function that is quick."""
    from drawings import DRAWINGS

    chosen = {name: draw for name, draw in DRAWINGS.items() if name not in SLOW}
    chosen = {name: draw for name, draw in chosen.items() if name.replace("-", "_") in podium.plot.__all__}
    return {name: lambda draw=draw: marks(draw()) for name, draw in chosen.items()}


COMMANDS = [
    "compare both.csv --measure error",
    "compare one.csv --measure error --json",
    "summary both.csv --measure error",
    "ranks both.csv --measure error",
    "domain both.csv --measure error",
    "multitest one.csv --measure error --cost seconds",
    "monitor one.csv --measure error",
    "sequential one.csv --measure error",
    "order both.csv --measure error",
    "wins both.csv --measure error",
    "table both.csv --measure error",
    "show both.csv",
    "mixed both.csv --measure error",
    "bayes both.csv --measure error",
    "consensus both.csv --measure error",
    "report both.csv --measure error --sections answer --out report",
    "status run.db",
    "warehouse check run.db",
    "describe design.yaml",
    "describe wrong.yaml",
    "compare nofile.csv",
    "compare both.csv --measure nope",
    "compare both.csv --measure error --alpha 5",
    "comapre both.csv",
]


def of_command(command: str) -> Any:
    """The exit status of a command, and what it prints."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = main(command.split())
        except SystemExit as end:
            status = end.code
    return [status, output.getvalue().splitlines(), errors.getvalue()]


def of_wrong_design(right: str, wrong: str) -> Any:
    file = Path("toy.yaml")
    file.write_text(DESIGN.replace(f"{right}\n", f"{wrong}\n", 1), encoding="utf-8")
    try:
        podium.Experiment.from_file(file)
    except DesignError as error:
        return [type(error).__name__, list(error.path), error.line, error.message]
    return "accepted"


# What is computed, by kind and name.
KINDS: dict[str, Callable[[], Mapping[str, Callable[[], Any]]]] = {
    "run": lambda: {"stopped early": of_run},
    "outcome": lambda: OUTCOMES,
    "comparison": lambda: {name: lambda make=make: of_comparison(make()) for name, make in COMPARISONS.items()},
    "test": lambda: TESTS,
    "report": lambda: {name: lambda make=make: of_report(make()) for name, make in REPORTS.items()},
    "drawing": drawings,
    "command": lambda: {command: functools.partial(of_command, command) for command in COMMANDS},
    "design": lambda: {wrong: functools.partial(of_wrong_design, right, wrong) for right, wrong in WRONG},
}


def write_facts(file: Path, *beginnings: str) -> None:
    """Compute everything, or that whose name begins so, in a folder of its own; write it into a file."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        BOTH.write("both.csv")
        ONE.write("one.csv")
        Path("design.yaml").write_text(DESIGN, encoding="utf-8")
        Path("wrong.yaml").write_text(DESIGN.replace("alpha: 0.05", "alpha: 5"), encoding="utf-8")
        for kind, makers in KINDS.items():
            if beginnings and not any(beginning.startswith(kind) for beginning in beginnings):
                continue
            for short, make in makers().items():
                name = f"{kind}: {short}"
                if beginnings and not name.startswith(beginnings):
                    continue
                try:
                    found[name] = facts(make())
                except Exception as error:  # which is a difference then
                    found[name] = f"{type(error).__name__}: {error}"
    file.write_bytes(pickle.dumps(found))
