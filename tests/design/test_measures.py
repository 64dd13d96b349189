"""Each measure against scikit-learn, by definition or by hand; what a user writes; what is undefined."""

from __future__ import annotations

import functools
import pickle
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as reference
from hypothesis import assume, given
from hypothesis import strategies as st

from podium.design.fitted import Fitted
from podium.design.measure import Measure, as_measure, measure_from_spec
from podium.design.measures import MEASURES
from podium.design.measures.resources import held_bytes
from podium.design.sample import Sample
from podium.errors import InputError, UndefinedError
from slow_laws import few_examples


def classified(truth, predicted, probability=None, classes=None, score=None) -> Fitted:
    """A fitted classifier, of which only the answers count."""
    classes = classes or sorted({*truth, *predicted})
    y = pd.Series(pd.Categorical(list(truth), categories=classes))
    table = None if probability is None else pd.DataFrame(probability, columns=classes)
    shown = table if score is None else pd.DataFrame(score, columns=classes)
    sample = Sample(pd.DataFrame({"x": np.zeros(len(truth))}), y)
    return Fitted(
        model=object(), learn=sample, test=sample, prediction=np.array(list(predicted)), probability=table, score=shown
    )


def regressed(truth, predicted) -> Fitted:
    sample = Sample(pd.DataFrame({"x": np.zeros(len(truth))}), pd.Series(np.array(truth, dtype=float)))
    return Fitted(model=object(), learn=sample, test=sample, prediction=np.array(predicted, dtype=float))


known = functools.cache(Measure.named)  # measures do not change


def value(name: str, fitted: Fitted, **options) -> float:
    return known(name, **options).function(fitted)


