"""The likelihood of the structured engine against one with n × n matrices, and its optimum against a plain search."""

from __future__ import annotations

import itertools
from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.linalg import solve_triangular
from scipy.optimize import minimize

from podium.analysis.mixed import mixed
from podium.analysis.mixed.likelihood import evaluate, gradient
from podium.analysis.mixed.objective import (
    Objective,
    _curvature_by_direction,
    _curvature_by_entry,
    scalar_basis,
    unstructured_basis,
)
from podium.analysis.mixed.sufficient_statistics import AllRows, SizeGroups, SufficientStatistics

STEP = Decimal("1e-12")  # relative, of differences in decimal arithmetic


def dense_criterion(
    values: np.ndarray,
    G: np.ndarray | None,
    s: float,
    d: np.ndarray,
    residual: str,
    estimation: str,
    cells: bool = False,
) -> tuple[float, np.ndarray, np.ndarray]:
    """-2 log likelihood, estimates and their covariance, by matrices of all observations."""
    m_, b_, k_ = np.nonzero(~np.isnan(values))
    y = values[m_, b_, k_]
    same_set = m_[:, None] == m_
    V = np.where(same_set & (b_[:, None] == b_), s, 0.0)
    if G is not None:
        V = V + np.where(same_set, G[np.ix_(k_, k_)], 0.0)
    V = V + np.diag({"common": np.full(len(y), d[0]), "algorithm": d[k_ % len(d)], "dataset": d[m_ % len(d)]}[residual])
    column = m_ * values.shape[2] + k_ if cells else k_
    X = (column[:, None] == np.arange(values.shape[2] * (len(values) if cells else 1))).astype(float)
    root = np.linalg.cholesky(V)
    whitened = solve_triangular(root, np.c_[X, y], lower=True)
    X, y = whitened[:, :-1], whitened[:, -1]
    H = X.T @ X
    beta = np.linalg.solve(H, X.T @ y)
    rest = y - X @ beta
    criterion = 2 * np.log(np.diag(root)).sum() + rest @ rest + len(y) * np.log(2 * np.pi)
    if estimation == "REML":
        criterion += np.linalg.slogdet(H)[1] - X.shape[1] * np.log(2 * np.pi)
    return criterion, beta, np.linalg.inv(H)


def exact_criterion(
    values: np.ndarray, G: np.ndarray, s: float, d: list[Decimal], residual: str, estimation: str
) -> Decimal:
    """-2 log likelihood to 50 digits, by elimination in the matrix of all observations."""
    m_, b_, k_ = np.nonzero(~np.isnan(values))
    n, k = len(m_), values.shape[2]
    with localcontext(prec=50):
        V = [[Decimal(0)] * n for _ in range(n)]
        for i, j in itertools.product(range(n), repeat=2):
            if m_[i] == m_[j]:
                V[i][j] = Decimal(float(G[k_[i], k_[j]])) + (Decimal(s) if b_[i] == b_[j] else 0)
        for i in range(n):
            V[i][i] += d[k_[i] if residual == "algorithm" else m_[i]]
            V[i] += [Decimal(int(k_[i] == c)) for c in range(k)] + [Decimal(float(values[m_[i], b_[i], k_[i]]))]
        # What is left of the bordered matrix [V X y; X' 0 0; y' 0 0] is -X'V⁻¹X, and then minus the squares of the rest.
        V += [[V[i][n + c] for i in range(n)] + [Decimal(0)] * (k + 1) for c in range(k + 1)]
        logs = [Decimal(0), Decimal(0)]
        for step in range(n + k):
            logs[step >= n] += abs(V[step][step]).ln()
            for i in range(step + 1, n + k + 1):
                factor = V[i][step] / V[step][step]
                if factor:
                    V[i] = [own - factor * pivot for own, pivot in zip(V[i], V[step], strict=True)]
        used = n - k if estimation == "REML" else n
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582")
        return logs[0] + (logs[1] if estimation == "REML" else 0) - V[-1][-1] + used * (2 * pi).ln()


def reduced(values: np.ndarray, residual: str) -> SufficientStatistics:
    return AllRows.of(values) if residual == "algorithm" else SizeGroups.of(values, per_dataset=residual == "dataset")


@pytest.fixture
def ragged(draw) -> np.ndarray:
    """Four data sets, with missing cells, a missing replication and an algorithm never on one data set."""
    values = draw(np.random.default_rng(1), (4, 5, 3), means=5.0, missing=0.2)
    values[1, 2] = np.nan
    values[2, :, 1] = np.nan
    return values


