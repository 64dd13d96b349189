"""`RankTest`: comparisons of mean ranks; from results to a `Comparison`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Literal

import numpy as np

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.blocks import Blocks
from podium.analysis.comparison import Comparison
from podium.analysis.methods.equivalence import mean_equivalence
from podium.analysis.methods.global_test import GlobalTest, check_distribution
from podium.analysis.methods.omnibus.friedman import FRIEDMAN
from podium.analysis.methods.permutation import monte_carlo_error
from podium.analysis.methods.ranks import (
    RankOutcome,
    Tail,
    critical_value,
    permuted_rank_pairs,
    rank_blocks,
    rank_pairs,
)
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.procedure import Procedure, Request, adjustment_notes, check_adjust
from podium.arrays import FloatArray, IntArray
from podium.checks import record
from podium.errors import InputError
from podium.registry import Registry

MEAN_RANKS = (
    "The mean ranks of two algorithms depend on the others: the error over all pairs is controlled only where all "
    "algorithms are exchangeable. Where two vary in opposite directions over the blocks, equally good ones are called "
    "different more often than alpha allows (10 to 12% at 5% with many blocks, up to 22% with few); 'wilcoxon' "
    "compares each pair by itself."
)


@record(kw_only=True)
class RankTest(Procedure):
    """A comparison of mean ranks.

    To add one to podium, define an object of this class in a module of ``podium.analysis.methods.posthoc``. Use your
    own object as ``podium.compare(results, method=test)``.

    Attributes
    ----------
    name : str
        As in ``compare(results, method=name)``.
    title : str
        As in a sentence of a paper.
    function : callable
        ``(ranks, first, second, *, control, tail, **options) -> RankOutcome``, of a table of ranks with one row per
        block, and of the positions of the pairs; with `control` the second of each is the control, and `tail` says
        against which sign of a - b to test.
    adjust, control_adjust : str
        Adjustment for the number of pairs, unless the user names one: of all pairs, and against a control.
    control_of : str
        Name of the all-pairs test whose version against a control this is; empty if it is also for all pairs.
    caution : str
        What to say about it where there are more than two algorithms.
    scores : callable
        Turns costs, one row per block, into the table of ranks that is compared; by default ranks within blocks.
    estimand : str
        What the means of that table are.
    gate : GlobalTest
        The global test that comes first; its policies for missing cells are those of the comparison.
    """

    adjust: str = "single-step"
    control_adjust: str = "single-step"
    control_of: str = ""
    caution: str = ""
    scores: Callable[[FloatArray], FloatArray] = rank_blocks
    estimand: str = "mean rank"
    gate: GlobalTest = field(default_factory=lambda: FRIEDMAN)

    common: ClassVar[tuple[str, ...]] = ("control", "tail")

    def compare(self, request: Request) -> Comparison:
        """Compare pairs by mean ranks."""
        if self.control_of and request.control is None:
            raise InputError(
                f"`method={self.name!r}` compares all algorithms with a control: name it, control='...', or use "
                f"method={self.control_of!r}, which compares all pairs."
            )
        blocks = request.blocks(self.gate.policies, f"method={self.name!r}")
        if request.equivalence is not None and np.isnan(blocks.values).any():
            raise InputError(
                "`equivalence` needs values in every block; missing='worst-rank' leaves cells without one. Use "
                "'drop-block' or 'worst-value'."
            )
        first, second = blocks.pairs(request.control)
        control = request.control is not None
        usual = self.control_adjust if control else self.adjust
        adjust = usual if request.adjust is None else check_adjust(request.adjust, request.control, ("single-step",))
        tails: dict[str, Tail] = {"better": "less", "worse": "greater"}
        tail = tails.get(request.alternative, "two-sided")
        ranks = self.scores(blocks.costs)
        outcome = self.function(ranks, first, second, control=control, tail=tail, **request.options)
        adjusted = outcome.single_step if adjust == "single-step" else adjust_pvalues(outcome.pvalue, adjust)
        if adjusted is None:
            raise InputError(
                f"`method={self.name!r}` has no single-step adjustment against a control; use adjust='holm'."
            )
        critical = None
        if outcome.df is not None:
            k = len(blocks.algorithms)
            critical = critical_value(request.alpha, k, adjust=adjust, control=control, tail=tail, df=outcome.df)
        nothing = np.full(len(first), np.nan)
        test = self._known_as(request, adjust)
        return request.comparison(
            blocks,
            _gate(request, blocks, self.gate),
            (*adjustment_notes(adjust, len(first)), *self._notes(request, blocks, outcome)),
            method=test._method(request, outcome),
            procedure=test.name,
            estimate=outcome.estimate,
            statistic=outcome.statistic,
            pvalue=outcome.pvalue,
            adjusted=adjusted,
            lower=nothing,
            upper=nothing,
            estimand=self.estimand,
            in_units=False,
            sign=1,
            adjust=adjust,
            se=np.full(len(first), outcome.error),
            critical_value=None if critical is None else np.full(len(first), critical),
            critical_difference=None if critical is None else critical * outcome.error,
            mean_ranks=ranks.mean(axis=0),
            exact=outcome.exact,
            permutations=outcome.permutations,
            **mean_equivalence(request, blocks, adjust),
        )

    def _known_as(self, request: Request, adjust: str) -> RankTest:
        """Return the test by the name that it has against a control with this adjustment, if it has one."""
        if request.control is None:
            return self
        if self.control_of:
            return self if adjust == self.control_adjust else RANK_TESTS[self.control_of]
        named = (test for test in RANK_TESTS.values() if test.control_of == self.name and test.control_adjust == adjust)
        return next(named, self)

    def _method(self, request: Request, outcome: RankOutcome) -> str:
        permuted = " (permutation version)" if outcome.exact or outcome.permutations else ""
        return self.title + permuted + ("" if request.alternative == "two-sided" else ", one-sided")

    def _notes(self, request: Request, blocks: Blocks, outcome: RankOutcome) -> list[Note]:
        notes = []
        if self.caution and len(blocks.algorithms) > 2:
            notes.append(Note("caution", caution=self.caution))
        if outcome.permutations:
            error = float(monte_carlo_error(request.alpha, outcome.permutations))
            notes.append(
                Note("random draws", draws=outcome.permutations, of="permutations", p=request.alpha, error=error)
            )
        return notes


def mean_rank_pairs(
    ranks: FloatArray,
    first: IntArray,
    second: IntArray,
    *,
    control: bool,
    tail: Tail,
    distribution: Literal["asymptotic", "permutation"] = "asymptotic",
    permutations: int | None = None,
    seed: int = 0,
) -> RankOutcome:
    """Compare mean ranks of any kind, with their variance under permutations within blocks."""
    permutations = check_distribution(distribution, ("asymptotic", "permutation"), permutations)
    if distribution == "asymptotic":
        return rank_pairs(ranks, first, second, variance="ties", control=control, tail=tail)
    return permuted_rank_pairs(ranks, first, second, control=control, tail=tail, permutations=permutations, seed=seed)


RANK_TESTS: Registry[RankTest] = Registry("podium.analysis.methods.posthoc", RankTest)


def refuse_control_test(test: object, argument: str = "method") -> None:
    """Refuse a test against a control where all pairs are tested; `argument` is what the caller calls it."""
    if isinstance(test, RankTest) and test.control_of:
        raise InputError(
            f"`{argument}={test.name!r}` compares all algorithms with a control, and here all pairs are tested. Use "
            f"{argument}={test.control_of!r}."
        )


def _gate(request: Request, blocks: Blocks, test: GlobalTest) -> Omnibus | None:
    """Return the global test that comes first, if any; with two algorithms there is none."""
    given = request.given_omnibus(blocks)
    if given is not None:
        return given
    if request.omnibus is False or len(blocks.algorithms) == 2:
        return None
    options: dict[str, Any] = {
        name: request.options[name] for name in ("ties", "permutations", "seed") if name in request.options
    }
    if request.options.get("distribution") == "permutation":
        options["distribution"] = "permutation"
    return test.test_blocks(blocks, alpha=request.alpha, **options)
