"""`BayesComparison`: three probabilities per pair."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np
import pandas as pd

from podium.analysis.blocks import Unit
from podium.analysis.notes import MANY, Note, blocks_in_words, enumerated
from podium.analysis.relation import Relation
from podium.arrays import FloatArray, IntArray, StrArray
from podium.checks import check_count, check_probability, record, shown
from podium.errors import InputError, LabelError, join_names
from podium.results import MeasureInfo, MissingReport
from podium.typesetting import Cell, Column, Table


@record(eq=False, repr=False, kw_only=True)
class BayesComparison:
    """Pairs of algorithms, each with three posterior probabilities.

    Pair i compares ``algorithms[first[i]]`` (a) with ``algorithms[second[i]]`` (b).

    Attributes
    ----------
    method : str
        Name of the procedure, as in a sentence of a paper.
    procedure : str
        ``"correlated t"``, ``"sign"``, ``"signed rank"`` or ``"hierarchical"``.
    algorithms : tuple of str
    first, second : ndarray of int
    better, equivalent, worse : ndarray of float
        Probabilities that a is better, that the difference does not matter, and that b is better; they sum to 1. Of the
        signed rank method and the hierarchical model: that this outcome is the most probable of the three.
    mean_equivalent : ndarray of float
        Probability that the mean difference lies in the area, from Student's posterior under a flat prior, corrected
        for skewness; NaN where all differences are equal and not 0. The share of blocks in the area says little about
        the mean where many blocks are tied.
    next_better, next_equivalent, next_worse : ndarray of float or None
        Of the hierarchical model: probabilities of the three outcomes on the next data set.
    estimate, lower, upper : ndarray of float
        Posterior median of the mean difference a - b, and the ends of its central credible interval.
    equivalence : (float, float)
        The area of differences that do not matter; (0, 0) if there is none.
    alpha : float
        The interval has probability 1 - alpha, the default threshold of `decision`.
    measure : MeasureInfo
    unit : {"replication", "dataset"}
    n : int
        Number of blocks.
    datasets : int
        Number of data sets behind them.
    shares : ndarray of float, shape (pairs, draws, 3), or None
        Draws of the shares of better, equivalent and worse, where the method has them.
    missing : MissingReport or None
    details : mapping
        What only some methods have: the correlation of replications, and diagnostics of the chains by pair.
    notes : tuple of Note
    """

    method: str
    procedure: str
    algorithms: tuple[str, ...]
    first: IntArray
    second: IntArray
    better: FloatArray
    equivalent: FloatArray
    mean_equivalent: FloatArray
    worse: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    equivalence: tuple[float, float]
    alpha: float
    measure: MeasureInfo
    unit: Unit
    n: int
    datasets: int
    next_better: FloatArray | None = None
    next_equivalent: FloatArray | None = None
    next_worse: FloatArray | None = None
    shares: FloatArray | None = None
    missing: MissingReport | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def decision(self, threshold: float | None = None) -> StrArray:
        """Decide each pair by a probability of at least `threshold`: "better", "equivalent" or "undecided".

        Equivalent pairs are so in their mean difference, too: `mean_equivalent` must reach the threshold as well.
        """
        bar = self._threshold(threshold)
        one = np.maximum(self.better, self.worse) >= bar
        alike = np.minimum(self.equivalent, self.mean_equivalent) >= bar
        return np.where(alike, "equivalent", np.where(one, "better", "undecided"))

    def _threshold(self, threshold: float | None) -> float:
        if threshold is None:
            return 1 - self.alpha
        check_probability(threshold, "threshold")
        return threshold

    def expected_errors(self, threshold: float | None = None) -> float:
        """Return how many of the decisions are expected to be wrong: the sum of their probabilities of being wrong."""
        sure = np.where(self.decision(threshold) == "equivalent", self.equivalent, np.maximum(self.better, self.worse))
        return float((1 - sure)[self.decision(threshold) != "undecided"].sum())

    def relation(self, threshold: float | None = None) -> Relation:
        """Turn the decisions into a preference relation: a ≺ b where a is better with probability `threshold`."""
        k = len(self.algorithms)
        if len(self.first) < k * (k - 1) // 2:
            raise InputError(
                "A relation needs all pairs; this comparison has only those against a control. Compare all: leave "
                "`control` out."
            )
        better = self.decision(threshold) == "better"
        first_leads = self.better >= self.worse
        a, b = np.where(first_leads, self.first, self.second), np.where(first_leads, self.second, self.first)
        strict = np.zeros((k, k), bool)
        strict[a[better], b[better]] = True
        return Relation.from_strict(strict, self.algorithms)

    def frame(self, threshold: float | None = None) -> pd.DataFrame:
        """One row per pair, the algorithm that is more probably better as a; equally probable ones by name.

        Of the hierarchical model the columns ``next better``, ``next equivalent`` and ``next worse`` are the
        probabilities of the outcomes on the next data set; ``better``, ``equivalent`` and ``worse`` are the
        probabilities that an outcome is the most probable one there.
        """
        names = np.array(self.algorithms, object)
        equal = np.abs(self.worse - self.better) <= 1e-10
        swap = np.where(equal, names[self.second] < names[self.first], self.worse > self.better).astype(bool)
        a, b = np.where(swap, self.second, self.first), np.where(swap, self.first, self.second)
        after: dict[str, FloatArray] = {}
        if self.next_better is not None and self.next_equivalent is not None and self.next_worse is not None:
            after = {
                "next better": np.where(swap, self.next_worse, self.next_better),
                "next equivalent": self.next_equivalent,
                "next worse": np.where(swap, self.next_better, self.next_worse),
            }
        return pd.DataFrame(
            {
                "a": names[a],
                "b": names[b],
                "better": np.where(swap, self.worse, self.better),
                "equivalent": self.equivalent,
                "worse": np.where(swap, self.better, self.worse),
                **after,
                "estimate": np.where(swap, -self.estimate, self.estimate),
                "lower": np.where(swap, -self.upper, self.lower),
                "upper": np.where(swap, -self.lower, self.upper),
                "decision": self.decision(threshold),
            }
        )

    def pair(self, a: str, b: str) -> tuple[float, float, float]:
        """Return the probabilities that a is better, that they are equivalent, and that b is better."""
        texts = isinstance(a, str) and isinstance(b, str)
        for i, (x, y) in enumerate(zip(self.first, self.second, strict=True)):
            names = (self.algorithms[x], self.algorithms[y])
            three = float(self.better[i]), float(self.equivalent[i]), float(self.worse[i])
            if texts and names in ((a, b), (b, a)):
                return three if names == (a, b) else three[::-1]
        raise LabelError(
            f"{shown(a)} and {shown(b)} are not a pair of this comparison of {join_names(self.algorithms, most=12)}."
        )

    def text(self, threshold: float | None = None) -> str:
        """Describe the outcome in a paragraph."""
        bar = self._threshold(threshold)
        low, high = self.equivalence
        area = f"differences in [{low:g}, {high:g}] do not matter" if low < high else "no area of equivalence was given"
        sentences = [
            f"{len(self.algorithms)} algorithms were compared by {self.measure.name} on "
            f"{blocks_in_words(self.unit, self.n, self.datasets)} with the {self.method}; {area}."
        ]
        frame = self.frame(threshold)
        decided = {word: frame[frame["decision"] == word] for word in ("better", "equivalent", "undecided")}
        if decided["better"].empty and decided["equivalent"].empty:
            sentences.append(f"No pair is decided with a probability of {bar:.4g}.")
        else:
            sentences.append(self._decided(decided, bar))
            if len(frame) > 1:
                many = len(frame) - len(decided["undecided"])
                sentences.append(
                    "Each probability is that of one pair by itself; the expected number of wrong decisions is "
                    f"{self.expected_errors(threshold):.2g} of {many}."
                )
        if len(decided["undecided"]):
            sentences.append(self._open(decided["undecided"], len(frame)))
        return " ".join([*sentences, *map(str, self.notes)])

    def _decided(self, decided: Mapping[str, pd.DataFrame], bar: float) -> str:
        clauses = []
        for winner, rows in decided["better"].groupby("a", sort=False):
            losers = [f"{row['b']} ({_probability(row, 'better')})" for row in rows.to_dict("records")]
            clauses.append(f"{winner} is better than {enumerated(losers)}")
        if len(decided["better"]) > MANY:
            clauses = [f"one of the two is better in {len(decided['better'])} pairs"]
        alike = decided["equivalent"]
        if len(alike) > MANY:
            clauses.append(f"the two are equivalent in {len(alike)} pairs")
        else:
            clauses += [
                f"{row['a']} and {row['b']} are equivalent ({_probability(row, 'equivalent')})"
                for row in alike.to_dict("records")
            ]
        most = "" if self.next_better is None else " it is the most probable outcome on the next data set that"
        return f"With a probability of at least {bar:.4g},{most} {'; '.join(clauses)}."

    def _open(self, undecided: pd.DataFrame, pairs: int) -> str:
        verb = "remains" if len(undecided) == 1 else "remain"
        start = f"{len(undecided)} of {pairs} pairs {verb} undecided"
        if len(undecided) > MANY:
            return f"{start}."
        low, high = self.equivalence
        names = ("better", "equivalent", "worse") if low < high else ("better", "worse")
        listed = [
            f"{row['a']} and {row['b']} ({', '.join(f'{name} {row[name]:.3f}' for name in names)}{_next(row, names)})"
            for row in undecided.to_dict("records")
        ]
        return f"{start}: {'; '.join(listed)}."

    def table(self, *, decimals: int = 3) -> Table:
        """Return a table of all pairs with their probabilities, the winner of a decided pair in bold.

        Parameters
        ----------
        decimals : int, default 3
            Decimals of the probabilities.
        """
        check_count(decimals, "decimals", least=0, most=17)
        frame = self.frame()
        names = [name for name in ("better", "equivalent", "worse") if name in frame]
        names += [f"next {name}" for name in names if f"next {name}" in frame]
        rows = [
            (
                Cell(str(row["a"]), str(row["a"]), bold=row["decision"] == "better"),
                Cell(str(row["b"]), str(row["b"])),
                *(Cell(float(row[name]), f"{float(row[name]):.{decimals}f}") for name in names),
                Cell(str(row["decision"]), str(row["decision"])),
            )
            for row in frame.to_dict("records")
        ]
        low, high = self.equivalence
        title = (
            f"{self.method} by {self.measure.name} on {blocks_in_words(self.unit, self.n, self.datasets)}: "
            "probabilities that a is better than b, that their difference is in "
            f"[{low:g}, {high:g}], and that a is worse."
        )
        heads = [Column(name, "left", is_label=True, symbol=True) for name in ("a", "b")]
        heads += [Column(name.capitalize()) for name in names]
        notes = ("Next: the probability of that outcome on the next data set.",) if len(names) > 3 else ()
        return Table(title=title, columns=(*heads, Column("Decision", "left")), rows=tuple(rows), notes=notes)

    def latex(self, *, caption: str | None = None, label: str | None = None, decimals: int = 3) -> str:
        """Return the table of all pairs for a LaTeX document (package booktabs); see `Table.latex`."""
        return self.table(decimals=decimals).latex(caption=caption, label=label)

    def __repr__(self) -> str:
        shown = self.frame().head(15).to_string(index=False, float_format=lambda x: f"{x:.4g}")
        rest = len(self.first) - 15
        more = f"\n… and {rest} more pairs" if rest > 0 else ""
        head = f"{self.method}: {self.measure.name}, {blocks_in_words(self.unit, self.n, self.datasets)}"
        return f"{head}; equivalence [{self.equivalence[0]:g}, {self.equivalence[1]:g}]\n{shown}{more}"

    def _repr_html_(self) -> str:
        made = self.table()
        return made.replace(notes=(*made.notes, *map(str, self.notes))).html()


def _probability(row: Mapping[Hashable, Any], outcome: str) -> str:
    """Write the probability of an outcome, and that on the next data set where it is another one."""
    return f"{row[outcome]:.3f}{_next(row, (outcome,))}"


def _next(row: Mapping[Hashable, Any], outcomes: Sequence[str]) -> str:
    """Write the probabilities of outcomes on the next data set, where there are any."""
    after = [row.get(f"next {outcome}") for outcome in outcomes]
    if None in after:
        return ""
    return f"; {', '.join(f'{x:.3f}' for x in after)} on the next data set"
