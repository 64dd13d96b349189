"""Resampling schemes: file form, words, and what they refuse."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection

from podium.errors import InputError, LabelError
from podium.setup.dataset import Dataset, Generator, Sample
from podium.setup.resampling import (
    Bootstrap,
    CrossValidation,
    FreshDraws,
    HoldOut,
    Resampling,
    Reserve,
    SklearnSplitter,
    Split,
    Subsampling,
    five_by_two,
    resampling_scheme,
)

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
    five_by_two(),
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


def says(error: type[Exception], text: str) -> Any:
    return pytest.raises(error, match=f"^{re.escape(text)}$")


# File form


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.describe())
def test_the_file_form_makes_the_scheme_again(scheme: Resampling) -> None:
    assert resampling_scheme(scheme.spec) == scheme
    assert hash(resampling_scheme(scheme.spec)) == hash(scheme)
    assert isinstance(scheme, Resampling)


def test_the_file_form_of_each_scheme() -> None:
    assert Bootstrap(replications=10).spec == {"bootstrap": {"replications": 10, "test": "out-of-bag"}}
    assert Subsampling().spec == {"subsampling": {"replications": 100, "fraction": "2/3"}}
    assert HoldOut(fraction=0.8, stratify=True).spec == {"hold-out": {"fraction": 0.8, "stratify": True}}
    assert five_by_two().spec == {"cross-validation": {"folds": 2, "repeats": 5, "stratify": True}}
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
        ("5x2cv", five_by_two()),
        ("5×2 cv", five_by_two()),
        ({"5x2cv": {"stratify": False}}, five_by_two(stratify=False)),
        ({"bootstrap": None}, Bootstrap()),
        ({"hold-out": {"fraction": "3/4"}}, HoldOut(fraction=0.75)),
        ({"reserve": {"then": "bootstrap"}}, Reserve(then=Bootstrap())),
        (Bootstrap(replications=3), Bootstrap(replications=3)),
    ],
)
def test_a_scheme_can_be_named(given: object, meant: Resampling) -> None:
    assert resampling_scheme(given) == meant


def test_an_option_of_a_wider_scheme_leads_there() -> None:
    """A hold-out with replications is subsampling; misspelt options are still corrected."""
    with pytest.raises(LabelError) as error:
        HoldOut(replications=2)  # type: ignore[call-arg]
    assert str(error.value) == (
        "HoldOut() has no option 'replications'. It has 'fraction', 'stratify'. 'replications' is an option of "
        "'Subsampling'."
    )
    with pytest.raises(LabelError) as error:
        resampling_scheme({"hold-out": {"replications": 2}})
    assert str(error.value) == (
        "The scheme 'hold-out' has no parameter 'replications'. It has 'fraction', 'stratify'. 'replications' is a "
        "parameter of 'subsampling'."
    )
    with pytest.raises(LabelError, match=r" Did you mean 'fraction'\?$"):
        HoldOut(fracton=0.5)  # type: ignore[call-arg]
    with pytest.raises(LabelError, match=r" Did you mean 'repeats'\?$"):
        CrossValidation(replications=3)  # type: ignore[call-arg]


def test_a_splitter_of_scikit_learn_is_a_scheme() -> None:
    splitter = model_selection.ShuffleSplit(5)
    assert resampling_scheme(splitter) == SklearnSplitter(splitter=splitter)
    assert resampling_scheme(splitter) != SklearnSplitter(splitter=model_selection.ShuffleSplit(6))
    assert resampling_scheme(splitter) != Bootstrap()


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


# Words


def test_schemes_describe_themselves() -> None:
    words = [scheme.describe() for scheme in SCHEMES]
    assert words == [
        "bootstrapping (250 replications), with the out-of-bag observations as test sample",
        "bootstrapping within classes (10 replications), with a second bootstrap sample as test sample",
        "subsampling 2/3 of the observations (100 replications), with the remaining observations as test sample",
        "subsampling 0.123456789 of the observations of each class (7 replications), with the remaining observations "
        "as test sample",
        "a single split (hold-out) of 2/3 of the observations, with the remaining observations as test sample",
        "a single split (hold-out) of 0.9 of the observations of each class, with the remaining observations as test "
        "sample",
        "10-fold cross-validation",
        "stratified 3-fold cross-validation, repeated 4 times",
        "grouped 10-fold cross-validation",
        "stratified 2-fold cross-validation, repeated 5 times",
        "sampling afresh from the data generating process (100 replications), with a new test sample of 1,000 "
        "observations",
        "sampling 20 observations afresh from the data generating process (3 replications), with one fixed test sample "
        "of 50 observations",
        "stratified 2-fold cross-validation, repeated 5 times, after 1/3 of the observations had been set aside",
        "bootstrapping (5 replications), with the out-of-bag observations as test sample, after 0.25 of the "
        "observations of each class had been set aside",
        "scikit-learn's StratifiedShuffleSplit(n_splits=50, test_size=0.2)",
        "scikit-learn's RepeatedKFold(n_splits=3, n_repeats=2)",
        "scikit-learn's KFold(n_splits=5, shuffle=True)",
    ]


# What is refused: arguments

WRONG_ARGUMENTS: list[tuple[Any, dict[str, Any], str]] = [
    (Bootstrap, {"replications": 0}, "`replications` must be a whole number of at least 1; got 0."),
    (Bootstrap, {"replications": True}, "`replications` must be a whole number of at least 1; got True."),
    (Bootstrap, {"replications": 2.5}, "`replications` must be a whole number of at least 1; got 2.5."),
    (Bootstrap, {"test": "oob"}, "`test` must be one of 'out-of-bag', 'bootstrap'; got 'oob'."),
    (Bootstrap, {"stratify": "yes"}, "`stratify` must be True or False; got 'yes'."),
    (Subsampling, {"fraction": 1.0}, "`fraction` must be a number between 0 and 1; got 1.0."),
    (Subsampling, {"fraction": "half"}, "`fraction` must be a number between 0 and 1; got 'half'."),
    (Subsampling, {"replications": -1}, "`replications` must be a whole number of at least 1; got -1."),
    (HoldOut, {"fraction": float("nan")}, "`fraction` must be a number between 0 and 1; got nan."),
    (HoldOut, {"stratify": 1}, "`stratify` must be True or False; got 1."),
    (CrossValidation, {"folds": 1}, "`folds` must be a whole number of at least 2; got 1."),
    (CrossValidation, {"repeats": 0}, "`repeats` must be a whole number of at least 1; got 0."),
    (CrossValidation, {"grouped": "no"}, "`grouped` must be True or False; got 'no'."),
    (
        CrossValidation,
        {"stratify": True, "grouped": True},
        "`stratify` and `grouped` cannot be combined; choose one, or use scikit-learn's StratifiedGroupKFold, which "
        "keeps groups together and stratifies as far as possible.",
    ),
    (FreshDraws, {"replications": 0}, "`replications` must be a whole number of at least 1; got 0."),
    (FreshDraws, {"n_learn": 0}, "`n_learn` must be a whole number of at least 1; got 0."),
    (FreshDraws, {"n_test": 0}, "`n_test` must be a whole number of at least 1; got 0."),
    (FreshDraws, {"test": "old"}, "`test` must be one of 'new', 'fixed'; got 'old'."),
    (Reserve, {"fraction": 2}, "`fraction` must be a number between 0 and 1; got 2."),
    (
        Reserve,
        {"then": FreshDraws()},
        "`then` must be a scheme that resamples, such as CrossValidation(); got a FreshDraws.",
    ),
    (Reserve, {"then": "cv"}, "`then` must be a scheme that resamples, such as CrossValidation(); got 'cv'."),
    (
        Reserve,
        {"then": CrossValidation(grouped=True)},
        "`then` keeps groups together, and a reserve does not. Use grouped=False.",
    ),
    (
        SklearnSplitter,
        {"splitter": model_selection.KFold},
        "`splitter` must be an object with the methods split(X, y, groups) and get_n_splits(), such as "
        "sklearn.model_selection.ShuffleSplit(50); got <class 'sklearn.model_selection._split.KFold'>.",
    ),
    (
        SklearnSplitter,
        {"splitter": model_selection.LeaveOneOut()},
        "The number of splits of `splitter` LeaveOneOut depends on the data; use one with a fixed number.",
    ),
]


@pytest.mark.parametrize(("scheme", "arguments", "text"), WRONG_ARGUMENTS)
def test_wrong_arguments_are_refused(scheme: Any, arguments: dict[str, Any], text: str) -> None:
    with says(InputError, text):
        scheme(**arguments)


# What is refused: file forms

WRONG_SPECS: list[tuple[object, type[Exception], str]] = [
    (
        "bootsrap",
        LabelError,
        "There is no resampling scheme 'bootsrap'. The schemes are 'bootstrap', 'subsampling', 'hold-out', "
        "'cross-validation', 'fresh-draws', 'reserve', '5x2cv'; a splitter of scikit-learn is {class: ..., "
        "parameters: ...}. Did you mean 'bootstrap'?",
    ),
    (
        {"bootstrap": {"replicatons": 3}},
        LabelError,
        "The scheme 'bootstrap' has no parameter 'replicatons'. It has 'replications', 'test', 'stratify'. Did you "
        "mean 'replications'?",
    ),
    (
        {"5x2cv": {"folds": 3}},
        LabelError,
        "The scheme '5x2cv' has no parameter 'folds'. It has 'stratify'.",
    ),
    (
        {"bootstrap": 250},
        InputError,
        "`bootstrap` must be a mapping from names to values; got 250.",
    ),
    (
        {"bootstrap": {}, "test": "out-of-bag"},
        InputError,
        "`resampling` must be one scheme with its parameters, such as {bootstrap: {replications: 100}}; got the keys "
        "'bootstrap', 'test'.",
    ),
    (
        3,
        InputError,
        "`resampling` must be a name, a mapping, a scheme such as podium.Bootstrap(replications=100), or a splitter of "
        "scikit-learn; got 3.",
    ),
    (
        {"hold-out": {"fraction": "1/0"}},
        InputError,
        "`fraction` must be a number between 0 and 1; got '1/0'.",
    ),
    (
        {"class": "ShuffleSplit"},
        InputError,
        "`class` must be a module and a name in it, such as 'sklearn.svm.SVC'; got 'ShuffleSplit'.",
    ),
    (
        {"class": "sklearn.model_selection.ShufleSplit"},
        InputError,
        "`class` 'sklearn.model_selection.ShufleSplit': the module 'sklearn.model_selection' has no 'ShufleSplit'. "
        "Did you mean 'ShuffleSplit'?",
    ),
    (
        {"class": "no.such.Splitter"},
        InputError,
        "`class` 'no.such.Splitter' cannot be imported: No module named 'no'. Install the package; your own module is "
        "found if its folder is in the environment variable PYTHONPATH.",
    ),
    (
        {"class": "collections.OrderedDict"},
        InputError,
        "`class` 'collections.OrderedDict' is not a splitter: it lacks split(X, y, groups) or get_n_splits().",
    ),
    (
        {"class": "sklearn.model_selection.KFold", "n_splits": 5},
        LabelError,
        "A splitter has no key 'n_splits'. It has 'class', 'parameters'.",
    ),
    (
        {"class": "sklearn.model_selection.KFold", "parameters": {"folds": 5}},
        LabelError,
        "The splitter KFold has no parameter 'folds'. It has 'n_splits', 'shuffle', 'random_state'.",
    ),
]


@pytest.mark.parametrize(("spec", "error", "text"), WRONG_SPECS)
def test_wrong_file_forms_are_refused(spec: object, error: type[Exception], text: str) -> None:
    with says(error, text):
        resampling_scheme(spec)


def test_what_scikit_learn_refuses_is_refused() -> None:
    start = re.escape("The splitter KFold does not accept these `parameters`: ")
    with pytest.raises(InputError, match=f"^{start}.*n_splits=1"):
        resampling_scheme({"class": "sklearn.model_selection.KFold", "parameters": {"n_splits": 1}})


# What is refused: data

WRONG_DATA: list[tuple[Resampling, Dataset, str]] = [
    (
        Bootstrap(stratify=True),
        data(2),
        "No observation of the data set 'd' (2 observations) stays out of the bag. Use test='bootstrap'.",
    ),
    (
        Bootstrap(stratify=True),
        data(task="regression"),
        "`stratify=True` needs classes, and the task of 'd' is regression. Use stratify=False.",
    ),
    (
        Subsampling(fraction=0.01),
        data(),
        "`fraction=0.01` of the 12 observations of 'd' leaves the learning or the test sample empty.",
    ),
    (CrossValidation(folds=13), data(), "`folds=13` is more than the 12 observations of 'd'."),
    (
        CrossValidation(grouped=True),
        data(),
        "`grouped=True` needs groups, and 'd' has none. Name the column that holds them: podium.dataset(..., "
        "groups=...).",
    ),
    (
        CrossValidation(folds=4, grouped=True),
        data(groups=np.arange(12) // 4),
        "`folds=4` is more than the 3 groups of 'd'.",
    ),
    (
        FreshDraws(),
        data(),
        "Fresh draws need a generator, but 'd' is a finite data set. Use Bootstrap, Subsampling or CrossValidation "
        "for it.",
    ),
    (
        Reserve(fraction=0.5, stratify=True, then=Bootstrap()),
        data(2),
        "Setting 0.5 of 'd' aside leaves only one of its 2 classes. Use a smaller fraction or stratify=True.",
    ),
    (
        SklearnSplitter(splitter=model_selection.KFold(20)),
        data(),
        "`splitter` KFold cannot make split 1 of 'd': Cannot have number of splits n_splits=20 greater than the number "
        "of samples: n_samples=12.",  # the end is scikit-learn's
    ),
]


@pytest.mark.parametrize(("scheme", "dataset", "text"), WRONG_DATA)
def test_data_that_do_not_suit_the_scheme_are_refused(scheme: Resampling, dataset: Dataset, text: str) -> None:
    with says(InputError, text):
        scheme.split(dataset, 1, 1)


@pytest.mark.parametrize("replication", [0, 6, -1, 1.0, True, "1"])
def test_a_replication_outside_the_design_is_refused(replication: Any) -> None:
    text = f"`replication` must be a whole number from 1 to 5; got {replication!r}."
    for scheme in (Bootstrap(replications=5), Subsampling(replications=5), CrossValidation(folds=5)):
        with says(InputError, text):
            scheme.split(data(), replication, 1)
    process = Generator(name="g", draw_sample=lambda n, rng: Sample(pd.DataFrame({"x": rng.random(n)})))
    with says(InputError, text):
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
    with pytest.raises(InputError, match="too many positional arguments"):
        CrossValidation(5, 10)  # which is which: folds or repeats?
