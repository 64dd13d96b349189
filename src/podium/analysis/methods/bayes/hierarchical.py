r"""The hierarchical model of differences on several data sets, for all pairs at once and without Stan.

Corani et al. (2017): on data set i the n_i cross-validated differences are normal with mean δ_i, standard deviation
σ_i and correlation ρ; the δ_i follow a Student distribution with centre δ_0, scale σ_0 and ν degrees of freedom. The
quantity of interest is δ of the *next* data set. Priors: δ_0 flat; σ_i uniform; σ_0 uniform up to 1000 times what the
data show; ν - 1 gamma distributed with uniform shape in (0.5, 5) and rate in (0.05, 0.15).

Under compound symmetry the mean of a data set is normal around δ_i with variance σ_i² (1 + (n_i - 1) ρ)/n_i, and
independent of its sum of squares. Hence σ_i can be integrated out: the likelihood of δ_i is a Student density with
n_i - 2 degrees of freedom. The integral over δ_i, of this density times the Student density of the δ, is computed
numerically, and three unknowns are left: (δ_0, σ_0, ν). They are drawn by an adaptive Metropolis walk. A Gibbs sampler
over all δ_i and σ_i would do as well in the limit, but it sticks: an outlying data set can be explained by its own
noise or by heavy tails, and the latent variables have to change their explanation together. Whether chains have
converged is measured by split R-hat and the effective sample size.

G. Corani, A. Benavoli, J. Demšar, F. Mangili, M. Zaffalon (2017). Statistical comparison of classifiers through
Bayesian hierarchical modelling. Machine Learning 106, 1817–1837. — A. Vehtari, A. Gelman, D. Simpson,
B. Carpenter, P.-C. Bürkner (2021). Rank-normalization, folding, and localization: an improved R-hat for assessing
convergence of MCMC. Bayesian Analysis 16, 667–718.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtr, stdtrit
from scipy.stats import rankdata

from podium.analysis.methods.bayes.kernels import KEPT, Area, Posterior, largest_share
from podium.analysis.methods.permutation import ordered_rows
from podium.arrays import FloatArray, Int64Array
from podium.checks import random_generator

_SPREAD = 1000.0  # the uniform prior of σ_0 extends to this many times what the data show
_FLOOR = 0.01  # smallest noise of a data set, as a share of the average: without any, equal means would fix σ_0 at 0
# Trapezoidal rule on the normal scale of the quantiles: it reaches far into both tails and converges fast.
_NORMAL = np.linspace(-4.4, 4.4, 23)
_QUANTILES = ndtr(_NORMAL)
_WEIGHTS = np.exp(-0.5 * _NORMAL**2) / np.exp(-0.5 * _NORMAL**2).sum()
_ADAPT = 100  # steps between two updates of the covariance of the walk


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """Draws of the hyperparameters, arrays of shape (pairs, chains, draws)."""

    centre: FloatArray
    scale: FloatArray
    freedom: FloatArray

    def shares(self, area: Area) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Probabilities that the difference on the next data set is below, in and above the area, for each draw."""
        low, high = area
        below = stdtr(self.freedom, (low - self.centre) / self.scale)
        above = stdtr(self.freedom, (self.centre - high) / self.scale)
        return below, np.clip(1 - below - above, 0.0, 1.0), above


