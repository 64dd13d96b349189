"""Contrasts of algorithm means with simultaneous inference, as a `Comparison`."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.blocks import best_first
from podium.analysis.comparison import Comparison, with_interval_notes
from podium.analysis.mixed.degrees_of_freedom import (
    DegreesOfFreedom,
    DfMethod,
    choose_df,
    exact_df,
    few_datasets,
    kenward_roger,
    means_information,
    stratum_vcov,
)
from podium.analysis.mixed.design import Design, constant_error
from podium.analysis.mixed.f_tests import f_test
from podium.analysis.mixed.fitted_model import FittedModel
from podium.analysis.notes import Note, source_name
from podium.analysis.pairs import Estimand, equivalence_area
from podium.analysis.procedure import adjustment_notes, check_adjust
from podium.analysis.simultaneous import all_pairs_contrasts, control_contrasts, max_abs_contrasts, step_down
from podium.analysis.simultaneous.max_t import single_quantile, single_sf
from podium.arrays import FloatArray, IntArray
from podium.checks import check_alpha, check_choice, check_flag, check_seed, did_you_mean, is_number, shown
from podium.errors import InputError, LabelError, join_names

Distribution: TypeAlias = Literal["t", "normal"]

JOINT = ("single-step", "step-down")  # adjustments that use the joint distribution of all statistics
_FAMILIES = {"tukey": "all pairs", "control": "comparisons with a control", "custom": "contrasts"}


class _Family(NamedTuple):
    """Contrasts, and the two sides that each of them compares."""

    matrix: FloatArray
    sides: tuple[str, ...]
    first: IntArray
    second: IntArray
    kind: Literal["tukey", "control", "custom"]


class _Means(NamedTuple):
    means: FloatArray
    vcov: FloatArray
    df: FloatArray


def compare_means(
    model: FittedModel,
    contrasts: Any,
    *,
    control: str | None,
    alpha: float,
    distribution: Distribution,
    adjust: str,
    df: DegreesOfFreedom,
    equivalence: float | tuple[float, float] | None,
    relative: bool,
    dataset: str | None,
    seed: int,
    accuracy: float,
) -> Comparison:
    """Compare means of algorithms; see `MixedFit.contrasts`."""
    adjust = check_options(alpha, distribution, adjust, control, df, relative, seed, accuracy)
    family = _family(model.design, contrasts, control)
    how = _df_method(model, family.matrix, df)
    means = _means(model, family.matrix, distribution, how, dataset)
    estimate = _differences(family.matrix, means.means)
    se = np.sqrt(np.einsum("ck,kl,cl->c", family.matrix, means.vcov, family.matrix))
    _refuse_constant(model.design, family, se)
    statistic = estimate / se
    alone = single_sf(np.abs(statistic), means.df)
    area, on_area = relevant_area(model.design, equivalence, relative, control, means.means)
    separate = adjust in JOINT and distribution == "t" and few_datasets(model)
    if separate:
        adjust = "bonferroni" if adjust == "single-step" else "holm"
    adjusted, critical, details, reached = _adjust(family, means, statistic, alone, adjust, alpha, (seed, accuracy))
    omnibus = None if dataset else f_test(model, effect="algorithm", df=df, alpha=alpha)
    exact = how == "exact" and distribution == "t"
    notes = _notes(model, adjust, len(means.df), exact=exact)
    if separate:
        notes = (*notes, Note("separate", datasets=model.design.datasets, algorithms=len(model.design.algorithms)))
    comparison = Comparison(
        method=_title(model, family.kind, distribution),
        procedure="mixed",
        **{**model.design.facts, "algorithms": family.sides},
        first=family.first,
        second=family.second,
        estimate=estimate,
        statistic=statistic,
        pvalue=alone,
        adjusted=adjusted,
        lower=estimate - critical * se,
        upper=estimate + critical * se,
        estimand=estimand_of(model.design, dataset),
        in_units=model.design.transform == "identity",
        sign=model.design.measure.sign,
        measure=model.design.measured,
        transform=model.design.transform,
        dataset=dataset,
        alpha=alpha,
        adjust=adjust,
        control=control if family.kind == "control" else None,
        equivalence=area,
        omnibus=omnibus,
        means=np.exp(means.means) if model.design.transform == "log" else means.means,
        se=se,
        df=means.df,
        critical_value=critical,
        contrasts=(
            pd.DataFrame(family.matrix, columns=list(model.design.algorithms)) if family.kind == "custom" else None
        ),
        details=details,
        overlap=model.design.overlap,
        notes=(*notes, *reached, *on_area),
    )
    return with_interval_notes(comparison._with(notes=(*comparison.notes, *_f_and_pairs(comparison))))


def _refuse_constant(design: Design, family: _Family, se: FloatArray) -> None:
    """Refuse differences without a standard error: they are the same in all blocks, so that no test applies."""
    if se.all():
        return
    at = int(np.argmin(se))
    of = (
        "A contrast does"
        if family.kind == "custom"
        else f"The difference between {family.sides[family.first[at]]!r} and {family.sides[family.second[at]]!r} does"
    )
    raise constant_error(design, of, "it")


def _f_and_pairs(comparison: Comparison) -> tuple[Note, ...]:
    """Add a note where the F test reaches the level and no pair does, or the reverse."""
    if comparison.omnibus is None or len(comparison.first) == 1 or comparison.contrasts is not None:
        return ()
    pairs = bool(comparison.significant.any())
    if comparison.omnibus.significant == pairs:
        return ()
    return (Note("F and pairs", pairs=pairs, adjusted=comparison.adjust != "none"),)


def estimand_of(design: Design, dataset: str | None = None) -> Estimand:
    """What the differences of a comparison are differences of."""
    if design.transform != "identity":
        return "mean log" if design.transform == "log" else "mean transformed"
    return "mean over data sets" if design.model == "survey" and dataset is None else "mean"


def _differences(matrix: FloatArray, means: FloatArray) -> FloatArray:
    """Contrasts of the means; 0 where equal means differ by rounding only."""
    difference = matrix @ means
    size = np.abs(matrix) @ np.abs(means)
    return np.where(np.abs(difference) <= 16 * np.finfo(float).eps * size, 0.0, difference)


def check_options(
    alpha: float,
    distribution: Distribution,
    adjust: str,
    control: str | None,
    df: DegreesOfFreedom,
    relative: bool,
    seed: int,
    accuracy: float,
) -> str:
    """Check the options of a comparison of means; return the usual name of the adjustment."""
    check_alpha(alpha)
    check_choice(distribution, get_args(Distribution), "distribution")
    check_choice(df, get_args(DegreesOfFreedom), "df")
    check_flag(relative, "relative")
    check_seed(seed)
    if not is_number(accuracy) or not 0 < accuracy < np.inf:
        raise InputError(f"`accuracy` must be a finite standard error above 0, such as 5e-05; got {shown(accuracy)}.")
    return check_adjust(adjust, control, JOINT)


def _family(design: Design, contrasts: Any, control: str | None) -> _Family:
    algorithms, k = design.algorithms, len(design.algorithms)
    if isinstance(contrasts, str):
        if contrasts not in ("tukey", "control"):
            raise InputError(f"`contrasts` must be 'tukey', 'control' or a matrix; got {shown(contrasts)}.")
        if contrasts == "control" and control is None:
            raise InputError("`contrasts='control'` needs the name of the control: control=...")
        first, second = design.pairs(control)
        if control is None:
            return _Family(all_pairs_contrasts(k), algorithms, first, second, "tukey")
        return _Family(control_contrasts(k, int(second[0])), algorithms, first, second, "control")
    if control is not None:
        raise InputError("`control` needs contrasts='control'; a matrix of contrasts names its own sides.")
    if isinstance(contrasts, pd.DataFrame):
        unknown = [str(name) for name in contrasts.columns if name not in algorithms]
        if unknown:
            raise LabelError(f"The columns of `contrasts` must be algorithms; {join_names(unknown)} are not.")
        contrasts = contrasts.reindex(columns=list(algorithms), fill_value=0.0).to_numpy()
    matrix = _contrast_matrix(contrasts, algorithms)
    left = [_side(row.clip(min=0), algorithms) for row in matrix]
    right = [_side((-row).clip(min=0), algorithms) for row in matrix]
    sides = tuple(dict.fromkeys([*left, *right]))
    place_of = {side: i for i, side in enumerate(sides)}
    first, second = (np.array([place_of[side] for side in part], dtype=np.intp) for part in (left, right))
    return _Family(matrix, sides, first, second, "custom")


def _contrast_matrix(contrasts: Any, algorithms: tuple[str, ...]) -> FloatArray:
    """Check user-given contrasts: numbers, one row per contrast, one column per algorithm."""
    try:
        matrix = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        got: str = shown(contrasts)
    else:
        got = " × ".join(map(str, matrix.shape))
        if matrix.ndim == 2 and matrix.shape[1] == len(algorithms) and len(matrix):
            if np.isfinite(matrix).all():
                if (np.abs(matrix).sum(axis=1) == 0).any():
                    raise InputError("A row of `contrasts` is all zeros: it compares nothing.")
                return matrix
            got = "values that are not finite numbers"
    raise InputError(
        f"`contrasts` must be a matrix of numbers with {len(algorithms)} columns, one per algorithm in the order "
        f"{join_names(algorithms, most=12)}; got {got}. A DataFrame with algorithms as columns may leave some out."
    )


def relevant_area(
    design: Design,
    equivalence: float | tuple[float, float] | None,
    relative: bool,
    control: str | None,
    means: FloatArray,
) -> tuple[tuple[float, float] | None, tuple[Note, ...]]:
    """Return the area of equivalence in the units of the measure, and a note on the mean it is relative to."""
    area = equivalence_area(equivalence)
    if area is None:
        if relative:
            raise InputError(
                "`relative=True` describes `equivalence`, which is not given. Give both: with equivalence=0.05 the "
                "area is 5% of the best mean."
            )
        return None, ()
    if design.transform == "log":
        return _area_of_ratios(area, relative), ()
    if not relative:
        return (area[0], area[1]), ()
    names = design.algorithms
    at = int(best_first(design.measure.sign * means, names)[0]) if control is None else names.index(control)
    unit = abs(float(means[at]))
    if unit <= 1e-9 * float(np.abs(means).max()):
        raise InputError(f"A relative area of equivalence needs a mean other than 0; that of {names[at]!r} is 0.")
    note = Note(
        "relative area",
        low=area[0],
        high=area[1],
        algorithm=names[at],
        control=control is not None,
        mean=float(means[at]),
    )
    return (area[0] * unit, area[1] * unit), (note,)


def _area_of_ratios(area: tuple[float, float], relative: bool) -> tuple[float, float]:
    """Return an area of relative differences as one of differences of logarithms."""
    if not relative:
        raise InputError(
            "Differences of logarithms are ratios: give `equivalence` as a fraction, with relative=True (0.1 is a "
            "ratio of at most 1.1). For an area in the units of the measure use transform='identity'."
        )
    if area[0] <= -1:
        raise InputError(f"`equivalence` must be above -1 with relative=True; got {shown(area[0])}.")
    return float(np.log1p(area[0])), float(np.log1p(area[1]))


def _side(weights: FloatArray, algorithms: tuple[str, ...]) -> str:
    """Name one side of a contrast: an algorithm, or a combination of some."""
    there = np.flatnonzero(weights)
    if len(there) == 1 and weights[there[0]] == 1:
        return algorithms[int(there[0])]
    return " + ".join(f"{weights[i]:.3g} {algorithms[i]}" for i in there) or "0"


def _df_method(model: FittedModel, matrix: FloatArray, df: DegreesOfFreedom) -> DfMethod:
    """How degrees of freedom are found; those of a stratum are for differences, not for means themselves."""
    how = choose_df(model, df)
    differences = bool((np.abs(matrix.sum(axis=1)) <= 1e-9 * np.abs(matrix).sum(axis=1)).all())
    if how != "exact" or differences:
        return how
    if df == "exact":
        raise InputError(
            "`df='exact'` is for contrasts whose weights add up to 0, such as differences. Use 'satterthwaite' or "
            "'kenward-roger'."
        )
    return "kenward-roger"


def _means(model: FittedModel, matrix: FloatArray, distribution: str, how: DfMethod, dataset: str | None) -> _Means:
    place = None
    if dataset is not None:
        if model.design.model != "survey":
            raise InputError("`dataset` selects among the fixed data sets of the survey model: model='survey'.")
        names = model.design.source.datasets
        if not isinstance(dataset, str) or dataset not in names:
            raise LabelError(
                f"`dataset` must be one of {join_names(names, most=30)}; got "
                f"{shown(dataset)}.{did_you_mean(dataset, names)}"
            )
        place = names.index(dataset)
    if how == "kenward-roger" and distribution == "t":
        adjusted = kenward_roger(model, place)
        vcov = adjusted.vcov * model.size**2
        return _Means(adjusted.plain.means * model.size, vcov, adjusted.plain.contrast_df(matrix))
    if distribution == "normal" or how == "exact":
        point = model.point
        means = np.asarray(model.estimates, dtype=np.float64)
        vcov = np.asarray(model.vcov, dtype=np.float64)
        if place is not None:
            means, vcov = point.effects[place], point.vcov[place]
        if distribution == "normal":
            return _Means(means, vcov, np.full(len(matrix), np.inf))
        if model.boundary:
            vcov = stratum_vcov(model, place) * model.size**2
        return _Means(means, vcov, np.full(len(matrix), exact_df(model)))
    information = means_information(model, place)
    vcov = information.vcov * model.size**2
    return _Means(information.means * model.size, vcov, information.contrast_df(matrix))


def _adjust(
    family: _Family,
    means: _Means,
    statistic: FloatArray,
    alone: FloatArray,
    how: str,
    alpha: float,
    draws: tuple[int, float],
) -> tuple[FloatArray, FloatArray, dict[str, Any], tuple[Note, ...]]:
    """Adjusted p-values, critical values of the intervals, how they were computed, and a note if not accurately."""
    if how not in JOINT:
        level = alpha if how == "none" else alpha / len(statistic)
        return adjust_pvalues(alone, how), single_quantile(1 - level, means.df), {}, ()
    seed, accuracy = draws
    maximum = max_abs_contrasts(family.matrix, means.vcov, seed=seed, accuracy=accuracy)
    critical = np.asarray(maximum.quantile(1 - alpha, means.df))
    notes: tuple[Note, ...] = ()
    if maximum.accuracy > accuracy:
        notes = (Note("accuracy", points=maximum.points, error=maximum.accuracy, accuracy=accuracy),)
    details = {"maximum": maximum.method, "points": maximum.points, "seed": seed}
    if how == "step-down":
        adjusted = step_down(family.matrix, means.vcov, statistic, means.df, seed=seed)
        adjusted = np.maximum(np.minimum(adjusted, maximum.sf(statistic, means.df)), alone)
        return adjusted, critical, details, notes
    adjusted = np.maximum(maximum.sf(statistic, means.df), alone)  # up to the error of sampling it is not below
    return adjusted, critical, {**details, "error": maximum.error(statistic, means.df)}, notes


def _title(model: FittedModel, kind: str, distribution: Distribution) -> str:
    """Name a comparison as it would appear in a paper."""
    structure = f", {model.covariance} covariance" if model.design.model == "domain" else ""
    unequal = "" if model.residual == "common" else f", residual variance by {source_name(model.residual)}"
    return (
        f"{_FAMILIES[kind]} in a mixed-effects model ({model.design.model}{structure}{unequal}, {model.estimation}), "
        f"{distribution} distribution"
    )


def _notes(model: FittedModel, adjust: str, contrasts: int, *, exact: bool) -> tuple[Note, ...]:
    """Collect what a reader of a comparison should know."""
    design, report = model.design, model.design.missing
    notes = list(design.notes)
    if design.model == "survey":
        notes.append(Note("these data sets only", datasets=design.datasets))
    if report.missing:
        notes.append(Note("missing", report=report))
    notes += [*adjustment_notes(adjust, contrasts), *model.notes]
    if exact and model.boundary and model.covariance == "scalar":
        notes.append(Note("stratum", source="interaction" if design.model == "domain" else "residual"))
    return tuple(notes)
