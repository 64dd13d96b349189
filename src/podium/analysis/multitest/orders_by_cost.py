"""Orders by several costs at once, and where they disagree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, ClassVar

import pandas as pd

from podium.analysis.multitest import text
from podium.analysis.multitest.cost import Cost
from podium.analysis.multitest.multi2test import Multi2Test, multi2test
from podium.analysis.multitest.multitest import MultiTest, multitest
from podium.analysis.multitest.tables import costs_table
from podium.analysis.pairs import Alternative
from podium.analysis.procedure import Procedure
from podium.checks import check_call, describe, expect, record
from podium.errors import InputError
from podium.results import MeasureInfo, Results
from podium.typesetting import Table


@record(eq=False, repr=False, kw_only=True)
class OrdersByCost:
    """The orders that several costs lead to.

    Attributes
    ----------
    algorithms : tuple of str
    found : mapping of str to MultiTest or Multi2Test
        The outcome for each cost, by its name.
    measure : MeasureInfo or None
        What was tested.
    """

    _made_from: ClassVar = ((object, "Create one with podium.inference.orders_by_cost(results, costs=...)."),)

    algorithms: tuple[str, ...]
    found: Mapping[str, MultiTest | Multi2Test]
    measure: MeasureInfo | None

    @property
    def orders(self) -> dict[str, tuple[str, ...]]:
        """The order of each cost, best first."""
        return {name: one.order for name, one in self.found.items()}

    @property
    def agreed(self) -> bool:
        """Whether all costs lead to the same order."""
        return len(set(self.orders.values())) == 1

    def frame(self) -> pd.DataFrame:
        """Place of each algorithm (row) by each cost (column), the algorithm with the best mean place first."""
        places = pd.DataFrame(
            {cost: [order.index(name) + 1 for name in self.algorithms] for cost, order in self.orders.items()},
            index=pd.Index(self.algorithms, name="algorithm"),
        )
        total = places.sum(axis="columns")
        return places.loc[sorted(self.algorithms, key=lambda name: (total[name], name))]

    def disagreements(self) -> pd.DataFrame:
        """List the pairs of algorithms that the costs order differently.

        Returns
        -------
        DataFrame
            Columns a, b, a_first and b_first (the costs by which a, or b, comes first, as tuples) and spread: by how
            many places the two are apart at most, in opposite directions.
        """
        frame = self.frame()
        rows = []
        for a, b in combinations(frame.index, 2):
            lead = frame.loc[b] - frame.loc[a]
            if (lead > 0).any() and (lead < 0).any():
                ahead, behind = (tuple(frame.columns[side]) for side in (lead > 0, lead < 0))
                rows.append((a, b, ahead, behind, int(lead.max() - lead.min())))
        found = pd.DataFrame(rows, columns=["a", "b", "a_first", "b_first", "spread"])
        return found.sort_values(["spread", "a", "b"], ascending=[False, True, True], ignore_index=True)

    def table(self) -> Table:
        """Return the places as a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.
        """
        return costs_table(self)

    def text(self) -> str:
        """Describe the orders, and where they disagree."""
        return text.costs_paragraph(self)

    def __repr__(self) -> str:
        return text.costs_lines(self)

    def _repr_html_(self) -> str:
        return self.table().html()


@check_call
def orders_by_cost(
    results: Results,
    measure: str | None = None,
    *,
    costs: Mapping[str, Cost] | Sequence[str] | Results,
    dataset: str | None = None,
    test: str | Procedure | None = None,
    method: str | Procedure = "nemenyi",
    alpha: float = 0.05,
    adjust: str = "none",
    alternative: Alternative = "two-sided",
    missing: str = "raise",
    **options: Any,
) -> OrdersByCost:
    """Order algorithms by several costs, one after the other, and see where the orders disagree.

    Parameters
    ----------
    results : Results
        Of one data set (`multitest`) or of several (`multi2test`).
    measure : str, optional
        The measure that is tested, where there are several besides the costs.
    costs : mapping of str to cost, sequence of str, or Results
        The costs by name, each as in `multitest`; the names of measures of the results; or results whose measures are
        the costs.
    dataset : str, optional
        Order on this data set only.
    test, method, alpha, adjust, alternative, missing
        As in `multi2test`.
    **options
        Those of the test, as in `compare`.

    Returns
    -------
    OrdersByCost

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> costs = {name: podium.examples.load_ulas2008(name) for name in ("training time", "space")}
    >>> found = podium.inference.orders_by_cost(accuracy, costs=costs)
    >>> found.frame().loc["5nn"].to_dict()
    {'training time': 1, 'space': 8}
    >>> len(found.disagreements())
    11
    """
    expect(results, Results, "results")
    if isinstance(costs, Results):
        named: Mapping[str, Any] = {name: costs.select(measure=name) for name in costs.measure_names}
    elif isinstance(costs, Mapping):
        named = {str(name): cost for name, cost in costs.items()}
    elif isinstance(costs, Sequence) and not isinstance(costs, str) and all(isinstance(one, str) for one in costs):
        named = {name: name for name in costs}
    else:
        raise InputError(
            "`costs` must be costs by name, such as {'time': seconds, 'space': megabytes}, names of measures of the "
            f"results, or a Results; got {describe(costs)}."
        )
    if not named:
        raise InputError("`costs` is empty; name at least one.")
    of_results = [name for name in named.values() if isinstance(name, str)]
    if of_results and measure is None:
        others = [name for name in results.measure_names if name not in of_results]
        measure = others[0] if len(others) == 1 else None
    if dataset is not None:
        results = results.select(dataset=dataset)
    several = len(results.datasets) > 1
    settings: dict[str, Any] = {"test": test, "alpha": alpha, "adjust": adjust, "alternative": alternative}
    settings |= {"missing": missing, **options} | ({"method": method} if several else {})
    order = multi2test if several else multitest
    found = {name: order(results, measure, cost=cost, **settings) for name, cost in named.items()}
    kept = [one.algorithms for one in found.values()]
    common = tuple(name for name in kept[0] if all(name in others for others in kept))
    if any(len(names) != len(common) for names in kept):
        raise InputError(
            "`missing='drop-algorithm'` leaves out different algorithms for each cost, so the orders cannot be "
            "compared. Select the algorithms first, or use another policy."
        )
    one = next(iter(found.values()))
    return OrdersByCost(algorithms=common, found=MappingProxyType(found), measure=one.measure)
