"""Density estimates of the performance distributions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.arrays import FloatArray
from podium.checks import record
from podium.plot.figures.numbers import FigureNumbers, columns_of, from_blocks, means_of, panel, quartiles_of
from podium.results import Results
from podium.results.aggregation import sample_deviation

__all__ = ["Density", "density"]

GRID = 512
LARGE = 1e100


@record(eq=False, kw_only=True)
class Density(FigureNumbers):
    """Numbers of a density plot.

    Attributes
    ----------
    grid : ndarray of float
        Values at which densities are given, common to all algorithms.
    density : ndarray of float, shape (algorithms, grid)
        Gaussian kernel density estimates; per unit of log10 of the values if the measure is logarithmic.
    bandwidth : ndarray of float
        Bandwidth for each algorithm, on the same scale.
    lowest, highest : ndarray of float
        Range of the values of each algorithm; drawings end there.
    quartiles : ndarray of float, shape (algorithms, 3)
        25%, 50% and 75%.
    means : ndarray of float
    """

    grid: FloatArray
    density: FloatArray
    bandwidth: FloatArray
    lowest: FloatArray
    highest: FloatArray
    quartiles: FloatArray
    means: FloatArray


@panel
def density(
    results: Results,
    measure: str | None = None,
    *,
    order: Sequence[str] | None = None,
    missing: str = "raise",
) -> Density:
    """Compute the numbers of a density plot, algorithms ordered by mean."""
    table = ordered_blocks(results, measure, missing=missing, order=order)
    columns = columns_of(table.values)
    logarithmic = table.measure.scale == "log" and all((column > 0).all() for column in columns)
    grid, heights, widths = estimate(columns, logarithmic)
    return Density(
        **from_blocks(table),
        grid=10**grid if logarithmic else grid,
        density=heights,
        bandwidth=widths,
        lowest=np.array([column[0] if len(column) else np.nan for column in columns]),
        highest=np.array([column[-1] if len(column) else np.nan for column in columns]),
        quartiles=np.array([quartiles_of(column) for column in columns]),
        means=means_of(columns),
    )


def estimate(columns: list[FloatArray], logarithmic: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Estimate the density of each column on one grid; on the scale of log10 if `logarithmic`."""
    peak = max((float(np.abs(column).max()) for column in columns if len(column)), default=1.0)
    if not logarithmic and peak > LARGE:  # squares would overflow
        places, shares, spreads = estimate([column / peak for column in columns], logarithmic)
        return places * peak, shares / peak, spreads * peak
    scaled = [np.log10(column) if logarithmic else column for column in columns]
    pooled = np.concatenate(scaled)
    low, high = float(pooled.min()), float(pooled.max())
    span = (high - low) or max(abs(high), 1.0) * 0.1
    widths = np.array([bandwidth(column, 0.01 * span) for column in scaled])
    margin = 3 * float(widths.max())
    grid = np.linspace(low - margin, high + margin, GRID)
    heights = [
        kernel_density(column, grid, width) if len(column) else np.zeros(GRID)
        for column, width in zip(scaled, widths, strict=True)
    ]
    return grid, np.array(heights), widths


def scaled_densities(columns: list[FloatArray], at: list[FloatArray], logarithmic: bool) -> list[FloatArray]:
    """Density of each column at some values, as a share of its maximum."""
    logarithmic = logarithmic and all((column > 0).all() for column in columns)
    grid, heights, _ = estimate(columns, logarithmic)
    return [
        np.interp(np.log10(values) if logarithmic else values, grid, height / height.max()) if len(values) else values
        for values, height in zip(at, heights, strict=True)
    ]


def bandwidth(values: FloatArray, smallest: float) -> float:
    """Bandwidth by Silverman's rule of thumb (1986, eq. 3.31): 0.9 · min(SD, IQR / 1.34) · n^(-1/5).

    Where the quartiles coincide the SD alone decides; `smallest` is a lower bound for values that hardly vary.
    """
    if len(values) < 2:
        return smallest
    sd = float(sample_deviation(values))
    low, high = np.quantile(values, [0.25, 0.75])
    spread = min(sd, float(high - low) / 1.34) or sd
    return max(0.9 * spread / float(len(values) ** 0.2), smallest)


def kernel_density(values: FloatArray, grid: FloatArray, width: float) -> FloatArray:
    """Gaussian kernel density estimate on an evenly spaced grid that covers the values.

    Values are spread linearly over the two grid points around them (Wand & Jones 1995, appendix D), then the grid
    is convolved with the kernel; on a grid of 512 points the error is far below what a drawing shows.
    """
    step = grid[1] - grid[0]
    where = (values - grid[0]) / step
    left = np.clip(np.floor(where).astype(int), 0, len(grid) - 2)
    share = where - left
    mass = np.bincount(left, 1 - share, len(grid)) + np.bincount(left + 1, share, len(grid))
    reach = min(int(np.ceil(5 * width / step)), len(grid) - 1)
    offsets = np.arange(-reach, reach + 1) * step
    kernel = np.exp(-0.5 * (offsets / width) ** 2)
    kernel /= kernel.sum() * step
    return np.convolve(mass / len(values), kernel)[reach : reach + len(grid)]
