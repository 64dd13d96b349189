"""`Answer`: what a reader wants to know first, as facts."""

from __future__ import annotations

from functools import partial
from typing import Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.comparison import Comparison
from podium.analysis.describe.summary import summarize_measure
from podium.analysis.relation import Relation
from podium.analysis.transform import transform_results
from podium.checks import check_call, expect, record
from podium.results import MissingReport, Results
from podium.results.missing import absent_algorithms
from podium.show.report.analyses import Analyses, OrderedBy, attempt

Criterion: TypeAlias = Literal["average", "worst case", "stability", "cost"]


@record()
class Choice:
    """Which algorithm to choose under one criterion.

    Attributes
    ----------
    criterion : {"average", "worst case", "stability", "cost"}
    measure : str
        By which measure.
    algorithms : tuple of str
        The best; several if they are tied.
    in_race : bool
        Whether the choice is only among algorithms that no other is shown to be better than. A trivial algorithm would
        be the cheapest and the steadiest of all, which is of no use.
    value : float or None
        Of a cost: the mean, geometric on a log scale.
    performance : float or None
        Of a cost: the mean of the main measure, which is the price of the low cost; None if several are tied.
    geometric : bool
        Whether `performance` is a geometric mean.
    """

    criterion: Criterion
    measure: str
    algorithms: tuple[str, ...]
    in_race: bool = False
    value: float | None = None
    performance: float | None = None
    geometric: bool = False


@record(eq=False)
class Answer:
    """The order, how sure it is, which algorithms are out of the race, which to choose, and what it holds for.

    Attributes
    ----------
    order : tuple of str
        The algorithms, best first; empty where `missing` says that they have too few blocks in common for an order.
    algorithms : tuple of str
        The same, by name where there is no order.
    criterion : {"mean rank", "mean", "geometric mean"}
        What orders them.
    leaders : tuple of str
        Those that have the best of it; several if they are tied.
    left_out : tuple of str
        The algorithms that the policy for missing cells leaves out.
    absent : tuple of (str, str)
        The others that take part in nothing because they have no value, with the commonest reason.
    missing : MissingReport or None
        What the summary did about missing cells; None without a summary.
    worse : dict of str to tuple of str
        For each algorithm that is out of the race, those that are shown to be better.
    tested : bool
        Whether pairs were tested.
    first_share : float or None
        Share of the resamples in which the first of the order has the best of it.
    resamples : int
    choices : tuple of Choice
    complete, blocks : int
        Number of blocks (replications of data sets) in which no algorithm lacks a value, which choices by the main
        measure rest on, and of all blocks.
    ranked_last : int
        Number of cells without a value that were ranked last.
    unit : {"replication", "dataset"}
    n, datasets : int
        Number of blocks, and of the data sets behind them.
    dataset : str or None
        The data set, if there is one only.
    overlap : bool
        Whether replications of one data set were treated as independent, although they overlap.
    """

    order: tuple[str, ...]
    algorithms: tuple[str, ...]
    criterion: OrderedBy
    leaders: tuple[str, ...]
    left_out: tuple[str, ...]
    absent: tuple[tuple[str, str], ...]
    missing: MissingReport | None
    worse: dict[str, tuple[str, ...]]
    tested: bool
    first_share: float | None
    resamples: int
    choices: tuple[Choice, ...]
    complete: int
    blocks: int
    ranked_last: int
    unit: Unit
    n: int
    datasets: int
    dataset: str | None
    overlap: bool

    @property
    def leader(self) -> str:
        """The first of the order."""
        return self.order[0]

    @property
    def in_race(self) -> tuple[str, ...]:
        """The algorithms that no other is shown to be better than, in the order."""
        return tuple(name for name in self.algorithms if name not in self.worse)


@check_call
def find_answer(analyses: Analyses) -> Answer:
    """Collect the facts of the answer.

    >>> import podium
    >>> podium.show.report.find_answer(podium.show.report.Analyses(podium.examples.load_demsar2006())).in_race
    ('C4.5+m+cf', 'C4.5+m', 'C4.5+cf')
    """
    expect(analyses, Analyses, "analyses")
    main, found = analyses.main, analyses.comparison.value
    stable = analyses.stability.value
    without = _without_a_place(analyses)
    algorithms = tuple(name for name in analyses.order if name not in dict(without))
    order = algorithms if analyses.ordered else ()
    share = None
    if stable is not None and order and order[0] in stable.shares.index:
        share = float(stable.shares[1].to_dict()[order[0]])
    single = main.datasets[0] if len(main.datasets) == 1 else None
    blocks = int(main.design.sum()) if single is not None else len(main.datasets)
    summary, whole = analyses.performance.value, analyses.complete.value
    by = analyses.criterion
    worse = {} if found is None else {name: them for name, them in better_ones(found).items() if name in algorithms}
    return Answer(
        order=order,
        algorithms=algorithms,
        criterion=by,
        leaders=_leaders(analyses, by),
        left_out=tuple(name for name in main.algorithms if name not in (*algorithms, *dict(without))),
        absent=without,
        missing=None if summary is None else summary.table.missing,
        worse=worse,
        tested=found is not None and not found.untested.all(),
        first_share=share,
        resamples=0 if stable is None else stable.resamples,
        choices=tuple(_choices(analyses, [name for name in algorithms if name not in worse])),
        complete=0 if whole is None else int(whole.design.sum()),
        blocks=int(main.design.sum()),
        ranked_last=0 if summary is None or by != "mean rank" else summary.ranked_last,
        unit=analyses.unit,
        n=blocks if found is None else found.n,
        datasets=len(main.datasets),
        dataset=single,
        overlap=found is not None and found.overlap,
    )