@st.composite
def answers(draw, most_classes: int = 4, least_classes: int = 2) -> Fitted:
    """A classification problem in which every class occurs, with ties among the probabilities."""
    classes = draw(st.integers(least_classes, most_classes))
    n = draw(st.integers(2 * classes, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    raw = rng.integers(1, 6, (n, classes)) + 2.0 * (truth[:, None] == np.arange(classes)) * rng.integers(0, 2, (n, 1))
    probability = raw / raw.sum(axis=1, keepdims=True)
    return classified(truth, probability.argmax(axis=1), probability, classes=list(range(classes)))


# Classification against scikit-learn


@few_examples()
@given(answers())
def test_classification_is_that_of_scikit_learn(fitted: Fitted) -> None:
    y, predicted, probability = fitted.test.y.to_numpy(), fitted.prediction, fitted.probability.to_numpy()
    labels = list(range(probability.shape[1]))
    many = len(labels) > 2
    average = {"average": "macro" if many else "binary", "zero_division": 0.0}
    precision, recall, f1, _ = reference.precision_recall_fscore_support(y, predicted, **average)
    log_loss = reference.log_loss(y, probability, labels=labels)
    balanced = reference.balanced_accuracy_score(y, predicted)
    expected = {
        "misclassification": reference.zero_one_loss(y, predicted),
        "accuracy": reference.accuracy_score(y, predicted),
        "log loss": log_loss,
        "deviance": 2 * log_loss,
        "balanced accuracy": balanced,
        "balanced error": 1 - balanced,
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "mcc": reference.matthews_corrcoef(y, predicted),
        "adjusted rand": reference.adjusted_rand_score(y, predicted),
    }
    if len(set(predicted)) > 1:
        expected["kappa"] = reference.cohen_kappa_score(y, predicted)
    for name, wanted in expected.items():
        assert value(name, fitted) == pytest.approx(wanted, abs=1e-12), name


@few_examples()
@given(answers(least_classes=3))
def test_the_auc_of_many_classes_is_that_of_scikit_learn(fitted: Fitted) -> None:
    y, probability = fitted.test.y.to_numpy(), fitted.probability.to_numpy()
    assert value("auc", fitted) == pytest.approx(reference.roc_auc_score(y, probability, multi_class="ovo"))
    one_vs_rest = reference.roc_auc_score(y, probability, multi_class="ovr")
    assert value("auc", fitted, multiclass="one-vs-rest") == pytest.approx(one_vs_rest)


@few_examples()
@given(answers(most_classes=2))
def test_two_classes_are_those_of_scikit_learn(fitted: Fitted) -> None:
    y, probability = fitted.test.y.to_numpy(), fitted.probability.to_numpy()
    for multiclass in ("hand-till", "one-vs-rest"):
        found = value("auc", fitted, multiclass=multiclass)
        assert found == pytest.approx(reference.roc_auc_score(y, probability[:, 1]))
    assert value("brier", fitted) == pytest.approx(2 * reference.brier_score_loss(y, probability[:, 1]))
    tn, fp, fn, tp = reference.confusion_matrix(y, fitted.prediction).ravel()
    detected, alarm = tp / (tp + fn), fp / (fp + tn)
    assert value("pd", fitted) == pytest.approx(detected)
    assert value("pf", fitted) == pytest.approx(alarm)
    assert value("specificity", fitted) == pytest.approx(1 - alarm)
    assert value("g mean", fitted) == pytest.approx(np.sqrt(detected * (1 - alarm)))
    harmonic = 2 * detected * (1 - alarm) / (detected + 1 - alarm) if detected + 1 - alarm else 0.0
    assert value("g measure", fitted) == pytest.approx(harmonic)
    other = reference.precision_score(y, fitted.prediction, pos_label=0, zero_division=0.0)
    assert value("precision", fitted, positive=0) == pytest.approx(other)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def by_definition(fitted: Fitted) -> dict[str, float]:
    """The measures of predicted classes once more, counted case by case from their textbook definitions."""
    cases = list(zip(fitted.test.y.tolist(), fitted.prediction.tolist(), strict=True))
    n, classes = len(cases), list(fitted.test.y.cat.categories)
    count = {(g, h): sum(case == (g, h) for case in cases) for g in classes for h in classes}
    row = {g: sum(count[g, h] for h in classes) for g in classes}
    column = {h: sum(count[g, h] for g in classes) for h in classes}
    positive = classes[1:] if len(classes) == 2 else classes
    pd_, pf, precision = [], [], []
    for g in positive:
        pd_.append(count[g, g] / row[g])
        pf.append((column[g] - count[g, g]) / (n - row[g]))
        precision.append(_share(count[g, g], column[g]))
    recalls = [count[g, g] / row[g] for g in classes]
    right, chance = sum(count[g, g] for g in classes) / n, sum(row[g] * column[g] for g in classes) / n**2
    spread = (1 - sum(column[g] ** 2 for g in classes) / n**2) * (1 - sum(row[g] ** 2 for g in classes) / n**2)
    area = [
        np.mean([(a > b) + (a == b) / 2 for a in side[g] for b in side[h]])
        for g, h in permutations(range(len(classes)), 2)
        for side in [[fitted.score.to_numpy()[[y == k for y, _ in cases], g] for k in classes]]
    ]
    return {
        "recall": np.mean(pd_),
        "false alarm": np.mean(pf),
        "specificity": 1 - np.mean(pf),
        "precision": np.mean(precision),
        "f1": np.mean([_share(2 * p * r, p + r) for p, r in zip(precision, pd_, strict=True)]),
        "g measure": np.mean([_share(2 * r * (1 - f), r + 1 - f) for r, f in zip(pd_, pf, strict=True)]),
        "g mean": np.prod(recalls) ** (1 / len(recalls)),
        "balanced accuracy": np.mean(recalls),
        "accuracy": right,
        "kappa": (right - chance) / (1 - chance),
        "mcc": (right - chance) / np.sqrt(spread) if spread > 1e-15 else 0.0,
        "auc": np.mean(area),
    }


@few_examples()
@given(answers())
def test_classification_is_that_of_the_definitions(fitted: Fitted) -> None:
    for name, wanted in by_definition(fitted).items():
        assert value(name, fitted) == pytest.approx(wanted, abs=1e-12), name


@few_examples()
@given(answers())
def test_the_order_of_the_observations_does_not_matter(fitted: Fitted) -> None:
    order = np.random.default_rng(0).permutation(len(fitted.test))
    test = Sample(fitted.test.X, fitted.test.y.iloc[order].reset_index(drop=True))
    table = fitted.probability.iloc[order].reset_index(drop=True)
    turned = Fitted(
        model=fitted.model, learn=test, test=test, prediction=fitted.prediction[order], probability=table, score=table
    )
    for name, known in MEASURES.items():
        if known.tasks == ("classification",):
            assert _or_undefined(name, turned) == pytest.approx(_or_undefined(name, fitted)), name


def _or_undefined(name: str, fitted: Fitted) -> float:
    try:
        return value(name, fitted)
    except UndefinedError:
        return -1.0


# By hand


def test_probabilities_by_hand() -> None:
    fitted = classified("ab", "ab", [[0.8, 0.2], [0.5, 0.5]])
    assert value("deviance", fitted) == pytest.approx(-(np.log(0.8) + np.log(0.5)))  # mean of -2 log
    assert value("brier", fitted) == pytest.approx((2 * 0.2**2 + 2 * 0.5**2) / 2)
    assert value("deviance", fitted, functional="median") == pytest.approx(-(np.log(0.8) + np.log(0.5)))


def test_an_impossible_class_costs_what_the_clip_allows() -> None:
    fitted = classified("a", "b", [[0.0, 1.0]], classes=["a", "b"])
    assert value("deviance", fitted) == pytest.approx(-2 * np.log(1e-15))
    assert value("deviance", fitted, clip=0.01) == pytest.approx(-2 * np.log(0.01))
    assert value("brier", fitted) == 2


def test_the_criteria_of_software_engineering_by_hand() -> None:
    # 4 true positives, 1 missed, 3 false alarms, 12 quiet
    truth = ["bug"] * 5 + ["clean"] * 15
    predicted = ["bug"] * 4 + ["clean"] + ["bug"] * 3 + ["clean"] * 12
    fitted = classified(truth, predicted)
    assert value("pd", fitted, positive="bug") == pytest.approx(0.8)
    assert value("pf", fitted, positive="bug") == pytest.approx(0.2)
    assert value("precision", fitted, positive="bug") == pytest.approx(4 / 7)
    assert value("f1", fitted, positive="bug") == pytest.approx(8 / 12)
    assert value("g measure", fitted, positive="bug") == pytest.approx(0.8)
    assert value("g mean", fitted) == pytest.approx(0.8)
    assert value("pd", fitted) == pytest.approx(0.8)  # of "clean", the last class
    assert value("precision", fitted) == pytest.approx(12 / 13)


def test_the_auc_counts_ties_half() -> None:
    fitted = classified("aabb", "aabb", score=[[0, 0.5], [0, 0.2], [0, 0.5], [0, 0.9]], classes=["a", "b"])
    # pairs (b above a): 0.5 ties with 0.5, beats 0.2; 0.9 beats both: 3.5 of 4; the scores of "a" are all equal: 2 of 4
    assert value("auc", fitted) == pytest.approx((3.5 / 4 + 0.5) / 2)


def test_classes_that_are_missing_from_the_test_sample_do_not_count() -> None:
    fitted = classified("aabb", "aacb", np.full((4, 3), 1 / 3), classes=["a", "b", "c"])
    assert value("balanced accuracy", fitted) == pytest.approx(0.75)
    assert value("recall", fitted) == pytest.approx(0.75)
    assert value("f1", fitted) == pytest.approx((1 + 2 / 3) / 2)
    assert value("auc", fitted) == 0.5


def test_nothing_predicted_positive_is_the_worst_precision() -> None:
    fitted = classified("abab", "aaaa")
    assert value("precision", fitted) == 0
    assert value("f1", fitted) == 0
    assert value("mcc", fitted) == 0


@pytest.mark.parametrize("name", ["recall", "precision", "f1", "g measure", "auc", "mcc", "kappa"])
def test_what_the_sample_does_not_have_makes_a_measure_undefined(name: str) -> None:
    with pytest.raises(UndefinedError):
        value(name, classified("aaa", "aaa", [[1.0, 0.0]] * 3, classes=["a", "b"]))


def test_false_alarms_need_negatives() -> None:
    with pytest.raises(UndefinedError, match=r"^the test sample has no observation of a negative class$"):
        value("pf", classified("bb", "bb", classes=["a", "b"]))


def test_models_without_predictions_make_a_measure_undefined() -> None:
    fitted = classified("ab", "ab")
    with pytest.raises(UndefinedError, match=r"^object predicts no probabilities: it has no `predict_proba`$"):
        value("brier", fitted)
    with pytest.raises(UndefinedError, match=r"^object has neither `predict_proba` nor `decision_function`$"):
        value("auc", fitted)
    silent = Fitted(model=object(), learn=fitted.learn, test=fitted.test)
    for name in ("misclassification", "adjusted rand", "predict time"):
        with pytest.raises(UndefinedError, match=r"^object does not predict$"):
            value(name, silent)
    unknown = Fitted(model=object(), learn=fitted.learn, test=Sample(fitted.test.X), prediction=np.zeros(2))
    with pytest.raises(UndefinedError, match=r"^the test sample has no response$"):
        value("adjusted rand", unknown)


# Regression and clustering


@few_examples()
@given(st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=2, max_size=30))
def test_regression_is_that_of_scikit_learn(pairs) -> None:
    y, predicted = (np.array(side) for side in zip(*pairs, strict=True))
    assume(np.var(y) > 1e-3)
    fitted = regressed(y, predicted)
    expected = {
        "squared error": reference.mean_squared_error(y, predicted),
        "root mean squared error": reference.root_mean_squared_error(y, predicted),
        "absolute error": reference.mean_absolute_error(y, predicted),
        "median absolute error": reference.median_absolute_error(y, predicted),
        "r2": reference.r2_score(y, predicted),
    }
    for name, wanted in expected.items():
        assert value(name, fitted) == pytest.approx(wanted, rel=1e-9, abs=1e-9), name


def test_a_constant_response_has_no_r2() -> None:
    with pytest.raises(UndefinedError, match=r"^the response is constant in the test sample$"):
        value("r2", regressed([1, 1], [0, 2]))


@few_examples()
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=2, max_size=30))
def test_the_adjusted_rand_index_is_that_of_scikit_learn(pairs) -> None:
    known, found = zip(*pairs, strict=True)
    fitted = classified([f"group {g}" for g in known], [str(g) for g in found])
    assert value("adjusted rand", fitted) == pytest.approx(reference.adjusted_rand_score(known, found))


