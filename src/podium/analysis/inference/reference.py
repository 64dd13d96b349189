"""`Reference`: a statistic, what it was compared with, and its p-value; and how that becomes an `Omnibus`."""

from __future__ import annotations

from dataclasses import dataclass

from podium.analysis.blocks import Blocks
from podium.analysis.inference.permutation import (
    exact_sums,
    monte_carlo_error,
    monte_carlo_p,
    random_sums,
    shuffled_scores,
)
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray, Int64Array
from podium.errors import InputError, listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A statistic, the distribution it was compared with, and the p-value."""

    statistic: float
    pvalue: float
    df: tuple[float, ...] = ()
    exact: bool = False
    permutations: int = 0

    @property
    def error(self) -> float:
        """Standard error of the p-value."""
        return float(monte_carlo_error(self.pvalue, self.permutations)) if self.permutations else 0.0

    @property
    def notes(self) -> tuple[Note, ...]:
        """What a reader should know of a permutation test."""
        if self.exact:
            return (Note("exact"),)
        if self.permutations:
            return (Note("permutations", permutations=self.permutations, error=self.error),)
        return ()


def sums_reference(scores: Int64Array, statistic: float, permutations: int, seed: int) -> Reference:
    """P-value of a statistic that grows with the sum of squared column sums of whole-number scores.

    Exact where the arrangements can be counted, else Monte Carlo.
    """
    observed = (scores.sum(axis=0) ** 2).sum()
    exact = exact_sums(scores)
    if exact is not None:
        sums, chances = exact
        p = min(1.0, float(chances[(sums**2).sum(axis=1) >= observed].sum()))
        return Reference(statistic=statistic, pvalue=p, exact=True)
    reached = sum(int(((sums**2).sum(axis=1) >= observed).sum()) for sums in random_sums(scores, permutations, seed))
    return Reference(statistic=statistic, pvalue=float(monte_carlo_p(reached, permutations)), permutations=permutations)


def permuted_reference(scores: FloatArray, statistic: float, permutations: int, seed: int) -> Reference:
    """Monte Carlo p-value of a statistic that grows with the sum of squared column sums."""
    observed = float((scores.sum(axis=0) ** 2).sum())
    reached = sum(
        int(((shuffled.sum(axis=1) ** 2).sum(axis=1) >= observed * (1 - 1e-9)).sum())
        for shuffled in shuffled_scores(scores, permutations, seed)
    )
    return Reference(statistic=statistic, pvalue=float(monte_carlo_p(reached, permutations)), permutations=permutations)


def omnibus_of(
    procedure: str,
    method: str,
    blocks: Blocks,
    outcome: Reference,
    alpha: float,
    notes: tuple[Note, ...] = (),
    n: int | None = None,
) -> Omnibus:
    """Put the outcome of a test of some blocks into the common form."""
    return Omnibus(
        procedure=procedure,
        method=f"{method}, by permutation" if outcome.exact or outcome.permutations else method,
        statistic=outcome.statistic,
        pvalue=outcome.pvalue,
        df=outcome.df,
        algorithms=blocks.algorithms,
        unit=blocks.unit,
        n=blocks.n if n is None else n,
        datasets=blocks.datasets,
        alpha=alpha,
        exact=outcome.exact,
        permutations=outcome.permutations,
        monte_carlo_error=outcome.error,
        missing=blocks.missing,
        notes=blocks.notes + notes + outcome.notes,
    )


def check_distribution(distribution: str, known: tuple[str, ...], permutations: int) -> None:
    """Refuse an unknown reference distribution, and a number of permutations that is no positive whole number."""
    if distribution not in known:
        raise InputError(f"`distribution` must be one of {listing(known)}; got {distribution!r}.")
    if int(permutations) != permutations or permutations < 1:
        raise InputError(f"`permutations` must be a positive whole number; got {permutations!r}.")
