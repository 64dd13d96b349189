"""The measures known by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd

from podium.errors import AmbiguousInputError, LabelError, listing
from podium.results.measure_info import Direction, Scale
from podium.setup.dataset import Task
from podium.setup.measures import classification, losses, regression, resources
from podium.setup.measures.losses import Functional, Loss
from podium.setup.suggesting import nearest

CLASSES: tuple[Task, ...] = ("classification",)
NUMBERS: tuple[Task, ...] = ("regression",)
GROUPS: tuple[Task, ...] = ("classification", "unsupervised")
ALL: tuple[Task, ...] = ("classification", "regression", "unsupervised")

LABELS = frozenset({"prediction", "labels"})
PREDICTION = frozenset({"prediction"})
PROBABILITY = frozenset({"probability"})
POSITIVE = ("positive",)


@dataclass(frozen=True)
class Known:
    """A measure known by name: a functional of a loss, or a function of the whole trial."""

    name: str
    direction: Direction
    tasks: tuple[Task, ...]
    title: str
    needs: frozenset[str] = frozenset()
    loss: Loss | None = None
    function: Callable[..., float] | None = None
    functional: Functional = "mean"
    options: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    units: str = ""
    scale: Scale | None = None


def _known(*measures: Known) -> dict[str, Known]:
    return {known.name: known for known in measures}


MEASURES: Mapping[str, Known] = _known(
    Known(
        "misclassification",
        "lower",
        CLASSES,
        "share of wrong classes",
        LABELS,
        loss=losses.misclassified,
        aliases=("misclassification error", "misclassification rate", "error", "error rate", "zero-one loss"),
    ),
    Known(
        "accuracy",
        "greater",
        CLASSES,
        "share of right classes",
        LABELS,
        loss=losses.classified,
        aliases=("acc",),
    ),
    Known(
        "deviance",
        "lower",
        CLASSES,
        "-2 log of the probability of the true class",
        PROBABILITY,
        loss=losses.deviance,
        options=("clip",),
    ),
    Known(
        "log loss",
        "lower",
        CLASSES,
        "-log of the probability of the true class",
        PROBABILITY,
        loss=losses.log_loss,
        options=("clip",),
        aliases=("cross-entropy", "negative log-likelihood"),
    ),
    Known(
        "brier",
        "lower",
        CLASSES,
        "squared distance of the probabilities to the true class, 0 to 2",
        PROBABILITY,
        loss=losses.brier,
        aliases=("brier score",),
    ),
    Known(
        "auc",
        "greater",
        CLASSES,
        "area under the ROC curve; Hand & Till's mean over pairs for more than two classes",
        frozenset({"score"}),
        function=classification.auc,
        options=("multiclass",),
        aliases=("roc auc", "auroc"),
    ),
    Known(
        "balanced error",
        "lower",
        CLASSES,
        "1 - mean recall of the classes",
        LABELS,
        function=classification.balanced_error,
        aliases=("balanced error rate", "ber"),
    ),
    Known(
        "balanced accuracy",
        "greater",
        CLASSES,
        "mean recall of the classes",
        LABELS,
        function=classification.balanced_accuracy,
    ),
    Known(
        "precision",
        "greater",
        CLASSES,
        "TP/(TP + FP)",
        LABELS,
        function=classification.precision,
        options=POSITIVE,
        aliases=("ppv",),
    ),
    Known(
        "recall",
        "greater",
        CLASSES,
        "probability of detection, TP/(TP + FN)",
        LABELS,
        function=classification.recall,
        options=POSITIVE,
        aliases=("pd", "sensitivity", "tpr", "true positive rate", "probability of detection"),
    ),
    Known(
        "false alarm",
        "lower",
        CLASSES,
        "probability of false alarm, FP/(FP + TN)",
        LABELS,
        function=classification.false_alarm,
        options=POSITIVE,
        aliases=("pf", "fpr", "false positive rate", "false alarm rate"),
    ),
    Known(
        "specificity",
        "greater",
        CLASSES,
        "TN/(FP + TN)",
        LABELS,
        function=classification.specificity,
        options=POSITIVE,
        aliases=("tnr", "true negative rate"),
    ),
    Known(
        "f1",
        "greater",
        CLASSES,
        "harmonic mean of precision and recall",
        LABELS,
        function=classification.f1,
        options=POSITIVE,
        aliases=("f1 score", "f measure"),
    ),
    Known(
        "g measure",
        "greater",
        CLASSES,
        "harmonic mean of pd and 1 - pf",
        LABELS,
        function=classification.g_measure,
        options=POSITIVE,
    ),
    Known("g mean", "greater", CLASSES, "geometric mean of the recalls", LABELS, function=classification.g_mean),
    Known(
        "mcc",
        "greater",
        CLASSES,
        "Matthews' correlation of classes and predicted classes",
        LABELS,
        function=classification.mcc,
        aliases=("matthews corrcoef",),
    ),
    Known(
        "kappa",
        "greater",
        CLASSES,
        "Cohen's agreement beyond chance",
        LABELS,
        function=classification.kappa,
        aliases=("cohen kappa",),
    ),
    Known(
        "squared error",
        "lower",
        NUMBERS,
        "(y - ŷ)²",
        PREDICTION,
        loss=losses.squared,
        aliases=("mse", "mean squared error"),
    ),
    Known(
        "root mean squared error",
        "lower",
        NUMBERS,
        "root of the mean of (y - ŷ)²",
        PREDICTION,
        function=regression.root_mean_squared,
        aliases=("rmse",),
    ),
    Known(
        "absolute error",
        "lower",
        NUMBERS,
        "|y - ŷ|",
        PREDICTION,
        loss=losses.absolute,
        aliases=("mae", "mean absolute error"),
    ),
    Known(
        "median absolute error",
        "lower",
        NUMBERS,
        "median of |y - ŷ|",
        PREDICTION,
        loss=losses.absolute,
        functional="median",
        aliases=("medae",),
    ),
    Known(
        "r2",
        "greater",
        NUMBERS,
        "1 - squared error/variance of the response",
        PREDICTION,
        function=regression.r2,
        aliases=("r²", "r squared"),
    ),
    Known(
        "adjusted rand",
        "greater",
        GROUPS,
        "agreement of predicted and known groups beyond chance",
        PREDICTION,
        function=regression.adjusted_rand,
        aliases=("ari", "adjusted rand index", "adjusted rand score"),
    ),
    Known(
        "fit time",
        "lower",
        ALL,
        "seconds of the fit, tuning included",
        function=resources.fit_time,
        units="s",
        scale="log",
    ),
    Known(
        "predict time",
        "lower",
        ALL,
        "seconds of the prediction of the test sample",
        PREDICTION,
        function=resources.predict_time,
        units="s",
        scale="log",
    ),
    Known(
        "peak memory",
        "lower",
        ALL,
        "most memory in use during the fit",
        frozenset({"memory"}),
        function=resources.peak_memory,
        units="B",
        scale="log",
    ),
    Known(
        "model size", "lower", ALL, "memory of the fitted model", function=resources.model_size, units="B", scale="log"
    ),
)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("²", "2"))


_BY_KEY = {_key(word): known for known in MEASURES.values() for word in (known.name, *known.aliases)}


def known_by_name(name: str) -> Known:
    """Return the measure of this name; case, spaces and punctuation do not matter."""
    if _key(name) == "g":
        raise AmbiguousInputError(
            "'G' is two things in the literature: 'g measure', the harmonic mean of pd and 1 - pf, and 'g mean', the "
            "geometric mean of the recalls. Name the one you mean."
        )
    if _key(name) not in _BY_KEY:
        raise LabelError(
            f"There is no measure {name!r}{nearest(name, MEASURES)} Known are {listing(MEASURES, most=40)}. "
            f"A scorer of scikit-learn is {{'scorer': {name!r}}}; any function of model, learning sample and test "
            "sample can be a measure."
        )
    return _BY_KEY[_key(name)]


def measures() -> pd.DataFrame:
    """List the measures known by name.

    Returns
    -------
    DataFrame
        One row per measure: direction, units, what it is, for which tasks, its options and other names.

    Examples
    --------
    >>> import podium
    >>> podium.measures().loc["recall", "other names"]
    'pd, sensitivity, tpr, true positive rate, probability of detection'
    """
    rows = [
        {
            "measure": known.name,
            "better": known.direction,
            "units": known.units,
            "title": known.title,
            "tasks": ", ".join(known.tasks),
            "options": ", ".join((*(("functional",) if known.loss else ()), *known.options)),
            "other names": ", ".join(known.aliases),
        }
        for known in MEASURES.values()
    ]
    return pd.DataFrame(rows).set_index("measure")
