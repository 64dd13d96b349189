"""`paired_test`: two algorithms compared by paired values, without a `Results`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from podium.analysis.blocks import paired_differences, refuse_huge
from podium.analysis.methods.pairwise_test import (
    PAIRWISE_TESTS,
    STRUCTURE,
    PairwiseTest,
    Structure,
    per_value,
    tail_of,
)
from podium.analysis.notes import Note, format_p
from podium.analysis.omnibus import capitalised
from podium.analysis.pairs import Alternative, Estimand
from podium.analysis.procedure import show_options
from podium.analysis.text import ESTIMANDS
from podium.checks import as_numbers, check_alpha, check_call, check_choice, record
from podium.errors import InputError
from podium.results.measure_info import Direction
from podium.typesetting.html import described
from podium.typesetting.numbers import confidence


@record(kw_only=True)
class PairedTest:
    """Outcome of a test of two algorithms.

    Attributes
    ----------
    method : str
        Name of the test, as in a sentence of a paper.
    procedure : str
        Name of the test in the registry.
    alternative : {"two-sided", "better", "worse"}
        Against which alternative a was tested.
    direction : {"lower", "higher"} or None
        Which values are better, where the alternative needs it.
    estimate, lower, upper : float
        Difference a - b with its interval; of a one-sided test one end is infinite.
    statistic, pvalue : float
    in_units : bool
        Whether the estimate is in the units of the values. The interval always is: where the estimate is not, it is
        the interval of the median difference.
    df : float or None
        Degrees of freedom of the statistic, where its distribution has one number of them.
    n : int
        Number of paired values.
    alpha : float
        The interval has confidence 1 - alpha.
    estimand : str
        What is estimated.
    details : mapping
        What else the test computed.
    notes : tuple of Note
    """

    method: str
    procedure: str
    alternative: Alternative
    direction: Direction | None
    estimate: float
    lower: float
    upper: float
    statistic: float
    pvalue: float
    n: int
    alpha: float
    estimand: Estimand
    in_units: bool = True
    df: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        against = {
            "two-sided": "a difference in either direction",
            "better": "better values of the first",
            "worse": "worse values of the first",
        }[self.alternative]
        sense = "" if self.direction is None else f" ({self.direction} is better)"
        sentences = [
            f"Two algorithms were compared by {self.n} paired values with the {self.method} against {against}{sense}: "
            f"statistic {self.statistic:.4f}, {format_p(self.pvalue, self.alpha)}.",
            f"The {ESTIMANDS.get(self.estimand, self.estimand)} is {self.estimate:.4g}{self._interval()}.",
        ]
        return " ".join([*sentences, *map(str, self.notes)])

    def _repr_html_(self) -> str:
        return described(str(self), [("in words", self.text())])

    def __str__(self) -> str:
        words = ESTIMANDS.get(self.estimand, self.estimand)
        return (
            f"{capitalised(self.method)}, {self.alternative}: statistic = {self.statistic:.4f}, "
            f"{format_p(self.pvalue, self.alpha)}; {words} {self.estimate:.4g}{self._interval()}, from "
            f"{self.n} pairs"
        )

    def _interval(self) -> str:
        if np.isnan([self.lower, self.upper]).any():
            return ""
        of = "" if self.in_units else " of the median difference"
        return f", {confidence(self.alpha):%} interval{of} [{self.lower:.4g}, {self.upper:.4g}]"


@check_call
def paired_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    method: str | PairwiseTest = "wilcoxon",
    *,
    alternative: Alternative = "two-sided",
    direction: Direction | None = None,
    alpha: float = 0.05,
    **options: Any,
) -> PairedTest:
    """Compare two algorithms by paired values: the same replications, or the same data sets.

    Parameters
    ----------
    a, b : array-like
        Values of the two algorithms in the same order. For a 5×2 cv test arrays of shape (5, 2), repeats by folds,
        have their structure already.
    method : str or PairwiseTest, default "wilcoxon"
        ``"wilcoxon"``, ``"sign"``, ``"t"``, ``"permutation t"``, ``"bootstrap t"``, ``"k-fold t"``, ``"corrected t"``,
        ``"5x2cv t"``, ``"5x2cv F"``, or your own test.
    alternative : {"two-sided", "better", "worse"}
        ``"better"``: the values of a are better. It must be chosen before the values are seen.
    direction : {"lower", "higher"}, optional
        Which values are better; needed for a one-sided alternative.
    alpha : float, default 0.05
        The interval has confidence 1 - alpha.
    repeat, fold : array-like of int, optional
        Repeat and fold of each value, for ``"5x2cv t"``, ``"5x2cv F"``, ``"k-fold t"`` and ``"corrected t"``.
    n_learn, n_test : int or array-like of int, optional
        Sizes of learning and test samples, for ``"corrected t"``.
    ratio : float, optional
        For ``"corrected t"``: size of the test sample divided by that of the learning sample; by default from the sizes
        or the folds.
    permutations, seed : int
        For ``"permutation t"``: number and seed of the random signs; up to 14 values all signs are tried.
    resamples : int
        For ``"bootstrap t"``: number of samples that are drawn from the differences, with `seed`.
    zeros : {"drop", "pratt", "split"}
        For ``"wilcoxon"``: leave blocks without a difference out (Wilcoxon), rank them but leave them out of the sums
        (Pratt), or give half of their ranks to each side.
    **options
        Those of your own test.

    Returns
    -------
    PairedTest

    Examples
    --------
    >>> import podium
    >>> a = [0.12, 0.15, 0.11, 0.14, 0.13, 0.16, 0.12, 0.15]
    >>> b = [0.14, 0.16, 0.14, 0.13, 0.17, 0.21, 0.12, 0.21]
    >>> podium.inference.paired_test(a, b, "wilcoxon", alternative="better", direction="lower").pvalue
    0.0234375
    >>> round(podium.inference.paired_test(a, b, "corrected t", n_learn=90, n_test=10).pvalue, 4)
    0.0738
    """
    test = method
    if not isinstance(test, PairwiseTest):
        check_choice(method, PAIRWISE_TESTS, "method")
        test = PAIRWISE_TESTS[str(method)]
    x, y = as_numbers(a, "a"), as_numbers(b, "b")
    if x.shape != y.shape or x.size < 2:
        raise InputError(f"`a` and `b` must have one value per block each, at least two; got {x.shape} and {y.shape}.")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("`a` and `b` must be finite numbers; leave out the blocks in which one is missing.")
    refuse_huge(np.stack([x, y]), "value of `a` and `b`")
    check_choice(alternative, get_args(Alternative), "alternative")
    check_alpha(alpha)
    if direction is not None or alternative != "two-sided":
        _check_direction(direction, alternative)
    test.check_options(options, PAIRWISE_TESTS.values())
    known = {name: per_value(name, options.pop(name, None), x.size) for name in STRUCTURE}
    if x.ndim == 2 and known["repeat"] is None and known["fold"] is None:
        known["repeat"], known["fold"] = (places.ravel() for places in np.indices(x.shape))
    structure = Structure(**known)
    differences = paired_differences(x.reshape(1, -1), y.reshape(1, -1))
    tail = tail_of(alternative, -1 if direction == "higher" else 1)
    share = alpha if tail == "two-sided" else min(2 * alpha, 1 - 1e-9)  # a one-sided bound is an end of this interval
    outcome = test.function(differences, structure, alpha=share, intervals=True, **options)
    return PairedTest(
        method=test.title,
        procedure=test.name,
        alternative=alternative,
        direction=direction,
        estimate=float(outcome.estimate[0]),
        lower=-np.inf if tail == "less" else float(outcome.lower[0]),
        upper=np.inf if tail == "greater" else float(outcome.upper[0]),
        statistic=float(outcome.statistic[0]),
        pvalue=float(outcome.pvalue(tail)[0]),
        n=x.size,
        alpha=alpha,
        estimand=outcome.estimand or test.estimand,
        in_units=outcome.in_units,
        df=None if outcome.df is None else float(outcome.df[0]),
        details={name: value[0] if isinstance(value, np.ndarray) else value for name, value in outcome.details.items()},
        notes=outcome.notes,
    )


show_options(paired_test, PAIRWISE_TESTS.values())


def _check_direction(direction: object, alternative: str) -> None:
    if direction is None:
        raise InputError(
            f"`alternative={alternative!r}` needs to know which values are better: direction='lower' or 'higher'."
        )
    check_choice(direction, get_args(Direction), "direction")