# The functional


def test_the_functional_over_the_test_sample() -> None:
    fitted = regressed([0, 0, 0, 0, 0], [1, 2, 3, 4, 10])
    assert value("squared error", fitted, functional="median") == 9
    assert value("absolute error", fitted, functional=0.75) == 4
    assert value("median absolute error", fitted) == 3
    assert value("absolute error", fitted, functional=0.9) == pytest.approx(np.quantile([1, 2, 3, 4, 10], 0.9))


@pytest.mark.parametrize(
    ("functional", "name"),
    [
        (None, "squared error"),
        ("mean", "squared error"),
        ("median", "squared error (median)"),
        (0.9, "squared error (0.9 quantile)"),
    ],
)
def test_the_functional_is_part_of_the_name(functional, name: str) -> None:
    assert Measure.named("squared error", functional=functional).name == name


def test_losses_of_single_observations_are_available() -> None:
    np.testing.assert_array_equal(Measure.named("squared error").losses(regressed([0, 0], [1, 3])), [1, 9])
    np.testing.assert_array_equal(Measure.named("misclassification").losses(classified("ab", "aa")), [0, 1])
    assert Measure.named("auc").losses is None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Measure.named("auc", functional="median"),
        lambda: Measure.named("brier", functional="mode"),
        lambda: Measure.named("brier", functional=1.5),
        lambda: Measure.named("brier", positive="a"),
        lambda: Measure.named("acuracy"),
        lambda: as_measure(3),
        lambda: as_measure(lambda model, learn, test: 1.0),
        lambda: Measure("x", lambda a, b: 1.0, direction="lower"),
        lambda: as_measure({"measure": "accuracy", "direction": "lower"}),
        lambda: Measure.named("auc", multiclass="macro"),
        lambda: Measure.named("deviance", clip=0),
        lambda: value("recall", classified("ab", "ab"), positive="c"),
        lambda: measure_from_spec({}),
        lambda: measure_from_spec({"measure": "auc", "scorer": "roc_auc"}),
        lambda: measure_from_spec({"measure": "auc", "colour": 1}),
        lambda: measure_from_spec({"scorer": "roc_acu"}),
        lambda: measure_from_spec({"scorer": "roc_auc", "functional": "median"}),
        lambda: measure_from_spec({"function": "math.pi"}),
        lambda: measure_from_spec({"function": "nowhere.f"}),
        lambda: measure_from_spec({"function": "math.gcd"}),
        lambda: Measure("m", 3, direction="lower"),  # type: ignore[arg-type]
    ],
)
def test_what_is_not_a_measure_is_refused(wrong) -> None:
    with pytest.raises(InputError):
        wrong()


