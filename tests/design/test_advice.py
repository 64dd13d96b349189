"""Advice: each finding where it belongs, and nowhere else."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, GroupShuffleSplit, RepeatedKFold, ShuffleSplit
from sklearn.svm import SVC

import podium


def data(classes: Any, name: str = "toy", **more: Any) -> podium.Dataset:
    classes = np.asarray(classes)
    X = pd.DataFrame({"a": np.arange(len(classes), dtype=float)})
    return podium.Dataset(name=name, X=X, y=pd.Series(classes.astype(str)), **more)


@functools.cache
def domain() -> list[podium.Dataset]:
    """Six small data sets, made once."""
    return [data(np.arange(120) % 2, f"toy {i}") for i in range(6)]


def sound(**changes: Any) -> podium.Experiment:
    """A design without weaknesses, apart from the changes."""
    arguments: dict[str, Any] = {
        "datasets": domain(),
        "algorithms": ["lda", "rpart", "constant"],
        "resampling": podium.Bootstrap(replications=20),
        "measures": ["misclassification", "fit time"],
    }
    return podium.Experiment(**{**arguments, **changes})


def topics(**changes: Any) -> list[str]:
    return [item.topic for item in sound(**changes).advice()]


def only(topic: str, **changes: Any) -> podium.design.Advice:
    (found,) = [item for item in sound(**changes).advice() if item.topic == topic]
    return found


def test_a_sound_design_gets_no_advice() -> None:
    assert sound().advice() == []


def test_an_advice_has_a_finding_a_reason_and_a_way_out() -> None:
    item = only("few replications", resampling=podium.Bootstrap(replications=19))
    assert item.finding == "There are 19 replications per data set."
    assert item.reason and item.way_out
    assert str(item).startswith("few replications\n  There are 19 replications per data set. ")


# Replications


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        (podium.HoldOut(), ["one replication"]),
        (podium.Subsampling(replications=19), ["few replications"]),
        (podium.Subsampling(replications=20), []),
        (podium.CrossValidation(folds=10), ["few replications", "dependent folds"]),
        (podium.CrossValidation(folds=10, repeats=10), ["dependent folds"]),
        (podium.CrossValidation.five_by_two(), []),
        (podium.design.Reserve(then=podium.CrossValidation(folds=5, repeats=4)), ["dependent folds"]),
        (RepeatedKFold(n_splits=5, n_repeats=4), ["dependent folds"]),
        (ShuffleSplit(20, test_size=0.3), []),
    ],
)
def test_replications_and_folds(scheme: Any, expected: list[str]) -> None:
    assert topics(resampling=scheme) == expected


def test_the_shared_part_is_right() -> None:
    scheme = podium.CrossValidation(folds=10)
    made = sound(datasets=[data(np.arange(100) % 2)], resampling=scheme)
    one, two = (set(made.sample("toy", b).learn) for b in (1, 2))
    assert len(one & two) / len(one) == pytest.approx(8 / 9)
    assert "share 8 of 9 parts of their observations" in only("dependent folds", resampling=scheme).reason


# Test samples


def test_small_test_samples() -> None:
    item = only("small test samples", datasets=[data(np.arange(40) % 2), "sonar"], resampling=podium.CrossValidation())
    assert item.finding == "Test samples have fewer than 10 observations in toy (4)."
    assert "small test samples" not in topics(datasets=[data(np.arange(40) % 2)], resampling=podium.Bootstrap())


def test_a_small_fixed_test_sample() -> None:
    processes = ["circle", "spirals", "twonorm", "ringnorm", "threenorm", "ds1"]

    def fresh(**more: Any) -> list[str]:
        return topics(datasets=processes, resampling=podium.FreshDraws(**more))

    assert fresh(test="fixed", n_test=999) == ["small fixed test sample"]
    assert fresh(test="fixed", n_test=1000) == []
    assert fresh(test="new", n_test=10) == []


# Data sets


@pytest.mark.parametrize(("m", "p"), [(2, "0.5"), (5, "0.0625")])
def test_few_data_sets(m: int, p: str) -> None:
    assert f"two-sided sign test is at least {p}." in only("few data sets", datasets=domain()[:m]).reason


def test_the_smallest_p_of_a_sign_test() -> None:
    from scipy.stats import binomtest

    assert [binomtest(0, m).pvalue < 0.05 for m in (5, 6)] == [False, True]  # hence six data sets at least


def test_settings_of_one_process_are_not_a_domain() -> None:
    item = only("one process", datasets=podium.grid("circle", d=[1, 2, 3, 10, 11, 12]))
    assert item.finding == "All data sets are settings of circle."
    mixed = ["sonar", podium.grid("circle", d=[1, 2, 3, 10, 11])]
    assert topics(datasets=mixed) == []


def test_groups_that_are_torn_apart() -> None:
    grouped = data(np.arange(60) % 2, groups=np.arange(60) // 4)
    item = only("split groups", datasets=[grouped, "sonar"])
    assert item.finding == (
        "The observations of 'toy' belong to groups, and the resampling does not keep them together."
    )
    assert "split groups" not in topics(
        datasets=[grouped], resampling=podium.CrossValidation(folds=5, repeats=4, grouped=True)
    )
    assert "split groups" not in topics(datasets=[grouped], resampling=GroupShuffleSplit(20))


# Classes


def test_a_class_that_is_missing_from_samples() -> None:
    rare = data(np.r_[np.zeros(97), np.ones(3)])
    item = only("small class", datasets=[rare])
    made = sound(datasets=[rare])
    codes = rare.y.cat.codes.to_numpy()
    lacking = sum(
        len(np.unique(codes[made.sample("toy", b).learn])) < 2 or len(np.unique(codes[made.sample("toy", b).test])) < 2
        for b in range(1, 21)
    )
    assert lacking > 0
    assert item.finding == (
        f"The class '1.0' of toy has three observations; the learning or the test sample lacks it in {lacking} of the "
        "first 20 replications."
    )


def test_classes_too_small_for_the_folds() -> None:
    few = data(np.r_[np.zeros(60), np.ones(4)])
    folds = podium.CrossValidation(folds=5, repeats=4, stratify=True)
    item = only("small class", datasets=[few], resampling=folds)
    assert "lacks it in 4 of the first 20 replications" in item.finding  # one fold of each repeat has none
    enough = data(np.r_[np.zeros(60), np.ones(5)])
    assert "small class" not in topics(datasets=[enough], resampling=folds)


def test_skewed_classes() -> None:
    skewed = data(np.r_[np.zeros(450), np.ones(50)])
    item = only("skewed classes", datasets=[skewed])
    assert item.finding == "One class has 90% of the observations or more in toy (90%)."
    assert "skewed classes" not in topics(datasets=[skewed], measures=["misclassification", "auc"])
    assert "skewed classes" not in topics(datasets=[data(np.r_[np.zeros(449), np.ones(51)])])


# Algorithms


def test_a_missing_control_is_reported_and_a_control_recognised() -> None:
    assert topics(algorithms=["lda", "rpart"]) == ["no control"]
    assert topics(algorithms="lda") == ["nothing to compare"]
    for control in (
        DummyClassifier(),
        podium.Algorithm.named("nb").renamed("my baseline"),
        podium.Algorithm.named("constant").renamed("c"),
    ):
        assert topics(algorithms=["lda", control]) == []
    assert topics(algorithms=["lda", podium.Algorithm.named("nb").renamed("undummying")]) == ["no control"]


def test_tuning_on_copies() -> None:
    search = podium.Algorithm("tuned", GridSearchCV(SVC(), {"C": [1, 10]}), encoding="one-hot")
    item = only("tuning on copies", algorithms=[search, "constant"])
    assert item.finding == "Within bootstrap samples, 'tuned' tunes by cross-validation."
    assert topics(algorithms=[search, "constant"], resampling=podium.Subsampling(replications=20)) == []
    assert topics(algorithms=["svm", "constant"]) == []
