"""Random effects: predictions (BLUPs), fitted values and residuals."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.mixed.fitted_model import FittedModel
from podium.arrays import FloatArray, IntArray, ObjectArray
from podium.checks import check_choice
from podium.errors import InputError

Effect: TypeAlias = Literal["dataset", "interaction", "cell", "replication"]


def blups(model: FittedModel, effect: Effect) -> pd.DataFrame:
    """Predicted effects of one kind, with their uncertainty; see `MixedFit.blups`."""
    check_choice(effect, get_args(Effect), "effect")
    if effect == "replication":
        return _replication_frame(model)
    if model.design.model != "domain":
        raise InputError(
            f"`effect={effect!r}` needs random data sets: only the domain model has them. This one has 'replication'."
        )
    value, sd, conditional = dataset_effects(model, effect)
    names, algorithms = np.array(model.design.source.datasets, object), np.array(model.design.algorithms, object)
    if effect == "dataset":
        return pd.DataFrame({"dataset": names, "estimate": value, "sd": sd, "conditional_sd": conditional})
    m, k = value.shape
    return pd.DataFrame(
        {
            "dataset": np.repeat(names, k),
            "algorithm": np.tile(algorithms, m),
            "estimate": value.ravel(),
            "sd": sd.ravel(),
            "conditional_sd": conditional.ravel(),
        }
    )


def dataset_effects(model: FittedModel, effect: Effect) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Effects of data sets, their prediction error, and the same as if the algorithm means were known.

    Henderson's predictions are Γ v with v = Z'Py, where Γ is the covariance of the effects with those of the cells; the
    prediction error has covariance Γ₀ - Γ (Z'PZ) Γ', and Z'V⁻¹Z stands for Z'PZ where the means are known.
    """
    point = model.point
    k = len(model.design.algorithms)
    G = model.effects_matrix
    assert G is not None
    if effect == "cell":
        map_, own = G, G
    else:
        common, apart = _split(model, G)
        if effect == "dataset":
            map_ = common[:1]
            own = _dataset_variance(model, G)
        else:
            map_, own = apart, apart if model.covariance == "scalar" else _centred(G)
    value = point.score @ map_.T
    known = np.einsum("ik,mkl,il->mi", map_, point.A_star, map_)
    projected = point.A_star - point.A_star @ point.vcov @ point.A_star
    both = np.einsum("ik,mkl,il->mi", map_, projected, map_)
    prior = np.diag(own)
    sd = np.sqrt(np.maximum(prior - both, 0.0))
    conditional = np.sqrt(np.maximum(prior - known, 0.0))
    if effect == "dataset":
        return value[:, 0], sd[:, 0], conditional[:, 0]
    assert value.shape == (model.design.datasets, k)
    return value, sd, conditional


def _split(model: FittedModel, G: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Covariance with the cell effects of the effect of a data set on all algorithms, and of the interaction.

    The scalar model has both as separate effects. An unstructured covariance has only their sum; there its mean over
    the algorithms counts as the effect of the data set.
    """
    k = len(G)
    if model.covariance == "scalar":
        common, apart = model.solution.phi[:2] * model.size**2
        return np.full((k, k), common), apart * np.eye(k)
    mean = np.full((k, k), 1 / k)
    return mean @ G, G - mean @ G


def _dataset_variance(model: FittedModel, G: FloatArray) -> FloatArray:
    """Prior variance of the effect of a data set."""
    return np.array([[model.solution.phi[0] * model.size**2 if model.covariance == "scalar" else G.mean()]])


def _centred(G: FloatArray) -> FloatArray:
    centre = np.eye(len(G)) - 1 / len(G)
    return np.asarray(centre @ G @ centre)


def row_effects(model: FittedModel) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Effects of rows (replications), prediction error and conditional sd; NaN where there is no row.

    Given the cell means a row of residuals r has the effect s 1'V₀⁻¹r, with variance s - s² 1'V₀⁻¹1.
    """
    values = model.design.cube
    observed = ~np.isnan(values)
    _, s, _ = model.objective.split(model.solution.phi * model.size**2)
    weight = np.where(observed, 1 / model.residual_by_cell[:, None, :], 0.0)
    growth = 1 + s * weight.sum(axis=2)
    deviation = np.where(observed, values - model.cell_means[:, None, :], 0.0)
    pull = s / growth
    value = pull * (weight * deviation).sum(axis=2)
    own = pull  # s - s² w'1/(1 + s w'1)
    point = model.point
    weight_on_rows = pull[:, :, None] * weight

    def through(spread: FloatArray) -> FloatArray:
        """Variance added by the uncertainty of the cell means."""
        return np.asarray(np.einsum("mbk,mbk->mb", weight_on_rows @ spread, weight_on_rows))

    nothing = np.isnan(values).all(axis=2)
    sd, conditional = (np.sqrt(own + through(spread)) for spread in (model.cell_vcov, point.posterior))
    return np.where(nothing, np.nan, value), np.where(nothing, np.nan, sd), np.where(nothing, np.nan, conditional)


def _replication_frame(model: FittedModel) -> pd.DataFrame:
    value, sd, conditional = row_effects(model)
    m, b = np.nonzero(~np.isnan(value))
    numbers = {"estimate": value[m, b], "sd": sd[m, b], "conditional_sd": conditional[m, b]}
    return pd.DataFrame({**_row_labels(model, m, b), **numbers})


def _row_labels(model: FittedModel, m: IntArray, b: IntArray) -> dict[str, ObjectArray]:
    """Label rows by data set and replication, or by the data set alone where that is the row."""
    datasets, rows = np.array(model.design.source.datasets, object), np.array(model.design.rows, object)
    if model.design.row_name == "dataset":
        return {"dataset": rows[b]}
    return {"dataset": datasets[m], "replication": rows[b]}


def fitted_frame(model: FittedModel) -> pd.DataFrame:
    """One row per value, with its fitted value and its residual."""
    values = model.design.cube
    fitted = model.cell_means[:, None, :] + row_effects(model)[0][:, :, None]
    m, b, k = np.nonzero(~np.isnan(values))
    return pd.DataFrame(
        {
            **_row_labels(model, m, b),
            "algorithm": np.array(model.design.algorithms, object)[k],
            "value": values[m, b, k],
            "fitted": fitted[m, b, k],
            "residual": values[m, b, k] - fitted[m, b, k],
        }
    )
