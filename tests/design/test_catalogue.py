"""The catalogue: the figures it gives, the bundled files, and the command that shows them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from podium.cli import datasets as verb
from podium.design.catalogue import catalogue, entry_for, fixed_entries
from podium.design.generators import GENERATORS
from podium.design.sources import dataset, dataset_from_spec

CATALOGUE = catalogue()
NAMES = list(CATALOGUE.index)
DATA = Path(verb.__file__).parents[1] / "design" / "data"
BUNDLED = [entry for entry in fixed_entries() if entry.origin == "bundled"]


# What the catalogue says


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_are_those_of_the_data_and_a_name_written_down_is_read_again(name: str) -> None:
    row, data = CATALOGUE.loc[name], dataset(name)
    assert data.name == name
    assert data.task == row["task"]
    told = row[["n", "numeric", "nominal", "classes", "incomplete"]].to_list()
    assert told == [len(data), len(data.numeric), len(data.nominal), len(data.classes), data.incomplete]
    assert data.source
    assert dataset_from_spec(data.spec).fingerprint == data.fingerprint


@pytest.mark.parametrize("name", ["sonar", "cars"])
def test_whoever_changes_a_loaded_data_set_changes_only_that(name: str) -> None:
    first, spec = dataset(name), dict(dataset(name).spec)
    X, y = first.X.copy(), first.y.copy()
    values = first.y.cat.codes if name == "sonar" else first.y
    for array in (first.X.to_numpy(), values.to_numpy()):
        array.setflags(write=True)
        array[:] = 0  # past pandas, as scikit-learn does
    first.spec["name"] = first.factors["size"] = "changed"
    again = dataset(name)
    assert not first.X.equals(X)
    pd.testing.assert_frame_equal(again.X, X)
    pd.testing.assert_series_equal(again.y, y)
    assert again.spec == spec
    assert again.factors == {}
    assert dataset(name, name="other").spec == {**spec, "name": "other"}


def test_names_and_aliases_are_unique_whatever_their_case() -> None:
    names = [alias.casefold() for entry in fixed_entries() for alias in (entry.name, *entry.aliases)]
    assert len(set(names)) == len(names)
    assert sorted(NAMES) == NAMES
    assert set(GENERATORS) <= set(NAMES)


def test_aliases_of_the_dissertation() -> None:
    # Eugster (2011), table A.1.2, the problems that podium has under other names
    known = {
        "BreastCancer": "wisconsin",
        "HouseVotes84": "votes",
        "Heart1": "heart",
        "Sonar": "sonar",
        "Circle": "circle",
    }
    assert {alias: entry_for(alias).name for alias in known} == known


def test_catalogue_says_which_can_be_drawn_afresh() -> None:
    frame = catalogue()
    assert set(frame.index[frame["generator"]]) == set(GENERATORS)
    assert frame.loc["monks3", "origin"] == "enumerated"


# The bundled files


# Eugster (2011), table A.1.2: nominal and continuous attributes, complete and incomplete observations, class shares in
# per
# cent. Heart1 there is another version of the Cleveland data (296 complete, 54.46/45.54) and is not compared.
@pytest.mark.parametrize(
    ("name", "attributes", "observations", "shares"),
    [
        ("hepatitis", (13, 6), (80, 75), (20.65, 79.35)),
        ("sonar", (0, 60), (208, 0), (53.37, 46.63)),
        ("liver", (0, 6), (345, 0), (42.03, 57.97)),
        ("ionosphere", (1, 32), (351, 0), (35.90, 64.10)),
        ("votes", (16, 0), (232, 203), (61.38, 38.62)),
        ("monks3", (6, 0), (554, 0), (48.01, 51.99)),
        ("tictactoe", (9, 0), (958, 0), (34.66, 65.34)),
        ("titanic", (3, 0), (2201, 0), (67.70, 32.30)),
        ("wisconsin", (0, 9), (683, 16), (65.52, 34.48)),  # nine nominal attributes in the table, numeric scores here
    ],
)
def test_data_sets_of_the_dissertation(
    name: str, attributes: tuple[int, int], observations: tuple[int, int], shares: tuple[float, float]
) -> None:
    data = dataset(name)
    assert (len(data.nominal), len(data.numeric)) == attributes
    assert (len(data) - data.incomplete, data.incomplete) == observations
    counts = data.y.value_counts(sort=False, normalize=True)
    assert tuple((100 * counts).round(2)) == shares


# Class counts in the descriptions of the UCI Machine Learning Repository
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("glass", [70, 76, 13, 29, 9, 17]),
        ("heart", [164, 139]),
        ("zoo", [4, 20, 13, 8, 41, 10, 5]),
        ("balance", [288, 49, 288]),
    ],
)
def test_class_counts_of_the_repository(name: str, counts: list[int]) -> None:
    assert dataset(name).y.value_counts(sort=False).to_list() == counts


def test_servo_is_the_original() -> None:
    # Range in the repository's description: 0.13 to 7.10; first row E, E, 5, 4, 0.28125095.
    data = dataset("servo")
    assert (round(data.y.min(), 2), round(data.y.max(), 2)) == (0.13, 7.10)
    assert [*data.X.iloc[0], data.y[0]] == ["E", "E", 5, 4, 0.28125095]


def test_missing_values_of_heart() -> None:
    assert dataset("heart").attributes["missing"].loc[lambda count: count > 0].to_dict() == {
        "coloured-vessels": 4,
        "thallium": 2,
    }  # the repository's description of the Cleveland data


@pytest.mark.parametrize(
    ("name", "file", "columns"),
    [
        ("sonar", "Sonar", 60),
        ("ionosphere", "Ionosphere", 34),
        ("wisconsin", "BreastCancer", 9),
        ("votes", "HouseVotes84", 16),
    ],
)
def test_files_are_those_of_mlbench(reference: Callable[[str], Path], name: str, file: str, columns: int) -> None:
    theirs = pd.read_csv(reference(f"data/uci/{file}.csv"))
    classes = theirs.pop("Class")
    assert theirs.shape[1] == columns
    theirs = theirs.loc[:, theirs.nunique() > 1]  # a constant attribute is left out
    data = dataset(name)
    short = {"M": "mine", "R": "rock"}
    assert [short.get(label, label) for label in classes] == data.y.to_list()
    for (_, other), (_, ours) in zip(theirs.items(), data.X.items(), strict=True):
        if isinstance(ours.dtype, pd.CategoricalDtype):
            assert other.isna().to_list() == ours.isna().to_list()
            assert other.dropna().map(str).to_list() == ours.dropna().to_list()
        else:
            np.testing.assert_array_equal(ours, other)


def test_every_file_has_its_source_and_licence_in_the_readme() -> None:
    lines = (DATA / "README.md").read_text(encoding="utf-8").splitlines()
    rows = {line.split("|")[1].strip(): line for line in lines if line.startswith("| `")}
    assert {f"`{file.name}`" for file in DATA.glob("*.csv")} == set(rows)
    assert {f"`{entry.name}.csv`" for entry in BUNDLED} == set(rows)
    for entry in BUNDLED:
        row = rows[f"`{entry.name}.csv`"]
        assert f"| {entry.licence} |" in row
        doi = entry.source.rpartition("doi:")[2]
        assert doi in row
        assert entry.licence


def test_every_row_of_titanic_is_a_person() -> None:
    data = dataset("titanic")
    assert len(data) == 2201
    assert "count" not in data.X.columns
    women = data.y[(data.X["sex"] == "female").to_numpy()]
    assert women.value_counts().to_dict() == {"yes": 344, "no": 126}  # Dawson (1995)


# Other roles for named data


def test_a_named_data_set_may_be_read_otherwise() -> None:
    scores = dataset("wisconsin", nominal=["mitoses"], drop=["bare-nuclei"])
    assert (scores.nominal, scores.incomplete) == (("mitoses",), 0)
    drinks = dataset("liver", target="drinks", drop=["selector"])
    assert (drinks.task, drinks.y.name, len(drinks.X.columns)) == ("regression", "drinks", 5)
    groups = dataset("iris", task="unsupervised")
    assert (groups.task, groups.y.nunique(), groups.classes) == ("unsupervised", 3, ())
    assert dataset("servo", task="unsupervised").y is None
    assert list(dataset("servo", task="unsupervised").X.columns) == ["motor", "screw", "pgain", "vgain"]
    assert dataset("iris", name="flowers").spec == {"dataset": "iris", "name": "flowers"}


# `podium datasets`


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    parser = argparse.ArgumentParser()
    verb.add_parser(parser.add_subparsers(dest="verb"))
    args = parser.parse_args(["datasets", *arguments])
    assert args.run(args) == 0
    return capsys.readouterr().out.splitlines()


def test_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys)
    assert lines[0].split() == ["name", "task", "n", "num.", "nom.", "classes", "inc.", "source"]
    assert [line.split()[0] for line in lines[1 : 1 + len(NAMES)]] == NAMES
    heart = next(line for line in lines if line.startswith("heart "))
    assert heart.split() == ["heart", "classification", "303", "6", "7", "2", "6", "bundled"]
    monks = next(line for line in lines if line.startswith("monks3 "))
    assert monks.split() == ["monks3", "classification", "554", "–", "6", "2", "–", "enumerated*"]
    assert lines[-1] == f"{len(NAMES)} names. `podium datasets NAME` shows one."
    assert max(map(len, lines)) <= 80


def test_one_data_set(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, "monks3")
    assert lines[0] == "monks3: monks problem 3: training file with class noise and all 432 points"
    assert "  classes       0: 266 (48.01%), 1: 288 (51.99%)" in lines
    assert "generator: {generator: monks3, n: 554, noise: 0.05}" in lines
    assert lines[-1] == "  Bayes error  0.0500"