def sample_hierarchical(
    means: FloatArray,
    squares: FloatArray,
    counts: Int64Array,
    rho: float,
    *,
    chains: int = 4,
    draws: int = 2000,
    warmup: int = 1000,
    freedom: float | None = None,
    seed: int = 0,
) -> Chains:
    """Draw from the posterior of the hierarchical model, for P pairs and q data sets.

    Parameters
    ----------
    means, squares : ndarray, shape (P, q)
        Mean and sum of squared deviations of the differences on each data set.
    counts : ndarray of int, shape (P, q)
        Number of differences on each data set, at least 3.
    rho : float
        Correlation of the differences of one data set.
    chains, draws, warmup : int
        Number of chains, and of kept and discarded draws of each.
    freedom : float, optional
        Fixes ν instead of estimating it.
    seed : int
    """
    # The draws depend on the values alone: not on the order of pairs, data sets, or the algorithms of a pair.
    turned = ordered_rows(means)[1][:, None] < 0
    means = np.where(turned, 0.0 - means, means)
    order = np.lexsort((counts, squares, means), axis=1)
    means, squares = (np.take_along_axis(array, order, axis=1) for array in (means, squares))
    counts = np.take_along_axis(counts, order, axis=1)
    density = _Density(means, squares, counts, rho, freedom)
    rng = random_generator(seed)
    walk = _Walk(density, density.start(chains, rng), rng)
    walk.warm_up(warmup)
    kept = np.stack([walk.step() for _ in range(draws)], axis=2)  # pairs × chains × draws × 3
    unit = density.unit[:, :, None]
    nu = 1 + np.exp(kept[..., 2]) if freedom is None else np.full(kept.shape[:3], freedom)
    unturned = np.where(turned, -1.0, 1.0)[:, :, None]
    return Chains(centre=kept[..., 0] * unit * unturned, scale=np.exp(kept[..., 1]) * unit, freedom=nu)


