"""MultiTest: algorithms on one data set in an order of accuracy and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.analysis.adjustment import ADJUSTMENTS, adjust_pvalues
from podium.analysis.blocks import one_dataset, stopped_notes
from podium.analysis.compare import compare, find_procedure, is_five_by_two, local_default, procedures
from podium.analysis.comparison import Comparison
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.methods.rank_test import RankTest, refuse_control_test
from podium.analysis.multitest import text
from podium.analysis.multitest.cost import Cost, CostTable, cost_table, split_cost, unknown_notes
from podium.analysis.multitest.tables import multitest_table
from podium.analysis.multitest.walk import Step, Walk, levels, walk
from podium.analysis.notes import Note
from podium.analysis.pairs import Alternative
from podium.analysis.procedure import ModelTest, Procedure, check_adjust
from podium.analysis.relation import Relation
from podium.arrays import BoolArray, FloatArray, lock
from podium.checks import (
    check_alpha,
    check_call,
    check_choice,
    check_keys,
    describe,
    did_you_mean,
    expect,
    record,
)
from podium.errors import InputError, LabelError
from podium.results import MeasureInfo, Results
from podium.results.missing import MissingPolicy, missing_cells_error, parse_policy
from podium.typesetting import Table

POLICIES: tuple[MissingPolicy, ...] = (
    "raise",
    "drop-block",
    "drop-algorithm",
    "worst-rank",
    "worst-value",
    "available",
)


@record(slots=True, kw_only=True)
class Edge:
    """A test that decides against the prior order, or between algorithms of equal cost.

    Attributes
    ----------
    preferred : str
        The cheaper algorithm.
    better : str
        The one that is shown to be better, and comes before it.
    estimate : float
        Estimated difference, `better` minus `preferred`; NaN where none is known.
    pvalue, adjusted : float
        Of the test of this pair; NaN where none is known.
    tied : bool
        Whether both cost the same, so that there was no preference to override.
    """

    preferred: str
    better: str
    estimate: float
    pvalue: float
    adjusted: float
    tied: bool


@record(eq=False, repr=False, kw_only=True)
class MultiTest:
    """The order of algorithms by MultiTest, and how it came about.

    Attributes
    ----------
    algorithms : tuple of str
        As in the results.
    order : tuple of str
        Best first.
    prior : tuple of str
        The prior order, cheapest first; equal costs by the better mean, then by name.
    cost : ndarray of float
        Cost of each algorithm, in its own units; NaN where it is not known.
    cost_info : MeasureInfo
        Name, direction and units of the cost.
    normalised : bool
        Whether `cost` is the average over several data sets of costs normalised on each, 0 for the cheapest and 1 for
        the costliest.
    better : ndarray of bool, shape (K, K)
        Whether the row is shown to be better than the column. With a one-sided `alternative` only costlier algorithms
        were tested for being better.
    edges : tuple of Edge
        The graph: every test that sets an order against the prior one or between equal costs.
    steps : tuple of Step
        The walk through the graph, one step per place.
    ties : tuple of tuple of str
        Groups of algorithms with equal costs.
    cycles : tuple of tuple of str
        Algorithms of equal cost whose tests form a cycle; the order inside is by mean.
    measure : MeasureInfo or None
        What was tested; None for a relation.
    means : ndarray of float or None
        Mean of each algorithm; NaN for one without any value.
    dataset : str or None
        The data set; None in the second pass of Multi²Test.
    method : str
        The test, as in a sentence of a paper.
    alpha : float or None
        Level of the tests; None where they were given as a relation.
    adjust : str
    alternative : {"two-sided", "better"}
    untested : bool
        Whether no test can override the prior order, whatever the values are: with so few replications none can reject,
        or there is none.
    comparison : Comparison or None
        The two-sided comparison behind it, if it is one.
    notes : tuple of Note

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> found = podium.multitest(accuracy.select(dataset="optdigits"), cost=seconds)
    >>> found.order
    ('svr', 'svl', 'sv2', '5nn', 'mlp', 'lnp', 'mdt', 'c45')
    >>> found.steps[0].free
    ('svr', 'svl', 'sv2', 'mdt')
    """

    _made_from: ClassVar = ((object, "Create one with podium.multitest(results, cost=...)."),)
    _ways_out: ClassVar = {
        Comparison: "Use its field `comparison`.",
        Relation: "Use its method relation().",
        Results: "Use the results that it was made from.",
    }

    algorithms: tuple[str, ...]
    order: tuple[str, ...]
    prior: tuple[str, ...]
    cost: FloatArray
    cost_info: MeasureInfo
    normalised: bool
    better: BoolArray
    edges: tuple[Edge, ...]
    steps: tuple[Step, ...]
    ties: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...]
    measure: MeasureInfo | None
    means: FloatArray | None
    dataset: str | None
    method: str
    alpha: float | None
    adjust: str
    alternative: Alternative
    untested: bool = False
    comparison: Comparison | None = None
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        lock(self, "cost", "better", "means")

    @property
    def overrides(self) -> tuple[Edge, ...]:
        """The tests that override the prior order; empty if the order is that of the costs."""
        return tuple(edge for edge in self.edges if not edge.tied)

    @property
    def ranks(self) -> pd.Series[int]:
        """Place of each algorithm, 1 for the best; algorithms as in the results."""
        places = {name: place for place, name in enumerate(self.order, 1)}
        return pd.Series([places[name] for name in self.algorithms], index=list(self.algorithms), name="rank")

    @property
    def moved(self) -> tuple[str, ...]:
        """The algorithms whose place differs from that in the prior order, best first."""
        return tuple(name for name, cheap in zip(self.order, self.prior, strict=True) if name != cheap)

    def relation(self) -> Relation:
        """Return the order as a relation."""
        return Relation.from_ranks(self.ranks)

    def frame(self) -> pd.DataFrame:
        """One row per algorithm, best first: prior place, cost, mean, and which algorithms it beats or loses to.

        Returns
        -------
        DataFrame
            Indexed by algorithm, with columns rank, prior, cost, mean, better_than (cheaper algorithms that this one is
            shown to beat) and worse_than (costlier ones that are shown to beat it).
        """
        place = {name: i for i, name in enumerate(self.prior, 1)}
        at = [self.algorithms.index(name) for name in self.order]
        means = np.full(len(at), np.nan) if self.means is None else self.means[at]
        return pd.DataFrame(
            {
                "rank": np.arange(1, len(at) + 1),
                "prior": [place[name] for name in self.order],
                "cost": self.cost[at],
                "mean": means,
                "better_than": [tuple(e.preferred for e in self.edges if e.better == name) for name in self.order],
                "worse_than": [tuple(e.better for e in self.edges if e.preferred == name) for name in self.order],
            },
            index=pd.Index(self.order, name="algorithm"),
        )

    def tests(self) -> pd.DataFrame:
        """Return the outcome of all tests as a square table: 1 where the row is shown to be better than the column."""
        names = list(self.algorithms)
        return pd.DataFrame(self.better.astype(int), index=names, columns=names)

    def walk(self) -> pd.DataFrame:
        """One row per step: rank, chosen, free (those that could come next, cheapest first), left."""
        rows = [(i, s.chosen, ", ".join(s.free), ", ".join(s.left)) for i, s in enumerate(self.steps, 1)]
        return pd.DataFrame(rows, columns=["rank", "chosen", "free", "left"]).set_index("rank")

    def table(self) -> Table:
        """Return the order as a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.
        """
        return multitest_table(self)

    def text(self) -> str:
        """Describe the order and how it came about in a paragraph."""
        return text.multitest_paragraph(self)

    def __repr__(self) -> str:
        return text.multitest_lines(self)

    def _repr_html_(self) -> str:
        return text.multitest_html(self)


@check_call
def multitest(
    results: Results | Comparison | Relation,
    measure: str | None = None,
    *,
    cost: Cost,
    dataset: str | None = None,
    test: str | Procedure | None = None,
    alpha: float = 0.05,
    adjust: str = "none",
    alternative: Alternative = "two-sided",
    cost_direction: str | None = None,
    missing: str = "raise",
    **options: Any,
) -> MultiTest:
    """Order algorithms on one data set: cheapest first, unless a costlier one is significantly better.

    Every pair is tested. If the costlier algorithm of a pair is shown to be better, an edge from the cheaper to the
    costlier one overrides the preference for the cheaper. The order is a topological sort of this graph: at each step,
    of the algorithms that have no edge to one that is left, the cheapest comes next.

    Parameters
    ----------
    results : Results, Comparison or Relation
        Of one data set, with replications. A comparison of all pairs, or a relation, takes the place of the tests; then
        only `cost` and `cost_direction` apply.
    measure : str, optional
        The measure that is tested, where there are several besides the cost.
    cost : str, Results, Series, DataFrame, mapping or sequence
        What algorithms cost, which gives the prior order: the name of a measure of the results; a `Results`
        (replications are averaged); a number for each algorithm; or their names, cheapest first, where names in an
        inner list cost the same. Where greater values of the cost are better, greater is preferred.
    dataset : str, optional
        The data set, where there are several. For an order over all of them see `multi2test`.
    test : str or Procedure, optional
        The test of each pair: ``"5x2cv F"``, ``"corrected t"``, ``"wilcoxon"``, or any other `method` of `compare`. By
        default ``"5x2cv F"`` on a 5×2 cross-validation, and otherwise what `compare` chooses for the design.
    alpha : float, default 0.05
        Level of each test, or of all together with an `adjust`.
    adjust : str, default "none"
        Adjustment for the number of pairs, as in `compare`. The method as published has none.
    alternative : {"two-sided", "better"}
        As published, a pair has an edge if its two-sided test rejects and the costlier algorithm has the better
        estimate, which happens to equally good algorithms with a chance of `alpha` / 2. With ``"better"`` the costlier
        algorithm is tested one-sided against the cheaper one at the whole `alpha`. Pairs of equal cost are tested
        two-sided.
    cost_direction : {"lower", "higher"}, optional
        Which costs are preferred, where `cost` does not say so itself; lower by default.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"}
        Policy for missing cells. With ``"worst-rank"`` algorithms with a missing replication come last, with
        ``"available"`` each pair is tested on the replications it has. A cost that is not known counts as the highest,
        except with ``"raise"``, ``"drop-block"`` (which leaves the data set out) and ``"drop-algorithm"``.
    **options
        Those of the test, as in `compare`.

    Returns
    -------
    MultiTest

    Notes
    -----
    Without `adjust` nothing controls the error over all pairs: see the page *MultiTest*. Equal costs leave no
    preference. Then a test in either direction makes an edge, and where no test decides, the better mean comes first.
    `ties` names them. Edges from cheap to costly cannot form a cycle; `cycles` can occur only among equal costs.

    References
    ----------
    O. T. Yıldız, E. Alpaydın (2006). Ordering and finding the best of K > 2 supervised learning algorithms. IEEE
    Transactions on Pattern Analysis and Machine Intelligence 28, 392–402.

    Examples
    --------
    >>> import podium
    >>> accuracy = podium.examples.load_ulas2008()
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> podium.multitest(accuracy.select(dataset="car"), cost=seconds, test="5x2cv F").order
    ('svr', 'sv2', 'mlp', 'mdt', 'svl', 'c45', 'lnp', '5nn')

    A given prior order, most interpretable first:

    >>> prior = [["c45", "mdt"], "lnp", "5nn", ["mlp", "svl", "sv2", "svr"]]
    >>> podium.multitest(accuracy.select(dataset="wine"), cost=prior).order
    ('c45', '5nn', 'svl', 'lnp', 'mdt', 'svr', 'mlp', 'sv2')

    Tests that were made before, in the report's table 3.3:

    >>> shown = podium.Relation.from_strict([[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], list("ABCD"))
    >>> podium.multitest(shown, cost=["C", "A", "D", "B"]).order
    ('A', 'C', 'B', 'D')
    """
    if isinstance(results, Comparison | Relation):
        given = {"measure": measure, "dataset": dataset, "test": test, "alpha": alpha, "adjust": adjust}
        given |= {"alternative": alternative, "missing": missing, **options}
        usual = {"alpha": 0.05, "adjust": "none", "alternative": "two-sided", "missing": "raise"}
        fixed = [name for name, value in given.items() if value is not usual.get(name) and value != usual.get(name)]
        if fixed:
            raise InputError(
                f"`{fixed[0]}` is for tests of results; the tests of {describe(results)} are already made."
            )
        return _from_tests(results, cost, cost_direction)
    expect(results, Results, "results")
    settings = check_settings(test, alpha, adjust, alternative, missing, options)
    chosen, priced = split_cost(results, measure, cost)
    if dataset is not None:
        chosen = chosen.select(dataset=dataset)
    one_dataset(chosen, "MultiTest (podium.multi2test orders over several data sets)", argument=True)
    settings = settings.chosen_for(chosen)
    resolved, table, notes = resolve(chosen, priced, cost_direction, settings.missing)
    found = test_and_walk(resolved, table, settings)
    return replace(found, notes=(*notes, *found.notes))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How pairs are tested."""

    test: Procedure | None
    alpha: float
    adjust: str
    alternative: Alternative
    missing: MissingPolicy
    options: Mapping[str, Any]

    @property
    def in_pairs(self) -> MissingPolicy:
        """Policy for what is still missing when pairs are tested."""
        return "available" if self.missing == "available" else "raise"

    def chosen_for(self, results: Results) -> Settings:
        """Choose the 5×2 cv F test where every data set has a 5×2 cross-validation, whatever of it is missing."""
        structures = [
            Structure.of({name: array[m, there] for name, array in results.structure.items()})
            for m, there in enumerate(results.design)
        ]
        if self.test is not None or not all(map(is_five_by_two, structures)):
            return self
        return replace(self, test=find_procedure("5x2cv F"))


def check_settings(
    test: str | Procedure | None,
    alpha: float,
    adjust: str,
    alternative: Alternative,
    missing: str,
    options: Mapping[str, Any],
    allowed: tuple[MissingPolicy, ...] = POLICIES,
) -> Settings:
    """Check what all data sets have in common, before any of them is tested."""
    check_alpha(alpha)
    sides: tuple[Alternative, ...] = ("two-sided", "better")
    if isinstance(alternative, str) and alternative == "worse":
        raise InputError(
            "`alternative` must be 'two-sided' or 'better': a test overrides the prior order if the costlier algorithm "
            "is better."
        )
    check_choice(alternative, sides, "alternative")
    procedure = None if test is None else find_procedure(test, "test")
    if procedure is not None:
        _check_test(procedure, alternative, options)
    else:
        need_test(options)
    # Only the test knows whether it has a joint distribution of all pairs; one-sided tests are adjusted here.
    name = check_adjust(adjust, None, ("single-step", "step-down") if alternative == "two-sided" else ())
    if alternative == "better" and ADJUSTMENTS[name].logical:
        raise InputError(
            f"`adjust={name!r}` is for two-sided tests of all pairs; with alternative='better' use 'holm'."
        )
    policy = parse_policy(missing, allowed=allowed)
    if policy == "available" and isinstance(procedure, RankTest):
        complete = tuple(one for one in allowed if one in procedure.gate.policies)
        parse_policy(policy, allowed=complete, analysis=f"test={procedure.name!r}")
    return Settings(
        test=procedure, alpha=alpha, adjust=name, alternative=alternative, missing=policy, options=dict(options)
    )


SETTINGS = ("test", "alpha", "adjust", "alternative", "missing")  # arguments beside the options of a test


def need_test(options: Mapping[str, Any]) -> None:
    """Refuse options of a test where none is named, and name one that has them."""
    for option in options:
        owners = [name for name, one in procedures().items() if option in one.options]
        if not owners:
            known = [*SETTINGS, *(name for one in procedures().values() for name in one.options)]
            raise LabelError(f"No test has an option {option!r}.{did_you_mean(option, known)}", path=(option,))
        raise InputError(f"`{option}` is an option of a test; name the test, too: test={owners[0]!r}.", path=(option,))


def _check_test(test: Procedure, alternative: Alternative, options: Mapping[str, Any]) -> None:
    """Refuse a test that does not test all pairs, or not one-sided where that is asked for, and options it lacks."""
    known = {name: one.options for name, one in procedures().items()}
    check_keys(options, test.options, f"`test={test.name!r}`", "option", known)
    refuse_control_test(test, "test")
    if alternative == "better" and isinstance(test, ModelTest):
        raise InputError(
            f"`alternative={alternative!r}` needs a one-sided test, and test={test.name!r} has none. Use "
            "alternative='two-sided', or a test such as 't' or 'wilcoxon'."
        )


def resolve(
    chosen: Results, priced: Any, direction: str | None, missing: MissingPolicy
) -> tuple[Results, CostTable, tuple[Note, ...]]:
    """Apply the policy for missing cells to the values that are tested, and to the costs."""
    table = cost_table(priced, chosen.datasets, chosen.algorithms, direction=direction, missing=missing)
    unknown = table.unknown
    sides = {
        "drop-block": ("dataset", chosen.datasets, "no data set has a cost of every algorithm"),
        "drop-algorithm": ("algorithm", chosen.algorithms, "no algorithm has a cost on every data set"),
    }
    if missing in sides and unknown.any():
        kind, names, nothing = sides[missing]
        gaps = np.any(unknown, axis=1 if kind == "dataset" else 0).tolist()
        kept = [name for name, gap in zip(names, gaps, strict=True) if not gap]
        if not kept:
            raise InputError(f"`missing={missing!r}` would leave nothing: {nothing}.")
        chosen = chosen.select(**{kind: kept})
        left_out = tuple(name for name in names if name not in kept)
        notes: tuple[Note, ...] = (Note("left out", names=left_out, because="no cost"),)
    else:
        notes = unknown_notes(table, missing)
    notes = stopped_notes(chosen) + notes
    if missing == "raise" and bool((chosen.missing & ~chosen.stopped).any()):
        raise missing_cells_error(chosen)
    if missing != "worst-rank":
        chosen = chosen.resolve_missing(missing)
        report = replace(chosen.reports[-1], common=None)  # each pair is tested on the replications that both have
        if report.absent:
            chosen = chosen.drop(algorithms=[name for name, _ in report.absent])
        if report.missing and (report.absent or missing != "available"):
            notes += (Note("missing", report=report),)
    if chosen.missing.any():
        notes += (Note("missing replications", policy=missing, cells=int(chosen.missing.sum())),)
    if len(chosen.algorithms) < 2:
        raise InputError(f"An order needs two algorithms; there is only {chosen.algorithms[0]!r}.")
    return chosen, table.take(chosen.datasets, chosen.algorithms), notes


def test_and_walk(results: Results, table: CostTable, settings: Settings) -> MultiTest:
    """Test the pairs of one data set, and order the algorithms."""
    (dataset,) = results.datasets
    names, costs = results.algorithms, table.of(dataset)
    there = ~np.isnan(results.values[0, results.design[0], :, 0])
    means = results.aggregate("mean", missing="available").values[0, 0, :, 0]
    lacking = ~there.all(axis=0) if settings.missing == "worst-rank" else ~there.any(axis=0)
    k = len(names)
    better, estimate, pvalue, adjusted = np.zeros((k, k), bool), *(np.full((k, k), np.nan) for _ in range(3))
    compared = np.flatnonzero(~lacking)
    found: Comparison | None = None
    if len(compared) > 1:
        part = results if not lacking.any() else results.select(algorithms=[names[i] for i in compared])
        square = np.ix_(compared, compared)
        tested = _one_sided if settings.alternative == "better" else _two_sided
        found, *parts = tested(part, costs[compared], settings)
        better[square], estimate[square], pvalue[square], adjusted[square] = parts
    # An algorithm with missing values must not stay ahead because it is cheap: it counts as costlier than all others.
    placed = levels(costs, names).astype(float) + np.where(lacking, k, 0.0)
    done = walk(better, placed, results.measures[0].sign * means, names)
    return _outcome(
        names,
        done,
        table.shown(dataset),
        table.info,
        better,
        (estimate, pvalue, adjusted),
        measure=results.measures[0],
        means=means,
        dataset=dataset,
        method=_title(found, settings),
        alpha=settings.alpha,
        adjust=settings.adjust,
        alternative=settings.alternative,
        untested=_untested(found, settings),
        comparison=found if settings.alternative == "two-sided" else None,
        notes=() if found is None else _notes(found, settings),
    )


def _notes(found: Comparison, settings: Settings) -> tuple[Note, ...]:
    """The notes of the two-sided tests; a one-sided test may be able to reject where they cannot."""
    if _untested(found, settings):
        return found.notes
    return tuple(note for note in found.notes if note.code != "few blocks")


def _untested(found: Comparison | None, settings: Settings) -> bool:
    """Whether no test can reject; one-sided tests have half the p-value of these two-sided ones."""
    if found is None or np.isnan(found.pvalue).all():
        return True
    if settings.alternative == "two-sided":
        return found.powerless
    return found.least_pvalue is not None and found.least_pvalue / 2 > found.alpha


def _two_sided(
    results: Results, costs: FloatArray, settings: Settings
) -> tuple[Comparison, BoolArray, FloatArray, FloatArray, FloatArray]:
    """Test all pairs; an estimate of exactly 0 favours neither, whatever the p-value is."""
    found = test_pairs(results, settings, adjust=settings.adjust)
    return found, *from_comparison(found)


def from_comparison(found: Comparison) -> tuple[BoolArray, FloatArray, FloatArray, FloatArray]:
    """Return which is better than which, estimates (row minus column), p-values and adjusted ones, as square tables."""
    k = len(found.algorithms)
    estimate, pvalue, adjusted = (np.full((k, k), np.nan) for _ in range(3))
    for square, of_pair in ((pvalue, found.pvalue), (adjusted, found.adjusted)):
        square[found.first, found.second] = square[found.second, found.first] = of_pair
    estimate[found.first, found.second], estimate[found.second, found.first] = found.estimate, -found.estimate
    nobody = np.zeros((k, k), bool)
    even = (found.estimate == 0) & ~(found.signed & (found.statistic != 0))
    nobody[found.first, found.second] = nobody[found.second, found.first] = even
    return found.relation().better & ~nobody, estimate, pvalue, adjusted


def _one_sided(
    results: Results, costs: FloatArray, settings: Settings
) -> tuple[Comparison, BoolArray, FloatArray, FloatArray, FloatArray]:
    """Test whether the costlier algorithm of each pair is better; pairs of equal cost are tested two-sided."""
    k = len(costs)
    level = levels(costs, results.algorithms)
    found = test_pairs(results, settings, adjust="none")
    _, estimate, pvalue, _ = from_comparison(found)
    stopped = np.zeros((k, k), bool)
    for i in range(k):
        if not (level > level[i]).any():
            continue
        against = test_pairs(results, settings, adjust="none", control=results.algorithms[i], alternative="better")
        costlier = level[against.first] > level[i]
        others = against.first[costlier]
        pvalue[others, i] = pvalue[i, others] = against.pvalue[costlier]
        stopped[others, i] = against.stopped
    first, second = np.triu_indices(k, 1)
    adjusted = np.full((k, k), np.nan)
    adjusted[first, second] = adjusted[second, first] = adjust_pvalues(pvalue[first, second], settings.adjust)
    ahead = found.sign * np.nan_to_num(estimate) < 0
    rejected = np.nan_to_num(adjusted, nan=1.0) <= settings.alpha
    # A one-sided test that rejects also says which is better; among equal costs the estimate does.
    costly, tied = level[:, None] > level[None, :], level[:, None] == level[None, :]
    better = rejected & ~stopped & (costly | (tied & ahead))
    return found, better, estimate, pvalue, adjusted


def test_pairs(results: Results, settings: Settings, **more: Any) -> Comparison:
    """Compare pairs on one data set; an error names it."""
    if results.design.sum() < 2:
        raise InputError(
            f"Data set {results.datasets[0]!r} has one replication, and its pairs cannot be tested. Compare the data "
            "sets instead: podium.multitest(podium.compare(results), cost=...)."
        )
    method = local_default(results, settings.options) if settings.test is None else settings.test
    try:
        return compare(
            results, method=method, alpha=settings.alpha, missing=settings.in_pairs, **more, **settings.options
        )
    except InputError as error:
        lost = results.missing.any() or bool(shortened(results, settings.missing))
        way_out = (
            " Cells are missing on this data set: missing='drop-algorithm' leaves out the algorithms that lack some, "
            "'worst-value' gives them the worst value."
        )
        message = f"Data set {results.datasets[0]!r}: {error}{way_out if lost else ''}"
        raise InputError(message, path=error.path) from error


def shortened(results: Results, missing: MissingPolicy) -> set[str]:
    """Return the data sets that lost replications to ``"drop-block"``; their design may no longer allow the test."""
    if missing != "drop-block" or not results.reports:
        return set()
    return {name for name, _ in results.reports[-1].dropped_blocks} & set(results.datasets)


def _title(found: Comparison | None, settings: Settings) -> str:
    if found is None:
        return "no test" if settings.test is None else settings.test.title
    return found.method


def _from_tests(tests: Comparison | Relation, cost: Any, direction: str | None) -> MultiTest:
    """Order algorithms by tests that were made before."""
    if isinstance(cost, str):
        raise InputError(
            "`cost` cannot be the name of a measure here: a Comparison or a Relation has no values. Give a Results, or "
            "a number for each algorithm."
        )
    datasets = cost.datasets if isinstance(cost, Results) else ("all",)
    table = cost_table(cost, datasets, tests.algorithms, direction=direction, missing="raise")
    unknown_notes(table, "raise")
    return order_tests(tests, table, normalised=len(datasets) > 1)


def order_tests(tests: Comparison | Relation, table: CostTable, *, normalised: bool) -> MultiTest:
    """Order algorithms by tests that were made before and by costs: a normalised average, or those of a data set."""
    names, k = tests.algorithms, len(tests.algorithms)
    costs, shown, info = table.costs[0], table.values[0], table.info
    if normalised:
        costs = shown = table.average
        info = MeasureInfo(f"average normalised {info.name}", "lower")
    if isinstance(tests, Relation):
        nothing = np.full((k, k), np.nan)
        done = walk(tests.better, costs, np.zeros(k), names)
        return _outcome(
            names,
            done,
            shown,
            info,
            tests.better,
            (nothing, nothing, nothing),
            normalised=normalised,
            method="tests given as a relation",
        )
    if tests.contrasts is not None:
        raise InputError("`results` must be a comparison of algorithms; this one is of user-defined contrasts.")
    better, *facts = from_comparison(tests)
    by_rank = tests.mean_ranks is not None and not tests.in_units
    if by_rank or tests.means is None:
        estimate = np.zeros(k) if tests.mean_ranks is None else tests.mean_ranks
    else:
        estimate = tests.measure.sign * tests.means
    return _outcome(
        names,
        walk(better, costs, estimate, names),
        shown,
        info,
        better,
        (facts[0], facts[1], facts[2]),
        normalised=normalised,
        measure=tests.measure,
        means=tests.mean_ranks if by_rank else tests.means,
        method=tests.method,
        alpha=tests.alpha,
        adjust=tests.adjust,
        comparison=tests,
        notes=tests.notes,
    )


def _outcome(
    names: tuple[str, ...],
    done: Walk,
    cost: FloatArray,
    info: MeasureInfo,
    better: BoolArray,
    facts: tuple[FloatArray, FloatArray, FloatArray],
    **more: Any,
) -> MultiTest:
    estimate, pvalue, adjusted = facts
    place = {int(i): p for p, i in enumerate(done.prior)}
    pairs = sorted(np.argwhere(done.edges).tolist(), key=lambda pair: (place[pair[0]], place[pair[1]]))
    edges = tuple(
        Edge(
            preferred=names[i],
            better=names[j],
            estimate=float(estimate[j, i]),
            pvalue=float(pvalue[j, i]),
            adjusted=float(adjusted[j, i]),
            tied=bool(done.level[i] == done.level[j]),
        )
        for i, j in pairs
    )
    groups = [tuple(names[i] for i in done.prior if done.level[i] == level) for level in np.unique(done.level)]
    ties = tuple(group for group in groups if len(group) > 1)
    cycles = tuple(tuple(names[i] for i in cycle) for cycle in done.cycles)
    notes: tuple[Note, ...] = more.pop("notes", ())
    if ties:
        notes = (Note("equal costs", groups=ties), *notes)
    if cycles:
        notes = (Note("cycles", cycles=cycles), *notes)
    usual: dict[str, Any] = {
        "normalised": False,
        "measure": None,
        "means": None,
        "dataset": None,
        "alpha": None,
        "adjust": "none",
        "alternative": "two-sided",
    }
    return MultiTest(
        algorithms=names,
        order=tuple(names[i] for i in done.order),
        prior=tuple(names[i] for i in done.prior),
        cost=cost.copy(),
        cost_info=info,
        better=better.copy(),
        edges=edges,
        steps=done.steps,
        ties=ties,
        cycles=cycles,
        notes=notes,
        **{**usual, **more},
    )
