"""`Analyses`: what a report says, computed once, when a section asks for it."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from scipy import stats

from podium.analysis.blocks import Unit, ordered_blocks
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.describe import worst_case
from podium.analysis.describe.places import ranks_of
from podium.analysis.describe.summary import MeasureSummary, summarize_measure
from podium.analysis.domain import Domain, domain
from podium.analysis.multitest import Multi2Test, MultiTest, multi2test, multitest
from podium.analysis.multitest.cost import measured
from podium.analysis.transform import transform_results
from podium.analysis.trees import BradleyTerryTree, PairedComparisons, bradley_terry_tree
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_call, check_choice, expect, random_generator, record
from podium.design.experiment import Experiment
from podium.errors import InputError, PodiumError
from podium.plot.figures.palette import colours
from podium.plot.figures.time import is_time
from podium.results import MeasureInfo, Results
from podium.results.missing import POLICIES, missing_cells_error, take_common
from podium.results.plausibility import warn_of_implausible_values, without_time
from podium.store import Decision

T = TypeVar("T")
OrderedBy: TypeAlias = Literal["mean rank", "mean", "geometric mean"]

RESAMPLES = 1000  # bootstrap samples behind the share of first places
MAX_PAIRS = 5000  # more pairs than these are not compared: tables and tests of 100 algorithms are the limit
MAX_CONSENSUS_ALGORITHMS = 40  # algorithms whose orders are combined to a consensus
COST_WORDS = ("time", "memory", "size", "space", "cost", "price", "energy", "parameters", "flops")
MIN_BLOCKS = 5  # blocks that are drawn again; fewer have too few different resamples
NEAR = 12  # significant digits in which means must differ not to be tied


@record(eq=False)
class PlaceShares:
    """How often each algorithm takes each place on bootstrap resamples.

    Several data sets are drawn again, and the algorithms ordered by mean rank; of one data set its replications, and
    they are ordered by mean: as in the answer of a report. Replications that overlap, or may, are not drawn again: such
    resamples vary less than the order does.

    Attributes
    ----------
    shares : DataFrame
        Share of the resamples in which an algorithm (row) takes a place (column, from 1). Tied algorithms share their
        places in equal parts.
    resamples : int
    unit : {"replication", "dataset"}
        What was drawn.
    """

    shares: pd.DataFrame
    resamples: int
    unit: Unit


def place_shares(main: Results, *, resamples: int, seed: int, missing: str) -> PlaceShares:
    """Order the algorithms on bootstrap resamples, and count their places."""
    independent = main.structure.get("independent", np.full(main.design.shape, -1))
    if len(main.datasets) == 1 and not (independent[main.design] == 1).all():
        raise InputError(
            "How sure the order is cannot be found by resamples of replications that overlap, or may; say with "
            "independent=True that they are independent."
        )
    table = ordered_blocks(transform_results(main, None).results, missing=missing, allowed=POLICIES)
    losses = ranks_of(table, "average") if table.unit == "dataset" else table.costs
    n, k = losses.shape
    if not table.missing.ordered:
        raise InputError(f"There is no order: {table.missing}")
    if n < MIN_BLOCKS:
        raise InputError(f"Resamples of {n} blocks say nothing; {MIN_BLOCKS} are needed.")
    weights = random_generator(seed).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    low, high = _places(weights @ losses / n)
    shares = [(((low <= place) & (place <= high)) / (high - low + 1)).mean(axis=0) for place in range(1, k + 1)]
    names = pd.Index(table.algorithms, name="algorithm")
    return PlaceShares(pd.DataFrame(np.transpose(shares), index=names, columns=range(1, k + 1)), resamples, table.unit)


def _places(means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """First and last of the places that each algorithm shares."""
    scale = np.abs(means).max(initial=0.0)
    near = np.round(means / scale, NEAR) if scale > 0 else means
    return tuple(stats.rankdata(near, method=side, axis=1) for side in ("min", "max"))  # type: ignore[return-value]


@record(eq=False)
class Attempt(Generic[T]):
    """An analysis that was made, or the reason why it could not be.

    Attributes
    ----------
    value : object or None
    problem : PodiumError or None
        The reason; None if there is a value.
    """

    value: T | None
    problem: PodiumError | None = None


def attempt(make: Callable[[], T]) -> Attempt[T]:
    """Make an analysis; an error of podium becomes the reason why there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Attempt(make())
    except PodiumError as error:
        return Attempt(None, error.with_traceback(None))


