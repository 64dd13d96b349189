"""One trial: what is called, checked, recorded and put back."""

from __future__ import annotations

import pickle
import random
import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from podium.design.algorithm import Algorithm, as_algorithm
from podium.design.dataset import Dataset
from podium.design.evaluation import fit_and_measure, fit_model
from podium.design.fitted import Fitted
from podium.design.measure import Measure, as_measure
from podium.design.sample import Sample
from podium.errors import FitError

ERROR, AUC, BRIER = Measure.named("misclassification"), Measure.named("auc"), Measure.named("brier")


@pytest.fixture(scope="module")
def data() -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.array(["a", "b", "c"])[np.arange(90) % 3]
    X[:, 0] += 3 * (np.arange(90) % 3)
    return Dataset(name="three", X=pd.DataFrame(X, columns=["u", "v"]), y=pd.Series(y))


@pytest.fixture(scope="module")
def learn(data: Dataset) -> Sample:
    return data.take(np.arange(60))


@pytest.fixture(scope="module")
def test(data: Dataset) -> Sample:
    return data.take(np.arange(60, 90))


class Spy:
    """A classifier that counts its calls, and returns given answers."""

    def __init__(self, prediction=None, probability=None, classes=None) -> None:
        self.calls: list[str] = []
        self.prediction, self.probability = prediction, probability
        if classes is not None:
            self.classes_ = classes

    def fit(self, X, y=None):
        self.calls.append("fit")
        self.seen = (X, y)

    def predict(self, X):
        self.calls.append("predict")
        return np.repeat("a", len(X)) if self.prediction is None else self.prediction

    def predict_proba(self, X):
        self.calls.append("predict_proba")
        return np.full((len(X), 3), 1 / 3) if self.probability is None else self.probability


def using(model, name: str = "spy") -> Algorithm:
    return Algorithm(name, lambda learn, seed: model)


def of(function, **arguments):
    return Measure(arguments.pop("name", "own"), function, direction="lower")


# What is called


def test_a_model_is_fitted_and_predicts_once(learn, test) -> None:
    spy = Spy()
    names = [
        "misclassification",
        "accuracy",
        "f1",
        "deviance",
        "brier",
        "auc",
        "fit time",
        "predict time",
        "model size",
    ]
    outcome = fit_and_measure(using(spy), learn, test, [Measure.named(name) for name in names], seed=1)
    assert spy.calls == ["fit", "predict", "predict_proba"]
    assert list(outcome.values) == names
    assert outcome.undefined == {}
    assert 0 < outcome.fit_seconds == outcome.values["fit time"]
    assert 0 < outcome.predict_seconds == outcome.values["predict time"]
    assert np.isnan(outcome.peak_memory)


def test_a_model_predicts_only_what_is_needed(learn, test) -> None:
    spy = Spy()
    outcome = fit_and_measure(using(spy), learn, test, [Measure.named("fit time")], seed=1)
    assert spy.calls == ["fit"]
    assert np.isnan(outcome.predict_seconds)
    spy = Spy()
    fit_and_measure(using(spy), learn, test, [], seed=1)
    assert spy.calls == ["fit"]


def test_a_model_gets_a_frame_and_plain_labels(learn, test) -> None:
    spy = Spy()
    fit_and_measure(using(spy), learn, test, [ERROR], seed=1)
    X, y = spy.seen
    assert X.equals(learn.X)
    assert not np.shares_memory(X.to_numpy(), learn.X.to_numpy())
    assert isinstance(y, np.ndarray)
    assert list(y[:3]) == ["a", "b", "c"]


def test_outcomes_by_hand(learn, test) -> None:
    outcome = fit_and_measure(using(Spy()), learn, test, [ERROR, BRIER, AUC], seed=1)
    assert outcome.values == {
        "misclassification": pytest.approx(2 / 3),
        "brier": pytest.approx(2 / 3),
        "auc": pytest.approx(0.5),
    }


# Probabilities and decisions


def test_classes_that_are_missing_from_the_learning_sample_get_zero(data, test) -> None:
    learn = data.take(np.flatnonzero(data.y != "b")[:30])
    table = of(
        lambda fitted: float((fitted.probability["b"] == 0).all() and list(fitted.probability) == ["a", "b", "c"])
    )
    for thing in (GaussianNB(), "lda"):
        outcome = fit_and_measure(as_algorithm(thing), learn, test, [table, Measure.named("deviance"), AUC], seed=1)
        assert outcome.values["own"] == 1
        assert outcome.undefined == {}


