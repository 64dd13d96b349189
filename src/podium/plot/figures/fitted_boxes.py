"""Diagnostics of a mixed model: box plots of fitted values and of residuals, by algorithm."""

from __future__ import annotations

import numpy as np

from podium.analysis.blocks import Blocks, best_first
from podium.analysis.mixed.fit import MixedFit
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.box import Box, box_of
from podium.plot.figures.numbers import FigureNumbers, from_blocks
from podium.results import MeasureInfo, Results

__all__ = ["FittedBoxes", "fitted_boxes"]


@record(eq=False, kw_only=True)
class FittedBoxes(FigureNumbers):
    """Numbers of the box plots of a fit.

    Attributes
    ----------
    fitted, residuals : Box
        Of all values of each algorithm, on all data sets together.
    residual_sd : ndarray of float
        Standard deviation of the residuals of each algorithm; where these differ much, see `residual` of
        `podium.mixed`.
    model : str
    """

    fitted: Box
    residuals: Box
    residual_sd: FloatArray
    model: str


def fitted_boxes(fit: MixedFit) -> FittedBoxes:
    """Compute the numbers of the box plots of fitted values and residuals.

    Parameters
    ----------
    fit : MixedFit
        The outcome of `podium.mixed`.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> podium.plot.figures.fitted_boxes(podium.mixed(iris)).residual_sd.round(1)
    array([1.7, 0.9, 1.4, 1.2, 4.4, 4. , 6.9, 4.6])
    """
    frame = expect(fit, MixedFit, "fit").frame()
    names = fit.design.algorithms
    order = [names[i] for i in best_first(np.asarray(fit.design.measure.sign * fit.estimates, float), names)]
    spread = frame.groupby("algorithm")["residual"].std()
    fitted = box_of(_pooled(fit, frame["fitted"].to_numpy(float), fit.design.measure, order))
    measure = MeasureInfo(f"residual of {fit.design.measure.name}", "lower", units=fit.design.measure.units)
    residuals = box_of(_pooled(fit, frame["residual"].to_numpy(float), measure, order))
    return FittedBoxes(
        **from_blocks(fit.design, tuple(order)),
        fitted=fitted,
        residuals=residuals,
        residual_sd=np.asarray(spread[order], dtype=np.float64),
        model=fit.design.model,
    )


def _pooled(fit: MixedFit, numbers: FloatArray, measure: MeasureInfo, order: list[str]) -> Blocks:
    """Put the rows of all data sets below each other, as if they were replications of one."""
    values = fit.design.cube
    m, b, k = values.shape
    table = np.full(values.shape, np.nan)
    table[~np.isnan(values)] = numbers
    pooled = Results(
        values=table.reshape(1, m * b, k, 1),
        datasets=(fit.design.name,),
        replications=tuple(range(1, m * b + 1)),
        algorithms=fit.design.algorithms,
        measures=(measure,),
    )
    rows = pooled.select(algorithms=order).values[0, :, :, 0]
    return Blocks(
        values=rows[~np.isnan(rows).all(axis=1)],
        labels=pooled.replications,
        algorithms=tuple(order),
        measure=measure,
        unit="replication",
        source=pooled,
        missing=fit.design.missing,
    )
