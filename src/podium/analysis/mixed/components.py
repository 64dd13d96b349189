"""Variance components: how much each source of variation adds, and whether it is there at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.special import chdtrc

from podium.analysis.mixed.estimate import Component, estimate

if TYPE_CHECKING:
    from podium.analysis.mixed.fit import MixedFit


def component_table(fit: MixedFit) -> pd.DataFrame:
    """Variance, standard deviation, share and boundary flag of each component; see `MixedFit.components`."""
    problem, solution = fit.estimate.problem, fit.estimate.solution
    G, s, _ = problem.split(solution.phi)
    q = len(problem.basis)
    variances: dict[str, float] = {}
    flags: dict[str, bool] = {}
    if G is not None:
        k = len(G)
        shared = float(G.sum() - np.trace(G)) / (k * (k - 1))
        variances["dataset"], variances["interaction"] = shared, float(np.trace(G)) / k - shared
        singular = bool(solution.boundary[:q].any())
        flags["dataset"] = singular if problem.unstructured else bool(solution.boundary[0])
        flags["interaction"] = singular if problem.unstructured else bool(solution.boundary[1])
    variances[fit.design.row_name], flags[fit.design.row_name] = s, bool(solution.boundary[q])
    counts = problem.within.cell_n
    variances["residual"] = float((fit.residual_by_cell * counts).sum() / counts.sum())
    flags["residual"] = bool(solution.boundary[-problem.within.residual_parameters :].any())
    variance = np.array(list(variances.values()))
    return pd.DataFrame(
        {
            "variance": variance,
            "sd": np.sqrt(np.maximum(variance, 0.0)),
            "share": variance / variance.sum(),
            "boundary": [flags[name] for name in variances],
        },
        index=list(variances),
    )


def component_tests(fit: MixedFit) -> pd.DataFrame:
    """Likelihood-ratio test of each component; see `MixedFit.component_tests`.

    A variance of zero lies on the boundary: under the hypothesis the estimate is zero half of the time, and the
    statistic has the even mixture of χ² with 0 and with 1 degrees of freedom (Self and Liang 1987).
    """
    rows = {}
    sources: tuple[Component, ...] = ("replication",)
    if fit.design.model == "domain" and fit.covariance == "scalar":
        sources = ("dataset", "interaction", "replication")
    for source in sources:
        smaller = estimate(fit.design, fit.covariance, fit.method, fit.residual, without=source)
        criterion = smaller.solution.point.criterion
        statistic = max(criterion - fit.criterion, 0.0)
        name = fit.design.row_name if source == "replication" else source
        p = 1.0 if statistic == 0 else float(chdtrc(1, statistic)) / 2
        rows[name] = {"criterion": criterion, "statistic": statistic, "pvalue": p}
    return pd.DataFrame.from_dict(rows, orient="index")
