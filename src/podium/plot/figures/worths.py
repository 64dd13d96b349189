"""Worths of a Bradley–Terry model, with intervals."""

from __future__ import annotations

from scipy.stats import t as student

from podium.analysis.trees import BradleyTerry
from podium.analysis.trees.bradley_terry import quasi_errors, worth_order
from podium.arrays import FloatArray
from podium.checks import check_alpha, expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["Worths", "worths"]


@record(eq=False, kw_only=True)
class Worths(Numbers):
    """Numbers of a plot of worths.

    Attributes
    ----------
    algorithms : tuple of str
        The objects of the model, best first.
    estimate, lower, upper : ndarray of float
        Log worth minus the mean of all log worths, and the ends of its interval by the quasi standard error. As in
        `BradleyTerry.compare`, comparisons of one data set are not treated as independent.
    alpha : float
    bias_reduced : bool
        Whether the estimates are bias-reduced, because the others would be infinite.
    """

    algorithms: tuple[str, ...]
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    alpha: float
    bias_reduced: bool


def worths(model: BradleyTerry, *, alpha: float = 0.05) -> Worths:
    """Compute the numbers of a plot of worths.

    Parameters
    ----------
    model : BradleyTerry
        What `podium.bradley_terry` returns.
    alpha : float, default 0.05
        Intervals have confidence 1 - alpha, each on its own.

    References
    ----------
    D. Firth, R. X. de Menezes (2004). Quasi-variances. Biometrika 91, 65–80.

    Examples
    --------
    >>> import podium
    >>> pairs = podium.PairedComparisons.from_results(podium.examples.load_demsar2006())
    >>> numbers = podium.plot.figures.worths(podium.bradley_terry(pairs))
    >>> numbers.algorithms[0], round(float(numbers.estimate[0]), 2)
    ('C4.5+m+cf', 0.75)
    """
    expect(model, BradleyTerry, "model")
    check_alpha(alpha)
    order = worth_order(model.estimates, model.objects)
    centred = (model.estimates - model.estimates.mean())[order]
    covariance, df = model.covariance_of()
    reach = student.isf(alpha / 2, df) * quasi_errors(covariance)[order]
    return Worths(
        algorithms=tuple(model.objects[i] for i in order),
        estimate=centred,
        lower=centred - reach,
        upper=centred + reach,
        alpha=alpha,
        bias_reduced=model.bias_reduced,
    )
