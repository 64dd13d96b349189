"""Prototypes of chapter 10: one interface, and stability over bootstrap samples."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.archetypal import prototype_stability, prototypes


def three_groups(n: int = 30, spread: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(0)
    return np.vstack([rng.normal(centre, spread, (n, 2)) for centre in ([0, 0], [5, 0], [0, 5])])


def test_centroids_are_inside_and_archetypes_outside() -> None:
    found = prototypes(three_groups(), 3, n_init=3)
    distance = found.summary()["distance"]
    assert distance["archetypes"] > distance[["k-means", "k-medians", "fuzzy k-means"]].max()
    centres = np.array([[0, 0], [0, 5], [5, 0]])
    for method in ("k-means", "k-medians", "fuzzy k-means"):
        near = ((found[method].prototypes[:, None] - centres) ** 2).sum(axis=2).min(axis=1)
        assert near.max() < 0.1
    assert list(found) == ["archetypes", "k-means", "k-medians", "fuzzy k-means"] and len(found.frame()) == 12


def test_constraints_of_each_method() -> None:
    X = three_groups()
    found = prototypes(X, 3, n_init=2)
    for method, solution in found.solutions.items():
        assert np.abs(solution.coefficients.sum(axis=1) - 1).max() < 1e-12
        hard = method in ("k-means", "k-medians")
        assert (np.isin(solution.coefficients, [0, 1]).all()) == hard
        if method != "k-medians":  # the others are combinations of the observations
            assert pytest.approx(solution.prototypes, abs=1e-4) == solution.data_weights.T @ X
        assert (np.diff(solution.history) <= 1e-9).all()


def test_k_means_is_that_of_scikit_learn() -> None:
    from sklearn.cluster import KMeans

    X = three_groups(spread=1.5)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    best = KMeans(4, n_init=10, random_state=0).fit(scaled).inertia_
    assert prototypes(X, 4, method="k-means")["k-means"].rss == pytest.approx(best, rel=1e-3)


def test_medians_are_medians_and_fuzzy_means_are_stationary() -> None:
    found = prototypes(three_groups(spread=1.0), 3)
    medians = found["k-medians"]
    for j in range(3):
        members = medians.data[medians.coefficients[:, j] == 1]
        assert medians.prototypes[j] == pytest.approx(np.median(members, axis=0))
    fuzzy = found["fuzzy k-means"]
    powers = fuzzy.coefficients**2
    assert (powers.T @ fuzzy.data) / powers.sum(axis=0)[:, None] == pytest.approx(fuzzy.prototypes, abs=1e-3)


@pytest.mark.parametrize("method", ["archetypes", "k-means", "k-medians", "fuzzy k-means"])
def test_more_than_the_true_number_is_less_stable(method: str) -> None:
    found = prototype_stability(three_groups(20), [2, 3, 4], method=method, resamples=6, n_init=2).frame()
    agreement = found.set_index("k")["agreement"]
    assert agreement[3] > 0.95 and agreement[3] > agreement[4] + 0.05
    assert ((found["agreement"] > 0) & (found["agreement"] <= 1 + 1e-12)).all()
    assert found.loc[found["k"] == 3, "spread"].item() < 0.3


@pytest.mark.parametrize("scaling", ["standard", "robust", "none"])
def test_samples_with_a_constant_column_are_left_out_where_it_cannot_be_scaled(scaling: str) -> None:
    X = np.random.default_rng(1).normal(size=(4, 2))
    family = podium.archetypal.Family(name="own", scaling=scaling)
    found = prototype_stability(X, 1, family=family, resamples=30, n_init=1)
    assert 5 < found.resamples < 30 if scaling == "robust" else 25 < found.resamples <= 30
    if scaling == "none":
        constant = np.column_stack([X, np.ones(4)])
        assert prototype_stability(constant, 1, family=family, resamples=2, n_init=1).resamples == 2


def test_the_scree_curve_shows_what_the_elbow_is_found_by() -> None:
    far = np.vstack([three_groups(10), [[40.0, 40.0]]])
    path = podium.archetypes(far, range(1, 5), family="robust", n_init=2, tol=1e-4)
    numbers = podium.plot.figures.archetype_scree(path)
    assert numbers.criterion.tolist() == path.frame()["criterion"].tolist()
    assert podium.plot.archetype_scree(path).get_ylabel() == "criterion of the family"
    plain = podium.archetypes(far, [1, 2], n_init=1)
    assert podium.plot.archetype_scree(plain).get_ylabel() == "RSS, standardised data"


def test_a_variable_may_have_any_name() -> None:
    X = pd.DataFrame(three_groups(), columns=["share", "method"])
    found = prototypes(X, 3, n_init=1)
    table = found.frame()
    assert list(table.columns) == ["share", "method"] and table.index.names == ["method", "prototype"]
    for method, solution in found.solutions.items():
        assert (table.loc[method].to_numpy() == solution.prototypes).all()
        assert found.shares().loc[method].to_numpy() == pytest.approx(solution.coefficients.mean(axis=0))
