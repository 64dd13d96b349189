"""Likelihood-ratio tests: scalar or unstructured covariance, the two side by side, and components against zero."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Generic, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from podium.analysis.comparison import Comparison
from podium.analysis.mixed.fitted_model import Component, Covariance, Fitted, FittedModel, fit_model
from podium.analysis.notes import format_p
from podium.checks import record


@record(eq=False, repr=False, kw_only=True)
class CovarianceComparison(Generic[Fitted]):
    """Two covariance structures of the domain model, compared.

    Attributes
    ----------
    scalar, unstructured : MixedFit
    statistic : float
        Likelihood ratio: how much lower the criterion of the unstructured model is.
    df : int
        Number of parameters the unstructured model adds.
    pvalue : float
        From χ² with `df` degrees of freedom.
    aic : mapping of str to float
        Criterion plus twice the number of variance parameters (the fixed effects are the same).
    preferred : {"scalar", "unstructured"}
        The structure with the smaller AIC.
    comparisons : mapping of str to Comparison
        All pairs under each structure.
    changed : tuple of (a, b, decision, decision)
        Pairs with different decisions, the better mean first, with the decisions under the scalar and under the
        unstructured covariance.
    se_range : (float, float, float)
        Standard error of a difference: mean under the scalar, smallest and largest under the unstructured covariance.
    """

    scalar: Fitted
    unstructured: Fitted
    statistic: float
    df: int
    pvalue: float
    aic: Mapping[Covariance, float]
    preferred: Covariance
    comparisons: Mapping[Covariance, Comparison]
    changed: tuple[tuple[str, str, str, str], ...]
    se_range: tuple[float, float, float]

    def text(self) -> str:
        """Explain how the two structures compare, one paragraph per line."""
        return "\n".join(_paragraphs(self))

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(paragraph)}</p>" for paragraph in _paragraphs(self))


def compare_covariances(
    scalar: Fitted, unstructured: Fitted, comparisons: Mapping[Covariance, Comparison]
) -> CovarianceComparison[Fitted]:
    """Compare two fits of the same data; see `MixedFit.compare_covariances`."""
    ratio = covariance_ratio(scalar, unstructured)
    one, two = comparisons["scalar"], comparisons["unstructured"]
    before, after = one.decision, two.decision
    names = np.array(one.algorithms, object)
    leads = two.sign * two.estimate <= 0
    a, b = (names[np.where(leads, *places)] for places in ((one.first, one.second), (one.second, one.first)))
    changed = tuple((str(a[i]), str(b[i]), str(before[i]), str(after[i])) for i in np.flatnonzero(before != after))
    aic = {model.covariance: model.criterion + 2 * model.parameters for model in (scalar, unstructured)}
    standard_errors = [np.asarray(found.se) for found in (one, two)]
    return CovarianceComparison(
        scalar=scalar,
        unstructured=unstructured,
        statistic=ratio.statistic,
        df=ratio.df,
        pvalue=ratio.pvalue,
        aic=aic,
        preferred="unstructured" if aic["unstructured"] < aic["scalar"] else "scalar",
        comparisons=comparisons,
        changed=changed,
        se_range=(
            float(standard_errors[0].mean()),
            float(standard_errors[1].min()),
            float(standard_errors[1].max()),
        ),
    )


def _paragraphs(found: CovarianceComparison[Fitted]) -> list[str]:
    m, k = found.scalar.design.datasets, len(found.scalar.design.algorithms)
    mean, smallest, largest = found.se_range
    paragraphs = [
        "The scalar covariance has one variance for data sets and one for data set × algorithm: all algorithms share "
        f"one variance over data sets, and all pairs share one covariance ({found.scalar.parameters} variance "
        "parameters). The unstructured covariance gives each algorithm its own variance and each pair its own "
        f"covariance ({found.unstructured.parameters} parameters from {m} data sets).",
        f"Likelihood ratio {found.statistic:.2f} on {found.df} degrees of freedom, {format_p(found.pvalue)}; "
        f"AIC {found.aic['scalar']:.1f} (scalar) and {found.aic['unstructured']:.1f} (unstructured).",
        f"Standard error of a difference: {mean:.3g} for every pair under the scalar covariance "
        f"(approximately, if cells are missing), from {smallest:.3g} to {largest:.3g} under the "
        "unstructured one.",
    ]
    if found.changed:
        pairs = "; ".join(f"{a} – {b}: {one} (scalar), {two} (unstructured)" for a, b, one, two in found.changed)
        paragraphs.append(f"Decisions that differ: {pairs}.")
    else:
        paragraphs.append("Both lead to the same decisions.")
    if found.preferred == "unstructured":
        paragraphs.append(
            "The data favour the unstructured covariance: the scalar one treats pairs with very unequal variation as "
            "equal, so its intervals are too narrow for some pairs and too wide for others."
        )
    else:
        paragraphs.append(
            "The data do not contradict the scalar covariance, and it uses them more efficiently: its standard errors "
            f"rest on {(m - 1) * (k - 1)} degrees of freedom instead of {m - 1}."
        )
    return paragraphs


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
