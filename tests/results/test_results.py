"""`Results`: immutable, equal by content, selected, renamed, combined, completed."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from result_strategies import results

import podium
from podium import MeasureInfo, Results
from podium.errors import ConflictError, InputError
from slow_laws import few_examples


def small(**changes: object) -> Results:
    fields: dict[str, object] = {
        "values": np.arange(8.0).reshape(2, 2, 2, 1),
        "datasets": ("iris", "wine"),
        "replications": (1, 2),
        "algorithms": ("svm", "knn"),
        "measures": (MeasureInfo("error", "lower"),),
        "structure": {"fold": np.array([[1, 2], [1, 2]])},
    }
    return Results(**{**fields, **changes})


# Immutable


def test_arrays_cannot_be_written() -> None:
    whole = small()
    for array in (whole.values, whole.design, whole.reasons, whole.structure["fold"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1


def test_attributes_cannot_be_set() -> None:
    whole = small()
    for field in dataclasses.fields(whole):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(whole, field.name, None)
    with pytest.raises(TypeError):
        whole.structure["fold"] = np.zeros((2, 2))


@pytest.mark.parametrize("field", ["values", "design", "reasons"])
@pytest.mark.parametrize("view", [False, True])
def test_the_arrays_of_the_caller_are_copied(field: str, view: bool) -> None:
    mine = {
        "values": np.zeros((2, 2, 2, 1)),
        "design": np.ones((2, 2), bool),
        "reasons": np.ones((2, 2, 2, 1), np.uint8),
    }
    given_array = mine[field][:] if view else mine[field]
    if view:
        given_array.flags.writeable = False  # a locked view of an array that can be written
    values = np.full((2, 2, 2, 1), np.nan) if field == "reasons" else np.zeros((2, 2, 2, 1))
    whole = small(**{"values": values, field: given_array})
    before = getattr(whole, field).copy()
    mine[field][...] = 3
    assert np.array_equal(getattr(whole, field), before)


def test_a_frame_read_is_neither_changed_nor_aliased() -> None:
    frame = pd.DataFrame({"dataset": ["a", "b"], "svm": [1.0, 2.0], "knn": [3.0, 4.0]}, index=[5, 6])
    before = frame.copy(deep=True)
    whole = podium.read(frame, measure="error")
    pd.testing.assert_frame_equal(frame, before)
    frame.iloc[:, 1:] = 0.0
    assert whole.values.ravel().tolist() == [1, 3, 2, 4]


def test_exported_arrays_are_copies() -> None:
    whole = small()
    whole.to_array().values[...] = 9
    for frame in (whole.to_long(), whole.to_trials(), whole.to_wide()):
        frame.iloc[:, -1] = 9
    assert whole == small()


# Copies


@few_examples()
@given(results())
def test_pickles_and_copies_are_equal_and_locked(whole: Results) -> None:
    for again in (pickle.loads(pickle.dumps(whole)), copy.deepcopy(whole), copy.copy(whole)):
        assert type(again) is Results
        assert again == whole
        assert not again.values.flags.writeable
        assert (again.origin, again.reports) == (whole.origin, whole.reports)


# Equality


@few_examples()
@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_labels_does_not_matter(whole: Results, random) -> None:
    shuffled = {
        axis: random.sample(labels, len(labels))
        for axis, labels in {
            "datasets": whole.datasets,
            "replications": whole.replications,
            "algorithms": whole.algorithms,
            "measures": whole.measure_names,
        }.items()
    }
    assert whole.select(**shuffled) == whole


@pytest.mark.parametrize(
    "other",
    [
        small(values=np.arange(8.0).reshape(2, 2, 2, 1) + 1e-12),
        small(datasets=("iris", "cars")),
        small(algorithms=("svm", "tree")),
        small(replications=(1, 3)),
        small(measures=(MeasureInfo("error", "higher"),)),
        small(measures=(MeasureInfo("error", "lower", units="%"),)),
        small(structure={}),
        small(structure={"fold": np.array([[1, 2], [1, 3]])}),
        small(structure={"repeat": np.array([[1, 2], [1, 2]])}),
        small(design=np.array([[True, True], [True, False]])),
        small().select(algorithms="svm"),
        "something else",
    ],
)
def test_differences_are_seen(other: object) -> None:
    assert small() != other


def test_reasons_are_part_of_what_is_equal() -> None:
    missing = np.full((2, 2, 2, 1), np.nan)
    failed = small(values=missing, reasons=np.full(missing.shape, 2, np.uint8))
    assert failed != small(values=missing)
    assert failed == small(values=missing, reasons=np.full(missing.shape, 2, np.uint8))


def test_results_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(small())


# Selecting, dropping, renaming


def test_select_keeps_the_axes_and_the_given_order() -> None:
    part = small().select(datasets=["wine"], algorithms=["knn", "svm"])
    assert part.shape == (1, 2, 2, 1)
    assert part.algorithms == ("knn", "svm")
    assert part.values.ravel().tolist() == [5, 4, 7, 6]
    assert part.structure["fold"].tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("singular", "plural"),
    [
        ({"dataset": "iris"}, {"datasets": ["iris"]}),
        ({"algorithm": "svm"}, {"algorithms": ("svm",)}),
        ({"measure": "error"}, {"measures": iter(["error"])}),
        ({"replication": 2}, {"replications": ["2"]}),
        ({"replication": 2.0}, {"replications": np.array([2])}),
        ({"dataset": pd.Index(["iris"])}, {"datasets": {"iris": "a mapping's keys"}}),
    ],
)
def test_one_label_or_several(singular: dict[str, object], plural: dict[str, object]) -> None:
    assert small().select(**singular) == small().select(**plural)


def test_data_sets_and_replications_without_a_block_are_dropped() -> None:
    uneven = small(design=np.array([[True, True], [True, False]]))
    assert uneven.select(replications=2).datasets == ("iris",)
    assert uneven.select(datasets="wine").replications == (1,)


def test_drop_is_the_rest_of_select() -> None:
    assert small().drop(datasets="iris", algorithms=["knn"]) == small().select(dataset="wine", algorithm="svm")


def test_one_axis_has_two_names_everywhere() -> None:
    whole = small()
    assert whole.drop(dataset="iris", algorithm="knn") == whole.drop(datasets=["iris"], algorithms=["knn"])
    assert whole.drop(replication=1) == whole.drop(replications=[1])
    changes: dict[str, dict[int | str, str]] = {
        "dataset": {"iris": "i"},
        "algorithm": {"knn": "k"},
        "measure": {"error": "loss"},
        "replication": {1: "a"},
    }
    assert whole.rename(**changes) == whole.rename(**{f"{axis}s": names for axis, names in changes.items()})
    for method in (whole.drop, whole.rename):
        with pytest.raises(InputError) as caught:
            method(algorithm={"knn": "k"}, algorithms={"knn": "k"})
        assert str(caught.value) == "Give `algorithm` or `algorithms`, not both."


@few_examples()
@given(results())
def test_renaming_there_and_back(whole: Results) -> None:
    there = {name: f"new {i}" for i, name in enumerate(whole.algorithms)}
    back = {new: old for old, new in there.items()}
    renamed = whole.rename(algorithms=there)
    assert renamed.algorithms == tuple(there.values())
    assert np.array_equal(renamed.values, whole.values, equal_nan=True)
    assert renamed.rename(algorithms=back) == whole


# Combining


@few_examples()
@given(results())
def test_combining_with_itself_changes_nothing(whole: Results) -> None:
    assert whole.combine(whole) == whole
    assert whole.conflicts(whole).empty


@few_examples()
@given(results(), st.data())
def test_parts_combine_to_the_whole(whole: Results, data: st.DataObject) -> None:
    axis = data.draw(st.sampled_from(["datasets", "algorithms", "replications", "measures"]))
    labels = list(whole.measure_names if axis == "measures" else getattr(whole, axis))
    first = data.draw(st.lists(st.sampled_from(labels), min_size=1, unique=True))
    second = data.draw(st.lists(st.sampled_from(labels), min_size=1, unique=True))
    assume(set(first) | set(second) == set(labels))
    one, two = whole.select(**{axis: first}), whole.select(**{axis: second})
    assert one.combine(two) == whole
    assert two.combine(one) == whole


@few_examples()
@given(results(), st.data())
def test_combining_is_associative_and_commutative_without_conflicts(whole: Results, data: st.DataObject) -> None:
    parts = []
    for _ in range(3):
        chosen = data.draw(st.lists(st.sampled_from(whole.datasets), min_size=1, unique=True))
        algorithms = data.draw(st.lists(st.sampled_from(whole.algorithms), min_size=1, unique=True))
        parts.append(whole.select(datasets=chosen, algorithms=algorithms))
    a, b, c = parts
    assert a.combine(b).combine(c) == a.combine(b.combine(c))
    assert a.combine(b) == b.combine(a)


def test_conflicts_are_settled_by_the_argument() -> None:
    mine, theirs = small(), small(values=np.arange(8.0).reshape(2, 2, 2, 1) * 2)
    with pytest.raises(ConflictError):
        mine.combine(theirs)
    assert mine.combine(theirs, on_conflict="first") == mine
    assert mine.combine(theirs, on_conflict="second") == theirs
    report = mine.conflicts(theirs)
    assert report["second"].tolist() == (report["first"] * 2).tolist()
    assert len(report) == 7  # 0 is 0 in both


def test_a_value_fills_a_gap_and_a_reason_replaces_absence() -> None:
    gaps = small(values=np.full((2, 2, 2, 1), np.nan), reasons=np.full((2, 2, 2, 1), 3, np.uint8))
    assert gaps.combine(small()) == small() == small().combine(gaps)
    absent = small(values=np.full((2, 2, 2, 1), np.nan))
    assert absent.combine(gaps) == gaps == gaps.combine(absent)


def test_origins_and_reports_of_both_are_kept() -> None:
    one, two = small(origin="a.csv").resolve_missing("drop-block"), small(origin="b.csv").resolve_missing("raise")
    both = one.combine(two)
    assert both.origin == "a.csv + b.csv"
    assert [report.policy for report in both.reports] == ["drop-block", "raise"]


# Completing


@few_examples()
@given(results())
def test_completing_fills_the_grid_and_keeps_the_cells(whole: Results) -> None:
    full = whole.complete()
    assert full.design.all()
    assert full.complete() == full
    assert np.array_equal(full.values, whole.values, equal_nan=True)
    assert int(full.missing.sum()) - int(whole.missing.sum()) == full.cells - whole.cells
    assert whole.combine(full) == full


def test_completing_adds_labels_whose_cells_are_absent() -> None:
    full = small().complete(datasets=["car", "iris"], algorithms=["tree"], replications=[2, 3])
    assert full.datasets == ("iris", "wine", "car")
    assert full.algorithms == ("svm", "knn", "tree")
    assert full.replications == (1, 2, 3)
    assert set(full.missing_frame().reason) == {"absent"}
    assert int(full.missing.sum()) == 27 - 8
    assert full.structure["fold"].tolist() == [[1, 2, -1], [1, 2, -1], [-1, -1, -1]]
    assert full.select(datasets=["iris", "wine"], algorithms=["svm", "knn"], replications=[1, 2]) == small()


# Tables of the design


def test_the_replication_table_shows_what_is_known() -> None:
    table = small(design=np.array([[True, True], [True, False]])).replication_frame()
    expected = pd.DataFrame(
        {
            "dataset": ["iris", "iris", "wine"],
            "replication": [1, 2, 1],
            "repeat": pd.array([None] * 3, "Int64"),
            "fold": pd.array([1, 2, 1], "Int64"),
            "n_learn": pd.array([None] * 3, "Int64"),
            "n_test": pd.array([None] * 3, "Int64"),
            "independent": pd.array([None] * 3, "Int64"),
            "planned": pd.array([None] * 3, "Int64"),
        }
    )
    pd.testing.assert_frame_equal(table, expected)
