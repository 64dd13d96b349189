"""Summaries and orders of several measures at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
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
    assert both.attrs["measure"] == "accuracy (higher is better); time (lower is better)"
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


@pytest.mark.parametrize(("units", "mixed"), [("", True), ("m", False)])
def test_values_in_the_units_of_the_response_have_no_mean_over_data_sets(units: str, mixed: bool) -> None:
    values = 10.0 ** np.arange(4)[:, None] * [1.3, 1.1, 1.2]
    labels = {"dataset": None, "algorithm": list("abc")}
    results = podium.read(values, labels=labels, measure="RMSE")
    results = results.replace(measures=(podium.MeasureInfo("RMSE", "lower", units=units),))
    frame = podium.summarize(results)
    assert ("mean" in frame) != mixed
    assert list(frame.index) == ["b", "c", "a"]
    assert podium.summarize(results, transform="identity").loc["b", "mean"] == pytest.approx(1111 * 1.1 / 4)  # asked
    table = podium.show.tables.measures(results, marks=False)
    expected = [1, 2, 3] if mixed else [1111 * x / 4 for x in (1.1, 1.2, 1.3)]
    assert [row[1].value for row in table.rows] == pytest.approx(expected)
    assert "mean" in podium.summarize(results.select(dataset=results.datasets[0]))  # of one data set