@pytest.mark.parametrize("residual", ["common", "algorithm", "dataset"])
@pytest.mark.parametrize("estimation", ["REML", "ML"])
@pytest.mark.parametrize("cells", [False, True])
def test_criterion_estimates_and_gradient(ragged: np.ndarray, residual: str, estimation: str, cells: bool) -> None:
    rng = np.random.default_rng(2)
    if cells:
        ragged[2, :, 1] = rng.normal(size=5)
    statistics = reduced(ragged, residual)
    s, d = 0.7, rng.uniform(0.5, 2, statistics.residual_parameters)
    G = None if cells else np.cov(rng.normal(size=(9, 3)).T)
    point = evaluate(statistics, G, s, d, estimation, fixed_cells=cells)
    criterion, beta, vcov = dense_criterion(ragged, G, s, d, residual, estimation, cells)
    assert point.criterion == pytest.approx(criterion, abs=1e-10)
    np.testing.assert_allclose(np.ravel(point.effects), beta, atol=1e-12)
    blocks = point.vcov if point.vcov.ndim == 3 else point.vcov[None]
    for i, block in enumerate(blocks):
        place = slice(3 * i, 3 * i + 3)
        np.testing.assert_allclose(block, vcov[place, place], atol=1e-12)

    basis = np.empty((0, 3, 3)) if cells else scalar_basis(3)
    found = gradient(statistics, point, basis, s, d, estimation)
    moves = [(E, 0.0, np.zeros_like(d)) for E in basis] + [(0.0, 1.0, np.zeros_like(d))]
    moves += [(0.0, 0.0, row) for row in np.eye(len(d))]
    for slope, (move_G, move_s, move_d) in zip(found, moves, strict=True):
        h = 1e-5
        up, down = (
            dense_criterion(
                ragged, None if cells else G + t * move_G, s + t * move_s, d + t * move_d, residual, estimation, cells
            )[0]
            for t in (h, -h)
        )
        assert slope == pytest.approx((up - down) / (2 * h), abs=1e-6)


@pytest.mark.parametrize("estimation", ["REML", "ML"])
@pytest.mark.parametrize(
    ("residual", "small"),
    [
        ("algorithm", {0: 1e-7}),
        ("algorithm", {0: 1e-6, 2: 1e-7}),
        ("dataset", {1: 1e-7}),
        ("dataset", {0: 1e-6, 2: 1e-7}),
    ],
)
def test_nothing_cancels_where_residual_variances_are_almost_zero(
    draw, residual: str, small: dict[int, float], estimation: str
) -> None:
    """Against decimal arithmetic: what is left after cancellation would differ from processor to processor."""
    values = draw(np.random.default_rng(5), (3, 3, 3), means=5.0, replication=2.0)
    values[[0, 1, 2, 2], [0, 2, 0, 1], [1, 0, 0, 2]] = np.nan
    statistics = reduced(values, residual)
    G, s, d = 0.8 + 0.5 * np.eye(3), 1.5, np.array([0.6, 0.9, 1.3])
    for j, variance in small.items():
        d[j] = variance
    point = evaluate(statistics, G, s, d, estimation)
    exact = [Decimal(float(variance)) for variance in d]
    wanted = float(exact_criterion(values, G, s, exact, residual, estimation))
    assert point.criterion == pytest.approx(wanted, rel=1e-10)
    found = gradient(statistics, point, scalar_basis(3), s, d, estimation)[-3:]
    for j in range(3):
        up, down = ([*exact[:j], exact[j] * factor, *exact[j + 1 :]] for factor in (1 + STEP, 1 - STEP))
        rise = exact_criterion(values, G, s, up, residual, estimation)
        rise -= exact_criterion(values, G, s, down, residual, estimation)
        assert found[j] * d[j] == pytest.approx(float(rise / (2 * STEP)), abs=1e-7)


