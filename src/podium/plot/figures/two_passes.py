"""Critical difference diagrams without and with the cost: what Multi²Test compares."""

from __future__ import annotations

from podium.analysis.multitest import Multi2Test
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.critical_difference import CriticalDifference, critical_difference
from podium.plot.figures.numbers import Numbers

__all__ = ["TwoPasses", "two_passes"]


@record(eq=False, kw_only=True)
class TwoPasses(Numbers):
    """Numbers of two critical difference diagrams.

    Attributes
    ----------
    without_cost : CriticalDifference
        By the ranks of the measure alone.
    with_cost : CriticalDifference
        By the ranks of the first pass, which the second pass starts from.
    measure_name, cost_name : str
    """

    without_cost: CriticalDifference
    with_cost: CriticalDifference
    measure_name: str
    cost_name: str

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms, the best mean rank of the first pass first."""
        return self.with_cost.algorithms


def two_passes(multitest: Multi2Test) -> TwoPasses:
    """Compute the numbers of the critical difference diagrams without and with the cost.

    Parameters
    ----------
    multitest : Multi2Test
        The outcome of `podium.multi2test`.

    Examples
    --------
    >>> import podium
    >>> results, seconds = (podium.examples.load_ulas2008(name) for name in ("accuracy", "training time"))
    >>> numbers = podium.plot.figures.two_passes(podium.multi2test(results, cost=seconds))
    >>> numbers.without_cost.algorithms[0], numbers.with_cost.algorithms[0]
    ('svr', '5nn')
    """
    found = expect(multitest, Multi2Test, "multitest")
    if found.without_cost is None:
        raise InputError(
            "Cells are missing, so there are no ranks by the measure alone. Draw the first pass alone: "
            "podium.plot.critical_difference(multitest.comparison)."
        )
    return TwoPasses(
        without_cost=critical_difference(found.without_cost),
        with_cost=critical_difference(found.comparison),
        measure_name=found.measure.name,
        cost_name=found.cost_info.name,
    )
