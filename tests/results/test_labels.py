"""Labels: natural order, cleaning, looking up."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from result_strategies import labels, look

import podium
from podium.errors import LabelError
from podium.results.labels import clean_labels, natural_key, positions


@pytest.mark.parametrize(
    "order",
    [
        ["ds", "ds2", "ds10"],
        ["1", "1.5", "2", "10"],
        [-3, 0, 2, 10],
        ["A", "a", "B", "b"],
        ["02", "2", "a"],
        ["a", "a1", "a b", "ab"],
        ["5nn", "c45", "svl"],
    ],
    ids=str,
)
def test_natural_order(order: list[str | int]) -> None:
    for shuffled in (order[::-1], order[1:] + order[:1]):
        assert sorted(shuffled, key=natural_key) == order


@given(labels(8))
def test_natural_order_is_total(names: list[str]) -> None:
    assert len({natural_key(name) for name in names}) == len(names)


@given(labels(8), st.sampled_from(["dataset", "replication", "algorithm", "measure"]))
def test_cleaning_twice_is_cleaning_once(names: list[str], axis: str) -> None:
    once = clean_labels(names, axis)
    assert clean_labels(once, axis) == once
    assert [look(str(label)) for label in once] == [look(name) for name in names]


@given(labels(8), st.data())
def test_positions_find_what_is_there(names: list[str], data: st.DataObject) -> None:
    wanted = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    assert [names[i] for i in positions(names, wanted, "dataset", "datasets")] == wanted


def test_positions_take_numbers_of_any_type() -> None:
    for wanted in (3, "3", 3.0, np.int64(3), np.float32(3), [3], ("3",), {3}, np.array([3])):
        assert positions((1, 3), wanted, "replication", "replications") == [1]


def test_half_a_character_is_no_label(tmp_path: Path) -> None:
    source = {"a": {"x\ud800": 0.9, "y": 0.8}}
    (tmp_path / "scores.json").write_text(json.dumps(source))
    for where in (source, tmp_path / "scores.json"):
        with pytest.raises(LabelError, match=r"got 'x\\ud800' in the nested dict\.$"):
            podium.read(where, levels=("dataset", "algorithm"))
