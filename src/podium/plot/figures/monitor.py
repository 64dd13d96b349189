"""P-values on accumulating replications, with the points of consecutive significance."""

from __future__ import annotations

import numpy as np

from podium.analysis.sequential.monitor import Monitor
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers, copy_fields

__all__ = ["Monitoring", "monitor"]


@record(eq=False, kw_only=True)
class Monitoring(Numbers):
    """Numbers of a plot of p-values over replications.

    Attributes
    ----------
    labels : tuple of str
        One per series: a pair, or all algorithms.
    pvalues : ndarray of float, shape (series, B)
        After each replication; NaN during the burn-in.
    points : ndarray of float, shape (series,)
        Points of consecutive significance; infinite where there is none.
    alpha : float
    method, measure, dataset : str
    adjust : str
    n : int
        Number of replications.
    """

    labels: tuple[str, ...]
    pvalues: FloatArray
    points: FloatArray
    alpha: float
    method: str
    measure: str
    dataset: str
    adjust: str
    n: int


def monitor(monitor: Monitor) -> Monitoring:
    """Compute the numbers of a plot of p-values over replications.

    Parameters
    ----------
    monitor : Monitor
        The outcome of `podium.monitor`.

    Examples
    --------
    >>> import podium
    >>> found = podium.monitor(podium.examples.load_pima(), pair=("lda", "svm1"))
    >>> podium.plot.figures.monitor(found).points
    array([22.])
    """
    expect(monitor, Monitor, "monitor")
    return Monitoring(
        labels=tuple(f"{a}, {b}" for a, b in monitor.pairs) or ("all algorithms",),
        pvalues=np.array(monitor.series),
        points=np.array(monitor.points),
        **copy_fields(monitor, "alpha", "method", "measure", "dataset", "adjust", "n"),
    )
