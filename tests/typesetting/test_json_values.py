"""A number that is not finite is written in one way, in every JSON that podium writes for people and scripts."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli.output import as_json
from podium.typesetting import Table
from podium.typesetting.table import json_value

ODD = [np.inf, -np.inf, np.nan, 1.5]
WRITTEN = ["Infinity", "-Infinity", None, 1.5]


@pytest.mark.parametrize("thing", [ODD, tuple(ODD), np.array(ODD), np.array(ODD, object), np.float32(ODD).tolist()])
def test_every_sequence_has_the_same_form(thing: Any) -> None:
    assert json_value(thing) == WRITTEN


def test_other_values_keep_their_type_or_become_text() -> None:
    assert json_value({1: np.int64(2), "a": np.bool_(True), "b": None}) == {"1": 2, "a": True, "b": None}
    assert json_value([pd.Timestamp("2026-01-02"), np.array(["x"])]) == ["2026-01-02 00:00:00", ["x"]]
    assert json_value([1j], otherwise=repr) == ["1j"]


def test_tables_figures_and_the_command_line_agree() -> None:
    frame = pd.DataFrame({"x": ODD})
    assert [row["x"] for row in json.loads(Table.from_frame(frame).json())["rows"]] == WRITTEN
    assert [row["x"] for row in json.loads(as_json({"rows": frame}))["rows"]] == WRITTEN
    results = podium.examples.load_demsar2006()
    comparison = podium.compare(results, method="t", control="C4.5", alternative="better")
    numbers = podium.plot.figures.simultaneous_intervals(comparison)
    assert np.isinf(numbers.upper).all()
    assert set(json.loads(numbers.to_json())["upper"]) == {"Infinity"}
