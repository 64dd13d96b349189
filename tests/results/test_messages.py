"""What `podium.results` refuses, and samples of its messages as whole texts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

import podium
from podium.errors import (
    AmbiguousInputError,
    CellValueError,
    ConflictError,
    DirectionError,
    DuplicateCellError,
    InputError,
    LabelError,
    MissingCellsError,
    MissingExtraError,
    PodiumError,
)

LONG = pd.DataFrame(
    {
        "dataset": ["iris", "iris", "wine", "wine"],
        "algorithm": ["svm", "knn", "svm", "knn"],
        "replication": [1, 1, 1, 1],
        "measure": ["accuracy"] * 4,
        "value": [0.9, 0.8, 0.7, 0.6],
    }
)
TRIALS = LONG.drop(columns="measure").rename(columns={"value": "accuracy"})
WIDE = pd.DataFrame({"dataset": ["iris", "wine"], "svm": [0.9, 0.7], "knn": [0.8, 0.6]})
RESULTS = podium.read(LONG)
GAPS = podium.read(LONG.assign(value=[0.9, np.nan, 0.7, 0.6], reason=["", "failed", "", ""]))


def change(frame: pd.DataFrame, row: int, column: str, value: Any) -> pd.DataFrame:
    changed = frame.astype({column: object})
    changed.loc[row, column] = value
    return changed


def csv(text: str, **options: Any) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / "scores.csv").write_text(text, encoding="utf-8", newline="")
        return podium.read(folder / "scores.csv", **options)

    return read


def file(name: str, content: bytes) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        (folder / name).write_bytes(content)
        return podium.read(folder / name)

    return read


def reading(source: Any, **options: Any) -> Callable[[Path], Any]:
    return lambda folder: podium.read(source, **options)


def cube(**changes: Any) -> Callable[[Path], Any]:
    given: dict[str, Any] = {
        "values": np.zeros((1, 2, 2, 1)),
        "datasets": ("iris",),
        "replications": (1, 2),
        "algorithms": ("svm", "knn"),
        "measures": (podium.MeasureInfo("error", "lower"),),
    }
    return lambda folder: podium.Results(**{**given, **changes})


def document(**changes: Any) -> Callable[[Path], Any]:
    return lambda folder: podium.read({**json.loads(RESULTS.to_json()), **changes})


# What is wrong: a call, the error and its whole message
CASES: dict[str, tuple[Callable[[Path], Any], type[Exception], str]] = {
    "cells given twice, by line": (
        csv(LONG.to_csv(index=False) + LONG.to_csv(index=False, header=False)),
        DuplicateCellError,
        "4 cells are given more than once: data set 'iris', replication 1, algorithm 'knn', measure "
        "'accuracy' in lines 3, 7; data set 'iris', replication 1, algorithm 'svm', measure 'accuracy' in "
        "lines 2, 6; data set 'wine', replication 1, algorithm 'knn', measure 'accuracy' in lines 5, 9; and 1 "
        "more. Keep one row for each; if repeat and fold together number the replications, name both "
        "columns: columns={'repeat': ..., 'fold': ...}.",
    ),
    "a line of a file with line breaks in its cells": (
        csv('dataset,algorithm,accuracy\n"i\nris",svm,1\n\nwine,svm,bad\n'),
        CellValueError,
        "The column 'accuracy' must hold numbers; line 5 holds 'bad'. Give numbers, or leave the cells empty "
        "and give a reason.",
    ),
    "values that are not numbers": (
        reading(LONG.assign(value=["a", "0,5", "1_0", "95%"])),
        CellValueError,
        "The column 'value' must hold numbers; rows 0, 1, 2, 3 hold 'a', '0,5', '1_0', '95%'. Give numbers, "
        "or leave the cells empty and give a reason.",
    ),
    "an unknown reason": (
        reading(LONG.assign(value=np.nan, reason=["failed", "bored", "failed", "bored"])),
        InputError,
        "The column 'reason' gives the reason 'bored' in rows 1, 3; the reasons are 'absent', 'failed', "
        "'timeout', 'skipped', 'crashed' and 1 more.",
    ),
    "labels that differ in the encoding of an accent": (
        reading(LONG.assign(dataset=["Ulaş", "Ulaş", "Ulas\u0327", "Ulas\u0327"])),
        LabelError,
        "The data set 'Ulaş' is given twice: 'Ula\\u015f' in row 0 and 'Ulas\\u0327' in row 2. Rename or remove "
        "one of them.",
    ),
    "an unknown label among very many": (
        lambda folder: podium.read(
            np.ones((100, 1)), labels={"dataset": None, "algorithm": ["svm"]}, measure="error"
        ).select(dataset=101),
        LabelError,
        "`dataset` names 101, which these results do not contain. The data sets are '1', '2', '3', '4', '5', '6', '7', "
        "'8', '9', '10', '11', '12' and 88 more. Did you mean '11'?",
    ),
    "unknown directions": (
        reading(TRIALS.assign(seed=1, n=2)),
        DirectionError,
        "Whether lower or higher is better is unknown for 'seed', 'n'. Specify it: direction={'seed': 'lower'} "
        "or direction={'seed': 'higher'}. If not all columns of numbers are measures, name those that are: "
        "measure=[...].",
    ),
    "one direction for measures that differ": (
        reading(TRIALS.assign(fit_time=1.0), direction="higher"),
        DirectionError,
        "`direction='higher'` would apply to all 2 measures, including 'fit_time', where lower is better. "
        "Name the measures it is meant for: direction={'accuracy': 'higher'}.",
    ),
    "a file of unknown kind": (
        lambda folder: podium.read("scores.doc"),
        InputError,
        "'scores.doc' has no known extension; podium reads .csv, .tsv, .txt, .xlsx, .json, .jsonl, .ndjson, .parquet "
        "and .pq, the "
        "text files also with .gz, .bz2 or .xz after it.",
    ),
    "an algorithm named like replications": (
        reading(WIDE.rename(columns={"knn": "bootstrap"}), measure="accuracy"),
        AmbiguousInputError,
        "The column 'bootstrap' is named like the replication and holds numbers like 0.8. If these are "
        "labels, pass columns={'replication': 'bootstrap'}; if not, rename the column.",
    ),
    "labels that span too much": (
        reading(
            pd.DataFrame(
                {"dataset": range(2000), "algorithm": range(2000), "run": range(2000), "measure": "error", "value": 1.0}
            )
        ),
        InputError,
        "The table has 2,000 values, and its labels span 2,000 data sets × 2,000 replications × 2,000 "
        "algorithms × 1 measures. Replications belong to their data set: number them within each data set, so"
        " that data sets can share the labels.",
    ),
    "lists of unequal length": (
        reading({"iris": {"svm": [1, 2, 3], "knn": [1, 2]}}, levels=("dataset", "algorithm"), measure="accuracy"),
        InputError,
        "All algorithms must have the same number of replications on a data set: there are 3 at 'iris', "
        "'svm' and 2 at 'iris', 'knn'. Values of one replication are compared with each other, so give each "
        "list the same length (None where a value is missing), or give dicts {replication: value} instead of "
        "lists.",
    ),
    "many missing cells": (
        lambda folder: GAPS.complete(replications=[1, 2], algorithms=["tree"]).aggregate(),
        MissingCellsError,
        "9 of 12 cells are missing: knn on iris, replication 1, accuracy (failed); tree on iris, replication "
        "1, accuracy (absent); knn on iris, replication 2, accuracy (absent); and 6 more. Choose what to do "
        "about them with `missing`: 'drop-block', 'drop-algorithm', 'worst-value' or 'available'.",
    ),
    "many conflicts": (
        lambda folder: RESULTS.combine(podium.read(LONG.assign(value=1.0))),
        ConflictError,
        "4 cells have different values in the two results: knn on iris, replication 1, accuracy: 0.8 and 1; "
        "svm on iris, replication 1, accuracy: 0.9 and 1; knn on wine, replication 1, accuracy: 0.6 and 1; "
        "and 1 more. Choose with on_conflict='first' or 'second'; the error's `report` has them all.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_message_as_a_whole(case: str, tmp_path: Path) -> None:
    wrong, kind, text = CASES[case]
    with pytest.raises(PodiumError) as caught:
        wrong(tmp_path)
    assert str(caught.value) == text
    assert type(caught.value) is kind


class Silent:
    """An object that cannot be written out."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


