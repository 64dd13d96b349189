"""The likelihood of the Bradley–Terry model with ties: one large fit, or many small ones at once.

For a pair (i, j) with log worths t_i and t_j, the outcomes *i wins*, *j wins* and *tie* have probabilities in
proportion to exp(t_i), exp(t_j) and ν exp((t_i + t_j) / 2), with d = log ν (Davidson 1970; Critchlow & Fligner 1991).
An effect of order multiplies the first by exp(g).

R. R. Davidson (1970). On extending the Bradley–Terry model to accommodate ties in paired comparison experiments.
Journal of the American Statistical Association 65, 317–328. — D. E. Critchlow, M. A. Fligner (1991). Paired comparison,
triple comparison, and ranking experiments as generalized linear models, and their implementation on GLIM.
Psychometrika 56, 517–533. — D. Firth (1993). Bias reduction of maximum likelihood estimates. Biometrika 80, 27–38.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import xlogy

from podium.arrays import FloatArray, IntArray
from podium.errors import InputError

MAX_STEPS = 200
CLOSE = (
    1e-10  # Newton ends when the decrement of the log likelihood is this small, relative to the number of comparisons
)


@dataclass(frozen=True, eq=False)
class PairModel:
    """The pairs of a model, and which parameters it has besides the worths."""

    first: IntArray
    second: IntArray
    objects: int
    ties: bool
    order_effect: bool = False

    @property
    def extra(self) -> int:
        """Number of parameters besides the worths."""
        return int(self.ties) + int(self.order_effect)

    def probabilities(self, t: FloatArray, d: float, g: float) -> FloatArray:
        """P of each outcome of each pair."""
        one, two = t[self.first] + g, t[self.second]
        tie = d + (t[self.first] + t[self.second]) / 2 if self.ties else np.full(len(one), -np.inf)
        eta = np.column_stack([one, two, tie])
        eta -= eta.max(axis=1, keepdims=True)
        weights = np.exp(eta)
        total: FloatArray = weights / weights.sum(axis=1, keepdims=True)
        return total


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates of a model, with the log worths relative to object 0.

    Attributes
    ----------
    t : ndarray of float
        Log worths; that of the first object is 0.
    d, g : float
        Log of ν (-∞ without ties), and the effect of order (0 without one).
    covariance : ndarray of float
        Of (t_1, ..., t_{K-1}, d, g), as far as they are parameters.
    loglik : float
    """

    t: FloatArray
    d: float
    g: float
    covariance: FloatArray
    loglik: float


def fit_pairs(pairs: PairModel, counts: FloatArray, *, reduce_bias: bool) -> Estimate:
    """Maximise the likelihood, or Firth's penalised likelihood, by Newton's method.

    The penalty is half the log determinant of the information (Jeffreys' prior): it keeps estimates finite where an
    object always wins, and removes the leading term of their bias.
    """
    k = pairs.objects
    beta = np.zeros(k - 1 + pairs.extra)
    total = counts.sum(axis=1)
    current = -np.inf
    for _ in range(MAX_STEPS):
        value, score, information, p = derivatives(pairs, counts, total, beta)
        factor = factor_of(information)
        if reduce_bias:
            inverse = cho_solve(factor, np.eye(len(beta)))
            score = score + 0.5 * _bias_score(pairs, total, p, inverse)
            value += float(np.log(np.diag(factor[0])).sum())
        move = cho_solve(factor, score)
        decrement = float(score @ move)
        if decrement < CLOSE * float(total.sum()) * 1e-4:
            break
        scale = 1.0
        current = value
        while scale > 1e-8:  # halve the step until the likelihood grows
            trial = beta + scale * np.clip(move, -5.0, 5.0)
            if _objective(pairs, counts, total, trial, reduce_bias) >= current - 1e-12 * abs(current):
                break
            scale /= 2
        beta = trial
    else:
        raise InputError(f"The Bradley–Terry model did not converge in {MAX_STEPS} steps.")
    value, _, information, _ = derivatives(pairs, counts, total, beta)
    covariance = cho_solve(factor_of(information), np.eye(len(beta)))
    t, d, g = _split(pairs, beta)
    return Estimate(t=t, d=d, g=g, covariance=covariance, loglik=value)


