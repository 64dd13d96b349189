"""Stability of prototypes over bootstrap samples, for choosing their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy.optimize import linear_sum_assignment

from podium.analysis.archetypes.estimator import ArchetypalAnalysis, FamilyName
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.fitting import check_number
from podium.analysis.archetypes.prototypes import (
    METHODS,
    PrototypeMethod,
    fit_method,
    memberships,
    nearest_by_medians,
)
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.analysis.archetypes.solution import Solution
from podium.arrays import FloatArray
from podium.checks import as_list, check_call, check_choice, check_count, check_types, is_whole, random_generator


@check_call
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PrototypeStability:
    """How much prototypes change from one bootstrap sample to the next.

    Attributes
    ----------
    method : str
    k : tuple of int
        Numbers of prototypes.
    resamples : int
    distances : tuple of ndarray of shape (resamples, k)
        Distance of each prototype to the one that is matched with it in each bootstrap solution, in standard
        deviations, averaged over the variables (root mean square); one array for each number.
    agreement : ndarray of shape (len(k), resamples)
        Share of agreement of the coefficients of all observations by the two solutions: the sum of the smaller of the
        two coefficients, averaged over observations. For clusters it is the share of observations that stay.
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypal.prototype_stability(X)."),)

    method: str
    k: tuple[int, ...]
    resamples: int
    distances: tuple[FloatArray, ...]
    agreement: FloatArray

    def __post_init__(self) -> None:
        check_types(self)

    def frame(self) -> pd.DataFrame:
        """One row per number of prototypes: mean distance, that of the worst prototype, agreement and its quartiles."""
        lower, upper = np.quantile(self.agreement, [0.25, 0.75], axis=1)
        return pd.DataFrame(
            {
                "k": list(self.k),
                "spread": [float(found.mean()) for found in self.distances],
                "worst": [float(found.mean(axis=0).max()) for found in self.distances],
                "agreement": self.agreement.mean(axis=1),
                "lower": lower,
                "upper": upper,
            }
        )

    def __repr__(self) -> str:
        return f"Stability of {self.method} over {self.resamples} bootstrap samples, k = {self.k[0]} … {self.k[-1]}"


@check_call
def prototype_stability(
    X: Any,
    k: Any = range(2, 7),
    *,
    method: PrototypeMethod = "archetypes",
    family: FamilyName | Family = "classical",
    bootstraps: int = 50,
    restarts: int = 5,
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
    bootstraps : int, default 50
        Number of bootstrap samples; each is a fit.
    restarts : int, default 5
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
    >>> found = podium.archetypal.prototype_stability(X, [2, 3], bootstraps=5, restarts=2)
    >>> bool(found.frame()["agreement"][1] > found.frame()["agreement"][0])
    True
    """
    check_choice(method, METHODS, "method")
    check_count(bootstraps, "bootstraps")
    numbers: Sequence[int] = sorted({k} if is_whole(k) else set(as_list(k, "k", "a number or several")))
    for number in numbers:
        check_count(number, "k")
    generator = random_generator(seed)
    model = ArchetypalAnalysis(1, family=family, restarts=restarts, seed=seed)
    table = model._prepare(X, None)
    check_number(table, int(numbers[-1]))
    draws = generator.integers(0, len(table.data), (bootstraps, len(table.data)))
    samples = []
    for rows in draws:
        values = table.data[rows]
        flat = np.ptp(values, axis=0) == 0
        samples.append(None if flat.any() else model._prepare(values, None))
    distances, agreement = [], []
    for number in numbers:
        whole = fit_method(table, method, int(number), restarts)
        compared = [
            _compare(whole, fit_method(sample, method, int(number), restarts))
            for sample in samples
            if sample is not None and sample.distinct >= number
        ]
        distances.append(np.array([d for d, _ in compared]))
        agreement.append([a for _, a in compared])
    fewest = min(len(found) for found in agreement)
    return PrototypeStability(
        method=method if method != "archetypes" else f"{model._family().name} archetypes",
        k=tuple(int(number) for number in numbers),
        resamples=fewest,
        distances=tuple(found[:fewest] for found in distances),
        agreement=np.array([found[:fewest] for found in agreement]),
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
    """Coefficients of observations for given prototypes, as a method has them."""
    if method == "k-means":
        squares = ((scaled[:, None] - centres) ** 2).sum(axis=2)
        return np.asarray(np.eye(len(centres))[squares.argmin(axis=1)])
    if method == "k-medians":
        return nearest_by_medians(scaled, centres)[0]
    if method == "fuzzy k-means":
        return memberships(scaled, centres)[0]
    return simplex_least_squares(centres, scaled)
