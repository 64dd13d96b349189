"""`podium.read` recognises the usual forms, and says what it recognised."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr

import podium
from podium import MeasureInfo, Results

# Two data sets, two replications, three algorithms, one measure.
VALUES = np.arange(12.0).reshape(2, 2, 3) / 10
DATASETS, ALGORITHMS = ("iris", "wine"), ("knn", "svm", "tree")
TRUTH = Results(
    values=VALUES[..., None],
    datasets=DATASETS,
    replications=(1, 2),
    algorithms=ALGORITHMS,
    measures=(MeasureInfo("accuracy", "higher"),),
)
LONG = TRUTH.to_long()
TRIALS = LONG.rename(columns={"value": "accuracy"}).drop(columns="measure")
WIDE = TRUTH.to_wide().reset_index()
WIDE.columns.name = None
for frame in (LONG, TRIALS, WIDE):
    frame.attrs.clear()
NESTED = {d: {a: VALUES[m, :, k].tolist() for k, a in enumerate(ALGORITHMS)} for m, d in enumerate(DATASETS)}


class Polars:
    """Any table of another library that can become a DataFrame."""

    def __init__(self, frame: pd.DataFrame) -> None:
        self._frame = frame

    def to_pandas(self) -> pd.DataFrame:
        return self._frame


MEMORY: dict[str, tuple[Any, dict[str, Any]]] = {
    "long": (LONG, {}),
    "long, other names": (LONG.set_axis(["dataset_name", "classifier_name", "rep", "metric", "score"], axis=1), {}),
    "long, mapped names": (
        LONG.set_axis(["d", "a", "r", "m", "v"], axis=1),
        {"columns": {"dataset": "d", "algorithm": "a", "replication": "r", "measure": "m", "value": "v"}},
    ),
    "long, with more columns": (LONG.assign(seed=7, note="x"), {}),
    "long, with an index": (LONG.set_index(["dataset", "algorithm", "replication", "measure"]), {}),
    "long, as a series": (LONG.set_index(["dataset", "algorithm", "replication", "measure"])["value"], {}),
    "trials": (TRIALS, {}),
    "trials, as a series": (TRIALS.set_index(["dataset", "algorithm", "replication"])["accuracy"], {}),
    "trials, named measure": (TRIALS.rename(columns={"accuracy": "x"}), {"measure": "accuracy"}),
    "trials, one column chosen": (TRIALS.assign(seed=1, host="a"), {"measure": ["accuracy"]}),
    "trials, value column named": (
        TRIALS.assign(seed=1).rename(columns={"accuracy": "x"}),
        {"columns": {"value": "x"}, "measure": "accuracy"},
    ),
    "list of dicts": (TRIALS.to_dict("records"), {}),
    "another library's table": (Polars(TRIALS), {}),
    "arrow": (pa.Table.from_pandas(TRIALS), {}),
    "wide": (WIDE, {"measure": "accuracy"}),
    "wide, as podium writes it": (TRUTH.to_wide(), {}),
    "wide, named over its columns": (WIDE.set_index(["dataset", "replication"]).rename_axis(columns="accuracy"), {}),
    "wide, numbered within data sets": (
        WIDE.drop(columns="replication"),
        {"measure": "accuracy", "rows": "replication"},
    ),
    "nested lists": (NESTED, {"levels": ("dataset", "algorithm"), "measure": "accuracy"}),
    "nested, algorithm outside": (
        {a: {"accuracy": {d: VALUES[m, :, k] for m, d in enumerate(DATASETS)}} for k, a in enumerate(ALGORITHMS)},
        {"levels": ("algorithm", "measure", "dataset")},
    ),
    "nested, as podium writes it": (TRUTH.to_nested(), {"levels": ("dataset", "algorithm", "measure", "replication")}),
    "array": (
        VALUES,
        {"labels": {"dataset": DATASETS, "replication": None, "algorithm": ALGORITHMS}, "measure": "accuracy"},
    ),
    "array, all axes": (
        VALUES[None],
        {"labels": {"measure": ["accuracy"], "dataset": DATASETS, "replication": [1, 2], "algorithm": ALGORITHMS}},
    ),
    "array, as podium writes it": (TRUTH.to_array(), {}),
    "lists with labels": (
        VALUES.tolist(),
        {"labels": {"dataset": DATASETS, "replication": None, "algorithm": ALGORITHMS}, "measure": "accuracy"},
    ),
    "xarray": (
        xr.DataArray(
            VALUES,
            dims=("task", "rep", "model"),
            coords={"task": list(DATASETS), "model": list(ALGORITHMS)},
            name="accuracy",
        ),
        {},
    ),
    "xarray dataset": (
        xr.Dataset(
            {"accuracy": (("task", "rep", "model"), VALUES)},
            coords={"task": list(DATASETS), "model": list(ALGORITHMS)},
        ),
        {},
    ),
    "document": (json.loads(TRUTH.to_json()), {}),
    "results": (TRUTH, {}),
}


@pytest.mark.parametrize("form", MEMORY)
def test_forms_in_memory(form: str) -> None:
    source, options = MEMORY[form]
    assert podium.read(source, **options) == TRUTH


def test_the_origin_says_what_was_recognised() -> None:
    given = LONG.set_axis(["dataset_name", "classifier_name", "rep", "metric", "score"], axis=1).assign(note="x")
    assert podium.read(given).origin == (
        "long table, 12 rows; dataset in 'dataset_name'; algorithm in 'classifier_name'; replication in 'rep'; "
        "measure in 'metric'; value in 'score'; not used: 'note'"
    )


@pytest.mark.parametrize("form", ["long", "trials", "wide", "wide, numbered within data sets"])
def test_shuffled_rows_change_nothing(form: str) -> None:
    source, options = MEMORY[form]
    for seed in range(5):
        assert podium.read(source.sample(frac=1, random_state=seed), **options) == TRUTH


def long_csv(**changes: Any) -> str:
    return LONG.to_csv(index=False, **changes)


FILES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "long": ("a.csv", long_csv(), {}),
    "trials": ("a.csv", TRIALS.to_csv(index=False), {}),
    "wide": ("a.csv", WIDE.to_csv(index=False), {"measure": "accuracy"}),
    "wide with a named index": ("a.csv", WIDE.set_index(["dataset", "replication"]).to_csv(), {"measure": "accuracy"}),
    "with an index without a name": ("a.csv", LONG.to_csv(), {}),
    "semicolons": ("a.csv", long_csv(sep=";"), {}),
    "bars": ("a.csv", long_csv(sep="|"), {}),
    "tabs": ("a.tsv", long_csv(sep="\t"), {}),
    "byte order mark": ("a.csv", "\ufeff" + long_csv(), {}),
    "Windows line ends": ("a.csv", long_csv(lineterminator="\r\n"), {}),
    "blank lines": ("a.csv", long_csv().replace("\n", "\n\n"), {}),
    "blanks in the header": ("a.csv", long_csv().replace("dataset,", " dataset ,", 1), {}),
    "every cell in quotes": ("a.csv", long_csv(quoting=1), {}),
    "records": ("a.json", json.dumps(TRIALS.to_dict("records")), {}),
    "nested dict": ("a.json", json.dumps(NESTED), {"levels": ["dataset", "algorithm"], "measure": "accuracy"}),
    "nested dict with replications": (
        "a.json",
        json.dumps(TRUTH.to_nested()),
        {"levels": ["dataset", "algorithm", "measure", "replication"]},
    ),
}


@pytest.mark.parametrize("form", FILES)
def test_text_files(form: str, tmp_path: Path) -> None:
    name, text, options = FILES[form]
    (tmp_path / name).write_bytes(text.encode())
    found = podium.read(tmp_path / name, **options)
    assert found == TRUTH
    assert found.origin.startswith(f"{name}: ")
    assert podium.read(str(tmp_path / name), **options) == TRUTH
    (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    assert podium.read(tmp_path / f"{name}.gz", **options) == TRUTH


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (LONG, {}),
        (LONG.set_index(["dataset", "algorithm"]), {}),
        (LONG.astype("category").astype({"value": float}), {}),
        (LONG.convert_dtypes(dtype_backend="pyarrow"), {}),
        (TRIALS, {}),
        (WIDE, {"measure": "accuracy"}),
        (WIDE.set_index(["dataset", "replication"]), {"measure": "accuracy"}),
        (WIDE.query("replication == 1").drop(columns="replication").set_index("dataset").rename_axis(None), None),
    ],
    ids=["long", "with index", "categories", "arrow types", "trials", "wide", "wide, index", "wide, index, no name"],
)
def test_parquet_files_of_others(frame: pd.DataFrame, options: dict[str, Any] | None, tmp_path: Path) -> None:
    frame.to_parquet(tmp_path / "a.parquet")
    if options is None:
        assert podium.read(tmp_path / "a.parquet", measure="accuracy") == TRUTH.select(replication=1)
    else:
        assert podium.read(tmp_path / "a.parquet", **options) == TRUTH


@pytest.mark.parametrize(
    "ending", [".csv", ".tsv", ".csv.gz", ".csv.bz2", ".csv.xz", ".parquet", ".pq", ".json", ".json.gz"]
)
def test_every_extension_is_written_and_read(ending: str, tmp_path: Path) -> None:
    path = TRUTH.write(str(tmp_path / f"a.b{ending}"))
    assert path == tmp_path / f"a.b{ending}"
    assert podium.read(path) == TRUTH
    assert ending != ".tsv" or path.read_text().startswith("dataset\talgorithm\treplication\t")


def test_compressed_files_are_compressed(tmp_path: Path) -> None:
    for name in ("a.csv.gz", "a.json.gz"):
        assert gzip.decompress(TRUTH.write(tmp_path / name).read_bytes())


# One table, several readings


WIDE_ONE = pd.DataFrame({"svm": [0.9, 0.8, 0.7], "knn": [0.6, 0.5, 0.4]})


def test_rows_of_a_wide_table_are_data_sets_or_replications_as_given() -> None:
    datasets = podium.read(WIDE_ONE, rows="dataset", measure="accuracy")
    assert (datasets.datasets, datasets.replications) == (("1", "2", "3"), (1,))
    replications = podium.read(WIDE_ONE, rows="replication", measure="accuracy")
    assert (replications.datasets, replications.replications) == (("data",), (1, 2, 3))
    assert replications.algorithms == ("svm", "knn")


def test_an_index_of_text_names_the_data_sets() -> None:
    found = podium.read(WIDE_ONE.set_axis(["a", "c", "b"]), measure="accuracy")
    assert found.datasets == ("a", "b", "c")
    assert found.values[:, 0, 0, 0].tolist() == [0.9, 0.7, 0.8]
    assert found.origin == "wide table, 3 rows; rows are data sets, named by the index; algorithms in 2 columns"


def test_an_index_of_numbers_names_the_rows_once_rows_is_given() -> None:
    by_id = WIDE_ONE.set_axis([31, 12, 40])
    assert podium.read(by_id, rows="dataset", measure="accuracy").datasets == ("12", "31", "40")
    assert podium.read(by_id, rows="replication", measure="accuracy").replications == (12, 31, 40)
    assert podium.read(by_id.rename_axis("id"), rows="dataset", measure="accuracy").datasets == ("12", "31", "40")


def test_the_only_column_of_text_names_the_data_sets() -> None:
    found = podium.read(WIDE_ONE.assign(where=["x", "y", "z"]), measure="accuracy")
    assert found.datasets == ("x", "y", "z")
    assert "rows are data sets, named by the column 'where'" in found.origin


def test_columns_with_whole_numbers_for_names_are_algorithms() -> None:
    found = podium.read(pd.DataFrame(np.eye(2)), rows="dataset", direction="lower")
    assert found.algorithms == ("0", "1")


def test_one_data_set_takes_the_name_it_is_given() -> None:
    assert podium.read(TRIALS[TRIALS.dataset == "iris"].drop(columns="dataset"), dataset="iris").datasets == ("iris",)


@pytest.mark.parametrize("form", ["long", "nested", "array", "document", "results"])
def test_measures_are_chosen_where_the_form_names_them(form: str) -> None:
    both = TRUTH.combine(TRUTH.rename(measures={"accuracy": "odd"}))
    levels = ("dataset", "algorithm", "measure", "replication")
    sources: dict[str, tuple[Any, dict[str, Any]]] = {
        "long": (both.to_long().assign(), {}),
        "nested": (both.to_nested(), {"levels": levels}),
        "array": (both.to_array(), {}),
        "document": (json.loads(both.to_json()), {}),
        "results": (both, {}),
    }
    source, options = sources[form]
    if form == "long":
        source.attrs.clear()  # so that nothing gives the direction of "odd"
    assert podium.read(source, measure="accuracy", **options) == TRUTH


# Columns


@pytest.mark.parametrize("name", ["performance", "criterion"])
def test_a_measure_named_like_a_column_of_measures_is_one(name: str) -> None:
    frame = TRIALS.rename(columns={"accuracy": name})
    assert podium.read(frame, direction="higher").rename(measures={name: "accuracy"}) == TRUTH


def test_the_exact_name_of_a_role_wins_over_a_similar_one() -> None:
    assert podium.read(LONG.assign(task="classification")) == TRUTH


def test_repeat_and_fold_make_the_replication() -> None:
    frame = TRIALS.assign(repeat=1, fold=TRIALS.replication).drop(columns="replication")
    found = podium.read(frame)
    assert found.replications == ("1/1", "1/2")
    assert found.structure["fold"].tolist() == [[1, 2], [1, 2]]
    only_fold = podium.read(frame.drop(columns="repeat"))
    assert only_fold.replications == (1, 2)
    assert only_fold.rename(replications={}).replace(structure={}) == TRUTH


def test_parts_of_a_cross_validation_fit_together() -> None:
    frame = TRIALS.assign(repeat=TRIALS.replication, fold=1).drop(columns="replication")
    parts = [podium.read(part) for _, part in frame.groupby("repeat")]
    assert parts[0].combine(parts[1]) == podium.read(frame)


def test_sizes_of_samples_are_kept() -> None:
    frame = LONG.assign(n_train=90, n_test=[10, 12] * 6)
    frame["n_test"] = frame.replication.map({1: 10, 2: 12})
    table = podium.read(frame).replication_frame()
    assert table.n_learn.tolist() == [90] * 4
    assert table.n_test.tolist() == [10, 12, 10, 12]
    assert table.fold.isna().all()


def test_an_ordered_categorical_keeps_its_order() -> None:
    order = pd.CategoricalDtype(["tree", "svm", "unused", "knn"], ordered=True)
    assert podium.read(LONG.astype({"algorithm": order})).algorithms == ("tree", "svm", "knn")
    unordered = pd.CategoricalDtype(["tree", "svm", "knn"])
    assert podium.read(LONG.astype({"algorithm": unordered})).algorithms == ALGORITHMS


def test_labels_come_in_natural_order() -> None:
    frame = pd.DataFrame({"dataset": ["ds10", "ds9", "Ds1"], "algorithm": "a", "accuracy": 1.0})
    assert podium.read(frame).datasets == ("Ds1", "ds9", "ds10")


def test_independent_replications_are_a_fact_of_the_data_that_files_keep(tmp_path: Path) -> None:
    """It holds for the replications that a data set has, in every form; overlapping ones lose their note."""
    lacking = LONG[(LONG["dataset"] != "wine") | (LONG["replication"] != 2)]
    for source, options in ((lacking, {}), (WIDE, {"measure": "accuracy"}), (TRUTH, {})):
        results = podium.read(source, **options, independent=True)
        assert (results.structure["independent"] == np.where(results.design, 1, -1)).all()
        for name in ("scores.csv", "scores.json", "scores.parquet"):
            results.write(tmp_path / name)
            np.testing.assert_array_equal(
                podium.read(tmp_path / name).structure["independent"], results.structure["independent"]
            )
    one = podium.read(LONG, independent=True).select(dataset="iris")
    assert not podium.compare(one, method="t").overlap
    assert podium.compare(podium.read(LONG).select(dataset="iris"), method="t").overlap
    with pytest.raises(podium.errors.InputError, match=r"^`independent` must be True or False; got 'yes'"):
        podium.read(LONG, independent="yes")
