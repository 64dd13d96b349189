"""Box plots of the fitted values and the residuals of a mixed model."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from podium.analysis.mixed import MixedFit
from podium.figures.fitted_boxes import FittedBoxes
from podium.figures.fitted_boxes import fitted_boxes as numbers_of
from podium.plot.box import draw_box
from podium.plot.style import FONTS, WIDTHS, Size, check_size, colours, local


def fitted_boxes(
    fit: MixedFit | FittedBoxes, *, size: Size = "screen", palette: Mapping[str, str] | None = None
) -> Figure:
    """Draw box plots of fitted values and of residuals, one below the other.

    Residuals should lie around zero and spread alike for all algorithms; where they do not, fit the model with
    ``residual="algorithm"``.

    Parameters
    ----------
    fit : MixedFit or figures.FittedBoxes
    size : {"screen", "column"} or (float, float)
        Size of the figure.
    palette : mapping of str to str, optional
        Colours by algorithm.

    Returns
    -------
    Figure
        With two axes: fitted values and residuals.

    Examples
    --------
    >>> import podium
    >>> iris = podium.datasets.load_ulas2008().select(dataset="iris")
    >>> figure = podium.plot.fitted_boxes(podium.mixed(iris))
    """
    numbers = fit if isinstance(fit, FittedBoxes) else numbers_of(fit)
    check_size(size)
    with local(size):
        if isinstance(size, str):
            size = (WIDTHS[size], 2 * (0.042 * FONTS[size] * len(numbers.algorithms) + 0.1 * FONTS[size]))
        figure = plt.figure(figsize=size, layout="constrained")
        above, below = figure.subplots(2, 1)
        shades = colours(numbers.algorithms, palette)
        draw_box(above, numbers.fitted, shades, title=f"{numbers.heading}: fitted values")
        draw_box(below, numbers.residuals, shades, title="Residuals")
        units = f" [{numbers.measure.units}]" if numbers.measure.units else ""
        below.set_xlabel(f"value less fitted value, {numbers.measure.name}{units}")
        below.axvline(0, color="black", linewidth=0.8, zorder=0.5)
    return figure
