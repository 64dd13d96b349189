"""The rank report: quartile charts, a table with ranks, the Friedman test, and which algorithms lose against the best.

The workflow of a lecture note after J. Demšar (2006). Statistical comparisons of classifiers over multiple data sets.
Journal of Machine Learning Research 7, 1–30.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd
from scipy.special import fdtri

from podium.analysis.blocks import RANK_POLICIES, Blocks, Unit, best_first, one_measure, to_blocks
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.describe.quartile_chart import QuartileChart, quartile_chart
from podium.analysis.methods.omnibus.friedman import FRIEDMAN, TieRule
from podium.analysis.methods.ranks import rank_blocks
from podium.analysis.multitest import text
from podium.analysis.multitest.tables import report_table
from podium.analysis.notes import Note
from podium.analysis.omnibus import Omnibus
from podium.arrays import FloatArray, lock
from podium.checks import check_alpha, check_call, check_choice, expect, record
from podium.results import MeasureInfo, Results
from podium.results.labels import Label, natural_key
from podium.results.missing import parse_policy
from podium.typesetting import Table

Reduced: TypeAlias = Literal["median", "mean"]
Verdict: TypeAlias = Literal["winner", "loser", "tie"]


@record(eq=False, kw_only=True)
class RankVerdict:
    """Which algorithms lose against the best by a Friedman–Nemenyi test of one table of ranks.

    Attributes
    ----------
    algorithms : tuple of str
        The best mean rank first; equal ones by name.
    mean_ranks : ndarray of float
    friedman, iman_davenport : Omnibus
        The χ² test and its F version, which decides whether anything differs.
    critical_f : float
        The value that F must exceed.
    critical_value, critical_difference : float
        Of the Nemenyi test: q, and how far apart two mean ranks must be.
    comparison : Comparison
        The Nemenyi test of all pairs, gated by the F test.
    winners, losers : tuple of str
        Losers are a critical difference or more behind the best; winners are the others. Both are empty if nothing is
        shown to differ from the best.
    """

    algorithms: tuple[str, ...]
    mean_ranks: FloatArray
    friedman: Omnibus
    iman_davenport: Omnibus
    critical_f: float
    critical_value: float
    critical_difference: float
    comparison: Comparison
    winners: tuple[str, ...]
    losers: tuple[str, ...]

    @property
    def tie(self) -> bool:
        """Whether no algorithm is shown to be behind the best."""
        return not self.losers

    @property
    def best(self) -> tuple[str, ...]:
        """The non-losing algorithms: the winners, or all of them."""
        return self.winners or self.algorithms

    def verdict(self, algorithm: str) -> Verdict:
        """Return what one algorithm is: ``"winner"``, ``"loser"`` or ``"tie"``."""
        check_choice(algorithm, self.algorithms, "algorithm")
        if self.tie:
            return "tie"
        return "loser" if algorithm in self.losers else "winner"


@record(slots=True, kw_only=True)
class StrikingDataset:
    """A data set that is shown to reverse the order of the others.

    Attributes
    ----------
    dataset : str
    pvalue : float
        Against "its replications do not rank the algorithms in the reverse order of the other data sets" (Page's test,
        adjusted by Holm over the data sets).
    reversed : float
        Share of the pairs of algorithms whose medians are in the reverse order of the overall medians.
    overturned : tuple of str
        Overall losers that win there, while every overall winner loses there.
    """

    dataset: str
    pvalue: float
    reversed: float
    overturned: tuple[str, ...]


@record(eq=False, repr=False, kw_only=True)
class RankReport:
    """A comparison of algorithms by their ranks, from quartile charts to the final sentence; ``print`` it.

    Attributes
    ----------
    measure : MeasureInfo
    algorithms : tuple of str
        As in the results.
    labels : tuple
        The rows of the table: data sets, or replications where there is one data set.
    values, ranks : ndarray of float, shape (n, K)
        What the ranks are made from, and the ranks, 1 for the best; equal values share the mean of their ranks.
    unit : {"replication", "dataset"}
        What a row is, and what the verdict generalises to.
    aggregate : {"median", "mean"}
        How the replications of a data set were reduced.
    alpha : float
    chart : QuartileChart
        Quartiles of every algorithm, overall and on each data set.
    overall : RankVerdict
    per_dataset : dict of str to RankVerdict
        The same by the replications of each data set; without those that have fewer than two, or an algorithm without
        any value. These hold only for new resamples of that data set, and are not adjusted for their number.
    striking : tuple of StrikingDataset
        The data sets that are shown to reverse the order of the others; where no algorithm differs from another, there
        is any with a probability of at most alpha. This holds for new resamples of the data sets.
    notes : tuple of Note

    Examples
    --------
    >>> import podium
    >>> report = podium.inference.rank_report(podium.examples.load_demsar2006())
    >>> report.winners, report.losers
    ((), ())
    >>> report.sentence
    'At the 95% confidence level a Friedman–Nemenyi test reports no significant difference between ...'
    """

    _made_from: ClassVar = ((object, "Create one with podium.inference.rank_report(results)."),)
    _ways_out: ClassVar = {Comparison: "Use its field `overall.comparison`."}

    measure: MeasureInfo
    algorithms: tuple[str, ...]
    labels: tuple[Label, ...]
    values: FloatArray
    ranks: FloatArray
    unit: Unit
    aggregate: Reduced
    alpha: float
    chart: QuartileChart
    overall: RankVerdict
    per_dataset: dict[str, RankVerdict]
    striking: tuple[StrikingDataset, ...]
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        lock(self, "values", "ranks")

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners overall; empty where nothing is shown to differ."""
        return self.overall.winners

    @property
    def losers(self) -> tuple[str, ...]:
        """The losers overall."""
        return self.overall.losers

    @property
    def sentence(self) -> str:
        """The final sentence: who does not lose, or that nothing differs."""
        return text.final_sentence(self.overall, self.alpha)

    @property
    def warning(self) -> str:
        """A warning if the overall verdict hides striking exceptions; otherwise empty."""
        return text.striking_warning(self)

    def frame(self) -> pd.DataFrame:
        """One row per algorithm, the best mean rank first.

        Returns
        -------
        DataFrame
            Columns mean_rank, behind (the distance to the best mean rank), median (or mean) of the values in the table,
            verdict, and, where data sets have replications, wins and losses: on how many of them it is among the
            winners, or the losers.
        """
        order = [self.algorithms.index(name) for name in self.overall.algorithms]
        centre = np.nanmedian if self.aggregate == "median" else np.nanmean
        names = self.overall.algorithms
        frame = pd.DataFrame(
            {
                "mean_rank": self.overall.mean_ranks,
                "behind": self.overall.mean_ranks - self.overall.mean_ranks.min(),
                self.aggregate: centre(self.values[:, order], axis=0),
                "verdict": [self.overall.verdict(name) for name in names],
            },
            index=pd.Index(names, name="algorithm"),
        )
        tested = list(self.per_dataset.values())
        if tested:
            frame["wins"] = [sum(name in one.winners for one in tested) for name in names]
            frame["losses"] = [sum(name in one.losers for one in tested) for name in names]
        return frame

    def value_frame(self) -> pd.DataFrame:
        """Return the values, one row per data set, one column per algorithm, and the mean ranks as the last row."""
        return self._with_means(self.values, self.ranks.mean(axis=0))

    def rank_frame(self) -> pd.DataFrame:
        """Return the ranks in the same shape."""
        return self._with_means(self.ranks, self.ranks.mean(axis=0))

    def table(self, *, decimals: int = 3) -> Table:
        """Return the values with their ranks as a table for a paper.

        ``print(table)`` shows it; ``table.latex()``, ``table.markdown()`` and ``table.html()`` give it a form.
        """
        return report_table(self, decimals=decimals)

    def _with_means(self, body: FloatArray, last: FloatArray) -> pd.DataFrame:
        name = "dataset" if self.unit == "dataset" else "replication"
        index = pd.Index([*self.labels, "average rank"], name=name, dtype=object)
        return pd.DataFrame(np.vstack([body, last]), index=index, columns=list(self.algorithms))

    def text(self, width: int = 78) -> str:
        """Return the whole report as plain text, in lines of at most `width` characters where its chart allows it."""
        return text.report_text(self, width)

    def latex(self, *, caption: str | None = None, label: str | None = None, decimals: int = 3) -> str:
        """Return the table of values with their ranks for a LaTeX document (package booktabs)."""
        return self.table(decimals=decimals).latex(caption=caption, label=label)

    def __repr__(self) -> str:
        return text.report_lines(self)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return text.report_html(self)


