"""Landmarks: errors of simple, quick algorithms, by five-fold cross-validation within the data.

B. Pfahringer, H. Bensusan, C. Giraud-Carrier (2000). Meta-learning by landmarking various learning algorithms. ICML,
743–750. For classes the error is the share of wrong ones, for a quantity the squared error over its variance.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import DataView
from podium.design.seeds import rng_for
from podium.errors import UndefinedError

FOLDS = 5
MAX_OBSERVATIONS = 5000  # observations that are used; landmarks must be quick


def _coded(data: DataView) -> FloatArray:
    """Inputs as numbers: medians for missing ones, one column per level, scaled to variance 1."""
    numbers = pd.DataFrame(data.numeric)
    numbers = numbers.fillna(numbers.median()).fillna(0.0)
    levels = [pd.get_dummies(pd.Series(factor), dummy_na=bool((factor.codes < 0).any())) for factor in data.nominal]
    table = np.hstack([numbers.to_numpy(), *(level.to_numpy(float) for level in levels)])
    spread = table.std(axis=0)
    return np.asarray((table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _landmark(classifier: Callable[[], Any], regressor: Callable[[], Any]) -> Callable[[DataView], float]:
    def error(data: DataView) -> float:
        if data.task == "unsupervised":
            raise UndefinedError("There is no response.")
        y = data.classes.codes if data.task == "classification" else data.quantity
        known = np.flatnonzero(y >= 0 if data.task == "classification" else ~np.isnan(y))
        rng = rng_for(data.seed, "landmarks")
        rows = rng.permutation(known)[:MAX_OBSERVATIONS]
        if len(rows) < 2 * FOLDS:
            raise UndefinedError(f"A landmark needs {2 * FOLDS} observations; there are {len(rows)}.")
        rows = rows[np.argsort(y[rows], kind="stable")]  # dealt out in this order, each fold gets all classes
        X, y = _coded(data)[rows], y[rows]
        fold = np.arange(len(rows)) % FOLDS
        loss = np.empty(len(rows))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # collinear inputs, rare classes: these models are only landmarks
            for one in range(FOLDS):
                learn, test = fold != one, fold == one
                if data.task == "classification":
                    loss[test] = classifier().fit(X[learn], y[learn]).predict(X[test]) != y[test]
                else:
                    loss[test] = (regressor().fit(X[learn], y[learn]).predict(X[test]) - y[test]) ** 2
        if data.task == "classification":
            return float(loss.mean())
        if not np.ptp(y) > 0:
            raise UndefinedError("The response is constant.")
        return float(loss.mean() / y.var())

    return error


def _baseline(kind: str) -> Any:
    from sklearn.dummy import DummyClassifier, DummyRegressor

    return DummyClassifier(strategy="prior") if kind == "classification" else DummyRegressor()


def _stump(kind: str) -> Any:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    tree = DecisionTreeClassifier if kind == "classification" else DecisionTreeRegressor
    return tree(max_depth=1, random_state=0)


def _neighbour(kind: str) -> Any:
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    return (KNeighborsClassifier if kind == "classification" else KNeighborsRegressor)(n_neighbors=1)


def _bayes(kind: str) -> Any:
    from sklearn.naive_bayes import GaussianNB

    if kind == "regression":
        raise UndefinedError("Naive Bayes needs classes.")
    return GaussianNB()


def _linear(kind: str) -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import Ridge

    return LinearDiscriminantAnalysis() if kind == "classification" else Ridge(alpha=1e-6)


def _both(make: Callable[[str], Any]) -> Callable[[DataView], float]:
    return _landmark(lambda: make("classification"), lambda: make("regression"))


BASELINE = Characteristic("land.baseline", _both(_baseline), description="error of the majority class, or the mean")
STUMP = Characteristic("land.stump", _both(_stump), description="error of a tree with one split")
NEIGHBOUR = Characteristic("land.1nn", _both(_neighbour), description="error of the nearest neighbour")
BAYES = Characteristic("land.nb", _both(_bayes), description="error of naive Bayes")
LINEAR = Characteristic("land.linear", _both(_linear), description="error of linear discriminants, or regression")
