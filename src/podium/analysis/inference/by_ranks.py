"""Comparisons by mean ranks, named: blocks in, `Comparison` out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.blocks import Blocks
from podium.analysis.comparison import Comparison
from podium.analysis.inference.friedman import TieRule, friedman_of_blocks
from podium.analysis.inference.location import pseudomedian_interval
from podium.analysis.inference.outcome import Structure, Tail
from podium.analysis.inference.permutation import monte_carlo_error
from podium.analysis.inference.rank_pairs import (
    RankPairs,
    Variance,
    critical_value,
    permuted_rank_pairs,
    rank_pairs,
)
from podium.analysis.inference.reference import check_distribution
from podium.analysis.inference.scores import rank_blocks
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.pairs import Alternative
from podium.arrays import FloatArray, IntArray
from podium.errors import InputError, listing

RANK_METHODS: Mapping[str, tuple[str, ...]] = {
    "wnmt": ("distribution", "permutations", "seed", "ties"),
    "nemenyi": ("df",),
    "conover": (),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Request:
    """What `compare` was asked for, checked."""

    blocks: Blocks
    first: IntArray
    second: IntArray
    alpha: float
    equivalence: tuple[float, float] | None
    control: str | None
    adjust: str
    alternative: Alternative
    tail: Tail
    omnibus: bool | Omnibus | None
    intervals: bool | None
    notes: tuple[Note, ...]

    @property
    def one_sided(self) -> str:
        """Words on the direction, for the name of a procedure."""
        return "" if self.alternative == "two-sided" else ", one-sided"


def compare_by_ranks(request: Request, method: str, options: Mapping[str, Any]) -> Comparison:
    """Compare pairs by mean ranks."""
    _check_options(method, options)
    blocks = request.blocks
    ranks = rank_blocks(blocks.costs)
    pairs = _pairs(ranks, request, method, options)
    adjusted = pairs.single_step
    if request.adjust != "single-step":
        adjusted = adjust_pvalues(pairs.pvalue, request.adjust)
    gate = _omnibus(request, options)
    interval = _value_intervals(request)
    nothing = np.full(len(request.first), np.nan)
    critical = _critical_value(request, pairs)
    return Comparison(
        method=_title(method, request, options),
        procedure=method,
        algorithms=blocks.algorithms,
        first=request.first,
        second=request.second,
        estimate=pairs.estimate,
        statistic=pairs.statistic,
        pvalue=pairs.pvalue,
        adjusted=adjusted,
        lower=nothing,
        upper=nothing,
        estimand="mean rank",
        in_units=False,
        sign=1,
        measure=blocks.measure,
        unit=blocks.unit,
        n=blocks.n,
        datasets=blocks.datasets,
        alpha=request.alpha,
        adjust=request.adjust,
        alternative=request.alternative,
        control=request.control,
        equivalence=request.equivalence,
        equivalence_interval=interval,
        gated=gate is not None,
        omnibus=gate,
        se=np.full(len(request.first), pairs.error),
        critical_value=None if critical is None else np.full(len(request.first), critical),
        critical_difference=None if critical is None else critical * pairs.error,
        means=blocks.means,
        mean_ranks=ranks.mean(axis=0),
        wins=blocks.wins,
        common=blocks.common,
        exact=pairs.exact,
        permutations=pairs.permutations,
        missing=blocks.missing,
        notes=request.notes + blocks.notes + _notes(request, method, pairs, gate),
    )


def _pairs(ranks: FloatArray, request: Request, method: str, options: Mapping[str, Any]) -> RankPairs:
    control = request.control is not None
    if options.get("distribution", "asymptotic") == "permutation":
        return permuted_rank_pairs(
            ranks,
            request.first,
            request.second,
            control=control,
            alternative=request.tail,
            permutations=options.get("permutations", 100_000),
            seed=options.get("seed", 0),
        )
    plain = method == "nemenyi" or options.get("ties") == "plain"
    variance: Variance = "conover" if method == "conover" else "plain" if plain else "ties"
    if method == "conover" and control and request.adjust == "single-step":
        raise InputError("`method='conover'` has no single-step adjustment against a control; use adjust='holm'.")
    return rank_pairs(
        ranks,
        request.first,
        request.second,
        variance=variance,
        control=control,
        alternative=request.tail,
        df=float(options.get("df", inf)),
    )


def _omnibus(request: Request, options: Mapping[str, Any]) -> Omnibus | None:
    """Return the global test that goes first, if any; for two algorithms there is nothing to go before."""
    if isinstance(request.omnibus, Omnibus):
        return request.omnibus
    if request.omnibus is False or len(request.blocks.algorithms) == 2:
        return None
    ties: TieRule = options.get("ties", "corrected")
    permuted = options.get("distribution") == "permutation"
    return friedman_of_blocks(
        request.blocks,
        ties=ties,
        distribution="permutation" if permuted else "chi2",
        alpha=request.alpha,
        permutations=options.get("permutations", 100_000),
        seed=options.get("seed", 0),
    )


def _value_intervals(request: Request) -> tuple[FloatArray, FloatArray] | None:
    """Simultaneous Hodges–Lehmann intervals in the units of the measure, for an area of equivalence."""
    if request.equivalence is None:
        return None
    if np.isnan(request.blocks.values).any():
        raise InputError(
            "`equivalence` needs values in every block; missing='worst-rank' leaves cells without one. "
            "Use 'drop-block' or 'worst-value'."
        )
    differences = request.blocks.differences(request.first, request.second)
    _, lower, upper = pseudomedian_interval(differences, 1 - request.alpha / len(request.first))
    return lower, upper


def _critical_value(request: Request, pairs: RankPairs) -> float | None:
    if pairs.exact or pairs.permutations:
        return None
    return critical_value(
        request.alpha,
        len(request.blocks.algorithms),
        adjust=request.adjust,
        control=request.control is not None,
        alternative=request.tail,
        df=pairs.df,
    )


def _notes(request: Request, method: str, pairs: RankPairs, gate: Omnibus | None) -> tuple[Note, ...]:
    notes = adjustment_notes(request)
    if method == "conover" and len(request.blocks.algorithms) > 2:
        notes.append(
            Note(
                "caution",
                caution="Conover's test takes the differences between algorithms off the variance; where some "
                "algorithms differ and others do not, it rejects equal ones more often than alpha says.",
            )
        )
    if pairs.exact:
        notes.append(Note("exact pairs"))
    elif pairs.permutations:
        error = float(monte_carlo_error(request.alpha, pairs.permutations))
        notes.append(Note("permutations pairs", permutations=pairs.permutations, alpha=request.alpha, error=error))
    if request.blocks.unit == "replication" and not Structure.of(request.blocks.structure).drawn_afresh:
        notes.append(Note("overlap", test="test by ranks"))
    if gate is not None and not gate.significant:
        notes.append(gate_note(gate))
    return tuple(notes)


def adjustment_notes(request: Request) -> list[Note]:
    """Say where the adjustment does not keep what it is used for."""
    known = ADJUSTMENTS.get(request.adjust)
    if known is None or not known.caution or len(request.first) == 1:
        return []
    return [Note("caution", caution=known.caution)]


def gate_note(gate: Omnibus) -> Note:
    """Say what a global test that is not significant means for the pairs."""
    return Note("gate", method=gate.method, pvalue=gate.pvalue)


def _title(method: str, request: Request, options: Mapping[str, Any]) -> str:
    permuted = ", permutation version" if options.get("distribution") == "permutation" else ""
    control = request.control is not None
    if method == "wnmt" and control and request.adjust == "single-step":
        return f"Nemenyi–Wilcoxon–Wilcox–Miller test{permuted}{request.one_sided}"
    if method == "nemenyi" and control and request.adjust == "bonferroni":
        return f"Bonferroni–Dunn test{request.one_sided}"
    name = {
        "wnmt": "Wilcoxon–Nemenyi–McDonald–Thompson test",
        "nemenyi": "Nemenyi test",
        "conover": "Conover test",
    }[method]
    return f"{name}{permuted}{request.one_sided}"


def _check_options(method: str, options: Mapping[str, Any]) -> None:
    unknown = [name for name in options if name not in RANK_METHODS[method]]
    if unknown:
        known = f"its options are {listing(RANK_METHODS[method])}" if RANK_METHODS[method] else "it has none"
        raise InputError(f"`method={method!r}` has no option {listing(unknown)}; {known}.")
    if options.get("ties", "corrected") not in ("corrected", "plain"):
        raise InputError(f"`ties` must be 'corrected' or 'plain'; got {options['ties']!r}.")
    distribution = options.get("distribution", "asymptotic")
    check_distribution(distribution, ("asymptotic", "permutation"), options.get("permutations", 100_000))
    if options.get("df", inf) <= 0:
        raise InputError(f"`df` must be positive; got {options['df']!r}.")
