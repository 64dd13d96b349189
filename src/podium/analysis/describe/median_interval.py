"""Interval of a median by order statistics."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from podium.checks import as_numbers, check_alpha, check_call
from podium.errors import InputError


def sign_depth(n: int, alpha: float) -> int:
    """How many order statistics to go in from each end: the number of k with P(B ≤ k) at most alpha/2.

    B is binomial, with n trials and probability 1/2.
    """
    return int((binom.cdf(np.arange(n), n, 0.5) <= alpha / 2).sum())


@check_call
def median_interval(values: npt.ArrayLike, alpha: float = 0.05) -> tuple[float, float]:
    """Confidence interval of a median, whatever the distribution: the medians that the sign test does not reject.

    It reaches from the k-th smallest to the k-th largest value, with the largest k for which a binomial variable with
    n trials and probability 1/2 is below k with probability at most alpha/2.

    Parameters
    ----------
    values : array-like of float
    alpha : float, default 0.05
        The confidence is at least 1 - alpha.

    Returns
    -------
    (float, float)
        NaN where there are too few values (fewer than 6 at ``alpha=0.05``).

    References
    ----------
    W. J. Conover (1999). Practical Nonparametric Statistics, 3rd ed., section 3.2. Wiley.

    Examples
    --------
    >>> import podium
    >>> podium.summaries.median_interval([46.9, 47.2, 49.1, 56.5, 56.8, 59.2, 59.9, 63.2, 63.3, 63.4])
    (47.2, 63.3)
    """
    check_alpha(alpha)
    given = as_numbers(values, "values")
    if given.ndim != 1 or not given.size or np.isnan(given).any():
        raise InputError(f"`values` must be a list of numbers; got an array of shape {given.shape} or missing values.")
    ordered = np.sort(given)
    k = sign_depth(len(ordered), alpha)
    return (float(ordered[k - 1]), float(ordered[-k])) if k >= 1 else (np.nan, np.nan)
