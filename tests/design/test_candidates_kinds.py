"""Every candidate on every kind of data set: what comes out is a prediction, and a good one where that is easy."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest

from podium.design.algorithm import Algorithm
from podium.design.candidates import CANDIDATES
from podium.design.dataset import Dataset
from podium.design.evaluation import fit_and_measure, fit_model
from podium.design.measure import Measure
from podium.design.sample import Sample
from podium.errors import FitError

# Small searches, so that all of this stays fast; the rules themselves are tested elsewhere.
QUICK = {
    "rf": {"trees": 15},
    "rpart": {"folds": 5},
    "svm": {"costs": (-2, 4), "widths": (-6, 0), "folds": 3},
    "svl": {"step": 5},
    "sv2": {"step": 5},
    "svr": {"step": 3, "costs": (-3, 3)},
    "nnet": {"folds": 2, "repeats": 1, "steps": 40},
    "mlp": {"epochs": 15, "rate": 0.1},
    "lnp": {"epochs": 15, "rate": 0.1},
}
CLASSIFIERS = [name for name, known in CANDIDATES.items() if "classification" in known.models]
REGRESSORS = [name for name, known in CANDIDATES.items() if "regression" in known.models]
SMOOTHERS = ["spl", "loess"]
# Other settings of a candidate that is tried as well: on some kinds of data only.
VARIANTS = {"5nn", "lnp", "svl", "sv2", "svr"}


def quick(name: str):
    return Algorithm.named(name, **QUICK.get(name, {}))


def numeric(n: int, classes: int, rng: np.random.Generator) -> Dataset:
    codes = np.arange(n) % classes
    X = rng.normal(size=(n, 3))
    X[:, 0] += 4 * codes
    X[:, 1] -= 4 * (codes == 1)
    return Dataset(
        name="numeric", X=pd.DataFrame(X, columns=list("abc")), y=pd.Series(np.array(["p", "q", "r"])[codes])
    )


def nominal(n: int, rng: np.random.Generator) -> Dataset:
    X = pd.DataFrame({name: rng.choice(["u", "v", "w", "x"], n) for name in "ab"}).assign(c=rng.random(n) < 0.5)
    y = pd.Series(np.where(X["a"].isin(["u", "x"]), "yes", "no"))  # not in alphabetical order
    return Dataset(name="nominal", X=X, y=y)


def mixed(n: int, rng: np.random.Generator) -> Dataset:
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.choice(["u", "v", "w"], n)})
    y = pd.Series(np.where(X["a"] + 3 * (X["b"] == "v") > 1.5, 1, 0))
    return Dataset(name="mixed", X=X, y=y)


def incomplete(n: int, rng: np.random.Generator) -> Dataset:
    data = mixed(n, rng)
    X = data.X.assign(empty=np.nan)
    X.loc[rng.random(n) < 0.15, "a"] = np.nan
    X.loc[rng.random(n) < 0.15, "b"] = np.nan
    return Dataset(name="incomplete", X=X, y=data.y)


def degenerate(n: int, rng: np.random.Generator) -> Dataset:
    data = numeric(n, 3, rng)
    X = data.X.assign(constant=1.0, twice=data.X["a"], same="one level", told=(data.y == "q").astype(float))
    return Dataset(name="degenerate", X=X, y=data.y)


def wide(n: int, rng: np.random.Generator) -> Dataset:
    codes = np.arange(n) % 2
    X = rng.normal(size=(n, 2 * n))
    X[:, :10] += 2.5 * codes[:, None]
    return Dataset(name="wide", X=pd.DataFrame(X), y=pd.Series(codes))


KINDS = {
    "nominal": lambda rng: nominal(90, rng),
    "mixed, with missing values": lambda rng: incomplete(90, rng),
    "three classes, with constant, collinear and telling attributes": lambda rng: degenerate(90, rng),
    "more attributes than observations": lambda rng: wide(40, rng),
}
HARD = ["mixed, with missing values", "three classes, with constant, collinear and telling attributes"]
# The classes are well separated in all of these, so every method must do much better than the majority class.
MEASURES = [Measure.named("misclassification"), Measure.named("deviance"), Measure.named("auc")]


def split(data: Dataset) -> tuple[Sample, Sample]:
    cut = 2 * len(data) // 3
    return data.take(np.arange(cut)), data.take(np.arange(cut, len(data)))


@cache
def of_kind(kind: str) -> tuple[Sample, Sample]:
    """The samples of a kind of data set; no fit changes them, because each gets a copy."""
    return split(KINDS[kind](np.random.default_rng(7)))


@cache
def of_the_majority(kind: str) -> float:
    """The error of the majority class on a kind of data set."""
    learn, test = of_kind(kind)
    return fit_and_measure(Algorithm.named("constant"), learn, test, MEASURES, seed=1).values["misclassification"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in CLASSIFIERS for kind in KINDS if name not in VARIANTS or kind in HARD],
)
def test_classifiers_on_every_kind_of_data(name: str, kind: str) -> None:
    learn, test = of_kind(kind)
    outcome = fit_and_measure(quick(name), learn, test, MEASURES, seed=1)
    assert outcome.undefined == {}
    assert outcome.warnings == ()
    if name != "constant":
        easiest = 0.5 if kind in ("more attributes than observations", "mixed, with missing values") else 0.35
        assert outcome.values["misclassification"] <= easiest * of_the_majority(kind) + 1e-12
        assert outcome.values["auc"] > 0.8


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_class_with_one_observation_does_not_fail_and_a_missing_one_gets_probability_zero(name: str) -> None:
    data = numeric(60, 2, np.random.default_rng(5))
    y = data.y.astype(str)
    y[0], y[40:60] = "r", "s"
    rare = Dataset(name="rare", X=data.X, y=y)
    learn, test = rare.take(np.arange(30)), rare.take(np.arange(60))
    shares = Measure("share", lambda fitted: fitted.probability["s"].max(), direction="lower")
    outcome = fit_and_measure(
        quick(name), learn, test, [Measure.named("misclassification"), shares, Measure.named("brier")], seed=1
    )
    assert outcome.undefined == {}
    assert outcome.values["share"] == 0
    assert 1 / 3 <= outcome.values["misclassification"] < 0.75


@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if name not in VARIANTS])
def test_a_learning_sample_of_one_class_predicts_that_class(name: str) -> None:
    data = mixed(60, np.random.default_rng(2))
    learn, test = data.take(np.flatnonzero(data.y == 1)), data.take(np.arange(60))
    model = fit_model(quick(name), learn, seed=1)
    assert set(model.predict(test.X)) == {1}
    assert fit_and_measure(quick(name), learn, test, [Measure.named("brier")], seed=1).undefined == {}


@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if name not in VARIANTS])
def test_levels_and_gaps_that_come_only_later_do_not_fail(name: str) -> None:
    data = mixed(80, np.random.default_rng(4))
    learn = data.take(np.flatnonzero(data.X["b"] != "w")[:45])
    X = data.X.copy()
    X.loc[:5, "a"] = np.nan
    X.loc[3:9, "b"] = None
    test = Sample(X, data.y)
    model = fit_model(quick(name), learn, seed=1)
    probability = model.predict_proba(test.X)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    foreign = pd.DataFrame({"a": [0.0], "b": pd.Categorical(["never declared"])})
    assert model.predict(foreign)[0] in (0, 1)


@pytest.mark.parametrize("name", [name for name in CLASSIFIERS if name not in VARIANTS])
def test_two_observations_are_enough(name: str) -> None:
    learn = Sample(pd.DataFrame({"a": [0.0, 1.0]}), pd.Series(["x", "y"], dtype="category"))
    model = fit_model(quick(name), learn, seed=1)
    assert set(model.predict(learn.X)) <= {"x", "y"}


def regression(kind: str) -> Dataset:
    n, rng = 90, np.random.default_rng(11)
    if kind == "one attribute":
        X = pd.DataFrame({"a": np.round(rng.uniform(0, 6, n), 1)})
        return Dataset(name=kind, X=X, y=3 * X["a"] + 0.3 * rng.normal(size=n), task="regression")
    X = pd.DataFrame({"a": rng.normal(size=n), "b": rng.choice(["u", "v", "w"], n), "c": rng.normal(size=n)})
    y = 3 * X["a"] + 4 * (X["b"] == "v") + 0.3 * rng.normal(size=n)
    if kind == "mixed, with missing values":
        X.loc[rng.random(n) < 0.1, "c"] = np.nan
        X.loc[rng.random(n) < 0.1, "b"] = np.nan
    if kind == "constant and collinear attributes":
        X = X.assign(one=1.0, twice=X["a"], same="level")
    return Dataset(name=kind, X=X, y=y, task="regression")


@cache
def of_regression(kind: str) -> tuple[Sample, Sample]:
    return split(regression(kind))


REGRESSION_KINDS = ["one attribute", "mixed, with missing values", "constant and collinear attributes"]


@pytest.mark.parametrize("kind", REGRESSION_KINDS)
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_on_every_kind_of_data(name: str, kind: str) -> None:
    learn, test = of_regression(kind)
    if name in SMOOTHERS and kind != "one attribute":
        wanted = "exactly one numeric attribute" if name == "spl" else "one to 4 numeric attributes"
        came = "the nominal 'b', 'same'" if "constant" in kind else "the nominal 'b'"
        with pytest.raises(FitError) as caught:
            fit_and_measure(quick(name), learn, test, [Measure.named("r2")], seed=1)
        assert str(caught.value) == (
            f"The fit of '{name}' failed: '{name}' is for {wanted}; the learning sample has {came}. "
            f"Leave '{name}' out here."
        )
        return
    outcome = fit_and_measure(quick(name), learn, test, [Measure.named("r2")], seed=1)
    assert outcome.warnings == ()
    assert outcome.values["r2"] > (0.6 if name != "constant" else -0.5)


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_few_observations_and_a_constant_response_do_not_fail(name: str, n: int) -> None:
    X = pd.DataFrame({"a": np.arange(n, dtype=float)})
    asked = pd.DataFrame({"a": [-1.0, 0.5, 10.0, np.nan]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        constant = fit_model(quick(name), Sample(X, pd.Series(np.full(n, 2.5))), seed=1)
        np.testing.assert_allclose(constant.predict(asked), 2.5, atol=1e-6)
        line = fit_model(quick(name), Sample(X, pd.Series(np.arange(n, dtype=float))), seed=1)
    assert np.isfinite(line.predict(asked)).all()


def test_local_regression_stays_near_the_data_where_points_coincide() -> None:
    learn = Sample(pd.DataFrame({"a": [1.0] * 8 + [2.0] * 2}), pd.Series([100.0, 102.0] * 4 + [103.0, 105.0]))
    found = fit_model(Algorithm.named("loess"), learn, seed=1).predict(pd.DataFrame({"a": [1.0, 2.0, 1.5, 0.0, 3.0]}))
    np.testing.assert_allclose(found[:2], [101.0, 104.0], rtol=1e-9)
    assert ((found > 95) & (found < 110)).all()
