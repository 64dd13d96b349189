"""Likelihood-ratio tests: of variance components against zero, and of one covariance structure against the other."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
from scipy.special import chdtrc

from podium.analysis.mixed.fitted_model import Component, FittedModel, fit_model


class LikelihoodRatio(NamedTuple):
    """Decrease of the criterion by the larger of two models, number of parameters it adds, and p-value from χ²."""

    statistic: float
    df: int
    pvalue: float


def covariance_ratio(scalar: FittedModel, unstructured: FittedModel) -> LikelihoodRatio:
    """Compare the two covariance structures of the domain model."""
    statistic = max(scalar.criterion - unstructured.criterion, 0.0)
    df = unstructured.parameters - scalar.parameters
    return LikelihoodRatio(statistic, df, float(chdtrc(df, statistic)))


def component_tests(model: FittedModel) -> pd.DataFrame:
    """Likelihood-ratio test of each component; see `MixedFit.component_tests`.

    A variance of zero lies on the boundary: under the hypothesis the estimate is zero half of the time, and the
    statistic has the even mixture of χ² with 0 and with 1 degrees of freedom (Self and Liang 1987).
    """
    rows = {}
    sources: tuple[Component, ...] = ("replication",)
    if model.design.model == "domain" and model.covariance == "scalar":
        sources = ("dataset", "interaction", "replication")
    for source in sources:
        smaller = fit_model(
            FittedModel, model.design, model.covariance, model.estimation, model.residual, without=source
        )
        statistic = max(smaller.criterion - model.criterion, 0.0)
        name = model.design.row_name if source == "replication" else source
        p = 1.0 if statistic == 0 else float(chdtrc(1, statistic)) / 2
        rows[name] = {"criterion": smaller.criterion, "statistic": statistic, "pvalue": p}
    return pd.DataFrame.from_dict(rows, orient="index")
