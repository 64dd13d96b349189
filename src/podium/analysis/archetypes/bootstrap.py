"""`prototype_stability`: prototypes of bootstrap samples, matched with those of the whole table."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from podium.analysis.archetypes.archetypes import numbers_of
from podium.analysis.archetypes.estimator import ArchetypalAnalysis, FamilyName
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.methods import (
    METHODS,
    PrototypeMethod,
    fit_method,
    memberships,
    nearest_by_medians,
)
from podium.analysis.archetypes.observations import check_values
from podium.analysis.archetypes.prototypes import PrototypeStability
from podium.analysis.archetypes.restarts import check_number
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.analysis.archetypes.solution import Solution
from podium.arrays import FloatArray
from podium.checks import check_call, check_choice, check_count, random_generator
from podium.errors import InputError, plural


@check_call
def prototype_stability(
    X: Any,
    k: Any = range(2, 7),
    *,
    method: PrototypeMethod = "archetypes",
    family: FamilyName | Family = "classical",
    resamples: int = 50,
    n_init: int = 5,
    seed: int = 0,
) -> PrototypeStability:
    """Fit prototypes to bootstrap samples, and compare them with those of the whole table.

    Prototypes of two solutions are matched so that the sum of their squared distances is least. A number of prototypes
    for which they stay where they are, and observations keep their coefficients, describes the data and not the sample.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    k : int or iterable of int, default range(2, 7)
    method : {"archetypes", "k-means", "k-medians", "fuzzy k-means"}, default "archetypes"
    family : {"classical", "weighted", "robust"} or Family, default "classical"
        Of the archetypes.
    resamples : int, default 50
        Number of bootstrap samples; a model is fitted to each.
    n_init : int, default 5
    seed : int, default 0

    Returns
    -------
    PrototypeStability

    References
    ----------
    S. Dolnicar, F. Leisch (2010). Evaluation of structure and reproducibility of cluster solutions using the bootstrap.
    Marketing Letters 21, 83–101.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).dirichlet([0.3, 0.3, 0.3], 60) @ np.array([[0, 0], [4, 0], [0, 4]])
    >>> found = podium.archetypal.prototype_stability(X, [2, 3], resamples=5, n_init=2)
    >>> bool(found.frame()["agreement"][1] > found.frame()["agreement"][0])
    True
    """
    check_choice(method, METHODS, "method")
    check_count(resamples, "resamples")
    numbers = numbers_of(k)
    check_values(X, missing=False, way_out="")
    generator = random_generator(seed)
    model = ArchetypalAnalysis(1, family=family, n_init=n_init, random_state=seed)
    table = model._prepare(X, None)
    check_number(table, numbers[-1])
    draws = generator.integers(0, len(table.data), (resamples, len(table.data)))
    samples = []
    for rows in draws:
        with suppress(InputError):  # a column is constant in this sample, and cannot be scaled
            samples.append(model._prepare(table.data[rows], None))
    usable = [sample for sample in samples if sample.distinct >= numbers[-1]]
    if not usable:
        raise InputError(
            f"None of {plural(resamples, 'bootstrap sample')} of the {plural(len(table.data), 'row')} of `X` has "
            f"{plural(numbers[-1], 'different row')} and no constant column. Ask for fewer prototypes, or for more "
            "bootstrap samples.",
            path=("k",),
        )
    distances, agreement = [], []
    for number in numbers:
        whole = fit_method(table, method, number)
        compared = [_compare(whole, fit_method(sample, method, number)) for sample in usable]
        distances.append(np.array([d for d, _ in compared]))
        agreement.append([a for _, a in compared])
    return PrototypeStability(
        method=method if method != "archetypes" else f"{model._family().name} archetypes",
        k=tuple(numbers),
        resamples=len(usable),
        distances=tuple(distances),
        agreement=np.array(agreement),
    )


def _compare(whole: Solution, other: Solution) -> tuple[FloatArray, float]:
    """Distance of matched prototypes, and agreement of the coefficients of all observations."""
    scale = whole.scale
    first, second = scale.scaled(whole.prototypes), scale.scaled(other.prototypes)
    squares = ((first[:, None] - second) ** 2).mean(axis=2)
    mine, its = linear_sum_assignment(squares)
    matched = second[its]
    again = coefficients_by(whole.method, scale.scaled(whole.data), matched)
    return np.sqrt(squares[mine, its]), float(np.minimum(whole.coefficients, again).sum(axis=1).mean())


def coefficients_by(method: str, scaled: FloatArray, centres: FloatArray) -> FloatArray:
    """Coefficients of observations for given prototypes, as a method defines them."""
    if method == "k-means":
        squares = ((scaled[:, None] - centres) ** 2).sum(axis=2)
        return np.asarray(np.eye(len(centres))[squares.argmin(axis=1)])
    if method == "k-medians":
        return nearest_by_medians(scaled, centres)[0]
    if method == "fuzzy k-means":
        return memberships(scaled, centres)[0]
    return simplex_least_squares(centres, scaled)
