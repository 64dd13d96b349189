"""Unusual tables, and how each is read, as the page *Data shapes* says."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import DirectionError, InputError
from podium.results import text_files

LONG = pd.DataFrame(
    {
        "dataset": ["iris", "iris", "wine", "wine"],
        "algorithm": ["svm", "knn", "svm", "knn"],
        "replication": [1, 1, 1, 1],
        "measure": ["accuracy"] * 4,
        "value": [0.9, 0.8, 0.7, 0.6],
    }
)
TRUTH = podium.read(LONG)


def read_csv(tmp_path: Path, text: str, **options: Any) -> podium.Results:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    return podium.read(tmp_path / "a.csv", **options)


# Replications


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        ([1.0, 2.0, 10.0], (1, 2, 10)),
        (["1.0", "2.0", "10.0"], (1, 2, 10)),
        ([1, "2", 10.0], (1, 2, 10)),
        ([np.int8(1), np.float32(2), np.int64(10)], (1, 2, 10)),
        (["01", "02", "10"], ("01", "02", "10")),
        ([1, 2, "last"], ("1", "2", "last")),
        ([-1, 0, 1], (-1, 0, 1)),
        ([0.5, 1.0, 1.5], ("0.5", "1", "1.5")),
        ([True, False, 2], ("2", "False", "True")),
        ([10**30, 2, 3], ("2", "3", str(10**30))),
        (pd.date_range("2024-01-01", periods=3, tz="UTC"), tuple(f"2024-01-0{i} 00:00:00+00:00" for i in (1, 2, 3))),
        (pd.Categorical(["b", "a", "c"]), ("a", "b", "c")),
        (pd.array([1, 2, 3], "Int64"), (1, 2, 3)),
        (pd.array(["1", "2", "3"], "string[pyarrow]"), (1, 2, 3)),
    ],
    ids=str,
)
def test_replications_are_numbers_if_all_of_them_are(given: Any, labels: tuple[object, ...]) -> None:
    frame = pd.DataFrame({"algorithm": "svm", "replication": given, "accuracy": [0.1, 0.2, 0.3]})
    assert podium.read(frame).replications == labels
    array = podium.read([[1.0]] * 3, labels={"replication": list(given), "algorithm": ["svm"]}, measure="accuracy")
    assert sorted(map(str, array.replications)) == sorted(map(str, labels))


def test_a_whole_number_and_its_text_name_the_same_replication() -> None:
    assert TRUTH.select(replication="1") == TRUTH.select(replication=1) == TRUTH


def test_replications_may_differ_between_data_sets() -> None:
    frame = pd.DataFrame(
        {"dataset": ["a", "a", "b"], "algorithm": "svm", "replication": [1, 2, 5], "accuracy": [0.1, 0.2, 0.3]}
    )
    results = podium.read(frame)
    assert results.replications == (1, 2, 5)
    assert results.design.tolist() == [[True, True, False], [False, False, True]]
    assert not results.missing.any()


# Labels


@pytest.mark.parametrize(
    ("given", "labels"),
    [
        (["NA", "nan"], ("NA", "nan")),
        (["007", "12"], ("007", "12")),
        ([7.0, 12.0], ("7", "12")),
        ([0.5, 1.0], ("0.5", "1")),
        ([True, False], ("False", "True")),
        ([" a", "b "], ("a", "b")),
        (["Ulaş", "Ulas"], ("Ulas", "Ulaş")),
        (["😀", "a\nb"], ("a\nb", "😀")),
        (pd.Categorical(["y", "x"], categories=["y", "x", "z"]), ("x", "y")),
    ],
    ids=str,
)
def test_names_of_data_sets(tmp_path: Path, given: Any, labels: tuple[str, ...]) -> None:
    frame = pd.DataFrame({"dataset": given, "algorithm": "svm", "accuracy": [0.1, 0.2]})
    assert podium.read(frame).datasets == labels
    frame.to_csv(tmp_path / "a.csv", index=False)
    if not any(isinstance(label, float) for label in given):
        assert podium.read(tmp_path / "a.csv").datasets == labels


def test_a_data_set_called_na_keeps_its_name_in_a_column_of_text(tmp_path: Path) -> None:
    found = read_csv(tmp_path, "where,svm,knn\nNA,0.9,NA\nwine,,0.6\n", measure="accuracy")
    assert found.datasets == ("NA", "wine")
    assert int(found.missing.sum()) == 2


# Values


@pytest.mark.parametrize(
    ("values", "floats"),
    [
        ([True, 0.5, 1, 0], [1, 0.5, 1, 0]),
        (["1", " 2 ", "3e-1", "-4."], [1, 2, 0.3, -4]),
        ([Decimal("0.1"), Fraction(1, 2), 1, 2.5], [0.1, 0.5, 1, 2.5]),
        ([np.float32(0.5), np.int8(1), np.bool_(True), 2], [0.5, 1, 1, 2]),
        (["0.5", "", "NA", "-"], [0.5, None, None, None]),
        ([0.5, None, np.nan, pd.NA], [0.5, None, None, None]),
        (pd.array([1, None, 3, 4], "Int64"), [1, None, 3, 4]),
        (pd.array([True, None, False, True], "boolean"), [1, None, 0, 1]),
        (pd.array([0.5, None, 3, 4], "float64[pyarrow]"), [0.5, None, 3, 4]),
        (pd.array(["0.5", None, "3", "4"], "string[pyarrow]"), [0.5, None, 3, 4]),
        (pd.Categorical(["0.5", "1", "0.5", None]), [0.5, 1, 0.5, None]),
        (pd.arrays.SparseArray([0.0, 1.0, 0.0, np.nan]), [0, 1, 0, None]),
        (np.array([5e-324, 1.7976931348623157e308, -0.0, 0.1]), [5e-324, 1.7976931348623157e308, 0, 0.1]),
    ],
    ids=str,
)
def test_values_of_every_type(values: Any, floats: list[float | None]) -> None:
    found = podium.read(LONG.drop(columns="value").assign(value=values)).to_long().value
    expected = pd.Series(floats, dtype=float)[[1, 0, 3, 2]]  # knn before svm
    assert found.tolist() == pytest.approx(expected.tolist(), rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize("word", ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "<NA>", "#N/A", "-"])
def test_words_for_missing_values_in_a_file(tmp_path: Path, word: str) -> None:
    results = read_csv(tmp_path, f"dataset,svm,knn\niris,{word},0.8\nwine,0.7,0.6\n", measure="accuracy")
    assert results.missing_frame()[["dataset", "algorithm", "reason"]].values.tolist() == [["iris", "svm", "absent"]]


def test_true_and_false_in_a_file_are_one_and_zero(tmp_path: Path) -> None:
    results = read_csv(tmp_path, "dataset,svm,knn\niris,True,False\nwine,False,True\n", measure="solved", maximize=True)
    assert results.values.ravel().tolist() == [1, 0, 0, 1]


def test_numbers_of_a_file_are_read_to_the_last_digit(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).random(500)
    lines = [f"{i},svm,{float(number)!r}" for i, number in enumerate(numbers)]
    results = read_csv(tmp_path, "\n".join(["replication,algorithm,accuracy", *lines]))
    assert results.values.ravel().tolist() == numbers.tolist()


def test_masked_arrays_have_missing_cells() -> None:
    masked = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    results = podium.read(masked, labels={"dataset": None, "algorithm": ["a", "b"]}, measure="error")
    assert results.missing_frame()[["dataset", "algorithm"]].values.tolist() == [["1", "b"]]


# Small and empty


def test_a_data_set_without_any_value_is_kept_and_reported() -> None:
    frame = LONG.assign(value=[0.9, 0.8, None, None])
    results = podium.read(frame)
    assert results.datasets == ("iris", "wine")
    assert int(results.missing.sum()) == 2
    assert results.resolve_missing("drop-block").datasets == ("iris",)
    assert podium.read(results.to_long()) == results


def test_nothing_but_missing_values() -> None:
    results = podium.read(LONG.assign(value=np.nan))
    assert results.present.sum() == 0
    assert np.isnan(results.aggregate(missing="available").values).all()
    assert podium.read(results.to_long()) == results


def test_an_algorithm_that_was_not_run_everywhere_has_absent_cells() -> None:
    results = podium.read(LONG.iloc[:3])
    assert results.missing_frame()[["dataset", "algorithm", "reason"]].values.tolist() == [["wine", "knn", "absent"]]


# Columns and indexes


def test_an_index_that_counts_rows_is_ignored() -> None:
    for index in (range(4), range(10, 14), [3, 1, 2, 0], [0, 0, 1, 1]):
        assert podium.read(LONG.set_axis(list(index))) == TRUTH


def test_an_index_without_a_name_can_be_given_a_role() -> None:
    frame = pd.DataFrame({"x": [0.9, 0.8]}, index=["svm", "knn"])
    results = podium.read(frame, columns={"algorithm": "(index)"}, measure="accuracy")
    assert results.algorithms == ("knn", "svm")


def test_a_file_written_with_an_index_without_a_name(tmp_path: Path) -> None:
    wide = TRUTH.to_wide().droplevel("replication").rename_axis(None)
    assert read_csv(tmp_path, wide.to_csv(), measure="accuracy") == TRUTH


def test_a_wide_frame_made_of_two_measures_does_not_take_the_first_for_its_own() -> None:
    both = podium.read(LONG.drop(columns="measure").rename(columns={"value": "accuracy"}).assign(auc=0.5))
    wide = both.to_wide("auc")
    wide.attrs = both.to_long().attrs
    wide.columns.name = None
    with pytest.raises(DirectionError, match=r"^The table does not say what its values measure"):
        podium.read(wide)


def test_hostile_files_end_in_one_plain_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(name: str, content: bytes, words: str) -> None:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=words):
            podium.read(tmp_path / name)

    refused("twice.json", b'[{"algorithm": "a", "accuracy": 1, "accuracy": 2}]', "the key 'accuracy' is given twice")
    refused("deep.json", b"[" * 100_000, "nested too deeply")
    refused("long.json", b'[{"algorithm": "a", "accuracy": ' + b"1" * 5000 + b"}]", "too many digits")
    refused("long.csv", b"algorithm,replication,accuracy\na," + b"1" * 5000 + b",0.5\n", "more than 1,000 characters")
    monkeypatch.setattr(text_files, "MAX_DECOMPRESSED_BYTES", 10_000)
    refused("bomb.csv.gz", gzip.compress(b"algorithm,accuracy\n" + b"a,0.5\n" * 9000), "when it is decompressed")
    refused("bomb.json.gz", gzip.compress(b"[" + b" " * 20_000 + b"]"), "when it is decompressed")
    itself: dict[str, Any] = {}
    itself["a"] = itself
    with pytest.raises(InputError, match="or contains itself"):
        podium.read(itself)


@pytest.fixture
def cell_limit() -> Iterator[int]:
    """How many characters a cell may have by default; other libraries raise it for the whole process."""
    limit = 131_072
    before = csv.field_size_limit(limit)
    yield limit
    csv.field_size_limit(before)


def test_a_header_that_is_longer_than_a_cell_may_be(tmp_path: Path, cell_limit: int) -> None:
    names = [f"algorithm_number_{i:05d}_{'x' * 750}" for i in range(180)]
    assert len(",".join(names)) > cell_limit
    (tmp_path / "wide.csv").write_text(f"dataset,{','.join(names)}\niris{',0.5' * 180}\nwine{',0.6' * 180}\n")
    assert podium.read(tmp_path / "wide.csv", measure="accuracy").shape == (2, 1, 180, 1)


@pytest.mark.parametrize("read", [podium.read, podium.Dataset.from_file])
def test_a_cell_that_is_too_long_is_named(read: Callable[[Path], object], tmp_path: Path, cell_limit: int) -> None:
    (tmp_path / "long.csv").write_text(f"dataset,b\niris,{'x' * (cell_limit + 1)}\nwine,0.6\nzoo,")
    with pytest.raises(InputError, match=r"^Line 2 of 'long.csv' cannot be read: field larger than field limit "):
        read(tmp_path / "long.csv")


@pytest.mark.parametrize("name", ["scores.xlsx", "scores.parquet", "scores.csv.gz", "scores.json", "scores.jsonl"])
def test_half_of_a_file_is_refused_by_its_name(name: str, tmp_path: Path) -> None:
    pytest.importorskip("openpyxl")
    path, results = tmp_path / name, podium.examples.load_demsar2006()
    if path.suffix == ".xlsx":
        results.to_wide().to_excel(path)
    else:
        results.write(path)
    raw = path.read_bytes()
    path.write_bytes(raw[: len(raw) // 2])
    with pytest.raises(InputError, match=name):
        podium.read(path, measure="accuracy")


def test_percent_signs_in_columns_that_are_named_by_numbers() -> None:
    frame = pd.DataFrame({1: ["90%", "80%"], 2: ["70%", "60%"]}, index=pd.Index(["x", "y"], name="dataset"))
    results = podium.read(frame, measure="accuracy")
    assert results.algorithms == ("1", "2")
    assert results.values[:, 0, :, 0].tolist() == [[90, 70], [80, 60]]
    assert frame.loc["x", 1] == "90%"
