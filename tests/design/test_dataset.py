"""`Dataset`: what becomes of columns, what is refused, and the laws of fingerprints and samples."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.design.dataset import Dataset, Generator
from podium.design.sample import Sample
from podium.errors import InputError

X = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", None]})
Y = pd.Series(["a", "b", "a", "b"])


def toy(**changes: Any) -> Dataset:
    return Dataset(**({"name": "toy", "X": X, "y": Y} | changes))


# Columns


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ([1, 2, 3, 4], "numeric"),
        (pd.array([1, None, 3, 4], dtype="Int64"), "numeric"),
        (pd.array([1.5, None, 3, 4], dtype="Float64"), "numeric"),
        (np.array([1, 2.5, None, 4], dtype=object), "numeric"),
        (pd.arrays.SparseArray([0.0, 0.0, 1.0, 0.0]), "numeric"),
        (["a", "b", None, "a"], "nominal"),
        (np.array(["a", "b", None, "a"], dtype=object), "nominal"),
        ([True, False, True, True], "nominal"),
        (np.array([True, None, False, True], dtype=object), "nominal"),
        (pd.array([True, None, False, True], dtype="boolean"), "nominal"),
        (pd.Categorical([1, 2, 1, 2]), "nominal"),
    ],
)
def test_a_column_is_numeric_or_nominal(column: Any, kind: str) -> None:
    data = toy(X=pd.DataFrame({"it": column}))
    assert (data.numeric, data.nominal) == ((("it",), ()) if kind == "numeric" else ((), ("it",)))
    assert data.X["it"].isna().sum() == pd.Series(column).isna().sum()
    if kind == "numeric":
        assert data.X["it"].dtype == np.float64


def test_declared_levels_stay_and_classes_that_do_not_occur_go() -> None:
    colour = pd.Categorical(["red", "blue", "red", "red"], categories=["red", "blue", "green"])
    data = toy(X=pd.DataFrame({"colour": colour}), y=pd.Series(pd.Categorical(list("abab"), categories=list("cba"))))
    assert list(data.X["colour"].cat.categories) == ["red", "blue", "green"]
    assert data.classes == ("b", "a")


def test_classes_written_as_whole_floats_become_integers() -> None:
    assert toy(y=pd.Series([1.0, 2.0, 1.0, 2.0])).classes == (1, 2)


def test_the_index_and_names_of_columns_do_not_matter() -> None:
    data = toy(X=pd.DataFrame([[1], [2], [3], [4]], index=[7, 7, 8, 9], columns=[0]), y=Y.set_axis([9, 3, 2, 1]))
    assert list(data.X.columns) == ["0"]
    assert list(data.X.index) == [0, 1, 2, 3]
    assert list(data.y) == list(Y)


def test_what_is_handed_in_is_not_changed() -> None:
    frame = X.copy()
    toy(X=frame)
    pd.testing.assert_frame_equal(frame, X)


def test_a_regression_response_is_float() -> None:
    data = toy(y=pd.Series([1, 2, 3, 4]), task="regression")
    assert data.y is not None
    assert data.y.dtype == np.float64
    assert data.classes == ()


def test_an_unsupervised_task_has_no_response_or_known_groups() -> None:
    assert toy(y=None, task="unsupervised").y is None
    known = toy(task="unsupervised")
    assert known.y is not None
    assert list(known.y.cat.categories) == ["a", "b"]
    assert known.classes == ()


def test_the_attributes_in_a_table() -> None:
    expected = pd.DataFrame(
        {
            "kind": ["numeric", "nominal"],
            "levels": pd.array([None, 2], dtype="Int64"),
            "minimum": [1.0, np.nan],
            "maximum": [4.0, np.nan],
            "missing": [0, 1],
        },
        index=pd.Index(["size", "colour"], name="attribute"),
    )
    pd.testing.assert_frame_equal(toy().attributes, expected)


# What is refused


@pytest.mark.parametrize(
    "changes",
    [
        {"name": " "},
        {"name": "a\0"},
        {"task": "ranking"},
        {"y": None},
        {"X": X[:0]},
        {"X": X[[]]},
        {"X": X.rename(columns={"colour": "size"})},
        {"X": pd.DataFrame({"when": pd.to_datetime(["2020-01-01"] * 4)})},
        {"X": pd.DataFrame({"wave": [1j, 2j, 3j, 4j]})},
        {"X": pd.DataFrame({"odd": [1, "a", 2.5, None]}, dtype=object)},
        {"X": pd.DataFrame({"far": [1, np.inf, 2, -np.inf]})},
        {"y": Y[:3]},
        {"y": pd.Series(["a", None, "b", None])},
        {"y": pd.Series(["a"] * 4)},
        {"task": "regression"},
        {"y": pd.Series([1, np.inf, 2, 3]), "task": "regression"},
        {"groups": np.arange(3)},
        {"groups": np.array([1, np.nan, 2, 2])},
    ],
)
def test_what_cannot_be_used_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        toy(**changes)


# Samples


@given(st.lists(st.integers(0, 3), max_size=12))
def test_a_sample_holds_the_rows_asked_for_and_all_levels(rows: list[int]) -> None:
    data = toy()
    sample = data.take(np.array(rows, dtype=np.intp))
    assert sample.y is not None
    assert len(sample) == len(rows)
    assert sample.X["size"].to_list() == [X["size"][row] for row in rows]
    assert list(sample.y) == [Y[row] for row in rows]
    assert list(sample.X["colour"].cat.categories) == ["blue", "red"]
    assert list(sample.y.cat.categories) == ["a", "b"]
    assert list(sample.X.index) == list(range(len(rows)))


# Fingerprints


def test_a_fingerprint_belongs_to_the_data_not_to_the_name() -> None:
    assert toy().fingerprint == toy().renamed("other", level=3).fingerprint
    assert toy().fingerprint == toy(X=X.copy(), source="elsewhere").fingerprint
    assert toy().fingerprint == pickle.loads(pickle.dumps(toy())).fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"X": X.assign(size=[1.0, 2.0, 3.0, 4.0000001])},
        {"X": X.assign(colour=["red", "blue", "red", "red"])},
        {"X": X.rename(columns={"size": "length"})},
        {"X": X[["colour", "size"]]},
        {"X": X.assign(colour=pd.Categorical(X["colour"], categories=["red", "blue"]))},
        {"X": X.assign(colour=pd.Categorical(X["colour"], categories=["blue", "red", "green"]))},
        {"y": pd.Series(["a", "b", "b", "a"])},
        {"y": pd.Series(pd.Categorical(Y, categories=["b", "a"]))},
        {"y": None, "task": "unsupervised"},
        {"groups": np.array([1, 1, 2, 2])},
        {"X": X.iloc[[1, 0, 2, 3]]},
    ],
)
def test_a_fingerprint_changes_with_the_data(changes: dict[str, Any]) -> None:
    assert toy(**changes).fingerprint != toy().fingerprint


# Names and factors


def test_another_name_carries_factor_levels_and_goes_into_the_spec() -> None:
    data = toy(spec={"dataset": "toy"}, factors={"a": 1}).renamed("b", noise=0.1)
    assert (data.name, data.factors) == ("b", {"a": 1, "noise": 0.1})
    assert data.spec == {"dataset": "toy", "name": "b", "factors": {"a": 1, "noise": 0.1}}
    assert toy().renamed("b").spec is None


# Generators of one's own


def coin(n: int, rng: np.random.Generator, *, chance: float) -> Sample:
    side = rng.random(n) < chance
    return Sample(pd.DataFrame({"x": rng.random(n)}), pd.Series(np.where(side, "head", "tail")))


def test_a_function_makes_a_generator() -> None:
    process = Generator(name="coin", draw_sample=coin, parameters={"chance": 0.3}, n=50)
    assert repr(process) == "Generator 'coin': classification, n=50, chance=0.3"
    assert process.spec is None
    assert process.bayes_error is None
    data = process.dataset(np.random.default_rng(1))
    assert (len(data), data.name, data.spec) == (50, "coin", None)
    fixed = process.fixed(seed=3)
    assert fixed.spec is None
    assert fixed.origin == "drawn from the generator 'coin' with seed 3"
    assert fixed.fingerprint == process.fixed(seed=3).fingerprint
    assert fixed.fingerprint != process.fixed(seed=4).fingerprint


def test_data_sets_and_generators_go_to_other_processes() -> None:
    for thing in (toy(), Dataset.generated("ringnorm"), Dataset.generated("friedman1", d=6)):
        assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)
        assert repr(copy.deepcopy(thing)) == repr(thing)