def _without_a_place(analyses: Analyses) -> tuple[tuple[str, str], ...]:
    """Name the algorithms without any value, unless it was asked to rank them last or to leave them out."""
    last = analyses.missing == "worst-rank" and analyses.criterion == "mean rank"
    return () if last or analyses.missing == "drop-algorithm" else absent_algorithms(analyses.main)


def _leaders(analyses: Analyses, by: OrderedBy) -> tuple[str, ...]:
    found = analyses.performance.value
    if found is None or not analyses.ordered:
        return ()
    column = found.mean_ranks if by == "mean rank" else found.means
    losses = column.to_numpy(float) * (1 if by == "mean rank" else analyses.info.sign)
    return _best(tuple(column.index), losses)


def shown_relation(comparison: Comparison) -> Relation | None:
    """Return the relation of what is shown: a ≺ b where the decision is "better"; None without all pairs.

    A difference can be significant, and yet so small that the decision is "equivalent".
    """
    made = attempt(comparison.relation).value
    if made is None:
        return None
    strict = np.array(made.better)
    at = [made.algorithms.index(name) for name in comparison.algorithms]
    for i in np.flatnonzero(comparison.decision == "equivalent"):
        a, b = at[comparison.first[i]], at[comparison.second[i]]
        strict[a, b] = strict[b, a] = False
    return Relation.from_strict(strict, made.algorithms)


def better_ones(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """For each algorithm that another is shown to be better than: those, best first."""
    better = shown_relation(comparison)
    if better is None:
        return {}
    order = comparison.layout
    at = [better.algorithms.index(name) for name in order]
    wins = better.better[np.ix_(at, at)]
    return {
        order[j]: tuple(order[i] for i in np.flatnonzero(wins[:, j])) for j in range(len(order)) if wins[:, j].any()
    }


def _choices(analyses: Analyses, in_race: list[str]) -> list[Choice]:
    """Name the best by each criterion, where at least half of the blocks have no gap."""
    name, whole, choices = analyses.info.name, analyses.complete.value, []
    means: pd.Series[float] | None = None
    geometric = False
    if whole is not None and whole.design.sum() > 1 and 2 * whole.design.sum() >= analyses.main.design.sum():
        summary = attempt(lambda: summarize_measure(whole)).value
        if summary is not None and not summary.means.isna().all():
            means, geometric = summary.means, summary.transform == "log"
            losses = analyses.info.sign * means.to_numpy(float)
            choices.append(Choice("average", name, _best(tuple(means.index), losses)))
        worst = analyses.worst.value
        if worst is not None and len(worst) and means is not None:
            choices.append(Choice("worst case", name, _best(tuple(worst.index), worst["place"])))
        spread = _spread(transform_results(whole, None).results)
        if spread is not None and len(in_race) > 1 and means is not None:
            left = [i for i, one in enumerate(whole.algorithms) if one in in_race]
            steady = _best(tuple(whole.algorithms[i] for i in left), spread[left])
            choices.append(Choice("stability", name, steady, in_race=True))
    for cost in analyses.costs[:1] if len(in_race) > 1 else ():
        summary = attempt(partial(summarize_measure, analyses.results, cost, missing="available")).value
        if summary is not None and summary.ordered:
            costs = summary.means.loc[[one for one in summary.means.index if one in in_race]]
            cheap = _best(tuple(costs.index), costs.to_numpy(float))
            paid = float(means.loc[cheap[0]]) if means is not None and len(cheap) == 1 and cheap[0] in means else None
            least = float(costs.min()) if cheap else None
            price = Choice("cost", cost, cheap, in_race=True, value=least, performance=paid, geometric=geometric)
            choices.append(price)
    return choices


def _best(names: tuple[str, ...], losses: object) -> tuple[str, ...]:
    array = np.asarray(losses, float)
    if not np.isfinite(array).any():
        return ()
    least = np.nanmin(array)
    tied = np.isclose(array, least, rtol=1e-12, atol=0.0)  # means of equal numbers may differ in the last digit
    return tuple(name for name, one in zip(names, tied, strict=True) if one)


def _spread(main: Results) -> np.ndarray | None:
    """Mean over data sets of the standard deviation over replications; None where there is one replication each."""
    values = main.values[..., 0]
    enough = (~np.isnan(values)).sum(axis=1) >= 2
    if not enough.any(axis=0).all():
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        counts = (~np.isnan(values)).sum(axis=1)
        centre = np.nansum(values, axis=1) / np.maximum(counts, 1)
        squares = np.nansum((values - centre[:, None]) ** 2, axis=1) / np.maximum(counts - 1, 1)
    common = enough.all(axis=1)
    rows = common if common.any() else enough.any(axis=1)
    spread = np.where(enough, np.sqrt(squares), np.nan)[rows]
    return np.asarray(np.nanmean(spread, axis=0))