@check_call
def rank_report(
    results: Results,
    measure: str | None = None,
    *,
    aggregate: Reduced = "median",
    alpha: float = 0.05,
    ties: TieRule = "corrected",
    width: int = 30,
    missing: str = "raise",
) -> RankReport:
    """Compare algorithms by ranks in one call: quartile charts, ranks, Friedman test, critical difference, losers.

    The replications of each data set are reduced to their median, and the algorithms are ranked on each data set. If
    the F version of the Friedman test finds a difference, algorithms whose mean rank is a Nemenyi critical difference
    behind the best are *losers*, the others *winners*. The same is done with the replications of each data set, to see
    whether the overall verdict hides a striking exception.

    Parameters
    ----------
    results : Results
        With one data set, the rows that are ranked are its replications.
    measure : str, optional
        The measure, where there are several.
    aggregate : {"median", "mean"}
        How the replications of a data set are reduced.
    alpha : float, default 0.05
    ties : {"corrected", "plain"}
        Whether the Friedman statistic is corrected for tied ranks, as for `friedman`; ``"plain"`` is the published
        formula.
    width : int, default 30
        Characters of a bar of the quartile chart.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value"}
        Policy for missing cells.

    Returns
    -------
    RankReport

    Examples
    --------
    >>> import podium
    >>> report = podium.inference.rank_report(podium.examples.load_ulas2008(), aggregate="mean")
    >>> report.winners
    ('svr', 'svl')
    >>> report.frame().loc[["svr", "5nn"], ["mean_rank", "verdict"]].round(2)
               mean_rank verdict
    algorithm
    svr             2.45  winner
    5nn             5.20   loser
    """
    check_alpha(alpha)
    check_choice(aggregate, get_args(Reduced), "aggregate")
    chosen = one_measure(expect(results, Results, "results"), measure)
    policy = parse_policy(missing, allowed=RANK_POLICIES)
    blocks = to_blocks(chosen, aggregate=aggregate, missing=policy)
    several = blocks.unit == "dataset"
    source = blocks.source
    # Cells that the ranks put last have no quartiles: the chart shows those that are there.
    chart = quartile_chart(source, width=width, alpha=alpha, missing="available" if policy == "worst-rank" else "raise")
    overall = _verdict(blocks, alpha, ties)
    inside: dict[str, RankVerdict] = {}
    for m, name in sorted(enumerate(source.datasets), key=lambda pair: natural_key(pair[1])) if several else ():
        filled = np.any(source.present[m, :, :, 0], axis=0)
        if source.design[m].sum() >= 2 and filled.all():
            one = to_blocks(source.select(dataset=name), missing="worst-rank" if policy == "worst-rank" else "raise")
            inside[name] = _verdict(one, alpha, ties)
    notes = blocks.notes
    if inside or not several:
        notes += (Note("resamples of a data set"),)
    notes += tuple(note for note in overall.iman_davenport.notes if note.code == "few blocks for F")
    return RankReport(
        measure=blocks.measure,
        algorithms=blocks.algorithms,
        labels=blocks.labels,
        values=blocks.values.copy(),
        ranks=rank_blocks(blocks.costs),
        unit=blocks.unit,
        aggregate=aggregate,
        alpha=alpha,
        chart=chart,
        overall=overall,
        per_dataset=inside,
        striking=_striking(chart, overall, inside),
        notes=notes,
    )


