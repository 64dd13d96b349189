"""Generators: registry, parameters, and what holds for all of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.design.dataset import Dataset, Generator
from podium.design.generators import GENERATORS
from podium.design.sample import Sample
from podium.design.sources.spec import dataset_from_spec
from podium.errors import InputError

EVERY = pytest.mark.parametrize("kind", GENERATORS)


@EVERY
def test_a_draw_has_the_size_asked_for_and_no_missing_value(kind: str) -> None:
    sample = Dataset.generated(kind).draw(7, np.random.default_rng(3))
    assert sample.y is not None
    assert (len(sample), len(sample.y)) == (7, 7)
    assert not sample.X.isna().to_numpy().any()
    assert not sample.y.isna().any()


@EVERY
def test_the_same_seed_draws_the_same_and_another_seed_another(kind: str) -> None:
    process = Dataset.generated(kind, n=50)
    first, again, other = process.fixed(1), process.fixed(1), process.fixed(2)
    assert first.fingerprint == again.fingerprint
    assert first.fingerprint != other.fingerprint


@EVERY
def test_a_draw_declares_all_classes_and_levels_however_small(kind: str) -> None:
    process = Dataset.generated(kind)
    small, large = process.draw(1, np.random.default_rng(0)), process.draw(2000, np.random.default_rng(0))
    pd.testing.assert_series_equal(small.X.dtypes, large.X.dtypes)
    assert small.y is not None
    assert large.y is not None
    assert small.y.dtype == large.y.dtype
    if process.task == "classification":
        assert set(large.y) == set(large.y.cat.categories)


@EVERY
def test_a_generator_written_down_and_read_is_the_same(kind: str) -> None:
    process = Dataset.generated(kind, n=31, name="mine")
    again = dataset_from_spec(process.spec)
    assert repr(again) == repr(process)
    assert again.spec == process.spec
    fixed = process.fixed(5)
    assert dataset_from_spec(fixed.spec).fingerprint == fixed.fingerprint
    assert dataset_from_spec(fixed.spec).spec == fixed.spec


@given(st.integers(1, 60), st.integers(1, 30), st.sampled_from(["ringnorm", "twonorm", "threenorm"]))
def test_norm_problems_have_d_attributes_and_equal_classes(n: int, d: int, kind: str) -> None:
    sample = Dataset.generated(kind, d=d).draw(n, np.random.default_rng(n))
    assert sample.X.shape == (n, d)
    assert sample.y is not None
    assert sample.y.value_counts().reindex(["1", "2"]).to_list() == [(n + 1) // 2, n // 2]


def test_the_order_of_the_classes_is_random() -> None:
    y = Dataset.generated("twonorm").draw(200, np.random.default_rng(0)).y
    assert y is not None
    runs = (y != y.shift()).sum()
    assert 70 < runs < 130  # 101 expected, sd 7; 2 if the classes were in blocks, 200 if they took turns


# Sizes of the dissertation, table A.1.2 and section 5.1


def test_sizes_are_those_of_the_dissertation() -> None:
    assert {Dataset.generated(kind).n for kind in ("circle", "ringnorm", "spirals", "threenorm", "twonorm")} == {1200}
    assert {Dataset.generated(kind).n for kind in ("ds1", "ds2")} == {400}


# Names and parameters


@pytest.mark.parametrize(
    ("kind", "parameters", "message"),
    [
        (
            "spirals",
            {"cycle": 2},
            "The generator 'spirals' has no parameter 'cycle'. It has 'cycles', 'sd'. Did you mean 'cycles'?",
        ),
        ("twonorm", {"d": 2.5}, "`d` of the generator 'twonorm' must be a whole number of at least 1; got 2.5."),
        ("spirals", {"sd": float("nan")}, "`sd` of the generator 'spirals' must be a number of at least 0; got nan."),
        ("monks3", {"noise": 1.5}, "`noise` of the generator 'monks3' must be a number from 0 to 1; got 1.5."),
    ],
)
def test_wrong_parameters_are_refused(kind: str, parameters: dict[str, Any], message: str) -> None:
    for make in (partial(Dataset.generated, kind), partial(Dataset.generated(kind).renamed, "other")):
        with pytest.raises(InputError) as error:
            make(**parameters)
        assert str(error.value) == message


def test_more_observations_than_fit_into_memory() -> None:
    def draw_sample(n: int, rng: np.random.Generator) -> Sample:
        return Sample(np.empty((2**50, n)), None)  # type: ignore[arg-type]

    rng = np.random.default_rng(0)
    with pytest.raises(InputError, match="`n` must be a whole number of at most 1000000000; got 1000000000000"):
        Dataset.generated("twonorm").draw(10**12, rng)
    huge = Generator(name="huge", n=5, draw_sample=draw_sample, task="unsupervised")
    with pytest.raises(InputError, match="5 observations of 'huge' do not fit into memory; draw fewer"):
        huge.draw(5, rng)
