"""`compare`: pairs of algorithms, by any procedure; picks one that fits the design, and says why."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any, get_args

import numpy as np

from podium.analysis.adjustment import adjustment_name, least_adjusted
from podium.analysis.blocks import (
    RANK_POLICIES,
    Unit,
    find_unit,
    one_measure,
    overlap_notes,
    refuse_too_many_pairs,
)
from podium.analysis.comparison import Comparison, with_interval_notes
from podium.analysis.methods.global_test import GLOBAL_TESTS
from podium.analysis.methods.pairwise.t import mean_difference
from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, PairOutcome, PairwiseTest, Structure
from podium.analysis.methods.rank_test import RANK_TESTS, RankTest
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.pairs import Alternative, equivalence_area
from podium.analysis.procedure import ModelTest, Procedure, Request, check_adjust, show_options
from podium.analysis.transform import Transform, Transformed, transform_results
from podium.arrays import FloatArray, Int64Array
from podium.checks import check_alpha, check_call, check_choice, check_keys, did_you_mean, shown
from podium.errors import InputError, LabelError, join_names
from podium.registry import Registry
from podium.results import Results
from podium.results.aggregation import Aggregation
from podium.results.missing import POLICIES, parse_policy

MODEL_TESTS: Registry[ModelTest] = Registry("podium.analysis.mixed", ModelTest)

FEW_BLOCKS = 20  # up to here the asymptotic distribution of rank sums is not trusted
MANY_BLOCKS = 40  # from here on signed ranks lose little by the adjustment, and gain much where tails are heavy
MAX_PAIRS = 20_000  # whose joint distribution under random signs takes seconds
OVERLAP = ("ratio", "repeat", "fold", "n_learn", "n_test")  # options that say how much learning samples overlap


@check_call
def compare(
    results: Results,
    measure: str | None = None,
    *,
    method: str | Procedure | None = None,
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    control: str | None = None,
    adjust: str | None = None,
    alternative: Alternative = "two-sided",
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
    omnibus: bool | Omnibus | None = None,
    **options: Any,
) -> Comparison:
    """Compare all pairs of algorithms, or all with a control.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    method : str or Procedure, optional
        By mean ranks: ``"wnmt"`` (Wilcoxon–Nemenyi–McDonald–Thompson), ``"nemenyi"``, ``"conover"``; by other ranks:
        ``"quade"`` (weighted by the range of the block), ``"aligned ranks"`` (over all blocks); with a control also
        ``"nwwm"`` (Nemenyi–Wilcoxon–Wilcox–Miller) and ``"bonferroni-dunn"``. Pair by pair:
        ``"wilcoxon"``, ``"sign"``, ``"t"``, ``"permutation t"``, ``"bootstrap t"``, ``"k-fold t"``, ``"corrected t"``,
        ``"5x2cv t"``, ``"5x2cv F"``. By a model: ``"mixed"``. Or your own `PairwiseTest` or `RankTest`. By default
        what fits the design: ``"permutation t"`` for all pairs together with fewer than 10 + 1.5 K blocks, at most
        40, and signed ranks of each pair with more; on one data set with overlapping learning samples
        ``"corrected t"``, and no test at all where it is not known whether they overlap; `notes` says what and why.
    alpha : float, default 0.05
        Level of the decisions.
    equivalence : float or (float, float), optional
        Differences of the measure in [Δ1, Δ2] do not matter; a number Δ stands for [-Δ, Δ]. A pair whose interval
        lies inside is called equivalent. Unequal ends are for a control (the other algorithm minus the control); for
        all pairs, which have no direction, the nearer end counts both ways.
    control : str, optional
        Compare every other algorithm with this one instead of all pairs.
    adjust : str, optional
        Adjustment for the number of pairs, see `adjust_pvalues`; ``"single-step"`` for the rank methods (their
        default, except for Conover's test against a control) uses the distribution of the largest difference,
        ``"step-down"`` of ``"permutation t"`` the same in steps. The default of the others is ``"holm"``; without
        `method` it is ``"step-down"`` where blocks are few, and ``"shaffer"`` for all pairs where there are more; with
        any other that you give, each pair is tested by signed ranks, however few the blocks are.
    alternative : {"two-sided", "better", "worse"}
        With a control, whether the others are better (or worse) than it. Choose before you see the results.
    unit : {"replication", "dataset"}, optional
        What a block is, and so what the outcome generalises to. By default replications where there is one data set,
        data sets where there are several; replications of several data sets are never pooled.
    aggregate : str or callable, default "mean"
        How the replications of a data set are reduced, with unit ``"dataset"``.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells. ``"worst-rank"`` is for rank methods, ``"available"`` for pairwise tests
        (each pair uses the blocks it has) and for ``"mixed"``.
    omnibus : bool or Omnibus, optional
        Whether a global test comes first. If it is not significant, no pair is called different. By default the
        rank methods are preceded by the Friedman test, the others by none.
    distribution : str, optional
        Reference distribution. For ``"wnmt"``, ``"nwwm"``, ``"quade"`` and ``"aligned ranks"``: ``"asymptotic"`` (the
        default) or ``"permutation"``. For ``"mixed"``: ``"t"`` (the default) or ``"normal"``.
    permutations : int, optional
        Number of random permutations, 10,000 by default: for ``"wnmt"``, ``"nwwm"``, ``"quade"`` and
        ``"aligned ranks"`` with ``distribution="permutation"``, and for ``"permutation t"``.
    seed : int, default 0
        For ``"wnmt"``, ``"nwwm"``, ``"quade"``, ``"aligned ranks"``, ``"permutation t"``, ``"bootstrap t"`` and
        ``"mixed"``.
    resamples : int, default 2000
        For ``"bootstrap t"``: number of samples that are drawn from the differences.
    ties : {"corrected", "plain"}
        For ``"wnmt"`` and ``"nwwm"``, as for `friedman`.
    df : float or str, optional
        Degrees of freedom. For ``"nemenyi"`` and ``"bonferroni-dunn"``: a number, infinite by default. For ``"mixed"``:
        how to find them, see `MixedFit.contrasts`.
    zeros : {"drop", "pratt", "split"}
        For ``"wilcoxon"``: what to do with blocks without a difference, see `paired_test`.
    ratio : float, optional
        For ``"corrected t"``: size of the test sample divided by that of the learning sample; by default from the
        results.
    repeat, fold : array-like of int, optional
        For ``"corrected t"``, ``"k-fold t"``, ``"5x2cv t"`` and ``"5x2cv F"``: repeat and fold of each replication,
        where the results do not contain them.
    n_learn, n_test : int or array-like of int, optional
        For ``"corrected t"``: sizes of the samples of each replication, or one for all, where the results do not
        contain them.
    transform : {"log", "identity"} or function, optional
        For ``"mixed"`` and for the tests pair by pair: the scale on which values are compared. With ``"log"``
        differences are ratios. The default is the scale of the measure for ``"mixed"``, and ``"identity"`` for the
        others.
    model, covariance, estimation, residual
        For ``"mixed"``, see `podium.mixed`.
    relative, accuracy
        For ``"mixed"``, see `MixedFit.contrasts`.
    **options
        Those of your own procedure.

    Returns
    -------
    Comparison
        Intervals are simultaneous, unless ``adjust="none"``: those of pairwise tests by Bonferroni, with
        ``adjust="step-down"`` by the joint distribution. With a one-sided alternative they are bounds, which agree
        with Holm's procedure where that is the adjustment.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="nemenyi")
    >>> round(comparison.critical_difference, 2)
    1.25
    >>> set(comparison.decision.tolist())
    {'undecided'}
    """
    check_alpha(alpha)
    if omnibus is not None and not isinstance(omnibus, bool | Omnibus):
        raise InputError(
            "`omnibus` must be True, False, None or the outcome of a global test, such as "
            f"podium.inference.quade(results); got {shown(omnibus)}."
        )
    _check_one_name(adjust)
    area = equivalence_area(equivalence)
    _check_alternative(alternative, control)
    chosen = _measured(results, measure)
    if control is None:
        refuse_too_many_pairs(len(chosen.algorithms))
    found_unit = find_unit(chosen, unit)
    request = Request(
        results=chosen,
        unit=found_unit,
        alpha=alpha,
        equivalence=area,
        control=control,
        adjust=adjust,
        alternative=alternative,
        aggregate=aggregate,
        missing=missing,
        omnibus=omnibus,
        options=options,
        notes=(),
    )
    shown_as = inspect.signature(compare).parameters
    own = [name for name in shown_as if name != "options"]
    if method is None:
        check_keys(options, own, "compare()", "option")
        choice = choose_procedure(request)
        method, options = choice.method, {**choice.options, **options}
        request = replace(request, adjust=choice.adjust, notes=choice.notes)
    procedure = find_procedure(method)
    scale = None
    if isinstance(procedure, PairwiseTest):  # the others do their own transformation, or compare ranks
        options = dict(options)
        scale = _scale_of(request, options.pop("transform", None))
        request = replace(request, results=scale.results)
    elif (
        isinstance(procedure, RankTest)
        and options.get("transform") is not None
        and "transform" not in procedure.options
    ):
        raise InputError(
            f"`transform` is for 'mixed' and for tests pair by pair; method={procedure.name!r} compares ranks, which "
            "do not depend on the scale.",
            path=("transform",),
        )
    procedure.check_options(options, procedures().values(), own)
    defaults = [name for name in options if name in shown_as and shown_as[name].default is None]
    options = {name: value for name, value in options.items() if value is not None or name not in defaults}
    found = procedure.compare(replace(request, options=options))
    if scale is not None:
        found = _on_scale(found, scale, as_measured=area is None)
    if procedure is PAIRWISE_TESTS["wilcoxon"]:
        found = _with_least_pvalue(found, chosen=bool(request.notes), adjusted=adjust is not None)
    if found.overlap:
        return found
    on_overlap = _overlap_note(procedure, chosen, found_unit)
    return found._with(notes=(*on_overlap, *found.notes), overlap=bool(on_overlap))


def _scale_of(request: Request, transform: Transform | None) -> Transformed:
    """Transform the values for a pairwise test, which takes them as measured unless told otherwise."""
    scale = transform_results(request.results, "identity" if transform is None else transform)
    if scale.transform != "identity" and request.equivalence is not None:
        raise InputError(
            f"`equivalence` is in the units of the measure, and transform={transform!r} has another scale. Leave out "
            "one of them; method='mixed' with relative=True takes a ratio as area of equivalence."
        )
    return scale


def _on_scale(found: Comparison, scale: Transformed, *, as_measured: bool) -> Comparison:
    """Say on which scale a pairwise test compared, and take its numbers back to the measure."""
    measure = scale.measure
    if scale.transform == "identity":
        offered = (
            as_measured and measure.scale == "log" and found.in_units and bool(np.nanmin(scale.results.values) > 0)
        )
        return (
            found.replace(notes=(*found.notes, Note("as measured", measure=measure.name, because="default")))
            if offered
            else found
        )
    log = scale.transform == "log"
    means = np.exp(found.means) if log and found.means is not None else found.means
    if not found.in_units:  # a share of blocks has no scale
        return found.replace(measure=measure, means=means)
    estimand = found.estimand
    if estimand == "mean":
        estimand = "mean log" if log else "mean transformed"
    changed = found.replace(
        measure=measure,
        transform=scale.transform,
        estimand=estimand,
        in_units=False,
        means=means,
        notes=(*found.notes, Note("transformed", measure=measure.name, transform=scale.transform)),
    )
    return with_interval_notes(changed)


def _overlap_note(procedure: Procedure, results: Results, unit: Unit) -> tuple[Note, ...]:
    """Say first what the outcome holds for, where replications of one data set are treated as independent."""
    if unit == "dataset" or not procedure.independent:
        return ()
    there = {name: array[0, results.design[0]] for name, array in results.structure.items()}
    return overlap_notes(procedure.title, there)


def _with_least_pvalue(found: Comparison, *, chosen: bool, adjusted: bool) -> Comparison:
    """Add the smallest p-value that signed ranks can have, and say first if they cannot show any difference.

    If the test was `chosen` and not to be `adjusted` in a given way, fewer blocks are enough: random signs take the
    place of signed ranks.
    """
    sides = 2 if found.alternative == "two-sided" else 1
    n = found.n if found.common is None else int(found.common[found.first, found.second].max())  # that a pair shares
    found = found._with(least_pvalue=sides * 0.5**n)
    if not found.powerless:
        return found
    pairs = found._hypotheses
    joint = chosen and not adjusted and len(found.first) <= MAX_PAIRS
    needed = n + 1
    while least_adjusted(sides * 0.5**needed, 1 if joint else pairs, found.adjust) > found.alpha:
        needed += 1
    note = Note(
        "few blocks",
        algorithms=len(found.algorithms),
        unit=found.unit,
        n=n,
        alpha=found.alpha,
        least=found.least_pvalue,
        adjusted=least_adjusted(sides * 0.5**n, pairs, found.adjust),
        pairs=1 if found.adjust == "none" else pairs,
        needed=needed,
    )
    return found._with(notes=(note, *found.notes))


def _measured(results: Results, measure: str | None) -> Results:
    """Take one measure; the name of a procedure in its place is an error that says where it belongs."""
    try:
        return one_measure(results, measure)
    except LabelError as error:
        if not isinstance(measure, str) or measure not in procedures():
            raise
        raise LabelError(f"{error} {measure!r} is a procedure; use method={measure!r}.") from None


@cache
def procedures() -> Mapping[str, Procedure]:
    """All procedures that `compare` finds by name: rank tests, pairwise tests, models."""
    return MappingProxyType({**RANK_TESTS, **PAIRWISE_TESTS, **MODEL_TESTS})


show_options(compare, procedures().values())


def find_procedure(method: object, argument: str = "method") -> Procedure:
    """Look a procedure up by name; a `Procedure` is returned as it is. `argument` is what the caller calls it."""
    if isinstance(method, Procedure):
        return method
    known = procedures()
    if isinstance(method, str) and method in known:
        return known[method]
    hint = did_you_mean(method, known)
    plain = str(method).strip().lower().replace("-", "_")
    tests = [name for name in GLOBAL_TESTS if plain and name.startswith(plain)]
    if tests and not hint:
        hint = f" podium.inference.{tests[0]} is a global test; 'wnmt' and 'nemenyi' compare pairs after it."
    raise InputError(
        f"`{argument}` must be one of {join_names(known, most=20)}; got {shown(method)}.{hint}", path=(argument,)
    )


def _check_one_name(adjust: object) -> None:
    """Refuse an adjustment that is not text; its method checks the name."""
    if adjust is not None and not isinstance(adjust, str):
        adjustment_name(adjust, ("single-step", "step-down"))


def _check_alternative(alternative: object, control: str | None) -> None:
    if isinstance(alternative, str) and alternative in ("less", "greater"):
        raise InputError(
            f"`alternative` must be one of {join_names(get_args(Alternative))}; got {alternative!r}. Better and worse "
            "follow from the direction of the measure."
        )
    check_choice(alternative, get_args(Alternative), "alternative")
    if alternative != "two-sided" and control is None:
        raise InputError(
            f"`alternative={alternative!r}` needs a control: among all pairs no direction can be fixed before the "
            "results are seen."
        )


@dataclass(frozen=True, kw_only=True)
class ChosenProcedure:
    """The procedure that `compare` picks for a design: its name, adjustment and options, and notes that say why."""

    method: str | Procedure
    adjust: str | None
    notes: tuple[Note, ...]
    options: Mapping[str, Any] = field(default_factory=dict)


def choose_procedure(request: Request) -> ChosenProcedure:
    """Pick a procedure for a design; what its outcome holds for depends on the blocks, never on their number.

    No procedure by mean ranks controls the error over all pairs whatever the truth is (García & Herrera 2008; Benavoli,
    Corani & Mangili 2016), so each pair is compared by its own differences. Replications of one data set are tested
    only if it is known how much they overlap, or that they do not.

    S. García, F. Herrera (2008). An extension on "Statistical comparisons of classifiers over multiple data sets" for
    all pairwise comparisons. Journal of Machine Learning Research 9, 2677–2694. — A. Benavoli, G. Corani, F. Mangili
    (2016). Should we really use post-hoc tests based on mean-ranks? Journal of Machine Learning Research 17, 1–10.
    """
    given = _given_overlap(request.options)
    if given and request.unit == "dataset":
        raise InputError(
            f"`{next(iter(given))}` is for replications of one data set; here data sets are compared, each by the mean "
            "of its replications.",
            path=(next(iter(given)),),
        )
    if parse_policy(request.missing) == "worst-rank":
        return _by_mean_ranks(request)
    blocks = request.blocks(POLICIES)
    # In how many blocks the two algorithms of each pair have a replication in common.
    shared = (~np.isnan(np.add(*blocks.sides(*blocks.pairs(request.control))))).sum(axis=1)
    several = len(shared) > 1 and request.control is None and bool((shared >= 2).all())
    adjust = request.adjust or ("shaffer" if several else "holm")
    facts: dict[str, Any] = {
        "algorithms": len(blocks.algorithms),
        "unit": blocks.unit,
        "n": blocks.n,
        "shared": (int(shared.min()), int(shared.max())),
    }
    structure = Structure.of(blocks.structure)
    if blocks.unit == "dataset" or structure.drawn_afresh:
        return _by_signs(request, shared, adjust, facts)
    if structure.knows_overlap or given:
        by_ratio = "ratio" in given and not structure.knows_overlap  # which changes the test
        note = Note("chosen", why="ratio" if by_ratio else "corrected t", **facts)
        return ChosenProcedure(method="corrected t", adjust=adjust, notes=(note,))
    if request.adjust is not None:
        check_adjust(request.adjust, request.control, ("step-down",))
    return ChosenProcedure(
        method=NO_TEST, adjust="none", notes=(Note("no test", algorithms=len(blocks.algorithms), n=blocks.n),)
    )


def _given_overlap(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that say how much learning samples overlap."""
    return {name: value for name, value in options.items() if name in OVERLAP and value is not None}


def local_default(results: Results, options: Mapping[str, Any]) -> str | None:
    """Return the method for one of several data sets in an analysis that needs a test on each, by their replications.

    It is that of `compare` (None), and signed ranks, with their note, where `compare` would test nothing.
    """
    known = Structure.of({name: array[0, results.design[0]] for name, array in results.structure.items()})
    tested = known.drawn_afresh or known.knows_overlap or _given_overlap(options)
    return None if tested else "wilcoxon"


def _by_mean_ranks(request: Request) -> ChosenProcedure:
    """Choose mean ranks, which can put cells without a value last."""
    blocks = request.blocks(RANK_POLICIES)
    options = {"distribution": "permutation"} if blocks.n <= FEW_BLOCKS else {}
    note = Note("chosen", why="wnmt", algorithms=len(blocks.algorithms), unit=blocks.unit, n=blocks.n, shared=None)
    return ChosenProcedure(method="wnmt", adjust=request.adjust, notes=(note,), options=options)


def _by_signs(request: Request, shared: Int64Array, adjust: str, facts: Mapping[str, Any]) -> ChosenProcedure:
    """Choose random signs of whole blocks, or signed ranks of each pair, by how many blocks the pairs share.

    With few blocks the joint distribution of all pairs makes up for what the adjustment of signed ranks costs; with
    many, signed ranks find more where tails are heavy. The page on calibration has the figures.
    """
    asked = None if request.adjust is None else check_adjust(request.adjust, request.control, ("step-down",))
    usual = float(np.median(shared))
    few = usual < min(10 + 1.5 * facts["algorithms"], MANY_BLOCKS) and 1 < len(shared) <= MAX_PAIRS
    sides = 2 if request.alternative == "two-sided" else 1
    can_reject = sides * 0.5 ** int(shared.max()) <= request.alpha  # random signs; signed ranks say what they need
    if asked == "step-down" or (asked is None and few and can_reject):
        note = Note("chosen", why="permutation t", **facts)
        return ChosenProcedure(method="permutation t", adjust="step-down", notes=(note,))
    note = Note("chosen", why="wilcoxon" if facts["algorithms"] > 2 else "one pair", **facts)
    return ChosenProcedure(method="wilcoxon", adjust=adjust, notes=(note,))


def _no_test(
    differences: FloatArray, structure: Structure, *, alpha: float = 0.05, intervals: bool | None = None
) -> PairOutcome:
    """Estimate the differences of means, and test nothing."""
    nothing = np.full(len(differences), np.nan)
    return PairOutcome(
        estimate=mean_difference(differences),
        statistic=nothing,
        less=nothing,
        greater=nothing,
        two_sided=nothing,
        lower=nothing,
        upper=nothing,
    )


NO_TEST = PairwiseTest(
    name="none", title="no test", function=_no_test, estimand="mean", units=("replication",), independent=False
)


def is_five_by_two(structure: Structure) -> bool:
    """Return whether replications are five repeats of a cross-validation with two folds."""
    if structure.repeat is None or structure.fold is None:
        return False
    cells = set(zip(structure.repeat.tolist(), structure.fold.tolist(), strict=True))
    repeats = [repeat for repeat, _ in cells]
    return len(structure.fold) == len(cells) == 10 and all(repeats.count(r) == 2 for r in set(repeats))
