"""`sequential`: what a sequential test decides on the replications so far, and after how many it decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from podium.analysis.blocks import best_first, refuse_huge, stopped_notes
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure
from podium.analysis.notes import Note
from podium.analysis.pairs import Alternative, both_ways, equivalence_area
from podium.analysis.sequential.group_sequential import SpendingFunction
from podium.analysis.sequential.outcome import (
    KINDS,
    NextLook,
    Sequential,
    SequentialKind,
    SequentialPair,
    SequentialRow,
)
from podium.analysis.sequential.recursive_combination import BoundRule, StageDecision, numbers_at
from podium.analysis.sequential.sequential_tests import (
    BURN_IN,
    FIRST_SHARE,
    CombinationTestOfStages,
    ConfidenceSequenceTest,
    GroupSequentialTest,
    SequentialTest,
)
from podium.analysis.sequential.stopping_rule import PairDecisions, StoppingRule
from podium.arrays import FloatArray
from podium.checks import (
    as_list,
    check_alpha,
    check_call,
    check_choice,
    check_count,
    check_flag,
    did_you_mean,
    expect,
    is_collection,
    is_number,
    position,
    shown,
)
from podium.errors import InputError, join_names
from podium.results import Results
from podium.results.cube import ABSENT, STOPPED
from podium.results.known_measures import known_limits
from podium.results.measure_info import MeasureInfo
from podium.results.missing import MissingPolicy, missing_cells_error, parse_policy

MAX_INTERVALS = 50  # pairs of a data set whose intervals are computed by default
_POLICIES: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-value", "available")
_OPTIONS: Mapping[SequentialKind, tuple[str, ...]] = {
    "combination": ("method", "combine", "reject", "accept", "rule", "exhaust"),
    "group sequential": ("method", "boundary", "ratio"),
    "betting": ("bounds",),
    "asymptotic": ("burn_in", "ratio"),
}


@check_call
def sequential(
    results: Results,
    measure: str | None = None,
    *,
    pair: tuple[str, str] | Literal["leaders"] | None = None,
    control: str | None = None,
    stages: int | Sequence[int] = 5,
    kind: SequentialKind = "combination",
    method: str | None = None,
    alternative: Alternative = "two-sided",
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    racing: bool = False,
    rule: str | BoundRule = "constant",
    combine: str = "fisher",
    reject: float | None = None,
    accept: float = 0.9,
    exhaust: bool = True,
    boundary: str | SpendingFunction = "obrien-fleming",
    bounds: tuple[float, float] | None = None,
    burn_in: int = BURN_IN,
    ratio: float | None = None,
    intervals: bool | None = None,
    missing: str = "raise",
) -> Sequential:
    """Apply a sequential test to replications, stage by stage, and find when it stops.

    The stages are a plan. Where the last replications are absent, the stages that are complete are tested, and for what
    is then open the outcome says where the next look is, and its bounds.

    Parameters
    ----------
    results : Results
        Each data set is analysed separately, its replications in their order.
    measure : str, optional
        The measure; by default all of them, with the error controlled over measures, too.
    pair : (str, str) or "leaders", optional
        The algorithms a and b. ``"leaders"``: on each data set the two with the best means, the best first; as these
        were chosen by the same values, their p-values are descriptive only. By default all pairs.
    control : str, optional
        Compare every other algorithm with this one instead of all pairs.
    stages : int or sequence of int, default 5
        The plan: number of stages of (nearly) equal size, of all replications in the results; or the replications of
        each stage, also of those that are still to come. The level is kept if the plan is stated before the first look
        and does not change.
    kind : {"combination", "group sequential", "betting", "asymptotic"}
        A recursive combination test of stage p-values, any bounds and sizes; group sequential boundaries for a planned
        number of looks; confidence sequences of the mean difference, of bounded measures by betting, of others
        asymptotically. The page *Sequential experiments* says what each guarantees.
    method : str, optional
        The test of a stage (``"combination"``: ``"wilcoxon"`` by default) or of all data so far (``"group
        sequential"``: ``"t"`` by default; ``"corrected t"`` corrects for overlapping learning samples).
    alternative : {"two-sided", "better", "worse"}
        Of a pair or with a control: whether a is better (or worse). Two-sided tests are two one-sided ones at half the
        level.
    alpha : float, default 0.05
        Error over all pairs, measures and data sets: each data set has an equal share of it, which Holm's procedure
        keeps over its pairs and measures after each stage.
    equivalence : float or (float, float), optional
        Differences a - b that do not matter: a pair whose difference is shown to lie inside is decided, too. This is a
        separate family with its own alpha.
    racing : bool, default False
        Whether an algorithm that is beaten in every measure is left out from then on.
    rule, combine, reject, accept
        For ``"combination"``, see `combination_test`.
    exhaust : bool, default True
        For ``"combination"``: whether the last stage spends all that remains; otherwise it may end undecided.
    boundary : {"pocock", "obrien-fleming", "pocock spending", "obrien-fleming spending"} or callable
        For ``"group sequential"``, see `podium.inference.boundaries`.
    bounds : (float, float), optional
        For ``"betting"``: smallest and largest possible value of the measure, where its name does not imply them.
    burn_in : int, default 20
        For ``"asymptotic"``: replications before which nothing is concluded.
    ratio : float, optional
        For ``"corrected t"`` and ``"asymptotic"``: size of the test sample divided by that of the learning sample.
    intervals : bool, optional
        Whether intervals are computed; by default for up to 50 pairs.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells; ``"available"``: each pair uses the replications that it has. Cells that a stopping
        rule left out are no reason to refuse, and replications after the last one that was run are still to come.

    Returns
    -------
    Sequential
        ``stages`` (level, critical, reject, pvalue, accept), ``pvalue``, ``decision``, ``stage`` of one pair;
        ``frame()`` of several.

    Examples
    --------
    >>> import podium
    >>> error = podium.examples.load_pima()
    >>> found = podium.sequential(error, pair=("rf", "svm1"), stages=4)
    >>> found.decision, found.stage, round(found.pvalue, 3)
    ('reject', 2, 0.025)
    >>> podium.sequential(error, kind="group sequential", control="lda").frame()[["a", "b", "decision", "stage"]]
          a    b decision  stage
    0  svm1  lda    worse      2
    1  svm2  lda    worse      2
    2    rf  lda    worse      2
    """
    expect(results, Results, "results")
    check_alpha(alpha)
    check_choice(kind, KINDS, "kind")
    check_choice(alternative, get_args(Alternative), "alternative")
    check_flag(racing, "racing")
    check_flag(exhaust, "exhaust")
    if intervals is not None:
        check_flag(intervals, "intervals")
    area = equivalence_area(equivalence)
    pair = _check_pairs(results, pair, control, alternative)
    chosen = results if measure is None else results.select(measure=measure)
    given: dict[str, Any] = {
        "method": method, "combine": combine, "reject": reject, "accept": accept, "rule": rule, "exhaust": exhaust,
        "boundary": boundary, "bounds": bounds, "burn_in": burn_in, "ratio": ratio,
    }  # fmt: skip
    settings = _settings(kind, given, alpha)
    share = alpha / len(chosen.datasets)
    own = settings if kind != "combination" else {**settings, "reject": settings["reject"] / len(chosen.datasets)}
    policy = parse_policy(missing, allowed=_POLICIES)
    parts = []
    for name in chosen.datasets:
        one = chosen.select(dataset=name)
        parts.append(
            _on_dataset(one, policy, pair, control, stages, kind, own, alternative, share, area, racing, intervals)
        )
    notes = (*dict.fromkeys(note for part in parts for note in part.notes), *stopped_notes(chosen))
    return Sequential(
        kind=kind,
        method=str(settings.get("method", "mean")),
        pairs=tuple(found for part in parts for found in part.pairs),
        datasets=chosen.datasets,
        measures=chosen.measure_names,
        algorithms=chosen.algorithms,
        sizes={name: part.sizes for name, part in zip(chosen.datasets, parts, strict=True)},
        alpha=alpha,
        alternative=alternative,
        control=control,
        equivalence=area,
        racing=racing,
        dropped={key: stage for part in parts for key, stage in part.dropped.items()},
        settings=settings,
        notes=notes,
    )


@dataclass(frozen=True)
class _Part:
    pairs: tuple[SequentialPair, ...]
    sizes: tuple[int, ...]
    dropped: Mapping[tuple[str, str], int]
    notes: tuple[Note, ...]


def _check_pairs(results: Results, pair: Any, control: object, alternative: str) -> Any:
    """Return the pair as two names, or as given if it is None or ``"leaders"``."""
    if pair is not None and control is not None:
        raise InputError(
            "`pair` and `control` exclude each other: give the pair, or compare all others with the control."
        )
    if isinstance(pair, str) and pair != "leaders":
        raise InputError(
            f"`pair` must be two algorithms, such as pair={results.algorithms[:2]!r}, or 'leaders'; got "
            f"{shown(pair)}.{did_you_mean(pair, ['leaders'])}"
        )
    if control is not None:
        position(results.algorithms, control, "control", "name algorithms of")
    names: Any = pair
    if pair is not None and not isinstance(pair, str):
        names = tuple(as_list(pair, "pair", f"two algorithms, such as pair={results.algorithms[:2]!r}"))
        at = [position(results.algorithms, name, "pair", "name algorithms of") for name in names]
        if len(at) != 2 or at[0] == at[1]:
            raise InputError(f"`pair` must be two different algorithms; got {shown(pair)}.")
    if alternative != "two-sided" and pair is None and control is None:
        raise InputError(
            f"`alternative={alternative!r}` needs a pair or a control: among all pairs no direction can be fixed "
            f"before the results are seen. Name one: pair={results.algorithms[:2]!r}, or "
            f"control={results.algorithms[0]!r}.",
            remedy={"pair": results.algorithms[:2], "control": results.algorithms[0]},
        )
    return names


def _settings(kind: SequentialKind, given: Mapping[str, Any], alpha: float) -> dict[str, Any]:
    """Return the options of a kind; an option of another kind that was set is an error."""
    usual: dict[str, Any] = {
        "method": None, "combine": "fisher", "reject": None, "accept": 0.9, "rule": "constant", "exhaust": True,
        "boundary": "obrien-fleming", "bounds": None, "burn_in": BURN_IN, "ratio": None,
    }  # fmt: skip
    unused = [name for name, value in given.items() if name not in _OPTIONS[kind] and not _is_usual(value, usual[name])]
    if unused:
        fitting = [other for other in KINDS if unused[0] in _OPTIONS[other]]
        raise InputError(
            f"`{unused[0]}` is an option of `kind` {join_names(fitting)}, not of {kind!r}, whose options are "
            f"{join_names(_OPTIONS[kind], most=9)}."
        )
    settings = {name: given[name] for name in _OPTIONS[kind]}
    if "method" in settings and settings["method"] is None:
        settings["method"] = "wilcoxon" if kind == "combination" else "t"
    if kind == "combination":
        first = settings["reject"]
        if first is not None and (not is_number(first) or not 0 < first < alpha):
            raise InputError(f"`reject` must be a number between 0 and alpha, {alpha:g}; got {shown(first)}.")
        settings["reject"] = FIRST_SHARE * alpha if first is None else first
    return settings


def _is_usual(value: object, usual: object) -> bool:
    return value is usual or (isinstance(value, str | int | float | np.generic) and bool(value == usual))


def build_test(
    kind: SequentialKind,
    sizes: tuple[int, ...],
    settings: Mapping[str, Any],
    alpha: float,
    info: MeasureInfo,
    top: float,
) -> SequentialTest:
    """Build the test of one measure; `top` is the largest value, which distinguishes fractions from percentages."""
    if kind == "combination":
        return CombinationTestOfStages(
            sizes=sizes,
            method=settings["method"],
            combine=settings["combine"],
            reject=settings["reject"] / alpha,
            accept=settings["accept"],
            rule=settings["rule"],
            last=settings["exhaust"],
        )
    if kind == "group sequential":
        return GroupSequentialTest(
            sizes=sizes, method=settings["method"], boundary=settings["boundary"], ratio=settings["ratio"]
        )
    if kind == "asymptotic":
        return ConfidenceSequenceTest(
            sizes=sizes,
            kind="asymptotic",
            burn_in=settings["burn_in"],
            tightest=settings.get("tightest"),
            ratio=settings["ratio"],
            level=alpha,
        )
    if settings["bounds"] is not None:
        given = settings["bounds"]
        pair = tuple(given) if isinstance(given, Sequence) and not isinstance(given, str) else given
        return ConfidenceSequenceTest(sizes=sizes, kind="betting", bounds=pair)
    limits = known_limits(info.name)
    if limits is None or not np.isfinite(limits).all():
        raise InputError(
            f"kind='betting' needs to know between which values {info.name!r} lies: bounds=(0, 1). For a measure "
            "without bounds use kind='asymptotic'."
        )
    if info.units in ("%", "percent") or top > max(abs(limits[0]), abs(limits[1])):
        limits = (100 * limits[0], 100 * limits[1])
    return ConfidenceSequenceTest(sizes=sizes, kind="betting", bounds=(float(limits[0]), float(limits[1])))


@dataclass(frozen=True)
class _Run:
    """The replications of one data set so far: those that a policy drops keep their places, without values."""

    results: Results
    values: FloatArray
    planned: int


def _run_so_far(results: Results, policy: MissingPolicy) -> _Run:
    """Apply the policy for missing cells to the replications up to the last one that was run."""
    design = results.design[0]
    labels = [label for label, there in zip(results.replications, design, strict=True) if there]
    run = ~np.isin(results.reasons[0, design], (ABSENT, STOPPED)).all(axis=(1, 2))
    count = int(np.flatnonzero(run)[-1]) + 1 if run.any() else 0
    ended = results.structure.get("planned")  # a stopping rule may have ended the data set early
    planned = max(len(labels), 0 if ended is None else int(ended[0].max()))
    if not count:
        return _Run(results, results.values[0, :0], planned)
    run_so_far = results.select(replications=labels[:count])
    if policy == "raise" and bool((run_so_far.missing & ~run_so_far.stopped).any()):
        raise missing_cells_error(run_so_far, _POLICIES)
    # Cells that a stopping rule left out are planned, and a pair needs only those of its two algorithms.
    kept = run_so_far if policy in ("raise", "available") else run_so_far.resolve_missing(policy)
    values = np.full((count, *kept.values.shape[2:]), np.nan)
    at = {label: b for b, label in enumerate(labels)}
    own = kept.design[0]
    values[[at[label] for label, there in zip(kept.replications, own, strict=True) if there]] = kept.values[0, own]
    return _Run(kept, values, planned)


def stage_sizes(stages: object, replications: int, least: int = 2) -> tuple[int, ...]:
    """Replications of each stage, `least` or more: as given, or of all replications in parts as equal as possible."""
    if not isinstance(stages, Sequence | np.ndarray) or not is_collection(stages):
        check_count(stages, "stages")
        number = int(stages)  # type: ignore[call-overload]
        if least * number > replications:
            fewer = replications // least
            way_out = f" Use stages={fewer!r}." if fewer > 1 else ""
            raise InputError(
                f"`stages={number!r}` needs at least {least * number} replications, {'two' if least == 2 else 'one'} "
                f"for each stage; there {'is' if replications == 1 else 'are'} {replications}.{way_out}"
            )
        return tuple(len(part) for part in np.array_split(np.arange(replications), number))
    sizes = list(stages)
    for i, size in enumerate(sizes):
        check_count(size, f"stages[{i}]", least=least, path=("stages", i))
    if not sizes:
        raise InputError(f"`stages` must be the replications of each stage; got {shown(stages)}.")
    return tuple(int(size) for size in sizes)


def _on_dataset(
    results: Results,
    policy: MissingPolicy,
    pair: Any,
    control: str | None,
    stages: Any,
    kind: SequentialKind,
    settings: Mapping[str, Any],
    alternative: Alternative,
    alpha: float,
    area: tuple[float, float] | None,
    racing: bool,
    intervals: bool | None,
) -> _Part:
    """Apply the test to the stages of one data set that are complete."""
    run = _run_so_far(results, policy)
    results, values = run.results, run.values
    structure = Structure.of({name: array[0, results.design[0]] for name, array in results.structure.items()})
    names, infos = results.algorithms, results.measures
    if len(names) < 2:
        raise InputError(f"A comparison needs two algorithms; there is only {names[0]!r}.")
    sizes = stage_sizes(stages, run.planned, least=2 if kind == "combination" else 1)
    ends = np.cumsum(sizes)
    complete = int(np.searchsorted(ends, len(values), "right"))
    for j, info in enumerate(infos):
        refuse_huge(values[..., j], f"value of {info.name!r}")
    tops = [float(np.nanmax(np.abs(values[..., j]), initial=0.0)) for j in range(len(infos))]
    tests = tuple(build_test(kind, sizes, settings, alpha, info, top) for info, top in zip(infos, tops, strict=True))
    pairs = _pairs(pair, results)
    margin = area if area is None or control is not None or pairs is not None else both_ways(area)
    rule = StoppingRule(
        test=tests,
        alpha=alpha,
        alternative=alternative,
        control=None if control is None else names.index(control),
        pairs=pairs,
        equivalence=margin,
        racing=racing,
    )
    values = values[: ends[complete - 1] if complete else 0]
    decisions = rule.decide_after(complete, values, [info.sign for info in infos])
    wanted = len(decisions.first) <= MAX_INTERVALS if intervals is None else bool(intervals)
    found = tuple(
        _pair(h, decisions, rule, values, results, tests, ends, alpha, wanted) for h in range(len(decisions.first))
    )
    return _Part(
        pairs=found,
        sizes=sizes,
        dropped={(results.datasets[0], names[k]): int(s) for k, s in enumerate(decisions.dropped) if s},
        notes=_notes(rule, settings, structure, len(names), len(infos), pair),
    )


def _pairs(pair: Any, results: Results) -> tuple[tuple[int, int], ...] | None:
    if pair is None:
        return None
    names, infos = results.algorithms, results.measures
    if pair == "leaders":
        if len(infos) > 1:
            raise InputError(
                f"`pair='leaders'` are the best two by one measure; name it: measure={infos[0].name!r}.",
                remedy={"measure": infos[0].name},
            )
        means = results.aggregate("mean", missing="available").values[0, 0, :, 0]
        order = best_first(infos[0].sign * means, names)
        return ((int(order[0]), int(order[1])),)
    return ((names.index(pair[0]), names.index(pair[1])),)


def _pair(
    h: int,
    decisions: PairDecisions,
    rule: StoppingRule,
    values: FloatArray,
    results: Results,
    tests: tuple[SequentialTest, ...],
    ends: Any,
    alpha: float,
    intervals: bool,
) -> SequentialPair:
    """Collect what was decided about one hypothesis."""
    names, infos = results.algorithms, results.measures
    a, b, j = int(decisions.first[h]), int(decisions.second[h]), int(decisions.measure[h])
    open_ = decisions.state[h] == "open"
    stage = int(decisions.stage[h])
    if open_:  # the last stage with data of both
        last = np.flatnonzero(~np.isnan(values[:, a, j] - values[:, b, j]))[-1:]
        stage = int(np.searchsorted(ends, last[0], "right")) + 1 if last.size else 0
    n = int(ends[stage - 1]) if stage else 0
    difference = (values[:n, a, j] - values[:n, b, j])[None, :]
    gains = -infos[j].sign * difference
    sides = 2 if rule.alternative == "two-sided" else 1
    tested = decisions.level[~np.isnan(decisions.level[:, h]), h]
    share = float(tested[-1] if tested.size else alpha / len(decisions.first)) / sides
    facts = {"dataset": results.datasets[0], "measure": infos[j].name, "a": names[a], "b": names[b]}
    sides_found: dict[str, tuple[float, tuple[SequentialRow, ...]]] = {}
    next_looks: list[NextLook] = []
    for side, oriented in (("better", gains), ("worse", -gains)):
        if rule.alternative in ("two-sided", side):
            p = float(tests[j].overall(oriented, share)[0]) if stage else np.nan
            sides_found[side] = (p, _rows(tests[j], oriented, share, side, facts, ends) if stage else ())
            if open_:
                next_looks += _next_look(tests[j], oriented, share, side, facts, ends)
    lead = min(sides_found, key=lambda side: (sides_found[side][0], side))
    other = [rows for side, (_, rows) in sides_found.items() if side != lead]
    lower, upper = np.nan, np.nan
    if intervals and stage:
        per_side = alpha / len(decisions.first) / 2 if sides == 2 else alpha / len(decisions.first)
        lower, upper = (
            float(tests[j].lower_bound(difference, per_side)[0]),
            0.0 - float(tests[j].lower_bound(-difference, per_side)[0]),
        )
        if sides == 1:  # the bound of the side that was tested
            below = (rule.alternative == "better") == (infos[j].sign == 1)
            lower, upper = (-np.inf, upper) if below else (lower, np.inf)
    return SequentialPair(
        **facts,
        state=decisions.state[h].item() if hasattr(decisions.state[h], "item") else decisions.state[h],
        stage=stage,
        replications=n,
        pvalue=float(np.minimum(1.0, sides * sides_found[lead][0])),
        estimate=_estimate(difference, getattr(tests[j], "method", "t")),
        lower=lower,
        upper=upper,
        rows=sides_found[lead][1],
        others=other[0] if other else (),
        next_looks=tuple(sorted(next_looks, key=lambda look: look.side != lead)),
    )


def _estimate(difference: FloatArray, method: str) -> float:
    """What the interval is of: the pseudomedian, the median or the mean of the differences."""
    there = difference[~np.isnan(difference)]
    if method == "sign" or not there.size:
        return float(np.median(there)) if there.size else np.nan
    if method != "wilcoxon":
        return float(there.mean())
    return float(PAIRWISE_TESTS["wilcoxon"].function(there[None, :], Structure()).estimate[0])


def _rows(
    test: SequentialTest, gains: FloatArray, share: float, side: Any, facts: Mapping[str, Any], ends: Any
) -> tuple[SequentialRow, ...]:
    paths = test.paths(gains, share)
    rows = []
    for t in range(paths.pvalue.shape[1]):
        if np.isnan(paths.pvalue[0, t]):  # the test had ended, or the stage had too few values
            continue
        decision: StageDecision = "reject" if paths.rejected[0, t] else "accept" if paths.accepted[0, t] else "continue"
        rows.append(
            SequentialRow(
                **facts, side=side, stage=t + 1, replications=int(ends[t]), **numbers_at(paths, t), decision=decision
            )
        )
    return tuple(rows)


def _next_look(
    test: SequentialTest, gains: FloatArray, share: float, side: Any, facts: Mapping[str, Any], ends: Any
) -> list[NextLook]:
    """Find the next planned look at one side of a pair; there is none after the last, or where the side has ended."""
    pvalues = test.evidence(gains) if gains.size else np.empty((1, 0))
    bounds = test.next_bounds(pvalues, share)
    if bounds is None or np.isnan(bounds.reject).all():
        return []
    numbers = numbers_at(bounds, 0)
    del numbers["pvalue"]
    stage = pvalues.shape[1] + 1
    return [NextLook(**facts, side=side, stage=stage, replications=int(ends[stage - 1]), **numbers)]


def _notes(
    rule: StoppingRule,
    settings: Mapping[str, Any],
    structure: Structure,
    algorithms: int,
    measures: int,
    pair: Any,
) -> tuple[Note, ...]:
    """What a reader should know: dependence, stages that cannot decide, leaders chosen by the same values."""
    notes = list(design_notes(rule, structure, algorithms, measures, corrected=settings.get("ratio") is not None))
    if pair == "leaders":
        notes.append(Note("leaders"))
    return tuple(notes)


def design_notes(
    rule: StoppingRule, structure: Structure, algorithms: int, measures: int = 1, *, corrected: bool = False
) -> tuple[Note, ...]:
    """Say where a rule does not keep its level for a design: before a run, or with an outcome.

    Parameters
    ----------
    rule : StoppingRule
    structure : Structure
        What is known about the replications.
    algorithms, measures : int
        Their numbers.
    corrected : bool
        Whether the rule corrects for overlapping learning samples.
    """
    notes = []
    if not structure.drawn_afresh and not corrected:
        notes.append(Note("sequential resamples"))
        if structure.fold is not None and len(np.unique(structure.fold)) > 1:
            notes.append(Note("folds in stages", folds=len(np.unique(structure.fold))))
    earliest = rule.earliest(algorithms, measures)
    hypotheses = len(rule.hypotheses(algorithms, measures)[0])
    if earliest != 1:
        notes.append(
            Note("stages cannot decide", sizes=rule.sizes, pairs=hypotheses, alpha=rule.alpha, before=earliest)
        )
    return tuple(notes)
