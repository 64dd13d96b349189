"""Stability of an order: the same analysis on bootstrap samples of the replications or of the data sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.consensus.consensus import Consensus, consensus
from podium.analysis.consensus.decomposition import solve
from podium.analysis.consensus.objective import consensus_objective
from podium.analysis.consensus.profile import make_profile
from podium.analysis.consensus.relation_classes import find_class
from podium.analysis.relation import Relation, preferences
from podium.arrays import FloatArray, IntArray
from podium.checks import (
    call_function,
    check_call,
    check_choice,
    check_count,
    expect,
    random_generator,
    record,
    shown,
    with_article,
)
from podium.errors import InputError, join_names, plural
from podium.results import Results
from podium.results.missing import shared_cells
from podium.results.selection import canonical
from podium.typesetting.html import described

MAX_OPTIMA = 100  # of the default order that count
MAX_DRAWS = 1_000  # in search of a resample in which every algorithm has a value

Order: TypeAlias = Callable[[Results], "Relation | Consensus"]


@record(eq=False, kw_only=True)
class Stability:
    """How often resamples agree with an order.

    Every resample counts once: if its analysis has several optima (at most 100 with the default order), they share it
    in equal parts. A share is then the probability that an optimum of a resample, drawn at random, is this outcome; the
    shares of all outcomes sum to 1.

    Attributes
    ----------
    relations : tuple of Relation
        The outcome of the full data; several if the consensus has several optima.
    agreement : float
        Share of these relations among the outcomes of the resamples.
    better : DataFrame
        Share of the resamples in which the row is better than the column.
    places : DataFrame
        Share of the resamples in which an algorithm (row) takes a place (column). Algorithms that are indifferent
        share their places in equal parts.
    outcomes : dict of Relation to float
        Share of each outcome, the most frequent first.
    resamples : int
    unit : {"replication", "dataset"}
    seed : int
    """

    relations: tuple[Relation, ...]
    agreement: float
    better: pd.DataFrame
    places: pd.DataFrame
    outcomes: dict[Relation, float]
    resamples: int
    unit: Unit
    seed: int

    def __str__(self) -> str:
        others = [(relation, share) for relation, share in self.outcomes.items() if relation not in self.relations]
        lines = [*map(str, self.relations), f"({self._reproduced()})"]
        lines += [f"{share:.0%}: {relation}" for relation, share in others[:3]]
        return "\n".join([*lines, f"and {plural(len(others) - 3, 'other outcome')}"] if len(others) > 3 else lines)

    __repr__ = __str__

    @property
    def decided(self) -> bool:
        """Whether the full data show any algorithm to be better than another, in all optima if there are several."""
        names = self.relations[0].algorithms
        return any(self._prefers(a, b) for a in names for b in names if a != b)

    def _prefers(self, a: str, b: str) -> bool:
        """Whether a is better than b in all optima of the full data."""
        return all(relation.prefers(a, b) for relation in self.relations)

    def _reproduced(self) -> str:
        """Say how often resamples agree; if all agree that nothing is decided, that does not make an order stable."""
        drawn = f"{self.resamples} resamples of the {'data sets' if self.unit == 'dataset' else 'replications'}"
        if not self.decided:
            where = " in all optima" if len(self.relations) > 1 else ""
            return (
                f"nothing is decided: no algorithm is better than another{where}; "
                f"the same outcome in {self.agreement:.0%} of {drawn}"
            )
        return f"reproduced in {self.agreement:.0%} of {drawn}"

    def _repr_html_(self) -> str:
        found = [(f"{share:.0%}", str(relation)) for relation, share in self.outcomes.items()]
        more = [("", f"and {plural(len(found) - 10, 'other outcome')}")] if len(found) > 10 else []
        return described(self._reproduced(), [*found[:10], *more])

    def pairs(self) -> pd.DataFrame:
        """One row per pair: the decision on the full data and the share of resamples with the same decision.

        If the full data have several optima, a pair is decided where all of them agree.
        """
        names = list(self.better.index)
        rows = []
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                first, second = (b, a) if self._prefers(b, a) else (a, b)
                for_it, against = float(self.better.loc[first, second]), float(self.better.loc[second, first])
                ordered = self._prefers(first, second)
                rows.append(
                    {
                        "a": first,
                        "b": second,
                        "decision": "<" if ordered else "~",
                        "agree": for_it if ordered else 1.0 - for_it - against,
                        "opposite": against if ordered else max(for_it, against),
                    }
                )
        return pd.DataFrame(rows, columns=["a", "b", "decision", "agree", "opposite"])


def mean_order(results: Results, missing: str = "raise") -> Relation | Consensus:
    """Order by the means: on the one data set, or the linear consensus of the orders on several."""
    relations = preferences(results, per="dataset", missing=missing)
    if len(relations) == 1:
        return next(iter(relations.values()))
    lacking: Literal["raise", "available"] = "available" if missing == "available" else "raise"
    return consensus(relations, "linear", all_optima=True, limit=MAX_OPTIMA, missing=lacking)


@check_call
def stability(
    results: Results,
    measure: str | None = None,
    order: Order | None = None,
    *,
    seed: int = 0,
    unit: Unit | None = None,
    resamples: int = 2_000,
    missing: str = "raise",
) -> Stability:
    """Repeat an analysis on bootstrap samples and count how often it leads to the same order.

    Parameters
    ----------
    results : Results
    measure : str, optional
        The measure; needed if there are several, unless `order` uses them all.
    order : callable, optional
        Function from Results to a `Relation` or a `Consensus`: any analysis, such as
        ``lambda r: podium.compare(r, method="nemenyi").relation()``. By default the order by the means (one data set),
        or the linear consensus of the orders by the means (several).
    seed : int, default 0
        Seed of the resampling; the same seed gives the same outcome.
    unit : {"replication", "dataset"}, optional
        What is drawn, with replacement. Replications are drawn within each data set, each as a whole (all algorithms
        and measures), so pairs stay pairs. By default data sets if there are several, else replications.
    resamples : int, default 2000
    missing : str, default "raise"
        Policy for missing cells, as in `Results.aggregate`. A function given as `order` sets its own policy. With
        ``"available"`` a data set that lacks an algorithm counts for the others. A resample in which an algorithm has
        no value at all is drawn again: the shares are those of resamples with all algorithms.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_demsar2006()
    >>> outcome = podium.relations.stability(results, resamples=100)
    >>> outcome.relations[0].best
    ('C4.5+m+cf',)
    >>> bool(outcome.better.loc["C4.5+m", "C4.5"] > 0.9)
    True
    """
    expect(results, Results, "results")
    if measure is not None:
        results = results.select(measure=measure)
    if len(results.algorithms) < 2:
        raise InputError(f"`results` must have two algorithms, or more; there is only {results.algorithms[0]!r}.")
    unit = _find_unit(unit, results)
    check_count(resamples, "resamples")
    if order is not None and not callable(order):
        raise InputError(
            "`order` must be a function from Results to a Relation or a Consensus, such as "
            f"lambda r: podium.consensus(podium.relations.preferences(r), 'linear'); got {shown(order)}."
        )
    if order is not None and not (isinstance(missing, str) and missing == "raise"):
        raise InputError("`missing` applies to the default order only; set the policy inside the function `order`.")
    analysis = partial(mean_order, missing=missing) if order is None else partial(call_function, order, "order")
    results = canonical(results)  # the outcome does not depend on the order of the labels
    full = _outcomes(analysis(results))
    names = tuple(sorted(full[0].algorithms))
    size = len(names)
    better, places = np.zeros((size, size)), np.zeros((size, size))
    counts: Counter[Relation] = Counter()
    agree = 0.0
    wanted = set(full)
    rng = random_generator(seed)
    if order is None and unit == "dataset" and not results.missing.any():
        repeated = _repeated_consensus(results, resamples, rng)
    else:
        everyone = list(names) if order is None else []
        repeated = (_outcomes(analysis(_with_all(results, unit, rng, everyone))) for _ in range(resamples))
    share_of = cache(spread_places)
    for outcomes in repeated:
        found = [relation.restrict(names) for relation in outcomes]
        for relation in found:
            better += relation.better / len(found)
            places += share_of(relation) / len(found)
            counts[relation] += 1.0 / len(found)  # type: ignore[assignment]
        agree += sum(relation in wanted for relation in found) / len(found)
    return Stability(
        relations=tuple(full),
        agreement=agree / resamples,
        better=pd.DataFrame(better / resamples, index=list(names), columns=list(names)),
        places=pd.DataFrame(places / resamples, index=list(names), columns=range(1, size + 1)),
        outcomes=_shares(counts, resamples),
        resamples=resamples,
        unit=unit,
        seed=seed,
    )


def _with_all(results: Results, unit: Unit, rng: np.random.Generator, algorithms: list[str]) -> Results:
    """Draw a resample in which every one of these algorithms has a value that others share."""
    if not results.missing.any() or not algorithms:
        return resample(results, unit, rng)
    at = [results.algorithms.index(name) for name in algorithms]
    for _ in range(MAX_DRAWS):
        drawn = resample(results, unit, rng)
        if (drawn.present & shared_cells(drawn))[:, :, at].any(axis=(0, 1, 3)).all():
            return drawn
    values = results.present.any(axis=1 if unit == "dataset" else 0).sum(axis=(0, 2))[at]
    rarest = [name for name, count in zip(algorithms, values, strict=True) if count == values.min()]
    what = "data set" if unit == "dataset" else "replication"
    raise InputError(
        f"None of {MAX_DRAWS:,} resamples has a value of every algorithm: {join_names(rarest)} "
        f"{'has' if len(rarest) == 1 else 'have'} values of {plural(int(values.min()), what)} only. Leave out "
        "algorithms with few values, or use missing='drop-algorithm'."
    )


def _repeated_consensus(results: Results, resamples: int, rng: np.random.Generator) -> Iterator[list[Relation]]:
    """Yield the outcomes of `mean_order` on samples of the data sets: the same orders, with other weights."""
    profile = make_profile(preferences(results, per="dataset"))
    within, m = find_class("linear"), len(profile.voters)
    voters = profile.matrices(within.reading)
    relations: dict[bytes, Relation] = {}
    for _ in range(resamples):
        drawn = np.bincount(rng.integers(0, m, m), minlength=m).astype(np.float64)
        objective, _factor = consensus_objective(voters, drawn, within)
        optima = solve(objective, keep_all=True, limit=MAX_OPTIMA, seconds=np.inf).solutions
        for optimum in optima:
            if optimum.tobytes() not in relations:
                relations[optimum.tobytes()] = within.relation(optimum, profile.algorithms)
        yield [relations[optimum.tobytes()] for optimum in optima]


def spread_places(relation: Relation) -> FloatArray:
    """Spread each algorithm evenly over its places: those not taken by the better and the worse ones."""
    size = len(relation)
    first = relation.better.sum(axis=0)
    last = size - 1 - relation.better.sum(axis=1)
    place = np.arange(size)[None, :]
    shares: FloatArray = ((place >= first[:, None]) & (place <= last[:, None])) / (last - first + 1)[:, None]
    return shares


def _outcomes(outcome: object) -> list[Relation]:
    if isinstance(outcome, Relation):
        return [outcome]
    if isinstance(outcome, Consensus):
        return list(outcome.relations)
    given = with_article(type(outcome).__name__)
    raise InputError(f"`order` must return a podium.Relation or a podium.Consensus; got {given}.")


def _shares(counts: Counter[Relation], resamples: int) -> dict[Relation, float]:
    """Order the outcomes by their shares; equal shares by the text of the outcome, whatever was drawn first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return {relation: count / resamples for relation, count in ordered}


