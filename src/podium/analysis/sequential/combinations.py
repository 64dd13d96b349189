"""Two p-values combined into one: Fisher's product and the inverse normal, with stopping after the first; arrays only.

A two-stage test of level L stops after the first p-value p: it rejects if p ≤ a, and accepts if p > b. In between it
rejects if the combination of p with the p-value of everything that follows is at most the critical value c. Given p,
the remainder is therefore a test of the *conditional level*, and may itself be a two-stage test: the recursion of
Brannath, Posch & Bauer.

W. Brannath, M. Posch, P. Bauer (2002). Recursive combination tests. Journal of the American Statistical Association 97,
236–244.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

import numpy as np
from scipy.special import lambertw, ndtr, ndtri

from podium.arrays import FloatArray

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_EDGE = 9.0  # standard normal deviates beyond which nothing is left
_STEPS = 100  # at most; a handful are needed


class Combination(Protocol):
    """How two p-values are combined; all arguments are arrays of one shape, or numbers."""

    @property
    def name(self) -> str:
        """As in ``combination_test(..., combine=name)``."""
        ...

    @property
    def title(self) -> str:
        """As in a sentence of a paper."""
        ...

    def critical(self, level: FloatArray, reject: FloatArray, accept: FloatArray, weight: float) -> FloatArray:
        """Critical value of the combination for a test of this level that stops at these bounds."""
        ...

    def conditional(self, critical: FloatArray, pvalue: FloatArray, weight: float) -> FloatArray:
        """Level that is left for everything that follows, given the first p-value."""
        ...

    def certain(self, critical: FloatArray) -> FloatArray:
        """Return the p-value up to which a rejection is certain, whatever follows."""
        ...

    def overall(
        self, pvalue: FloatArray, rest: FloatArray, reject: FloatArray, accept: FloatArray, weight: float
    ) -> FloatArray:
        """P-value of both stages, of those that continue: P(P ≤ a, or a < P ≤ b and the combination is as small)."""
        ...


@dataclass(frozen=True, slots=True)
class FisherProduct:
    """The product of the p-values; `weight` is not used."""

    name: str = "fisher"
    title: str = "Fisher's product"

    def critical(self, level: FloatArray, reject: FloatArray, accept: FloatArray, weight: float = 0.5) -> FloatArray:
        """Solve a + ∫ min(1, c/x) dx = L over [a, b].

        For c ≤ a the integral is c ln(b/a), and c has a closed form. Beyond, the integrand is capped at 1 and the size
        is c (1 + ln(b/c)); with c = b exp(-u) this is Lambert's equation for -(1 + u).
        """
        spread = np.log(accept) - np.log(reject)
        with np.errstate(divide="ignore", invalid="ignore"):
            simple = np.where(spread > 0, (level - reject) / spread, np.nan)
            share = np.minimum(level / accept, 1.0)
            branch = np.where(share < 1.0, np.real(lambertw(-np.minimum(share, 1 - 1e-15) / np.e, -1)), -1.0)
            capped = accept * np.exp(1.0 + branch)
        return np.where(simple <= reject, simple, np.where(spread > 0, np.clip(capped, reject, accept), np.nan))

    def conditional(self, critical: FloatArray, pvalue: FloatArray, weight: float = 0.5) -> FloatArray:
        """min(1, c/p)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(pvalue > 0, critical / np.where(pvalue > 0, pvalue, 1.0), 1.0)
        return np.minimum(1.0, ratio)

    def certain(self, critical: FloatArray) -> FloatArray:
        """c: a product with a number of at most 1 is not above it."""
        return critical

    def overall(
        self, pvalue: FloatArray, rest: FloatArray, reject: FloatArray, accept: FloatArray, weight: float = 0.5
    ) -> FloatArray:
        """Return a + pp' ln(b/a) where the product is at most a, else pp' (1 + ln(b/pp'))."""
        product = pvalue * rest
        with np.errstate(divide="ignore", invalid="ignore"):
            below = reject + product * (np.log(accept) - np.log(reject))
            above = product * (1.0 + np.log(accept) - np.log(np.where(product > 0, product, 1.0)))
        return np.where(product <= reject, below, above)