# Names, directions, files


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Misclassification", "misclassification"),
        ("pd", "recall"),
        ("PF", "false alarm"),
        ("R²", "r2"),
        ("MSE", "squared error"),
    ],
)
def test_case_punctuation_and_other_names_do_not_matter(word: str, name: str) -> None:
    assert Measure.named(word).name == name


def test_directions_agree_with_those_that_names_imply() -> None:
    from podium.results.known_measures import known_measure

    for name, known in MEASURES.items():
        implied = known_measure(name)
        assert implied is None or implied.direction == known.direction, name


SPECS = [
    *({"measure": name} for name in MEASURES),
    {"measure": "squared error", "functional": "median"},
    {"measure": "absolute error", "functional": 0.9, "name": "large errors", "units": "ft"},
    {"measure": "recall", "positive": "bug", "name": "pd"},
    {"measure": "auc", "multiclass": "one-vs-rest"},
    {"scorer": "roc_auc"},
    {"scorer": "neg_log_loss", "name": "likelihood"},
    {"function": "podium.design.measures.regression.r2", "name": "own r2", "direction": "higher"},
]


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_files_are_read_and_written_back(spec) -> None:
    made = measure_from_spec(spec)
    assert made.spec == spec
    assert made.name == spec.get("name", made.name)
    sent = pickle.loads(pickle.dumps(made))
    assert (sent.info, sent.spec, sent.needs) == (made.info, made.spec, made.needs)


