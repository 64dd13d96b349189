"""The global test: whether the algorithms differ at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from scipy.special import fdtrc

from podium.analysis.mixed.information import kenward_roger, means_information
from podium.analysis.mixed.interaction import interaction_f_test
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.errors import InputError, listing

if TYPE_CHECKING:
    from podium.analysis.mixed.fit import MixedFit

DegreesOfFreedom: TypeAlias = Literal["auto", "exact", "satterthwaite", "kenward-roger"]


def global_test(
    fit: MixedFit, *, effect: Literal["algorithm", "interaction"], df: DegreesOfFreedom, alpha: float
) -> Omnibus:
    """F test of equal means; see `MixedFit.omnibus`."""
    if effect not in ("algorithm", "interaction"):
        raise InputError(f"`effect` must be 'algorithm' or 'interaction'; got {effect!r}.")
    how = resolve_df(fit, df, ratio=True)
    if effect == "interaction":
        if fit.design.model != "survey":
            raise InputError("`effect='interaction'` is a test of the survey model: model='survey'.")
        if how == "kenward-roger":
            raise InputError("The test of the interaction has no `df='kenward-roger'`. Use 'auto' or 'satterthwaite'.")
        statistic, df1, df2 = _exact_interaction_test(fit) if how == "exact" else interaction_f_test(fit.estimate)
    elif how == "exact":
        statistic, df1, df2 = _exact_test(fit)
    else:
        differences = np.eye(len(fit.design.algorithms))[1:] - np.eye(len(fit.design.algorithms))[0]
        source = kenward_roger(fit.estimate) if how == "kenward-roger" else means_information(fit.estimate)
        statistic, df1, df2 = source.f_test(differences)
    what = "F test of the interaction" if effect == "interaction" else "F test"
    return Omnibus(
        method=f"{what} in a mixed-effects model ({_DF_NAMES[how]})",
        statistic=statistic,
        pvalue=_f_sf(statistic, df1, df2),
        df=(float(df1), float(df2)),
        algorithms=fit.design.algorithms,
        unit=fit.design.unit,
        n=fit.design.n,
        alpha=alpha,
        missing=fit.design.missing,
        details={"criterion": fit.criterion, "solver": fit.solver, **fit.design.told},
    )


_DF_NAMES = {
    "exact": "exact degrees of freedom",
    "satterthwaite": "Satterthwaite's degrees of freedom",
    "kenward-roger": "Kenward and Roger's adjustment",
}


def resolve_df(fit: MixedFit, df: str, *, ratio: bool = False) -> str:
    """Choose how degrees of freedom are found, and refuse what this fit does not have; see `exact_df` for `ratio`."""
    if df not in get_args(DegreesOfFreedom):
        raise InputError(f"`df` must be one of {listing(get_args(DegreesOfFreedom))}; got {df!r}.")
    possible = exact_df(fit, ratio=ratio) is not None
    if df == "auto":
        if possible:
            return "exact"
        return "kenward-roger" if fit.covariance == "unstructured" else "satterthwaite"
    if df == "exact" and not possible:
        raise InputError(
            "`df='exact'` needs a complete design, fitted by REML with one residual variance and no variance at zero "
            "(and, unstructured, no fewer data sets than algorithms). Use 'satterthwaite' or 'kenward-roger'."
        )
    return df


def exact_df(fit: MixedFit, *, ratio: bool = False) -> float | None:
    """Degrees of freedom of a difference of two algorithms in a complete design; None where they are not exact.

    Where a variance ends at zero, the standard error of a difference pools mean squares, and is not exact. The ratio of
    mean squares of the global test (Hotelling's T² where the covariance is unstructured) does not pool, and is.
    """
    strata = fit.estimate.strata
    if strata is None or fit.method != "REML" or (fit.boundary and not ratio):
        return None
    m, b, k = strata.m, strata.b, strata.k
    if fit.design.model != "domain":
        return float(m * (b - 1) * (k - 1))
    if fit.covariance == "scalar":
        return float((m - 1) * (k - 1))
    if m < k or (fit.boundary and np.linalg.matrix_rank(_centred_differences(fit)) < k - 1):
        return None
    return float(m - 1)


def _exact_test(fit: MixedFit) -> tuple[float, int, float]:
    """Ratio of mean squares; Hotelling's T² of the cell means where the covariance is unstructured."""
    strata = fit.estimate.strata
    df2 = exact_df(fit, ratio=True)
    assert strata is not None and df2 is not None
    m, k = strata.m, strata.k
    if fit.covariance == "unstructured":
        centred = _centred_differences(fit)
        difference = fit.estimates.to_numpy()[1:] - fit.estimates.to_numpy()[0]
        T2 = float(m * (m - 1) * difference @ np.linalg.solve(centred.T @ centred, difference))
        return T2 * (m - k + 1) / ((m - 1) * (k - 1)), k - 1, float(m - k + 1)
    error = strata.interaction if fit.design.model == "domain" else strata.residual
    return (strata.algorithm / (k - 1)) / (error / df2), k - 1, df2


def _centred_differences(fit: MixedFit) -> FloatArray:
    """Differences of cell means to the first algorithm on each data set, less their mean."""
    cells = fit.estimate.problem.within.cell_mean
    differences = cells[:, 1:] - cells[:, :1]
    centred: FloatArray = differences - differences.mean(axis=0)
    return centred


def _exact_interaction_test(fit: MixedFit) -> tuple[float, int, float]:
    """Equal differences on all data sets, in the survey model: a ratio of mean squares."""
    strata, df2 = fit.estimate.strata, exact_df(fit, ratio=True)
    assert strata is not None and df2 is not None
    df1 = (strata.m - 1) * (strata.k - 1)
    return (strata.interaction / df1) / (strata.residual / df2), df1, df2


def _f_sf(statistic: float, df1: float, df2: float) -> float:
    if np.isinf(df2):
        from scipy.special import chdtrc

        return float(chdtrc(df1, df1 * statistic))
    return float(fdtrc(df1, df2, statistic))