@pytest.mark.parametrize(
    ("residual", "estimation", "structure"),
    [
        ("common", "REML", scalar_basis),
        ("common", "ML", unstructured_basis),
        ("algorithm", "REML", unstructured_basis),
        ("algorithm", "ML", scalar_basis),
        ("dataset", "REML", scalar_basis),
        ("dataset", "REML", unstructured_basis),
    ],
)
def test_second_derivatives(ragged: np.ndarray, residual: str, estimation: str, structure) -> None:
    rng = np.random.default_rng(3)
    objective = Objective(reduced(ragged, residual), structure(3), estimation)
    coefficients = np.array([0.5, 0.7])
    if objective.unstructured:
        coefficients = np.cov(rng.normal(size=(20, 3)).T)[np.triu_indices(3)]
    phi = objective.join(coefficients, 0.7, rng.uniform(0.5, 2, objective.statistics.residual_parameters))
    point = objective.point(phi)
    for expected in (False, True):
        found = objective.curvature(phi, point, expected=expected)
        for j, row in enumerate(found):
            h = 1e-5 * np.eye(len(phi))[j]
            change = objective.gradient(phi + h, expected=expected) - objective.gradient(phi - h, expected=expected)
            np.testing.assert_allclose(row, (-1 if expected else 1) * change / 2e-5, atol=2e-6)
    ways = [way(point, objective.basis, estimation == "REML") for way in (_curvature_by_direction, _curvature_by_entry)]
    np.testing.assert_allclose(ways[0], ways[1], atol=1e-12)


@pytest.mark.parametrize(("seed", "residual"), [(0, "common"), (1, "algorithm"), (2, "algorithm"), (3, "common")])
def test_no_search_finds_a_better_scalar_model(of, draw, seed: int, residual: str) -> None:
    """Also where variances end at zero: half of these designs have no effect of data sets or replications."""
    rng = np.random.default_rng(seed)
    values = draw(rng, (4, 5, 3), dataset=seed % 2, interaction=seed % 3, replication=(seed % 2) / 2, missing=0.1)
    fit = mixed(of(values), residual=residual)
    k = 3
    count = 1 if residual == "common" else k

    def criterion(x: np.ndarray) -> float:
        a, b, s = x[:3] ** 2  # zero is statistics reach
        return dense_criterion(values, a + b * np.eye(k), s, np.exp(x[3:]), residual, "REML")[0]

    starts = [(0.1, 1.0, 0.5), (1.0, 0.1, 0.5)]
    best = min(minimize(criterion, [*start, *[0.0] * count], method="BFGS").fun for start in starts)
    assert fit.criterion <= best + 1e-6


@pytest.mark.parametrize("seed", range(2))
def test_no_search_finds_a_better_unstructured_model(of, draw, seed: int) -> None:
    values = draw(np.random.default_rng(seed), (6, 3, 3), interaction=seed % 2, replication=0.0, missing=0.1)
    fit = mixed(of(values), covariance="unstructured")
    lower = np.tril_indices(3)

    def criterion(x: np.ndarray) -> float:
        L = np.zeros((3, 3))
        L[lower] = x[:6]
        return dense_criterion(values, L @ L.T, x[6] ** 2, np.exp(x[7:]), "common", "REML")[0]

    rng = np.random.default_rng(99)
    starts = [np.r_[np.eye(3)[lower], 0.3, 0.0], *(rng.normal(size=8) for _ in range(3))]
    best = min(minimize(criterion, start, method="BFGS", options={"maxiter": 400}).fun for start in starts)
    assert fit.criterion <= best + 1e-6


def test_variances_at_zero_are_exactly_zero(of, draw) -> None:
    values = draw(np.random.default_rng(4), (8, 3, 4), dataset=0.0, interaction=0.0, replication=0.0)
    fit = mixed(of(values))
    table = fit.components
    assert fit.boundary
    assert (table.loc[table["boundary"], "variance"] == 0.0).all()
    assert not table.loc["residual", "boundary"]
    assert "does not show that there is no such variation." in " ".join(map(str, fit.contrasts().notes))


@pytest.mark.parametrize(
    ("seed", "residual"), [(1218, "algorithm"), (1036, "dataset"), (1001, "common"), (1007, "dataset")]
)
def test_the_larger_model_is_never_worse(of, draw, seed: int, residual: str) -> None:
    """Any covariance matrix fits at least as well as one with two variances: no search ends where G is zero."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(rng.integers(low, high)) for low, high in ((3, 9), (2, 6), (2, 5)))
    missing = float(rng.choice([0, 0.1, 0.2, 0.4]))
    names, sizes = ("dataset", "interaction", "replication"), ([0, 1, 1, 10], [0, 0.3, 1], [0, 0.5, 0.5, 3])
    deviations = {name: float(rng.choice(size)) for name, size in zip(names, sizes, strict=True)}
    results = of(draw(rng, shape, missing=missing, **deviations))
    small, large = (mixed(results, residual=residual, covariance=kind) for kind in ("scalar", "unstructured"))
    assert large.criterion <= small.criterion + 1e-4