def _verdict(blocks: Blocks, alpha: float, ties: TieRule) -> RankVerdict:
    """Test a table of ranks, and find the losers."""
    options: dict[str, Any] = {"alpha": alpha, "ties": ties}
    chi_square = FRIEDMAN.test_blocks(blocks, **options)
    f_test = FRIEDMAN.test_blocks(blocks, distribution="F", **options)
    ranks = rank_blocks(blocks.costs)
    found = _nemenyi(blocks, f_test, alpha)
    means = ranks.mean(axis=0)
    order = best_first(means, blocks.algorithms)
    top = int(order[0])
    others = np.where(found.first == top, found.second, found.first)
    with_top = (found.first == top) | (found.second == top)
    behind = {int(i) for i in others[with_top & found.significant]}
    names = blocks.algorithms
    critical = found.critical_difference
    assert critical is not None and found.critical_value is not None
    return RankVerdict(
        algorithms=tuple(names[i] for i in order),
        mean_ranks=means[order],
        friedman=chi_square,
        iman_davenport=f_test,
        critical_f=float(fdtri(f_test.df[0], f_test.df[1], 1 - alpha)),
        critical_value=float(found.critical_value[0]),
        critical_difference=critical,
        comparison=found,
        winners=tuple(names[i] for i in order if i not in behind) if behind else (),
        losers=tuple(names[i] for i in order if i in behind),
    )


def _nemenyi(blocks: Blocks, f_test: Omnibus, alpha: float) -> Comparison:
    """Compare all pairs of the same ranks, only if the F test finds a difference."""
    ranked = rank_blocks(blocks.costs)
    axis = (1, -1) if blocks.unit == "replication" else (-1, 1)
    values = ranked.reshape(*axis, len(blocks.algorithms), 1)
    table = Results(
        values=values,
        datasets=blocks.source.datasets,
        replications=blocks.labels if blocks.unit == "replication" else (1,),
        algorithms=blocks.algorithms,
        measures=(MeasureInfo(f"rank of {blocks.measure.name}", "lower"),),
    )
    return compare(table, method="nemenyi", alpha=alpha, omnibus=f_test)


def _striking(
    chart: QuartileChart, overall: RankVerdict, inside: dict[str, RankVerdict]
) -> tuple[StrikingDataset, ...]:
    """Find the data sets that are shown to reverse the order of the others."""
    found = []
    for part in chart.sections[1:]:
        one = inside.get(part.title)
        overturned: tuple[str, ...] = ()
        if one is not None and overall.losers and set(overall.winners) <= set(one.losers):
            overturned = tuple(name for name in one.winners if name in overall.losers)
        if part.title in chart.different:
            found.append(
                StrikingDataset(dataset=part.title, pvalue=part.pvalue, reversed=part.reversed, overturned=overturned)
            )
    return tuple(found)