def test_what_is_no_table_is_refused() -> None:
    for thing in (None, True, b"x", object, len, {1, 2}, pd.NA, "a\0.csv", 10**5000, "\ud800", Silent()):
        with pytest.raises(PodiumError):
            podium.read(thing)


# What else is refused, by the type of the error.
REFUSED: dict[type[PodiumError], list[Callable[[Path], Any]]] = {
    DuplicateCellError: [
        reading(pd.concat([LONG, LONG.iloc[[1]]])),
        reading(pd.concat([TRIALS, TRIALS]).drop(columns="replication")),
    ],
    CellValueError: [
        reading(LONG.assign(value=pd.Timestamp("2024-01-01"))),
        reading(LONG.assign(value=[1j, 2, 3, 4])),
        csv("dataset,svm,knn\niris,0.9,0.8\nwine,none yet,0.6\ncar,1,2\n", measure="accuracy"),
        reading(np.array([[1, np.inf]]), labels={"dataset": ["iris"], "algorithm": ["svm", "knn"]}, measure="error"),
        reading(LONG.assign(status=["ok", "failed", "ok", "ok"])),
        reading(WIDE.assign(knn=["0.8 (0.1)", "0.6 (0.2)"]), measure="accuracy"),
        reading(TRIALS.assign(fold=[1, 1, 1.5, -1])),
        reading(LONG.assign(value=[np.inf, 1, 2, -np.inf])),
        reading({"iris": {"svm": [1, "x"]}}, levels=("dataset", "algorithm"), measure="accuracy"),
        reading([[1, 2], [3]], labels={"dataset": None, "algorithm": None}),
        reading(np.array([["0.5", "x"]]), labels={"dataset": None, "algorithm": None}),
    ],
    LabelError: [
        reading(change(LONG, 1, "algorithm", None)),
        reading(change(LONG, 1, "dataset", None).astype({"dataset": "category"})),
        reading(change(LONG, 3, "algorithm", "knn ")),
        reading(LONG.assign(dataset=[1, 1, "1", "1"])),
        reading(LONG.assign(dataset="iris", replication=["1", "1", "1.0", "1.0"])),
        reading(WIDE.rename(columns={"knn": "svm "}), measure="accuracy"),
        reading(np.ones((1, 2)), labels={"dataset": ["iris"], "algorithm": ["svm", " svm"]}, measure="error"),
        cube(algorithms=("svm", "svm")),
        cube(structure={"seed": np.ones((1, 2))}),
        csv("dataset,svm,\niris,1,2\n", measure="accuracy"),
        csv("dataset,algorithm,accuracy\niris,svm,1\n,svm,2\n  ,svm,3\n"),
        reading(LONG.rename_axis("value")),
        lambda folder: RESULTS.select(dataset="iris").drop(dataset="iris"),
        lambda folder: RESULTS.select(datasets=[]),
        lambda folder: RESULTS.select(algorithms=["svm", "svm"]),
        lambda folder: RESULTS.select(algoritms="svm"),
        lambda folder: RESULTS.rename(algorithms={"svm": "knn"}),
        lambda folder: RESULTS.rename(datasets={"car": "x"}),
        lambda folder: RESULTS.rename(datasets={"iris": " "}),
        lambda folder: RESULTS.rename(measures={"accuracy": "fold"}).to_trials(),
        lambda folder: RESULTS.complete(algorithms=["svm", object()]),
        reading(LONG, direction={"acuracy": "higher"}),
        reading(LONG, measure="auc"),
        reading(TRIALS.assign(auc=1), measure="f1"),
        reading(LONG, columns={"algorithm": "clf"}),
        reading(TRIALS.assign(fold=[1, 1, np.nan, 1]).drop(columns="replication")),
        reading(LONG.assign(dataset=[["iris"]] * 4)),
    ],
    DirectionError: [
        reading(TRIALS.rename(columns={"accuracy": "accuracy (std)"})),
        reading(WIDE),
        reading(WIDE, direction="up"),
    ],
    AmbiguousInputError: [
        reading(TRIALS.rename(columns={"algorithm": "clf"})),
        reading(LONG.rename(columns={"dataset": "task"}).assign(problem="x")),
        reading(LONG.rename(columns={"value": "x"})),
        reading(LONG.drop(columns=["algorithm", "measure"])),
        reading(WIDE.drop(columns="dataset"), measure="accuracy"),
        reading(WIDE.assign(a="x", b=["y", "z"]).drop(columns="dataset"), measure="accuracy"),
        reading(pd.DataFrame({"x": [1, 2]}, index=["svm", "knn"]), measure="accuracy"),
        reading(pd.DataFrame({"accuracy": [1, 2], "fit time": [3, 4]}, index=["svm", "knn"])),
        reading(TRIALS.assign(host=["a", "b", "a", "b"])),
        reading(WIDE.set_index("dataset").rename_axis(None).T.unstack().to_frame().T),
        reading(WIDE.set_index(["dataset", "svm"]).rename_axis([None, None])),
        reading([[0.9, 0.8], [0.7, 0.6]]),
        reading({"fit_time": [1.0, 2.0], "test_score": [0.9, 0.8]}),
        reading({"iris": {"svm": 1}}),
        reading(np.ones((2, 3))),
        reading(xr.DataArray(np.ones((1, 1)), dims=("algorithm", "x"))),
    ],
    InputError: [
        reading(LONG, direction="lower", maximize=False),
        reading(LONG.assign(direction=["higher", "higher", "lower", "higher"])),
        reading(TRIALS, maximize={"accuracy": 0}),
        reading(WIDE, measure=["accuracy", "auc"]),
        reading("no/such.csv"),
        reading(42),
        reading(LONG.iloc[:0]),
        csv(""),
        csv("dataset,algorithm,accuracy\niris,svm,0.9\niris,knn,0.9,0.8\n"),
        csv("algorithm,replication,measure,value,units\na,1,time,1,s\na,2,time,1,ms\n"),
        reading({"iris": {"svm": {"accuracy": 1}}}, levels=("dataset", "algorithm")),
        csv('dataset,algorithm,accuracy\n"iris,svm,0.9\n'),
        file("scores.csv", "dataset,algorithm,accuracy\nUlaş,svm,1\n".encode("utf-16")),
        file("scores.json", b"{'a': 1}"),
        reading(LONG, columns={"algorithm": "dataset", "dataset": "dataset"}),
        reading(WIDE[["dataset"]], measure="accuracy"),
        reading(LONG, dataset="iris"),
        reading(LONG, rows="dataset"),
        reading(LONG.assign(run=[1, 2, 3, 4]).drop(columns="replication")),
        reading(LONG.assign(fold=[1, 2, 1, 1])),
        reading({"iris": {"svm": 1}, "wine": 2}, levels=("dataset", "algorithm")),
        reading({"svm": {1: [1, 2]}}, levels=("algorithm", "replication")),
        reading(np.ones((2, 3)), labels={"dataset": ["a"], "algorithm": ["a", "b", "c"]}),
        document(version=99),
        document(values=None),
        cube(values=np.zeros((1, 2))),
        cube(design=np.ones((2, 2), bool)),
        cube(measures=("error",)),
        cube(values=np.full((1, 2, 2, 1), np.nan), reasons=np.full((1, 2, 2, 1), 9, np.uint8)),
        cube(values=np.zeros((1, 2, 0, 1)), algorithms=()),
        lambda folder: RESULTS.select(dataset="iris", datasets="iris"),
        lambda folder: GAPS.aggregate(missing="worst_rank"),
        lambda folder: RESULTS.aggregate("quantile", quantile=50),
        lambda folder: RESULTS.aggregate(np.cumsum),
        lambda folder: RESULTS.ranks(ties="dense"),
        lambda folder: podium.read(TRIALS.assign(auc=1)).to_wide(),
        lambda folder: podium.read(
            pd.concat([GAPS.to_long(), GAPS.to_long().assign(measure="auc", value=np.nan, reason="timeout")])
        ).to_trials(),
        lambda folder: RESULTS.write("nowhere/scores.csv"),
    ],
    MissingCellsError: [
        lambda folder: GAPS.ranks(),
        lambda folder: GAPS.complete(algorithms=["tree"]).resolve_missing("drop-block"),
        lambda folder: GAPS.complete(replications=[1, 2]).resolve_missing("drop-algorithm"),
        lambda folder: GAPS.complete(datasets=["car"]).resolve_missing("worst-value"),
    ],
    ConflictError: [
        lambda folder: RESULTS.combine(podium.read(LONG, direction="lower", units="%")),
        lambda folder: podium.read(LONG.assign(fold=1)).combine(podium.read(LONG.assign(fold=2))),
    ],
}


