"""Every message of `podium.results`, as a whole text."""

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
EMPTY: dict[str, dict[str, float]] = {"a": {}}


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
    # Cells
    "a cell given twice": (
        reading(pd.concat([LONG, LONG.iloc[[1]]])),
        DuplicateCellError,
        "1 cell is given more than once: data set 'iris', replication 1, algorithm 'knn', measure 'accuracy' "
        "in rows 1, 4. Keep one row for each; if repeat and fold together number the replications, name both "
        "columns: columns={'repeat': ..., 'fold': ...}.",
    ),
    "cells given twice, by line": (
        csv(LONG.to_csv(index=False) + LONG.to_csv(index=False, header=False)),
        DuplicateCellError,
        "4 cells are given more than once: data set 'iris', replication 1, algorithm 'knn', measure "
        "'accuracy' in lines 3, 7; data set 'iris', replication 1, algorithm 'svm', measure 'accuracy' in "
        "lines 2, 6; data set 'wine', replication 1, algorithm 'knn', measure 'accuracy' in lines 5, 9; and 1 "
        "more. Keep one row for each; if repeat and fold together number the replications, name both "
        "columns: columns={'repeat': ..., 'fold': ...}.",
    ),
    "cells given twice without replications": (
        reading(pd.concat([TRIALS, TRIALS]).drop(columns="replication")),
        DuplicateCellError,
        "4 cells are given more than once: data set 'iris', replication 1, algorithm 'knn' in rows 1, 5; "
        "data set 'iris', replication 1, algorithm 'svm' in rows 0, 4; data set 'wine', replication 1, "
        "algorithm 'knn' in rows 3, 7; and 1 more. The table has no replication column; if the rows are "
        "replications, add one that numbers them and name it with columns={'replication': ...}, otherwise "
        "keep one row for each.",
    ),
    "rows of a wide table given twice": (
        reading(pd.concat([WIDE, WIDE]), measure="accuracy"),
        DuplicateCellError,
        "2 row labels are given more than once: data set 'iris', replication 1 in rows 0, 2; data set 'wine', "
        "replication 1 in rows 1, 3. If the rows of a data set are its replications, pass rows='replication'; "
        "otherwise keep one row for each.",
    ),
    "a line of a file with line breaks in its cells": (
        csv('dataset,algorithm,accuracy\n"i\nris",svm,1\n\nwine,svm,bad\n'),
        CellValueError,
        "The column 'accuracy' must hold numbers; line 5 holds 'bad'. Give numbers, or leave the cells empty "
        "and give a reason.",
    ),
    "a value that is not a number": (
        reading(change(LONG, 2, "value", "0.7 (sd 0.1)")),
        CellValueError,
        "The column 'value' must hold numbers; row 2 holds '0.7 (sd 0.1)'. Give numbers, or leave the cells "
        "empty and give a reason.",
    ),
    "values that are not numbers": (
        reading(LONG.assign(value=["a", "0,5", "1_0", "95%"])),
        CellValueError,
        "The column 'value' must hold numbers; rows 0, 1, 2, 3 hold 'a', '0,5', '1_0', '95%'. Give numbers, "
        "or leave the cells empty and give a reason.",
    ),
    "values that are dates": (
        reading(LONG.assign(value=pd.Timestamp("2024-01-01"))),
        CellValueError,
        "The column 'value' must hold numbers; it holds dates.",
    ),
    "values that are complex": (
        reading(LONG.assign(value=[1j, 2, 3, 4])),
        CellValueError,
        "The column 'value' must hold numbers; it holds complex numbers.",
    ),
    "a column of a wide table with text": (
        csv("dataset,svm,knn\niris,0.9,0.8\nwine,none yet,0.6\ncar,1,2\n", measure="accuracy"),
        CellValueError,
        "The column 'svm' must hold numbers; line 3 holds 'none yet'. Give numbers, or leave the cells empty "
        "and give a reason.",
    ),
    "infinite values": (
        reading(LONG.assign(value=[np.inf, 1, 2, -np.inf])),
        CellValueError,
        "The column 'value' holds infinite values in rows 0, 3. Give finite numbers, or leave the cells empty"
        " and give a reason.",
    ),
    "an infinite value in a file": (
        csv("dataset,algorithm,accuracy\niris,svm,0.9\niris,knn,inf\n"),
        CellValueError,
        "The column 'accuracy' holds infinite values in line 3. Give finite numbers, or leave the cells empty"
        " and give a reason.",
    ),
    "an infinite value in an array": (
        reading(np.array([[1, np.inf]]), labels={"dataset": ["iris"], "algorithm": ["svm", "knn"]}, measure="error"),
        CellValueError,
        "1 value is infinite, first error of knn on iris, replication 1. Give finite numbers, or leave the "
        "cells missing with a reason.",
    ),
    "a reason beside a value": (
        reading(LONG.assign(status=["ok", "failed", "ok", "ok"])),
        CellValueError,
        "Row 1 holds both a value and a reason for a missing value, such as 'failed'. Leave one of them empty.",
    ),
    "reasons beside values of trials": (
        csv("dataset,algorithm,accuracy,status\niris,svm,0.9,timeout\niris,knn,0.8,skipped\n"),
        CellValueError,
        "Lines 2, 3 hold both a value and a reason for a missing value, such as 'timeout'. Leave one of them empty.",
    ),
    "an unknown reason": (
        reading(LONG.assign(value=np.nan, reason=["failed", "bored", "failed", "bored"])),
        InputError,
        "The column 'reason' gives the reason 'bored' in rows 1, 3; the reasons are 'absent', 'failed', "
        "'timeout', 'skipped', 'crashed' and 1 more.",
    ),
    # Labels
    "an empty label": (
        reading(change(LONG, 1, "algorithm", None)),
        LabelError,
        "The algorithm label is empty in row 1. Give every row its algorithm.",
    ),
    "blank labels": (
        csv("dataset,algorithm,accuracy\niris,svm,1\n,svm,2\n  ,svm,3\n"),
        LabelError,
        "The data set label is empty in lines 3, 4. Give every row its data set.",
    ),
    "empty labels of a category": (
        reading(change(LONG, 1, "dataset", None).astype({"dataset": "category"})),
        LabelError,
        "The data set label is empty in row 1. Give every row its data set.",
    ),
    "labels that differ by blanks": (
        reading(change(LONG, 3, "algorithm", "knn ")),
        LabelError,
        "The algorithm 'knn' is given twice: 'knn' in row 1 and 'knn ' in row 3. Rename or remove one of them.",
    ),
    "labels that differ by blanks inside": (
        reading(LONG.assign(algorithm=["my svm", "knn", "my  svm", "knn"])),
        LabelError,
        "The algorithm 'my svm' is given twice: 'my svm' in row 0 and 'my  svm' in row 2. Rename or remove "
        "one of them.",
    ),
    "labels that differ in the encoding of an accent": (
        reading(LONG.assign(dataset=["Ulaş", "Ulaş", "Ulas\u0327", "Ulas\u0327"])),
        LabelError,
        "The data set 'Ulaş' is given twice: 'Ula\\u015f' in row 0 and 'Ulas\\u0327' in row 2. Rename or remove "
        "one of them.",
    ),
    "a number and its text": (
        reading(LONG.assign(dataset=[1, 1, "1", "1"])),
        LabelError,
        "The data set '1' is given twice: 1 in row 0 and '1' in row 2. Rename or remove one of them.",
    ),
    "replications 1 and 1.0": (
        reading(LONG.assign(dataset="iris", replication=["1", "1", "1.0", "1.0"])),
        LabelError,
        "The replication 1 is given twice: '1' in row 0 and '1.0' in row 2. Rename or remove one of them.",
    ),
    "an algorithm given twice in a frame": (
        reading(pd.DataFrame([[1, 2, 3]], columns=["dataset", "svm", "svm"]), measure="accuracy"),
        LabelError,
        "The columns 2 and 3 of the table have the same name, 'svm'. Rename or remove one of them.",
    ),
    "an algorithm given twice but for a blank": (
        reading(WIDE.rename(columns={"knn": "svm "}), measure="accuracy"),
        LabelError,
        "The columns 2 and 3 of the table have the same name, 'svm' and 'svm '. Rename or remove one of them.",
    ),
    "an algorithm given twice in a file": (
        csv("dataset,svm,knn,svm\niris,1,2,3\n", measure="accuracy"),
        LabelError,
        "The columns 2 and 4 of the table have the same name, 'svm'. Rename or remove one of them.",
    ),
    "an algorithm given twice beside an array": (
        reading(np.ones((1, 2)), labels={"dataset": ["iris"], "algorithm": ["svm", " svm"]}, measure="error"),
        LabelError,
        "The algorithm 'svm' is given twice: 'svm' at position 0 and ' svm' at position 1. Rename or remove "
        "one of them.",
    ),
    "an algorithm given twice in results": (
        cube(algorithms=("svm", "svm")),
        LabelError,
        "The algorithm 'svm' is given twice: 'svm' at position 0 and 'svm' at position 1. Rename or remove "
        "one of them.",
    ),
    "a measure given twice in results": (
        cube(values=np.zeros((1, 2, 2, 2)), measures=[podium.MeasureInfo("error", "lower")] * 2),
        LabelError,
        "The measure 'error' is given twice: 'error' at position 0 and 'error' at position 1. Rename or "
        "remove one of them.",
    ),
    "a column without a name": (
        csv("dataset,svm,\niris,1,2\n", measure="accuracy"),
        LabelError,
        "Column 3 of 'scores.csv' has no name. Give it one, or remove it.",
    ),
    "an index named like a column": (
        reading(LONG.rename_axis("value")),
        LabelError,
        "The name 'value' is given twice, to the index and to a column. Rename or remove one of them.",
    ),
    "an unknown label": (
        lambda folder: RESULTS.select(datasets=["irs"]),
        LabelError,
        "`datasets` names 'irs', which these results do not contain. The data sets are 'iris', 'wine'. Did you mean 'iris'?",
    ),
    "unknown labels": (
        lambda folder: RESULTS.select(algorithms=["a", "b", "c", "d", "e", "f", "g"]),
        LabelError,
        "`algorithms` names 'a', 'b', 'c', 'd', 'e' and 2 more, which these results do not contain. The algorithms are 'knn', 'svm'.",
    ),
    "an unknown label among very many": (
        lambda folder: podium.read(
            np.ones((100, 1)), labels={"dataset": None, "algorithm": ["svm"]}, measure="error"
        ).select(dataset=101),
        LabelError,
        "`dataset` names 101, which these results do not contain. The data sets are '1', '2', '3', '4', '5', '6', '7', "
        "'8', '9', '10', '11', '12' and 88 more. Did you mean '11'?",
    ),
    "an unknown label of a single argument": (
        lambda folder: RESULTS.select(dataset="irs"),
        LabelError,
        "`dataset` names 'irs', which these results do not contain. The data sets are 'iris', 'wine'. Did you mean 'iris'?",
    ),
    "an unknown label where there is one": (
        lambda folder: RESULTS.select(dataset="iris").drop(dataset="wine"),
        LabelError,
        "`dataset` names 'wine', which these results do not contain. There is one data set, 'iris'.",
    ),
    "dropping the only label": (
        lambda folder: RESULTS.select(dataset="iris").drop(dataset="iris"),
        LabelError,
        "`dataset` names every data set; at least one must stay.",
    ),
    "no label": (
        lambda folder: RESULTS.select(datasets=[]),
        LabelError,
        "`datasets` is empty; name at least one of 'iris', 'wine'.",
    ),
    "a label selected twice": (
        lambda folder: RESULTS.select(algorithms=["svm", "svm"]),
        LabelError,
        "`algorithms` names 'svm' twice; name each once.",
    ),
    "singular and plural": (
        lambda folder: RESULTS.select(dataset="iris", datasets="iris"),
        InputError,
        "Give `dataset` or `datasets`, not both.",
    ),
    "replications the data set does not have": (
        lambda folder: RESULTS.combine(RESULTS.select(dataset="iris").rename(replications={1: 2})).select(
            dataset="wine", replication=2
        ),
        LabelError,
        "Nothing is left: the chosen data sets have none of the chosen replications.",
    ),
    "dropping everything": (
        lambda folder: RESULTS.drop(algorithms=["svm", "knn"]),
        LabelError,
        "`algorithms` names every algorithm; at least one must stay.",
    ),
    "two labels made one": (
        lambda folder: RESULTS.rename(algorithms={"svm": "knn"}),
        LabelError,
        "The algorithm 'knn' is given twice: 'knn' for 'knn' and 'knn' for 'svm'. Rename or remove one of them.",
    ),
    "renaming an unknown label": (
        lambda folder: RESULTS.rename(datasets={"car": "x"}),
        LabelError,
        "`datasets` names 'car', which these results do not contain. The data sets are 'iris', 'wine'.",
    ),
    "an empty new name": (
        lambda folder: RESULTS.rename(datasets={"iris": " "}),
        LabelError,
        "The data set label is empty for 'iris'. Give every data set a name.",
    ),
    # Measures
    "an unknown direction": (
        reading(TRIALS.rename(columns={"accuracy": "score"})),
        DirectionError,
        "Whether lower or greater is better is unknown for 'score'. Specify it: direction={'score': 'lower'} or "
        "direction={'score': 'greater'}.",
    ),
    "unknown directions": (
        reading(TRIALS.assign(seed=1, n=2)),
        DirectionError,
        "Whether lower or greater is better is unknown for 'seed', 'n'. Specify it: direction={'seed': 'lower'} "
        "or direction={'seed': 'greater'}. If not all columns of numbers are measures, name those that are: "
        "measure=[...].",
    ),
    "a seed among the measures": (
        reading(TRIALS.rename(columns={"replication": "seed"})),
        DirectionError,
        "Whether lower or greater is better is unknown for 'seed'. Specify it: direction={'seed': 'lower'} or "
        "direction={'seed': 'greater'}. If not all columns of numbers are measures, name those that are: "
        "measure=[...]. If 'seed' numbers the replications, pass columns={'replication': 'seed'}.",
    ),
    "a fold among the measures": (
        reading(TRIALS.rename(columns={"replication": "cv_fold"})),
        DirectionError,
        "Whether lower or greater is better is unknown for 'cv_fold'. Specify it: direction={'cv_fold': 'lower'} "
        "or direction={'cv_fold': 'greater'}. If not all columns of numbers are measures, name those that "
        "are: measure=[...]. If 'cv_fold' numbers the replications, pass columns={'fold': 'cv_fold'}.",
    ),
    "a wide table of an unknown measure": (
        reading(WIDE),
        DirectionError,
        "The table does not say what its values measure. Name the measure (measure='accuracy'), or say which "
        "values are better (direction='lower' or direction='greater').",
    ),
    "a word that is not a direction": (
        reading(WIDE, direction="up"),
        DirectionError,
        "`direction` must be 'lower' or 'greater' (which is better); got 'up'.",
    ),
    "direction and maximize": (
        reading(LONG, direction="lower", maximize=False),
        InputError,
        "Give `direction` or `maximize`, not both.",
    ),
    "a direction for a measure that is not there": (
        reading(LONG, direction={"acuracy": "greater"}),
        LabelError,
        "`direction` names the measure 'acuracy', which is not in the table; the measures there are "
        "'accuracy'. Did you mean 'accuracy'?",
    ),
    "one direction for measures that differ": (
        reading(TRIALS.assign(fit_time=1.0), direction="greater"),
        DirectionError,
        "`direction='greater'` would apply to all 2 measures, including 'fit_time', where lower is better. "
        "Name the measures it is meant for: direction={'accuracy': 'greater'}.",
    ),
    "one maximize for measures that differ": (
        reading(TRIALS.assign(fit_time=1.0, score=2), maximize=True),
        DirectionError,
        "`maximize=True` would apply to all 3 measures, including 'fit_time', where lower is better. Name the "
        "measures it is meant for: maximize={'accuracy': True}.",
    ),
    "an unknown scale": (
        reading(LONG, scale="cubic"),
        InputError,
        "`scale` must be 'linear', 'log' or None; got 'cubic'.",
    ),
    "two directions of one measure": (
        reading(LONG.assign(direction=["greater", "greater", "lower", "greater"])),
        InputError,
        "The measure 'accuracy' has two entries in the column 'direction', in row 0 and in row 2; all rows of a "
        "measure must have the same entry.",
    ),
    "two units of one measure": (
        csv("algorithm,replication,measure,value,units\na,1,time,1,s\na,2,time,1,ms\n"),
        InputError,
        "The measure 'time' has two entries in the column 'units', in line 2 and in line 3; all rows of a measure "
        "must have the same entry.",
    ),
    "a measure that is not there": (
        reading(LONG, measure="auc"),
        LabelError,
        "`measure` names the measure 'auc', which is not in the table; the measures there are 'accuracy'.",
    ),
    "another name for a column that says what it measures": (
        reading(TRIALS, measure="error"),
        LabelError,
        "`measure` names 'error', which is not a column of the table; the columns that could be measures are "
        "'accuracy'.",
    ),
    "a typo in the name of the only measure": (
        reading(TRIALS, measure=["acc"]),
        LabelError,
        "`measure` names 'acc', which is not a column of the table; the columns that could be measures are 'accuracy'. "
        "Did you mean 'accuracy'?",
    ),
    "a word for maximize": (
        reading(TRIALS, maximize="no"),
        InputError,
        "`maximize` must be True or False, or a mapping from measure to True or False; got 'no'.",
    ),
    "a word for maximize of a measure": (
        reading(TRIALS, maximize={"accuracy": 0}),
        InputError,
        "`maximize` must be True or False, or a mapping from measure to True or False; got 0 for 'accuracy'.",
    ),
    "the spread of a measure": (
        reading(TRIALS.rename(columns={"accuracy": "accuracy (std)"})),
        DirectionError,
        "Whether lower or greater is better is unknown for 'accuracy (std)'. Specify it: "
        "direction={'accuracy (std)': 'lower'} or direction={'accuracy (std)': 'greater'}.",
    ),
    "an algorithm column of unknown name": (
        reading(TRIALS.rename(columns={"algorithm": "clf"})),
        AmbiguousInputError,
        "The column 'clf' holds text, and no column is known to name the algorithms; in a wide table each algorithm "
        "is a column of numbers. If it names the algorithms, pass columns={'algorithm': 'clf'}; if not, remove it.",
    ),
    "several columns of text beside a data set": (
        reading(TRIALS.rename(columns={"algorithm": "clf"}).assign(host="a")),
        AmbiguousInputError,
        "The columns 'clf', 'host' hold text, and no column is known to name the algorithms; in a wide table each "
        "algorithm is a column of numbers. If one of them names the algorithms, pass columns={'algorithm': 'clf'}; "
        "if not, remove them.",
    ),
    "numbers followed by text in a wide table": (
        reading(WIDE.assign(knn=["0.8 (0.1)", "0.6 (0.2)"]), measure="accuracy"),
        CellValueError,
        "The column 'knn' must hold numbers; rows 0, 1 hold '0.8 (0.1)', '0.6 (0.2)'. Give numbers, or leave the "
        "cells empty and give a reason.",
    ),
    "a measure that is not a column": (
        reading(TRIALS.assign(auc=1), measure="f1"),
        LabelError,
        "`measure` names 'f1', which is not a column of the table; the columns that could be measures are "
        "'accuracy', 'auc'.",
    ),
    "several measures of a wide table": (
        reading(WIDE, measure=["accuracy", "auc"]),
        InputError,
        "`measure` must be one name here: the form holds one measure; got ['accuracy', 'auc'].",
    ),
    # Columns and rows
    "no file": (
        lambda folder: podium.read("no/such.csv"),
        InputError,
        "'no/such.csv' cannot be read: there is no such file.",
    ),
    "a file of unknown kind": (
        lambda folder: podium.read("scores.doc"),
        InputError,
        "'scores.doc' has no known extension; podium reads .csv, .tsv, .txt, .xlsx, .json, .jsonl, .ndjson, .parquet "
        "and .pq, the "
        "text files also with .gz, .bz2 or .xz after it.",
    ),
    "a compressed Parquet file": (
        lambda folder: podium.read("scores.parquet.gz"),
        InputError,
        "'scores.parquet.gz' has no known extension; podium reads .csv, .tsv, .txt, .xlsx, .json, .jsonl, .ndjson, "
        ".parquet and "
        ".pq, the text files also with .gz, .bz2 or .xz after it.",
    ),
    "text instead of a path": (
        reading('{"iris": 1'),
        InputError,
        "'the text' is not JSON: Expecting ',' delimiter: line 1 column 11 (char 10).",
    ),
    "an object of unknown kind": (
        reading(42),
        InputError,
        "`source` must be a path, a table (DataFrame or with to_pandas()), an array, a nested dict or a list "
        "of dicts; got an int.",
    ),
    "an empty frame": (
        reading(LONG.iloc[:0]),
        InputError,
        "The table is empty: it has no rows.",
    ),
    "an empty file": (
        csv(""),
        InputError,
        "The table is empty: 'scores.csv' has no lines.",
    ),
    "a file with a header only": (
        csv("dataset,algorithm,accuracy\n"),
        InputError,
        "The table is empty: it has no rows.",
    ),
    "an empty list": (
        reading([]),
        InputError,
        "The table is empty: the list has no rows.",
    ),
    "an empty dict": (
        reading(EMPTY, levels=("dataset", "algorithm")),
        InputError,
        "The table is empty: there is no value in the nested dict.",
    ),
    "an empty array": (
        reading(np.zeros((0, 2)), labels={"dataset": [], "algorithm": ["a", "b"]}, measure="error"),
        InputError,
        "The table is empty: there is no dataset in it.",
    ),
    "lines that are too long": (
        csv("dataset,algorithm,accuracy\niris,svm,0.9,0.8\n"),
        InputError,
        "All lines of 'scores.csv' have more cells than the header has names (3). Name all columns, or remove"
        " those without a name.",
    ),
    "a first line that is too long": (
        csv("dataset,algorithm,accuracy\niris,svm,0.9,0.8\niris,knn,0.9\n"),
        InputError,
        "Line 2 of 'scores.csv' has 4 cells, but the header has 3 names. Put text that holds the separator in quotes.",
    ),
    "one line that is too long": (
        csv("dataset,algorithm,accuracy\niris,svm,0.9\niris,knn,0.9,0.8\n"),
        InputError,
        "Line 3 of 'scores.csv' has 4 cells, but the header has 3 names. Put text that holds the separator in quotes.",
    ),
    "a quote without end": (
        csv('dataset,algorithm,accuracy\n"iris,svm,0.9\n'),
        InputError,
        "A quotation mark in 'scores.csv' is never closed.",
    ),
    "another encoding": (
        file("scores.csv", "dataset,algorithm,accuracy\nUlaş,svm,1\n".encode("utf-16")),
        InputError,
        "'scores.csv' is not text in UTF-8. Save it in UTF-8, and read it again.",
    ),
    "no JSON": (
        file("scores.json", b"{'a': 1}"),
        InputError,
        "'scores.json' is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1).",
    ),
    "JSON in another encoding": (
        file("scores.json", '{"ş": 1}'.encode("utf-16")),
        InputError,
        "'scores.json' is not text in UTF-8. Save it in UTF-8, and read it again.",
    ),
    "columns that could each be the data set": (
        reading(LONG.rename(columns={"dataset": "task"}).assign(problem="x")),
        AmbiguousInputError,
        "The columns 'task', 'problem' could each be the dataset. Say which one is: columns={'dataset': 'task'}.",
    ),
    "an unknown role": (
        reading(LONG, columns={"clf": "algorithm"}),
        InputError,
        "`columns` maps roles to columns, such as {'algorithm': 'clf'}; 'clf' is not a role. The roles "
        "are 'dataset', 'replication', 'algorithm', 'measure', 'value', 'reason', 'repeat', 'fold', "
        "'n_learn', 'n_test', 'independent', 'planned', 'direction', 'units', 'scale'.",
    ),
    "a role for a column that is not there": (
        reading(LONG, columns={"algorithm": "clf"}),
        LabelError,
        "`columns` maps 'algorithm' to the column 'clf', which the table does not have; its columns are "
        "'dataset', 'algorithm', 'replication', 'measure', 'value'.",
    ),
    "two roles for a column": (
        reading(LONG, columns={"algorithm": "dataset", "dataset": "dataset"}),
        InputError,
        "`columns` gives two roles to the column 'dataset'; a column has one.",
    ),
    "a column of measures without values": (
        reading(LONG.rename(columns={"value": "x"})),
        AmbiguousInputError,
        "The table has a column of measures, 'measure', but no column is known to hold their values. Say "
        "which one does: columns={'value': ...}.",
    ),
    "a column of values without algorithms": (
        reading(LONG.drop(columns=["algorithm", "measure"])),
        AmbiguousInputError,
        "The column 'value' is named like the value of a long table, but no column names the algorithms. Say "
        "which one does: columns={'algorithm': ...}; in a wide table, where each algorithm has its column, "
        "rename it.",
    ),
    "a column of measures without algorithms": (
        reading(LONG.drop(columns="algorithm")),
        AmbiguousInputError,
        "The column 'measure' is named like the measure of a long table, but no column names the algorithms. "
        "Say which one does: columns={'algorithm': ...}; in a wide table, where each algorithm has its "
        "column, rename it.",
    ),
    "an algorithm named like replications": (
        reading(WIDE.rename(columns={"knn": "bootstrap"}), measure="accuracy"),
        AmbiguousInputError,
        "The column 'bootstrap' is named like the replication and holds numbers like 0.8. If these are "
        "labels, pass columns={'replication': 'bootstrap'}; if not, rename the column.",
    ),
    "an algorithm named like replications in a file": (
        csv("dataset,svm,run\niris,0.5,0.25\n", measure="accuracy"),
        AmbiguousInputError,
        "The column 'run' is named like the replication and holds numbers like 0.25. If these are labels, pass"
        " columns={'replication': 'run'}; if not, rename the column.",
    ),
    "rows that could be anything": (
        reading(WIDE.drop(columns="dataset"), measure="accuracy"),
        AmbiguousInputError,
        "The table has 2 rows, 2 columns of numbers and nothing that says what a row is. If each row is a "
        "data set, pass rows='dataset'; if each row is a replication on one data set, pass rows='replication'.",
    ),
    "rows with an index of numbers": (
        reading(WIDE.drop(columns="dataset").set_axis([7, 9]).rename_axis("id"), measure="accuracy"),
        AmbiguousInputError,
        "The table has 2 rows, 2 columns of numbers and nothing that says what a row is. If each row is a "
        "data set, pass rows='dataset'; if each row is a replication on one data set, pass rows='replication'.",
    ),
    "an unknown meaning of rows": (
        reading(WIDE, measure="accuracy", rows="block"),
        InputError,
        "`rows` must be 'dataset' or 'replication'; got 'block'.",
    ),
    "rows that are data sets and folds": (
        reading(WIDE.rename(columns={"dataset": "fold"}).assign(fold=[1, 2]), measure="accuracy", rows="dataset"),
        InputError,
        "`rows='dataset'` contradicts the column 'fold', which numbers replications. Leave one of them out.",
    ),
    "two columns of text": (
        reading(WIDE.assign(a="x", b=["y", "z"]).drop(columns="dataset"), measure="accuracy"),
        AmbiguousInputError,
        "The columns 'a', 'b' hold text, so this is not a plain wide table. If one of them names the "
        "algorithms, say so: columns={'algorithm': 'b'}; if one names the data sets: columns={'dataset': "
        "'a'}.",
    ),
    "one column of text and one of numbers": (
        reading(pd.DataFrame({"who": ["svm", "knn"], "x": [1, 2]}), measure="accuracy"),
        AmbiguousInputError,
        "The table has one column of text, 'who', and one of numbers. If the text names the algorithms, pass "
        "columns={'algorithm': 'who'}; if it names the data sets, pass columns={'dataset': 'who'}.",
    ),
    "algorithms in an index without a name": (
        reading(pd.DataFrame({"x": [1, 2]}, index=["svm", "knn"]), measure="accuracy"),
        AmbiguousInputError,
        "The table has one column of text, '(index)', and one of numbers. If the text names the algorithms, "
        "pass columns={'algorithm': '(index)'}; if it names the data sets, pass columns={'dataset': '(index)'}.",
    ),
    "algorithms in the rows": (
        reading(pd.DataFrame({"accuracy": [1, 2], "fit time": [3, 4]}, index=["svm", "knn"])),
        AmbiguousInputError,
        "The columns 'accuracy', 'fit time' are named like measures, and no column names the algorithms. Say "
        "which one does: columns={'algorithm': ...}; an index needs a name: frame.rename_axis('algorithm').",
    ),
    "a wide table without algorithms": (
        reading(WIDE[["dataset"]], measure="accuracy"),
        InputError,
        "The table has no column of values: in a wide table each algorithm is a column of numbers.",
    ),
    "trials without values": (
        reading(TRIALS.drop(columns="accuracy")),
        InputError,
        "The table names algorithms, but no column is left that could hold values.",
    ),
    "trials with a column of text": (
        reading(TRIALS.assign(host=["a", "b", "a", "b"])),
        AmbiguousInputError,
        "The column 'host' holds text and has no known role. Say what it is with columns={'dataset': ..., "
        "'replication': ...}, or name the columns that are measures: measure=['accuracy'].",
    ),
    "trials with columns of text": (
        reading(TRIALS.assign(host="a", note="b").drop(columns="accuracy")),
        AmbiguousInputError,
        "The columns 'host', 'note' hold text and have no known role. Say what they are with "
        "columns={'dataset': ..., 'replication': ...}, or name the columns that are measures: "
        "measure=['...'].",
    ),
    "columns with levels": (
        reading(WIDE.set_index("dataset").rename_axis(None).T.unstack().to_frame().T),
        AmbiguousInputError,
        "The columns have 2 levels, 'iris', 'wine' and 'svm', 'knn'. Name the levels by what they are: "
        "frame.columns.names = ['measure', 'algorithm'].",
    ),
    "an index with levels without names": (
        reading(WIDE.set_index(["dataset", "svm"]).rename_axis([None, None])),
        AmbiguousInputError,
        "The index has 2 levels, and not all have names. Name them: frame.index.names = ['dataset', 'replication'].",
    ),
    "a data set named where the table names them": (
        reading(LONG, dataset="iris"),
        InputError,
        "`dataset` names the data set of a form that has none; the column 'dataset' names the data sets here."
        " To take one of them, use .select(dataset='iris') on what is read.",
    ),
    "a data set named beside a wide table": (
        reading(WIDE, measure="accuracy", dataset="iris"),
        InputError,
        "`dataset` names the data set of a form that has none; the column 'dataset' names the data sets here."
        " To take one of them, use .select(dataset='iris') on what is read.",
    ),
    "an argument for another form": (
        reading(LONG, rows="dataset"),
        InputError,
        "`rows` says what the rows of a wide table are; this is a long table. Leave it out.",
    ),
    "columns for an array": (
        reading(np.ones((1, 1)), columns={"dataset": "x"}),
        InputError,
        "`columns` says what the columns of a table are; this is an array. Leave it out.",
    ),
    "a list without dicts": (
        reading([[0.9, 0.8], [0.7, 0.6]]),
        AmbiguousInputError,
        "A list must hold one dict per row, such as {'dataset': ..., 'algorithm': ..., 'accuracy': ...}; "
        "entry 0 is a list. If it is an array, name its axes: labels={'dataset': [...], 'algorithm': "
        "[...]}.",
    ),
    "labels without axes": (
        reading(np.ones((2, 2)), labels=["svm", "knn"]),
        InputError,
        "`labels` must be a mapping from axis to labels, in the order of the axes, such as {'dataset': None, "
        "'algorithm': ['svm', 'knn']} (None numbers an axis); got ['svm', 'knn'].",
    ),
    "a table of a search in scikit-learn": (
        reading(pd.DataFrame({"mean_fit_time": [0.1, 0.2], "params": [{"C": 1}, {"C": 2}], "param_C": [1, 2]})),
        InputError,
        "The outcome of the search has no scores of individual splits, split0_test_score and so on.",
    ),
    "outcomes of cross_validate": (
        reading({"fit_time": [1.0, 2.0], "test_score": [0.9, 0.8]}),
        AmbiguousInputError,
        "This is the outcome of cross_validate for one algorithm, which does not name it. Name it: "
        "podium.read({'name of the algorithm': outcome, ...}).",
    ),
    "results of benchopt": (
        reading(pd.DataFrame({"solver_name": ["cd"], "idx_rep": [0], "stop_val": [1], "time": [0.1], "x": [1.0]})),
        AmbiguousInputError,
        "The results of benchopt have no column 'objective_value'. Say which one to read besides 'time': measure='x', "
        "direction='lower'.",
    ),
    "a direction that is not text": (
        reading(LONG, direction=1),
        InputError,
        "`direction` must be 'lower' or 'greater', or a mapping from measure to one of them; got 1.",
    ),
    "a column of lists": (
        reading(LONG.assign(dataset=[["iris"]] * 4)),
        LabelError,
        "The column 'dataset' must hold labels; it holds lists or dicts.",
    ),
    # Replications and structure
    "replications that no algorithms share": (
        reading(LONG.assign(run=[1, 2, 3, 4]).drop(columns="replication")),
        InputError,
        "No two algorithms share a replication, on 'iris' or any other data set, so no values can be compared"
        " within a replication. If the replication column numbers the trials, number them within each data "
        "set and algorithm instead: frame.groupby(['dataset', 'algorithm']).cumcount().",
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
    "an empty fold": (
        reading(TRIALS.assign(fold=[1, 1, np.nan, 1]).drop(columns="replication")),
        LabelError,
        "The fold is empty in row 2. Give every row its fold.",
    ),
    "a fold that is not a whole number": (
        reading(TRIALS.assign(fold=[1, 1, 1.5, -1])),
        CellValueError,
        "The column 'fold' must hold whole numbers, 0 or greater; rows 2, 3 hold 1.5, -1.0.",
    ),
    "two folds of one replication": (
        reading(LONG.assign(fold=[1, 2, 1, 1])),
        InputError,
        "Replication 1 of data set 'iris' has two values of 'fold': 1 in row 0 and 2 in row 1. All rows of a "
        "replication must have the same value.",
    ),
    "lists of unequal length": (
        reading({"iris": {"svm": [1, 2, 3], "knn": [1, 2]}}, levels=("dataset", "algorithm"), measure="accuracy"),
        InputError,
        "All algorithms must have the same number of replications on a data set: there are 3 at 'iris', "
        "'svm' and 2 at 'iris', 'knn'. Values of one replication are compared with each other, so give each "
        "list the same length (None where a value is missing), or give dicts {replication: value} instead of "
        "lists.",
    ),
    "lists of unequal length on the data set": (
        reading({"svm": [1, 2, 3], "knn": [1, 2]}, levels="algorithm", measure="accuracy"),
        InputError,
        "All algorithms must have the same number of replications on a data set: there are 3 at 'svm' and 2 "
        "at 'knn'. Values of one replication are compared with each other, so give each list the same length "
        "(None where a value is missing), or give dicts {replication: value} instead of lists.",
    ),
    # Nested dicts and arrays
    "a nested dict without names": (
        reading({"iris": {"svm": 1}}),
        AmbiguousInputError,
        "The nested dict has 2 levels, and its keys do not say what they are. Name the levels from the "
        "outside in, for example levels=('dataset', 'algorithm').",
    ),
    "too few levels": (
        reading({"iris": {"svm": {"accuracy": 1}}}, levels=("dataset", "algorithm")),
        InputError,
        "`levels` must give each level of the nested dict (it has 3) a different name out of 'dataset', "
        "'replication', 'algorithm', 'measure', and one of them must be 'algorithm'; got 'dataset', 'algorithm'.",
    ),
    "an unknown level": (
        reading({"iris": {"svm": 1}}, levels=("task", "algorithm")),
        InputError,
        "`levels` must give each level of the nested dict (it has 2) a different name out of 'dataset', "
        "'replication', 'algorithm', 'measure', and one of them must be 'algorithm'; got 'task', 'algorithm'.",
    ),
    "a branch that is too short": (
        reading({"iris": {"svm": 1}, "wine": 2}, levels=("dataset", "algorithm")),
        InputError,
        "The nested dict ends too early at 'wine': expected a dict of algorithms; got an int.",
    ),
    "a branch that is too long": (
        reading({"iris": {"svm": 1}, "wine": {"svm": {"x": 2}}}, levels=("dataset", "algorithm")),
        InputError,
        "The nested dict has another level below 'wine', 'svm'; make all branches equally deep.",
    ),
    "lists below replications": (
        reading({"svm": {1: [1, 2]}}, levels=("algorithm", "replication")),
        InputError,
        "The nested dict names replications but holds several values at 'svm', 1. Leave the replication "
        "level out, or give one number for each.",
    ),
    "a nested value that is not a number": (
        reading({"iris": {"svm": [1, "x"]}}, levels=("dataset", "algorithm"), measure="accuracy"),
        CellValueError,
        "The nested dict must hold numbers; value iris/svm/2 holds 'x'. Give numbers, or leave the cells "
        "empty and give a reason.",
    ),
    "an array without labels": (
        reading(np.ones((2, 3))),
        AmbiguousInputError,
        "The array of shape (2, 3) has no labels. Name its axes in their order, with their labels: "
        "labels={'dataset': [...], 'replication': None, 'algorithm': [...]} (None numbers them).",
    ),
    "an array with too few labels": (
        reading(np.ones((2, 3)), labels={"algorithm": ["a", "b"]}),
        InputError,
        "`labels` must give each axis of the array (it has 2) a different name out of 'dataset', 'replication', "
        "'algorithm', 'measure', and one of them must be 'algorithm'; got 'algorithm'.",
    ),
    "an array without algorithms": (
        reading(np.ones((1, 1)), labels={"dataset": ["a"], "replication": None}),
        InputError,
        "`labels` must give each axis of the array (it has 2) a different name out of 'dataset', 'replication', "
        "'algorithm', 'measure', and one of them must be 'algorithm'; got 'dataset', 'replication'.",
    ),
    "an array with another number of labels": (
        reading(np.ones((2, 3)), labels={"dataset": ["a"], "algorithm": ["a", "b", "c"]}),
        InputError,
        "`labels['dataset']` must have 2 labels, one for each entry of the axis; got 1.",
    ),
    "an array of unequal rows": (
        reading([[1, 2], [3]], labels={"dataset": None, "algorithm": None}),
        CellValueError,
        "The array must have rows of equal length.",
    ),
    "an array of words": (
        reading(np.array([["0.5", "x"]]), labels={"dataset": None, "algorithm": None}),
        CellValueError,
        "The array must hold numbers; at (0, 1) it holds 'x'.",
    ),
    "an array of dates": (
        reading(np.array([["2024-01-01"]], "M8[D]"), labels={"dataset": None, "algorithm": None}),
        CellValueError,
        "The array must hold numbers; it holds datetime64[D].",
    ),
    "an unknown dimension": (
        reading(xr.DataArray(np.ones((1, 1)), dims=("algorithm", "x"))),
        AmbiguousInputError,
        "The dimension 'x' has no known role. Rename it to one of 'dataset', 'replication', 'algorithm', "
        "'measure', for example array.rename({'x': 'algorithm'}).",
    ),
    "a document of another version": (
        document(version=1),
        InputError,
        "The document has version 1 of the format 'podium.results'; this version of podium reads version 2. "
        "Write it again, or read it with the version of podium that wrote it.",
    ),
    "a document without values": (
        document(values=None),
        InputError,
        "The document is damaged: it is not what `to_json` writes. Write it again.",
    ),
    "a document without an algorithm": (
        document(algorithms=["svm"]),
        InputError,
        "`values` must have one entry per data set, replication, algorithm and measure: shape (2, 1, 1, 1) according "
        "to the labels; got (2, 1, 2, 1).",
    ),
    "a document with an unknown reason": (
        document(reasons=[[0, 0, 0, 0, "bored"]]),
        InputError,
        "The document is damaged: it is not what `to_json` writes. Write it again.",
    ),
    # Results
    "values of another shape": (
        cube(values=np.zeros((1, 2))),
        InputError,
        "`values` must have one entry per data set, replication, algorithm and measure: shape (1, 2, 2, 1) according "
        "to the labels; got (1, 2).",
    ),
    "a design of another shape": (
        cube(design=np.ones((2, 2), bool)),
        InputError,
        "`design` must have the shape (1, 2); got (2, 2).",
    ),
    "measures by name only": (
        cube(measures=("error",)),
        InputError,
        "`measures` must hold MeasureInfo, each with a direction; got 'error'.",
    ),
    "reasons of another shape": (
        cube(values=np.full((1, 2, 2, 1), np.nan), reasons=np.ones(3, np.uint8)),
        InputError,
        "`reasons` must have the shape (1, 2, 2, 1); got (3,).",
    ),
    "an unknown code of a reason": (
        cube(values=np.full((1, 2, 2, 1), np.nan), reasons=np.full((1, 2, 2, 1), 9, np.uint8)),
        InputError,
        "`reasons` must hold codes below 7; got 9.",
    ),
    "an unknown field of the structure": (
        cube(structure={"seed": np.ones((1, 2))}),
        LabelError,
        "`structure` has no field 'seed'. It has 'repeat', 'fold', 'n_learn', 'n_test', 'independent', 'planned'.",
    ),
    "structure of another shape": (
        cube(structure={"fold": np.ones(2)}),
        InputError,
        "`structure['fold']` must have the shape (1, 2); got (2,).",
    ),
    "results without algorithms": (
        cube(values=np.zeros((1, 2, 0, 1)), algorithms=()),
        InputError,
        "The table is empty: there is no algorithm in it.",
    ),
    "an unknown policy": (
        lambda folder: GAPS.ranks(missing="ignore"),
        InputError,
        "`missing` must be one of 'raise', 'drop-block', 'drop-algorithm', 'worst-rank', 'worst-value'; got 'ignore'.",
    ),
    "a policy that does not apply": (
        lambda folder: GAPS.aggregate(missing="worst_rank"),
        InputError,
        "`missing='worst-rank'` does not apply here: it gives missing cells a rank but no value, and values are needed. "
        "Use one of 'drop-block', 'drop-algorithm', 'worst-value', 'available'.",
    ),
    "a missing cell": (
        lambda folder: GAPS.ranks(),
        MissingCellsError,
        "1 of 4 cells is missing: knn on iris, replication 1, accuracy (failed). Choose what to do about them"
        " with `missing`: 'drop-block', 'drop-algorithm', 'worst-rank' or 'worst-value'.",
    ),
    "many missing cells": (
        lambda folder: GAPS.complete(replications=[1, 2], algorithms=["tree"]).aggregate(),
        MissingCellsError,
        "9 of 12 cells are missing: knn on iris, replication 1, accuracy (failed); tree on iris, replication "
        "1, accuracy (absent); knn on iris, replication 2, accuracy (absent); and 6 more. Choose what to do "
        "about them with `missing`: 'drop-block', 'drop-algorithm', 'worst-value' or 'available'.",
    ),
    "no complete block": (
        lambda folder: GAPS.complete(algorithms=["tree"]).resolve_missing("drop-block"),
        MissingCellsError,
        "`missing='drop-block'` would leave nothing: every block has a missing cell. 'tree' has the most (2 cells)."
        " Leave that algorithm out, or use 'drop-algorithm' or 'worst-value'.",
    ),
    "no complete algorithm": (
        lambda folder: GAPS.complete(replications=[1, 2]).resolve_missing("drop-algorithm"),
        MissingCellsError,
        "`missing='drop-algorithm'` would leave nothing: every algorithm has a missing cell. Use 'drop-block' or "
        "'worst-value'.",
    ),
    "no worst value": (
        lambda folder: GAPS.complete(datasets=["car"]).resolve_missing("worst-value"),
        MissingCellsError,
        "`missing='worst-value'` finds no value of accuracy on 'car'. Leave that data set out, or use 'drop-block'.",
    ),
    "an unknown statistic": (
        lambda folder: RESULTS.aggregate("mode"),
        InputError,
        "`statistic` must be one of 'mean', 'median', 'min', 'max', 'sd', 'quantile' or a function; got 'mode'.",
    ),
    "the statistic quantile without a quantile": (
        lambda folder: RESULTS.aggregate("quantile"),
        InputError,
        "`quantile` and statistic='quantile' must be given together, such as `quantile=0.9`.",
    ),
    "a quantile with another statistic": (
        lambda folder: RESULTS.aggregate("mean", quantile=0.5),
        InputError,
        "`quantile` and statistic='quantile' must be given together, such as `quantile=0.9`.",
    ),
    "a quantile outside its range": (
        lambda folder: RESULTS.aggregate("quantile", quantile=50),
        InputError,
        "`quantile` must be a number between 0 and 1; got 50.",
    ),
    "a function with several outcomes": (
        lambda folder: RESULTS.aggregate(np.cumsum),
        InputError,
        "`statistic` must return one number for the values of an algorithm; cumsum returned array([0.8]).",
    ),
    "a function that fails": (
        lambda folder: RESULTS.aggregate(lambda values: values[100]),
        InputError,
        "`statistic`: <lambda> raised IndexError: index 100 is out of bounds for axis 0 with size 1",
    ),
    "a label that is an object": (
        lambda folder: RESULTS.complete(algorithms=["svm", object()]),
        LabelError,
        "The algorithm label must be text or a number; got an object at position 1.",
    ),
    "a label that is a class": (
        lambda folder: RESULTS.complete(algorithms=int),
        LabelError,
        "The algorithm label must be text or a number; got <class 'int'> at position 0.",
    ),
    "a measure without a name": (
        lambda folder: podium.MeasureInfo(" ", "lower"),
        InputError,
        "`name` must be non-empty text; got ' '.",
    ),
    "a report on more missing cells than there are": (
        lambda folder: podium.results.MissingReport(policy="raise", cells=1, missing=3),
        InputError,
        "`missing` must be a whole number of at most 1; got 3.",
    ),
    "a report with an unknown reason": (
        lambda folder: podium.results.MissingReport(policy="raise", cells=3, missing=3, reasons={"crash": 3}),
        InputError,
        "`reasons` must be one of 'absent', 'failed', 'timeout', 'skipped', 'crashed', 'stopped'; got 'crash'. Did you "
        "mean 'crashed'?",
    ),
    "reports that are not reports": (
        lambda folder: RESULTS.replace(reports=[3]),
        InputError,
        "`reports` must be a MissingReport; got an int.",
    ),
    "an array with labels that do not fit": (
        lambda folder: podium.results.LabelledArray(np.ones(2), {"algorithm": ["svm"]}),
        InputError,
        "`labels['algorithm']` must have 2 labels, one for each entry of the axis; got 1.",
    ),
    "unknown ties": (
        lambda folder: RESULTS.ranks(ties="dense"),
        InputError,
        "`ties` must be one of 'average', 'min', 'max', 'random'; got 'dense'.",
    ),
    "random ties with a broken seed": (
        lambda folder: RESULTS.ranks(ties="random", seed=1.5),
        InputError,
        "`seed` must be a whole number of at least 0; got 1.5.",
    ),
    "an unknown way to solve conflicts": (
        lambda folder: RESULTS.combine(RESULTS, on_conflict="third"),
        InputError,
        "`on_conflict` must be one of 'raise', 'first', 'second'; got 'third'.",
    ),
    "combining with a frame": (
        lambda folder: RESULTS.combine(LONG),
        InputError,
        "`other` must be a Results; got a DataFrame. Use podium.read(frame); it needs measure='...' if the "
        "table does not say what was measured.",
    ),
    "one conflict": (
        lambda folder: RESULTS.combine(podium.read(change(LONG, 2, "value", 0.5))),
        ConflictError,
        "1 cell has different values in the two results: svm on wine, replication 1, accuracy: 0.7 and 0.5. "
        "Choose with on_conflict='first' or 'second'; the error's `report` has them all.",
    ),
    "many conflicts": (
        lambda folder: RESULTS.combine(podium.read(LONG.assign(value=1.0))),
        ConflictError,
        "4 cells have different values in the two results: knn on iris, replication 1, accuracy: 0.8 and 1; "
        "svm on iris, replication 1, accuracy: 0.9 and 1; knn on wine, replication 1, accuracy: 0.6 and 1; "
        "and 1 more. Choose with on_conflict='first' or 'second'; the error's `report` has them all.",
    ),
    "another direction": (
        lambda folder: RESULTS.combine(podium.read(LONG, direction="lower", units="%")),
        ConflictError,
        "The measure 'accuracy' is not the same in both: accuracy (greater is better) and accuracy (lower is "
        "better, %). Rename one of them, or read one again with the right direction and units.",
    ),
    "another fold": (
        lambda folder: podium.read(LONG.assign(fold=1)).combine(podium.read(LONG.assign(fold=2))),
        ConflictError,
        "The replications are not the same in both: replication 1 of 'iris' has the fold 1 and 2. Rename the "
        "replications of one of them.",
    ),
    "wide of two measures": (
        lambda folder: podium.read(TRIALS.assign(auc=1)).to_wide(),
        InputError,
        "A wide table holds one measure; these results have 'accuracy', 'auc'. Choose one: "
        "to_wide(measure='accuracy').",
    ),
    "trials with a measure called fold": (
        lambda folder: RESULTS.rename(measures={"accuracy": "fold"}).to_trials(),
        LabelError,
        "The measure 'fold' has a name that means something else in a table of trials; rename it first, or "
        "use `to_long()`.",
    ),
    "trials with two reasons": (
        lambda folder: podium.read(
            pd.concat([GAPS.to_long(), GAPS.to_long().assign(measure="auc", value=np.nan, reason="timeout")])
        ).to_trials(),
        InputError,
        "The measures of knn on iris, replication 1, are missing for different reasons, but a table of "
        "trials has one reason per row. Use `to_long()`.",
    ),
    "an unknown argument": (
        lambda folder: RESULTS.select(algoritms="svm"),
        LabelError,
        "`select` has no argument 'algoritms'. It has 'measure', 'dataset', 'algorithm', 'replication', "
        "'measures', 'datasets', 'algorithms', 'replications'. Did you mean 'algorithms'?",
    ),
    "new names without the old ones": (
        lambda folder: RESULTS.rename(algorithms=["a", "b"]),
        InputError,
        "`algorithms` must be a mapping from old to new names; got ['a', 'b'].",
    ),
    "an unknown field": (
        lambda folder: RESULTS.replace(value=1),
        LabelError,
        "`Results` has no field 'value'. It has 'values', 'datasets', 'replications', 'algorithms', "
        "'measures', 'design', 'reasons', 'structure', 'origin', 'form', 'reports', 'warehouse'. Did you mean 'values'?",
    ),
    "a folder that does not exist": (
        lambda folder: RESULTS.write("nowhere/scores.csv"),
        InputError,
        "'nowhere/scores.csv' cannot be written: its folder does not exist; create it first.",
    ),
    "writing a file of unknown kind": (
        lambda folder: RESULTS.write(folder / "scores"),
        InputError,
        "'scores' has no known extension; podium writes .csv, .tsv, .txt, .json, .jsonl, .ndjson, .parquet and .pq, "
        "the text "
        "files also with .gz, .bz2 or .xz after it.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_message_as_a_whole(case: str, tmp_path: Path) -> None:
    wrong, kind, text = CASES[case]
    with pytest.raises(PodiumError) as caught:
        wrong(tmp_path)
    assert str(caught.value) == text
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
