"""The examples of chapter 5 of the dissertation: design files, smaller here than they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLDEN = Path(__file__).parents[1] / "reference" / "golden" / "bttree"


def run(experiment: podium.Experiment) -> tuple[podium.Results, pd.DataFrame]:
    with podium.Warehouse(":memory:") as warehouse:
        results = podium.run(experiment, warehouse, executor="threads", workers=1, progress="quiet")
        return results, warehouse.characteristics()


@pytest.mark.usefixtures("in_this_process")
def test_the_toy_from_the_data_to_the_tree() -> None:
    """Linear discriminants fail where the first canonical correlation is low (section 5.3, figure 5.3b)."""
    toy = podium.Experiment.from_file(EXAMPLES / "toy.yaml")
    assert toy.shape == (2, 100, 3, 1) and len(toy.sample("ds1", 1).learn) == 267
    quick = podium.Algorithm.named("svm", folds=2, step=12)
    small = toy.replace(
        datasets=[podium.Dataset.generated(name, n=150) for name in ("ds1", "ds2")],
        resampling=podium.Subsampling(replications=10),
        algorithms=[quick, "qda", "lda"],
    )
    results, samples = run(small)
    pairs = podium.PairedComparisons.from_results(results)
    tree = podium.bradley_terry_tree(pairs, samples, unit="replication", min_size=10)
    assert tree.nodes[0].split is not None and tree.nodes[0].split.variable == "i2r.fcc"
    assert [leaf.n for leaf in tree.leaves] == [10, 10]
    left, right = ({pairs.dataset[i] for i in leaf.rows} for leaf in tree.leaves)
    assert (left, right) == ({"ds2"}, {"ds1"})
    assert tree.leaves[0].worth.idxmin() == "lda" and tree.leaves[0].worth["lda"] < 0.01
    with pytest.raises(podium.errors.InputError, match="needs 4 data sets; there are 2"):
        tree.validate()


def test_the_toy_of_the_reference_from_its_errors() -> None:
    """Errors of svm, qda and lda on 200 samples become the comparisons that R was given."""
    errors = pd.read_csv(GOLDEN / "ds_toy_performances.csv")
    table = pd.read_csv(GOLDEN / "ds_toy.csv")
    algorithms = ["svm", "qda", "lda"]
    wide = errors[algorithms].to_numpy().reshape(2, 100, 3)
    labels = {"dataset": ["ds1", "ds2"], "replication": None, "algorithm": algorithms}
    results = podium.read(wide, labels=labels, measure="misclassification")
    found = podium.PairedComparisons.from_results(results).frame()
    pairs = [name for name in table.columns if ":" in name]
    assert np.array_equal(found[pairs].to_numpy(), table[pairs].to_numpy())


@pytest.mark.usefixtures("in_this_process")
def test_the_study_of_thirteen_data_sets() -> None:
    study = podium.Experiment.from_file(EXAMPLES / "thirteen.yaml")
    assert study.shape == (13, 100, 6, 1)
    sizes = {"circle": 90, "spirals": 90, "twonorm": 90}
    datasets = [d if d.name not in sizes else podium.Dataset.generated(d.name, n=sizes[d.name]) for d in study.datasets]
    small = study.replace(datasets=datasets, resampling=podium.Subsampling(replications=2), algorithms=["lda", "nb"])
    results, samples = run(small)
    assert np.isfinite(results.values).all()
    assert samples.shape == (26, 16) and samples["i2r.fcc"].isna().any()
    pairs = podium.PairedComparisons.from_results(results)
    classical = podium.bradley_terry_tree(pairs, samples, unit="replication", missing="category", min_size=4)
    assert classical.nodes[0].n == 26 and classical.classical_warning
    tree = podium.bradley_terry_tree(pairs, samples, missing="category", permutations=199)
    assert tree.unit == "dataset" and tree.nodes[0].n == 13
    assert len(tree.validate(folds=3).units) == 13
    assert podium.plot.characteristics(samples) is not None
