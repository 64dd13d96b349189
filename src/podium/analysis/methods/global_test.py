"""`GlobalTest`: a test of whether the algorithms differ at all; from results to an `Omnibus`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np

from podium.analysis.blocks import VALUE_POLICIES, Blocks, Unit, overlap_notes, to_blocks
from podium.analysis.methods.permutation import (
    exact_sums,
    monte_carlo_error,
    monte_carlo_p,
    random_sums,
    shuffled_scores,
)
from podium.analysis.methods.ranks import rank_blocks
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray, Int64Array
from podium.checks import bind_arguments, check_choice, check_draws, random_generator, record
from podium.errors import InputError, join_names, plural
from podium.registry import Registry
from podium.results import Results
from podium.results.aggregation import Aggregation
from podium.results.missing import MissingPolicy

ChiDistribution: TypeAlias = Literal["chi2", "permutation"]

EXCHANGEABLE = (
    "The hypothesis is that the algorithms are exchangeable within blocks, which is more than equal means. With equal "
    "means it is rejected too often where families of algorithms vary together over the blocks (7 to 10% at 5%), "
    "or where two vary in opposite directions (8 to 12%)."
)


@record(slots=True, kw_only=True)
class GlobalOutcome:
    """Outcome of a global test of a table of costs.

    Attributes
    ----------
    statistic, pvalue : float
    df : tuple of float
        Degrees of freedom of the reference distribution; empty where there is none.
    exact : bool
        Whether the p-value was counted over all arrangements.
    permutations : int
        Number of random permutations behind the p-value; 0 if none.
    method : str
        Title, where it is not that of the test.
    n : int or None
        Number of blocks used, where these are not all.
    mean_ranks : ndarray or None
        Mean rank of each algorithm.
    kendall_w : float or None
        Coefficient of concordance.
    notes : tuple of Note
    """

    statistic: float
    pvalue: float
    df: tuple[float, ...] = ()
    exact: bool = False
    permutations: int = 0
    method: str = ""
    n: int | None = None
    mean_ranks: FloatArray | None = None
    kendall_w: float | None = None
    notes: tuple[Note, ...] = ()


class GlobalFunction(Protocol):
    """A global test as a function of results."""

    def __call__(
        self,
        results: Results,
        measure: str | None = None,
        *,
        unit: Unit | None = None,
        aggregate: Aggregation = "mean",
        missing: str = ...,
        alpha: float = 0.05,
        **options: Any,
    ) -> Omnibus:
        """Test whether the algorithms differ at all; ``**options`` are those of the test."""


_PARAMETERS = """\
Parameters
----------
results : Results
measure : str, optional
    The measure, where there are several.
unit : {{"replication", "dataset"}}, optional
    What a block is, and so what the outcome generalises to. By default replications where there is one data set, and
    data sets (replications reduced first) where there are several.
aggregate : str or callable, default "mean"
    How the replications of a data set are reduced, with unit ``"dataset"``.
missing : {{{policies}}}
    Policy for missing cells.
alpha : float, default 0.05
    Level of the decision.