def test_probabilities_are_taken_by_class_not_by_position(learn, test) -> None:
    turned = np.tile([0.7, 0.2, 0.1], (30, 1))
    frame = pd.DataFrame(turned, columns=["c", "a", "b"])
    shown = of(lambda fitted: fitted.probability["c"].iloc[0])
    for spy in (Spy(probability=turned, classes=["c", "a", "b"]), Spy(probability=frame)):
        assert fit_and_measure(using(spy), learn, test, [shown], seed=1).values["own"] == 0.7
    as_in_the_data = Spy(probability=turned)
    assert fit_and_measure(using(as_in_the_data), learn, test, [shown], seed=1).values["own"] == 0.1


def test_one_column_is_the_probability_of_the_last_of_two_classes() -> None:
    y = pd.Series(pd.Categorical(["no", "yes"] * 5))
    sample = Sample(pd.DataFrame({"x": np.arange(10.0)}), y)
    spy = Spy(prediction=np.repeat("no", 10), probability=np.linspace(0, 1, 10))
    shown = of(lambda fitted: fitted.probability["yes"].iloc[-1])
    assert fit_and_measure(using(spy), sample, sample, [shown], seed=1).values["own"] == 1


def test_decision_values_serve_the_auc_where_there_are_no_probabilities(data, learn, test) -> None:
    outcome = fit_and_measure(Algorithm("SVC", SVC()), learn, test, [AUC, BRIER], seed=1)
    assert outcome.values["auc"] > 0.9
    assert outcome.undefined == {"brier": "SVC predicts no probabilities: it has no `predict_proba`"}
    two = data.take(np.flatnonzero(data.y != "c"))
    both = Sample(two.X, two.y.cat.remove_unused_categories())
    from sklearn.metrics import roc_auc_score

    model = fit_model(Algorithm("SVC", SVC()), both, seed=1)
    expected = roc_auc_score(both.y == "b", model.decision_function(both.X))
    assert fit_and_measure(Algorithm("SVC", SVC()), both, both, [AUC], seed=1).values["auc"] == pytest.approx(expected)
    lacking = fit_and_measure(Algorithm("SVC", SVC()), two, test, [AUC], seed=1)  # "c" is a class of the data set
    assert 0.5 < lacking.values["auc"] < 1


# What is not a prediction


@pytest.mark.parametrize(
    ("spy", "measures"),
    [
        (Spy(["a", "b"]), [ERROR]),
        (Spy(np.zeros((30, 2))), [ERROR]),
        (Spy(np.repeat(["a", None], 15).astype(object)), [ERROR]),
        (Spy(np.arange(30) % 2), [ERROR]),
        (Spy(probability=np.ones((30, 2)) / 2), [BRIER]),
        (Spy(probability=np.ones((30, 3))), [BRIER]),
        (Spy(probability=np.tile([2.0, -0.5, -0.5], (30, 1))), [BRIER]),
        (Spy(probability=np.full((30, 3), np.nan)), [AUC]),
        (Spy(probability=np.ones((30, 3)) / 3, classes=["a", "b", "x"]), [BRIER]),
    ],
)
def test_what_is_not_a_prediction_is_refused(spy, measures, learn, test) -> None:
    with pytest.raises(FitError) as caught:
        fit_and_measure(using(spy), learn, test, measures, seed=1)
    assert str(caught.value) == f"The prediction of 'spy' failed: {caught.value.reason}"
    assert (caught.value.algorithm, caught.value.stage) == ("spy", "predict")


@pytest.mark.parametrize("prediction", [[1.0, np.inf, np.nan, 2.0], ["x"] * 4])
def test_numbers_must_be_finite(prediction) -> None:
    sample = Sample(pd.DataFrame({"x": np.arange(4.0)}), pd.Series(np.arange(4.0)))
    with pytest.raises(FitError, match=r"^The prediction of 'spy' failed: `predict` must return (finite )?numbers; "):
        fit_and_measure(using(Spy(prediction)), sample, sample, [Measure.named("r2")], seed=1)


# What fails


def test_an_error_of_the_model_is_reported_with_its_stage(learn, test) -> None:
    class Broken:
        def fit(self, X, y):
            raise ZeroDivisionError("in\n  the fit")

    with pytest.raises(FitError) as caught:
        fit_and_measure(using(Broken(), "broken"), learn, test, [ERROR], seed=1)
    assert str(caught.value) == "The fit of 'broken' failed: ZeroDivisionError: in the fit"
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.stage) == (str(caught.value), "fit")


