"""`compare`: pairs of algorithms, by any procedure; picks one that fits the design, and says why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from podium.analysis.adjustment import ADJUSTMENTS, adjustment_name
from podium.analysis.blocks import PAIR_POLICIES, RANK_POLICIES, Blocks, Unit, find_unit, one_measure, to_blocks
from podium.analysis.comparison import Comparison
from podium.analysis.inference.by_ranks import RANK_METHODS, Request, compare_by_ranks
from podium.analysis.inference.by_tests import compare_by_tests
from podium.analysis.inference.choice import choose_procedure
from podium.analysis.inference.outcome import Tail
from podium.analysis.inference.registry import PAIRWISE_TESTS, PairwiseTest
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.pairs import Alternative, equivalence_area
from podium.checks import check_alpha, did_you_mean
from podium.errors import InputError, listing
from podium.results import Results
from podium.results.aggregation import Aggregation

_GLOBAL = {"friedman": "friedman", "quade": "quade", "iman-davenport": "iman_davenport", "cochran": "cochran_q"}
_SENSES = dict.fromkeys(("less", "greater"), " Better and worse follow from the direction of the measure.")
_NEEDS_CONTROL = {"nwwm": ("wnmt", "single-step"), "bonferroni-dunn": ("nemenyi", "bonferroni")}


def compare(
    results: Results,
    measure: str | None = None,
    *,
    method: str | PairwiseTest | None = None,
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    control: str | None = None,
    adjust: str | None = None,
    alternative: Alternative = "two-sided",
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
    omnibus: bool | Omnibus | None = None,
    intervals: bool | None = None,
    **options: Any,
) -> Comparison:
    """Compare all pairs of algorithms, or all with a control.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    method : str or PairwiseTest, optional
        By mean ranks: ``"wnmt"`` (Wilcoxon–Nemenyi–McDonald–Thompson), ``"nemenyi"``, ``"conover"``; with a control
        also ``"nwwm"`` (Nemenyi–Wilcoxon–Wilcox–Miller) and ``"bonferroni-dunn"``. Pair by pair: ``"wilcoxon"``,
        ``"sign"``, ``"t"``, ``"permutation t"``, ``"k-fold t"``, ``"corrected t"``, ``"5x2cv t"``, ``"5x2cv F"``, or a
        test of your own. By a model: ``"mixed"``. By default what fits the design; `notes` says what and why.
    alpha : float, default 0.05
        Level of the decisions.
    equivalence : float or (float, float), optional
        Differences of the measure in [Δ1, Δ2] do not matter; a number Δ stands for [-Δ, Δ]. A pair whose interval
        lies inside is called equivalent. Unequal ends are for a control (the other algorithm minus the control); of all
        pairs, which have no direction, the nearer end counts both ways.
    control : str, optional
        Compare every other algorithm with this one instead of all pairs.
    adjust : str, optional
        Adjustment for the number of pairs, see `adjust_pvalues`; ``"single-step"`` for the methods by ranks (their
        default, except for Conover's test against a control) uses the distribution of the largest difference. The
        default of the others is ``"holm"``.
    alternative : {"two-sided", "better", "worse"}
        With a control, whether the others are better (or worse) than it. Choose before you see the results.
    unit : {"replication", "dataset"}, optional
        What a block is, and so what the outcome generalises to. By default replications where there is one data set,
        data sets where there are several; replications of several data sets are never pooled.
    aggregate : str or callable, default "mean"
        Aggregation the replications of a data set are reduced, with unit ``"dataset"``.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells. ``"worst-rank"`` is for methods by ranks, ``"available"`` for tests pair by pair
        (each pair uses the blocks it has) and for ``"mixed"``.
    omnibus : bool or Omnibus, optional
        Whether a global test goes first. If it is not significant, no pair is called different. By default the
        methods by ranks are preceded by the Friedman test, the others by none.
    intervals : bool, optional
        Whether tests pair by pair compute their interval; by default where that is affordable.
    **options
        Options of the method: ``distribution`` ("asymptotic", "permutation"), ``permutations``, ``seed``, ``ties`` of
        ``"wnmt"``; ``df`` of ``"nemenyi"``; ``zeros`` of ``"wilcoxon"``; ``ratio`` of ``"corrected t"``; those of
        ``"mixed"``. Tests pair by pair on one data set also take ``repeat``, ``fold``, ``n_learn`` and ``n_test``, one
        whole number per replication (or one for all), where the results do not know them.

    Returns
    -------
    Comparison
        Intervals are simultaneous: those of tests pair by pair by Bonferroni, unless ``adjust="none"``.

    Examples
    --------
    >>> import podium
    >>> from podium.analysis.inference import compare
    >>> comparison = compare(podium.datasets.load_demsar2006(), method="nemenyi")
    >>> round(comparison.critical_difference, 2)
    1.25
    >>> set(comparison.decision.tolist())
    {'undecided'}
    """
    check_alpha(alpha)
    if omnibus is not None and not isinstance(omnibus, bool | Omnibus):
        raise InputError(
            "`omnibus` must be True, False, None or the outcome of a global test, such as "
            f"podium.inference.quade(results); got {omnibus!r}."
        )
    area = equivalence_area(equivalence)
    chosen = one_measure(results, measure)
    settled = find_unit(chosen, unit)
    reason: tuple[Note, ...] = ()
    if method is None:
        method, picked, why = choose_procedure(chosen, settled, equivalence=area, missing=missing)
        options, reason = {**picked, **options}, (why,)
    method, adjust = _spelled_out(method, adjust, control)
    if method == "mixed":
        _refuse_for_mixed(options, alternative=alternative, aggregate=aggregate, omnibus=omnibus, intervals=intervals)
        extra = {} if adjust is None else {"adjust": adjust}
        found = _mixed(chosen, alpha=alpha, equivalence=area, control=control, missing=missing, **extra, **options)
        return found.replace(notes=reason + found.notes)
    by_ranks = isinstance(method, str) and method in RANK_METHODS
    allowed = RANK_POLICIES if by_ranks else PAIR_POLICIES
    blocks = to_blocks(chosen, unit=settled, aggregate=aggregate, missing=missing, allowed=allowed)
    first, second = blocks.pairs(control)
    request = Request(
        blocks=blocks,
        first=first,
        second=second,
        alpha=alpha,
        equivalence=area,
        control=control,
        adjust=_adjustment(adjust, by_ranks, control, method),
        alternative=alternative,
        tail=_tail(alternative, control, blocks, by_ranks),
        omnibus=omnibus,
        intervals=intervals,
        notes=reason,
    )
    return compare_by_ranks(request, str(method), options) if by_ranks else compare_by_tests(request, method, options)


def _spelled_out(
    method: str | PairwiseTest, adjust: str | None, control: str | None
) -> tuple[str | PairwiseTest, str | None]:
    """Check the method, and turn procedures that are named with their adjustment into method and adjustment."""
    if isinstance(method, PairwiseTest) or method in (*RANK_METHODS, *PAIRWISE_TESTS, "mixed"):
        return method, adjust
    if method not in _NEEDS_CONTROL:
        known = [*RANK_METHODS, *_NEEDS_CONTROL, *PAIRWISE_TESTS, "mixed"]
        hint = did_you_mean(method, known)
        if str(method).lower() in _GLOBAL:
            hint = (
                f" podium.{_GLOBAL[str(method).lower()]} is a global test; 'wnmt' and 'nemenyi' compare pairs after it."
            )
        raise InputError(f"`method` must be one of {listing(known, most=20)}; got {method!r}.{hint}")
    if control is None:
        raise InputError(f"`method={method!r}` compares all algorithms with one: name it, control='...'.")
    name, usual = _NEEDS_CONTROL[method]
    return name, usual if adjust is None else adjust


def _adjustment(adjust: str | None, by_ranks: bool, control: str | None, method: object) -> str:
    if adjust is None:
        joint = by_ranks and not (method == "conover" and control is not None)
        return "single-step" if joint else "holm"
    name = str(adjust).strip().lower().replace(" ", "-").replace("_", "-")
    if name == "single-step":
        if not by_ranks:
            raise InputError(
                "`adjust='single-step'` needs the joint distribution of all pairs, which tests pair by pair do not "
                f"have. Use one of {listing(ADJUSTMENTS, most=20)}."
            )
        return name
    name = adjustment_name(adjust, ("single-step",) if by_ranks else ())
    if control is not None and ADJUSTMENTS[name].logical:
        raise InputError(f"`adjust={name!r}` is for all pairs; against a control use 'holm' or 'single-step'.")
    return name


def _tail(alternative: str, control: str | None, blocks: Blocks, by_ranks: bool) -> Tail:
    """Turn better and worse into less and greater, for ranks or for values of the measure."""
    if alternative not in get_args(Alternative):
        raise InputError(
            f"`alternative` must be one of {listing(get_args(Alternative))}; got {alternative!r}."
            f"{_SENSES.get(str(alternative), '')}"
        )
    if alternative == "two-sided":
        return "two-sided"
    if control is None:
        raise InputError(
            f"`alternative={alternative!r}` needs a control: among all pairs no direction can be fixed before the "
            "results are seen."
        )
    low_is_good = by_ranks or blocks.measure.sign == 1
    return "less" if (alternative == "better") == low_is_good else "greater"


def _refuse_for_mixed(options: Mapping[str, Any], **given: Any) -> None:
    from podium.analysis.mixed.compare import OPTIONS

    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        known = listing(OPTIONS, most=20)
        raise InputError(f"The mixed model has no option {listing(unknown)}; its options are {known}.")
    usual = {"alternative": "two-sided", "aggregate": "mean", "omnibus": None, "intervals": None}
    strange = [name for name, value in given.items() if value != usual[name]]
    if strange:
        raise InputError(
            f"`method='mixed'` does not support {listing(strange)}; leave it out, or choose another method."
        )


def _mixed(results: Results, **arguments: Any) -> Comparison:
    from podium.analysis.mixed import compare_mixed

    found: Comparison = compare_mixed(results, measure=None, **arguments)
    return found
