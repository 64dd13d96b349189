"""Box plots of the fitted values and the residuals of a mixed model."""

from __future__ import annotations

from collections.abc import Mapping

from podium.arrays import ObjectArray
from podium.figures.fitted_boxes import FittedBoxes
from podium.figures.fitted_boxes import fitted_boxes as fitted_numbers
from podium.plot import canvas
from podium.plot.drawing import PLOTS, draws
from podium.plot.style import FONTS, WIDTHS, NamedSize, label_values

__all__ = ["fitted_boxes"]


def _inches(numbers: FittedBoxes, size: NamedSize, options: canvas.Options) -> canvas.Inches:
    return WIDTHS[size], 2 * FONTS[size] * (0.042 * len(numbers.algorithms) + 0.1)


@draws(fitted_numbers, canvas=canvas.panels(2, _inches))
def fitted_boxes(
    axes: ObjectArray, numbers: FittedBoxes, *, palette: Mapping[str, str], title: str | None = None
) -> None:
    """Draw box plots of fitted values and of residuals, one below the other.

    Residuals should lie around zero with the same spread for all algorithms; where they do not, fit the model with
    ``residual="algorithm"``.

    Examples
    --------
    >>> import podium
    >>> iris = podium.datasets.load_ulas2008().select(dataset="iris")
    >>> above, below = podium.plot.fitted_boxes(podium.mixed(iris))
    >>> below.get_title(loc="left")
    'Residuals'
    """
    above, below = axes
    heading = f"{numbers.heading}: fitted values" if title is None else title
    draw_box = PLOTS["box"].draw
    draw_box(above, numbers.fitted, palette=palette, title=heading)
    draw_box(below, numbers.residuals, palette=palette, title="Residuals")
    label_values(below, ["value less fitted value,", numbers.measure_label], "x")
    below.axvline(0, color="black", linewidth=0.8, zorder=0.5)