def test_an_error_of_the_factory_is_reported(learn, test) -> None:
    def bad(learn, seed):
        raise ValueError

    with pytest.raises(FitError, match=r"^Making a model of 'bad' failed: ValueError$"):
        fit_and_measure(Algorithm("bad", bad), learn, test, [ERROR], seed=1)
    with pytest.raises(FitError, match=r"^Making a model of 'spy' failed: a model must have `fit`; got int\.$"):
        fit_and_measure(using(7), learn, test, [ERROR], seed=1)
    with pytest.raises(
        FitError, match=r"^Making a model of 'lm' failed: The candidate 'lm' is not for classification\."
    ):
        fit_and_measure(Algorithm.named("lm"), learn, test, [ERROR], seed=1)


def test_attributes_that_a_model_cannot_use_are_named_with_the_way_out() -> None:
    X = pd.DataFrame({"size": [1.0, np.nan], "colour": pd.Categorical(["red", "blue"])})
    sample = Sample(X, pd.Series(pd.Categorical(["a", "b"])))
    with pytest.raises(FitError) as caught:
        fit_and_measure(Algorithm("SVC", SVC()), sample, sample, [ERROR], seed=1)
    assert str(caught.value).startswith("The fit of 'SVC' failed: ValueError: could not convert string to float")
    assert str(caught.value).endswith(
        "(The learning sample has nominal attributes ('colour') and missing values ('size'): "
        "podium.Algorithm(..., encoding='one-hot') turns them into numbers.)"
    )
    assert fit_and_measure(Algorithm("SVC", SVC(), encoding="one-hot"), sample, sample, [ERROR], seed=1).undefined == {}


# What is undefined


def test_a_measure_without_a_value_does_not_spoil_the_others(learn, test) -> None:
    def breaks(model, learn, test):
        raise KeyError("nothing there")

    measures = [ERROR, Measure.named("r2"), of(breaks), of(lambda fitted: np.nan, name="empty")]
    outcome = fit_and_measure(Algorithm.named("lda"), learn, test, measures, seed=1)
    assert outcome.values["misclassification"] < 0.3
    assert np.isnan([outcome.values[name] for name in ("r2", "own", "empty")]).all()
    assert outcome.undefined == {
        "r2": "it is for regression, not for classification",
        "own": "KeyError: 'nothing there'",
        "empty": "its value is NaN",
    }


# Warnings


def test_warnings_are_collected_once_each(learn, test) -> None:
    class Warns(Spy):
        def fit(self, X, y):
            for _ in range(3):
                warnings.warn("not\nconverged", RuntimeWarning, stacklevel=1)

        def predict(self, X):
            warnings.warn("old", DeprecationWarning, stacklevel=1)
            return super().predict(X)

    outcome = fit_and_measure(using(Warns()), learn, test, [ERROR], seed=1)
    assert outcome.warnings == ("RuntimeWarning: not converged", "DeprecationWarning: old")


# Randomness


class GlobalChance(Spy):
    def fit(self, X, y):
        self.drawn = (np.random.random(), random.random())  # noqa: NPY002, what bad citizens do


def test_global_randomness_comes_from_the_seed_and_is_put_back(learn) -> None:
    made = Algorithm("GlobalChance", GlobalChance())
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    expected = (np.random.random(), random.random())  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    random.seed(5)
    first, second, other = (fit_model(made, learn, seed).drawn for seed in (1, 1, 2))
    assert first == second != other
    assert (np.random.random(), random.random()) == expected  # noqa: NPY002


@pytest.mark.parametrize("thing", ["rf", RandomForestClassifier(10)], ids=["candidate", "estimator"])
def test_the_same_seed_gives_the_same_values(thing, learn, test) -> None:
    made = as_algorithm(thing).with_parameters(**({"trees": 10} if thing == "rf" else {}))
    measures = [ERROR, Measure.named("deviance")]
    values = [fit_and_measure(made, learn, test, measures, seed).values for seed in (1, 1, 2, 2**62)]
    assert values[0] == values[1]
    assert values[0]["deviance"] != values[2]["deviance"]


# Memory


def test_peak_memory_is_measured_in_a_separate_fit(learn, test) -> None:
    class Hungry(Spy):
        fits = 0

        def fit(self, X, y):
            Hungry.fits += 1
            np.ones(1_000_000).sum()

    outcome = fit_and_measure(Algorithm("Hungry", Hungry()), learn, test, [Measure.named("peak memory"), ERROR], seed=1)
    assert Hungry.fits == 2
    assert 8_000_000 <= outcome.values["peak memory"] == outcome.peak_memory < 8_200_000
    assert not tracemalloc.is_tracing()


# Other tasks


