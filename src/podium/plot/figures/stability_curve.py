"""Stability of prototypes against their number."""

from __future__ import annotations

import numpy as np

from podium.analysis.archetypes.prototypes import PrototypeStability
from podium.arrays import FloatArray, IntArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers, copy_fields, floats_of

__all__ = ["StabilityCurve", "stability_curve"]


@record(eq=False, kw_only=True)
class StabilityCurve(Numbers):
    """Numbers of a curve of stability.

    Attributes
    ----------
    k : ndarray of int
        Numbers of prototypes.
    agreement : ndarray of float
        Mean share of agreement over the bootstrap samples.
    lower, upper : ndarray of float
        Its quartiles.
    spread : ndarray of float
        Mean distance of matched prototypes, in standard deviations.
    resamples : int
    method : str
    """

    k: IntArray
    agreement: FloatArray
    lower: FloatArray
    upper: FloatArray
    spread: FloatArray
    resamples: int
    method: str


def stability_curve(stability: PrototypeStability) -> StabilityCurve:
    """Compute the numbers of a curve of stability.

    Parameters
    ----------
    stability : PrototypeStability
        What `podium.archetypal.prototype_stability` returns.

    Examples
    --------
    >>> import numpy as np, podium
    >>> X = np.random.default_rng(1).normal(size=(40, 2))
    >>> found = podium.archetypal.prototype_stability(X, [2, 3], resamples=4, n_init=2)
    >>> podium.plot.figures.stability_curve(found).k
    array([2, 3])
    """
    found = expect(stability, PrototypeStability, "stability")
    return StabilityCurve(
        k=np.array(found.k),
        **floats_of(found.frame(), "agreement", "lower", "upper", "spread"),
        **copy_fields(found, "resamples", "method"),
    )
