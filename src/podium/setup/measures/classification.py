"""Measures of classification that are no mean of single losses."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.errors import InputError, UndefinedError, listing
from podium.setup.measure import Fitted
from podium.setup.measures.losses import model_kind, predicted, truth

Multiclass: TypeAlias = Literal["hand-till", "one-vs-rest"]


@dataclass(frozen=True)
class Counts:
    """True and false positives and negatives of one class against the rest, or of several."""

    tp: FloatArray
    fp: FloatArray
    fn: FloatArray
    tn: FloatArray


def confusion(fitted: Fitted) -> FloatArray:
    """Return the numbers of observations by class (rows) and predicted class (columns)."""
    y = truth(fitted)
    classes = y.cat.categories
    labels = pd.Categorical(predicted(fitted), categories=classes)
    cells = y.cat.codes.to_numpy().astype(np.intp) * len(classes) + labels.codes
    return np.bincount(cells, minlength=len(classes) ** 2).reshape(len(classes), -1).astype(float)


def counts(fitted: Fitted, positive: Any = None) -> Counts:
    """Count for the positive class: the one asked for, the last of two, or each that occurs in the test sample."""
    table = confusion(fitted)
    classes = truth(fitted).cat.categories
    if positive is not None:
        if positive not in classes:
            raise InputError(f"`positive` must be a class of the data set, {listing(classes)}; got {positive!r}.")
        which = [list(classes).index(positive)]
    else:
        which = [1] if len(classes) == 2 else np.flatnonzero(table.sum(axis=1)).tolist()
    tp = np.diag(table)[which]
    fn, fp = table.sum(axis=1)[which] - tp, table.sum(axis=0)[which] - tp
    return Counts(tp, fp, fn, table.sum() - tp - fn - fp)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _pd(c: Counts) -> FloatArray:
    if not (c.tp + c.fn).all():
        raise UndefinedError("the test sample has no observation of the positive class")
    return c.tp / (c.tp + c.fn)


def _pf(c: Counts) -> FloatArray:
    if not (c.fp + c.tn).all():
        raise UndefinedError("the test sample has no observation of a negative class")
    return c.fp / (c.fp + c.tn)


def recall(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TP/(TP + FN), the probability of detection (pd)."""
    return float(_pd(counts(fitted, positive)).mean())


def false_alarm(fitted: Fitted, *, positive: Any = None) -> float:
    """Return FP/(FP + TN), the probability of a false alarm (pf)."""
    return float(_pf(counts(fitted, positive)).mean())


def specificity(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TN/(FP + TN)."""
    return float(1 - _pf(counts(fitted, positive)).mean())


def precision(fitted: Fitted, *, positive: Any = None) -> float:
    """Return TP/(TP + FP); 0 if nothing is predicted to be positive."""
    c = counts(fitted, positive)
    _pd(c)
    return float(_share(c.tp, c.tp + c.fp).mean())


def f1(fitted: Fitted, *, positive: Any = None) -> float:
    """Return 2 TP/(2 TP + FP + FN), the harmonic mean of precision and recall."""
    c = counts(fitted, positive)
    _pd(c)
    return float((2 * c.tp / (2 * c.tp + c.fp + c.fn)).mean())


def g_measure(fitted: Fitted, *, positive: Any = None) -> float:
    """Return the harmonic mean of pd and 1 - pf, the G of software engineering (Peters & Menzies 2012)."""
    c = counts(fitted, positive)
    detected, quiet = _pd(c), 1 - _pf(c)
    return float(_share(2 * detected * quiet, detected + quiet).mean())


def g_mean(fitted: Fitted) -> float:
    """Return the geometric mean of the recalls of all classes, √(pd (1 - pf)) for two (Kubat & Matwin 1997)."""
    return float(np.prod(recalls := _recalls(fitted)) ** (1 / len(recalls)))


def balanced_accuracy(fitted: Fitted) -> float:
    """Return the mean recall of the classes in the test sample."""
    return float(_recalls(fitted).mean())


def balanced_error(fitted: Fitted) -> float:
    """Return 1 - the mean recall of the classes in the test sample."""
    return 1.0 - balanced_accuracy(fitted)


def _recalls(fitted: Fitted) -> FloatArray:
    table = confusion(fitted)
    sizes = table.sum(axis=1)
    return np.asarray((np.diag(table)[sizes > 0] / sizes[sizes > 0]), dtype=float)


def mcc(fitted: Fitted) -> float:
    """Return the correlation of classes and predicted classes (Gorodkin 2004); 0 if one class only is predicted."""
    table = confusion(fitted)
    n, right, rows, columns = table.sum(), np.trace(table), table.sum(axis=1), table.sum(axis=0)
    if rows.max() == n:
        raise UndefinedError("the test sample has one class only")
    spread = (n**2 - columns @ columns) * (n**2 - rows @ rows)
    return float((right * n - rows @ columns) / np.sqrt(spread)) if spread > 0 else 0.0


def kappa(fitted: Fitted) -> float:
    """Return the agreement beyond chance (Cohen 1960)."""
    table = confusion(fitted) / len(truth(fitted))
    chance = table.sum(axis=1) @ table.sum(axis=0)
    if chance >= 1:
        raise UndefinedError("the test sample and the predictions have one class only, the same")
    return float((np.trace(table) - chance) / (1 - chance))


def auc(fitted: Fitted, *, multiclass: Multiclass = "hand-till") -> float:
    """Return the probability that the score of a class is greater for its members than for others.

    For more than two classes the mean over all pairs of classes (Hand & Till 2001), or with
    ``multiclass="one-vs-rest"`` over each class against the rest; classes that the test sample lacks do not count.
    """
    if multiclass not in ("hand-till", "one-vs-rest"):
        raise InputError(f"`multiclass` must be 'hand-till' or 'one-vs-rest'; got {multiclass!r}.")
    if fitted.score is None:
        name = model_kind(fitted.model)
        raise UndefinedError(f"{name} has neither `predict_proba` nor `decision_function`")
    codes = truth(fitted).cat.codes.to_numpy()
    present = np.unique(codes)
    if len(present) < 2:
        raise UndefinedError("the test sample has one class only")
    scores = fitted.score.to_numpy(dtype=float)
    if multiclass == "one-vs-rest" and len(present) > 2:
        return float(np.mean([_above(scores[:, g], codes == g, codes != g) for g in present]))
    pairs = [_above(scores[:, g], codes == g, codes == h) for g, h in permutations(present, 2)]
    return float(np.mean(pairs))


def _above(score: FloatArray, members: Any, others: Any) -> float:
    """Return how often members score above others, ties counting half."""
    rivals = np.sort(score[others])
    below, not_above = (np.searchsorted(rivals, score[members], side=side) for side in ("left", "right"))
    return float((below + not_above).mean() / (2 * len(rivals)))
