"""Posterior simplex: draws of the shares of better, equivalent and worse of one pair, in a triangle."""

from __future__ import annotations

import numpy as np

from podium.analysis.methods.bayes.comparison import BayesComparison
from podium.arrays import FloatArray
from podium.checks import expect, record, shown
from podium.errors import InputError
from podium.plot.figures.numbers import FigureNumbers, copy_fields

__all__ = ["Simplex", "simplex"]

# Corners of the triangle: a is better, equivalent, b is better.
CORNERS = np.array([[0.0, 0.0], [0.5, np.sqrt(3) / 2], [1.0, 0.0]])


@record(eq=False, kw_only=True)
class Simplex(FigureNumbers):
    """Numbers of a posterior simplex.

    Attributes
    ----------
    a, b : str
        The pair.
    shares : ndarray of float, shape (draws, 3)
        Draws of the shares of blocks on which a is better, both are equivalent, and b is better.
    points : ndarray of float, shape (draws, 2)
        The same as points of a triangle with sides of length 1: a is better at the left corner, b at the right one,
        and equivalence is at the top.
    probabilities : tuple of three float
        The posterior probabilities of the three outcomes: how often each share is the largest.
    equivalence : (float, float)
        The area of differences that do not matter.
    method : str
    """

    a: str
    b: str
    shares: FloatArray
    points: FloatArray
    probabilities: tuple[float, float, float]
    equivalence: tuple[float, float]
    method: str


def simplex(comparison: BayesComparison, a: str | None = None, b: str | None = None) -> Simplex:
    """Compute the numbers of a posterior simplex of one pair.

    Parameters
    ----------
    comparison : BayesComparison
        The outcome of `podium.inference.compare_bayes` by the sign or signed rank method or the hierarchical model: in
        these the shares of the three outcomes are uncertain, and were drawn.
    a, b : str, optional
        The pair, where there are several.

    References
    ----------
    A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017). Time for a change: a tutorial for comparing multiple
    classifiers through Bayesian analysis. JMLR 18 (77), 1–36.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(algorithms=["c45", "svr"])
    >>> found = podium.inference.compare_bayes(results, method="signed rank", equivalence=1)
    >>> podium.plot.figures.simplex(found, "svr", "c45").shares.shape
    (1000, 3)
    """
    expect(comparison, BayesComparison, "comparison")
    drawn = comparison.shares
    if drawn is None:
        raise InputError(
            f"A simplex shows draws of three shares; the {comparison.method} has none. Use credible_intervals, or "
            "compare several data sets by method='signed rank' or 'hierarchical'."
        )
    if a is None and b is None and len(comparison.first) == 1:
        a, b = (comparison.algorithms[int(side[0])] for side in (comparison.first, comparison.second))
    if a is None or b is None:
        raise InputError(
            f"A simplex shows one pair: give `a` and `b`, two of {', '.join(map(repr, comparison.algorithms))}; "
            f"got {shown(a)} and {shown(b)}."
        )
    probabilities = comparison.pair(a, b)
    pairs = [
        (comparison.algorithms[i], comparison.algorithms[j])
        for i, j in zip(comparison.first, comparison.second, strict=True)
    ]
    turned = (a, b) not in pairs
    shares = np.array(drawn[pairs.index((b, a) if turned else (a, b))], float)
    shares = shares[:, ::-1].copy() if turned else shares
    low, high = comparison.equivalence
    return Simplex(
        algorithms=(a, b),
        **copy_fields(comparison, "measure", "unit", "n", "datasets", "method"),
        a=a,
        b=b,
        shares=shares,
        points=shares @ CORNERS,
        probabilities=probabilities,
        equivalence=(-high, -low) if turned else (low, high),
    )
