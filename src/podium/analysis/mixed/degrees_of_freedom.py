"""Denominator degrees of freedom: exact, Satterthwaite's, Kenward and Roger's.

Satterthwaite: the estimated variance v = l'C l of a contrast is treated as a multiple of χ² with 2 v² / Var(v) degrees
of freedom, where Var(v) comes from the curvature of the criterion; several contrasts at once follow Fai and Cornelius
(1996).

Kenward and Roger (1997): the covariance matrix is enlarged because it rests on estimated variances, and the F
statistic is scaled so that it is exact where an exact test exists (Hotelling's among them).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.mixed.fitted_model import FittedModel
from podium.analysis.mixed.likelihood import Point
from podium.analysis.mixed.objective import Beside
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_choice
from podium.errors import InputError

DegreesOfFreedom: TypeAlias = Literal["auto", "exact", "satterthwaite", "kenward-roger"]
DfMethod: TypeAlias = Literal["exact", "satterthwaite", "kenward-roger", "lower bound"]

_STEP = 1e-4  # relative, for first derivatives
_LONG_STEP = 1e-3  # for second derivatives


def choose_df(model: FittedModel, df: DegreesOfFreedom, *, ratio: bool = False) -> DfMethod:
    """Settle how degrees of freedom are found, and refuse what this model does not have; see `exact_df` for `ratio`."""
    check_choice(df, get_args(DegreesOfFreedom), "df")
    possible = exact_df(model, ratio=ratio) is not None
    if df == "auto":
        if possible:
            return "exact"
        if ratio and few_datasets(model) and exact_df(model) is not None:
            return "lower bound"
        return "kenward-roger" if model.covariance == "unstructured" else "satterthwaite"
    if df == "exact" and not possible:
        raise InputError(
            "`df='exact'` needs a complete design, fitted by REML with one residual variance (and, for the global test "
            "with an unstructured covariance, no fewer data sets than algorithms). Use 'satterthwaite' or "
            "'kenward-roger'."
        )
    return df


def exact_df(model: FittedModel, *, ratio: bool = False) -> float | None:
    """Degrees of freedom of a difference of two algorithms in a complete design; None where they are not exact.

    They are those of the stratum that the difference belongs to, whether or not a variance ends at zero: see
    `stratum_vcov`. With `ratio` they are those of the global test: None where the covariance is unstructured and
    Hotelling's T² does not exist.
    """
    strata = model.strata
    if strata is None or model.estimation != "REML":
        return None
    m, b, k = strata.m, strata.b, strata.k
    if model.design.model != "domain":
        return float(m * (b - 1) * (k - 1))
    if model.covariance == "scalar":
        return float((m - 1) * (k - 1))
    if ratio and (m < k or np.linalg.matrix_rank(centred_differences(model)) < k - 1):
        return None
    vcov = stratum_vcov(model)
    own = np.diag(vcov)
    first, second = np.triu_indices(k, 1)
    if (own[first] + own[second] - 2 * vcov[first, second] <= 1e-24 * own.max()).any():
        return None  # two algorithms differ by the same amount on every data set
    return float(m - 1)


def few_datasets(model: FittedModel) -> bool:
    """Whether there are too few data sets for the joint distribution of all pairs under an unstructured covariance.

    The joint t distribution has one estimated variance for all; here every pair has its own, and their correlations
    are estimated, too. With 5 algorithms and 5, 9, 15 and 30 data sets of very unequal variances the nominal 5% were
    10.9, 9.1, 5.9 and 5.8%, with 8 algorithms and 24 and 32 data sets 7.2 and 6.8%.
    """
    return model.covariance == "unstructured" and model.design.datasets < 5 * len(model.design.algorithms)


def stratum_vcov(model: FittedModel, dataset: int | None = None) -> FloatArray:
    """Covariance matrix of the means in a complete design, for differences between them.

    It comes from the mean square of the stratum that the differences belong to: data set × algorithm for a domain,
    the residual for given data sets. Where no variance ends at zero, REML yields the same. At zero, REML pools this
    mean square with larger ones, and a difference divided by that standard error does not have the t distribution.
    With an unstructured covariance it is the sample covariance of the data sets' means: a difference is then compared
    by a paired t test.
    """
    strata = model.strata
    assert strata is not None
    if model.covariance == "unstructured":
        cells = model.objective.statistics.centre
        centred = cells - cells.mean(axis=0)
        return np.asarray(centred.T @ centred / (strata.m * (strata.m - 1)))
    df = exact_df(model)
    assert df is not None
    square = (strata.interaction if model.design.model == "domain" else strata.residual) / df
    values = strata.b if dataset is not None else strata.b * strata.m
    return np.asarray(square / values * np.eye(strata.k))


def centred_differences(model: FittedModel) -> FloatArray:
    """Differences of the cell means from the first algorithm on each data set, minus their mean over data sets."""
    cells = model.objective.statistics.centre
    differences = cells[:, 1:] - cells[:, :1]
    centred: FloatArray = differences - differences.mean(axis=0)
    return centred


@dataclass(frozen=True, eq=False, repr=False)
class MeansInformation:
    """Means of the algorithms, their covariance, and how precisely that covariance is known.

    Attributes
    ----------
    means : ndarray of shape (K,)
    vcov : ndarray of shape (K, K)
    slopes : ndarray of shape (p, K, K)
        Derivatives of `vcov` by the variance parameters.
    parameter_vcov : ndarray of shape (p, p)
        Covariance matrix of these parameters.
    """

    means: FloatArray
    vcov: FloatArray
    slopes: FloatArray
    parameter_vcov: FloatArray

    def contrast_df(self, contrasts: FloatArray) -> FloatArray:
        """Satterthwaite's degrees of freedom of each contrast (row)."""
        variance = np.einsum("ck,kl,cl->c", contrasts, self.vcov, contrasts)
        change = np.einsum("ck,pkl,cl->cp", contrasts, self.slopes, contrasts, optimize=True)
        spread = np.einsum("cp,pq,cq->c", change, self.parameter_vcov, change, optimize=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            df = np.where(spread > 0, 2 * variance**2 / spread, np.inf)
        return np.maximum(df, 1.0)

    def f_test(self, contrasts: FloatArray) -> tuple[float, int, float]:
        """F statistic of all contrasts together, its numerator and its denominator degrees of freedom."""
        rows = independent_rows(contrasts)
        q = len(rows)
        values, vectors = np.linalg.eigh(rows @ self.vcov @ rows.T)
        single = vectors.T @ rows
        F = float(((single @ self.means) ** 2 / values).mean())
        df = self.contrast_df(single)
        heavy = df > 2
        expected = float((df[heavy] / (df[heavy] - 2)).sum())
        return F, q, float(2 * expected / (expected - q)) if expected > q else 2.0


@lru_cache(maxsize=1)  # the global test and the comparisons of a fit share it
def means_information(model: FittedModel, dataset: int | None, /, *, expected: bool = False) -> MeansInformation:
    """Means of the algorithms: fixed effects, or averages over fixed cells (or those of one data set)."""
    objective, point = model.objective, model.solution.point
    q = len(objective.basis)
    means, vcov = _means(point.effects, point.vcov, dataset)
    slopes = np.empty((objective.parameters, *vcov.shape))
    if q:
        slopes[:q] = _slopes_by_effects(point, objective.basis)
    for j, step in enumerate(_beside(model, _on_average(model, expected)), start=q):
        above, below = (_means(point.effects, end, dataset)[1] for end in (step.above, step.below))
        slopes[j] = (above - below) / step.length
    free, parameter_vcov = _parameter_vcov(model, expected)
    return MeansInformation(means, vcov, slopes[free], parameter_vcov)


@dataclass(frozen=True, eq=False, repr=False)
class CellsInformation:
    """As `MeansInformation`, for the fixed means of all cells: one K × K covariance matrix per data set."""

    means: FloatArray
    vcov: FloatArray
    slopes: FloatArray
    parameter_vcov: FloatArray


def cells_information(model: FittedModel) -> CellsInformation:
    """Means of the cells of the survey model."""
    point = model.solution.point
    steps = _beside(model, _on_average(model, False))  # one for each parameter: there is no G
    free, parameter_vcov = _parameter_vcov(model, False)
    slopes = np.stack([(steps[j].above - steps[j].below) / steps[j].length for j in np.flatnonzero(free)])
    return CellsInformation(point.effects, point.vcov, slopes, parameter_vcov)


@lru_cache(maxsize=1)  # derivatives of the covariance of the means and those of the gradient share the steps
def _beside(model: FittedModel, expected: bool, /) -> tuple[Beside, ...]:
    return model.objective.beside(model.solution.phi, expected=expected)


def _on_average(model: FittedModel, expected: bool) -> bool:
    """Whether the expected curvature is used: where it is asked for, and where a variance ended at zero."""
    return expected or model.boundary


def _means(effects: FloatArray, vcov: FloatArray, dataset: int | None) -> tuple[FloatArray, FloatArray]:
    if effects.ndim == 1:
        return effects, vcov
    if dataset is not None:
        return effects[dataset], vcov[dataset]
    return effects.mean(axis=0), vcov.sum(axis=0) / len(vcov) ** 2


def _slopes_by_effects(point: Point, basis: FloatArray) -> FloatArray:
    """Derivatives C U_i C of the covariance C of the means by the coefficients of G."""
    return np.asarray(point.vcov @ _pulls(point, basis) @ point.vcov)


def _pulls(point: Point, basis: FloatArray) -> FloatArray:
    """U_i = Σ A* E_i A* over the data sets, for each matrix E_i of the basis of G."""
    A = point.A_star.reshape(len(point.A_star), -1)
    k = len(point.vcov)
    products = (A.T @ A).reshape(k, k, k, k).transpose(1, 2, 0, 3).reshape(k * k, k * k)
    return np.asarray((basis.reshape(len(basis), -1) @ products).reshape(-1, k, k))


@lru_cache(maxsize=1)
def _parameter_vcov(model: FittedModel, expected: bool, /) -> tuple[BoolArray, FloatArray]:
    """Which parameters count, and their covariance matrix: twice the inverse of the curvature.

    A variance that ended at zero counts, with the expected curvature: the data say no more about it than about one
    above zero. (pbkrtest does the same: Halekoh and Højsgaard 2014, Journal of Statistical Software 59(9). Without it,
    the degrees of freedom would be those of a model in which it is known to be zero.) Only residual variances at their
    lower limit are left out.
    """
    objective, solution = model.objective, model.solution
    free = np.ones(objective.parameters, bool)
    residual = objective.statistics.residual_parameters
    free[-residual:] = ~solution.boundary[-residual:]
    scale = objective.scale(solution.phi)[free]
    for kind in (_on_average(model, expected), True):
        curvature = objective.curvature(solution.phi, solution.point, expected=kind, beside=_beside(model, kind))
        scaled = curvature[np.ix_(free, free)] * np.outer(scale, scale)
        if np.linalg.eigvalsh(scaled)[0] > 0:
            break
    return free, 2 * np.linalg.pinv(scaled, hermitian=True) * np.outer(scale, scale)


def independent_rows(contrasts: FloatArray) -> FloatArray:
    """Linearly independent rows that span the same contrasts."""
    _, values, rows = np.linalg.svd(contrasts, full_matrices=False)
    return np.asarray(rows[values > 1e-9 * values[0]])


@dataclass(frozen=True, eq=False, repr=False)
class KenwardRoger:
    """Means with Kenward and Roger's covariance matrix.

    Attributes
    ----------
    plain : MeansInformation
        The means before the adjustment, with the expected curvature.
    vcov : ndarray of shape (K, K)
        Their adjusted covariance matrix.
    """

    plain: MeansInformation
    vcov: FloatArray

    def f_test(self, contrasts: FloatArray) -> tuple[float, int, float]:
        """Scaled F statistic, its numerator and its denominator degrees of freedom (section 3 of their paper)."""
        rows = independent_rows(contrasts)
        q = len(rows)
        difference = rows @ self.plain.means
        F = float(difference @ np.linalg.solve(rows @ self.vcov @ rows.T, difference)) / q
        theta = rows.T @ np.linalg.solve(rows @ self.plain.vcov @ rows.T, rows)
        moved = theta @ self.plain.slopes
        trace = np.einsum("pkk->p", moved)
        W = self.plain.parameter_vcov
        A1 = float(trace @ W @ trace)
        A2 = float(np.einsum("pq,pkl,qlk->", W, moved, moved, optimize=True))
        if A2 <= 0:
            return F, q, np.inf
        B = (A1 + 6 * A2) / (2 * q)
        g = ((q + 1) * A1 - (q + 4) * A2) / ((q + 2) * A2)
        denominator = 3 * q + 2 * (1 - g)
        c1, c2, c3 = g / denominator, (q - g) / denominator, (q + 2 - g) / denominator
        expectation = 1 / (1 - A2 / q)
        variance = 2 / q * (1 + c1 * B) / ((1 - c2 * B) ** 2 * (1 - c3 * B))
        rho = variance / (2 * expectation**2)
        df = 4 + (q + 2) / (q * rho - 1)
        if not (df > 2 and expectation > 0):
            return F, q, 1.0
        return F * df / (expectation * (df - 2)), q, float(df)


@lru_cache(maxsize=1)
def kenward_roger(model: FittedModel, dataset: int | None, /) -> KenwardRoger:
    """Adjust the covariance matrix Φ of the means: Φ - Σ w_ij ∂²Φ/∂φ_i∂φ_j.

    Their Φ + 2 Φ [Σ w_ij (Q_ij - P_i Φ P_j)] Φ, with P_i and Q_ij expressed by the derivatives of Φ⁻¹, becomes this
    where V is linear in its parameters φ; w is the covariance matrix of these.
    """
    plain = means_information(model, dataset, expected=True)
    objective, solution = model.objective, model.solution
    free, weights = _parameter_vcov(model, True)
    w = np.zeros((objective.parameters, objective.parameters))
    w[np.ix_(free, free)] = weights
    q = len(objective.basis)
    bend = _bend_within(model, w[q:, q:], plain.vcov, dataset)
    if q:
        bend = bend + _bend_by_effects(solution.point, objective.basis, w[:q, :q]) + 2 * _bend_between(model, w[:q, q:])
    vcov = plain.vcov - bend
    return KenwardRoger(plain, (vcov + vcov.T) / 2)


def _bend_by_effects(point: Point, basis: FloatArray, w: FloatArray) -> FloatArray:
    """Σ w_ij ∂²C/∂φ_i∂φ_j over the coefficients of G: 2 C [Σ w_ij (U_i C U_j - Σ A* E_i A* E_j A*)] C."""
    A, C = point.A_star, point.vcov
    m, k, _ = A.shape
    U = _pulls(point, basis)
    first = np.einsum("ikl,iln->kn", U @ C, (w @ U.reshape(len(U), -1)).reshape(U.shape), optimize=True)
    flat = basis.reshape(len(basis), -1)
    pairs = (flat.T @ w @ flat).reshape(k, k, k, k).transpose(0, 3, 1, 2).reshape(k * k, k * k)
    inner = (A.reshape(m, -1) @ pairs.T).reshape(m, k, k)  # Σ w_ij E_i A* E_j
    return np.asarray(2 * C @ (first - (A @ inner @ A).sum(axis=0)) @ C)


def _bend_between(model: FittedModel, w: FloatArray) -> FloatArray:
    """Σ w_ij ∂²C/∂φ_i∂φ_j for coefficients φ_i of G and other variances φ_j: differences of exact derivatives."""
    objective, phi = model.objective, model.solution.phi
    q, scale = len(objective.basis), objective.scale(phi)
    out = np.zeros_like(model.solution.point.vcov)
    for j in np.flatnonzero(w.any(axis=0)):
        step = np.zeros(len(phi))
        step[q + j] = _STEP * scale[q + j]
        above, below = (_slopes_by_effects(objective.point(phi + move), objective.basis) for move in (step, -step))
        out += np.einsum("i,ikl->kl", w[:, j], above - below) / (2 * step[q + j])
    return out


def _bend_within(model: FittedModel, w: FloatArray, vcov: FloatArray, dataset: int | None) -> FloatArray:
    """Σ w_ij ∂²C/∂φ_i∂φ_j over the other variances, by second differences along the eigenvectors of w."""
    objective, phi = model.objective, model.solution.phi
    q = len(objective.basis)
    scale = objective.scale(phi)[q:]
    values, vectors = np.linalg.eigh(w / np.outer(scale, scale))
    out = np.zeros_like(vcov)
    for value, vector in zip(values, vectors.T, strict=True):
        if value > 1e-14 * values[-1]:
            step = np.zeros(len(phi))
            step[q:] = _LONG_STEP * scale * vector
            above, below = (
                _means(point.effects, point.vcov, dataset)[1]
                for point in (objective.point(phi + step), objective.point(phi - step))
            )
            out += value * (above - 2 * vcov + below) / _LONG_STEP**2
    return out