@pytest.mark.parametrize(("kind", "wrong"), [(kind, wrong) for kind, calls in REFUSED.items() for wrong in calls])
def test_what_is_ambiguous_or_contradicts_itself_is_refused(
    kind: type[PodiumError], wrong: Callable[[Path], Any], tmp_path: Path
) -> None:
    with pytest.raises(PodiumError) as caught:
        wrong(tmp_path)
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    ("package", "use", "text"),
    [
        (
            "pyarrow",
            lambda folder: RESULTS.write(folder / "a.parquet"),
            "Reading and writing Parquet files needs pyarrow; run: pip install 'podium[parquet]'",
        ),
        ("xarray", lambda folder: RESULTS.to_xarray(), "`to_xarray` needs xarray; run: pip install 'podium[xarray]'"),
    ],
)
def test_a_package_that_is_not_installed(
    package: str, use: Callable[[Path], Any], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtraError) as caught:
        use(tmp_path)
    assert str(caught.value) == text


def test_conflicts_carry_a_report_of_all_cells() -> None:
    other = podium.read(LONG.assign(value=[0.9, 0.1, 0.7, 0.2]))
    with pytest.raises(ConflictError) as caught:
        RESULTS.combine(other)
    expected = pd.DataFrame(
        {
            "dataset": ["iris", "wine"],
            "replication": [1, 1],
            "algorithm": ["knn", "knn"],
            "measure": ["accuracy", "accuracy"],
            "first": [0.8, 0.6],
            "second": [0.1, 0.2],
        }
    )
    pd.testing.assert_frame_equal(caught.value.report, expected)
