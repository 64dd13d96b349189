"""The recursive combination test of many rows of stage p-values at once: levels, bounds, decisions, overall p-values.

Names follow Brannath, Posch & Bauer (2002) and chapter 6 of M. J. A. Eugster (2011), Benchmark Experiments, LMU
München: `level` is α*_t, `reject` is α_1t, `accept` is α_0t, `critical` is c_t.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from podium.analysis.sequential.combinations import Combination
from podium.arrays import BoolArray, FloatArray, Int64Array
from podium.checks import call_function, is_number, shown
from podium.errors import InputError

StageDecision: TypeAlias = Literal["reject", "accept", "continue"]
# Of the number of the stage, its level and the acceptance bound of the stage before: its two bounds.
BoundRule: TypeAlias = Callable[[int, float, float], tuple[float, float]]

DECISIONS: tuple[StageDecision, ...] = get_args(StageDecision)
REJECT, ACCEPT, CONTINUE = range(3)
_SPENT = 1.2  # the part of the level that a stage spends on rejection is 1/1.2, in both rules of chapter 6


def _constant(level: FloatArray, accept: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Section 6.3.2: the acceptance bound stays."""
    return level / _SPENT, accept


def _shrinking(level: FloatArray, accept: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Section 6.4: the acceptance bound moves towards the level by a tenth of the way."""
    return level / _SPENT, accept - np.abs(accept - level) / 10


BOUND_RULES: Mapping[str, Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]] = MappingProxyType(
    {"constant": _constant, "shrinking": _shrinking}
)


@dataclass(frozen=True, kw_only=True, eq=False)
class RecursivePaths:
    """The paths of a recursive combination test in R rows of T p-values; NaN in stages that were not performed.

    A stage without a p-value is left out: what it could have spent remains for those that follow.

    Attributes
    ----------
    pvalue, level, critical, reject, accept : ndarray of float, shape (R, T)
    decision : ndarray of int, shape (R, T)
        0 reject, 1 accept, 2 continue; -1 where a stage was not performed.
    stage : ndarray of int, shape (R,)
        The stage, from 1, after which the test ended: by a decision, or because there are no more p-values.
    outcome : ndarray of int, shape (R,)
        0 reject, 1 accept, 2 continue.
    overall : ndarray of float, shape (R,)
        The global p-value.
    """

    pvalue: FloatArray
    level: FloatArray
    critical: FloatArray
    reject: FloatArray
    accept: FloatArray
    decision: Int64Array
    stage: Int64Array
    outcome: Int64Array
    overall: FloatArray


def numbers_at(paths: Any, t: int) -> dict[str, Any]:
    """Return the numbers of the first test at a stage, by the names that rows of outcomes have for them."""
    return {name: float(getattr(paths, name)[0, t]) for name in ("level", "critical", "reject", "pvalue", "accept")}


def stage_weights(sizes: Sequence[float] | None, stages: int) -> tuple[float, ...]:
    """Weight of each stage against all that follow, from the sizes of all planned stages; halves if there is no plan.

    With these the inverse normal combination of all stages is the sum of deviates weighted by the roots of the sizes.
    """
    if sizes is None:
        return (0.5,) * stages
    total = np.cumsum(np.asarray(sizes, float)[::-1])[::-1]
    return tuple(float(w) for w in np.asarray(sizes, float) / total)[:stages]


def recursive_paths(
    pvalues: FloatArray,
    *,
    level: float | FloatArray,
    reject: float | FloatArray,
    accept: float | FloatArray,
    rule: str | BoundRule,
    combination: Combination,
    last: int | None = None,
    weights: Sequence[float] | None = None,
    formal: bool = False,
) -> RecursivePaths:
    """Run the recursive combination test along each row.

    Parameters
    ----------
    pvalues : ndarray, shape (R, T)
        One-sided stage p-values; NaN for a stage without a test, and after the end of a row.
    level, reject, accept : float or ndarray, shape (R,)
        Level of the test, and bounds of the first stage.
    rule : str or callable
        Bounds of later stages.
    combination : Combination
    last : int, optional
        Number of the last planned stage, which spends everything: it rejects if p ≤ level, and else accepts.
    weights : sequence of float, optional
        Weight of each stage against all that follow.
    formal : bool
        Continue after a decision, as the printed table of section 6.3.2 does.
    """
    rows, stages = pvalues.shape
    given = np.broadcast_to(np.asarray(level, float), (rows,))
    weights = (0.5,) * stages if weights is None else weights
    table = np.full((5, rows, stages), np.nan)
    decided = np.full((rows, stages), -1, np.int64)
    ended = np.zeros(rows, np.int64)
    outcome = np.full(rows, CONTINUE, np.int64)
    going = np.ones(rows, bool)
    begun = np.zeros(rows, bool)
    first = np.broadcast_to(np.asarray(reject, float), (rows,))
    current, upper = given.copy(), np.broadcast_to(np.asarray(accept, float), (rows,)).copy()
    for t in range(stages):
        p = pvalues[:, t]
        here = going & ~np.isnan(p)
        if not here.any():
            continue
        final = last is not None and t + 1 == last
        if final:
            lower, higher = current.copy(), current.copy()
        else:
            lower, higher = _bounds(rule, t + 1, current, upper, here & begun)
            lower, higher = np.where(begun, lower, first), np.where(begun, higher, np.maximum(upper, current))
        upper = np.where(here, higher, upper)
        begun |= here
        c = np.full(rows, np.nan) if final else combination.critical(current, lower, upper, weights[t])
        with np.errstate(invalid="ignore"):
            verdict = np.where(
                p <= np.fmax(lower, combination.certain(c)), REJECT, np.where(p > upper, ACCEPT, CONTINUE)
            )
        for row, values in zip(table, (p, current, c, lower, upper), strict=True):
            row[here, t] = values[here]
        decided[here, t] = verdict[here]
        new = here & (outcome == CONTINUE)
        outcome[new] = verdict[new]
        ended[new] = t + 1
        if not final:
            current = np.where(here, combination.conditional(c, p, weights[t]), current)
        if not formal:
            going &= outcome == CONTINUE
    overall = _overall(table, decided, combination, weights)
    p, levels, criticals, lowers, uppers = table
    return RecursivePaths(
        pvalue=p, level=levels, critical=criticals, reject=lowers, accept=uppers,
        decision=decided, stage=ended, outcome=outcome, overall=overall,
    )  # fmt: skip


def _bounds(
    rule: str | BoundRule, stage: int, level: FloatArray, accept: FloatArray, going: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Bounds of a later stage: 0 < a < L ≤ b ≤ 1; b is raised to L where a rule leaves it below."""
    if isinstance(rule, str):
        lower, upper = BOUND_RULES[rule](level, accept)
    else:
        lower, upper = level / _SPENT, accept.copy()
        for i in np.flatnonzero(going):
            lower[i], upper[i] = _own_bounds(rule, stage, float(level[i]), float(accept[i]))
    return lower, np.minimum(np.maximum(upper, level), 1.0)


def _own_bounds(rule: BoundRule, stage: int, level: float, accept: float) -> tuple[float, float]:
    found: Any = call_function(rule, "rule", stage, level, accept)
    two = isinstance(found, tuple | list) and len(found) == 2 and all(is_number(bound) for bound in found)
    if not two or not 0 < found[0] < level or not 0 <= found[1] <= 1:
        raise InputError(
            "`rule` must return two bounds (reject, accept) with 0 < reject < level and accept at most 1; for stage "
            f"{stage} with level {level:.4g} it returned {shown(found)}."
        )
    return float(found[0]), float(found[1])


def _overall(table: FloatArray, decided: Int64Array, combination: Combination, weights: Sequence[float]) -> FloatArray:
    """Global p-value by backward recursion, each stage with its own bounds.

    Where c exceeds the rejection bound, p-values up to c reject for sure, and c takes the place of the bound.
    """
    p, _, critical, lower, upper = table
    rows, stages = p.shape
    result = np.full(rows, np.nan)
    for t in reversed(range(stages)):
        there = decided[:, t] >= 0
        first = there & np.isnan(result)
        further = there & ~first
        result[first] = p[first, t]
        going = further & (decided[:, t] == CONTINUE)
        stopped = further & ~going
        result[stopped] = p[stopped, t]
        if going.any():
            bound = np.fmax(lower[going, t], combination.certain(critical[going, t]))
            result[going] = combination.overall(p[going, t], result[going], bound, upper[going, t], weights[t])
    return result
