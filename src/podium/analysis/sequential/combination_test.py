"""`combination_test`: the recursive combination test of given stage p-values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.notes import format_p
from podium.analysis.sequential.combinations import COMBINATIONS
from podium.analysis.sequential.recursive_combination import (
    BOUND_RULES,
    CONTINUE,
    DECISIONS,
    BoundRule,
    RecursivePaths,
    StageDecision,
    numbers_at,
    recursive_paths,
    stage_weights,
)
from podium.arrays import FloatArray
from podium.checks import (
    as_numbers,
    check_call,
    check_choice,
    check_count,
    check_flag,
    check_probability,
    function_name,
    is_number,
    record,
    shown,
)
from podium.errors import InputError, plural
from podium.typesetting.html import described


@record(kw_only=True)
class StageRow:
    """One stage of a recursive combination test.

    Attributes
    ----------
    stage : int
        Its number, from 1.
    level : float
        Conditional level: what remains for this stage and all that follow.
    critical : float
        Critical value of the combination with all that follows; NaN in a last stage.
    reject, accept : float
        Bounds: it rejects if p ≤ reject and accepts if p > accept.
    pvalue : float
    decision : {"reject", "accept", "continue"}
    """

    stage: int
    level: float
    critical: float
    reject: float
    pvalue: float
    accept: float
    decision: StageDecision


@record(kw_only=True)
class NextStage:
    """The stage that follows an open test: its conditional level, critical value and bounds, as in a `StageRow`."""

    stage: int
    level: float
    critical: float
    reject: float
    accept: float


@record(kw_only=True)
class CombinationTest:
    """Outcome of a recursive combination test.

    Attributes
    ----------
    decision : {"reject", "accept", "continue"}
        Of the hypothesis; ``"continue"`` if another stage is needed.
    stage : int
        The stage, from 1, after which it was decided; the last one if it is not.
    pvalue : float
        Global p-value, by the stage-wise order: at most alpha if and only if the test rejects, where a last stage
        spends what is left.
    rows : tuple of StageRow
        The stages that were performed; with `formal` all of them.
    alpha : float
    combine : {"fisher", "inverse normal"}
    rule : str
        Name of the rule for the bounds.
    planned : int or None
        Number of planned stages; None if open.
    unused : int
        Number of p-values after the decision, which were not used.
    formal : bool
        Whether the stages after the decision are shown, too.
    next_stage : NextStage or None
        The stage that an open test needs; None if it is decided.
    """

    decision: StageDecision
    stage: int
    pvalue: float
    rows: tuple[StageRow, ...]
    alpha: float
    combine: str
    rule: str
    planned: int | None
    unused: int
    formal: bool
    next_stage: NextStage | None

    @property
    def stages(self) -> pd.DataFrame:
        """One row per stage: stage, level, critical, reject, pvalue, accept, decision."""
        return pd.DataFrame([vars(row) for row in self.rows])

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        return " ".join(_sentences(self))

    def __str__(self) -> str:
        return _title(self)

    def _repr_html_(self) -> str:
        facts = [
            (
                f"stage {row.stage}",
                f"{format_p(row.pvalue, row.reject)}; rejects up to {row.reject:.4g}, accepts above "
                f"{row.accept:.4g}: {row.decision}",
            )
            for row in self.rows
        ]
        return described(_title(self), [*facts, ("in words", self.text())])


def _title(found: CombinationTest) -> str:
    verdict = {"reject": "rejected", "accept": "not rejected", "continue": "still open"}[found.decision]
    title = f"Recursive combination test: {verdict} after stage {found.stage}, {format_p(found.pvalue, found.alpha)}"
    return title if found.next_stage is None else f"{title}; {_bounds(found.next_stage)}"


def _bounds(stage: NextStage) -> str:
    return (
        f"stage {stage.stage} has the level {stage.level:.4g}, rejects up to {stage.reject:.4g} and "
        f"accepts above {stage.accept:.4g}"
    )


def _sentences(found: CombinationTest) -> list[str]:
    combination = COMBINATIONS[found.combine].title
    plan = "an open number of stages" if found.planned is None else plural(found.planned, "planned stage")
    last = found.rows[found.stage - 1]
    verdict = {
        "reject": f"The hypothesis is rejected after stage {found.stage}: its p-value {last.pvalue:.4g} is "
        f"not above {last.reject if last.pvalue <= last.reject else last.critical:.4g}.",
        "accept": f"The test ends after stage {found.stage} without a rejection: its p-value "
        f"{last.pvalue:.4g} is above "
        f"{last.accept:.4g}. This does not show that the hypothesis is true.",
        "continue": f"After stage {found.stage} nothing is decided: its p-value {last.pvalue:.4g} lies "
        f"between {last.reject:.4g} and {last.accept:.4g}, and another stage is needed.",
    }[found.decision]
    sentences = [
        f"The p-values of the stages were combined recursively by {combination} at the {found.alpha:g} "
        f"level, with {plan} and the rule {found.rule!r} for the bounds (Brannath, Posch & Bauer 2002).",
        verdict,
        f"The global p-value is {found.pvalue:.4g}.",
    ]
    if found.next_stage is not None:
        bounds = _bounds(found.next_stage)
        sentences.append(f"{bounds[0].upper()}{bounds[1:]}.")
    if found.unused:
        sentences.append(f"{plural(found.unused, 'additional p-value')} after the decision did not count.")
    if found.formal and len(found.rows) > found.stage:
        sentences.append("The rows after the decision are a formal continuation, from which nothing may be concluded.")
    return sentences


@check_call
def combination_test(
    pvalues: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    reject: float | None = None,
    accept: float = 0.9,
    rule: str | BoundRule = "constant",
    combine: str = "fisher",
    stages: int | None = None,
    sizes: Sequence[float] | None = None,
    formal: bool = False,
) -> CombinationTest:
    """Test a hypothesis by the p-values of its stages, one after the other, and stop when it is decided.

    The p-values must be one-sided, from independent stages (more precisely: if the hypothesis is true, given the
    earlier ones, stochastically no smaller than uniform), and bounds and sample sizes of a stage may depend on all
    earlier ones. A two-sided hypothesis is tested by two one-sided tests at alpha/2.

    Parameters
    ----------
    pvalues : array-like of float
        One for each stage, in order.
    alpha : float, default 0.05
        Level of the whole test.
    reject, accept : float
        Bounds of the first stage: it rejects if p ≤ reject and accepts if p > accept. By default `reject` is a fifth of
        alpha, and `accept` 0.9.
    rule : {"constant", "shrinking"} or callable
        Bounds of later stages. Both spend the level divided by 1.2 on rejection; the acceptance bound stays, or moves
        towards the level by a tenth of the way. Or your own function ``(stage, level, accept) -> (reject, accept)`` of
        the number of the stage, its conditional level and the acceptance bound before.
    combine : {"fisher", "inverse normal"}
        Fisher's product, or the inverse normal combination.
    stages : int, optional
        Number of planned stages: the last one spends all that remains, so nothing stays open. By default that of the
        `sizes`; without them the number is open, and there is no last stage.
    sizes : sequence of float, optional
        For ``"inverse normal"``: the planned sizes of all stages, whose roots are the weights. By default each stage
        has the same weight as all that follow.
    formal : bool, default False
        Continue after a decision, as the table of section 6.3.2 of Eugster (2011) does. The decision stays.

    Returns
    -------
    CombinationTest
        ``stages`` (a table: level, critical, reject, pvalue, accept), ``pvalue``, ``decision``, ``stage``.

    Examples
    --------
    >>> import podium
    >>> test = podium.combination_test([0.65, 0.004], alpha=0.05, reject=0.01, accept=0.9, rule="constant")
    >>> test.decision, test.stage, round(test.pvalue, 4)
    ('reject', 2, 0.0217)
    >>> test.stages[["level", "critical", "reject", "pvalue", "accept"]].round(4)
        level  critical  reject  pvalue  accept
    0  0.0500    0.0089  0.0100   0.650     0.9
    1  0.0137    0.0005  0.0114   0.004     0.9
    """
    given = _check_pvalues(pvalues)
    check_probability(alpha, "alpha")
    check_flag(formal, "formal")
    first = alpha / 5 if reject is None else reject
    _check_bounds(alpha, first, accept)
    check_choice(combine, COMBINATIONS, "combine")
    if not callable(rule):
        check_choice(rule, BOUND_RULES, "rule")
    if stages is not None:
        check_count(stages, "stages", least=len(given))
    planned = _check_sizes(sizes, combine, stages, len(given))
    if stages is None and planned is not None:
        stages = len(planned)

    def run(pvalues: FloatArray) -> RecursivePaths:
        return recursive_paths(
            pvalues[None, :],
            level=alpha,
            reject=first,
            accept=accept,
            rule=rule,
            combination=COMBINATIONS[combine],
            last=stages,
            weights=stage_weights(planned, len(pvalues)),
            formal=formal,
        )

    paths = run(given)
    next_stage = None
    if paths.outcome[0] == CONTINUE and stages != len(given):
        # The bounds of a stage do not depend on its own p-value: any will do.
        numbers = numbers_at(run(np.append(given, 0.5)), len(given))
        del numbers["pvalue"]
        next_stage = NextStage(stage=len(given) + 1, **numbers)
    rows = tuple(
        StageRow(stage=t + 1, **numbers_at(paths, t), decision=DECISIONS[int(decided)])
        for t, decided in enumerate(paths.decision[0])
        if decided >= 0
    )
    return CombinationTest(
        decision=DECISIONS[int(paths.outcome[0])],
        stage=int(paths.stage[0]),
        pvalue=float(paths.overall[0]),
        rows=rows,
        alpha=alpha,
        combine=combine,
        rule=rule if isinstance(rule, str) else function_name(rule),
        planned=stages,
        unused=len(given) - int(paths.stage[0]),
        formal=formal,
        next_stage=next_stage,
    )


def _check_pvalues(pvalues: npt.ArrayLike) -> FloatArray:
    given = as_numbers(pvalues, "pvalues")
    if given.ndim != 1 or not given.size:
        raise InputError(f"`pvalues` must be one number for each stage; got {shown(pvalues)}.")
    wrong = [i for i, p in enumerate(given) if not 0 <= p <= 1]
    if wrong:
        raise InputError(f"`pvalues` must lie between 0 and 1; that of stage {wrong[0] + 1} is {given[wrong[0]]:g}.")
    return given


def _check_bounds(alpha: float, reject: Any, accept: Any) -> None:
    numbers = is_number(reject) and is_number(accept)
    if not numbers or not 0 < reject < alpha <= accept <= 1:
        raise InputError(
            "`reject` and `accept` must be numbers with 0 < reject < alpha ≤ accept ≤ 1; got "
            f"reject={shown(reject)}, alpha={alpha:g}, accept={shown(accept)}."
        )


def _check_sizes(sizes: Any, combine: str, stages: int | None, given: int) -> Sequence[float] | None:
    """Return the planned sizes; equal ones for a planned number of stages."""
    if sizes is None:
        return None if stages is None else [1.0] * stages
    if combine != "inverse normal":
        raise InputError("`sizes` are the weights of combine='inverse normal'; the product has none. Leave them out.")
    numbers = as_numbers(sizes, "sizes")
    planned = given if stages is None else stages
    if numbers.ndim != 1 or len(numbers) < planned or not (numbers > 0).all() or not np.isfinite(numbers).all():
        raise InputError(f"`sizes` must be positive numbers, one for each of {planned} stages; got {shown(sizes)}.")
    return [float(size) for size in numbers]
