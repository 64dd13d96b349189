"""Values of a wrong type, for every argument of every public function: accepted, or refused with podium's own error."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import PodiumError

RESULTS = podium.datasets.load_demsar2006().select(datasets=["iris", "wine", "rheum"], algorithms=["C4.5", "C4.5+m"])
FRAME = RESULTS.to_long()
OUTCOME = {"fit_time": [0.1, 0.2], "test_score": [0.9, 0.8]}
BENCHOPT = pd.DataFrame(
    {"dataset_name": "d", "solver_name": ["a", "b"], "idx_rep": 0, "stop_val": 1, "time": 0.1, "objective_value": 1.0}
)
OPENML = pd.DataFrame({"data_name": "d", "flow_name": ["a", "b"], "function": "predictive_accuracy", "value": 0.5})
ARRAY = RESULTS.to_array()
FIELDS = {name: getattr(RESULTS, name) for name in ("values", "datasets", "replications", "algorithms", "measures")}


class Silent:
    """An object that cannot be written out."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


WRONG: dict[str, Any] = {
    "None": None,
    "True": True,
    "3": 3,
    "-1": -1,
    "2.5": 2.5,
    "nan": float("nan"),
    "1j": 1j,
    "empty text": "",
    "text": "x",
    "bytes": b"x",
    "empty list": [],
    "list of numbers": [1, 2],
    "list of text": ["x"],
    "list of lists": [[1], [1, 2]],
    "list of None": [None],
    "tuple": (),
    "set": {1, 2},
    "empty dict": {},
    "dict": {"x": 1},
    "dict by number": {1: 2},
    "nested dict": {"x": {"y": object()}},
    "object": object(),
    "class": object,
    "function": len,
    "array": np.ones(3),
    "array without dimensions": np.array(3),
    "text in an array without dimensions": np.array("x"),
    "array of objects": np.array([object()]),
    "empty array": np.empty((0, 2)),
    "frame": FRAME,
    "empty frame": pd.DataFrame(),
    "frame of objects": pd.DataFrame({"a": [object(), []]}),
    "series": pd.Series([1, 2]),
    "index": pd.Index(["a"]),
    "timestamp": pd.Timestamp("2024-01-01"),
    "NA": pd.NA,
    "results": RESULTS,
    "measure": RESULTS.measures[0],
    "folder": Path("/"),
    "file that does not exist": Path("nowhere.csv"),
    "path with a NUL": "scores\0.csv",
    "huge number": 10**400,
    "number that Python does not write out": 10**5000,
    "a lone surrogate": "\ud800",
    "object without a text": Silent(),
}

# Every public function of podium.results and podium.datasets with arguments it accepts; then every method of Results.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "read a frame": (podium.read, {"source": FRAME}),
    "read a wide frame": (podium.read, {"source": RESULTS.to_wide()}),
    "read trials": (podium.read, {"source": RESULTS.to_trials()}),
    "read an array": (podium.read, {"source": ARRAY.values, "labels": ARRAY.labels}),
    "read nested dicts": (
        podium.read,
        {"source": RESULTS.to_nested(), "levels": ("dataset", "algorithm", "measure", "replication")},
    ),
    "read results": (podium.read, {"source": RESULTS}),
    "MeasureInfo": (podium.MeasureInfo, {"name": "x", "direction": "lower"}),
    "Results": (podium.Results, FIELDS),
    "LabelledArray": (podium.results.LabelledArray, {"values": ARRAY.values, "labels": ARRAY.labels}),
    "MissingReport": (podium.results.MissingReport, {"policy": "raise", "cells": 4, "missing": 1}),
    "read_benchopt": (podium.results.read_benchopt, {"source": BENCHOPT}),
    "read_cross_validate": (podium.results.read_cross_validate, {"outcomes": {"a": OUTCOME, "b": OUTCOME}}),
    "read_openml_evaluations": (podium.results.read_openml_evaluations, {"source": OPENML}),
    **{f"datasets.{name}": (getattr(podium.datasets, name), {}) for name in podium.datasets.__all__},
    "combine": (RESULTS.combine, {"other": RESULTS}),
    "conflicts": (RESULTS.conflicts, {"other": RESULTS}),
    "replace": (RESULTS.replace, {}),
    "write": (RESULTS.write, {}),
}
METHODS = [name for name, _ in inspect.getmembers(podium.Results, callable) if not name.startswith("_")]
CALLS |= {name: (getattr(RESULTS, name), {}) for name in METHODS if name not in CALLS}


# Arguments of `read` that depend on the form of the source; the others are the same for all, and tried with a frame.
OF_THE_FORM = {"source", "columns", "rows", "labels", "levels", "measure"}


def arguments(call: str) -> list[str]:
    """Every argument of a call; those of `replace` are the fields."""
    function, _ = CALLS[call]
    if call == "replace":
        return [*FIELDS, "design", "reasons", "structure"]
    other_form = function is podium.read and call != "read a frame"
    return [name for name in inspect.signature(function).parameters if not other_form or name in OF_THE_FORM]


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_type_is_refused_with_an_error_of_podium(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, accepted = CALLS[call]
    raw = {}
    for argument, (name, value) in product(arguments(call), WRONG.items()):
        try:
            function(**{**accepted, argument: value})
        except PodiumError as error:
            assert str(error), f"{argument}, {name}: an error without a message"
        except Exception as error:
            raw[argument, name] = f"{type(error).__name__}: {error}"
    assert not raw


def test_wrong_labels_of_an_array() -> None:
    """Labels of another kind within a mapping that is right on the outside."""
    for labels in ({"algorithm": 3}, {"algorithm": "ab"}, {"algorithm": [None, "x"]}, {"dataset": [1, 2]}, {3: [1, 2]}):
        with pytest.raises(PodiumError):
            podium.read(np.ones(2), labels=labels, direction="lower")


def test_every_public_name_is_called() -> None:
    public = {*podium.results.__all__, *podium.datasets.__all__}
    called = {function.__name__ for function, _ in CALLS.values()}
    assert public <= called
