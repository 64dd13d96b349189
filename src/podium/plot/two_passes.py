"""Critical difference diagrams without and with the cost."""

from __future__ import annotations

from podium.arrays import ObjectArray
from podium.plot import canvas
from podium.plot.critical_difference import _height as height_of_one
from podium.plot.drawing import PLOTS, plot_of
from podium.plot.figures.two_passes import TwoPasses
from podium.plot.figures.two_passes import two_passes as two_numbers
from podium.plot.style import Sheet, title_height, whole_figure

__all__ = ["two_passes"]


def _titles(numbers: TwoPasses) -> tuple[str, str]:
    return (
        f"By {numbers.measure_name} alone",
        f"By {numbers.measure_name} and {numbers.cost_name}: ranks of the first pass",
    )


def _height(numbers: TwoPasses, sheet: Sheet, options: canvas.Options) -> float:
    usual = {"sides": None, "groups": "bars", "decimals": 2}
    parts = (numbers.without_cost, numbers.with_cost)
    heights = [height_of_one(p, sheet, {**usual, "title": t}) for p, t in zip(parts, _titles(numbers), strict=True)]
    return 2 * max(heights) + 2 * sheet.font + title_height(options["title"], "", sheet.room)


@plot_of(two_numbers, canvas=canvas.panels(2, _height))
def two_passes(axes: ObjectArray, numbers: TwoPasses, *, title: str | None = None) -> None:
    """Draw critical difference diagrams by the measure alone, and by the ranks of the first pass of Multi²Test.

    Parameters
    ----------
    title : str, optional
        Title above both diagrams; by default there is none.

    Examples
    --------
    >>> import podium
    >>> results, seconds = (podium.examples.load_ulas2008(name) for name in ("accuracy", "training time"))
    >>> above, below = podium.plot.two_passes(podium.multi2test(results, cost=seconds))
    >>> above.get_title(loc="left")
    'By accuracy alone'
    """
    draw = PLOTS["critical_difference"].draw
    for ax, part, heading in zip(axes, (numbers.without_cost, numbers.with_cost), _titles(numbers), strict=True):
        draw(ax, part, title=heading)
    if title:
        whole_figure(axes[0]).suptitle(title)
