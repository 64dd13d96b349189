"""The raw data of the R package benchmark: known facts about them are reproduced."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium import Results

Reference = Callable[[str], Path]


@pytest.fixture(scope="module")
def monks3(reference: Reference) -> Results:
    return podium.read(reference("data/eugster/monks3raw.csv"), measure="Misclassification")


@pytest.fixture(scope="module")
def uci(reference: Reference) -> Results:
    return podium.read(reference("data/eugster/uci621raw.csv.gz"), measure="Misclassification")


def test_both_measures_are_there(reference: Reference) -> None:
    results = podium.read(reference("data/eugster/monks3raw.csv"), direction={"Time": "lower"})
    assert results.shape == (1, 250, 6, 2)
    assert results.directions == {"Misclassification": "lower", "Time": "lower"}
    assert results.origin == "monks3raw.csv: long table, 3,000 rows"


def test_rank_sums_of_monks3(monks3: Results) -> None:
    """Reference folder, golden/eugster/monks3.json: the rank sums behind Friedman's test."""
    sums = monks3.ranks().values[0, :, :, 0].sum(axis=0)
    assert dict(zip(monks3.algorithms, sums.tolist(), strict=True)) == {
        "lda": 1260,
        "knn": 1233,
        "nnet": 1062.5,
        "rf": 748,
        "rpart": 482,
        "svm": 464.5,
    }


def test_summary_of_monks3(monks3: Results) -> None:
    """Table 2.1 of the dissertation, digits from golden/eugster/monks3.json (R 4.2)."""
    table = podium.summarize(monks3)
    assert table.loc["lda", ["mean", "sd", "median"]].tolist() == pytest.approx(
        [0.0352233953371219, 0.00941759108039156, 0.035], rel=1e-12
    )
    assert table.loc["svm", ["mean", "max", "min"]].tolist() == pytest.approx(
        [0.0109514808876429, 0.0339805825242718, 0], rel=1e-12
    )
    assert table.index[0] == "svm"


def test_missing_cells_of_the_uci_domain(uci: Results) -> None:
    """golden/eugster/README.md: 1213 missing cells, in five data sets and 169 replications, none of rf."""
    assert uci.shape == (21, 250, 6, 1)
    gaps = uci.missing_frame()
    assert len(gaps) == 1213
    assert sorted(set(gaps.dataset)) == ["BreastCancer", "Cards", "chess", "ringnorm", "titanic"]
    assert "rf" not in set(gaps.algorithm)
    assert "lda" not in set(gaps.algorithm[gaps.dataset == "titanic"])
    assert gaps.replication.nunique() == 169
    assert set(gaps.reason) == {"absent"}


def test_policies_on_the_uci_domain(uci: Results) -> None:
    """golden/eugster/README.md: 30,287 cells are available, 30,030 are left when incomplete blocks go."""
    assert int(uci.present.sum()) == 30287
    left = uci.resolve_missing("drop-block")
    assert left.cells == 30030
    assert left.datasets == uci.datasets
    assert len(left.reports[0].dropped_blocks) == (31500 - 30030) / 6 == 245
    assert uci.resolve_missing("drop-algorithm").algorithms == ("rf",)


def test_the_order_of_lines_does_not_matter(reference: Reference, uci: Results, tmp_path: Path) -> None:
    header, *lines = gzip.decompress(reference("data/eugster/uci621raw.csv.gz").read_bytes()).decode().splitlines()
    np.random.default_rng(0).shuffle(lines)
    (tmp_path / "a.csv").write_text("\n".join([header, *lines]))
    again = podium.read(tmp_path / "a.csv", measure="Misclassification")
    assert np.array_equal(again.values, uci.values, equal_nan=True)
    assert again == uci


@pytest.mark.parametrize("ending", [".csv.gz", ".parquet", ".json"])
def test_the_uci_domain_can_be_read_back_from_files(uci: Results, ending: str, tmp_path: Path) -> None:
    assert podium.read(uci.write(tmp_path / f"uci{ending}")) == uci


def test_means_are_those_of_pandas(reference: Reference, uci: Results) -> None:
    raw = pd.read_csv(reference("data/eugster/uci621raw.csv.gz"))
    raw = raw[raw.measure == "Misclassification"]
    expected = raw.groupby(["dataset", "algorithm"]).value.mean()
    alone = [uci.select(algorithm=name).aggregate("mean", missing="available").to_long() for name in uci.algorithms]
    found = pd.concat(alone).set_index(["dataset", "algorithm"]).value
    pd.testing.assert_series_equal(found.sort_index(), expected.sort_index(), rtol=1e-13)
