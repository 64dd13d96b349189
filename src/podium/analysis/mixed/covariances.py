"""Scalar or unstructured covariance: the two domain models side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import chdtrc

from podium.analysis.comparison import Comparison
from podium.analysis.mixed.estimate import Covariance, estimate
from podium.analysis.mixed.telling import covariance_text
from podium.errors import InputError

if TYPE_CHECKING:
    from podium.analysis.mixed.fit import MixedFit


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CovarianceComparison:
    """Two covariance structures of the domain model, compared.

    Attributes
    ----------
    scalar, unstructured : MixedFit
    statistic : float
        Likelihood ratio: by how much the criterion of the unstructured model is lower.
    df : int
        Number of parameters it has more.
    pvalue : float
        From χ² with `df` degrees of freedom.
    aic : mapping of str to float
        Criterion plus twice the number of variance parameters (the fixed effects are the same).
    preferred : {"scalar", "unstructured"}
        The structure with the smaller AIC.
    comparisons : mapping of str to Comparison
        All pairs under each structure.
    changed : tuple of (a, b, decision, decision)
        Pairs with different decisions, the better mean first, with those under the scalar and under the unstructured
        covariance.
    se_range : (float, float, float)
        Standard error of a difference: mean under the scalar, smallest and largest under the unstructured covariance.
    """

    scalar: MixedFit
    unstructured: MixedFit
    statistic: float
    df: int
    pvalue: float
    aic: Mapping[str, float]
    preferred: Literal["scalar", "unstructured"]
    comparisons: Mapping[str, Comparison]
    changed: tuple[tuple[str, str, str, str], ...]
    se_range: tuple[float, float, float]

    def __repr__(self) -> str:
        return covariance_text(self)

    def _repr_html_(self) -> str:
        return "".join(f"<p>{escape(line)}</p>" for line in covariance_text(self).split("\n"))


def compare_covariances(
    fit: MixedFit, *, alpha: float = 0.05, reference: Literal["t", "normal"] = "t"
) -> CovarianceComparison:
    """Fit the other structure too, and compare; see `MixedFit.compare_covariances`."""
    from podium.analysis.mixed.fit import MixedFit

    if fit.design.model != "domain":
        raise InputError(
            f"Only the domain model has covariance structures to compare; this one is {fit.design.model!r}."
        )
    other: Covariance = "unstructured" if fit.covariance == "scalar" else "scalar"
    second = MixedFit(
        fit.design, other, fit.method, fit.residual, estimate(fit.design, other, fit.method, fit.residual)
    )
    scalar, unstructured = (fit, second) if fit.covariance == "scalar" else (second, fit)
    statistic = max(scalar.criterion - unstructured.criterion, 0.0)
    df = unstructured.parameters - scalar.parameters
    comparisons = {
        "scalar": scalar.contrasts(alpha=alpha, reference=reference),
        "unstructured": unstructured.contrasts(alpha=alpha, reference=reference),
    }
    one, two = comparisons["scalar"], comparisons["unstructured"]
    first, second_ = one.decision, two.decision
    names = np.array(one.algorithms, object)
    leads = two.sign * two.estimate <= 0
    a, b = (names[np.where(leads, *places)] for places in ((one.first, one.second), (one.second, one.first)))
    changed = tuple((str(a[i]), str(b[i]), str(first[i]), str(second_[i])) for i in np.flatnonzero(first != second_))
    aic = {
        "scalar": scalar.criterion + 2 * scalar.parameters,
        "unstructured": unstructured.criterion + 2 * unstructured.parameters,
    }
    return CovarianceComparison(
        scalar=scalar,
        unstructured=unstructured,
        statistic=statistic,
        df=df,
        pvalue=float(chdtrc(df, statistic)),
        aic=aic,
        preferred="unstructured" if aic["unstructured"] < aic["scalar"] else "scalar",
        comparisons=comparisons,
        changed=changed,
        se_range=(
            float(one.details["se"].mean()),
            float(two.details["se"].min()),
            float(two.details["se"].max()),
        ),
    )
