"""`dataset`: frames, arrays, CSV and Parquet; what is recognised, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from podium.design.dataset import Dataset
from podium.design.sources.spec import dataset_from_spec
from podium.errors import AmbiguousInputError, InputError, MissingExtraError
from slow_laws import few_examples

FRAME = pd.DataFrame(
    {
        "dose": [1.5, 2.5, 3.5, 4.5, 5.5, np.nan],
        "ward": [1, 2, 1, 2, 1, 2],
        "sex": ["f", "m", "m", "f", None, "f"],
        "person": [10, 10, 11, 11, 12, 12],
        "cured": ["no", "no", "yes", "yes", "no", "yes"],
    }
)


# Frames


def test_a_frame_with_a_target() -> None:
    data = Dataset(FRAME, target="cured", name="trial")
    assert data.name == "trial"
    assert (data.numeric, data.nominal) == (("dose", "ward", "person"), ("sex",))
    assert data.classes == ("no", "yes")
    assert data.incomplete == 2
    assert data.origin == "table of 6 rows; classification, because the response 'cured' holds text"
    assert data.spec is None


def test_columns_may_be_nominal_left_out_or_groups() -> None:
    data = Dataset(FRAME, target="cured", nominal=["ward"], drop=["dose"], groups="person")
    assert (data.numeric, data.nominal) == ((), ("ward", "sex"))
    assert list(data.X["ward"].cat.categories) == ["1", "2"]
    assert list(data.groups) == [10, 10, 11, 11, 12, 12]


def test_levels_of_numbers_are_in_numeric_order_and_missing_ones_stay_missing() -> None:
    frame = pd.DataFrame({"score": [10, 2, np.nan, 1.5], "y": list("abab")})
    column = Dataset(frame, target="y", nominal=["score"]).X["score"]
    assert list(column.cat.categories) == ["1.5", "2", "10"]
    assert column.isna().to_list() == [False, False, True, False]


def test_without_a_response() -> None:
    data = Dataset(FRAME, task="unsupervised")
    assert (data.task, data.y, len(data.X.columns)) == ("unsupervised", None, 5)
    assert Dataset(FRAME, task="unsupervised", target="cured").y.to_list() == FRAME["cured"].to_list()


# Arrays


def test_a_pair_of_arrays() -> None:
    data = Dataset(np.arange(8.0).reshape(4, 2), np.array([0, 1, 1, 0]), name="pair")
    assert list(data.X.columns) == ["x1", "x2"]
    assert data.classes == (0, 1)
    assert data.origin == "arrays; classification, because the response 'y' holds two different numbers"


def test_arrays_are_joined_by_position_not_by_index() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0]}, index=[5, 6, 7])
    data = Dataset(X, pd.Series(["u", "v", "u"], index=[7, 6, 5], name="k"), target="k")
    assert list(data.y) == ["u", "v", "u"]
    assert data.y.name == "k"


# Tasks


@pytest.mark.parametrize(
    ("y", "task", "reason"),
    [
        (["a", "b", "a", "c"], "classification", "the response 'y' holds text"),
        ([True, False, True, True], "classification", "the response 'y' holds true and false"),
        (pd.Categorical([7, 9, 7, 8]), "classification", "the response 'y' holds categories"),
        ([3, 9, 9, 3], "classification", "the response 'y' holds two different numbers"),
        ([-1.0, 1.0, 1.0, -1.0], "classification", "the response 'y' holds two different numbers"),
        ([0, 1, 2, 1], "classification", "the response 'y' holds the integers 0 to 2"),
        ([3, 1, 2, 1], "classification", "the response 'y' holds the integers 1 to 3"),
        ([0.5, 1, 2, 3], "regression", "the response 'y' holds numbers with fractions"),
    ],
)
def test_the_task_is_recognised(y: Any, task: str, reason: str) -> None:
    data = Dataset(pd.DataFrame({"x": range(4), "y": y}), target="y")
    assert data.task == task
    assert data.origin == f"table of 4 rows; {task}, because {reason}"


@pytest.mark.parametrize("y", [[3, 4, 5, 6], [0, 2, 3, 0], range(11), [1.0, 2.0, 3.0, 1.0]])
def test_whole_numbers_that_may_be_either_are_refused(y: Any) -> None:
    frame = pd.DataFrame({"x": range(len(y)), "y": y})
    with pytest.raises(AmbiguousInputError, match="which may be classes or a measured quantity"):
        Dataset(frame, target="y")
    assert Dataset(frame, target="y", task="classification").task == "classification"
    assert Dataset(frame, target="y", task="regression").task == "regression"


# Refusals


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        (FRAME, {"target": "curd"}),
        (FRAME, {"target": "cured", "drop": ["zzz"]}),
        (FRAME, {"target": "cured", "drop": "sex"}),
        (FRAME, {"target": "cured", "drop": ["cured"]}),
        (FRAME, {"target": "cured", "drop": ["sex"], "nominal": ["sex"]}),
        (FRAME, {"target": "cured", "task": "guess"}),
        (FRAME.rename(columns={"sex": "ward"}), {"target": "cured"}),
        (([1, 2], [1, 2]), {}),
        (([[1], [2]], [1, 2, 3]), {}),
        ((FRAME, FRAME["cured"]), {"target": "cured"}),
        ((42,), {}),
    ],
)
def test_what_cannot_be_used_is_refused(source: Any, arguments: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Dataset(*(source if isinstance(source, tuple) else (source,)), **arguments)


@pytest.mark.parametrize("path", ["nowhere.csv", Path("nowhere.xls")])
def test_a_file_that_is_not_there_is_refused(path: str | Path) -> None:
    with pytest.raises(InputError):
        Dataset.from_file(path)


@pytest.mark.parametrize("name", ["openml:iris", "twonorm", "no such data"])
def test_what_is_not_the_name_of_a_data_set_is_refused(name: str) -> None:
    with pytest.raises(InputError):
        Dataset.named(name)


def test_a_sparse_matrix_is_refused() -> None:
    with pytest.raises(InputError, match=r"^`X` must be dense; got a sparse matrix\."):
        Dataset(csr_array(np.eye(3)), [0, 1, 0])


def test_identifiers_and_almost_numbers_are_not_made_nominal_silently() -> None:
    names = [f"person {i}" for i in range(12)]
    frame = pd.DataFrame({"name": names, "x": np.arange(12.0), "y": list("ab") * 6})
    spoilt = pd.DataFrame({"age": [*map(str, range(20, 31)), "unknown"], "y": list("ab") * 6})
    comma = pd.DataFrame({"height": ["1,5", "2,25", "1,75", "-3,0"], "y": list("abab")})
    for table in (frame, spoilt, comma):
        with pytest.raises(AmbiguousInputError):
            Dataset(table, target="y")
    assert Dataset(frame, target="y", drop=["name"]).nominal == ()
    assert Dataset(frame, target="y", nominal=["name"]).nominal == ("name",)


# CSV


CSV = """age,city,when,y
31,Oslo,None,1.5
?,"Rome, IT",late,2.5
40,NA,None,0.25
,Oslo,late,1
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_csv_file(tmp_path: Path) -> None:
    data = Dataset.from_file(write(tmp_path, "people.csv", CSV), target="y")
    assert data.name == "people"
    assert data.task == "regression"
    assert data.origin == "people.csv; regression, because the response 'y' holds numbers with fractions"
    np.testing.assert_array_equal(data.X["age"], [31, np.nan, 40, np.nan])
    assert list(data.X["city"].cat.categories) == ["Oslo", "Rome, IT"]
    assert data.X["city"].isna().to_list() == [False, False, True, False]
    assert list(data.X["when"].cat.categories) == ["None", "late"]  # None is a word
    assert Dataset.from_file(str(tmp_path / "people.csv"), target="y").fingerprint == data.fingerprint


