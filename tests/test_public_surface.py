"""The names that users are promised work as the architecture page shows them."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from public_names import MODULES, public_callables


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = [
        {"dataset": d, "replication": b, "algorithm": a, "Misclassification": 0.1 * i + rng.normal(0, 0.02)}
        for d in ("iris", "monks3", "wine")
        for b in range(1, 13)
        for i, a in enumerate(("svm", "rf", "knn"))
    ]
    path = tmp_path / "scores.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


@pytest.fixture
def results(scores: Path) -> podium.Results:
    return podium.read(scores, direction={"Misclassification": "lower"})


@pytest.fixture
def error(results: podium.Results) -> podium.Results:
    return results.select(measure="Misclassification", dataset="monks3")


def test_from_numbers_to_an_order(error: podium.Results) -> None:
    assert podium.summarize(error).index[0] == "svm"
    omnibus = podium.friedman(error)
    assert omnibus.pvalue < 0.001
    assert omnibus.statistic > 0
    assert omnibus.df == (2,)
    assert "Friedman" in omnibus.method
    comparison = podium.compare(error, method="mixed", alpha=0.05, equivalence=(-0.01, 0.01))
    columns = ["a", "b", "estimate", "lower", "upper", "statistic", "pvalue", "adjusted", "decision"]
    assert list(comparison.frame().columns) == columns
    assert str(comparison.relation(by="significance")) == "svm < rf < knn"
    assert str(comparison.relation(by="relevance")) == "svm < rf < knn"


def test_relations_and_consensus() -> None:
    chains = ["a < b ~ c", "a < b < c", "b < a < c"]
    relations = [podium.Relation.from_chain(chain) for chain in chains]
    assert str(relations[0]) == "a < b ~ c"
    best = podium.consensus(relations, kind="linear", weights=[1, 1.5, 0.2], all_optima=True)
    assert [str(relation) for relation in best.relations] == ["a < b < c"]
    assert best.criterion > 0
    assert best.exhausted


def test_an_experiment_in_python_and_in_a_file(tmp_path: Path) -> None:
    experiment = podium.Experiment(
        datasets=["iris"],
        algorithms=["lda", "nb"],
        resampling=podium.Bootstrap(replications=2),
        measures=["misclassification"],
        seed=1,
    )
    experiment.to_file(tmp_path / "iris.yaml")
    again = podium.Experiment.from_file(tmp_path / "iris.yaml")
    results = podium.run(again, warehouse=tmp_path / "iris.db", executor="threads", workers=1)
    assert results.shape == (1, 2, 2, 1)
    assert podium.Warehouse(tmp_path / "iris.db").results().shape == (1, 2, 2, 1)


def test_figures_take_axes_and_return_them(error: podium.Results) -> None:
    from matplotlib.figure import Figure

    from podium.plot import box

    ax = Figure().subplots()
    assert box(error, ax=ax) is ax
    assert podium.plot.podium(error, ax=Figure().subplots()) is not None
    comparison = podium.compare(error, method="nemenyi")
    ax = Figure().subplots()
    assert podium.plot.critical_difference(comparison, ax=ax) is ax


def test_public_names_only() -> None:
    assert set(dir(podium)) == {*podium.__all__, "__version__"}


def test_a_class_has_a_name_of_its_own() -> None:
    homes: dict[str, set[type]] = {}
    for module in (podium, *(getattr(podium, name) for name in MODULES)):
        for name in module.__all__:
            if inspect.isclass(getattr(module, name)):
                homes.setdefault(name, set()).add(getattr(module, name))
    assert {name: kinds for name, kinds in homes.items() if len(kinds) > 1} == {}


@pytest.mark.parametrize(("name", "module"), [("borda", "relations"), ("load_pima", "examples"), ("box", "plot")])
def test_a_name_of_a_module_is_found(name: str, module: str) -> None:
    with pytest.raises(AttributeError, match=rf"^podium has no '{name}'; use podium\.{module}\.{name}$"):
        getattr(podium, name)


def test_an_unknown_name_gets_the_nearest() -> None:
    with pytest.raises(AttributeError, match=r"^podium has no 'sumarize'. Did you mean 'summarize'\?$"):
        podium.sumarize  # noqa: B018
    with pytest.raises(AttributeError, match=r"^podium has no 'xyzzy'\.$"):
        podium.xyzzy  # noqa: B018


def test_help_shows_plain_types() -> None:
    shown = {name: str(inspect.signature(thing)) for name, thing in public_callables()}
    assert not [line for line in shown.items() if "ForwardRef(" in line[1] or "Annotated[" in line[1]]