def posterior_of_next(chains: Chains, area: Area, level: float) -> Posterior:
    """Which of the three is most probable on the next data set, over the draws; and the mean difference."""
    below, inside, above = chains.shares(area)
    shares = [largest_share(b.ravel(), i.ravel(), a.ravel()) for b, i, a in zip(below, inside, above, strict=True)]
    low, middle, high = np.array(shares).T
    centre = chains.centre.reshape(len(chains.centre), -1)
    ends = np.quantile(centre, [0.5, (1 - level) / 2, (1 + level) / 2], axis=1)
    regions = np.stack([below, inside, above], axis=-1).reshape(len(centre), -1, 3)
    return Posterior(
        below=low,
        inside=middle,
        above=high,
        median=ends[0],
        lower=ends[1],
        upper=ends[2],
        regions=regions[:, :: max(regions.shape[1] // KEPT, 1)][:, :KEPT].copy(),
    )


def diagnose(chains: Chains) -> dict[str, FloatArray]:
    """Worst split R-hat and smallest effective sample size over the hyperparameters, for each pair."""
    rhat, size = [], []
    for pair in range(len(chains.centre)):
        parts = [chains.centre[pair], np.log(chains.scale[pair])]
        if np.ptp(chains.freedom[pair]) > 0:
            parts.append(np.log(chains.freedom[pair]))
        rhat.append(max(split_rhat(part) for part in parts))
        size.append(min(effective_size(part) for part in parts))
    return {"rhat": np.array(rhat), "effective_size": np.array(size)}


class _Density:
    """Log posterior density of (δ_0, log σ_0, log(ν - 1)), differences in units of their average noise."""

    def __init__(
        self,
        means: FloatArray,
        squares: FloatArray,
        counts: Int64Array,
        rho: float,
        freedom: float | None,
    ) -> None:
        n = counts.astype(float)
        noise = np.sqrt(squares / (n - 1)).mean(axis=1, keepdims=True)
        spread = means.std(axis=1, ddof=1, keepdims=True)
        unit = np.where(noise > 1e-9 * (spread + 1e-300), noise, np.maximum(spread, 1e-9))
        self.unit = unit
        self.mean = means / unit
        # Likelihood of δ_i with σ_i integrated out: Student, n_i - 2 degrees of freedom, centre the mean.
        inflation = (1 + (n - 1) * rho) / n
        self.own_df = n - 2
        scale = np.sqrt(squares * inflation / ((1 - rho) * self.own_df)) / unit
        self.own_scale = np.maximum(scale, _FLOOR * np.sqrt(inflation))
        self.between = np.maximum(self.mean.std(axis=1, ddof=1), _FLOOR)
        self.fixed = freedom
        self.log_constant = _log_student_constant(self.own_df) - np.log(self.own_scale)
        # Points at quantiles of each likelihood, where its inverse density is known once and for all.
        z = stdtrit(self.own_df[:, :, None], _QUANTILES)
        self.points = self.mean[:, :, None] + self.own_scale[:, :, None] * z
        self.inverse_at_points = np.exp(-self._log_own(z[:, None], self.log_constant[:, None]))

    def start(self, chains: int, rng: np.random.Generator) -> FloatArray:
        """Return starting points that lie wider apart than the posterior, so that agreement means something."""
        centre = self.mean.mean(axis=1)[:, None] + self.between[:, None] * rng.normal(0, 1, (1, chains))
        scale = np.log(self.between)[:, None] + rng.normal(-0.5, 1, (1, chains))
        freedom = np.broadcast_to(np.log(rng.gamma(2, 10, (1, chains))), centre.shape)
        return np.stack([centre, scale, freedom], axis=2)

    def __call__(self, state: FloatArray) -> FloatArray:
        """Log density at states of shape (pairs, chains, 3)."""
        centre, log_scale = state[..., 0], state[..., 1]
        nu = 1 + np.exp(state[..., 2]) if self.fixed is None else np.full(centre.shape, self.fixed)
        scale = np.exp(log_scale)
        density = np.log(self._integrals(centre, scale, nu)).sum(axis=2) + log_scale
        if self.fixed is None:
            grid, prior = _freedom_prior()
            density += np.interp(state[..., 2], grid, prior, left=-np.inf, right=-np.inf) + state[..., 2]
        return np.where(scale < _SPREAD * self.between[:, None], density, -np.inf)

    def _integrals(self, centre: FloatArray, scale: FloatArray, nu: FloatArray) -> FloatArray:
        """∫ likelihood(δ) prior(δ) dδ for every data set, shape (pairs, chains, q).

        Points are quantiles of both densities l and p, weighted by the balance heuristic (Veach & Guibas 1995,
        SIGGRAPH, 419–428): the mean of l p / (a l + (1 - a) p) over a mixture of both is bounded and smooth wherever
        they lie. The narrower of the two gets the larger share.
        """
        c, s, v = centre[:, :, None, None], scale[:, :, None, None], nu[:, :, None, None]
        constant = (_log_student_constant(nu) - np.log(scale))[:, :, None, None]
        z2 = ((self.points[:, None] - c) / s) ** 2
        inverse_prior = np.exp(np.minimum((v + 1) / 2 * np.log1p(z2 / v) - constant, 300.0))
        share = (scale[:, :, None] / (scale[:, :, None] + self.own_scale[:, None, :]))[..., None]
        at_own = 1 / (share * inverse_prior + (1 - share) * self.inverse_at_points)
        z = _student_quantiles(nu)
        prior_at_z = np.exp((v[:, :, 0] + 1) / 2 * np.log1p(z**2 / v[:, :, 0]) - constant[:, :, 0])
        deviation = (centre[:, :, None] + scale[:, :, None] * z)[:, :, None, :] - self.mean[:, None, :, None]
        inverse_own = np.exp(-self._log_own(deviation / self.own_scale[:, None, :, None], self.log_constant[:, None]))
        at_prior = 1 / (share * prior_at_z[:, :, None, :] + (1 - share) * inverse_own)
        total: FloatArray = share[..., 0] * (at_own @ _WEIGHTS) + (1 - share[..., 0]) * (at_prior @ _WEIGHTS)
        return np.maximum(total, 1e-300)

    def _log_own(self, z: FloatArray, constant: FloatArray) -> FloatArray:
        df = self.own_df[:, None, :, None]
        log_density: FloatArray = np.maximum(constant[..., None] - (df + 1) / 2 * np.log1p(z**2 / df), -300.0)
        return log_density


class _Walk:
    """Adaptive Metropolis (Haario, Saksman & Tamminen 2001) of several chains of all pairs; fixed after the warm-up."""

    def __init__(self, density: _Density, state: FloatArray, rng: np.random.Generator) -> None:
        self.density, self.state, self.rng = density, state, rng
        self.value = density(state)
        pairs = len(state)
        first = np.stack([density.between * 0.3, np.full(pairs, 0.4), np.full(pairs, 1.0)], axis=1)
        self.root = np.einsum("pi,ij->pij", first, np.eye(3))

    def warm_up(self, steps: int) -> None:
        """Walk towards the posterior and learn its shape, from the later half of what was seen."""
        seen: list[FloatArray] = []
        for i in range(steps):
            seen.append(self.step())
            if (i + 1) % _ADAPT == 0:
                recent = np.concatenate(seen[len(seen) // 2 :], axis=1)
                centred = recent - recent.mean(axis=1, keepdims=True)
                covariance = np.einsum("pni,pnj->pij", centred, centred) / recent.shape[1]
                self.root = np.linalg.cholesky(covariance * 2.38**2 / 3 + 1e-6 * np.eye(3))

    def step(self) -> FloatArray:
        """Move every chain once; one step in five is three times as wide, to reach another mode."""
        chains = self.value.shape[1]  # all pairs share their random numbers
        stretch = np.where(self.rng.random((1, chains)) < 0.2, 3.0, 1.0)[:, :, None]
        noise = np.einsum("pij,cj->pci", self.root, self.rng.normal(size=(chains, 3)))
        proposed = self.state + stretch * noise
        value = self.density(proposed)
        accepted = np.log(self.rng.random((1, chains))) < value - self.value
        self.state = np.where(accepted[:, :, None], proposed, self.state)
        self.value = np.where(accepted, value, self.value)
        return self.state


def _log_student_constant(df: FloatArray) -> FloatArray:
    return gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * np.log(np.pi * df)


def _student_quantiles(nu: FloatArray) -> FloatArray:
    """Quantiles of Student distributions at the fixed shares, interpolated from a table; shape of `nu` and 23."""
    grid, table = _quantile_table()
    at = np.clip(np.log(nu), grid[0], grid[-1])
    place = (at - grid[0]) / (grid[1] - grid[0])
    left = np.minimum(place.astype(int), len(grid) - 2)
    share = (place - left)[..., None]
    mixed: FloatArray = (1 - share) * table[left] + share * table[left + 1]
    return mixed


@lru_cache(maxsize=1)
def _quantile_table() -> tuple[FloatArray, FloatArray]:
    grid = np.linspace(0.0, np.log(1e5), 600)
    return grid, stdtrit(np.exp(grid)[:, None], _QUANTILES)


@lru_cache(maxsize=1)
def _freedom_prior() -> tuple[FloatArray, FloatArray]:
    """Log prior density of ν - 1 on a grid of log(ν - 1): gamma, averaged over its uniform shape and rate."""
    grid = np.linspace(np.log(1e-4), np.log(2000.0), 400)
    shape, rate = np.meshgrid(np.linspace(0.5, 5, 91), np.linspace(0.05, 0.15, 41))
    x = np.exp(grid)[:, None, None]
    density = np.exp(shape * np.log(rate) - gammaln(shape) + (shape - 1) * np.log(x) - rate * x)
    return grid, np.log(np.maximum(density.mean(axis=(1, 2)), 1e-300))


def split_rhat(draws: FloatArray) -> float:
    """Rank-normalised split R-hat of draws, shape (chains, draws); 1 if the chains agree."""
    chains = _split(_normalised(draws))
    n = chains.shape[1]
    within = chains.var(axis=1, ddof=1).mean()
    between = n * chains.mean(axis=1).var(ddof=1)
    return float(np.sqrt(((n - 1) / n * within + between / n) / within)) if within > 0 else 1.0


def effective_size(draws: FloatArray) -> float:
    """Bulk effective sample size of draws, shape (chains, draws), by Geyer's initial monotone sequence."""
    chains = _split(_normalised(draws))
    m, n = chains.shape
    centred = chains - chains.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * n, axis=1)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, 2 * n, axis=1)[:, :n].mean(axis=0) / n
    within = covariance[0] * n / (n - 1)
    total = within * (n - 1) / n + chains.mean(axis=1).var(ddof=1)
    if total <= 0:
        return float(m * n)
    correlation = 1 - (within - covariance * n / (n - 1)) / total
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    positive = int(np.argmax(pairs <= 0)) if (pairs <= 0).any() else len(pairs)
    monotone = np.minimum.accumulate(pairs[:positive])
    time = -1 + 2 * monotone.sum() if positive else 1.0
    return float(m * n / max(time, 1 / np.log10(m * n)))


def _normalised(draws: FloatArray) -> FloatArray:
    ranks = rankdata(draws).reshape(draws.shape)
    return ndtri((ranks - 0.375) / (draws.size + 0.25))


def _split(draws: FloatArray) -> FloatArray:
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, -half:]])
