"""Methods that find prototypes: archetypal analysis, k-means, k-medians and fuzzy k-means, in one form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.archetypes.estimator import ArchetypalAnalysis, FamilyName
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.observations import check_values
from podium.analysis.archetypes.prototypes import Prototypes
from podium.analysis.archetypes.restarts import PreparedTable, check_number, finish, run_restarts
from podium.analysis.archetypes.solution import Solution
from podium.arrays import FloatArray
from podium.checks import as_list, check_call, check_choice, check_count
from podium.errors import InputError

PrototypeMethod: TypeAlias = Literal["archetypes", "k-means", "k-medians", "fuzzy k-means"]
METHODS: tuple[PrototypeMethod, ...] = get_args(PrototypeMethod)

FUZZINESS = 2.0  # exponent of the memberships; J. C. Bezdek (1981)
_ROUNDS = 300  # largest number of iterations of the methods written here
_SETTLED = 1e-8  # relative fall of the criterion below which they end


@check_call
def prototypes(
    X: Any,
    k: int = 3,
    *,
    method: PrototypeMethod | Sequence[PrototypeMethod] = METHODS,
    family: FamilyName | Family = "classical",
    n_init: int | None = None,
    seed: int = 0,
) -> Prototypes:
    """Find the prototypes of a table by several methods, in one form.

    All of them work on standardised data, and their prototypes are in the same order: by the mean of their standardised
    values, lowest first.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    k : int, default 3
        Number of prototypes.
    method : {"archetypes", "k-means", "k-medians", "fuzzy k-means"} or several of them
        By default all of them.
    family : {"classical", "weighted", "robust"} or Family, default "classical"
        Of the archetypes.
    n_init : int, optional
    seed : int, default 0

    Returns
    -------
    Prototypes

    References
    ----------
    J. C. Bezdek (1981). Pattern Recognition with Fuzzy Objective Function Algorithms. Plenum.
    F. Leisch (2006). A toolbox for K-centroids cluster analysis. Computational Statistics & Data Analysis 51, 526–544.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).dirichlet([1, 1, 1], 100) @ np.array([[0, 0], [4, 0], [0, 4]])
    >>> found = podium.archetypal.prototypes(X, 3)
    >>> found
    3 prototypes by archetypes, k-means, k-medians, fuzzy k-means
    >>> found.summary()["distance"].round(1).tolist()
    [2.5, 1.2, 1.2, 1.2]
    """
    names = [method] if isinstance(method, str) else as_list(method, "method")
    if not names:
        raise InputError("`method` must name at least one method; got none.", path=("method",))
    for name in names:
        check_choice(name, METHODS, "method")
    check_values(X, missing=False, way_out="")
    model = ArchetypalAnalysis(k, family=family, n_init=n_init, random_state=seed)
    check_count(k, "k")
    table = model._prepare(X, None)
    check_number(table, k)
    return Prototypes(solutions={name: fit_method(table, name, k) for name in names})


def fit_method(table: PreparedTable, method: PrototypeMethod, k: int) -> Solution:
    """Find the prototypes of a prepared table by one method."""
    if method == "archetypes":
        return finish(table, k, run_restarts(table, [k], 1, "quiet")[k])
    scaled = table.scale.scaled(table.data)
    if method == "k-means":
        return _k_means(table, scaled, k)
    generators = [np.random.default_rng([table.seed, k, start]) for start in range(table.family.n_init)]
    runs = [_alternate(scaled, k, method, generator) for generator in generators]
    criteria = np.array([history[-1] for *_, history in runs])
    centres, coefficients, history = runs[int(criteria.argmin())]
    return _as_solution(table, method, centres, coefficients, history, criteria)


def _k_means(table: PreparedTable, scaled: FloatArray, k: int) -> Solution:
    from sklearn.cluster import KMeans

    fitted = KMeans(k, n_init=table.family.n_init, random_state=table.seed % 2**32).fit(scaled)
    coefficients = np.eye(k)[fitted.labels_]
    inertia = np.array([float(fitted.inertia_)])
    return _as_solution(table, "k-means", fitted.cluster_centers_, coefficients, inertia.tolist(), inertia)


def _alternate(
    scaled: FloatArray, k: int, method: PrototypeMethod, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray, list[float]]:
    """Alternate between centres and coefficients, from observations drawn as in k-means++."""
    centres = scaled[_spread_rows(scaled, k, generator)]
    history = [np.inf]
    coefficients = np.zeros((len(scaled), k))
    for _ in range(_ROUNDS):
        if method == "k-medians":
            coefficients, criterion = nearest_by_medians(scaled, centres)
            centres = np.array(
                [
                    np.median(scaled[coefficients[:, j] == 1], axis=0) if coefficients[:, j].any() else centres[j]
                    for j in range(k)
                ]
            )
        else:
            coefficients, criterion = memberships(scaled, centres)
            powers = coefficients**FUZZINESS
            centres = powers.T @ scaled / np.maximum(powers.sum(axis=0), 1e-300)[:, None]
        history.append(min(criterion, history[-1]))
        if history[-2] - criterion <= _SETTLED * criterion:
            break
    coefficients = (nearest_by_medians if method == "k-medians" else memberships)(scaled, centres)[0]
    return centres, coefficients, history[1:]


def nearest_by_medians(scaled: FloatArray, centres: FloatArray) -> tuple[FloatArray, float]:
    """Give each observation to the centre with the least sum of absolute differences; return the sum of these, too."""
    lengths = np.abs(scaled[:, None] - centres).sum(axis=2)
    return np.eye(len(centres))[lengths.argmin(axis=1)], float(lengths.min(axis=1).sum())


def memberships(scaled: FloatArray, centres: FloatArray) -> tuple[FloatArray, float]:
    """Give each observation its share in every centre, as fuzzy k-means does; return the criterion, too."""
    squares = np.maximum(((scaled[:, None] - centres) ** 2).sum(axis=2), 1e-30)
    inverse = squares ** (-1 / (FUZZINESS - 1))
    shares = inverse / inverse.sum(axis=1, keepdims=True)
    return shares, float((shares**FUZZINESS * squares).sum())


def _spread_rows(scaled: FloatArray, k: int, generator: np.random.Generator) -> list[int]:
    rows = [int(generator.integers(len(scaled)))]
    squares = ((scaled - scaled[rows[0]]) ** 2).sum(axis=1)
    while len(rows) < k:
        total = squares.sum()
        shares = squares / total if total > 0 else None
        rows.append(int(generator.choice(len(scaled), p=shares)))
        squares = np.minimum(squares, ((scaled - scaled[rows[-1]]) ** 2).sum(axis=1))
    return rows


def _as_solution(
    table: PreparedTable,
    method: str,
    centres: FloatArray,
    coefficients: FloatArray,
    history: Sequence[float],
    criteria: FloatArray,
) -> Solution:
    order = np.lexsort([*centres.T[::-1], np.round(centres.mean(axis=1), 6)])
    centres, coefficients = centres[order], coefficients[:, order]
    scaled = table.scale.scaled(table.data)
    residuals = scaled - coefficients @ centres
    if method == "k-medians":
        data_weights = np.full_like(coefficients, np.nan)
    else:
        powers = coefficients**FUZZINESS if method == "fuzzy k-means" else coefficients
        data_weights = powers / np.maximum(powers.sum(axis=0), 1e-300)
    return Solution(
        method=method,
        columns=table.columns,
        index=table.index,
        data=table.data,
        prototypes=table.scale.original(centres),
        coefficients=coefficients,
        data_weights=data_weights,
        counts=table.counts,
        scale=table.scale,
        rss=float((residuals**2).sum()),
        total=float(((scaled - scaled.mean(axis=0)) ** 2).sum()),
        criterion=float(history[-1]),
        weights=np.ones(len(scaled)),
        constant=np.inf,
        residuals=np.abs(residuals).sum(axis=1),
        history=np.array(history),
        trace=table.scale.original(centres)[None],
        weight_trace=np.empty((0, len(scaled))),
        converged=True,
        restarts=criteria,
    )