def _split(pairs: PairModel, beta: FloatArray) -> tuple[FloatArray, float, float]:
    k = pairs.objects
    t = np.concatenate([[0.0], beta[: k - 1]])
    d = float(beta[k - 1]) if pairs.ties else -np.inf
    g = float(beta[-1]) if pairs.order_effect else 0.0
    return t, d, g


def _objective(pairs: PairModel, counts: FloatArray, total: FloatArray, beta: FloatArray, reduce_bias: bool) -> float:
    value, _, information, _ = derivatives(pairs, counts, total, beta)
    if reduce_bias:
        sign, logdet = np.linalg.slogdet(information)
        return value + 0.5 * logdet if sign > 0 else -np.inf
    return value


def derivatives(
    pairs: PairModel, counts: FloatArray, total: FloatArray, beta: FloatArray
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Log likelihood, score, information, and probabilities."""
    k, first, second = pairs.objects, pairs.first, pairs.second
    t, d, g = _split(pairs, beta)
    p = pairs.probabilities(t, d, g)
    value = float(xlogy(counts, p).sum())
    residual = counts - total[:, None] * p
    score_t = np.bincount(first, residual[:, 0] + 0.5 * residual[:, 2], k)
    score_t += np.bincount(second, residual[:, 1] + 0.5 * residual[:, 2], k)
    one, two, tie = p.T
    mean_i, mean_j = one + 0.5 * tie, two + 0.5 * tie
    matrix = np.zeros((k + pairs.extra, k + pairs.extra))
    flat = np.bincount(first * k + second, total * (0.25 * tie - mean_i * mean_j), k * k).reshape(k, k)
    matrix[:k, :k] = flat + flat.T
    diagonal = np.bincount(first, total * (one + 0.25 * tie - mean_i**2), k)
    diagonal += np.bincount(second, total * (two + 0.25 * tie - mean_j**2), k)
    matrix[np.arange(k), np.arange(k)] += diagonal
    extra = []
    if pairs.ties:
        column = np.bincount(first, total * tie * (0.5 - mean_i), k)
        column += np.bincount(second, total * tie * (0.5 - mean_j), k)
        matrix[:k, k] = matrix[k, :k] = column
        matrix[k, k] = float((total * tie * (1 - tie)).sum())
        extra.append(float(residual[:, 2].sum()))
    if pairs.order_effect:
        column = np.bincount(first, total * one * (1 - mean_i), k) - np.bincount(second, total * one * mean_j, k)
        matrix[:k, -1] = matrix[-1, :k] = column
        matrix[-1, -1] = float((total * one * (1 - one)).sum())
        if pairs.ties:
            matrix[k, -1] = matrix[-1, k] = -float((total * one * tie).sum())
        extra.append(float(residual[:, 0].sum()))
    return value, np.concatenate([score_t[1:], extra]), matrix[1:, 1:], p


def _bias_score(pairs: PairModel, total: FloatArray, p: FloatArray, inverse: FloatArray) -> FloatArray:
    """Twice the change of the score by Firth's penalty: Σ N Σ P h (x - mean), with h = (x - mean)' I⁻¹ (x - mean)."""
    k, first, second = pairs.objects, pairs.first, pairs.second
    whole = np.zeros((k + pairs.extra, k + pairs.extra))
    whole[1:, 1:] = inverse
    places = [first, second]
    features = [np.array([1.0, 0.0, 0.5]), np.array([0.0, 1.0, 0.5])]
    if pairs.ties:
        places.append(np.full(len(first), k))
        features.append(np.array([0.0, 0.0, 1.0]))
    if pairs.order_effect:
        places.append(np.full(len(first), k + pairs.extra - 1))
        features.append(np.array([1.0, 0.0, 0.0]))
    centred = [x[None, :] - (p * x).sum(axis=1, keepdims=True) for x in features]  # pairs × outcomes
    leverage = np.zeros_like(p)
    for a, z_a in zip(places, centred, strict=True):
        for b, z_b in zip(places, centred, strict=True):
            leverage += whole[a, b][:, None] * z_a * z_b
    pull = total[:, None] * p * leverage
    score = np.zeros(k + pairs.extra)
    for place, z in zip(places, centred, strict=True):
        score += np.bincount(place, (pull * z).sum(axis=1), k + pairs.extra)
    return score[1:]


def factor_of(information: FloatArray) -> tuple[FloatArray, bool]:
    """Cholesky's factor of an information matrix, with a small ridge where it has none."""
    try:
        factor, lower = cho_factor(information)
    except np.linalg.LinAlgError:
        ridge = 1e-10 * max(float(np.trace(information)) / len(information), 1e-300)
        factor, lower = cho_factor(information + ridge * np.eye(len(information)))
    return factor, bool(lower)


# Many small fits at once


def design_matrix(pairs: PairModel, baseline: int) -> FloatArray:
    """Derivatives of the linear predictors, as a pairs × outcomes × parameters array: free worths, then ties."""
    q, k = len(pairs.first), pairs.objects
    D = np.zeros((q, 3 if pairs.ties else 2, k + pairs.extra))
    at = np.arange(q)
    D[at, 0, pairs.first] = 1.0
    D[at, 1, pairs.second] = 1.0
    if pairs.ties:
        D[at, 2, pairs.first] = 0.5
        D[at, 2, pairs.second] = 0.5
        D[:, 2, k] = 1.0
    return np.delete(D, baseline, axis=2)


@dataclass(frozen=True, eq=False)
class Batch:
    """Estimates of many models with the same pairs."""

    beta: FloatArray  # models × parameters
    neg_loglik: FloatArray
    p: FloatArray  # models × pairs × outcomes


def fit_batch(
    D: FloatArray, counts: FloatArray, start: FloatArray | None = None, *, close: float = 1e-11, steps: int = 60
) -> Batch:
    """Fit models to several tables of counts (models × pairs × outcomes) by Newton's method, all at once.

    Each ends when the log likelihood would grow by less than `close` per comparison. Where an estimate is infinite, it
    ends far out, where the likelihood no longer changes.
    """
    models, parameters = len(counts), D.shape[2]
    beta = np.zeros((models, parameters)) if start is None else np.array(np.broadcast_to(start, (models, parameters)))
    total = counts.sum(axis=2)
    value, p = _batch_value(D, counts, beta)
    tied = counts[:, :, :2].sum(axis=(1, 2)) == 0  # they say nothing about the worths
    active = np.arange(models)
    for _ in range(steps):
        N, P = total[active], p[active]
        mean = np.einsum("mqo,qop->mqp", P, D)
        score = np.einsum("mqo,qop->mp", _residuals(counts[active], N, P), D)
        second = np.einsum("mqo,qop,qor->mpr", N[:, :, None] * P, D, D)
        information = second - np.einsum("mq,mqp,mqr->mpr", N, mean, mean)
        trace = np.einsum("mpp->m", information)
        ridge = np.maximum(1e-9 * trace, 1e-13 * N.sum(axis=1))  # below, information is rounding
        information += np.maximum(ridge, 1e-300)[:, None, None] * np.eye(parameters)
        move = np.clip(np.linalg.solve(information, score[:, :, None])[:, :, 0], -4.0, 4.0)
        move[tied[active], :-1] = 0.0
        decrement = np.einsum("mp,mp->m", score, move)
        going = decrement > close * N.sum(axis=1)
        if not going.any():
            break
        active, move = active[going], move[going]
        scale = np.ones(len(active))
        for _ in range(20):
            trial = beta[active] + scale[:, None] * move
            new, q = _batch_value(D, counts[active], trial)
            worse = new > value[active] + 1e-12 * np.abs(value[active])
            if not worse.any():
                break
            scale[worse] /= 2
        beta[active], value[active], p[active] = trial, new, q
    return Batch(beta, value, p)


def _residuals(counts: FloatArray, total: FloatArray, p: FloatArray) -> FloatArray:
    """Outcomes minus what is expected of them, n - N P, without rounding errors where P is nearly 1.

    Where only ties occur, these errors would be larger than the scores of the worths, and Newton would follow them.
    """
    rest = p[..., ::-1] if p.shape[2] == 2 else p[..., [1, 0, 0]] + p[..., [2, 2, 1]]  # 1 - P
    return counts * rest - (total[:, :, None] - counts) * p


def _batch_value(D: FloatArray, counts: FloatArray, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
    eta = np.einsum("qop,mp->mqo", D, beta)
    eta -= eta.max(axis=2, keepdims=True)
    weights = np.exp(eta)
    norm = weights.sum(axis=2, keepdims=True)
    logs = eta - np.log(norm)
    return -np.where(counts > 0, counts * logs, 0.0).sum(axis=(1, 2)), weights / norm
