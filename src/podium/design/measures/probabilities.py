"""Measures of class probabilities and scores."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from podium.arrays import BoolArray, FloatArray
from podium.design.fitted import Fitted, probabilities, scores, true_codes
from podium.design.measures import PROBABILITY, SCORE, NamedMeasure
from podium.design.measures.classification import CLASSES
from podium.design.parameter import Parameter
from podium.errors import UndefinedError

CLIP = {"clip": Parameter(default=1e-15, meaning="smallest probability", above=0, maximum=1)}


def deviance(fitted: Fitted, *, clip: float = 1e-15) -> FloatArray:
    """Return -2 log ŷ_y, probabilities not below `clip` (Eugster 2011, sec. 1.1)."""
    return 2.0 * log_loss(fitted, clip=clip)


DEVIANCE = NamedMeasure(
    "deviance",
    "lower",
    "-2 log of the probability of the true class",
    CLASSES,
    PROBABILITY,
    loss=deviance,
    options=CLIP,
)


def log_loss(fitted: Fitted, *, clip: float = 1e-15) -> FloatArray:
    """Return -log ŷ_y, probabilities not below `clip`."""
    likely = np.take_along_axis(probabilities(fitted), true_codes(fitted)[:, None], axis=1)[:, 0]
    return np.asarray(-np.log(np.clip(likely, clip, 1.0)), dtype=float)


LOG_LOSS = NamedMeasure(
    "log loss",
    "lower",
    "-log of the probability of the true class",
    CLASSES,
    PROBABILITY,
    loss=log_loss,
    options=CLIP,
    aliases=("cross-entropy", "negative log-likelihood"),
)


def brier(fitted: Fitted) -> FloatArray:
    """Return Σ_g (ŷ_g - I(y = g))², between 0 and 2 (Brier 1950)."""
    shown = probabilities(fitted)
    wanted = true_codes(fitted)[:, None] == np.arange(shown.shape[1])
    return np.asarray(((shown - wanted) ** 2).sum(axis=1), dtype=float)


BRIER = NamedMeasure(
    "brier",
    "lower",
    "squared distance of the probabilities to the true class, 0 to 2",
    CLASSES,
    PROBABILITY,
    loss=brier,
    aliases=("brier score",),
)


def auc(fitted: Fitted, *, multiclass: str = "hand-till") -> float:
    """Return the probability that the score of a class is greater for its members than for others.

    For more than two classes the mean over all pairs of classes (Hand & Till 2001), or with
    ``multiclass="one-vs-rest"`` over each class against the rest; classes that the test sample lacks do not count.
    """
    shown, codes = scores(fitted), true_codes(fitted)
    present = np.unique(codes)
    if len(present) < 2:
        raise UndefinedError("the test sample has only one class")
    if multiclass == "one-vs-rest" and len(present) > 2:
        return float(np.mean([_area(shown[:, g], codes == g, codes != g) for g in present]))
    return float(np.mean([_area(shown[:, g], codes == g, codes == h) for g, h in permutations(present, 2)]))


def _area(score: FloatArray, members: BoolArray, others: BoolArray) -> float:
    """Return how often members score above others, ties counting half.

    `sklearn.metrics.roc_auc_score` takes only probabilities for more than two classes, and with a call for each pair
    of ten classes it takes 70 times as long.
    """
    rivals = np.sort(score[others])
    below, not_above = (np.searchsorted(rivals, score[members], side=side) for side in ("left", "right"))
    return float((below + not_above).mean() / (2 * len(rivals)))


AUC = NamedMeasure(
    "auc",
    "higher",
    "area under the ROC curve; Hand & Till's mean over pairs for more than two classes",
    CLASSES,
    SCORE,
    function=auc,
    options={
        "multiclass": Parameter(
            default="hand-till", meaning="what is averaged over", choices=("hand-till", "one-vs-rest")
        )
    },
    aliases=("roc auc", "auroc"),
)