"""


@record(kw_only=True)
class GlobalTest:
    """A test of the hypothesis that all algorithms perform equally well; call it with results.

    To add one to podium, define an object of this class in a module of ``podium.analysis.methods.omnibus``:
    ``podium.inference`` then has a function of its name.

    Attributes
    ----------
    name : str
        Name of the function.
    title : str
        As in a sentence of a paper.
    function : callable
        ``(costs, **options) -> GlobalOutcome``, of a table with one row per block, in which low values are good. Its
        keyword arguments are the options of the test, and its docstring is that of the test.
    policies : tuple of str
        The policies for missing cells that make sense, the default first. After ``"worst-rank"`` the costs are ranks,
        after ``"available"`` they have NaN.
    caution : str
        A sentence for the notes of every outcome of three or more algorithms, about what the hypothesis is or when it
        is rejected too often.
    """

    name: str
    title: str
    function: Callable[..., GlobalOutcome]
    policies: tuple[MissingPolicy, ...] = VALUE_POLICIES
    caution: str = ""

    @cached_property
    def options(self) -> dict[str, inspect.Parameter]:
        """Its own options, from the signature of its function."""
        parameters = inspect.signature(self.function).parameters.items()
        return {name: p for name, p in parameters if p.kind is p.KEYWORD_ONLY}

    @cached_property
    def public(self) -> GlobalFunction:
        """The test as a function of results, with its whole signature and documentation."""

        def test(*arguments: Any, **options: Any) -> Omnibus:
            others = {other.name: other.options for other in GLOBAL_TESTS.values()}
            bound = bind_arguments(self.name, signature, arguments, options, others)
            bound.apply_defaults()
            return self._test(**bound.arguments)

        shared = inspect.signature(GlobalFunction.__call__)
        parameters = [p for p in shared.parameters.values() if p.name not in ("self", "options")]
        parameters = [p.replace(default=self.policies[0]) if p.name == "missing" else p for p in parameters]
        signature = shared.replace(parameters=[*parameters, *self.options.values()])
        described = _PARAMETERS.format(policies=", ".join(f'"{policy}"' for policy in self.policies))
        summary, _, own = (inspect.getdoc(self.function) or "").partition("Parameters\n----------\n")
        test.__doc__ = f"{summary.rstrip()}\n\n{described}{own}"
        test.__name__ = test.__qualname__ = self.name
        test.__module__ = "podium.inference"
        test.__signature__ = signature  # type: ignore[attr-defined]
        return test

    def __call__(self, results: Results, measure: str | None = None, **options: Any) -> Omnibus:
        """Test whether the algorithms differ at all; ``**options`` are those of the function of its name."""
        return self.public(results, measure, **options)

    def _test(
        self,
        results: Results,
        measure: str | None,
        unit: Unit | None,
        aggregate: Aggregation,
        missing: str,
        alpha: float,
        **options: Any,
    ) -> Omnibus:
        if "seed" in options:
            random_generator(options["seed"])  # refused whether or not this distribution draws
        blocks = to_blocks(
            results,
            measure,
            unit=unit,
            aggregate=aggregate,
            missing=missing,
            allowed=self.policies,
            analysis=f"{self.name}()",
        )
        return self.test_blocks(blocks, alpha=alpha, **options)

    def test_blocks(self, blocks: Blocks, *, alpha: float, **options: Any) -> Omnibus:
        """Test blocks; ``**options`` are those of the test."""
        _refuse_empty(blocks)
        costs = rank_blocks(blocks.costs) if blocks.missing.policy == "worst-rank" else blocks.costs
        outcome = self.function(costs, **options)
        permuted = ", by permutation" if outcome.exact or outcome.permutations else ""
        error = float(monte_carlo_error(outcome.pvalue, outcome.permutations)) if outcome.permutations else 0.0
        on_overlap = overlap_notes(self.title, blocks.structure) if blocks.unit == "replication" else ()
        notes = on_overlap + blocks.notes + outcome.notes
        if outcome.permutations:
            notes += (
                Note("random draws", draws=outcome.permutations, of="permutations", p=outcome.pvalue, error=error),
            )
        if self.caution and len(blocks.algorithms) > 2:
            notes += (Note("caution", caution=self.caution),)
        return Omnibus(
            method=outcome.method or self.title + permuted,
            procedure=self.name,
            statistic=outcome.statistic,
            pvalue=outcome.pvalue,
            df=outcome.df,
            **{**blocks.facts, "n": blocks.n if outcome.n is None else outcome.n},
            alpha=alpha,
            mean_ranks=outcome.mean_ranks,
            kendall_w=outcome.kendall_w,
            exact=outcome.exact,
            permutations=outcome.permutations,
            monte_carlo_error=error,
            notes=notes,
        )


def _refuse_empty(blocks: Blocks) -> None:
    """Refuse algorithms without a value in any block: never run, or on every data set some replication is missing."""
    columns = zip(blocks.algorithms, blocks.costs.T, strict=True)
    empty = [name for name, column in columns if np.isnan(column).all()]
    if not empty:
        return
    has = "has" if len(empty) == 1 else "have"
    measured = int(blocks.source.select(algorithms=empty).present.sum())
    if not measured:
        raise InputError(f"{join_names(empty)} {has} no value at all. Leave out algorithms that were never run.")
    raise InputError(
        f"{join_names(empty)} {has} {plural(measured, 'value')}, but on every data set some replication is missing, "
        "which missing='worst-rank' ranks last: nothing would be compared. Use 'drop-block', 'worst-value' or, with a "
        "test pair by pair, 'available'."
    )


GLOBAL_TESTS: Registry[GlobalTest] = Registry("podium.analysis.methods.omnibus", GlobalTest)


def sums_reference(scores: Int64Array, statistic: float, permutations: int, seed: int) -> GlobalOutcome:
    """P-value of a statistic that grows with the sum of squared column sums of whole-number scores.

    Exact where the arrangements can be counted, else Monte Carlo.
    """
    observed = (scores.sum(axis=0) ** 2).sum()
    exact = exact_sums(scores)
    if exact is not None:
        sums, chances = exact
        p = min(1.0, float(chances[(sums**2).sum(axis=1) >= observed].sum()))
        return GlobalOutcome(statistic=statistic, pvalue=p, exact=True)
    reached = sum(int(((sums**2).sum(axis=1) >= observed).sum()) for sums in random_sums(scores, permutations, seed))
    return monte_carlo_outcome(statistic, reached, permutations)


def permuted_reference(scores: FloatArray, statistic: float, permutations: int, seed: int) -> GlobalOutcome:
    """Monte Carlo p-value of a statistic that grows with the sum of squared column sums."""
    observed = float((scores.sum(axis=0) ** 2).sum())
    reached = sum(
        int(((shuffled.sum(axis=1) ** 2).sum(axis=1) >= observed * (1 - 1e-9)).sum())
        for shuffled in shuffled_scores(scores, permutations, seed)
    )
    return monte_carlo_outcome(statistic, reached, permutations)


def monte_carlo_outcome(statistic: float, reached: int, permutations: int) -> GlobalOutcome:
    """Outcome of a test by random permutations; `reached` of them gave the statistic or more."""
    p = float(monte_carlo_p(reached, permutations))
    return GlobalOutcome(statistic=statistic, pvalue=p, permutations=permutations)


def check_distribution(distribution: object, known: tuple[str, ...], permutations: int | None) -> int:
    """Check a reference distribution; return the number of permutations, 10,000 unless another one is given."""
    check_choice(distribution, known, "distribution")
    drawn = distribution == "permutation"
    return check_draws(permutations, "permutations", 10_000, drawn=drawn, needs="distribution='permutation'")