@check_call
class Analyses:
    """The analyses of a table of scores, made when they are first needed.

    Attributes
    ----------
    results : Results
        All measures.
    main : Results
        The measure that the report is about.
    info : MeasureInfo
        What is known about it.
    alpha, equivalence, missing, seed
        As for `podium.report`.
    characteristics : DataFrame or None
        Characteristics of the data sets, or of their learning samples.
    experiment : Experiment or None
        The experiment that the results are from, where the user gave it.
    decisions : tuple of Decision
        What a stopping rule decided in the run.
    command : str
        How to reproduce the report; empty where that is not known.
    """

    def __init__(
        self,
        results: Results,
        measure: str | None = None,
        *,
        alpha: float = 0.05,
        equivalence: float | tuple[float, float] | None = None,
        missing: str = "available",
        seed: int = 0,
        characteristics: pd.DataFrame | None = None,
        experiment: Experiment | None = None,
        decisions: tuple[Decision, ...] = (),
        command: str = "",
    ) -> None:
        self.results = expect(results, Results, "results")
        if measure is not None:
            check_choice(measure, results.measure_names, "measure")
        self.main = _with_blocks_of_its_own(results, _main_measure(results) if measure is None else measure)
        if not self.main.present.any():
            raise InputError(f"There is no value of {self.info.name!r} to report on: all its cells are missing.")
        self.alpha, self.equivalence, self.missing, self.seed = alpha, equivalence, missing, seed
        self.characteristics, self.experiment = characteristics, experiment
        self.decisions, self.command = decisions, command
        if missing == "raise" and self.lacking.any():
            raise missing_cells_error(results, planned=self.run)

    @property
    def info(self) -> MeasureInfo:
        """What is known about the measure that the report is about."""
        return self.main.measures[0]

    @property
    def unit(self) -> Unit:
        """What the comparison generalises to."""
        found = self.comparison.value
        if found is not None:
            return found.unit
        return "dataset" if len(self.main.datasets) > 1 else "replication"

    @cached_property
    def once(self) -> tuple[str, ...]:
        """The measures that are known once per data set, such as the price of an algorithm there."""
        return known_once(self.results)

    @cached_property
    def expected(self) -> BoolArray:
        """Which cells should have a value, data sets × replications × algorithms × measures.

        A measure that is known once per data set has one block there, which need not be one of the other measures.
        """
        results = self.results
        once = np.isin(results.measure_names, self.once)
        there = np.asarray(results.present.any(axis=2))  # data sets × replications × measures
        only_once = np.asarray(there.any(axis=2) & ~there[..., ~once].any(axis=2))
        blocks = np.where(once, there, ~only_once[..., None]) & results.design[..., None]
        first = np.argmax(results.design, axis=1).tolist()
        for m in np.flatnonzero(once):
            for d in np.flatnonzero(~there[..., m].any(axis=1)):
                blocks[d, first[d], m] = True
        return np.repeat(blocks[:, :, None, :], len(results.algorithms), axis=2)

    @property
    def run(self) -> BoolArray:
        """Which of these cells a stopping rule did not leave out."""
        return self.expected & ~self.results.stopped

    @cached_property
    def lacking(self) -> BoolArray:
        """Which of the cells that were run have no value."""
        return self.run & ~self.results.present

    @cached_property
    def palette(self) -> dict[str, str]:
        """The colour of each algorithm, the same in all figures."""
        return colours(self.results)

    @cached_property
    def shown(self) -> Results:
        """The main measure after the policy for missing cells, as tables and figures of values show it."""
        resolved = attempt(lambda: self.main.resolve_missing(_for_values(self.missing))).value
        return self.main if resolved is None else resolved

    @cached_property
    def performance(self) -> Attempt[MeasureSummary]:
        """What is known of each algorithm by the main measure, best first."""
        policy = self.missing if self.missing == "worst-rank" else _for_values(self.missing)
        return attempt(lambda: summarize_measure(self.main, missing=policy))

    @property
    def ordered(self) -> bool:
        """Whether the algorithms have enough blocks in common for an order."""
        found = self.performance.value
        return found is not None and (found.ordered if self.criterion == "mean rank" else found.table.missing.ordered)

    @cached_property
    def summary(self) -> Attempt[pd.DataFrame]:
        """The same as a table, one row per algorithm."""
        found = self.performance
        return Attempt(None if found.value is None else found.value.frame, found.problem)

    @property
    def criterion(self) -> OrderedBy:
        """What orders the algorithms: mean ranks over data sets; over the replications of one, means on its scale."""
        found = self.performance.value
        if len(self.main.datasets) > 1 and found is not None:
            return "mean rank"
        return "geometric mean" if found is not None and found.transform == "log" else "mean"

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The algorithms, best first; equal mean ranks keep the order by mean. By name, where there is no order."""
        found = self.performance.value
        if found is None:
            return self.main.algorithms
        if self.criterion != "mean rank" or not self.ordered:
            return tuple(found.means.index)
        return tuple(found.mean_ranks.sort_values(kind="stable").index)

    def compare(self, measure: str) -> Attempt[Comparison]:
        """Compare all pairs by one measure on its scale, by the test that fits the design."""
        check_choice(measure, self.results.measure_names, "measure")
        one = _with_blocks_of_its_own(self.results, measure)
        k = len(one.algorithms)
        if k * (k - 1) // 2 > MAX_PAIRS:
            pairs = f"{k} algorithms are {k * (k - 1) // 2:,} pairs; a report compares {MAX_PAIRS:,}."
            return Attempt(None, InputError(pairs))
        area = self.equivalence if measure == self.info.name else None
        options: dict[str, Any] = {"alpha": self.alpha, "equivalence": area, "missing": self.missing}
        if area is None and transform_results(one, None).transform == "log":  # as in the summary and the order
            ratios = attempt(lambda: compare(one, transform="log", **options))
            if ratios.value is not None:
                return ratios
        return attempt(lambda: compare(one, **options))

    @cached_property
    def comparison(self) -> Attempt[Comparison]:
        """All pairs by the measure that the report is about."""
        return self.compare(self.info.name)

    @cached_property
    def others(self) -> dict[str, Attempt[Comparison]]:
        """All pairs by each of the other measures."""
        return {name: self.compare(name) for name in self.results.measure_names if name != self.info.name}

    @cached_property
    def stability(self) -> Attempt[PlaceShares]:
        """Which places the algorithms take on bootstrap resamples."""
        by_rank = self.criterion == "mean rank" and self.missing == "worst-rank"
        policy = self.missing if by_rank else _for_values(self.missing)
        return attempt(lambda: place_shares(self.main, resamples=RESAMPLES, seed=self.seed, missing=policy))

    @cached_property
    def complete(self) -> Attempt[Results]:
        """The blocks of the main measure in which no algorithm lacks a value; without those that have none."""
        return attempt(lambda: take_common(self.main.resolve_missing(_for_values(self.missing))))

    @cached_property
    def worst(self) -> Attempt[pd.DataFrame]:
        """The worst case of each algorithm: the 95% quantile of the losses, over the complete blocks."""
        whole = self.complete.value
        if whole is None:
            return Attempt(None, self.complete.problem)
        return attempt(lambda: worst_case(whole, quantile=0.95))

    @cached_property
    def domain(self) -> Attempt[Domain]:
        """The joint analysis of the data sets."""
        main = self.shown if self.missing == "drop-block" else self.main  # whole data sets may have been left out
        count = int((main.present[..., 0].any(axis=1).sum(axis=1) > 1).sum())
        if count < 3:
            are = f"is {count}" if count == 1 else f"are {count or 'none'}"
            needs = "The structure of a domain needs three data sets with values of two algorithms"
            return Attempt(None, InputError(f"{needs}; there {are}."))
        if len(main.algorithms) > MAX_CONSENSUS_ALGORITHMS:
            return Attempt(
                None, InputError(f"Orders of more than {MAX_CONSENSUS_ALGORITHMS} algorithms are not combined.")
            )
        common: dict[str, Any] = {"alpha": self.alpha, "missing": _for_values(self.missing), "workers": 1}
        if main.design.sum(axis=1).max() > 1:
            tested = attempt(lambda: domain(main, **common))
            if tested.value is not None:
                return tested
        # Where a data set has too few replications for a test, its order is that of the means.
        mean = geometric_mean if is_geometric(main) else "mean"
        return attempt(lambda: domain(main, statistic=mean, **common))

    @cached_property
    def costs(self) -> tuple[str, ...]:
        """Measures that are costs: times first, then sizes and prices; no times of which some were not measured."""
        found = [
            one
            for j, one in enumerate(self.results.measures)
            if one.name != self.info.name and is_cost(one) and not without_time(one, self.results.values[..., j]).any()
        ]
        return tuple(one.name for one in sorted(found, key=lambda one: not is_time(one)))

    @property
    def _whole(self) -> str:
        """How tests behind an order by cost treat missing cells."""
        return "drop-block" if not self.results.present.all() else "raise"

    @cached_property
    def _tested(self) -> Results:
        """The values behind an order by cost."""
        return measured(self.results.select(measure=self.info.name))

    def means_of_tested(self, found: Multi2Test) -> pd.Series[float]:
        """Return the mean of each algorithm over the data sets of an order by cost."""
        used = self._tested.resolve_missing(self._whole).select(datasets=list(found.datasets))
        return summarize_measure(used, missing="available").means

    @cached_property
    def multitest(self) -> Attempt[MultiTest | Multi2Test]:
        """The order by performance and cost."""
        if not self.costs:
            needs = "An order by performance and cost needs a measure of cost, such as the time of a fit."
            return Attempt(None, InputError(needs))
        whole, tested = self._whole, self._tested
        costs = averaged(self.results.select(measure=self.costs[0]))  # by the mean that the rest of the report shows
        options: dict[str, Any] = {"cost": costs, "alpha": self.alpha, "missing": whole}
        if len(self.main.datasets) == 1:
            return attempt(lambda: _with_means(multitest(tested, **options), tested.resolve_missing(whole)))
        both: Attempt[MultiTest | Multi2Test] = attempt(lambda: multi2test(tested, **options))
        if both.value is not None or self.comparison.value is None:
            return both
        # Data sets with one replication have no tests of their own; the comparison over all of them takes their place.
        compared = self.comparison.value
        gaps = "raise" if costs.present.all() else "available"
        one: Attempt[MultiTest | Multi2Test] = attempt(
            lambda: _with_means(multitest(compared, cost=costs, missing=gaps), self.main)
        )
        return one if one.value is not None else both

    @cached_property
    def tree(self) -> Attempt[BradleyTerryTree]:
        """A tree over the characteristics of the data sets."""
        given = self.characteristics
        if given is None:
            way = "characteristics=frame, or an experiment that was run with characteristics='statlog'."
            return Attempt(None, InputError(f"A tree needs characteristics of the data sets: {way}"))
        pairs = attempt(lambda: PairedComparisons.from_results(self.main))
        if pairs.value is None:
            return Attempt(None, pairs.problem)
        compared = pairs.value
        made = attempt(lambda: bradley_terry_tree(compared, given, alpha=self.alpha, seed=self.seed))
        if made.value is None:
            return Attempt(None, InputError(f"These characteristics give no tree. {made.problem}"))
        return made

    @cached_property
    def implausible(self) -> tuple[str, ...]:
        """What is implausible about the values."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warn_of_implausible_values(self.results, stacklevel=1)
        return tuple(str(one.message) for one in caught)

    @cached_property
    def constant(self) -> tuple[str, ...]:
        """The data sets on which all values of the main measure, of two algorithms or more, are the same."""
        found = []
        for m, name in enumerate(self.main.datasets):
            values = self.main.values[m, ..., 0]
            there = values[~np.isnan(values)]
            if (~np.isnan(values)).any(axis=0).sum() > 1 and (there == there[0]).all():
                found.append(name)
        return tuple(found)

    @cached_property
    def marginal(self) -> tuple[tuple[str, str, float], ...]:
        """Pairs whose adjusted p-value is within a factor of two of alpha, on either side."""
        found = self.comparison.value
        if found is None:
            return ()
        near = np.flatnonzero((found.adjusted >= self.alpha / 2) & (found.adjusted <= 2 * self.alpha))
        names = found.algorithms
        return tuple((names[found.first[i]], names[found.second[i]], float(found.adjusted[i])) for i in near)