def _find_unit(unit: str | None, results: Results) -> Unit:
    several = len(results.datasets) > 1
    if unit is not None:
        check_choice(unit, get_args(Unit), "unit")
    chosen = unit or ("dataset" if several else "replication")
    repeated = int(results.design.sum(axis=1).max()) > 1
    if not (several or repeated):
        raise InputError("`results` must have several data sets or replications to draw from; they have one of each.")
    if chosen == "dataset" and not several:
        raise InputError("`unit` is 'dataset', but there is only one data set. Draw replications: unit='replication'.")
    if chosen == "replication" and not repeated:
        raise InputError("`unit` is 'replication', but there is only one replication. Draw data sets: unit='dataset'.")
    return chosen  # type: ignore[return-value]


def resample(results: Results, unit: Unit, rng: np.random.Generator) -> Results:
    """Draw data sets, or replications within each data set, with replacement; all get new names."""
    if unit == "dataset":
        m = len(results.datasets)
        rows = rng.integers(0, m, m)
        return _take(results, rows[:, None].repeat(len(results.replications), 1), None)
    columns = np.empty(results.design.shape, np.intp)
    for row, there in enumerate(results.design):
        own = np.flatnonzero(there)
        columns[row] = np.arange(len(there))
        columns[row, own] = rng.choice(own, len(own))
    return _take(results, None, columns)


def _take(results: Results, rows: IntArray | None, columns: IntArray | None) -> Results:
    m, b = results.design.shape
    at = (
        np.arange(m)[:, None] if rows is None else rows,
        np.arange(b)[None, :] if columns is None else columns,
    )
    return results.replace(
        values=results.values[at],
        reasons=results.reasons[at],
        design=results.design[at],
        structure={name: array[at] for name, array in results.structure.items()},
        datasets=results.datasets if rows is None else tuple(f"{i + 1}" for i in range(m)),
        replications=results.replications if columns is None else tuple(range(1, b + 1)),
    )