def test_a_measure_stays_itself_and_can_be_renamed() -> None:
    made = Measure.named("auc")
    assert as_measure(made) is made
    assert made.renamed("area").spec == {"measure": "auc", "name": "area"}
    assert made.renamed("area").name == "area"
    assert as_measure(("area", "auc")).name == "area"
    assert repr(Measure.named("fit time")) == "Measure fit time (lower is better, s)"


def test_a_mapping_is_a_spec() -> None:
    made = as_measure({"measure": "recall", "positive": "bug"}, "pd")
    assert made.spec == {"measure": "recall", "positive": "bug", "name": "pd"}


# Scorers and user-defined functions


def test_scorers_of_scikit_learn_are_greater_is_better() -> None:
    from sklearn.dummy import DummyClassifier
    from sklearn.metrics import fbeta_score, make_scorer

    X, y = pd.DataFrame({"x": [0.0, 1.0, 2.0]}), pd.Series(pd.Categorical(["a", "b", "b"]))
    model = DummyClassifier().fit(X, y.to_numpy())
    fitted = Fitted(model=model, learn=Sample(X, y), test=Sample(X, y))
    accuracy = as_measure({"scorer": "accuracy"})
    assert (accuracy.info.direction, accuracy.function(fitted)) == ("higher", pytest.approx(2 / 3))
    own = as_measure(make_scorer(fbeta_score, beta=2, pos_label="b"))
    assert own.name == "fbeta_score"
    assert own.function(fitted) == pytest.approx(fbeta_score(y, ["b"] * 3, beta=2, pos_label="b"))


def sum_of_sizes(model, learn, test) -> float:
    return len(learn) + 10 * len(test)


def test_own_functions_see_model_and_samples() -> None:
    fitted = regressed([1, 2, 3], [1, 2, 4])
    own = Measure("sum_of_sizes", sum_of_sizes, direction="lower", units="rows", scale="log")
    assert (own.name, own.info.units, own.info.scale, own.function(fitted)) == ("sum_of_sizes", "rows", "log", 33)
    whole = Measure("largest", lambda fitted: fitted.prediction.max(), direction="higher")
    assert whole.function(fitted) == 4
    assert whole.spec is None
    assert whole.needs == {"prediction", "score"}
    assert as_measure(("error", sum_of_sizes)).info.direction == "lower"


# Resources


def test_times_and_memory_are_those_recorded() -> None:
    fitted = regressed([1], [1])
    recorded = Fitted(
        model=np.zeros(1000),
        learn=fitted.learn,
        test=fitted.test,
        fit_seconds=1.5,
        predict_seconds=0.5,
        peak_memory=2e6,
    )
    assert [value(name, recorded) for name in ("fit time", "predict time", "peak memory")] == [1.5, 0.5, 2e6]
    assert 8000 <= value("model size", recorded) < 8500


def test_the_size_of_compiled_models_counts_their_arrays() -> None:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 5)), rng.integers(0, 2, 400)
    sizes = [held_bytes(RandomForestClassifier(trees, random_state=0).fit(X, y)) for trees in (5, 10, 20)]
    np.testing.assert_allclose(
        np.array(sizes) / np.array([5, 10, 20]), sizes[2] / 20, rtol=0.1
    )  # each tree has its price
    assert held_bytes(KNeighborsClassifier().fit(X, y)) > X.nbytes
    for model in (RandomForestClassifier(10, random_state=0), KNeighborsClassifier()):
        assert held_bytes(model.fit(X, y)) == pytest.approx(len(pickle.dumps(model)), rel=0.25)


def test_a_measure_may_be_made_by_hand() -> None:
    own = Measure("own", lambda fitted: 1.0, direction="lower")
    assert (own.name, own.needs, own.spec) == ("own", {"prediction", "score"}, None)