def _with_means(found: MultiTest, results: Results) -> MultiTest:
    """Give an order by cost the means that the rest of the report shows, where its test had others or mean ranks."""
    means = summarize_measure(results, missing="available").means
    return dataclasses.replace(found, means=np.asarray(means.reindex(list(found.algorithms)), dtype=np.float64))


def is_cost(info: MeasureInfo) -> bool:
    """Whether a measure is a cost, by its name and units: a time, a size, a price."""
    return info.direction == "lower" and (is_time(info) or any(word in info.name.lower() for word in COST_WORDS))


def known_once(results: Results) -> tuple[str, ...]:
    """Name the measures of which each data set has one block at most, and some have one, where others have several."""
    blocks = np.asarray(results.present.any(axis=2)).sum(axis=1).max(axis=0, initial=0)  # of each measure
    if blocks.max(initial=0) < 2:
        return ()
    return tuple(name for name, most in zip(results.measure_names, blocks, strict=True) if most == 1)


def _with_blocks_of_its_own(results: Results, measure: str) -> Results:
    """Return one measure; where some are known once per data set, only replications of its own."""
    main, once = results.select(measure=measure), known_once(results)
    if not once:
        return main
    alike = [name for name in results.measure_names if (name in once) == (measure in once)]
    kept = np.asarray(results.select(measures=alike).present.any(axis=(0, 2, 3)))
    return main.select(replications=[name for name, one in zip(main.replications, kept, strict=True) if one])


def _main_measure(results: Results) -> str:
    """The first measure that is not a cost; the first, if all are."""
    return next((one.name for one in results.measures if not is_cost(one)), results.measure_names[0])


def _for_values(policy: str) -> str:
    return "available" if policy in ("raise", "worst-rank") else policy


def is_geometric(results: Results) -> bool:
    """Whether one measure is averaged by geometric means everywhere in a report: on a log scale."""
    return transform_results(results, None).transform == "log"


def mean_in_words(results: Results) -> str:
    """Name the mean by which one measure is averaged everywhere in a report."""
    return "geometric mean" if is_geometric(results) else "mean"


def geometric_mean(values: FloatArray) -> float:
    """Return the geometric mean of positive values."""
    return float(np.exp(np.mean(np.log(values))))


def averaged(results: Results) -> Results:
    """Reduce the replications of each data set to their mean by one measure."""
    if not is_geometric(results):
        return results.aggregate("mean", missing="available")
    logs = transform_results(results, None).results.aggregate("mean", missing="available")
    return dataclasses.replace(logs, values=np.exp(logs.values), measures=results.measures)
