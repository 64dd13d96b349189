"""Summaries and orders of several measures at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.describe.summary import Described
from podium.errors import LabelError
from podium.summaries import orders


@pytest.fixture
def grid() -> podium.Results:
    values = np.random.default_rng(1).random((3, 4, 3, 2))
    labels = {"dataset": list("xyz"), "replication": None, "algorithm": list("abc"), "measure": ["accuracy", "time"]}
    return podium.read(values, labels=labels)


@pytest.mark.parametrize("function", [podium.summarize, orders])
def test_one_below_the_other(function, grid: podium.Results) -> None:
    both = function(grid, ["accuracy", "time"])
    assert both.index.names[0] == "measure"
    for name in ("accuracy", "time"):
        one = function(grid, name)  # a measure on a log scale has columns of its own
        pd.testing.assert_frame_equal(both.loc[name][list(one)], one, check_names=False)
        assert set(one.attrs["legend"]) <= set(both.attrs["legend"])
    assert both.attrs["measure"] == "accuracy (greater is better); time (lower is better)"
    with pytest.raises(LabelError, match="`measure` names 'speed'"):
        function(grid, ["speed"])


def test_what_was_done_about_missing_cells_is_said_of_every_measure(grid: podium.Results) -> None:
    values = grid.values.copy()
    values[0, :, 1, 1] = np.nan
    gaps = grid.replace(values=values)
    dropped = podium.summarize(gaps, ["accuracy", "time"], missing="drop-block")
    alone = podium.summarize(gaps, "time", missing="drop-block")
    assert dropped.attrs["missing"] == f"accuracy: no cell of 36 is missing; time: {alone.attrs['missing']}"
    both = podium.summarize(gaps, ["accuracy", "time"], missing="available").attrs["common"]
    assert both == {"accuracy": None, "time": podium.summarize(gaps, "time", missing="available").attrs["common"]}


def test_no_attribute_of_a_table_is_read(grid: podium.Results, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [function(grid, ["accuracy", "time"]).attrs["legend"] for function in (podium.summarize, orders)]
    monkeypatch.setattr(Described, "with_attrs", lambda self: self.frame)
    found = [function(grid, ["accuracy", "time"]).attrs["legend"] for function in (podium.summarize, orders)]
    assert found == expected
