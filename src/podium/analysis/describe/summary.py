"""Summaries of the performance of each algorithm."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from podium.analysis.blocks import Blocks, Unit, best_first, one_measure, ordered_blocks
from podium.analysis.describe.statistic import Wanted, statistics_of
from podium.analysis.transform import Transform, transform_results
from podium.checks import check_call, expect, record
from podium.errors import InputError
from podium.results import Results
from podium.results.known_measures import in_units_of_response
from podium.results.missing import POLICIES, RESOLVING, parse_policy
from podium.typesetting import Table

Part = TypeVar("Part", bound="Described")

STANDARD: tuple[str, ...] = ("mean", "sd", "median", "q25", "q75", "min", "max")


@check_call
def summarize(
    results: Results,
    measure: str | Sequence[str] | None = None,
    *,
    statistics: Wanted = (),
    missing: str = "raise",
    transform: Transform | None = None,
) -> pd.DataFrame:
    """Summarise the performance of each algorithm, best first.

    On one data set the numbers describe the distribution over its replications. On several data sets the
    replications are averaged first, and the numbers describe the distribution over data sets: data sets with
    many replications count no more than others.

    Parameters
    ----------
    results : Results
    measure : str or list of str, optional
        The measure, where there are several; or several measures, one below the other.
    statistics : str, function, sequence or mapping, optional
        Additional columns: ``"best"``, ``"worst"``, ``"iqr"``, ``"range"``, quantiles like ``"q95"``, or any
        function from the values of one algorithm to a number. A mapping gives them names.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value", "available"}
        Policy for missing cells. What it did is in ``frame.attrs["missing"]``. With ``"available"`` all numbers are
        over the blocks that all algorithms with a value have; if these are fewer than half, the rows are ordered by
        name. ``frame.attrs["common"]`` counts them.
    transform : {"log", "identity"} or function, optional
        With ``"log"`` the averages are geometric means, over the replications of a data set and in the table; the
        default where the scale of the measure is ``"log"`` (times are an example) and all values are positive. An
        increasing function is applied to all values, and the table is about what it returns. ``"identity"`` also
        asks for means over data sets of a measure in the units of the response, such as the RMSE: by default there are
        none, because data sets have different units, unless those of the measure are given.

    Returns
    -------
    DataFrame
        One row per algorithm, ordered by mean, or without means by mean rank (best first; equal ones by name), with
        columns

        - ``n``: number of replications (one data set) or data sets (several);
        - ``mean``, ``sd`` (with n - 1), ``median``, ``q25``, ``q75``, ``min``, ``max``; with logarithms ``geometric
          mean`` and ``geometric sd`` (a factor, exp of the standard deviation of the logarithms) instead of the first
          two;
        - ``mean rank``: mean of the ranks within blocks, rank 1 for the best, ties averaged; on several data sets
          the ranks are those of the data sets' means;
        - the additional statistics.

        With several measures the rows are labelled by measure and algorithm; where measures have different columns,
        such as geometric means on a log scale, the others are empty.
        ``frame.attrs["legend"]`` says what each column is.

    Examples
    --------
    >>> import podium
    >>> podium.summarize(podium.examples.load_demsar2006())[["n", "mean", "sd", "mean rank"]].round(3)
                n   mean     sd  mean rank
    C4.5+m+cf  14  0.827  0.155      1.929
    C4.5+m     14  0.820  0.159      2.000
    C4.5+cf    14  0.809  0.168      2.929
    C4.5       14  0.805  0.160      3.143
    """
    policy = parse_policy(missing, allowed=RESOLVING)
    options: dict[str, Any] = {"statistics": statistics, "missing": policy, "transform": transform}
    if measure is not None and not isinstance(measure, str):
        parts = parts_of(results, measure, lambda name: summarize_measure(results, name, **options))
        frame = stacked(parts)
        frame.attrs["common"] = {name: one.table.missing.common for name, one in parts.items()}
        return frame
    found = summarize_measure(results, measure, **options)
    frame = found.with_attrs()
    frame.attrs["common"] = found.table.missing.common
    return frame


@record(eq=False, repr=False, kw_only=True)
class Described:
    """A table on one measure, the values that it describes, and what each of its columns is, for readers."""

    frame: pd.DataFrame
    table: Blocks
    legend: dict[str, str]

    @property
    def missing(self) -> str:
        """What was done about missing cells, in words."""
        return "; ".join(str(report) for report in self.table.source.reports)

    def with_attrs(self) -> pd.DataFrame:
        """Return the table with what a reader needs: measure, data set, missing cells, meaning of each column."""
        self.frame.attrs |= {
            "measure": str(self.table.measure),
            "data": self.table.name,
            "missing": self.missing,
            "legend": self.legend,
        }
        return self.frame

    def __repr__(self) -> str:
        return f"{self.table.measure}\n{self.frame}"

    def _repr_html_(self) -> str:
        return Table.from_frame(self.frame, str(self.table.measure), digits=4).html()


@record(eq=False, repr=False, kw_only=True)
class MeasureSummary(Described):
    """How each algorithm performs by one measure: the facts behind `summarize`.

    Attributes
    ----------
    frame : DataFrame
        The table of `summarize`, best algorithm first.
    table : Blocks
        The values that it describes.
    legend : dict of str to str
        What each column is, for readers.
    transform : str
        ``"log"`` where the averages are geometric means; ``"identity"`` or the name of a function.
    n : int
        The largest number of values of an algorithm.
    means : Series
        Mean of each algorithm, in the order of the table; with logarithms the geometric mean. NaN where data sets have
        different units.
    mean_ranks : Series
        Mean rank of each algorithm, in the same order.
    ordered : bool
        Whether the algorithms have enough blocks in common for an order.
    ranked_last : int
        How many cells without a value were ranked last.
    """

    transform: str
    n: int
    means: pd.Series[float]
    mean_ranks: pd.Series[float]
    ordered: bool
    ranked_last: int


def summarize_measure(
    results: Results,
    measure: str | None = None,
    *,
    statistics: Wanted = (),
    missing: str = "raise",
    transform: Transform | None = None,
) -> MeasureSummary:
    """Summarise the performance of each algorithm by one measure; the arguments are those of `summarize`.

    With ``missing="worst-rank"`` missing cells are ranked last; all other numbers are those of ``"available"``.
    """
    transformed = transform_results(one_measure(results, measure), transform)
    ranked = inner = ordered_blocks(transformed.results, missing="available" if missing == "worst-rank" else missing)
    if missing == "worst-rank":  # for the ranks; one without any value has an empty row
        ranked = ordered_blocks(transformed.results, missing=missing, allowed=POLICIES)
        names = [*inner.algorithms, *(name for name in ranked.algorithms if name not in inner.algorithms)]
        inner, ranked = (
            ordered_blocks(transformed.results, missing=one, order=names, allowed=POLICIES)
            for one in ("available", missing)
        )
    table = inner
    columns: dict[str, Any] = {"n": (~np.isnan(table.values)).sum(axis=0)}
    legend = {"n": meaning_of_n(table.unit)}
    averages, standard, mean = "means", STANDARD, "mean"
    mixed = transform is None and table.unit == "dataset" and in_units_of_response(table.measure)
    if mixed:
        standard = ()
    if transformed.transform == "log":
        table = dataclasses.replace(inner, values=np.exp(inner.values), measure=transformed.measure)
        _fill_geometric(columns, legend, inner)
        averages, standard, mean = "geometric means", STANDARD[2:], "geometric mean"
    _fill(columns, legend, table, standard, averages)
    columns["mean rank"] = ranked.mean_ranks
    legend["mean rank"] = _rank_legend(inner)
    _fill(columns, legend, table, statistics, averages)
    frame = pd.DataFrame(columns, index=list(table.algorithms))
    if mixed and ranked.missing.ordered:
        frame = frame.iloc[best_first(ranked.mean_ranks, table.algorithms)]
    return MeasureSummary(
        frame=frame,
        table=table,
        transform=transformed.transform,
        n=int(frame["n"].max()),
        means=pd.Series(np.nan, frame.index) if mixed else frame[mean],
        mean_ranks=frame["mean rank"],
        ordered=ranked.missing.ordered,
        ranked_last=int(np.isnan(ranked.values).sum()) if missing == "worst-rank" else 0,
        legend=legend,
    )


def meaning_of_n(unit: Unit) -> str:
    """Say what the number n of a summary counts."""
    return "number of replications" if unit == "replication" else "number of data sets"


def parts_of(results: Results, measures: Sequence[str], make: Callable[[str], Part]) -> dict[str, Part]:
    """Describe each of several measures."""
    expect(results, Results, "results")
    return {name: make(name) for name in results.select(measure=measures).measure_names}


def stacked(parts: Mapping[str, Described]) -> pd.DataFrame:
    """Put the tables on several measures one below the other, with the measure as the first label of a row."""
    first, *_ = parts.values()
    frame = pd.concat({name: one.frame for name, one in parts.items()}, names=["measure", first.frame.index.name])
    legend: dict[str, str] = {}
    for one in parts.values():
        legend = {**one.legend, **legend}
    frame.attrs = {
        "measure": "; ".join(str(one.table.measure) for one in parts.values()),
        "data": first.table.name,
        "missing": "; ".join(f"{name}: {one.missing}" for name, one in parts.items() if one.missing),
        "legend": legend,
    }
    return frame


def _fill_geometric(columns: dict[str, Any], legend: dict[str, str], logs: Blocks) -> None:
    """Geometric mean and standard deviation of values whose logarithms are given."""
    columns["geometric mean"], columns["geometric sd"] = (
        np.exp(statistic.of(logs.values)) for statistic in statistics_of(("mean", "sd"), logs.measure)
    )
    over = "over replications" if logs.unit == "replication" else "over data sets, of the geometric means within each"
    legend["geometric mean"] = f"exp of the mean of the logarithms, {over}"
    legend["geometric sd"] = f"a factor: exp of the standard deviation of the logarithms, with n - 1, {over}"


def _fill(columns: dict[str, Any], legend: dict[str, str], table: Blocks, wanted: Wanted, averages: str) -> None:
    over = "over replications" if table.unit == "replication" else f"over data sets, of the {averages} within each"
    for statistic in statistics_of(wanted, table.measure):
        if statistic.name in columns:
            raise InputError(f"`statistics` has {statistic.name!r} twice; rename one of them with a mapping.")
        columns[statistic.name] = statistic.of(table.values)
        legend[statistic.name] = f"{statistic.meaning}, {over}"


def _rank_legend(table: Blocks) -> str:
    of = "" if table.unit == "replication" else ", each data set by the means of its replications"
    return f"mean of the ranks within blocks{of}; rank 1 is the best, ties are averaged"
