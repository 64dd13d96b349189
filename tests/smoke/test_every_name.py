"""Every public name of podium and podium.plot is used once. `scripts/matrix` runs this with other versions of libraries.

It is copied out of the source tree for that, together with `drawings` and `made_results`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "plot"))
sys.path.insert(0, str(Path(__file__).parent))

from drawings import DRAWINGS, ulas

import podium
from podium.plot.save import figure_of

PART = {"datasets": ["iris", "wine", "glass", "zoo"], "algorithms": ["c45", "5nn", "svl"]}


def four() -> podium.Results:
    return ulas().select(**PART)


def seconds() -> podium.Results:
    return podium.examples.load_ulas2008("training time").select(**PART)


def experiment(**changes: object) -> podium.Experiment:
    design = {"datasets": "iris", "algorithms": ["lda", "5nn", "nb"], "resampling": podium.Bootstrap(2), "seed": 1}
    return podium.Experiment(**design | {"measures": ["misclassification", "auc", "fit time"]} | changes)


@cache
def pairs() -> podium.PairedComparisons:
    return podium.PairedComparisons.from_results(four())


def points() -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(0).random((20, 2)), columns=["length", "width"])


def classifier() -> object:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def run(folder: Path) -> podium.Results:
    results = podium.run(experiment(), warehouse=folder / "trials.db", workers=2, progress="quiet")
    assert results.present.all()
    return results


def stored(folder: Path) -> object:
    run(folder)
    with podium.Warehouse(folder / "trials.db") as warehouse:
        return warehouse.results(), warehouse.trials(), warehouse.status()


def recorded(folder: Path) -> object:
    with podium.Recorder(folder / "loops.db") as record:
        record(dataset="d", algorithm="a", replication=1, accuracy=0.9)
        record.failed(dataset="d", algorithm="b", replication=1, error="no memory")
        assert record.done(dataset="d", algorithm="a", replication=1)
    return podium.read(folder / "loops.db")


def xy() -> tuple[pd.DataFrame, pd.Series]:
    data = podium.Dataset.named("iris")
    return data.X, data.y


CALLS: dict[str, Callable[[Path], object]] = {
    "Algorithm": lambda folder: (podium.Algorithm("nb", classifier()), podium.Algorithm.named("nb")),
    "ArchetypalAnalysis": lambda folder: podium.ArchetypalAnalysis(3, n_init=2).fit(points()).transform(points()),
    "Bootstrap": lambda folder: podium.Bootstrap(replications=3),
    "Comparison": lambda folder: podium.compare(four()).frame(),
    "Consensus": lambda folder: podium.consensus(podium.relations.preferences(four(), per="dataset")).relation,
    "CrossValidation": lambda folder: experiment(resampling=podium.CrossValidation(folds=3)).sample("iris", 1),
    "Dataset": lambda folder: (podium.Dataset(points(), target="width"), podium.Dataset.generated("twonorm", d=3)),
    "Experiment": lambda folder: experiment().describe().methods,
    "FreshDraws": lambda folder: experiment(
        datasets=podium.Dataset.generated("twonorm", d=3), resampling=podium.FreshDraws(2, n_learn=20, n_test=20)
    ).samples("twonorm", 1),
    "Generator": lambda folder: podium.Dataset.generated("twonorm", d=3).draw(10, np.random.default_rng(0)),
    "HoldOut": lambda folder: experiment(resampling=podium.HoldOut()).sample("iris", 1),
    "Measure": lambda folder: podium.Measure.named("accuracy"),
    "MeasureInfo": lambda folder: podium.MeasureInfo("error", "lower"),
    "PairedComparisons": lambda folder: pairs().totals(),
    "Recorder": recorded,
    "Relation": lambda folder: podium.Relation.from_chain("a < b ~ c").frame(),
    "Results": lambda folder: (four().to_wide(), four().to_long(), four().ranks(), four()._repr_html_()),
    "Stopping": lambda folder: podium.Stopping(kind="group sequential", stages=5).looks(100),
    "Subsampling": lambda folder: experiment(resampling=podium.Subsampling(2)).sample("iris", 1),
    "Warehouse": stored,
    "archetypes": lambda folder: podium.archetypes(points(), k=[2, 3], n_init=2),
    "bradley_terry": lambda folder: podium.bradley_terry(pairs()),
    "bradley_terry_tree": lambda folder: podium.bradley_terry_tree(
        pairs(), pd.DataFrame({"size": np.arange(pairs().rows)}), min_size=10
    ),
    "candidates": lambda folder: podium.candidates(),
    "catalogue": lambda folder: podium.catalogue(),
    "characterize": lambda folder: podium.characterize("iris"),
    "combination_test": lambda folder: podium.combination_test([0.3, 0.01]),
    "compare": lambda folder: [podium.compare(four(), method=name).text() for name in ("nemenyi", "wilcoxon", "t")],
    "compare_estimators": lambda folder: podium.compare_estimators(
        {"nb": classifier(), "constant": "constant"}, *xy(), resampling="5x2 cv", workers=1, progress="quiet"
    ),
    "consensus": lambda folder: podium.consensus(podium.relations.preferences(four(), per="dataset")),
    "domain": lambda folder: podium.domain(four(), method="5x2cv F", workers=1).consensus,
    "explore": lambda folder: podium.explore(four(), folder),
    "explorer": lambda folder: podium.explorer(four()).save(folder / "explorer.html"),
    "friedman": lambda folder: podium.friedman(four()),
    "grid": lambda folder: experiment(algorithms=podium.grid("knn", k=[1, 3])),
    "measures": lambda folder: podium.measures(),
    "mixed": lambda folder: podium.mixed(four()).contrasts().text(),
    "monitor": lambda folder: podium.monitor(podium.examples.load_pima()),
    "multi2test": lambda folder: podium.multi2test(four(), cost=seconds()),
    "multitest": lambda folder: podium.multitest(four(), dataset="iris", cost=seconds()),
    "preview": lambda folder: podium.preview(experiment()),
    "read": lambda folder: podium.read(four().write(folder / "scores.parquet")),
    "report": lambda folder: podium.report(four(), folder / "report.html", progress="quiet"),
    "run": run,
    "sequential": lambda folder: podium.sequential(podium.examples.load_pima(), stages=3),
    "summarize": lambda folder: podium.summarize(four()),
    "table": lambda folder: (podium.table(four()).latex(), podium.table(four(), kind="algorithms").markdown()),
}


@pytest.mark.parametrize("name", podium.__all__)
def test_a_name_of_podium(name: str, tmp_path: Path) -> None:
    thing = getattr(podium, name)
    if inspect.ismodule(thing):
        assert all(getattr(thing, inner) is not None for inner in thing.__all__)
    else:
        assert CALLS[name](tmp_path) is not None


@pytest.mark.parametrize("name", podium.plot.__all__)
def test_a_name_of_plot(name: str, tmp_path: Path) -> None:
    if name == "colours":
        assert podium.plot.colours(four())
    elif name == "plot_of":
        assert callable(podium.plot.plot_of(podium.plot.figures.box))
    elif name == "save":
        assert [podium.plot.save(podium.plot.box(four()), tmp_path / f"box.{kind}") for kind in ("pdf", "svg")]
    else:
        drawing = next(draw for key, draw in DRAWINGS.items() if key.startswith(name.replace("_", "-")))
        podium.plot.save(figure_of(drawing()), tmp_path / "figure.png")
    plt.close("all")
