"""Every parameter of every public function, constructor and method refuses values of the wrong kind, by podium's error.

Each has one call that works. Its parameters are replaced one by one by wrong values. A raw error is a failure, and so is
a value that is accepted, unless the table below says that it is meant to be.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import podium
from podium import archetypal, inference, setup, summaries
from podium.errors import PodiumError
from public_names import public_callables

VALUES: dict[str, Any] = {
    "None": None,
    "True": True,
    "-1": -1,
    "10**400": 10**400,
    "nan": float("nan"),
    "text": "nonsense",
    "NA": pd.NA,
    "frame": pd.DataFrame({"column": [1, "x"]}),
    "generator": None,  # made anew for every call
    "surrogate": "\ud800",
}


def scores(*shape: int) -> podium.Results:
    values = np.random.default_rng(1).normal(size=shape) + np.arange(shape[-1]) + 5
    labels = {"dataset": list("uvwxyzst")[: shape[0]], "replication": None, "algorithm": list("abc")[: shape[-1]]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


BINARY = podium.read(
    (np.random.default_rng(1).random((8, 3)) > 0.5).astype(float),
    labels={"dataset": list("abcdefgh"), "algorithm": list("abc")},
    measure="error",
    direction="lower",
)
RESULTS, ONE = scores(4, 3, 3), scores(1, 8, 3)
X = np.random.default_rng(1).normal(size=(8, 3))
COST = {"a": 1, "b": 2, "c": 3}
CHAINS = {"u": podium.Relation.from_chain("a < b < c"), "v": podium.Relation.from_chain("b < a < c")}
SIZES = pd.DataFrame({"size": [1.0, 2, 3, 4]}, index=list("uvwx"))


DUELS = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "outcome": [1, 0]})
TABLE = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": list("abab")})
DESIGN: dict[str, Any] = {
    "datasets": ["iris"],
    "algorithms": ["constant", "knn"],
    "resampling": podium.Bootstrap(3),
    "measures": ["misclassification"],
}


def draw(n: int, rng: np.random.Generator) -> setup.Sample:
    return setup.Sample(rng.normal(size=(n, 2)), rng.integers(0, 2, n))


@cache
def outcomes() -> dict[str, Any]:
    """A small value for each parameter that has no default, by its name; most are outcomes."""
    pairs = podium.PairedComparisons.from_results(RESULTS)
    bayes = inference.compare_bayes(scores(8, 4, 3), method="signed rank", draws=5)
    iris = podium.dataset("iris")
    return {
        "X": X,
        "a": CHAINS["u"],
        "algorithm": podium.algorithm("constant"),
        "algorithms": ["a", "b"],
        "archetypes": podium.ArchetypalAnalysis(3, restarts=1).fit(X),
        "b": CHAINS["v"],
        "bayes": bayes,
        "chain": "a < b",
        "comparison": podium.compare(scores(1, 8, 3), method="t"),
        "consensus": podium.consensus(CHAINS),
        "cost": COST,
        "costs": {"seconds": COST},
        "covariates": SIZES,
        "data": iris,
        "datasets": [iris],
        "design": DESIGN,
        "domain": podium.domain(RESULTS),
        "edges": [0.0, 0.5, 1.0],
        "effect": setup.resampling_effect([iris], podium.Bootstrap(2)),
        "estimates": {"a": 1.0, "b": 2.0},
        "experiment": podium.Experiment(**DESIGN),
        "fit": podium.mixed(RESULTS),
        "fits": podium.mixed(RESULTS),
        "frame": DUELS,
        "intervals": summaries.intervals(RESULTS, kind="t"),
        "kind": "friedman1",
        "learn": iris.take([0, 60, 1, 61]),
        "looks": 3,
        "matrix": CHAINS["u"].incidence,
        "measures": ["misclassification"],
        "model": podium.bradley_terry(pairs),
        "monitor": podium.monitor(ONE),
        "multi2test": podium.multi2test(RESULTS, cost=COST),
        "multitest": podium.multitest(ONE, cost=COST),
        "pair": ("a", "b"),
        "pairs": pairs,
        "path of k": podium.archetypes(X, k=[1, 2], restarts=1),
        "prototypes": archetypal.prototypes(X, k=2, restarts=1),
        "pvalues": [0.1, 0.01],
        "ranks": {"a": 1, "b": 2},
        "relation": CHAINS["u"],
        "relations": CHAINS,
        "resampling": podium.Bootstrap(2),
        "results": RESULTS,
        "scheme": "bootstrap",
        "seed": 0,
        "sequence": inference.confidence_sequence(ONE, pair=("a", "b"), kind="asymptotic", burn_in=2),
        "sequential": podium.sequential(ONE, stages=2),
        "source": RESULTS.to_long(),
        "stability": archetypal.prototype_stability(X, k=[2], restarts=1, resamples=2),
        "table": TABLE[["x"]],
        "test": iris.take([0, 60]),
        "thing": "knn",
        "tree": podium.bradley_terry_tree(pairs, SIZES, min_size=2),
        "value": 0.3,
        "values": [1.0, 2, 3, 4, 5, 6, 7],
        "voter": "u",
    }


OF_ONE_DATASET = (
    *("podium.multitest", "podium.monitor", "podium.sequential", "podium.inference.confidence_sequence"),
    *("podium.Relation.from_results", "podium.relations.criteria"),
)
TEXT, ANY_TEXT = {"text"}, {"text", "surrogate"}
# What the call that works needs besides the values above.
EXTRA: dict[str, dict[str, Any]] = {
    "podium.Algorithm": {"name": "x", "make": draw},
    "podium.Dataset": {"name": "x", "X": TABLE[["x"]], "y": TABLE["y"]},
    "podium.Experiment": DESIGN,
    "podium.Generator": {"name": "x", "draw_sample": draw},
    "podium.MeasureInfo": {"name": "x", "direction": "lower"},
    "podium.PairedComparisons.from_frame": {"frame": pd.DataFrame({"a:b": [1, -1]})},
    "podium.Relation": {"incidence": CHAINS["u"].incidence, "algorithms": ("a", "b", "c")},
    "podium.Relation.from_incidence": {"algorithms": ["a", "b", "c"]},
    "podium.Relation.from_strict": {"algorithms": ["a", "b", "c"]},
    "podium.Results": {
        name: getattr(RESULTS, name) for name in ("values", "datasets", "replications", "algorithms", "measures")
    },
    "podium.Warehouse": {"where": ":memory:"},
    "podium.archetypal.domain_archetypes": {"k": 2, "restarts": 1},
    "podium.archetypal.prototype_stability": {"k": [2], "restarts": 1, "resamples": 2},
    "podium.archetypes": {"k": [2], "restarts": 1},
    "podium.dataset": {"source": TABLE, "target": "y"},
    "podium.inference.cliffs_delta": {"a": [1, 2, 3], "b": [2, 3, 4]},
    "podium.inference.cochran_q": {"results": BINARY},
    "podium.inference.compare_bayes": {"method": "sign"},
    "podium.inference.confidence_sequence": {"kind": "asymptotic", "burn_in": 2},
    "podium.inference.paired_test": {"a": [1.0, 2, 3], "b": [2.0, 3, 5]},
    "podium.inference.superiority": {"wins": 1, "losses": 2, "n": 4},
    "podium.measure": {"thing": "accuracy"},
    "podium.relations.Criterion": {"measure": "error"},
    "podium.relations.stability": {"resamples": 2},
    "podium.results.read_cross_validate": {
        "outcomes": {"a": {"test_score": [1, 2, 3.0]}, "b": {"test_score": [1, 2, 4.0]}}
    },
    "podium.sequential": {"stages": 2},
    "podium.setup.fit_and_measure": {"measures": [podium.measure("misclassification")]},
    "podium.setup.Sample": {"X": TABLE[["x"]], "y": TABLE["y"]},
}
for module in ("figures", "plot"):
    EXTRA[f"podium.{module}.time"] = {"measure": "error"}
    EXTRA[f"podium.{module}.simplex"] = {"a": "a", "b": "b"}
# Outcomes that a parameter of this name takes in some functions only.
OTHER_OUTCOME = {
    "archetype_scree": ("archetypes", "path of k"),
    "credible_intervals": ("comparison", "bayes"),
    "two_passes": ("multitest", "multi2test"),
    "simplex": ("comparison", "bayes"),
}
METHODS: dict[str, dict[str, Any]] = {
    "Algorithm.renamed": {"name": "x"},
    "ArchetypalAnalysis.fit": {"X": X},
    "ArchetypalAnalysis.fit_transform": {"X": X},
    "ArchetypalAnalysis.inverse_transform": {"X": np.full((2, 3), 1 / 3)},
    "ArchetypalAnalysis.score": {"X": X},
    "ArchetypalAnalysis.transform": {"X": X},
    "Bootstrap.split": {"dataset": podium.dataset("iris"), "replication": 1, "seed": 0},
    "BradleyTerryTree.node_of": {"covariates": SIZES},
    "BradleyTerryTree.predict": {"covariates": SIZES},
    "Dataset.renamed": {"name": "x"},
    "Experiment.changes": {"earlier": podium.Experiment(**DESIGN)},
    "Experiment.difference": {"earlier": podium.Experiment(**DESIGN)},
    "Experiment.path_of": {"part": "datasets", "name": "iris"},
    "Experiment.reserved": {"dataset": "iris"},
    "Relation.restrict": {"algorithms": ["a", "b"]},
    "Relation.check": {"name": "reflexive"},
    "Relation.has": {"name": "reflexive"},
    "Relation.is_a": {"kind": "linear order"},
    "Relation.rename": {"names": {"a": "z"}},
    "Dataset.take": {"indices": [0, 1]},
    "Experiment.dataset": {"name": "iris"},
    "Experiment.sample": {"dataset": "iris", "replication": 1},
    "Experiment.samples": {"dataset": "iris", "replication": 1},
    "Experiment.structure": {"dataset": "iris", "replication": 1},
    "Experiment.seed_of": {"dataset": "iris", "replication": 1, "algorithm": "knn"},
    "MixedFit.blups": {"effect": "dataset"},
    "PairedComparisons.take": {"rows": [0, 1]},
    "Stopping.describe": {"replications": 10},
    "Stopping.looks": {"replications": 10},
    "Stopping.outline": {"replications": 10},
    "Stopping.resolved": {"replications": 10, "measures": ["error"]},
    "Distances.between": {"a": "u", "b": "v"},
    "Clustering.groups": {"count": 1},
    "Domain.algorithm_stability": {"resamples": 2},
    "Domain.subdomain_stability": {"resamples": 2},
}
# Calls that need a file, a server, a stored run or a section of a report; they have tests of their own.
ELSEWHERE = {
    *(
        "podium.run",
        "podium.preview",
        "podium.explore",
        "podium.explorer",
        "podium.grid",
        "podium.Experiment.from_file",
    ),
    *("podium.PairedComparisons.from_predictions", "podium.figures.panel", "podium.plot.draws", "podium.plot.save"),
    *("podium.inference.Covariate.of", "podium.inference.GlobalFunction", "podium.inference.Note"),
    *("podium.inference.PairOutcome.concatenate", "podium.inference.Structure", "podium.inference.Structure.of"),
    *("podium.relations.hierarchical", "podium.reporting.find_answer", "podium.reporting.register_section"),
    *("podium.reporting.unregister_section", "podium.results.read_benchopt", "podium.results.read_openml_evaluations"),
    *("podium.setup.Resampling", "podium.setup.design_modules", "podium.warehouse.Decision.read"),
    *(
        "podium.warehouse.TrialIdentity",
        "podium.tables.Cell",
        "Comparison.equivalence_frame",
    ),
    *("Experiment.to_file", "Results.write", "Results.to_xarray"),
}
# Values that a parameter accepts on purpose, by its name, or by that of the callable and its own.
ACCEPTED: dict[str, set[str]] = {
    # names and texts
    "caption": ANY_TEXT,
    "chain": ANY_TEXT,
    "description": ANY_TEXT,
    "form": ANY_TEXT,
    "label": ANY_TEXT,
    "licence": ANY_TEXT,
    "name": TEXT,
    "origin": ANY_TEXT,
    "title": TEXT,
    "units": TEXT,
    "podium.Dataset(source)": ANY_TEXT,
    "podium.Experiment(name)": ANY_TEXT,
    "podium.Experiment(folder)": TEXT,
    "podium.Experiment.from_dict(folder)": TEXT,
    "podium.Generator(kind)": ANY_TEXT,
    "podium.Generator(source)": ANY_TEXT,
    "podium.Results(warehouse)": ANY_TEXT,
    "podium.tables.Table.from_frame(title)": ANY_TEXT,
    "podium.Warehouse(where)": TEXT,
    "podium.archetypal.Family(name)": ANY_TEXT,
    "podium.read(sheet)": ANY_TEXT,  # of a workbook
    "podium.report(authors)": ANY_TEXT,
    "podium.report(command)": ANY_TEXT,
    "podium.report(path)": TEXT,
    "podium.report(title)": ANY_TEXT,
    "podium.results.read_cross_validate(dataset)": TEXT,
    "podium.setup.identify(name)": ANY_TEXT,
    # names that only an experiment, or results, can tell to be wrong
    "podium.Stopping(control)": ANY_TEXT,
    "podium.Stopping(measures)": ANY_TEXT,
    "podium.relations.Criterion(measure)": ANY_TEXT,
    "podium.relations.Criterion(method)": ANY_TEXT,
    "podium.relations.Criterion(name)": ANY_TEXT,
    "podium.relations.Criterion(statistic)": ANY_TEXT,
    # labels, which become text; tables; one or several numbers
    "Results.complete(algorithms)": {"True", "-1", "text", "frame", "generator"},
    "Results.complete(datasets)": {"True", "-1", "text", "frame", "generator"},
    "Results.complete(replications)": {"True", "-1", "text", "frame", "generator"},
    "podium.tables.Table.from_frame(frame)": {"frame"},
    "podium.figures.colours(algorithms)": {"frame"},
    "podium.figures.markers(algorithms)": {"frame"},
    "podium.plot.colours(algorithms)": {"frame"},
    "podium.report(characteristics)": {"frame"},
    "podium.table(results)": {"frame"},
    "k": {"generator"},
    "replication": {"generator"},
    "Results.drop(replications)": {"generator"},
    "Results.select(replications)": {"generator"},
    # flags without a default of their own
    "exhaust": {"True"},
    "maximize": {"True"},
    "omnibus": {"True"},
    "podium.sequential(intervals)": {"True"},
    "write": {"True"},
    "BradleyTerryTree.node_of(covariates)": {"frame"},  # a tree without a split
    "BradleyTerryTree.predict(covariates)": {"frame"},
    # the default of the method; any number
    "adjust": {"None"},
    "podium.archetypal.prototype_stability(restarts)": {"None"},
    "podium.inference.magnitude(value)": {"-1", "nan"},
    # not looked at: nothing is missing in these results
    "podium.Results(reasons)": set(VALUES),
    # an estimator of scikit-learn checks its settings in fit(), as `podium.archetypes` does, and ignores `y`
    "ArchetypalAnalysis.fit(y)": set(VALUES),
    "ArchetypalAnalysis.fit_transform(y)": set(VALUES),
    "ArchetypalAnalysis.score(y)": set(VALUES),
    "ArchetypalAnalysis.get_feature_names_out(input_features)": set(VALUES),
    **{
        f"podium.ArchetypalAnalysis({name})": set(VALUES)
        for name in inspect.signature(podium.ArchetypalAnalysis).parameters
    },
}


def calls() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Every public function and constructor, and every method of the outcomes, with arguments that it accepts."""
    for name, thing in public_callables():
        *_, owner, last = name.split(".")
        if inspect.isclass(thing) and name not in EXTRA and needed(thing):
            continue  # an outcome, which functions make
        if owner[:1].isupper() and not inspect.ismethod(thing):
            continue  # a method, called below on an object
        given = {one: outcomes()[one] for one in needed(thing) if one in outcomes()}
        if last in OTHER_OUTCOME and owner in ("figures", "plot"):
            given[OTHER_OUTCOME[last][0]] = outcomes()[OTHER_OUTCOME[last][1]]
        if name in OF_ONE_DATASET:
            given["results"] = ONE
        yield name, thing, given | EXTRA.get(name, {})
    seen = set()
    for thing in outcomes().values():
        kind = type(thing)
        if kind.__module__.startswith("podium") and kind not in seen:
            seen.add(kind)
            for name, member in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_") and str(member.__module__).startswith("podium"):
                    bound = getattr(thing, name)
                    usual = {"a": "a", "b": "b", "other": thing}
                    given = {one: usual[one] for one in needed(bound) if one in usual}
                    yield f"{kind.__name__}.{name}", bound, given | METHODS.get(f"{kind.__name__}.{name}", {})


