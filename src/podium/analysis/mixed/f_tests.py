"""F tests of a fitted model: whether the algorithms differ, and whether their differences depend on the data set."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
from scipy.special import chdtrc, fdtrc

from podium.analysis.mixed.degrees_of_freedom import (
    DegreesOfFreedom,
    cells_information,
    centred_differences,
    choose_df,
    exact_df,
    kenward_roger,
    means_information,
)
from podium.analysis.mixed.design import constant_error
from podium.analysis.mixed.fitted_model import FittedModel
from podium.analysis.notes import FIRST
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray
from podium.checks import check_choice
from podium.errors import InputError

TestedEffect: TypeAlias = Literal["algorithm", "interaction"]

_TITLES = {"algorithm": "F test", "interaction": "F test of the interaction"}
_DF_NAMES = {
    "exact": "exact degrees of freedom",
    "satterthwaite": "Satterthwaite's degrees of freedom",
    "kenward-roger": "Kenward and Roger's adjustment",
    "lower bound": "Geisser and Greenhouse's lower bound of the degrees of freedom",
}


def f_test(model: FittedModel, *, effect: TestedEffect, df: DegreesOfFreedom, alpha: float) -> Omnibus:
    """F test of equal means or of no interaction; see `MixedFit.omnibus`."""
    check_choice(effect, get_args(TestedEffect), "effect")
    how = choose_df(model, df, ratio=True)
    if effect == "interaction":
        if model.design.model != "survey":
            raise InputError("`effect='interaction'` is a test of the survey model: model='survey'.")
        if how == "kenward-roger":
            raise InputError(
                "The test of the interaction does not support `df='kenward-roger'`. Use 'auto' or 'satterthwaite'."
            )
        statistic, df1, df2 = _exact_interaction_test(model) if how == "exact" else _interaction_test(model)
    elif how == "exact":
        statistic, df1, df2 = _exact_test(model)
    elif how == "lower bound":
        statistic, df1, df2 = _lower_bound_test(model)
    else:
        differences = np.eye(len(model.design.algorithms))[1:] - np.eye(len(model.design.algorithms))[0]
        source = kenward_roger(model, None) if how == "kenward-roger" else means_information(model, None)
        statistic, df1, df2 = source.f_test(differences)
    return Omnibus(
        procedure="mixed",
        method=f"{_TITLES[effect]} in a mixed-effects model ({_DF_NAMES[how]})",
        statistic=statistic,
        pvalue=float(chdtrc(df1, df1 * statistic) if np.isinf(df2) else fdtrc(df1, df2, statistic)),
        df=(float(df1), float(df2)),
        **model.design.facts,
        alpha=alpha,
        details={"criterion": model.criterion, "solver": model.solver},
        notes=tuple(note for note in model.design.notes if note.code in FIRST),
    )


def _exact_test(model: FittedModel) -> tuple[float, int, float]:
    """Ratio of mean squares; Hotelling's T² of the cell means where the covariance is unstructured."""
    strata = model.strata
    df2 = exact_df(model, ratio=True)
    assert strata is not None and df2 is not None
    m, k = strata.m, strata.k
    if model.covariance == "unstructured":
        centred = centred_differences(model)
        means = model.solution.point.effects
        difference = means[1:] - means[0]
        T2 = float(m * (m - 1) * difference @ np.linalg.solve(centred.T @ centred, difference))
        return T2 * (m - k + 1) / ((m - 1) * (k - 1)), k - 1, float(m - k + 1)
    error = strata.interaction if model.design.model == "domain" else strata.residual
    _refuse_constant(model, error)
    return (strata.algorithm / (k - 1)) / (error / df2), k - 1, df2


def _lower_bound_test(model: FittedModel) -> tuple[float, int, float]:
    """Ratio of mean squares where Hotelling's T² does not exist, with 1 and M - 1 degrees of freedom.

    These are the smallest that the ratio has under any covariance of the algorithms, so the level is kept (Geisser and
    Greenhouse 1958, Annals of Mathematical Statistics 29, 885–891).
    """
    strata = model.strata
    assert strata is not None
    _refuse_constant(model, strata.interaction)
    return strata.algorithm * (strata.m - 1) / strata.interaction, 1, float(strata.m - 1)


def _refuse_constant(model: FittedModel, error: float) -> None:
    """Refuse differences between algorithms that are the same in all blocks, so that no test applies."""
    if error == 0:
        raise constant_error(model.design, "The differences between the algorithms do", "them")


def _exact_interaction_test(model: FittedModel) -> tuple[float, int, float]:
    """Equal differences on all data sets, in the survey model: a ratio of mean squares."""
    strata, df2 = model.strata, exact_df(model, ratio=True)
    assert strata is not None and df2 is not None
    df1 = (strata.m - 1) * (strata.k - 1)
    return (strata.interaction / df1) / (strata.residual / df2), df1, df2


def _interaction_test(model: FittedModel) -> tuple[float, int, float]:
    """F statistic of equal differences on all data sets, and its degrees of freedom.

    The denominator degrees of freedom give F the mean it has with estimated variances, to second order:
    E(F) = 1 / (1 - A₂/q) with A₂ = Σ w_ij tr(Θ S_i Θ S_j) of Kenward and Roger (1997), so ν = 2 q / A₂. For one
    contrast this is Satterthwaite's formula.
    """
    information = cells_information(model)
    m, k = information.means.shape
    contrasts = np.eye(k)[1:] - np.eye(k)[0]
    difference = information.means @ contrasts.T
    weight = np.linalg.inv(contrasts @ information.vcov @ contrasts.T)
    spread = np.linalg.inv(weight.sum(axis=0))
    away = difference - spread @ np.einsum("mij,mj->i", weight, difference)
    q = (m - 1) * (k - 1)
    F = float(np.einsum("mi,mij,mj->", away, weight, away)) / q
    A2 = _curvature_term(weight, spread, contrasts @ information.slopes @ contrasts.T, information.parameter_vcov)
    return F, q, max(2 * q / A2, 1.0) if A2 > 0 else np.inf


def _curvature_term(weight: FloatArray, spread: FloatArray, slopes: FloatArray, w: FloatArray) -> float:
    """A₂, where Θ = W - W 1 (1'W 1)⁻¹ 1'W is never formed: W has one block per data set."""
    moved = weight @ slopes  # parameters × data sets × (K - 1) × (K - 1)
    pulled = moved @ weight
    flat = moved.reshape(len(moved), -1)
    alone = flat @ np.swapaxes(moved, 2, 3).reshape(len(moved), -1).T
    mixed = flat @ np.swapaxes(pulled @ spread, 2, 3).reshape(len(moved), -1).T
    common = (pulled.sum(axis=1) @ spread).reshape(len(moved), -1)
    turned = np.swapaxes(pulled.sum(axis=1) @ spread, 1, 2).reshape(len(moved), -1)
    return float((w * (alone - 2 * mixed + common @ turned.T)).sum())
