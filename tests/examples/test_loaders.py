"""Bundled tables, against the documents they are from."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from podium.examples import load_cars, load_demsar2006, load_uci_chains, load_ulas2008

Reference = Callable[[str], Path]
ULAS_ALGORITHMS = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")


# Ulaş, Yıldız & Alpaydın 2008


def test_accuracies_have_the_shape_of_the_report() -> None:
    results = load_ulas2008()
    assert results.shape == (38, 10, 8, 1)
    assert results.algorithms == ULAS_ALGORITHMS
    assert not results.missing.any()
    assert str(results.measures[0]) == "accuracy (higher is better, %)"
    assert results.origin == "Ulaş, Yıldız & Alpaydın (2008), technical report FBE/CMPE-01/2008-04"
    assert np.array_equal(results.structure["repeat"], np.broadcast_to(np.repeat([1, 2, 3, 4, 5], 2), (38, 10)))
    assert np.array_equal(results.structure["fold"], np.broadcast_to([1, 2] * 5, (38, 10)))


def test_every_accuracy_is_that_of_the_report(reference: Reference) -> None:
    # Tables A.1 to A.8, one row per data set, algorithm, repeat and fold.
    printed = pd.read_csv(reference("data/ulas2008/accuracies.csv"))
    results = load_ulas2008()
    assert len(printed) == results.values.size
    printed["replication"] = printed["repeat"].astype(str) + "/" + printed["fold"].astype(str)
    wide = printed.pivot(index=["dataset", "replication"], columns="algorithm", values="accuracy")
    for m, dataset in enumerate(results.datasets):
        expected = wide.loc[dataset].loc[list(results.replications), list(results.algorithms)]
        assert np.array_equal(results.values[m, :, :, 0], expected), dataset


@pytest.mark.parametrize(
    ("measure", "file", "averages", "units"),
    [
        # The averages are the last rows of tables A.9 and A.10.
        ("training time", "training_time", [4.45, 38.97, 19.38, 5.74, 59.80, 67.74, 73.45, 0.75], "% of the slowest"),
        ("space", "space", [0.49, 0.78, 1.10, 1.48, 62.45, 72.38, 70.21, 80.75], "% of the largest"),
    ],
)
def test_every_cost_is_that_of_the_report(
    measure: str, file: str, averages: list[float], units: str, reference: Reference
) -> None:
    results = load_ulas2008(measure)
    assert results.shape == (38, 1, 8, 1)
    assert results.algorithms == ULAS_ALGORITHMS
    assert results.datasets == load_ulas2008().datasets
    assert (results.measures[0].name, results.measures[0].direction, results.measures[0].units) == (
        measure,
        "lower",
        units,
    )
    printed = pd.read_csv(reference(f"data/ulas2008/{file}.csv"), index_col="dataset")
    expected = printed.loc[list(results.datasets), list(results.algorithms)]
    assert np.array_equal(results.values[:, 0, :, 0], expected)
    assert results.values.mean(axis=(0, 1, 3)) == pytest.approx(averages, abs=0.011)


# Demšar 2006


def test_demsars_table() -> None:
    results = load_demsar2006()
    assert results.shape == (14, 1, 4, 1)
    assert results.algorithms == ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
    assert str(results.measures[0]) == "AUC (higher is better)"


def test_demsars_table_is_the_reference_table(reference: Reference) -> None:
    lines = reference("data/demsar2006/auc.csv").read_text(encoding="utf-8").splitlines()
    rows = {cells[0]: [float(cell) for cell in cells[1:]] for cells in (line.split(",") for line in lines[1:])}
    results = load_demsar2006()
    assert {name: results.values[m, 0, :, 0].tolist() for m, name in enumerate(results.datasets)} == rows


# Eugster 2011, table 4.1


def test_every_chain_is_that_of_the_table(reference: Reference) -> None:
    printed = pd.read_csv(reference("golden/eugster/table_4_1.csv"))
    assert len(printed) == 21
    assert list(load_uci_chains().values()) == printed["chain"].tolist()


def test_the_data_sets_of_the_chains_are_those_of_the_raw_data(reference: Reference) -> None:
    import podium

    raw = podium.read(reference("data/eugster/uci621raw.csv.gz"), measure="Misclassification")
    assert set(load_uci_chains()) == set(raw.datasets)
    for chain in load_uci_chains().values():
        assert set(re.split(" [<~] ", chain)) == set(raw.algorithms)


# cars


def test_cars_are_those_of_r() -> None:
    """Facts from R's documentation of `cars`: 50 rows, and the least squares line of its example."""
    cars = load_cars(modern=False)
    assert cars.shape == (50, 2)
    assert list(cars.columns) == ["speed", "dist"]
    assert cars["speed"].mean() == pytest.approx(15.4, abs=1e-12)
    assert cars["dist"].mean() == pytest.approx(42.98, abs=1e-12)
    slope, intercept = np.polyfit(cars["speed"], cars["dist"], 1)
    assert slope == pytest.approx(3.9324, abs=5e-5)
    assert intercept == pytest.approx(-17.5791, abs=5e-5)


def test_the_modern_car_comes_last() -> None:
    cars = load_cars()
    assert cars.iloc[:50].equals(load_cars(modern=False))
    assert cars.iloc[50].tolist() == [30, 8]  # Eugster 2011, chapter 3
    assert cars.dtypes.tolist() == load_cars(modern=False).dtypes.tolist()


def test_every_table_names_its_source() -> None:
    folder = resources.files("podium.examples") / "tables"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    tables = [entry.name for entry in folder.iterdir() if entry.name.endswith(".csv")]
    assert len(tables) == 7
    assert all(f"`{name}`" in readme for name in tables)
