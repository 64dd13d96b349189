"""The procedure ``podium.compare(results, method="mixed")``."""

from __future__ import annotations

import dataclasses

import numpy as np

from podium.analysis.comparison import Comparison
from podium.analysis.mixed.contrasts import Distribution, check_options, estimand_of, relevant_area
from podium.analysis.mixed.degrees_of_freedom import DegreesOfFreedom
from podium.analysis.mixed.design import Design, ModelChoice, make_design
from podium.analysis.mixed.fit import check_structure, fit_with_covariance
from podium.analysis.mixed.fitted_model import Covariance, Residual, has_constant_differences
from podium.analysis.mixed.likelihood import Estimation
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.analysis.procedure import ModelTest
from podium.analysis.simultaneous.max_t import ACCURACY
from podium.analysis.transform import Transform
from podium.results import Results
from podium.results.ranks import ROUNDING


def compare_mixed(
    results: Results,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    control: str | None = None,
    missing: str = "available",
    model: ModelChoice = "auto",
    covariance: Covariance | None = None,
    estimation: Estimation = "REML",
    residual: Residual = "common",
    transform: Transform | None = None,
    distribution: Distribution = "t",
    adjust: str = "single-step",
    df: DegreesOfFreedom = "auto",
    relative: bool = False,
    seed: int = 0,
    accuracy: float = ACCURACY,
) -> Comparison:
    """Compare algorithms by a mixed-effects model, with simultaneous confidence intervals.

    On one data set this is the random block design; on several the domain model, which generalises to new data sets.
    The arguments are those of `podium.mixed` and of `MixedFit.contrasts`.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure, where there are several.
    alpha : float
        Family-wise level.
    equivalence : float or (float, float), optional
        Area of differences that do not matter, in the units of the measure (or `relative` to the best mean).
    control : str, optional
        Compare all others with this algorithm, instead of all pairs.
    missing : {"available", "raise", "drop-block", "drop-algorithm", "worst-value"}
        Policy for missing cells.
    covariance : {"scalar", "unstructured"}, optional
        See `podium.mixed`. By default scalar, or unstructured where a likelihood ratio test rejects the scalar one and
        there are two data sets or more for each algorithm.
    model, estimation, residual, transform
        See `podium.mixed`. An area of equivalence in the units of the measure needs the values as measured, so it
        changes the default of `transform` to ``"identity"``.
    distribution, adjust, df, relative, seed, accuracy
        See `MixedFit.contrasts`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="mixed")
    >>> comparison.frame()[["a", "b", "estimate", "lower", "upper", "adjusted", "decision"]].round(3).head(3)
               a        b  estimate  lower  upper  adjusted   decision
    0  C4.5+m+cf   C4.5+m     0.007 -0.012  0.025     0.760  undecided
    1  C4.5+m+cf  C4.5+cf     0.018 -0.000  0.037     0.052  undecided
    2  C4.5+m+cf     C4.5     0.022  0.004  0.041     0.013     better
    """
    check_structure("scalar" if covariance is None else covariance, estimation, residual)
    check_options(alpha, distribution, adjust, control, df, relative, seed, accuracy)
    in_units = equivalence is not None and not relative
    design = make_design(results, measure, model, missing, transform, in_units=in_units)
    if design.model == "domain" and covariance != "unstructured" and has_constant_differences(design):
        # The rows add nothing to the cell means: the data sets are the blocks.
        averaged = make_design(
            design.source.aggregate("mean", missing="available"), None, "auto", "available", "identity"
        )
        design = dataclasses.replace(averaged, transform=design.transform, measured=design.measured)
    if design.model == "block" and has_constant_differences(design):
        return _certain_comparison(design, alpha, equivalence, control, relative)
    fit, on_covariance = fit_with_covariance(design, covariance, estimation, residual)
    comparison = fit.contrasts(
        "tukey" if control is None else "control",
        control=control,
        alpha=alpha,
        distribution=distribution,
        adjust=adjust,
        df=df,
        equivalence=equivalence,
        relative=relative,
        seed=seed,
        accuracy=accuracy,
    )
    return comparison._with(notes=(*comparison.notes, *on_covariance))


def _certain_comparison(
    design: Design,
    alpha: float,
    equivalence: float | tuple[float, float] | None,
    control: str | None,
    relative: bool,
) -> Comparison:
    """Compare algorithms that differ by the same amounts in every row: they are equal or certainly different."""
    means = design.cube[0].mean(axis=0)
    first, second = design.pairs(control)
    noise = ROUNDING * np.abs(design.cube).max(axis=(0, 1))
    difference = means[first] - means[second]
    equal = np.abs(difference) <= np.maximum(noise[first], noise[second])
    difference = np.where(equal, 0.0, difference)
    p = np.where(equal, 1.0, 0.0)
    area, on_area = relevant_area(design, equivalence, relative, control, means)
    all_equal = bool(np.ptp(means) <= noise.max())
    note = Note("no variation", unit=design.row_name)
    omnibus = Omnibus(
        procedure="mixed",
        method="F test in a mixed-effects model (no variation)",
        statistic=0.0 if all_equal else np.inf,
        pvalue=1.0 if all_equal else 0.0,
        **design.facts,
        alpha=alpha,
        notes=(note,),
    )
    return Comparison(
        method="exact differences",
        procedure="mixed",
        **design.facts,
        first=first,
        second=second,
        estimate=difference,
        statistic=np.where(equal, 0.0, np.copysign(np.inf, difference)),
        pvalue=p,
        adjusted=p,
        lower=difference,
        upper=difference,
        estimand=estimand_of(design),
        in_units=design.transform == "identity",
        sign=design.measure.sign,
        measure=design.measured,
        transform=design.transform,
        alpha=alpha,
        control=control,
        equivalence=area,
        omnibus=omnibus,
        means=np.exp(means) if design.transform == "log" else means,
        overlap=design.overlap,
        notes=(*design.notes, note, *on_area),
    )


MIXED = ModelTest(name="mixed", title="mixed-effects model", function=compare_mixed)
