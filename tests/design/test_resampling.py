"""Resampling schemes: file form, words, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection

from podium.design.dataset import Dataset, Generator
from podium.design.resampling import (
    Bootstrap,
    CrossValidation,
    FreshDraws,
    HoldOut,
    Resampling,
    Reserve,
    SklearnSplitter,
    Split,
    Subsampling,
    as_resampling,
)
from podium.design.sample import Sample
from podium.errors import InputError

SCHEMES: list[Resampling] = [
    Bootstrap(),
    Bootstrap(replications=10, test="bootstrap", stratify=True),
    Subsampling(),
    Subsampling(replications=7, fraction=0.123456789, stratify=True),
    HoldOut(),
    HoldOut(fraction=0.9, stratify=True),
    CrossValidation(),
    CrossValidation(folds=3, repeats=4, stratify=True),
    CrossValidation(grouped=True),
    CrossValidation.five_by_two(),
    FreshDraws(),
    FreshDraws(replications=3, n_learn=20, n_test=50, test="fixed"),
    Reserve(),
    Reserve(fraction=0.25, stratify=True, then=Bootstrap(replications=5)),
    SklearnSplitter(splitter=model_selection.StratifiedShuffleSplit(50, test_size=0.2)),
    SklearnSplitter(splitter=model_selection.RepeatedKFold(n_splits=3, n_repeats=2)),
    SklearnSplitter(splitter=model_selection.KFold(5, shuffle=True)),
]


def data(n: int = 12, task: str = "classification", groups: Any = None) -> Dataset:
    X = pd.DataFrame({"x": np.arange(n, dtype=float)})
    y = pd.Series(np.arange(n) % 2)
    return Dataset(name="d", X=X, y=y, task=task, groups=groups)  # type: ignore[arg-type]


# File form


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.describe())
def test_the_file_form_makes_the_scheme_again(scheme: Resampling) -> None:
    assert as_resampling(scheme.spec) == scheme
    assert hash(as_resampling(scheme.spec)) == hash(scheme)
    assert isinstance(scheme, Resampling)


def test_the_file_form_of_each_scheme() -> None:
    assert Bootstrap(replications=10).spec == {"bootstrap": {"replications": 10, "test": "out-of-bag"}}
    assert Subsampling().spec == {"subsampling": {"replications": 100, "fraction": "2/3"}}
    assert HoldOut(fraction=0.8, stratify=True).spec == {"hold-out": {"fraction": 0.8, "stratify": True}}
    assert CrossValidation.five_by_two().spec == {"cross-validation": {"folds": 2, "repeats": 5, "stratify": True}}
    assert FreshDraws().spec == {"fresh-draws": {"replications": 100, "n_test": 1000, "test": "new"}}
    assert Reserve(then=HoldOut()).spec == {"reserve": {"fraction": "1/3", "then": {"hold-out": {"fraction": "2/3"}}}}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("bootstrap", Bootstrap()),
        ("Hold out", HoldOut()),
        ("holdout", HoldOut()),
        ("cross_validation", CrossValidation()),
        ("cv", CrossValidation()),
        ("5x2cv", CrossValidation.five_by_two()),
        ("5×2 cv", CrossValidation.five_by_two()),
        ({"5x2cv": {"stratify": False}}, CrossValidation.five_by_two(stratify=False)),
        ({"bootstrap": None}, Bootstrap()),
        ({"hold-out": {"fraction": "3/4"}}, HoldOut(fraction=0.75)),
        ({"reserve": {"then": "bootstrap"}}, Reserve(then=Bootstrap())),
        (Bootstrap(replications=3), Bootstrap(replications=3)),
    ],
)
def test_a_scheme_can_be_named(given: object, meant: Resampling) -> None:
    assert as_resampling(given) == meant


def test_a_splitter_of_scikit_learn_is_a_scheme() -> None:
    splitter = model_selection.ShuffleSplit(5)
    assert as_resampling(splitter) == SklearnSplitter(splitter=splitter)
    assert as_resampling(splitter) != SklearnSplitter(splitter=model_selection.ShuffleSplit(6))
    assert as_resampling(splitter) != Bootstrap()


def test_a_splitter_with_an_array_or_of_the_user_has_no_file_form() -> None:
    class Own:
        def get_n_splits(self) -> int:
            return 2

        def split(self, X: Any, y: Any = None, groups: Any = None) -> Any:
            yield [0, 1], [2]
            yield [0], [1, 2]

    own = SklearnSplitter(splitter=Own())
    assert own.spec is None
    assert own.describe() == "the splitter Own (2 splits)"
    assert own.split(data(), 2, 1).test.tolist() == [1, 2]
    predefined = SklearnSplitter(splitter=model_selection.PredefinedSplit([0, 0, 1, 1]))
    assert predefined.spec is None
    assert Reserve(then=predefined).spec is None


def test_schemes_describe_themselves() -> None:
    assert Bootstrap(replications=10, test="bootstrap", stratify=True).describe() == (
        "bootstrapping within classes (10 replications), with a second bootstrap sample as test sample"
    )
    assert len({scheme.describe() for scheme in SCHEMES}) == len(SCHEMES)


# What is refused

REFUSED: list[Callable[[], Any]] = [
    lambda: Bootstrap(replications=2.5),  # type: ignore[arg-type]
    lambda: Bootstrap(replications=10**30),
    lambda: Bootstrap(test="oob"),  # type: ignore[arg-type]
    lambda: Bootstrap(stratify="yes"),  # type: ignore[arg-type]
    lambda: Subsampling(fraction=1.0),
    lambda: HoldOut(fraction=float("nan")),
    lambda: CrossValidation(folds=1),
    lambda: CrossValidation(5, 10),  # which is which: folds or repeats?
    lambda: CrossValidation(stratify=True, grouped=True),
    lambda: FreshDraws(n_learn=0),
    lambda: FreshDraws(test="old"),  # type: ignore[arg-type]
    lambda: Reserve(then=FreshDraws()),
    lambda: Reserve(then=CrossValidation(grouped=True)),
    lambda: SklearnSplitter(splitter=model_selection.KFold),
    lambda: SklearnSplitter(splitter=model_selection.LeaveOneOut()),
    # file forms
    lambda: as_resampling("bootsrap"),
    lambda: as_resampling({"bootstrap": {"replicatons": 3}}),
    lambda: as_resampling({"5x2cv": {"folds": 3}}),
    lambda: as_resampling({"bootstrap": 250}),
    lambda: as_resampling({"bootstrap": {}, "test": "out-of-bag"}),
    lambda: as_resampling({"hold-out": {"fraction": "1/0"}}),
    lambda: as_resampling({"class": "no.such.Splitter"}),
    lambda: as_resampling({"class": "collections.OrderedDict"}),
    lambda: as_resampling({"class": "sklearn.model_selection.KFold", "n_splits": 5}),
    lambda: as_resampling({"class": "sklearn.model_selection.KFold", "parameters": {"n_splits": 1}}),
    # data that do not suit the scheme
    lambda: Bootstrap(stratify=True).split(data(2), 1, 1),
    lambda: Bootstrap(stratify=True).split(data(task="regression"), 1, 1),
    lambda: Subsampling(fraction=0.01).split(data(), 1, 1),
    lambda: CrossValidation(folds=13).split(data(), 1, 1),
    lambda: CrossValidation(grouped=True).split(data(), 1, 1),
    lambda: CrossValidation(folds=4, grouped=True).split(data(groups=np.arange(12) // 4), 1, 1),
    lambda: FreshDraws().split(data(), 1, 1),
    lambda: Reserve(fraction=0.5, stratify=True, then=Bootstrap()).split(data(2), 1, 1),
    lambda: SklearnSplitter(splitter=model_selection.KFold(20)).split(data(), 1, 1),
]


@pytest.mark.parametrize("wrong", REFUSED)
def test_what_no_sample_can_be_drawn_by_is_refused(wrong: Callable[[], Any]) -> None:
    with pytest.raises(InputError):
        wrong()


@pytest.mark.parametrize("replication", [0, 6, -1, 1.0, True, "1"])
def test_a_replication_outside_the_design_is_refused(replication: Any) -> None:
    text = rf"^`replication` must be a whole number from 1 to 5; got {replication!r}\.$"
    for scheme in (Bootstrap(replications=5), Subsampling(replications=5), CrossValidation(folds=5)):
        with pytest.raises(InputError, match=text):
            scheme.split(data(), replication, 1)
    process = Generator(name="g", draw_sample=lambda n, rng: Sample(pd.DataFrame({"x": rng.random(n)})))
    with pytest.raises(InputError, match=text):
        FreshDraws(replications=5).draw(process, replication, 1)


def test_a_split_cannot_be_changed() -> None:
    split = Bootstrap().split(data(), 1, 1)
    assert isinstance(split, Split)
    with pytest.raises(ValueError, match="read-only"):
        split.learn[0] = 3


def test_the_first_parameter_needs_no_name() -> None:
    assert Bootstrap(20) == Bootstrap(replications=20)
    assert Subsampling(20) == Subsampling(replications=20)
    assert FreshDraws(20) == FreshDraws(replications=20)
    assert CrossValidation(5) == CrossValidation(folds=5)
    assert HoldOut(0.5) == HoldOut(fraction=0.5)


def test_a_list_of_positions_is_a_split() -> None:
    split = Split([0, 2], [1])  # type: ignore[arg-type]
    assert (split.learn.tolist(), split.test.tolist(), split.learn.flags.writeable) == ([0, 2], [1], False)
    with pytest.raises(InputError, match=r"^`test` must be a list of positions; got \[0\.5\]\.$"):
        Split([0], [0.5])  # type: ignore[arg-type]