def test_what_means_missing_can_be_specified(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "x,z,y\n1,?,a\n-9,NA,b\n2,?,a\n")
    data = Dataset.from_file(path, target="y", na_values=["-9"])
    assert data.X["x"].isna().to_list() == [False, True, False]
    assert list(data.X["z"].cat.categories) == ["?", "NA"]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators(tmp_path: Path, separator: str) -> None:
    text = "a,b,y\n1,u,k\n2.5,v,l\n".replace(",", separator)
    assert Dataset.from_file(write(tmp_path, "a.csv", text), target="y").numeric == ("a",)


def test_a_byte_order_mark_spaces_and_compression(tmp_path: Path) -> None:
    path = tmp_path / "people.data.gz"
    path.write_bytes(gzip.compress("\ufeffa , b, y\n1, u, k\n2, v, l\n".encode()))
    data = Dataset.from_file(path, target="y")
    assert (data.name, list(data.X.columns), data.classes) == ("people", ["a", "b"], ("k", "l"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a,b,a\n1,2,3\n",
        "a,y\n1,x\n1,2,3\n",
        "a,y\n1,x,0\n1,2,3\n",
        "y,a\nu,1\nv\n",
        "a,,y\n1,2,k\n",
        "a,y\n",
    ],
)
def test_broken_csv_files(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError):
        Dataset.from_file(write(tmp_path, "a.csv", text), target="y", task="classification")


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("a,y\nMünchen,k\nKöln,l\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"^'a\.csv' is not text in UTF-8\."):
        Dataset.from_file(tmp_path / "a.csv", target="y")


def test_an_index_without_a_name_is_not_an_attribute(tmp_path: Path) -> None:
    FRAME.to_csv(tmp_path / "a.csv")
    assert (
        Dataset.from_file(tmp_path / "a.csv", target="cured").fingerprint == Dataset(FRAME, target="cured").fingerprint
    )


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=5).map(lambda w: f"w{w}")