@dataclass(frozen=True, slots=True)
class InverseNormal:
    """The weighted sum of normal deviates, √w Φ⁻¹(1 - p) + √(1-w) Φ⁻¹(1 - p'); w is the `weight` of the first stage.

    Critical values are on the scale of p-values: c = 1 - Φ(critical sum).

    W. Lehmacher, G. Wassmer (1999). Adaptive sample size calculations in group sequential trials. Biometrics 55,
    1286–1290.
    """

    name: str = "inverse normal"
    title: str = "the inverse normal combination"

    def critical(self, level: FloatArray, reject: FloatArray, accept: FloatArray, weight: float = 0.5) -> FloatArray:
        """Solve a + P(a < P ≤ b, the sum is at least z) = L for z, by Newton steps that stay inside a bracket."""
        level, reject, accept = np.broadcast_arrays(*np.atleast_1d(level, reject, accept))
        low, high = np.full(level.shape, -2 * _EDGE), np.full(level.shape, 2 * _EDGE)
        bound: FloatArray = np.clip(-_deviate(level), -_EDGE, _EDGE)
        root, rest = np.sqrt(weight), np.sqrt(1 - weight)
        ends = -_deviate(accept), -_deviate(reject)
        for _ in range(_STEPS):
            excess = reject + _continued(bound, reject, accept, weight) - level
            low, high = np.where(excess > 0, bound, low), np.where(excess > 0, high, bound)
            inside = ndtr((ends[1] - root * bound) / rest) - ndtr((ends[0] - root * bound) / rest)
            slope = np.exp(-(bound**2) / 2) / np.sqrt(2 * np.pi) * inside
            with np.errstate(divide="ignore", invalid="ignore"):
                step = bound + excess / slope
            new = np.where((step > low) & (step < high), step, (low + high) / 2)
            moved = np.abs(new - bound)
            bound = new
            if (moved < 1e-9).all():  # the next step would be below rounding
                break
        return np.where(reject < accept, ndtr(-bound), np.nan)

    def conditional(self, critical: FloatArray, pvalue: FloatArray, weight: float = 0.5) -> FloatArray:
        """P(√w z + √(1-w) Z' ≥ critical sum) = 1 - Φ((z_c - √w z) / √(1-w))."""
        z, bound = -_deviate(pvalue), -_deviate(critical)
        left: FloatArray = ndtr((np.sqrt(weight) * z - bound) / np.sqrt(1 - weight))
        return left

    def certain(self, critical: FloatArray) -> FloatArray:
        """0: whatever the first p-value is, the sum may still fall below the bound."""
        return np.zeros_like(critical)

    def overall(
        self, pvalue: FloatArray, rest: FloatArray, reject: FloatArray, accept: FloatArray, weight: float = 0.5
    ) -> FloatArray:
        """Return a + P(a < P ≤ b, the sum is at least the one observed)."""
        pvalue, rest, reject, accept = np.broadcast_arrays(*np.atleast_1d(pvalue, rest, reject, accept))
        reached = -np.sqrt(weight) * _deviate(pvalue) - np.sqrt(1 - weight) * _deviate(rest)
        return reject + _continued(reached, reject, accept, weight)


def _deviate(p: FloatArray) -> FloatArray:
    """Φ⁻¹(p), finite also for 0 and 1."""
    return np.clip(ndtri(p), -4 * _EDGE, 4 * _EDGE)


def _continued(bound: FloatArray, reject: FloatArray, accept: FloatArray, weight: float) -> FloatArray:
    """P(a < P ≤ b and √w Z + √(1-w) Z' ≥ bound) by Gauss–Legendre quadrature over Z, in two pieces."""
    low = np.maximum(-_deviate(accept), -_EDGE)
    high = np.maximum(np.minimum(-_deviate(reject), _EDGE), low)
    turn = np.clip(bound / np.sqrt(weight), low, high)  # here the integrand rises from 0 to the density
    total = np.zeros(np.shape(bound))
    for start, end in ((low, turn), (turn, high)):
        half = (end - start) / 2
        z = (start + end)[..., None] / 2 + half[..., None] * _NODES
        left = ndtr((np.sqrt(weight) * z - bound[..., None]) / np.sqrt(1 - weight))
        density = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        total = total + half * (density * left @ _WEIGHTS)
    return total


FISHER = FisherProduct()
INVERSE_NORMAL = InverseNormal()

COMBINATIONS: Mapping[str, Combination] = MappingProxyType({one.name: one for one in (FISHER, INVERSE_NORMAL)})
