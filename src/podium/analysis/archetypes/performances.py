"""Archetypes of a domain: extreme performances of algorithms over many data sets (dissertation, section 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.analysis.archetypes.archetypes import DEFAULT_NUMBERS, archetypes, numbers_of
from podium.analysis.archetypes.estimator import FamilyName
from podium.analysis.archetypes.family import Family
from podium.analysis.archetypes.path import ArchetypePath
from podium.analysis.archetypes.solution import Solution
from podium.analysis.archetypes.text import domain_sentences
from podium.analysis.blocks import PAIR_POLICIES, one_measure
from podium.arrays import BoolArray, FloatArray
from podium.checks import check_call, check_choice, expect, is_collection, record
from podium.errors import InputError, MissingCellsError, join_names, plural
from podium.progress import Progress, ProgressMode
from podium.results import MeasureInfo, MissingReport, Results
from podium.results.missing import parse_policy, report_missing, resolve_missing

Kind: TypeAlias = Literal["best", "worst", "mixed", "average"]

AVERAGE = 0.25  # standard deviations from the mean within which an archetype is average on a data set
CARRIED = 0.5  # smallest mean coefficient of an archetype that represents an algorithm


@record(kw_only=True)
class ArchetypeProfile:
    """What one archetype of a domain stands for.

    Attributes
    ----------
    name : str
    kind : {"best", "worst", "mixed", "average"}
        Better than average on some data sets and worse on none, the reverse, both, or neither.
    better, worse : tuple of str
        Columns on which it is better or worse than the mean of all performances by more than a quarter of a standard
        deviation.
    better_on, worse_on : tuple of tuple of str
        The same by measure: one tuple of data sets for each of the measures.
    carries : tuple of str
        Algorithms that it represents: those to which it contributes at least half, on average, greatest share first.
    shares : tuple of float
        These shares.
    """

    name: str
    kind: Kind
    better: tuple[str, ...]
    worse: tuple[str, ...]
    better_on: tuple[tuple[str, ...], ...]
    worse_on: tuple[tuple[str, ...], ...]
    carries: tuple[str, ...]
    shares: tuple[float, ...]


@record(eq=False, repr=False, kw_only=True)
class DomainArchetypes:
    """Archetypal performances of a domain.

    Attributes
    ----------
    matrix : pandas.DataFrame
        The performances: a row per algorithm and replication, or per algorithm; a column per data set (and measure).
    path : ArchetypePath
        Solutions for several numbers of archetypes.
    k : int
        The number that is described: the elbow, unless another was chosen with `choose`.
    measures : tuple of MeasureInfo
    algorithms : tuple of str
    missing : MissingReport
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypal.domain_archetypes(results)."),)

    matrix: pd.DataFrame
    path: ArchetypePath
    k: int
    measures: tuple[MeasureInfo, ...]
    algorithms: tuple[str, ...]
    missing: MissingReport

    @property
    def solution(self) -> Solution:
        """The solution with `k` archetypes."""
        return self.path[self.k].solution_

    @property
    def solution_(self) -> Solution:
        """The same, under the name by which figures look for it."""
        return self.solution

    @property
    def archetypes(self) -> pd.DataFrame:
        """The archetypes, one per row, in the units of the measures."""
        return self.solution.frame()

    def choose(self, k: int) -> DomainArchetypes:
        """Return the same with another number of archetypes."""
        self.path[k]
        return replace(self, k=k)

    def groups(self) -> list[str]:
        """The algorithm of each row of the matrix."""
        return [str(name) for name in self.matrix.index.get_level_values("algorithm")]

    def contributions(self) -> pd.DataFrame:
        """Mean coefficient of each archetype for each algorithm; rows sum to one."""
        table = self.solution.contributions().groupby(np.array(self.groups())).mean()
        return table.loc[list(self.algorithms)].rename_axis("algorithm")

    def profiles(self) -> tuple[ArchetypeProfile, ...]:
        """What each archetype stands for."""
        signs = np.array([measure.sign for measure in self.measures] * (len(self.matrix.columns) // len(self.measures)))
        costs = self.solution.scale.scaled(self.solution.prototypes) * signs
        shares = self.contributions()
        columns = list(self.solution.columns)
        datasets = [str(name) for name in self.matrix.columns.get_level_values("dataset")]
        step = len(self.measures)  # columns are ordered by data set, and within it by measure

        def by_measure(chosen: BoolArray) -> tuple[tuple[str, ...], ...]:
            return tuple(
                tuple(name for name, taken in zip(datasets[i::step], chosen[i::step], strict=True) if taken)
                for i in range(step)
            )

        found = []
        for name, row in zip(self.solution.names, costs, strict=True):
            better = tuple(column for column, cost in zip(columns, row, strict=True) if cost < -AVERAGE)
            worse = tuple(column for column, cost in zip(columns, row, strict=True) if cost > AVERAGE)
            kind: Kind = "mixed" if better and worse else "best" if better else "worst" if worse else "average"
            carried = shares[name].sort_values(ascending=False, kind="stable")
            carried = carried[carried >= CARRIED]
            found.append(
                ArchetypeProfile(
                    name=name,
                    kind=kind,
                    better=better,
                    worse=worse,
                    better_on=by_measure(row < -AVERAGE),
                    worse_on=by_measure(row > AVERAGE),
                    carries=tuple(str(algorithm) for algorithm in carried.index),
                    shares=tuple(float(share) for share in carried),
                )
            )
        return tuple(found)

    def __str__(self) -> str:
        return domain_sentences(self)

    __repr__ = __str__


@check_call
def domain_archetypes(
    results: Results,
    measure: str | Sequence[str] | None = None,
    *,
    aggregate: Literal["mean", "median"] | None = None,
    k: Any = DEFAULT_NUMBERS,
    family: FamilyName | Family = "classical",
    n_init: int | None = None,
    seed: int = 0,
    missing: str = "raise",
    workers: int | None = None,
    progress: ProgressMode | Progress = "auto",
) -> DomainArchetypes:
    """Find the archetypal performances of a domain.

    The performances become a matrix with a row for each replication of each algorithm, and a column for each data set;
    replications of different data sets are joined by their label. Its archetypes are the extreme performances of
    the domain, and the coefficients say how much each contributes to the performances of an algorithm.

    Parameters
    ----------
    results : Results
    measure : str or sequence of str, optional
        Measure to analyse; needed only where there are several. Several measures become several columns for each data
        set, standardised.
    aggregate : {"mean", "median"}, optional
        Reduces the replications of each algorithm to one row; by default they stay.
    k : int or iterable of int, default range(1, 11)
        Numbers of archetypes; that at the elbow of the scree curve is described.
    family, n_init, seed, workers, progress
        See `podium.ArchetypalAnalysis`.
    missing : str, default "raise"
        What happens to missing cells: ``"drop-block"`` leaves out the replications in which a cell is missing,
        ``"drop-algorithm"``, ``"worst-value"``, or ``"available"``: the cells are left out of the loss.

    Returns
    -------
    DomainArchetypes

    Examples
    --------
    >>> import podium
    >>> found = podium.archetypal.domain_archetypes(podium.examples.load_ulas2008(), k=3)
    >>> found.contributions().round(2).loc["svl"].sum().round(2)
    np.float64(1.0)
    """
    expect(results, Results, "results")
    chosen = _measures(results, measure)
    policy = parse_policy(missing, allowed=PAIR_POLICIES)
    if aggregate is not None:
        check_choice(aggregate, ("mean", "median"), "aggregate")
        matrix, report = _aggregated(chosen, aggregate, policy)
    else:
        matrix, report = _replicated(chosen, policy)
    different = _check_matrix(matrix, k)
    if _is_default(k):
        k = range(1, min(DEFAULT_NUMBERS[-1], different) + 1)
    cells: Literal["raise", "available"] = "available" if matrix.isna().to_numpy().any() else "raise"
    path = archetypes(
        matrix.set_axis([" ".join(map(str, key)) if isinstance(key, tuple) else str(key) for key in matrix], axis=1),
        k,
        family=family,
        n_init=n_init,
        seed=seed,
        missing=cells,
        workers=workers,
        progress=progress,
    )
    names = tuple(dict.fromkeys(str(name) for name in matrix.index.get_level_values("algorithm")))
    number = path.elbow if path.elbow is not None else path.k[-1]
    return DomainArchetypes(
        matrix=matrix, path=path, k=number, measures=chosen.measures, algorithms=names, missing=report
    )


def _check_matrix(matrix: pd.DataFrame, k: Any) -> int:
    """Refuse one row, columns without differences, more archetypes than different rows; return the number of these."""
    if len(matrix) < 2:
        raise InputError(
            f"Archetypes need at least two rows of performances; there is {len(matrix)}. Give more algorithms, or "
            "leave `aggregate` out, so that each replication is a row."
        )
    flat = [key for key, values in matrix.items() if values.nunique() == 1]
    if flat:
        one = len(flat) == 1
        raise InputError(
            f"`results`: all performances are equal on {plural(len(flat), 'data set')}: {join_names(flat)}. "
            f"{'It says' if one else 'They say'} nothing about the algorithms; leave {'it' if one else 'them'} out "
            "with results.select(datasets=[...])."
        )
    different = len(matrix.dropna().drop_duplicates())
    most = 1 if _is_default(k) else numbers_of(k)[-1]
    if most > different:
        lacking = bool(matrix.isna().to_numpy().any())
        raise InputError(
            f"{plural(most, 'archetype')} {'needs' if most == 1 else 'need'} as many different rows of performances; "
            f"{'without missing cells ' if lacking else ''}there {'is' if different == 1 else 'are'} {different}. Ask "
            f"for fewer{', or choose another policy for `missing`' if lacking else ''}.",
            path=("k",),
        )
    return different


def _is_default(k: Any) -> bool:
    return isinstance(k, range) and k == DEFAULT_NUMBERS


def _measures(results: Results, measure: Any) -> Results:
    if measure is None or isinstance(measure, str) or not is_collection(measure):
        return one_measure(results, measure)
    names = list(measure)
    if not names:
        raise InputError("`measure` must name at least one measure; got none.")
    return results.select(measure=names)


def _columns(results: Results) -> pd.Index[Any]:
    if len(results.measures) == 1:
        return pd.Index(results.datasets, name="dataset")
    return pd.MultiIndex.from_product([results.datasets, results.measure_names], names=["dataset", "measure"])


def _replicated(results: Results, policy: str) -> tuple[pd.DataFrame, MissingReport]:
    """A row per algorithm and replication, of those that all data sets have."""
    shared = _shared(results)
    if policy == "drop-block":
        lacking = results.missing.any(axis=(0, 2, 3))
        kept = shared & ~lacking
        if not kept.any():
            raise MissingCellsError(
                f"`missing='drop-block'` would leave nothing: each of {plural(int(shared.sum()), 'replication')} has a "
                "missing cell on some data set. Use 'worst-value' or 'available', or `aggregate='mean'`."
            )
        dropped = tuple((name, results.replications[b]) for name in results.datasets for b in np.flatnonzero(lacking))
        report = report_missing(results, "drop-block", dropped_blocks=dropped)
        left = results
    else:
        left, report = resolve_missing(results, policy, allowed=PAIR_POLICIES)
        kept = _shared(left)  # a stopping rule that left algorithms out may leave fewer than there were
    values = np.where(left.present, left.values, np.nan)[:, kept]  # data sets, replications, algorithms, measures
    table = values.transpose(2, 1, 0, 3).reshape(len(left.algorithms) * int(kept.sum()), -1)
    labels = [left.replications[b] for b in np.flatnonzero(kept)]
    rows = pd.MultiIndex.from_product([left.algorithms, labels], names=["algorithm", "replication"])
    return pd.DataFrame(table, index=rows, columns=_columns(left)), report


def _shared(results: Results) -> BoolArray:
    shared: BoolArray = np.all(results.design, axis=0)
    if not shared.any():
        raise InputError("No replication is shared by all data sets, so rows cannot be joined. Use `aggregate='mean'`.")
    return shared


def _aggregated(
    results: Results, statistic: Literal["mean", "median"], policy: str
) -> tuple[pd.DataFrame, MissingReport]:
    """A row per algorithm."""
    left, report = resolve_missing(results, policy, allowed=PAIR_POLICIES)
    values = left.aggregate(statistic, missing="available").values[:, 0]  # data sets, algorithms, measures
    table: FloatArray = values.transpose(1, 0, 2).reshape(len(left.algorithms), -1)
    empty = np.isnan(table).all(axis=1)
    if empty.any():
        names = [left.algorithms[i] for i in np.flatnonzero(empty)]
        has = "has" if len(names) == 1 else "have"
        raise MissingCellsError(f"{join_names(names)} {has} no value at all; use `missing='drop-algorithm'`.")
    return pd.DataFrame(table, index=pd.Index(left.algorithms, name="algorithm"), columns=_columns(left)), report
