"""Box plots of the fitted values and the residuals of a mixed model."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib as mpl

from podium.arrays import ObjectArray
from podium.plot import canvas
from podium.plot.drawing import PLOTS, plot_of
from podium.plot.figures.fitted_boxes import FittedBoxes
from podium.plot.figures.fitted_boxes import fitted_boxes as fitted_numbers
from podium.plot.names import widest
from podium.plot.style import Sheet, cell_size, label_values, title_height

__all__ = ["fitted_boxes"]


def _height(numbers: FittedBoxes, sheet: Sheet, options: canvas.Options) -> float:
    room, title = sheet.room, options["title"]
    around = title_height(title, _heading(numbers), room) + title_height(title and " ", "x", room)
    return 2 * (canvas.height_of_rows(numbers.algorithms, sheet) + canvas.axis_below(2)) + around


def _heading(numbers: FittedBoxes) -> str:
    return f"{numbers.heading}: fitted values"


@plot_of(fitted_numbers, canvas=canvas.panels(2, _height))
def fitted_boxes(
    axes: ObjectArray, numbers: FittedBoxes, *, palette: Mapping[str, str], title: str | None = None
) -> None:
    """Draw box plots of fitted values and of residuals, one below the other.

    Residuals should lie around zero with the same spread for all algorithms; where they do not, fit the model with
    ``residual="algorithm"``.

    Examples
    --------
    >>> import podium
    >>> iris = podium.examples.load_ulas2008().select(dataset="iris")
    >>> above, below = podium.plot.fitted_boxes(podium.mixed(iris))
    >>> below.get_title(loc="left")
    'Residuals'
    """
    above, below = axes
    heading = _heading(numbers) if title is None else title
    draw_box = PLOTS["box"].draw
    draw_box(above, numbers.fitted, palette=palette, title=heading)
    draw_box(below, numbers.residuals, palette=palette, title="Residuals" if title != "" else "")
    left = widest([text.get_text() for text in below.get_yticklabels()], float(mpl.rcParams["ytick.labelsize"])) + 6
    parts = ["value less fitted value,", numbers.measure_label]
    label_values(below, parts, "x", cell_size(below)[0] - left)
    below.axvline(0, color="black", linewidth=0.8, zorder=0.5)