@few_examples()
@given(st.lists(st.tuples(st.floats(allow_nan=False, allow_infinity=False), words | st.none()), min_size=2, max_size=8))
def test_a_table_written_and_read_is_the_same(tmp_path_factory: pytest.TempPathFactory, rows: list[Any]) -> None:
    frame = pd.DataFrame(rows, columns=["x", "word"]).assign(y=["a", "b"] + ["a"] * (len(rows) - 2))
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    frame.to_csv(path, index=False)
    direct = Dataset(frame, target="y", nominal=["word"])
    read = Dataset.from_file(path, target="y", nominal=["word"])
    assert read.fingerprint == direct.fingerprint


# Parquet


def test_a_parquet_file(tmp_path: Path) -> None:
    frame = FRAME.assign(ward=pd.Categorical(FRAME["ward"].map(str), categories=["2", "1", "3"]))
    frame.to_parquet(tmp_path / "trial.parquet")
    data = Dataset.from_file(tmp_path / "trial.parquet", target="cured")
    assert data.name == "trial"
    assert list(data.X["ward"].cat.categories) == ["2", "1", "3"]
    assert data.fingerprint == Dataset(frame, target="cured").fingerprint


def test_parquet_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.to_parquet(tmp_path / "trial.parquet")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtraError) as error:
        Dataset.from_file(tmp_path / "trial.parquet", target="cured")
    assert str(error.value) == "Reading Parquet files needs pyarrow; run: pip install 'podium[parquet]'"


# Written down


def test_files_are_written_down_with_what_was_said(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", "people.csv", CSV)
    spec = {"file": "data/people.csv", "target": "y", "task": "regression", "nominal": ["age"], "drop": ["when"],
            "na_values": ["?", ""], "name": "folk"}  # fmt: skip
    data = dataset_from_spec(spec, tmp_path)
    assert data.spec == spec
    assert (data.name, data.nominal) == ("folk", ("age", "city"))
    plain = dataset_from_spec({"file": "data/people.csv", "target": "y"}, tmp_path)
    assert plain.spec == {"file": "data/people.csv", "target": "y"}


def test_names_are_written_down() -> None:
    assert dataset_from_spec("sonar").spec == {"dataset": "sonar"}
    spec = {"dataset": "wisconsin", "nominal": ["mitoses"], "name": "scores", "factors": {"kind": "nominal"}}
    data = dataset_from_spec(spec)
    assert data.spec == spec
    assert (data.factors, data.nominal) == ({"kind": "nominal"}, ("mitoses",))
    assert Dataset.named("BreastCancer").spec == {"dataset": "wisconsin"}


def test_a_name_of_a_generator_is_the_generator_and_a_population_is_a_data_set() -> None:
    assert repr(dataset_from_spec("twonorm")) == "Generator 'twonorm': classification, n=1200, d=20"
    assert len(dataset_from_spec("monks3")) == 554
    assert repr(dataset_from_spec({"generator": "monks3", "n": 10})) == (
        "Generator 'monks3': classification, n=10, noise=0.05"
    )


@pytest.mark.parametrize(
    "spec",
    [
        7,
        {},
        {"dataset": "iris", "file": "a.csv"},
        {"name": "iris"},
        {"file": "a.csv", "traget": "y"},
        {"dataset": "iris", "missing": []},
        {"dataset": "twonorm"},
        {"dataset": "iris", "name": 3},
        {"dataset": "iris", "drop": "x"},
        {"dataset": "iris", "factors": [1]},
        {"generator": "twonorm", "seed": "x"},
        {"generator": "twonorm", "dim": 3},
        {"openml": "iris"},
    ],
)
def test_wrong_specs_are_refused(spec: Any) -> None:
    with pytest.raises(InputError):
        dataset_from_spec(spec)
