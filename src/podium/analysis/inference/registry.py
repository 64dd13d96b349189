"""The tests of one pair, by name: `PAIRWISE_TESTS`.

A pairwise test is a function

``function(differences, structure, *, level, intervals, **options) -> PairOutcome``

of paired differences (one row per pair, one column per block) and of what is known of the blocks. It returns
estimate, statistic, p-values against both one-sided and the two-sided alternative, and an interval. Everything that
compares pairs (`compare`, `paired_test`, MultiTest) takes a name of this table or a `PairwiseTest` of the user's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from podium.analysis.blocks import Unit
from podium.analysis.inference.outcome import PairOutcome
from podium.analysis.inference.resampled_t import (
    corrected_t_test,
    five_by_two_f_test,
    five_by_two_t_test,
    kfold_t_test,
    paired_t_test,
    permutation_t_test,
)
from podium.analysis.inference.signed_rank import sign_test, wilcoxon_test
from podium.checks import did_you_mean
from podium.errors import InputError, listing


@dataclass(frozen=True, kw_only=True)
class PairwiseTest:
    """A test of two algorithms.

    Attributes
    ----------
    name : str
        By which it is called: ``compare(results, method=name)``.
    title : str
        As it would stand in a paper.
    function : callable
        ``(differences, structure, *, level, intervals, **options) -> PairOutcome``.
    estimand : str
        What is estimated.
    units : tuple of str
        For which blocks it is made: replications of one data set, data sets of a domain, or both.
    options : tuple of str
        Names of the options of its own.
    overlap : str
        By what name to warn if it is used on replications of one data set although it treats blocks as independent.
    """

    name: str
    title: str
    function: Callable[..., PairOutcome]
    estimand: str
    units: tuple[Unit, ...] = ("replication", "dataset")
    options: tuple[str, ...] = ()
    overlap: str = ""


_TESTS = (
    PairwiseTest(
        name="wilcoxon",
        title="Wilcoxon signed rank test",
        function=wilcoxon_test,
        estimand="pseudomedian",
        options=("zeros",),
        overlap="signed rank test",
    ),
    PairwiseTest(
        name="sign",
        title="sign test",
        function=sign_test,
        estimand="net share",
        overlap="sign test",
    ),
    PairwiseTest(
        name="t",
        title="paired t test",
        function=paired_t_test,
        estimand="mean",
        overlap="paired t test",
    ),
    PairwiseTest(
        name="permutation t",
        title="paired permutation t test",
        function=permutation_t_test,
        estimand="mean",
        options=("permutations", "seed"),
        overlap="permutation test",
    ),
    PairwiseTest(
        name="k-fold t",
        title="k-fold cross-validated paired t test",
        function=kfold_t_test,
        estimand="mean",
        units=("replication",),
    ),
    PairwiseTest(
        name="corrected t",
        title="corrected resampled t test",
        function=corrected_t_test,
        estimand="mean",
        units=("replication",),
        options=("ratio",),
    ),
    PairwiseTest(
        name="5x2cv t",
        title="5×2 cv t test",
        function=five_by_two_t_test,
        estimand="first fold",
        units=("replication",),
    ),
    PairwiseTest(
        name="5x2cv F",
        title="5×2 cv F test",
        function=five_by_two_f_test,
        estimand="mean",
        units=("replication",),
    ),
)

PAIRWISE_TESTS: Mapping[str, PairwiseTest] = MappingProxyType({test.name: test for test in _TESTS})


def find_pairwise_test(test: str | PairwiseTest) -> PairwiseTest:
    """Look a test up by name; a `PairwiseTest` is returned as it is."""
    if isinstance(test, PairwiseTest):
        return test
    if test not in PAIRWISE_TESTS:
        raise InputError(
            f"`test` must be one of {listing(PAIRWISE_TESTS, most=12)}; got {test!r}."
            f"{did_you_mean(test, PAIRWISE_TESTS)}"
        )
    return PAIRWISE_TESTS[test]
