"""Measures of predicted classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.arrays import FloatArray, IntArray
from podium.design.fitted import Fitted, predicted_codes, true_codes, truth
from podium.design.measures import LABELS, NamedMeasure
from podium.design.parameter import Parameter
from podium.design.sample import Task
from podium.errors import InputError, UndefinedError, join_names

CLASSES: tuple[Task, ...] = ("classification",)
POSITIVE = {"positive": Parameter(default=None, meaning="the class it is about", anything=True)}

# ---- one class against the rest -------------------------------------------------------------------------------------


def recall(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TP/(TP + FN), the probability of detection (pd)."""
    from sklearn.metrics import recall_score

    return _mean(recall_score, fitted, positive)


RECALL = NamedMeasure(
    "recall",
    "higher",
    "probability of detection, TP/(TP + FN)",
    CLASSES,
    LABELS,
    function=recall,
    options=POSITIVE,
    aliases=("pd", "sensitivity", "tpr", "true positive rate", "probability of detection"),
)


def precision(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TP/(TP + FP); 0 if nothing is predicted to be positive."""
    from sklearn.metrics import precision_score

    return _mean(precision_score, fitted, positive)


PRECISION = NamedMeasure(
    "precision",
    "higher",
    "TP/(TP + FP)",
    CLASSES,
    LABELS,
    function=precision,
    options=POSITIVE,
    aliases=("ppv",),
)


def f1(fitted: Fitted, *, positive: Any = None) -> float:
    """Return 2 TP/(2 TP + FP + FN), the harmonic mean of precision and recall."""
    from sklearn.metrics import f1_score

    return _mean(f1_score, fitted, positive)


F1 = NamedMeasure(
    "f1",
    "higher",
    "harmonic mean of precision and recall",
    CLASSES,
    LABELS,
    function=f1,
    options=POSITIVE,
    aliases=("f1 score", "f measure"),
)


def false_alarm(fitted: Fitted, *, positive: Any = None) -> float:
    """Return FP/(FP + TN), the probability of a false alarm (pf)."""
    return float(rates(fitted, positive)[1].mean())


FALSE_ALARM = NamedMeasure(
    "false alarm",
    "lower",
    "probability of false alarm, FP/(FP + TN)",
    CLASSES,
    LABELS,
    function=false_alarm,
    options=POSITIVE,
    aliases=("pf", "fpr", "false positive rate", "false alarm rate"),
)


def specificity(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TN/(FP + TN)."""
    return 1.0 - false_alarm(fitted, positive=positive)


SPECIFICITY = NamedMeasure(
    "specificity",
    "higher",
    "TN/(FP + TN)",
    CLASSES,
    LABELS,
    function=specificity,
    options=POSITIVE,
    aliases=("tnr", "true negative rate"),
)


def g_measure(fitted: Fitted, *, positive: Any = None) -> float:
    """Return the harmonic mean of pd and 1 - pf, the G of software engineering (Peters & Menzies 2012)."""
    check_positive(fitted, positive)
    detected, alarm = rates(fitted, positive)
    total = detected + 1 - alarm
    return float(np.divide(2 * detected * (1 - alarm), total, out=np.zeros_like(total), where=total > 0).mean())


G_MEASURE = NamedMeasure(
    "g measure",
    "higher",
    "harmonic mean of pd and 1 - pf",
    CLASSES,
    LABELS,
    function=g_measure,
    options=POSITIVE,
    ambiguous=("g",),
)


def rates(fitted: Fitted, positive: Any = None) -> tuple[FloatArray, FloatArray]:
    """Return pd and pf of each positive class; pd is NaN where the class does not occur."""
    from sklearn.metrics import multilabel_confusion_matrix

    which = positive_classes(fitted, positive)
    table = multilabel_confusion_matrix(true_codes(fitted), predicted_codes(fitted), labels=which).astype(float)
    tn, fp, fn, tp = table.reshape(-1, 4).T
    if not (fp + tn).all():
        raise UndefinedError("the test sample has no observation of a negative class")
    occurs = tp + fn > 0
    return np.divide(tp, tp + fn, out=np.full_like(tp, np.nan), where=occurs), fp / (fp + tn)


def positive_classes(fitted: Fitted, positive: Any = None) -> IntArray:
    """Return the numbers of the positive classes: the one given, the last of two, or all in the test sample."""
    classes = list(truth(fitted).cat.categories)
    if positive is not None:
        if positive not in classes:
            raise InputError(f"`positive` must be a class of the data set, {join_names(classes)}; got {positive!r}.")
        return np.array([classes.index(positive)])
    return np.array([1]) if len(classes) == 2 else np.unique(true_codes(fitted))


def check_positive(fitted: Fitted, positive: Any = None) -> None:
    """Refuse a test sample without the positive class."""
    if not np.isin(positive_classes(fitted, positive), true_codes(fitted)).all():
        raise UndefinedError("the test sample has no observation of the positive class")


def _mean(score: Any, fitted: Fitted, positive: Any) -> float:
    """Average a score of scikit-learn over the positive classes."""
    check_positive(fitted, positive)
    which = positive_classes(fitted, positive)
    value = score(true_codes(fitted), predicted_codes(fitted), labels=which, average="macro", zero_division=0.0)
    return float(value)


# ---- all classes ----------------------------------------------------------------------------------------------------


def misclassified(fitted: Fitted) -> FloatArray:
    """Return I(y ≠ ŷ)."""
    return np.asarray(predicted_codes(fitted) != true_codes(fitted), dtype=float)


MISCLASSIFICATION = NamedMeasure(
    "misclassification",
    "lower",
    "share of misclassified observations",
    CLASSES,
    LABELS,
    loss=misclassified,
    aliases=("misclassification error", "misclassification rate", "error", "error rate", "zero-one loss"),
)


def classified(fitted: Fitted) -> FloatArray:
    """Return I(y = ŷ)."""
    return 1.0 - misclassified(fitted)


ACCURACY = NamedMeasure(
    "accuracy",
    "higher",
    "share of correctly classified observations",
    CLASSES,
    LABELS,
    loss=classified,
    aliases=("acc",),
)


def recalls(fitted: Fitted) -> FloatArray:
    """Return the recall of each class in the test sample."""
    from sklearn.metrics import recall_score

    codes = true_codes(fitted)
    found = recall_score(codes, predicted_codes(fitted), labels=np.unique(codes), average=None, zero_division=0.0)
    return np.asarray(found, dtype=float)


def balanced_accuracy(fitted: Fitted) -> float:
    """Return the mean recall of the classes in the test sample."""
    return float(recalls(fitted).mean())


BALANCED_ACCURACY = NamedMeasure(
    "balanced accuracy", "higher", "mean recall of the classes", CLASSES, LABELS, function=balanced_accuracy
)


def balanced_error(fitted: Fitted) -> float:
    """Return 1 - the mean recall of the classes in the test sample."""
    return 1.0 - balanced_accuracy(fitted)


BALANCED_ERROR = NamedMeasure(
    "balanced error",
    "lower",
    "1 - mean recall of the classes",
    CLASSES,
    LABELS,
    function=balanced_error,
    aliases=("balanced error rate", "ber"),
)


def g_mean(fitted: Fitted) -> float:
    """Return the geometric mean of the recalls of all classes, √(pd (1 - pf)) for two (Kubat & Matwin 1997)."""
    found = recalls(fitted)
    return float(np.prod(found) ** (1 / len(found)))


G_MEAN = NamedMeasure(
    "g mean",
    "higher",
    "geometric mean of the recalls",
    CLASSES,
    LABELS,
    function=g_mean,
    ambiguous=("g",),
)


def mcc(fitted: Fitted) -> float:
    """Return the correlation of classes and predicted classes (Gorodkin 2004); 0 if only one class is predicted."""
    from sklearn.metrics import matthews_corrcoef

    codes = true_codes(fitted)
    if (codes == codes[0]).all():
        raise UndefinedError("the test sample has only one class")
    return float(matthews_corrcoef(codes, predicted_codes(fitted)))


MCC = NamedMeasure(
    "mcc",
    "higher",
    "Matthews' correlation of classes and predicted classes",
    CLASSES,
    LABELS,
    function=mcc,
    aliases=("matthews corrcoef",),
)


def kappa(fitted: Fitted) -> float:
    """Return the agreement beyond chance (Cohen 1960)."""
    from sklearn.metrics import cohen_kappa_score

    codes, found = true_codes(fitted), predicted_codes(fitted)
    if (codes == codes[0]).all() and (found == codes[0]).all():
        raise UndefinedError("the test sample and the predictions have only one class, the same")
    return float(cohen_kappa_score(codes, found))


KAPPA = NamedMeasure(
    "kappa", "higher", "Cohen's agreement beyond chance", CLASSES, LABELS, function=kappa, aliases=("cohen kappa",)
)
