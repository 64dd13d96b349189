"""Comparisons pair by pair, named: blocks in, `Comparison` out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.comparison import Comparison
from podium.analysis.inference.by_ranks import Request, adjustment_notes, gate_note
from podium.analysis.inference.friedman import friedman_of_blocks
from podium.analysis.inference.outcome import PairOutcome, Structure
from podium.analysis.inference.paired import check_options, per_value
from podium.analysis.inference.registry import PAIRWISE_TESTS, PairwiseTest, find_pairwise_test
from podium.analysis.inference.scores import rank_blocks
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.errors import InputError, listing

_STRUCTURE = ("repeat", "fold", "n_learn", "n_test")


def compare_by_tests(request: Request, method: str | PairwiseTest, options: Mapping[str, Any]) -> Comparison:
    """Compare pairs by a test of each, with the p-values adjusted."""
    test = find_pairwise_test(method)
    blocks = request.blocks
    structure, options = _structure(request, options)
    check_options(test, options)
    if blocks.unit not in test.units:
        fitting = [name for name, other in PAIRWISE_TESTS.items() if blocks.unit in other.units]
        raise InputError(
            f"The {test.title} is for replications of one data set; these blocks are {blocks.n} data sets. "
            f"Use one of {listing(fitting, most=9)}, or select a data set."
        )
    outcome = _run(test, request, structure, options)
    p = outcome.pvalue(request.tail)
    gate = _omnibus(request)
    nothing = np.full(len(request.first), np.nan)
    return Comparison(
        method=test.title + request.one_sided,
        procedure=test.name,
        algorithms=blocks.algorithms,
        first=request.first,
        second=request.second,
        estimate=outcome.estimate,
        statistic=outcome.statistic,
        pvalue=p,
        adjusted=adjust_pvalues(p, request.adjust),
        lower=outcome.lower if outcome.in_units else nothing,
        upper=outcome.upper if outcome.in_units else nothing,
        estimand=outcome.estimand or test.estimand,
        in_units=outcome.in_units,
        sign=blocks.measure.sign,
        measure=blocks.measure,
        unit=blocks.unit,
        n=blocks.n,
        datasets=blocks.datasets,
        alpha=request.alpha,
        adjust=request.adjust,
        alternative=request.alternative,
        control=request.control,
        equivalence=request.equivalence,
        equivalence_interval=None if outcome.in_units else (outcome.lower, outcome.upper),
        gated=gate is not None,
        omnibus=gate,
        signed=outcome.signed,
        df=outcome.df,
        means=blocks.means,
        mean_ranks=None if np.isnan(blocks.values).any() else rank_blocks(blocks.costs).mean(axis=0),
        wins=blocks.wins,
        common=blocks.common,
        missing=blocks.missing,
        details=outcome.details,
        notes=request.notes + blocks.notes + _notes(test, request, structure, outcome, gate),
    )


def _structure(request: Request, options: Mapping[str, Any]) -> tuple[Structure, dict[str, Any]]:
    """Take what is known of the replications, from the results or as arguments, and return the other options."""
    blocks = request.blocks
    rest = {name: value for name, value in options.items() if name not in _STRUCTURE}
    if blocks.unit == "dataset" or len(rest) == len(options):
        return Structure.of(blocks.structure), dict(options)
    told = {name: per_value(name, options[name], blocks.n) for name in _STRUCTURE if name in options}
    known = {**blocks.structure, **{name: array for name, array in told.items() if array is not None}}
    return Structure.of(known), rest


def _run(test: PairwiseTest, request: Request, structure: Structure, options: Mapping[str, Any]) -> PairOutcome:
    """Run the test on all pairs at once, or, where cells are missing, on each pair's own blocks."""
    blocks = request.blocks
    share = request.alpha if request.adjust == "none" else request.alpha / len(request.first)
    settings: dict[str, Any] = {
        "level": 1 - share,
        "intervals": True if request.equivalence is not None else request.intervals,
        **options,
    }
    differences = blocks.differences(request.first, request.second)
    there = ~np.isnan(differences)
    if there.all():
        return test.function(differences, structure, **settings)
    tested = np.flatnonzero(there.sum(axis=1) >= 2)
    if not tested.size:
        raise InputError("No two algorithms have two blocks in common. Use another policy for missing cells.")
    parts = []
    for i in tested:
        of_pair = structure if blocks.unit == "dataset" else structure.take(there[i])
        parts.append(test.function(differences[i, there[i]][None, :], of_pair, **settings))
    return PairOutcome.concatenate(parts).spread(tested, len(there))


def _omnibus(request: Request) -> Omnibus | None:
    if isinstance(request.omnibus, Omnibus):
        return request.omnibus
    if request.omnibus is not True or len(request.blocks.algorithms) == 2:
        return None
    if np.isnan(request.blocks.values).any():
        raise InputError(
            "`omnibus=True` stands for the Friedman test, which needs every cell. "
            "Give the outcome of `skillings_mack(results)` as omnibus."
        )
    return friedman_of_blocks(request.blocks, alpha=request.alpha)


def _notes(
    test: PairwiseTest, request: Request, structure: Structure, outcome: PairOutcome, gate: Omnibus | None
) -> tuple[Note, ...]:
    notes = [*outcome.notes, *adjustment_notes(request)]
    if request.blocks.unit == "replication" and test.overlap and not structure.drawn_afresh:
        notes.append(Note("overlap", test=test.overlap))
    untested = int(np.isnan(outcome.two_sided).sum())
    if untested:
        notes.append(Note("untested", untested=untested, pairs=len(request.first)))
    if gate is not None and not gate.significant:
        notes.append(gate_note(gate))
    return tuple(notes)
