"""Multi²Test: algorithms on several data sets in an order of accuracy and cost."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.analysis.blocks import lacking_as_whole
from podium.analysis.compare import compare, find_procedure
from podium.analysis.comparison import Comparison
from podium.analysis.methods.rank_test import refuse_control_test
from podium.analysis.methods.ranks import rank_blocks
from podium.analysis.multitest import text
from podium.analysis.multitest.cost import Cost, CostTable, split_cost
from podium.analysis.multitest.multitest import (
    MultiTest,
    Settings,
    check_settings,
    order_tests,
    resolve,
    shortened,
    test_and_walk,
)
from podium.analysis.multitest.tables import multi2test_table
from podium.analysis.notes import Note, few_blocks_inside
from podium.analysis.pairs import Alternative
from podium.analysis.procedure import Procedure
from podium.analysis.relation import Relation
from podium.arrays import FloatArray, lock
from podium.checks import check_call, expect, record
from podium.errors import InputError
from podium.results import MeasureInfo, Results
from podium.typesetting import Table

RANK = MeasureInfo("MultiTest rank", "lower")


@record(eq=False, repr=False, kw_only=True)
class Multi2Test:
    """The order of algorithms by Multi²Test, and how it came about.

    Attributes
    ----------
    algorithms, datasets : tuple of str
    first : mapping of str to MultiTest
        The first pass: MultiTest on each data set.
    over_datasets : bool
        Whether the measure itself is compared over the data sets, because no data set is tested in the first pass.
    rank_values : ndarray of float, shape (M, K)
        The places of the first pass, 1 for the best, or, with `over_datasets`, the ranks of the means on each data set;
        `ranks` is the same as a table.
    comparison : Comparison
        All pairs, compared by these ranks over the data sets, or with `over_datasets` by the means.
    second : MultiTest
        The second pass: its tests are those of `comparison`, its prior order is that of the average normalised costs.
    without_cost : Comparison or None
        The same comparison of the measure itself, without any cost; None where cells are missing.
    measure, cost_info : MeasureInfo
        What was tested, and what the algorithms cost.
    notes : tuple of Note

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> space = podium.examples.load_ulas2008("space")
    >>> found = podium.multi2test(accuracy, cost=space)
    >>> found.order
    ('c45', 'mdt', 'mlp', 'lnp', 'svl', 'svr', 'sv2', '5nn')
    >>> found.ranks.mean().round(2).to_dict()
    {'c45': 3.34, 'mdt': 3.32, 'mlp': 3.29, 'lnp': 3.71, 'svl': 5.18, 'sv2': 5.87, 'svr': 4.55, '5nn': 6.74}
    """

    _made_from: ClassVar = ((object, "Create one with podium.multi2test(results, cost=...)."),)
    _ways_out: ClassVar = {
        MultiTest: "Use its field `second`, or first[dataset].",
        Comparison: "Use its field `comparison`.",
        Relation: "Use its method relation().",
        Results: "Use the results that it was made from.",
    }

    algorithms: tuple[str, ...]
    datasets: tuple[str, ...]
    first: Mapping[str, MultiTest]
    over_datasets: bool
    rank_values: FloatArray
    comparison: Comparison
    second: MultiTest
    without_cost: Comparison | None
    measure: MeasureInfo
    cost_info: MeasureInfo
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        lock(self, "rank_values")

    @property
    def order(self) -> tuple[str, ...]:
        """The algorithms, best first."""
        return self.second.order

    @property
    def untested(self) -> tuple[str, ...]:
        """The data sets on which no test can override the prior order, whatever the values are."""
        return tuple(name for name, one in self.first.items() if one.untested)

    @property
    def prior(self) -> tuple[str, ...]:
        """The algorithms by average normalised cost, cheapest first."""
        return self.second.prior

    @property
    def ranks(self) -> pd.DataFrame:
        """Place of each algorithm (column) on each data set (row), 1 for the best."""
        index = pd.Index(self.datasets, name="dataset")
        values = self.rank_values if self.over_datasets else self.rank_values.astype(int)
        return pd.DataFrame(values, index=index, columns=list(self.algorithms))

    @property
    def mean_ranks(self) -> pd.Series[float]:
        """Mean rank of each algorithm over the data sets."""
        return pd.Series(self.rank_values.mean(axis=0), index=list(self.algorithms), name="mean rank")

    @property
    def average_cost(self) -> pd.Series[float]:
        """Mean over data sets of the normalised cost: 0 for the cheapest on a data set, 1 for the costliest."""
        return pd.Series(self.second.cost, index=list(self.algorithms), name="average cost")

    def relation(self) -> Relation:
        """Return the order as a relation."""
        return self.second.relation()

    def frame(self) -> pd.DataFrame:
        """One row per algorithm, best first.

        Returns
        -------
        DataFrame
            Indexed by algorithm, with columns rank, prior (place by average cost), mean_rank, average_cost, first (on
            how many data sets it comes first), better_than and worse_than (in the second pass; see `MultiTest.frame`).
        """
        found = self.second.frame()
        at = [self.algorithms.index(name) for name in found.index]
        return pd.DataFrame(
            {
                "rank": found["rank"],
                "prior": found["prior"],
                "mean_rank": self.rank_values.mean(axis=0)[at],
                "average_cost": found["cost"],
                "first": (self.rank_values == 1).sum(axis=0)[at],
                "better_than": found["better_than"],
                "worse_than": found["worse_than"],
            }
        )

    def overrides(self) -> pd.DataFrame:
        """List where a test overrode the prior order, in both passes.

        Returns
        -------
        DataFrame
            Columns stage (1 or 2), dataset (empty in the second pass), preferred, better, estimate, pvalue, adjusted.
        """
        found = [(1, name, edge) for name, one in self.first.items() for edge in one.overrides]
        found += [(2, "", edge) for edge in self.second.overrides]
        rows = [(n, d, e.preferred, e.better, e.estimate, e.pvalue, e.adjusted) for n, d, e in found]
        columns = ["stage", "dataset", "preferred", "better", "estimate", "pvalue", "adjusted"]
        return pd.DataFrame(rows, columns=columns)

    def table(self) -> Table:
        """Return the order as a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.
        """
        return multi2test_table(self)

    def text(self) -> str:
        """Describe both passes and the order in a paragraph."""
        return text.multi2test_paragraph(self)

    def __repr__(self) -> str:
        return text.multi2test_lines(self)

    def _repr_html_(self) -> str:
        return text.multi2test_html(self)


@check_call
def multi2test(
    results: Results,
    measure: str | None = None,
    *,
    cost: Cost,
    test: str | Procedure | None = None,
    method: str | Procedure = "nemenyi",
    alpha: float = 0.05,
    adjust: str = "none",
    alternative: Alternative = "two-sided",
    second_adjust: str | None = None,
    omnibus: bool | None = None,
    cost_direction: str | None = None,
    missing: str = "raise",
    **options: Any,
) -> Multi2Test:
    """Order algorithms over several data sets by two passes of MultiTest.

    The first pass is `multitest` on each data set, with the prior order of the cost there; it ranks the algorithms. The
    ranks are compared over the data sets, by default by the Nemenyi test. The second pass is MultiTest with the outcome
    of that comparison, and with the prior order of the costs averaged over the data sets, normalised on each.

    Where `test` is left out and no data set has enough replications for a test, there is no first pass: the measure
    itself is compared over the data sets.

    Parameters
    ----------
    results : Results
        Of two or more data sets, with replications.
    measure : str, optional
        The measure that is tested, where there are several besides the cost.
    cost : str, Results, Series, DataFrame, mapping or sequence
        As in `multitest`. A `Results` or a DataFrame has a cost on each data set; what is given by hand holds for all.
    test : str or Procedure, optional
        The test of each pair on each data set, as in `multitest`.
    method : str or Procedure, default "nemenyi"
        How the ranks are compared over the data sets: any `method` of `compare` for data sets.
    alpha : float, default 0.05
        Level of the tests in both passes.
    adjust : str, default "none"
        Adjustment for the number of pairs in the first pass.
    alternative : {"two-sided", "better"}
        Of the tests in the first pass, as in `multitest`. The second pass is two-sided.
    second_adjust : str, optional
        Adjustment in the second pass; by default that of the method.
    omnibus : bool, optional
        Whether a global test goes first in the second pass, as in `compare`; by default before rank methods.
    cost_direction : {"lower", "higher"}, optional
        Which costs are preferred, where `cost` does not say so itself; lower by default.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells, as in `multitest`. With ``"drop-block"`` replications with a missing cell are left
        out, and data sets on which the test is then impossible, as the 5×2 cv F test is with fewer than ten folds.
    **options
        Those of the test in the first pass, as in `compare`.

    Returns
    -------
    Multi2Test

    References
    ----------
    M. A. Ulaş, O. T. Yıldız, E. Alpaydın (2008). Cost-conscious comparison of supervised learning algorithms over
    multiple data sets. Technical report FBE/CMPE-01/2008-04, Boğaziçi University.

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> found = podium.multi2test(accuracy, cost=seconds, test="5x2cv F")
    >>> found.order
    ('5nn', 'c45', 'lnp', 'mlp', 'mdt', 'svl', 'sv2', 'svr')
    >>> found.second.overrides  # no test overrides the average costs
    ()
    """
    expect(results, Results, "results")
    settings = check_settings(test, alpha, adjust, alternative, missing, options)
    refuse_control_test(find_procedure(method))
    if omnibus is not None and not isinstance(omnibus, bool):
        raise InputError("`omnibus` must be True, False or None; the ranks that it would test are made here.")
    chosen, priced = split_cost(results, measure, cost)
    if len(chosen.datasets) < 2:
        raise InputError(
            f"Multi²Test needs several data sets; there is only {chosen.datasets[0]!r}. Use podium.multitest(results, "
            "cost=...)."
        )
    settings = settings.chosen_for(chosen)
    resolved, table, notes = resolve(chosen, priced, cost_direction, settings.missing)
    first, dropped = _first_pass(resolved, table, settings)
    if dropped:
        notes += (Note("left out", names=dropped, because="gaps"),)
        resolved, table = resolved.select(datasets=list(first)), table.take(tuple(first), table.algorithms)
    if len(first) < 2:
        raise InputError(
            f"Only the data set {next(iter(first))!r} is left after missing={settings.missing!r}; two are needed."
        )
    notes = (*few_blocks_inside({name: [one.notes] for name, one in first.items()}), *notes)
    values = _table_of(resolved, settings)
    again: dict[str, Any] = {"method": method, "alpha": alpha, "adjust": second_adjust, "omnibus": omnibus}
    without_cost = (
        None if np.isnan(values).any() else compare(_as_results(resolved, values, resolved.measures[0]), **again)
    )
    comparison = without_cost if test is None and all(one.untested for one in first.values()) else None
    over = comparison is not None
    if comparison is None:
        ranks = np.array([one.ranks.to_numpy(float) for one in first.values()])
        comparison = compare(_as_results(resolved, ranks, RANK), **again)
    else:
        ranks = rank_blocks(resolved.measures[0].sign * values)
    return Multi2Test(
        algorithms=resolved.algorithms,
        datasets=tuple(first),
        first=MappingProxyType(first),
        over_datasets=over,
        rank_values=ranks,
        comparison=comparison,
        second=order_tests(comparison, table, normalised=True),
        without_cost=without_cost,
        measure=resolved.measures[0],
        cost_info=table.info,
        notes=notes,
    )


def _first_pass(results: Results, table: CostTable, settings: Settings) -> tuple[dict[str, MultiTest], tuple[str, ...]]:
    """MultiTest on each data set; those that lost replications, so that their test is impossible, are left out."""
    found: dict[str, MultiTest] = {}
    dropped: list[str] = []
    short = shortened(results, settings.missing)
    for name in results.datasets:
        try:
            found[name] = test_and_walk(results.select(dataset=name), table, settings)
        except InputError:
            if name not in short:
                raise
            dropped.append(name)
            if len(dropped) == len(results.datasets):
                raise
    return found, tuple(dropped)


def _table_of(results: Results, settings: Settings) -> FloatArray:
    """Mean of each algorithm on each data set; NaN where the policy for missing cells puts it last."""
    whole = lacking_as_whole(results) if settings.missing == "worst-rank" else results
    return whole.aggregate("mean", missing="available").values[:, 0, :, 0]


def _as_results(like: Results, values: FloatArray, info: MeasureInfo) -> Results:
    """Make results with one replication from a table of data sets × algorithms."""
    reduced = like.aggregate("mean", missing="available")
    return reduced.replace(values=values[:, None, :, None], reasons=None, measures=(info,), reports=())
