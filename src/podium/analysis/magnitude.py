"""How large an effect is: the interval of the probability of superiority, and words for sizes."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from scipy.special import betaincinv

from podium.arrays import FloatArray, IntArray
from podium.checks import check_call, check_choice, is_number, shown
from podium.errors import InputError

Magnitude: TypeAlias = Literal["negligible", "small", "medium", "large"]

NAMES: tuple[Magnitude, ...] = ("negligible", "small", "medium", "large")

# Where small, medium and large begin, as distances from no effect.
BOUNDS = {
    "superiority": (0.06, 0.14, 0.21),  # Vargha & Delaney (2000): 0.56, 0.64, 0.71
    "delta": (0.147, 0.33, 0.474),  # Romano et al. (2006)
}
NO_EFFECT = {"superiority": 0.5, "delta": 0.0}


@check_call
def magnitude(value: float, kind: Literal["superiority", "delta"] = "superiority") -> Magnitude | Literal["undefined"]:
    """Name the size of an effect by the conventional bounds.

    Parameters
    ----------
    value : float
        The probability of superiority, or Cliff's δ.
    kind : {"superiority", "delta"}
        Which of the two. The probability of superiority is small from 0.56, medium from 0.64, large from 0.71, or from
        0.44, 0.36 and 0.29 down (Vargha and Delaney 2000); Cliff's δ from 0.147, 0.33 and 0.474 (Romano et al. 2006).

    Returns
    -------
    {"negligible", "small", "medium", "large", "undefined"}
        Undefined where the value is NaN.

    References
    ----------
    J. Romano, J. D. Kromrey, J. Coraggio, J. Skowronek (2006). Appropriate statistics for ordinal level data. Annual
    meeting of the Florida Association of Institutional Research. — A. Vargha, H. D. Delaney (2000). A critique and
    improvement of the CL common language effect size statistics of McGraw and Wong. Journal of Educational and
    Behavioral Statistics 25, 101–132.

    Examples
    --------
    >>> import podium
    >>> podium.inference.magnitude(0.6), podium.inference.magnitude(-0.4, "delta")
    ('small', 'medium')
    """
    check_choice(kind, BOUNDS, "kind")
    if not is_number(value):
        raise InputError(f"`value` must be a number; got {shown(value)}.")
    size = round(abs(float(value) - NO_EFFECT[kind]), 12)  # 0.56 - 0.5 is less than 0.06 in binary
    if np.isnan(size):
        return "undefined"
    return NAMES[sum(size >= bound for bound in BOUNDS[kind])]


def superiority_interval(wins: IntArray, losses: IntArray, n: IntArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Interval of the probability of being better in a block, ties counted half; see `podium.inference.superiority`."""
    decided = wins + losses
    won, share = _exact_interval(wins, decided, alpha), _exact_interval(decided, n, alpha)
    ends = np.array([0.5 + q * (p - 0.5) for p in won for q in share])
    return ends.min(axis=0), ends.max(axis=0)


def _exact_interval(successes: IntArray, n: IntArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Interval of a probability by Clopper & Pearson."""
    lower = betaincinv(np.maximum(successes, 1), n - successes + 1, alpha / 2)
    upper = betaincinv(successes + 1, np.maximum(n - successes, 1), 1 - alpha / 2)
    return np.where(successes > 0, lower, 0.0), np.where(successes < n, upper, 1.0)
