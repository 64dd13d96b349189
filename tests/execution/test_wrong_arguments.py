"""No wrong argument of `run` or `preview` ends in an error from deep inside, and none leaves a file behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import trouble

import podium
from podium.errors import InputError, PodiumError

WRONG = {
    "None": None,
    "a float": 2.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "zero": 0,
    "a negative number": -1,
    "a boolean": True,
    "a text": "nonsense",
    "an empty text": "",
    "bytes": b"bytes",
    "a list": ["nonsense", 3],
    "a dict": {"a": 1},
    "an object": object(),
    "a class": dict,
    "a function": len,
    "an array": np.array([1.0, 2.0]),
    "a table": pd.DataFrame({"a": [1]}),
}
# Which of them are right for an argument.
RIGHT = {
    "warehouse": {"a text"},
    "executor": {"None"},
    "workers": {"None"},
    "seconds": {"None", "a float"},
    "seconds_per_fit": {"None", "a float"},
    "memory_per_fit": {"None", "a float"},
    "pilot_seconds": {"zero", "a float", "infinity"},
}
SHARED = ["experiment", "warehouse", "executor", "workers", "seconds_per_fit", "memory_per_fit", "retry", "accept"]
CALLS = [(podium.run, [*SHARED, "seconds", "progress"]), (podium.preview, [*SHARED, "pilot_seconds"])]


@pytest.mark.parametrize(("call", "argument"), [(call, name) for call, arguments in CALLS for name in arguments])
def test_a_wrong_argument_is_named(call: Any, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = {"experiment": trouble.experiment(trouble.FirstRow(), replications=1), "executor": "threads"}
    for kind, value in WRONG.items():
        if kind not in RIGHT.get(argument, ()):
            with pytest.raises(PodiumError) as caught:
                call(**{**arguments, argument: value})
            assert f"`{argument}`" in str(caught.value) or "is a folder" in str(caught.value), kind
            assert not list(tmp_path.iterdir()), kind


@pytest.mark.parametrize(
    ("experiment", "way_out"),
    [
        ("small.yaml", "Use podium.Experiment.from_file('small.yaml')."),
        ({}, "Use podium.Experiment.from_dict(design)."),
        (3, "Create one with podium.Experiment(datasets, algorithms, resampling, measures)."),
    ],
)
def test_the_way_to_an_experiment_is_named(experiment: Any, way_out: str) -> None:
    for call in (podium.run, podium.preview):
        with pytest.raises(InputError) as caught:
            call(experiment)
        assert str(caught.value).startswith("`experiment` must be an Experiment; got ")
        assert str(caught.value).endswith(way_out)


def test_a_file_that_is_not_a_warehouse_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    content = b"These are notes. " * 100
    path.write_bytes(content)
    with pytest.raises(InputError, match="file is not a database"):
        podium.preview(trouble.experiment(trouble.FirstRow()), path, pilot_seconds=0)
    assert path.read_bytes() == content
