"""Group sequential boundaries: how large a normal deviate must be at each look, so that all looks together keep alpha.

The deviates of accumulating data at information t_1 < t_2 < ... form a Gaussian Markov chain with correlations
√(t_j/t_k), so the probability of a first crossing at each look is found by integrating over one look after the other
(Armitage, McPherson & Rowe 1969; Jennison & Turnbull 2000, chapter 19).

P. Armitage, C. K. McPherson, B. C. Rowe (1969). Repeated significance tests on accumulating data. Journal of the Royal
Statistical Society A 132, 235–244. — C. Jennison, B. W. Turnbull (2000). Group Sequential Methods with Applications to
Clinical Trials. Chapman & Hall. — S. J. Pocock (1977). Group sequential methods in the design and analysis of clinical
trials. Biometrika 64, 191–199. — P. C. O'Brien, T. R. Fleming (1979). A multiple testing procedure for clinical trials.
Biometrics 35, 549–556. — K. K. G. Lan, D. L. DeMets (1983). Discrete sequential boundaries for clinical trials.
Biometrika 70, 659–663.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from podium.arrays import FloatArray
from podium.checks import call_function, is_number, shown
from podium.errors import InputError

Sides: TypeAlias = Literal[1, 2]
# Of the share of the information that has been collected: the share of alpha that may be spent until then.
SpendingFunction: TypeAlias = Callable[[float], float]

MAX_LOOKS = 200
MIN_GAIN = 1e-4  # of the information so far, at each look; the integration takes as many nodes as the root of 1/gain
_EDGE = 9.0  # deviates beyond which nothing is left
_LOW = 6.0  # deviates below which those that have not crossed a bound above will not do so
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(12)

# The shape of c_t: constant over looks, or falling with the root of the information.
SHAPES: Mapping[str, float] = MappingProxyType({"pocock": 0.0, "obrien-fleming": 0.5})


def _spend_pocock(t: float, alpha: float) -> float:
    return float(alpha * np.log1p(np.expm1(1.0) * t))


def _spend_obrien_fleming(t: float, alpha: float) -> float:
    return float(2 * ndtr(ndtri(alpha / 2) / np.sqrt(t)))


_SPENDING: Mapping[str, Callable[[float, float], float]] = MappingProxyType(
    {"pocock spending": _spend_pocock, "obrien-fleming spending": _spend_obrien_fleming}
)

BOUNDARIES = (*SHAPES, *_SPENDING)


def boundary_values(
    information: tuple[float, ...], alpha: float, boundary: str | SpendingFunction = "pocock", sides: Sides = 1
) -> tuple[float, ...]:
    """Critical deviate of each look.

    Parameters
    ----------
    information : tuple of float
        Share of the planned information at each look, increasing; the last may be below 1 if looks are still to come.
    alpha : float
        Level over all looks and sides.
    boundary : {"pocock", "obrien-fleming", "pocock spending", "obrien-fleming spending"} or callable
        The first two have the shapes of Pocock and of O'Brien and Fleming, exactly, for the planned looks; the next two
        spend alpha as functions of the information (Lan & DeMets) and so do not depend on later looks. Or your own
        spending function: share of the information -> share of alpha, from 0 to 1.
    sides : {1, 2}
        One-sided, or symmetric about 0.

    Examples
    --------
    >>> [round(c, 3) for c in boundary_values((0.2, 0.4, 0.6, 0.8, 1.0), 0.05, "pocock", 2)]
    [2.413, 2.413, 2.413, 2.413, 2.413]
    >>> round(boundary_values((0.2, 0.4, 0.6, 0.8, 1.0), 0.05, "obrien-fleming", 2)[-1], 3)
    2.04
    """
    known = isinstance(boundary, Hashable)
    return (_remembered if known else _boundary_values)(information, alpha, boundary, sides)


def _boundary_values(
    information: tuple[float, ...], alpha: float, boundary: str | SpendingFunction, sides: Sides
) -> tuple[float, ...]:
    t = np.asarray(information, float)
    gains = np.diff(t) / t[:-1]
    if (gains < MIN_GAIN).any():
        look = int(np.argmin(gains))
        raise InputError(
            f"Every look must add {MIN_GAIN:.2%} of the information so far or more; look {look + 2} adds "
            f"{gains[look]:.2g} of it. Use fewer looks. (With overlapping learning samples, a large number of "
            "replications has hardly more information than a small one.)"
        )
    if isinstance(boundary, str) and boundary in SHAPES:
        shape = t ** -SHAPES[boundary]

        def excess(constant: float) -> float:
            return float(crossing_probabilities(constant * shape, t, sides).sum()) - alpha

        least = -float(ndtri(alpha / sides))
        return tuple(float(c) for c in brentq(excess, least - 1e-6, least + 6.0, xtol=1e-10) * shape)
    spent = _spent(boundary, t, alpha, sides)
    return _by_spending(t, np.diff(spent, prepend=0.0), sides)


_remembered = lru_cache(maxsize=512)(_boundary_values)


def _spent(boundary: str | SpendingFunction, t: FloatArray, alpha: float, sides: int) -> FloatArray:
    """Alpha that may be spent until each look; a two-sided test spends half of it on each side."""
    if isinstance(boundary, str):
        function = _SPENDING[boundary]
        return np.array([sides * function(float(x), alpha / sides) for x in t])
    shares = np.array([_own_share(boundary, float(x)) for x in t])
    if (np.diff(shares, prepend=0.0) < 0).any():
        raise InputError(f"`boundary` must not decrease; at {t.tolist()} it returned {shares.tolist()}.")
    return alpha * shares


def _own_share(boundary: SpendingFunction, t: float) -> float:
    share: object = call_function(boundary, "boundary", t)
    if not is_number(share) or not 0 <= float(share) <= 1 + 1e-12:  # type: ignore[arg-type]
        raise InputError(
            f"`boundary` must return a share of alpha between 0 and 1; at {t:g} it returned {shown(share)}."
        )
    return min(float(share), 1.0)  # type: ignore[arg-type]


def crossing_probabilities(
    bounds: FloatArray | Sequence[float], information: FloatArray, sides: Sides = 1
) -> FloatArray:
    """Probability, if there is no difference, of a first crossing at each look."""
    chances, density = [], None
    for k, bound in enumerate(bounds):
        chances.append(_crossing(density, information, k, float(bound), sides))
        density = _continue(density, information, k, float(bound), sides)
    return np.array(chances)


def _by_spending(t: FloatArray, parts: FloatArray, sides: Sides) -> tuple[float, ...]:
    """Find the bound of each look from what it may spend; infinite where that is nothing."""
    found: list[float] = []
    density = None
    for k, part in enumerate(parts):
        if part < 1e-17:
            bound = np.inf
        else:

            def excess(c: float, k: int = k, part: float = part, before: _Density | None = density) -> float:
                return _crossing(before, t, k, c, sides) - part

            low = 0.0 if sides == 2 else -_LOW
            bound = brentq(excess, low, _EDGE, xtol=1e-12) if excess(low) > 0 > excess(_EDGE) else np.inf
        found.append(float(bound))
        density = _continue(density, t, k, float(bound), sides)
    return tuple(found)


_Density: TypeAlias = tuple[FloatArray, FloatArray]  # places, and probability at each of them


def _step(t: FloatArray, k: int) -> tuple[float, float]:
    """Correlation of the deviates of two looks, and what is left of the standard deviation."""
    correlation = float(np.sqrt(t[k - 1] / t[k]))
    return correlation, float(np.sqrt(max(1 - t[k - 1] / t[k], 1e-300)))


def _crossing(density: _Density | None, t: FloatArray, k: int, bound: float, sides: Sides) -> float:
    if density is None:
        return float(sides * ndtr(-bound))
    places, chances = density
    r, s = _step(t, k)
    above = ndtr((r * places - bound) / s)
    below = ndtr((-bound - r * places) / s) if sides == 2 else 0.0
    return float(chances @ (above + below))


def _continue(density: _Density | None, t: FloatArray, k: int, bound: float, sides: Sides) -> _Density:
    """Distribution of the deviate of this look, of those that have not crossed, at the nodes of a quadrature."""
    high = min(bound, _EDGE)
    low = -high if sides == 2 else -_LOW
    steps = [1.0] + [_step(t, j)[1] for j in (k, k + 1) if 0 < j < len(t)]
    panels = max(2, int(np.ceil((high - low) / (4 * min(steps)))))
    edges = np.linspace(low, high, panels + 1)
    half = np.diff(edges) / 2
    places = (edges[:-1, None] + half[:, None] + half[:, None] * _NODES).ravel()
    weights = (half[:, None] * _WEIGHTS).ravel()
    if density is None:
        heights = np.exp(-(places**2) / 2) / np.sqrt(2 * np.pi)
    else:
        before, chances = density
        r, s = _step(t, k)
        heights = np.exp(-(((places[:, None] - r * before) / s) ** 2) / 2) @ chances / (s * np.sqrt(2 * np.pi))
    return places, weights * heights
