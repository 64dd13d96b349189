"""The word for an effect size: negligible, small, medium or large."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from podium.checks import check_call, check_choice, is_number, shown
from podium.errors import InputError

Magnitude: TypeAlias = Literal["negligible", "small", "medium", "large"]

NAMES: tuple[Magnitude, ...] = ("negligible", "small", "medium", "large")

# Where small, medium and large begin, as distances from no effect.
BOUNDS = {
    "delta": (0.147, 0.33, 0.474),  # Romano et al. (2006)
    "superiority": (0.06, 0.14, 0.21),  # Vargha & Delaney (2000): 0.56, 0.64, 0.71
}
NO_EFFECT = {"delta": 0.0, "superiority": 0.5}


@check_call
def magnitude(value: float, kind: Literal["delta", "superiority"] = "delta") -> Magnitude | Literal["undefined"]:
    """Name the size of an effect by the conventional bounds.

    Parameters
    ----------
    value : float
        Cliff's δ, or the probability of superiority.
    kind : {"delta", "superiority"}
        Which of the two. Cliff's δ is small from 0.147, medium from 0.33, large from 0.474 (Romano et al. 2006); the
        probability of superiority from 0.56, 0.64 and 0.71, or from 0.44, 0.36 and 0.29 down (Vargha and Delaney 2000).

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
    >>> podium.inference.magnitude(-0.4), podium.inference.magnitude(0.6, "superiority")
    ('medium', 'small')
    """
    check_choice(kind, BOUNDS, "kind")
    if not is_number(value):
        raise InputError(f"`value` must be a number; got {shown(value)}.")
    size = round(abs(float(value) - NO_EFFECT[kind]), 12)  # 0.56 - 0.5 is less than 0.06 in binary
    if np.isnan(size):
        return "undefined"
    return NAMES[sum(size >= bound for bound in BOUNDS[kind])]
