"""`paired_test`: two algorithms compared by the numbers of each, without a `Results` around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from podium.analysis.blocks import snap
from podium.analysis.inference.outcome import Structure, Tail
from podium.analysis.inference.registry import PairwiseTest, find_pairwise_test
from podium.analysis.notes import Note, format_p
from podium.analysis.text import ESTIMANDS
from podium.arrays import Int64Array
from podium.errors import InputError, listing

Ends: TypeAlias = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True, kw_only=True)
class PairedTest:
    """Outcome of a test of two algorithms.

    Attributes
    ----------
    method, alternative : str
    estimate, lower, upper : float
        Difference a - b with its interval.
    statistic, pvalue : float
    n : int
        Number of paired values.
    level : float
        Confidence level of the interval.
    estimand : str
        What is estimated.
    details : mapping
    notes : tuple of str
    """

    method: str
    alternative: Tail
    estimate: float
    lower: float
    upper: float
    statistic: float
    pvalue: float
    n: int
    level: float
    estimand: str
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def text(self) -> str:
        """Tell the outcome in a paragraph."""
        against = {
            "two-sided": "a difference in either direction",
            "less": "smaller values of the first",
            "greater": "greater values of the first",
        }[self.alternative]
        words = ESTIMANDS.get(self.estimand, self.estimand)
        sentences = [
            f"Two algorithms were compared by {self.n} paired values with the {self.method} against {against}: "
            f"statistic {self.statistic:.4f}, {format_p(self.pvalue)}.",
            f"The {words} is {self.estimate:.4g}, with the {self.level:.0%} interval [{self.lower:.4g}, "
            f"{self.upper:.4g}].",
        ]
        return " ".join([*sentences, *map(str, self.notes)])

    def __str__(self) -> str:
        words = ESTIMANDS.get(self.estimand, self.estimand)
        return (
            f"{self.method}, {self.alternative}: statistic = {self.statistic:.4f}, {format_p(self.pvalue)}; "
            f"{words} {self.estimate:.4g} [{self.lower:.4g}, {self.upper:.4g}] from {self.n} pairs"
        )


def paired_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    test: str | PairwiseTest = "wilcoxon",
    *,
    alternative: Ends = "two-sided",
    level: float = 0.95,
    repeat: npt.ArrayLike | None = None,
    fold: npt.ArrayLike | None = None,
    n_learn: npt.ArrayLike | None = None,
    n_test: npt.ArrayLike | None = None,
    **options: Any,
) -> PairedTest:
    """Compare two algorithms by paired values: the same replications, or the same data sets.

    Parameters
    ----------
    a, b : array-like
        Values of the two algorithms in the same order. For a 5×2 cv test arrays of shape (5, 2), repeats by folds,
        tell their structure by themselves.
    test : str or PairwiseTest, default "wilcoxon"
        ``"wilcoxon"``, ``"sign"``, ``"t"``, ``"permutation t"``, ``"k-fold t"``, ``"corrected t"``, ``"5x2cv t"``,
        ``"5x2cv F"``.
    alternative : {"two-sided", "less", "greater"}
        ``"less"``: the values of a are smaller. It must be chosen before the values are seen.
    level : float, default 0.95
        Confidence level of the interval.
    repeat, fold : array-like of int, optional
        Repeat and fold of each value, for tests that need them.
    n_learn, n_test : int or array-like of int, optional
        Sizes of learning and test samples, for the corrected t test.
    **options
        Options of the test: ``zeros`` ("wilcoxon"), ``ratio`` ("corrected t"), ``permutations`` and ``seed``
        ("permutation t").

    Returns
    -------
    PairedTest

    Examples
    --------
    >>> from podium.analysis.inference import paired_test
    >>> a = [0.12, 0.15, 0.11, 0.14, 0.13, 0.16, 0.12, 0.15]
    >>> b = [0.14, 0.16, 0.14, 0.13, 0.17, 0.21, 0.12, 0.21]
    >>> outcome = paired_test(a, b, "wilcoxon", alternative="less")
    >>> outcome.pvalue
    0.0234375
    >>> round(paired_test(a, b, "corrected t", n_learn=90, n_test=10).pvalue, 4)
    0.0738
    """
    found = find_pairwise_test(test)
    x, y = np.asarray(a, float), np.asarray(b, float)
    if x.shape != y.shape or x.size < 2:
        raise InputError(f"`a` and `b` must have one value per block each, at least two; got {x.shape} and {y.shape}.")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise InputError("`a` and `b` must be finite numbers; leave out the blocks in which one is missing.")
    if alternative not in get_args(Ends):
        raise InputError(f"`alternative` must be one of {listing(get_args(Ends))}; got {alternative!r}.")
    if not 0 < level < 1:
        raise InputError(f"`level` must lie between 0 and 1; got {level!r}.")
    check_options(found, options)
    if x.ndim == 2 and repeat is None and fold is None:
        repeat, fold = np.indices(x.shape)
    sizes = {"repeat": repeat, "fold": fold, "n_learn": n_learn, "n_test": n_test}
    structure = Structure(**{name: per_value(name, given, x.size) for name, given in sizes.items()})
    differences = snap((x - y).reshape(1, -1), np.maximum(np.abs(x), np.abs(y)).ravel())
    outcome = found.function(differences, structure, level=level, intervals=True, **options)
    facts = {name: value[0] if isinstance(value, np.ndarray) else value for name, value in outcome.details.items()}
    return PairedTest(
        method=found.title,
        alternative=alternative,
        estimate=float(outcome.estimate[0]),
        lower=float(outcome.lower[0]),
        upper=float(outcome.upper[0]),
        statistic=float(outcome.statistic[0]),
        pvalue=float(outcome.pvalue(alternative)[0]),
        n=x.size,
        level=level,
        estimand=outcome.estimand or found.estimand,
        details=facts,
        notes=outcome.notes,
    )


def check_options(test: PairwiseTest, options: Mapping[str, Any]) -> None:
    """Refuse options that the test does not have."""
    unknown = [name for name in options if name not in test.options]
    if unknown:
        known = f"its options are {listing(test.options)}" if test.options else "it has none"
        raise InputError(f"The {test.title} has no option {listing(unknown)}; {known}.")


def per_value(name: str, given: npt.ArrayLike | None, n: int) -> Int64Array | None:
    """Take a whole number for each value, or one for all."""
    if given is None:
        return None
    try:
        array = np.asarray(given, np.int64).ravel()
    except (TypeError, ValueError):
        raise InputError(f"`{name}` must be whole numbers, one per value; got {given!r:.60}.") from None
    if array.size not in (1, n):
        raise InputError(f"`{name}` must have one entry per value, {n}; got {array.size}.")
    return np.broadcast_to(array, (n,))
