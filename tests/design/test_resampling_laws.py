"""Every resampling scheme against its laws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
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
)
from podium.design.sample import Sample
from slow_laws import few_examples

seeds = st.integers(0, 2**32)
CLASSES = st.integers(2, 4)


def data(classes: list[int] | np.ndarray, name: str = "d", groups: object = None) -> Dataset:
    """A data set with these classes; its only attribute is the position."""
    classes = np.asarray(classes)
    X = pd.DataFrame({"position": np.arange(len(classes), dtype=float)})
    return Dataset(name=name, X=X, y=pd.Series(classes.astype(str)), groups=groups)


@st.composite
def datasets(draw: st.DrawFn, least: int = 12, most: int = 80) -> Dataset:
    """A data set with two to four classes of any frequency, in any order."""
    n = draw(st.integers(least, most))
    k = draw(CLASSES)
    # Any number of k: bytes are drawn at once, numbers one by one.
    classes = np.frombuffer(draw(st.binary(min_size=n, max_size=n)), np.uint8) % k
    classes[:k] = range(k)
    return data(classes)


@st.composite
def schemes(draw: st.DrawFn) -> Resampling:
    """Any scheme that splits a data set of twelve or more observations."""
    replications, stratify = draw(st.integers(1, 8)), draw(st.booleans())
    fraction = draw(st.floats(0.2, 0.8))
    return draw(
        st.sampled_from(
            [
                Bootstrap(replications=replications),
                Bootstrap(replications=replications, test="bootstrap", stratify=stratify),
                Subsampling(replications=replications, fraction=fraction, stratify=stratify),
                HoldOut(fraction=fraction, stratify=stratify),
                CrossValidation(folds=draw(st.integers(2, 6)), repeats=draw(st.integers(1, 3)), stratify=stratify),
                CrossValidation.five_by_two(),
                SklearnSplitter(splitter=model_selection.ShuffleSplit(replications, test_size=0.3)),
                SklearnSplitter(splitter=model_selection.RepeatedKFold(n_splits=3, n_repeats=2)),
            ]
        )
    )


def same(a: Split, b: Split) -> bool:
    return (
        np.array_equal(a.learn, b.learn) and np.array_equal(a.test, b.test) and (a.repeat, a.fold) == (b.repeat, b.fold)
    )


def per_class(dataset: Dataset, positions: np.ndarray) -> np.ndarray:
    codes = dataset.y.cat.codes.to_numpy()
    return np.bincount(codes[positions], minlength=len(dataset.classes))


# What every scheme promises


@few_examples()
@given(datasets(), schemes(), seeds, st.data())
def test_the_same_identity_gives_the_same_sample(
    dataset: Dataset, scheme: Resampling, seed: int, choose: st.DataObject
) -> None:
    replication = choose.draw(st.integers(1, scheme.replications))
    first = scheme.split(dataset, replication, seed)
    for other in choose.draw(st.permutations(range(1, scheme.replications + 1))):  # in whatever order others are drawn
        scheme.split(dataset, other, seed)
    scheme.split(data([0, 1] * 20, "another"), 1, seed)
    assert same(first, scheme.split(dataset, replication, seed))
    assert same(first, scheme.split(dataset, np.int64(replication), seed))


@given(datasets(), schemes(), seeds)
def test_samples_lie_in_the_data_set_are_disjoint_and_cover_it_where_promised(
    dataset: Dataset, scheme: Resampling, seed: int
) -> None:
    promised = not (isinstance(scheme, Bootstrap) and scheme.test == "bootstrap")
    for replication in range(1, scheme.replications + 1):
        split = scheme.split(dataset, replication, seed)
        for positions in (split.learn, split.test):
            assert len(positions)
            assert positions.dtype == np.intp
            assert positions.min() >= 0
            assert positions.max() < len(dataset)
            assert not positions.flags.writeable
        if promised:
            assert not np.intersect1d(split.learn, split.test).size
            assert len(np.unique(split.test)) == len(split.test)
            assert np.array_equal(np.union1d(split.learn, split.test), np.arange(len(dataset)))


BIG = np.arange(60) % 3
GROWING: list[tuple[Callable[[int], Resampling], int, int]] = [
    (lambda b: Bootstrap(replications=b), 3, 9),
    (lambda b: Bootstrap(replications=b, test="bootstrap"), 3, 9),
    (lambda b: Subsampling(replications=b), 3, 9),
    (lambda b: CrossValidation(folds=3, repeats=b), 2, 4),
    (lambda b: Reserve(then=CrossValidation(folds=2, repeats=b)), 1, 5),
    (lambda b: SklearnSplitter(splitter=model_selection.ShuffleSplit(b)), 3, 9),
]


@pytest.mark.parametrize(("make", "few", "many"), GROWING)
def test_more_replications_leave_the_first_ones_as_they_were(
    make: Callable[[int], Resampling], few: int, many: int
) -> None:
    dataset = data(BIG)
    before, after = make(few), make(many)
    assert after.replications > before.replications
    for replication in range(1, before.replications + 1):
        assert same(before.split(dataset, replication, 5), after.split(dataset, replication, 5))


DIFFERING: list[Resampling] = [
    Bootstrap(),
    Bootstrap(test="bootstrap"),
    Subsampling(),
    CrossValidation(folds=2, repeats=50),
    CrossValidation(folds=2, repeats=50, stratify=True),
    CrossValidation(folds=2, repeats=50, grouped=True),
    Reserve(then=Bootstrap()),
    SklearnSplitter(splitter=model_selection.ShuffleSplit(100)),
]


@pytest.mark.parametrize("scheme", DIFFERING)
def test_different_identities_give_different_samples(scheme: Resampling) -> None:
    groups = np.repeat(np.arange(20), np.arange(1, 21))  # no two of a size: the order by size is no source of chance
    classes = np.arange(210) % 3
    dataset, twin = data(classes, "one", groups), data(classes, "two", groups)
    assert len({tuple(sorted(scheme.split(dataset, r, 5).learn)) for r in range(1, 31)}) == 30
    assert not same(scheme.split(dataset, 1, 5), scheme.split(twin, 1, 5))
    assert not same(scheme.split(dataset, 1, 5), scheme.split(dataset, 1, 6))


def test_learning_samples_come_in_random_order() -> None:
    sorted_by_class = data(np.repeat([0, 1], 100))
    for scheme in (
        Bootstrap(stratify=True),
        Bootstrap(),
        Subsampling(stratify=True),
        HoldOut(stratify=True),
        CrossValidation(stratify=True),
    ):
        learn = scheme.split(sorted_by_class, 1, 3).learn
        first_half = sorted_by_class.y.cat.codes.to_numpy()[learn[: len(learn) // 2]]
        assert 0.3 < first_half.mean() < 0.7  # 0 or 1 if classes came one after the other


# Bootstrap


@given(datasets(), st.booleans(), st.sampled_from(["out-of-bag", "bootstrap"]), seeds)
def test_a_bootstrap_sample_has_the_size_of_the_data_and_its_class_frequencies_if_stratified(
    dataset: Dataset, stratify: bool, test: str, seed: int
) -> None:
    stratify = stratify and test == "bootstrap"  # else tiny classes may leave nothing out of the bag
    split = Bootstrap(stratify=stratify, test=test).split(dataset, 1, seed)  # type: ignore[arg-type]
    assert len(split.learn) == len(dataset)
    if test == "bootstrap":
        assert len(split.test) == len(dataset)
    if stratify:
        everything = per_class(dataset, np.arange(len(dataset)))
        assert np.array_equal(per_class(dataset, split.learn), everything)
        assert np.array_equal(per_class(dataset, split.test), everything)


@pytest.mark.parametrize("stratify", [False, True])
def test_the_out_of_bag_share_is_0_368(stratify: bool) -> None:
    n, b = 200, 400
    dataset = data(np.arange(n) % 2)
    scheme = Bootstrap(replications=b, stratify=stratify)
    shares = np.array([len(scheme.split(dataset, r, 1).test) / n for r in range(1, b + 1)])
    drawn_from = n // 2 if stratify else n
    expected = (1 - 1 / drawn_from) ** drawn_from  # 0.3670 and 0.3660; the limit is exp(-1) = 0.3679
    assert abs(shares.mean() - expected) < 4 * shares.std(ddof=1) / np.sqrt(b)
    assert abs(shares.mean() - 0.368) < 0.005


def test_each_observation_is_drawn_equally_often() -> None:
    # 300 samples of 50: a position comes 300 times on average; chi-square on 49 degrees of freedom, 99.99% point.
    scheme = Bootstrap(replications=300)
    dataset = data(np.arange(50) % 2)
    counts = np.bincount(np.concatenate([scheme.split(dataset, r, 2).learn for r in range(1, 301)]), minlength=50)
    assert ((counts - 300) ** 2 / 300).sum() < 96.0


def test_the_second_bootstrap_sample_is_independent_of_the_first() -> None:
    # The share of distinct positions of the first sample in the second: 1 - 0.366 = 0.634, as in the data at large.
    dataset = data(np.arange(100) % 2)
    scheme = Bootstrap(replications=300, test="bootstrap")
    splits = [scheme.split(dataset, r, 4) for r in range(1, 301)]
    inside = np.array([np.isin(s.test, s.learn).mean() for s in splits])
    assert abs(inside.mean() - (1 - 0.99**100)) < 4 * inside.std(ddof=1) / np.sqrt(300)


def test_a_tiny_data_set_still_leaves_something_out_of_the_bag() -> None:
    dataset = data([0, 1])
    for replication in range(1, 51):
        split = Bootstrap().split(dataset, replication, 1)
        assert len(split.test) == 1
        assert split.learn.tolist() == [1 - split.test[0]] * 2


# Subsampling and hold-out


@given(datasets(), st.floats(0.2, 0.8), st.booleans(), seeds)
def test_a_subsample_has_its_size_no_observation_twice_and_class_shares_within_one_if_stratified(
    dataset: Dataset, fraction: float, stratify: bool, seed: int
) -> None:
    for scheme in (Subsampling(fraction=fraction, stratify=stratify), HoldOut(fraction=fraction, stratify=stratify)):
        split = scheme.split(dataset, 1, seed)
        assert len(split.learn) == round(fraction * len(dataset))
        assert len(np.unique(split.learn)) == len(split.learn)
        if stratify:
            exact = per_class(dataset, np.arange(len(dataset))) * fraction
            assert (np.abs(per_class(dataset, split.learn) - exact) < 1 + 1e-9).all()


def test_two_thirds_of_400_are_267() -> None:
    # Eugster (2011), section 5.1: 2/3-subsampling of 400 observations, "i.e. n = 267".
    assert len(Subsampling(fraction=2 / 3).split(data(np.arange(400) % 2), 1, 1).learn) == 267


def test_no_class_is_favoured_when_shares_are_rounded() -> None:
    # Half of 3 + 3 observations: one class gives two, the other one, each in half of the replications.
    dataset = data([0, 0, 0, 1, 1, 1])
    scheme = Subsampling(replications=400, fraction=0.5, stratify=True)
    ones = np.array([per_class(dataset, scheme.split(dataset, r, 1).learn)[1] for r in range(1, 401)])
    assert set(ones) == {1, 2}
    assert abs(ones.mean() - 1.5) < 4 * 0.5 / np.sqrt(400)


# Cross-validation


@given(datasets(), st.integers(2, 8), st.integers(1, 3), st.booleans(), seeds)
def test_each_observation_is_tested_once_in_each_repeat_and_classes_are_shared_out_if_stratified(
    dataset: Dataset, folds: int, repeats: int, stratify: bool, seed: int
) -> None:
    scheme = CrossValidation(folds=folds, repeats=repeats, stratify=stratify)
    splits = [scheme.split(dataset, r, seed) for r in range(1, scheme.replications + 1)]
    assert [(s.repeat, s.fold) for s in splits] == [(r, f) for r in range(1, repeats + 1) for f in range(1, folds + 1)]
    for start in range(0, len(splits), folds):
        tests = [s.test for s in splits[start : start + folds]]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(dataset)))
        sizes = [len(t) for t in tests]
        assert max(sizes) - min(sizes) <= 1
        if stratify:
            counts = np.array([per_class(dataset, t) for t in tests])
            assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()


@given(st.lists(st.integers(1, 9), min_size=4, max_size=15), st.integers(2, 4), st.integers(1, 3), seeds)
@settings(suppress_health_check=[HealthCheck.filter_too_much])
def test_groups_stay_together_and_folds_stay_balanced(sizes: list[int], folds: int, repeats: int, seed: int) -> None:
    groups = np.random.default_rng(seed).permutation(np.repeat([f"g{i}" for i in range(len(sizes))], sizes))
    dataset = data(np.arange(len(groups)) % 2, groups=groups)
    scheme = CrossValidation(folds=folds, repeats=repeats, grouped=True)
    for repeat in range(repeats):
        splits = [scheme.split(dataset, repeat * folds + f, seed) for f in range(1, folds + 1)]
        for split in splits:
            assert not set(groups[split.learn]) & set(groups[split.test])
        tests = [s.test for s in splits]
        assert np.array_equal(np.sort(np.concatenate(tests)), np.arange(len(groups)))
        assert max(map(len, tests)) - min(map(len, tests)) <= max(sizes)


@given(datasets(), st.booleans(), seeds)
def test_5x2cv_is_five_times_two_halves_with_swapped_roles(dataset: Dataset, stratify: bool, seed: int) -> None:
    scheme = CrossValidation.five_by_two(stratify=stratify)
    splits = [scheme.split(dataset, r, seed) for r in range(1, 11)]
    assert [s.repeat for s in splits] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert [s.fold for s in splits] == [1, 2] * 5
    for one, two in zip(splits[::2], splits[1::2], strict=True):
        assert set(one.learn) == set(two.test)
        assert set(one.test) == set(two.learn)
        assert abs(len(one.learn) - len(two.learn)) <= 1


# Reserve


@few_examples()
@given(datasets(least=30), st.floats(0.2, 0.5), st.booleans(), seeds)
def test_the_reserve_is_seen_by_no_replication(dataset: Dataset, fraction: float, stratify: bool, seed: int) -> None:
    scheme = Reserve(fraction=fraction, stratify=stratify, then=CrossValidation(folds=2, repeats=2))
    reserved = scheme.reserved(dataset, seed)
    rest = np.setdiff1d(np.arange(len(dataset)), reserved)
    assume(dataset.y.iloc[rest].nunique() > 1)
    assert len(reserved) == round(fraction * len(dataset))
    for replication in range(1, 5):
        split = scheme.split(dataset, replication, seed)
        assert np.array_equal(np.union1d(split.learn, split.test), rest)
        assert (split.repeat, split.fold) == ((replication + 1) // 2, (replication - 1) % 2 + 1)
    if stratify:
        exact = per_class(dataset, np.arange(len(dataset))) * fraction
        assert (np.abs(per_class(dataset, reserved) - exact) < 1 + 1e-9).all()


# Splitters of scikit-learn


def test_a_splitter_gives_the_splits_scikit_learn_gives() -> None:
    dataset = data(BIG, groups=np.repeat(np.arange(12), 5))
    for splitter in (
        model_selection.KFold(5),
        model_selection.GroupKFold(4),
        model_selection.TimeSeriesSplit(4),
        model_selection.PredefinedSplit(np.arange(60) % 4),
    ):
        scheme = SklearnSplitter(splitter=splitter)
        theirs = list(
            splitter.split(dataset.X, dataset.y.to_numpy(), dataset.groups if "Group" in str(splitter) else None)
        )
        assert scheme.replications == len(theirs)
        for replication, (learn, test) in enumerate(theirs, 1):
            ours = scheme.split(dataset, replication, 1)
            assert np.array_equal(ours.learn, learn)
            assert np.array_equal(ours.test, test)


def test_the_place_in_a_cross_validation_of_scikit_learn_is_known() -> None:
    dataset = data(BIG, groups=np.repeat(np.arange(12), 5))
    repeated = SklearnSplitter(splitter=model_selection.RepeatedStratifiedKFold(n_splits=2, n_repeats=5))
    places = [repeated.split(dataset, r, 1) for r in range(1, 11)]
    assert [(s.repeat, s.fold) for s in places] == [(r, f) for r in range(1, 6) for f in (1, 2)]
    last = SklearnSplitter(splitter=model_selection.StratifiedGroupKFold(3)).split(dataset, 3, 1)
    assert (last.repeat, last.fold) == (1, 3)
    shuffled = SklearnSplitter(splitter=model_selection.ShuffleSplit(3)).split(dataset, 3, 1)
    assert (shuffled.repeat, shuffled.fold) == (-1, -1)


# Fresh draws


def gaussian(n: int, rng: np.random.Generator, shift: float = 0.0) -> Sample:
    x = rng.normal(shift, 1, n)
    return Sample(pd.DataFrame({"x": x}), pd.Series(np.where(np.arange(n) % 2, "a", "b"), dtype="category"))


def values(sample: Sample) -> tuple[float, ...]:
    return tuple(sample.X["x"])


@few_examples()
@given(st.integers(2, 30), st.integers(2, 30), st.sampled_from(["new", "fixed"]), seeds)
def test_fresh_draws_are_new_and_reproducible(n_learn: int, n_test: int, test: str, seed: int) -> None:
    process = Generator(name="g", draw_sample=gaussian)
    scheme = FreshDraws(replications=5, n_learn=n_learn, n_test=n_test, test=test)  # type: ignore[arg-type]
    drawn = [scheme.draw(process, r, seed) for r in range(1, 6)]
    again = [scheme.draw(process, r, seed) for r in range(5, 0, -1)][::-1]
    other = scheme.draw(Generator(name="h", draw_sample=gaussian), 1, seed)
    assert values(other[0]) != values(drawn[0][0])
    assert [(values(a), values(b)) for a, b in drawn] == [(values(a), values(b)) for a, b in again]
    assert {len(a) for a, _ in drawn} == {n_learn}
    assert {len(b) for _, b in drawn} == {n_test}
    assert len({values(a) for a, _ in drawn}) == 5
    assert len({values(b) for _, b in drawn}) == (5 if test == "new" else 1)
    everything = [x for a, _ in drawn for x in values(a)] + [x for _, b in drawn[:1] for x in values(b)]
    assert len(set(everything)) == len(everything)  # learning samples share nothing, nor do they with the test sample