def test_regression() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=40)})
    data = Dataset(name="line", X=X, y=2 * X["x"] + 1, task="regression")
    learn, test = data.take(np.arange(30)), data.take(np.arange(30, 40))
    for thing in ("lm", LinearRegression()):
        outcome = fit_and_measure(
            as_algorithm(thing), learn, test, [Measure.named("squared error"), Measure.named("r2"), ERROR], seed=1
        )
        assert outcome.values["squared error"] < 1e-20
        assert outcome.values["r2"] == pytest.approx(1)
        assert outcome.undefined == {"misclassification": "it is for classification, not for regression"}


def test_an_unsupervised_model_does_not_see_the_groups(data, learn, test) -> None:
    spy = Spy()
    fit_and_measure(using(spy), learn, test, [], seed=1, task="unsupervised")
    assert spy.seen[1] is None
    rand = Measure.named("adjusted rand")
    outcome = fit_and_measure(Algorithm("KMeans", KMeans(3)), learn, test, [rand], seed=1, task="unsupervised")
    assert outcome.values["adjusted rand"] > 0.5
    known = of(lambda model, learn, test: float(learn.y is not None))
    assert fit_and_measure(using(Spy()), learn, test, [known], seed=1, task="unsupervised").values["own"] == 1
    assert fit_model(Algorithm("KMeans", KMeans(3)), learn, seed=1, task="unsupervised").n_clusters == 3


def test_a_task_without_any_response(learn, test) -> None:
    inertia = Measure("inertia", lambda model, learn, test: model.inertia_, direction="lower")
    bare = [Sample(sample.X) for sample in (learn, test)]
    outcome = fit_and_measure(Algorithm("KMeans", KMeans(3)), *bare, [inertia, Measure.named("adjusted rand")], seed=1)
    assert outcome.values["inertia"] > 0
    assert outcome.undefined == {"adjusted rand": "the test sample has no response"}
    times = [Measure.named("predict time"), Measure.named("fit time")]
    silent = fit_and_measure(Algorithm("PCA", PCA(1)), *bare, times, seed=1)
    assert silent.undefined == {"predict time": "PCA does not predict"}
    scaled = make_pipeline(StandardScaler(), AgglomerativeClustering(3))
    for extended in (Algorithm("AgglomerativeClustering", AgglomerativeClustering(3)), Algorithm("scaled", scaled)):
        assert fit_and_measure(extended, *bare, times, seed=1).undefined == {}


def test_a_clustering_is_extended_in_the_inputs_of_its_clusterer(learn, test) -> None:
    scaled = make_pipeline(StandardScaler(), AgglomerativeClustering(3))
    kept = fit_and_measure(
        Algorithm("scaled", scaled), learn, test, [Measure.named("adjusted rand")], seed=1, task="unsupervised"
    ).values["adjusted rand"]
    scaler = StandardScaler().fit(learn.X)
    known, new = scaler.transform(learn.X), scaler.transform(test.X)
    groups = AgglomerativeClustering(3).fit_predict(known)
    expected = KNeighborsClassifier(1).fit(known, groups).predict(new)  # one neighbour, by scikit-learn
    assert kept == adjusted_rand_score(test.y, expected)


def test_scorers_work_with_candidates_estimators_and_encoded_models(learn, test) -> None:
    scorers = [as_measure({"scorer": name}) for name in ("accuracy", "roc_auc_ovo", "neg_log_loss")]
    for made in (
        Algorithm.named("lda"),
        Algorithm("GaussianNB", GaussianNB()),
        Algorithm("encoded", GaussianNB(), encoding="one-hot"),
    ):
        outcome = fit_and_measure(made, learn, test, [*scorers, ERROR, AUC, Measure.named("log loss")], seed=1)
        assert outcome.undefined == {}
        assert outcome.values["accuracy"] == pytest.approx(1 - outcome.values["misclassification"])
        assert outcome.values["roc_auc_ovo"] == pytest.approx(outcome.values["auc"])
        assert outcome.values["neg_log_loss"] == pytest.approx(-outcome.values["log loss"])


def test_measures_see_both_samples_and_the_model(learn, test) -> None:
    seen: list[Fitted] = []
    fit_and_measure(Algorithm.named("lda"), learn, test, [of(lambda fitted: len(seen.append(fitted) or [1]))], seed=1)
    for given, sample in ((seen[0].learn, learn), (seen[0].test, test)):
        assert given.X.equals(sample.X)
        assert given.y.equals(sample.y)
        assert not np.shares_memory(given.X.to_numpy(), sample.X.to_numpy())
    assert list(seen[0].model.classes_) == ["a", "b", "c"]
