"""Measures of archetypal analyses of data whose archetypes are known (dissertation, section 9.5)."""

from __future__ import annotations

import numpy as np

from podium.arrays import FloatArray
from podium.design.fitted import Fitted, model_name
from podium.design.generators.corners import GROUPS, simplex_corners
from podium.design.measures import NamedMeasure
from podium.errors import UndefinedError

MODEL = frozenset({"model"})


def _distances(fitted: Fitted) -> FloatArray:
    """Distances of the archetypes of the model to the corners of the simplex that the data come from."""
    found = getattr(fitted.model, "archetypes_", None)
    if found is None:
        raise UndefinedError(f"{model_name(fitted.model)} has no archetypes")
    corners = simplex_corners(fitted.learn.X.shape[1])
    return np.asarray(np.sqrt(((np.asarray(found)[:, None] - corners) ** 2).sum(axis=2)))


def archetype_distance(fitted: Fitted) -> float:
    """Return the total distance of the archetypes to their nearest corners (Δ1)."""
    return float(_distances(fitted).min(axis=1).sum())


def corner_distance(fitted: Fitted) -> float:
    """Return the total distance of the corners to their nearest archetypes (Δ2)."""
    return float(_distances(fitted).min(axis=0).sum())


def outlier_weight(fitted: Fitted) -> float:
    """Return the mean robust weight of the outliers in the learning sample."""
    weights = getattr(fitted.model, "robust_weights_", None)
    groups = fitted.learn.y
    if weights is None or groups is None:
        raise UndefinedError(f"{model_name(fitted.model)} has no robust weights, or outliers are not known")
    outlying = groups.astype(str).to_numpy() == GROUPS[1]
    if not outlying.any():
        raise UndefinedError("the learning sample has no outliers")
    return float(np.asarray(weights)[outlying].mean())


def iterations(fitted: Fitted) -> float:
    """Return the number of iterations of the fit."""
    found = getattr(fitted.model, "n_iter_", None)
    if found is None:
        raise UndefinedError(f"{model_name(fitted.model)} does not count its iterations")
    return float(np.max(found))


ARCHETYPE_DISTANCE = NamedMeasure(
    "archetype distance",
    "lower",
    "total distance of the archetypes to their nearest corners of a simplex",
    ("unsupervised",),
    MODEL,
    function=archetype_distance,
)
CORNER_DISTANCE = NamedMeasure(
    "corner distance",
    "lower",
    "total distance of the corners of a simplex to their nearest archetypes",
    ("unsupervised",),
    MODEL,
    function=corner_distance,
)
OUTLIER_WEIGHT = NamedMeasure(
    "outlier weight",
    "lower",
    "mean robust weight of the outliers in the learning sample",
    ("unsupervised",),
    MODEL,
    function=outlier_weight,
)
ITERATIONS = NamedMeasure(
    "iterations",
    "lower",
    "number of iterations of the fit",
    needs=MODEL,
    function=iterations,
)
