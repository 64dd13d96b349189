"""Aggregating over replications, against pandas."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from podium import MeasureInfo, Results
from slow_laws import few_examples

WAYS = ["mean", "median", "min", "max", "sd"]
KEYS = ["dataset", "algorithm", "measure"]


# Strategies are made once: building and checking them takes longer than drawing from them.
SHAPES = st.tuples(*[st.integers(1, 3)] * 4)
VALUES = st.floats(-1e6, 1e6).map(lambda x: round(x, 3))
SOMETIMES = st.sampled_from([False, False, True])
MOSTLY = st.sampled_from([True, True, False])


@cache
def cells(shape: tuple[int, ...], elements: st.SearchStrategy[Any]) -> st.SearchStrategy[np.ndarray]:
    return npst.arrays(np.float64 if elements is VALUES else bool, shape, elements=elements)


@st.composite
def tables(draw: st.DrawFn) -> Results:
    shape = draw(SHAPES)
    values = draw(cells(shape, VALUES))
    missing = draw(cells(shape, SOMETIMES))
    design = draw(cells(shape[:2], MOSTLY))
    design[:, 0] = True
    return Results(
        values=np.where(missing, np.nan, values),
        design=design,
        datasets=tuple(f"d{i}" for i in range(shape[0])),
        replications=tuple(range(shape[1])),
        algorithms=tuple(f"a{i}" for i in range(shape[2])),
        measures=tuple(MeasureInfo(f"m{i}", "lower") for i in range(shape[3])),
    )


def by_pandas(results: Results, statistic: str, **options: float) -> pd.Series:
    in_pandas = {"sd": "std"}.get(statistic, statistic)
    return getattr(results.to_long().groupby(KEYS).value, in_pandas)(**options)


def by_podium(results: Results, statistic: object, **options: float) -> pd.Series:
    """Reduce each algorithm by itself: together they are reduced over the replications that they share."""
    parts = []
    for name in results.algorithms:
        one = results.select(algorithm=name)
        for measure in one.measure_names:
            parts.append(one.select(measure=measure).aggregate(statistic, missing="available", **options).to_long())
    return pd.concat(parts).set_index(KEYS).value


@few_examples()
@given(tables(), st.sampled_from(WAYS))
def test_statistics_are_those_of_pandas(results: Results, statistic: str) -> None:
    pd.testing.assert_series_equal(
        by_podium(results, statistic).sort_index(), by_pandas(results, statistic).sort_index(), rtol=1e-9, atol=1e-9
    )


@few_examples()
@given(tables(), st.floats(0, 1))
def test_quantiles_are_those_of_pandas(results: Results, q: float) -> None:
    pd.testing.assert_series_equal(
        by_podium(results, "quantile", quantile=q).sort_index(),
        by_pandas(results, "quantile", q=q).sort_index(),
        rtol=1e-9,
    )


@few_examples()
@given(tables())
def test_functions_get_the_values_that_are_there(results: Results) -> None:
    expected = by_pandas(results, "count").astype(float).replace(0.0, np.nan)
    found = by_podium(results, len)
    pd.testing.assert_series_equal(found.sort_index(), expected.sort_index())


ONE = Results(
    values=np.array([1.0, 2.0, 6.0, 3.0, 3.0, np.nan]).reshape(1, 3, 2, 1),
    reasons=np.array([0, 0, 0, 0, 0, 3], np.uint8).reshape(1, 3, 2, 1),
    datasets=("iris",),
    replications=(1, 2, 3),
    algorithms=("svm", "knn"),
    measures=(MeasureInfo("accuracy", "higher", units="%"),),
    structure={"fold": np.array([[1, 2, 3]])},
)


@pytest.mark.parametrize(
    ("statistic", "options", "name", "value"),
    [
        ("mean", {}, "mean", 10 / 3),
        ("median", {}, "median", 3.0),
        ("quantile", {"quantile": 0.9}, "quantile 0.9", 5.4),
        ("max", {}, "max", 6.0),
        (np.ptp, {}, "ptp", 5.0),
        (lambda values: values[0], {}, "function", 1.0),
    ],
)
def test_the_outcome_has_one_replication_named_after_the_statistic(statistic, options, name: str, value: float) -> None:
    single = ONE.aggregate(statistic, missing="drop-algorithm", **options)
    assert single.shape == (1, 1, 1, 1)
    assert single.replications == (name,)
    assert single.values.item() == pytest.approx(value, rel=1e-15)
    assert single.measures == ONE.measures
    assert dict(single.structure) == {}
    assert [str(report) for report in single.reports] == [
        "1 of 6 cells missing (1 timeout); drop-algorithm: dropped 'knn'"
    ]


def test_less_spread_is_better_whatever_is_measured() -> None:
    assert ONE.aggregate("sd", missing="available").measures == (MeasureInfo("accuracy", "lower", units="%"),)


def test_an_algorithm_without_any_value_stays_missing_with_its_reason() -> None:
    failed = ONE.replace(
        values=np.where([[[[False], [True]]]], np.nan, ONE.values), reasons=np.full((1, 3, 2, 1), 2, np.uint8)
    )
    single = failed.aggregate("mean", missing="available")
    assert single.missing_frame().to_dict("records") == [
        {"dataset": "iris", "algorithm": "knn", "replication": "mean", "measure": "accuracy", "reason": "failed"}
    ]


def test_a_single_value_has_no_deviation() -> None:
    assert np.isnan(ONE.select(replication=1).aggregate("sd").values).all()
