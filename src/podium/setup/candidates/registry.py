"""The candidates known by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import InputError, LabelError, listing
from podium.setup.candidates.base import Candidate
from podium.setup.candidates.bayes import NaiveBayes
from podium.setup.candidates.constant import MajorityClass, MeanResponse
from podium.setup.candidates.discriminant import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from podium.setup.candidates.forest import RandomForestClassifier, RandomForestRegressor
from podium.setup.candidates.linear import LinearRegression, RobustRegression
from podium.setup.candidates.multivariate_tree import MultivariateTree
from podium.setup.candidates.neighbours import NearestNeighbourClassifier, NearestNeighbourRegressor
from podium.setup.candidates.networks import (
    LinearPerceptron,
    MultilayerPerceptron,
    NetworkClassifier,
    NetworkRegressor,
)
from podium.setup.candidates.smoothers import LocalRegression, SmoothingSpline
from podium.setup.candidates.svm import (
    DecadeMachine,
    LinearMachine,
    QuadraticMachine,
    RadialClassifier,
    RadialRegressor,
)
from podium.setup.candidates.trees import ClassificationTree, PessimisticTree, RegressionTree
from podium.setup.dataset import Task
from podium.setup.suggesting import check_keys, nearest


@dataclass(frozen=True)
class Entry:
    """A candidate known by name: what it is, how it is tuned, and its model for each task.

    Who sets a parameter in `settled_by` has no use for the rule any more.
    """

    name: str
    title: str
    rule: str
    models: Mapping[Task, type[Candidate]]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    settled_by: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, Any]:
        """Hyperparameters with their defaults."""
        found: dict[str, Any] = {}
        for model in self.models.values():
            found |= model.parameters()
        return found | dict(self.fixed)

    @property
    def description(self) -> str:
        """One sentence for a methods section."""
        return f"{self.title}: {self.rule}" if self.rule else self.title

    def described(self, parameters: Mapping[str, Any]) -> str:
        """The same sentence, with hyperparameters that were set."""
        told = ", ".join(f"{key} = {value}" for key, value in parameters.items())
        if any(parameters.get(key) is not None for key in self.settled_by):
            return f"{self.title} with {told}"
        return f"{self.description}; here {told}" if told else self.description

    def model(self, task: Task, parameters: Mapping[str, Any]) -> Candidate:
        """Return an unfitted model for a task."""
        if task not in self.models:
            others = [entry.name for entry in ENTRIES.values() if task in entry.models]
            way_out = f"Candidates for {task} are {listing(others, most=30)}." if others else "No candidate is."
            raise InputError(f"The candidate {self.name!r} is not for {task}. {way_out}")
        chosen = self.models[task]
        check_keys(parameters, chosen.parameters(), f"The candidate {self.name!r} for {task}")
        return chosen(**{**self.fixed, **parameters})


def _entries(*entries: Entry) -> dict[str, Entry]:
    return {entry.name: entry for entry in entries}


_ONE_SE = "grown fully and pruned by cost-complexity, by the 1-SE rule of 10-fold cross-validation"
_K = "k between 1 and √n by 10-fold cross-validation"
_HIDDEN = "hidden units between 1 and log n by 10-fold cross-validation, each fit the best of 5"
_DECADES = "by 3-fold cross-validation"

ENTRIES: Mapping[str, Entry] = _entries(
    Entry("lda", "linear discriminant analysis", "", {"classification": LinearDiscriminantAnalysis}),
    Entry("qda", "quadratic discriminant analysis", "", {"classification": QuadraticDiscriminantAnalysis}),
    Entry("nb", "naive Bayes", "", {"classification": NaiveBayes}),
    Entry(
        "knn",
        "k nearest neighbours",
        _K,
        {"classification": NearestNeighbourClassifier, "regression": NearestNeighbourRegressor},
        settled_by=("k",),
    ),
    Entry("5nn", "5 nearest neighbours", "", {"classification": NearestNeighbourClassifier}, {"k": 5}),
    Entry(
        "rpart",
        "classification or regression tree",
        _ONE_SE,
        {"classification": ClassificationTree, "regression": RegressionTree},
    ),
    Entry("c45", "tree like C4.5", "pruned by pessimistic errors", {"classification": PessimisticTree}),
    Entry(
        "mdt",
        "multivariate decision tree",
        "linear discriminants as splits, pruned by pessimistic errors",
        {"classification": MultivariateTree},
    ),
    Entry(
        "rf",
        "random forest",
        "500 trees",
        {"classification": RandomForestClassifier, "regression": RandomForestRegressor},
        settled_by=("trees",),
    ),
    Entry(
        "svm",
        "support vector machine with radial kernel",
        "C between 2^-5 and 2^12 (regression: 2^7) and γ between 2^-10 and 2^5, in steps of 2^3, by 10-fold "
        "cross-validation",
        {"classification": RadialClassifier, "regression": RadialRegressor},
    ),
    Entry(
        "svl",
        "support vector machine with linear kernel",
        f"C between 10^-5 and 10^5 in steps of 100, {_DECADES}",
        {"classification": LinearMachine},
    ),
    Entry(
        "sv2",
        "support vector machine with quadratic kernel",
        f"C between 10^-5 and 10^5 in steps of 100, {_DECADES}",
        {"classification": QuadraticMachine},
    ),
    Entry(
        "svr",
        "support vector machine with radial kernel",
        f"C between 10^-5 and 10^5 and γ between 10^-3 and 10^3 in steps of 100, {_DECADES}",
        {"classification": DecadeMachine},
    ),
    Entry(
        "nnet",
        "neural network with one hidden layer",
        _HIDDEN,
        {"classification": NetworkClassifier, "regression": NetworkRegressor},
        settled_by=("hidden",),
    ),
    Entry(
        "mlp",
        "multilayer perceptron",
        "(D + K)/2 hidden units, online backpropagation, 50 epochs",
        {"classification": MultilayerPerceptron},
    ),
    Entry(
        "lnp",
        "linear perceptron with softmax outputs",
        "online gradient descent, 50 epochs",
        {"classification": LinearPerceptron},
    ),
    Entry("lm", "linear regression", "", {"regression": LinearRegression}),
    Entry("rlm", "robust linear regression", "Huber's M-estimator", {"regression": RobustRegression}),
    Entry(
        "spl",
        "cubic smoothing spline of one attribute",
        "penalty by generalised cross-validation",
        {"regression": SmoothingSpline},
    ),
    Entry(
        "loess",
        "local polynomial regression",
        "degree 2, span 0.75",
        {"regression": LocalRegression},
        {},
        ("span", "degree"),
    ),
    Entry(
        "constant",
        "majority class or mean response",
        "a control that ignores the attributes",
        {"classification": MajorityClass, "regression": MeanResponse},
    ),
)


def entry(name: str) -> Entry:
    """Return the candidate of this name."""
    if name not in ENTRIES:
        raise LabelError(
            f"There is no candidate {name!r}{nearest(name, ENTRIES)} Known are {listing(ENTRIES, most=30)}; "
            "any other algorithm can be given as an object with `fit`."
        )
    return ENTRIES[name]


def check_parameters(name: str, parameters: Mapping[str, Any]) -> None:
    """Refuse hyperparameters that a candidate does not have, and values that none of its fits could use."""
    defaults = entry(name).parameters
    check_keys(parameters, defaults, f"The candidate {name!r}")
    for key, value in parameters.items():
        expected = _expected(key, defaults[key], value)
        if expected:
            raise InputError(f"`{key}` of the candidate {name!r} must be {expected}; got {value!r}.")


def _expected(key: str, default: Any, value: Any) -> str:
    """Say what a hyperparameter must be, by its default; nothing if it is."""
    if value is None and default is None:
        return ""
    if isinstance(default, tuple):
        pair = isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(x, int | float) for x in value)
        return "" if pair and value[0] <= value[1] else "a pair of exponents, the lower one first"
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if isinstance(default, float):
        return "" if number and 0 <= value < np.inf else "a number of at least 0"
    least = _LEAST.get(key, 1)
    if number and value == int(value) and value >= least:
        return ""
    return f"a whole number of at least {least}" + ("" if default is not None else ", or None for its rule")


_LEAST = {"folds": 2, "degree": 0}


def candidates() -> pd.DataFrame:
    """List the candidates known by name.

    Returns
    -------
    DataFrame
        One row per candidate: what it is, how it is tuned, for which tasks, and its hyperparameters.

    Examples
    --------
    >>> import podium
    >>> podium.candidates().loc["knn", "rule"]
    'k between 1 and √n by 10-fold cross-validation'
    """
    rows = [
        {
            "candidate": known.name,
            "title": known.title,
            "rule": known.rule,
            "tasks": ", ".join(known.models),
            "parameters": ", ".join(f"{key}={value!r}" for key, value in known.parameters.items()),
        }
        for known in ENTRIES.values()
    ]
    return pd.DataFrame(rows).set_index("candidate")
