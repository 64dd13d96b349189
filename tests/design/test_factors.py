"""Grids expand to named candidates and data sets, and their levels stay."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import podium
from podium.design.factors import Factors, grid
from podium.errors import DesignError, InputError


def experiment(datasets: Any = "monks1", algorithms: Any = "lda", **more: Any) -> podium.Experiment:
    arguments = {"resampling": "5x2cv", "measures": "misclassification", **more}
    return podium.Experiment(datasets, algorithms, **arguments)


def says(error: type[Exception], text: str) -> Any:
    return pytest.raises(error, match=f"^{re.escape(text)}$")


# Combinations


@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=3),
        st.sets(st.integers(0, 9), min_size=1, max_size=4),
        min_size=1,
        max_size=3,
    )
)
def test_a_grid_has_every_combination_once(levels: dict[str, set[int]]) -> None:
    factorial = grid("x", {name: sorted(values) for name, values in levels.items()})
    seen = [tuple(sorted(c.items())) for c in factorial.combinations()]
    assert len(seen) == len(set(seen)) == len(factorial) == np.prod([len(v) for v in levels.values()])
    for name, values in levels.items():
        assert {dict(c)[name] for c in seen} == values


def test_the_last_factor_varies_fastest() -> None:
    assert [tuple(c.values()) for c in grid("x", a=[1, 2], b=["u", "v"]).combinations()] == [
        (1, "u"),
        (1, "v"),
        (2, "u"),
        (2, "v"),
    ]


def test_several_blocks_are_tried_one_after_the_other() -> None:
    blocks = grid("x", [{"kernel": ["linear"]}, {"kernel": ["rbf"], "gamma": [1, 2]}])
    assert list(blocks.combinations()) == [
        {"kernel": "linear"},
        {"kernel": "rbf", "gamma": 1},
        {"kernel": "rbf", "gamma": 2},
    ]
    assert blocks.spec == [{"kernel": ["linear"]}, {"kernel": ["rbf"], "gamma": [1, 2]}]


# Expansion


def test_hyperparameters_make_candidates() -> None:
    tuned = experiment(algorithms=["lda", grid("knn", k=[1, 5])])
    assert [a.name for a in tuned.algorithms] == ["lda", "knn(k=1)", "knn(k=5)"]
    assert [dict(a.factors) for a in tuned.algorithms] == [{}, {"k": 1}, {"k": 5}]
    assert tuned.algorithms[2].spec["parameters"] == {"k": 5}
    model = tuned.algorithms[2].make(tuned.dataset("monks1").take(np.arange(50)), 1)
    assert model.k == 5


def test_estimators_and_pipelines_can_be_varied() -> None:
    pipeline = make_pipeline(StandardScaler(), SVC())
    tuned = experiment("sonar", grid(podium.Algorithm("svm", pipeline), svc__C=[1.0, 10.0]))
    assert [a.name for a in tuned.algorithms] == ["svm(svc__C=1.0)", "svm(svc__C=10.0)"]
    assert tuned.algorithms[1].make(None, 1).get_params()["svc__C"] == 10.0


def test_parameters_of_a_process_make_data_sets() -> None:
    varied = experiment(grid(podium.Dataset.generated("circle", n=80), d=[2, 5], n=[60, 90]))
    assert [d.name for d in varied.datasets] == [
        "circle(d=2, n=60)",
        "circle(d=2, n=90)",
        "circle(d=5, n=60)",
        "circle(d=5, n=90)",
    ]
    shapes = [varied.dataset(d.name).X.shape for d in varied.datasets]
    assert shapes == [(60, 2), (90, 2), (60, 5), (90, 5)]


def test_the_name_of_an_entry_is_the_name_of_its_family() -> None:
    entry = {"generator": "circle", "n": 60, "name": "ball", "grid": {"d": [2, 3]}}
    varied = experiment([entry])
    assert [d.name for d in varied.datasets] == ["ball(d=2)", "ball(d=3)"]
    assert varied.factors.datasets["family"].tolist() == ["ball", "ball"]


def test_a_process_at_each_level_has_its_own_data() -> None:
    varied = experiment(grid("spirals", sd=[0.05, 0.1]))
    one, two = (varied.dataset(d.name).X.to_numpy() for d in varied.datasets)
    alone = experiment(grid("spirals", sd=[0.1]))
    assert not np.allclose(one, two)
    assert np.array_equal(two, alone.dataset("spirals(sd=0.1)").X.to_numpy())  # whatever else is in the design


# Frames


def test_levels_are_frames() -> None:
    both = experiment(["monks1", grid("circle", d=[2, 5])], ["lda", grid("knn", k=[1, 5]), grid("rf", trees=[10, 20])])
    assert isinstance(both.factors, Factors)
    expected = pd.DataFrame(
        {
            "family": ["lda", "knn", "knn", "rf", "rf"],
            "k": pd.array([None, 1, 5, None, None], "Int64"),
            "trees": pd.array([None, None, None, 10, 20], "Int64"),
        },
        index=pd.Index(["lda", "knn(k=1)", "knn(k=5)", "rf(trees=10)", "rf(trees=20)"], name="algorithm", dtype=object),
    )
    pd.testing.assert_frame_equal(both.factors.algorithms, expected, check_dtype=False)
    assert both.factors.algorithms["k"].dtype == "Int64"
    assert both.factors.datasets["d"].tolist() == [pd.NA, 2, 5]
    assert bool(both.factors)


def test_without_factors_there_are_no_columns() -> None:
    plain = experiment()
    assert plain.factors.algorithms.columns.empty
    assert plain.factors.datasets.columns.empty
    assert not plain.factors
    table = pd.DataFrame({"dataset": ["monks1"], "algorithm": ["lda"], "value": [0.2]})
    pd.testing.assert_frame_equal(plain.factors.join(table), table)


def test_levels_join_a_long_table_as_columns() -> None:
    tuned = experiment(algorithms=["lda", grid("knn", k=[1, 5])])
    table = pd.DataFrame({"algorithm": ["knn(k=5)", "lda", "knn(k=1)"], "value": [1.0, 2.0, 3.0]}, index=[7, 8, 9])
    joined = tuned.factors.join(table)
    assert joined.columns.tolist() == ["algorithm", "value", "family", "k"]
    assert joined.index.tolist() == [7, 8, 9]
    assert joined["k"].tolist() == [5, pd.NA, 1]
    assert joined["family"].tolist() == ["knn", "lda", "knn"]


def test_names_that_are_taken_get_their_axis_in_front() -> None:
    both = experiment(grid("circle", n=[60, 90]), grid("knn", k=[1, 5]))
    table = pd.DataFrame({"dataset": ["circle(n=60)"], "algorithm": ["knn(k=5)"], "k": ["mine"]})
    joined = both.factors.join(table)
    assert joined.columns.tolist() == [
        "dataset",
        "algorithm",
        "k",
        "dataset_family",
        "n",
        "algorithm_family",
        "algorithm_k",
    ]
    assert joined.iloc[0].tolist() == ["circle(n=60)", "knn(k=5)", "mine", "circle", 60, "knn", 5]


# What is refused


@pytest.mark.parametrize(
    "levels", [{}, {"k": 5}, {"k": "abc"}, {"k": []}, {"k": np.array(3)}, {3: [1]}, [{"k": [1]}, 7]]
)
def test_wrong_levels_are_refused(levels: Any) -> None:
    with pytest.raises(InputError):
        grid("knn", levels)


def test_what_has_no_such_parameter_is_refused() -> None:
    with says(
        DesignError, "`grid` varies parameters, and 'monks1' is a data set without any. Write {generator: monks1}."
    ):
        experiment(grid("monks1", noise=[0.1]))
    with pytest.raises(DesignError):
        experiment(measures=grid("misclassification", functional=["mean"]))
    with pytest.raises(DesignError):
        experiment([{"generator": "circle", "grid": 3}])
    with pytest.raises(InputError):
        grid(grid("knn", k=[1]), folds=[3])
    with pytest.raises(InputError):
        grid("knn", {"k": [1]}, folds=[3])
    with pytest.raises(InputError):
        grid(3, k=[1])
