"""Missing cells: reasons, policies and their reports."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pandas as pd
import pytest

import podium
from podium import MeasureInfo, Results
from podium.results import MissingReport
from podium.results.missing import CommonBlocks

NAN = np.nan
# Two data sets × two replications × three algorithms; `wine` has one replication only.
VALUES = np.array([[[0.9, 0.8, 0.7], [0.6, NAN, 0.5]], [[NAN, 0.4, 0.3], [NAN, NAN, NAN]]])[..., None]
REASONS = np.array([[[0, 0, 0], [0, 3, 0]], [[2, 0, 0], [4, 4, 4]]], np.uint8)[..., None]
GAPS = Results(
    values=VALUES,
    reasons=REASONS,
    design=np.array([[True, True], [True, False]]),
    datasets=("iris", "wine"),
    replications=(1, 2),
    algorithms=("svm", "knn", "tree"),
    measures=(MeasureInfo("accuracy", "higher"),),
)


def report(policy: str, **done: object) -> MissingReport:
    return MissingReport(policy=policy, cells=9, missing=2, reasons={"failed": 1, "timeout": 1}, **done)


def test_cells_outside_the_design_are_not_missing() -> None:
    assert GAPS.cells == 9
    assert int(GAPS.missing.sum()) == 2
    assert int(GAPS.present.sum()) == 7
    assert GAPS.reasons[1, 1].ravel().tolist() == [1, 1, 1]


def test_missing_cells_are_listed_with_their_reasons() -> None:
    expected = pd.DataFrame(
        {
            "dataset": ["iris", "wine"],
            "algorithm": ["knn", "svm"],
            "replication": [2, 1],
            "measure": ["accuracy", "accuracy"],
            "reason": ["timeout", "failed"],
        }
    )
    pd.testing.assert_frame_equal(GAPS.missing_frame(), expected)


def test_drop_block() -> None:
    left = GAPS.resolve_missing("drop-block")
    assert left == GAPS.select(datasets="iris", replications=1)
    assert left.reports == (
        report("drop-block", dropped_blocks=(("iris", 2), ("wine", 1)), dropped_datasets=("wine",)),
    )
    assert str(left.reports[0]) == (
        "2 of 9 cells missing (1 failed, 1 timeout); drop-block: dropped 2 blocks, no block is left of 'wine'"
    )


def test_drop_algorithm() -> None:
    left = GAPS.resolve_missing("drop-algorithm")
    assert left == GAPS.select(algorithms="tree")
    assert left.reports == (report("drop-algorithm", dropped_algorithms=("svm", "knn")),)
    assert str(left.reports[0]) == ("2 of 9 cells missing (1 failed, 1 timeout); drop-algorithm: dropped 'svm', 'knn'")


def test_worst_value_is_the_worst_on_the_same_data_set() -> None:
    left = GAPS.resolve_missing("worst-value")
    assert left.values[0, 1, 1, 0] == 0.5
    assert left.values[1, 0, 0, 0] == 0.3
    assert not left.missing.any()
    assert np.array_equal(left.values[GAPS.present], GAPS.values[GAPS.present])
    assert np.array_equal(left.design, GAPS.design)
    assert left.reports == (report("worst-value", filled=2),)
    assert str(left.reports[0]) == (
        "2 of 9 cells missing (1 failed, 1 timeout); worst-value: 2 cells given the worst value of their data set"
    )


def test_worst_value_where_lower_is_better() -> None:
    costs = GAPS.replace(values=-GAPS.values, measures=(MeasureInfo("cost", "lower"),))
    assert np.array_equal(
        costs.resolve_missing("worst-value").values, -GAPS.resolve_missing("worst-value").values, equal_nan=True
    )


def test_available_leaves_everything_and_says_so() -> None:
    left = GAPS.resolve_missing("available")
    assert left == GAPS
    common = CommonBlocks(blocks=1, datasets=1, all_blocks=3, all_datasets=2)
    assert left.reports == (report("available", common=common),)
    assert not left.reports[0].ordered


@pytest.mark.parametrize("policy", ["raise", "drop-block", "drop-algorithm", "worst-value", "available"])
def test_complete_results_pass_every_policy_unchanged(policy: str) -> None:
    whole = podium.examples.load_demsar2006()
    left = whole.resolve_missing(policy)
    assert left == whole
    assert left.reports == (MissingReport(policy=policy, cells=56, missing=0),)
    assert str(left.reports[0]) == "no cell of 56 is missing"


def test_policies_are_the_same_everywhere() -> None:
    """Each way to an outcome without missing cells gives what resolving first gives."""
    for policy in ("drop-block", "drop-algorithm", "worst-value"):
        resolved = GAPS.resolve_missing(policy)
        assert GAPS.ranks(missing=policy) == resolved.ranks()
        assert GAPS.aggregate("mean", missing=policy) == resolved.aggregate("mean")
        assert GAPS.ranks(missing=policy).reports == resolved.reports


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("Error", "failed"),
        ("timed out", "timeout"),
        ("missing", "absent"),
        ("ok", "absent"),
        (None, "absent"),
    ],
)
def test_words_for_reasons(word: str | None, reason: str) -> None:
    frame = pd.DataFrame(
        {"algorithm": ["a", "b"], "accuracy": [1.0, None], "status": pd.Series(["done", word], dtype=object)}
    )
    assert podium.read(frame).missing_frame().reason.tolist() == [reason]


def test_a_trial_may_fail_in_some_measures_only() -> None:
    trials = pd.DataFrame(
        {"algorithm": ["a", "b"], "accuracy": [1.0, NAN], "fit_time": [2.0, 3.0], "status": ["ok", "failed"]}
    )
    results = podium.read(trials)
    assert results.missing_frame()[["algorithm", "measure", "reason"]].values.tolist() == [["b", "accuracy", "failed"]]
    # As a long table, each row carries the state of its trial.
    long = trials.melt(["algorithm", "status"], var_name="measure", value_name="value")
    assert podium.read(long) == results


# Reports cannot be changed, and can be copied


def test_reports_are_frozen() -> None:
    done = report("drop-block")
    with pytest.raises(dataclasses.FrozenInstanceError):
        done.missing = 0
    with pytest.raises(TypeError):
        done.reasons["failed"] = 0


def test_reports_are_copied_and_pickled() -> None:
    done = report("drop-block", dropped_blocks=(("iris", 2),))
    assert pickle.loads(pickle.dumps(done)) == done
    assert copy.deepcopy(done) == done