def needed(thing: Callable[..., Any]) -> list[str]:
    parameters = inspect.signature(thing).parameters.values()
    return [p.name for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]


def parameters_of(name: str, thing: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters to replace. Of a plot those that it draws by; the others go to the function of `figures`."""
    found = [p for p in inspect.signature(thing).parameters.values() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if not name.startswith("podium.plot.") or name in ("podium.plot.box", "podium.plot.trellis"):
        return found
    numbers = getattr(podium.figures, name.rpartition(".")[2], podium.plot.box)
    known = {*inspect.signature(numbers).parameters, *inspect.signature(podium.plot.box).parameters}
    return [p for p in found if p.name not in known]


def is_accepted(name: str, parameter: inspect.Parameter, value: str) -> bool:
    known = ACCEPTED.get(parameter.name, set()) | ACCEPTED.get(f"{name}({parameter.name})", set())
    by_default = (value == "None" and parameter.default is None) or (
        value == "True" and isinstance(parameter.default, bool)
    )
    return by_default or value in known


def outcome_of(call: Callable[[], object]) -> str:
    try:
        found = call()
    except PodiumError:
        return ""
    except Exception as error:
        return repr(error)
    return f"accepted: {type(found).__name__}"


@pytest.fixture
def _one_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw on one figure; and a name may be that of a file to write."""
    monkeypatch.chdir(tmp_path)
    figure = plt.figure(figsize=(2, 2))
    monkeypatch.setattr(plt, "figure", lambda *_, **__: figure)
    yield
    plt.close("all")


@pytest.mark.usefixtures("_one_figure")
@pytest.mark.filterwarnings("ignore")
def test_every_parameter_refuses_wrong_values() -> None:
    wrong, broken, count = {}, {}, 0
    for name, thing, given in calls():
        if name in ELSEWHERE or not parameters_of(name, thing):
            continue
        problem = outcome_of(lambda thing=thing, given=given: thing(**given))
        if not problem.startswith("accepted"):
            broken[name] = problem
            continue
        for parameter in parameters_of(name, thing):
            for kind, value in VALUES.items():
                if is_accepted(name, parameter, kind):
                    continue
                count += 1
                tried = (one for one in [1]) if kind == "generator" else value
                found = outcome_of(lambda t=thing, g=given, p=parameter.name, v=tried: t(**{**g, p: v}))
                if found:
                    wrong[f"{name}({parameter.name}={kind})"] = found
    assert broken == {}
    assert wrong == {}
    assert count > 5_000
