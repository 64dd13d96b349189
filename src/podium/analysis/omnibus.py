"""`Omnibus`: the outcome of a global test, whether the algorithms differ at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, get_args

import numpy as np

from podium.analysis.blocks import Unit
from podium.analysis.notes import FIRST, Note, blocks_in_words, format_p
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_choice, check_count, expect, record
from podium.results import MissingReport, Results
from podium.typesetting.html import described


@record(eq=False, kw_only=True)
class Omnibus:
    """Outcome of a test of the hypothesis that all algorithms perform equally well.

    Attributes
    ----------
    method : str
        Name of the test, as in a sentence of a paper.
    procedure : str
        Name of the test in the registry: ``"friedman"``, ``"quade"``, ``"mixed"``, ...
    statistic, pvalue : float
    df : tuple of float
        Degrees of freedom of the reference distribution; empty where there is none (permutation tests).
    algorithms : tuple of str
    unit : {"replication", "dataset"}
        What the outcome generalises to: replications of one data set, or data sets of a domain.
    n : int
        Number of blocks.
    datasets : int
        Number of data sets behind them.
    alpha : float
        Level for `significant`.
    mean_ranks : ndarray of float or None
        Mean rank of each algorithm, in a rank test.
    kendall_w : float or None
        Kendall's coefficient of concordance, in the Friedman test.
    exact : bool
        Whether the p-value was counted over all arrangements.
    permutations : int
        Number of random permutations behind the p-value; 0 if none.
    monte_carlo_error : float
        Standard error of the p-value, where it is from random permutations.
    missing : MissingReport or None
        What was done about missing cells.
    details : mapping
        What else a test computed.
    notes : tuple of Note
        What a reader should know.
    """

    _ways_out: ClassVar = {Results: "Use the results that the Omnibus was made from."}

    method: str
    procedure: str
    statistic: float
    pvalue: float
    df: tuple[float, ...] = ()
    algorithms: tuple[str, ...]
    unit: Unit
    n: int
    datasets: int
    alpha: float = 0.05
    mean_ranks: FloatArray | None = None
    kendall_w: float | None = None
    exact: bool = False
    permutations: int = 0
    monte_carlo_error: float = 0.0
    missing: MissingReport | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        check_alpha(self.alpha)
        check_outcome(self)

    @property
    def significant(self) -> bool:
        """Whether the hypothesis of equal performance is rejected at level alpha."""
        return bool(self.pvalue <= self.alpha)

    @property
    def title(self) -> str:
        """The method, for the start of a line."""
        return capitalised(self.method)

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        df = f" with {' and '.join(f'{d:g}' for d in self.df)} degrees of freedom" if self.df else ""
        verdict = (
            f"so the hypothesis that all algorithms perform equally well is rejected at the {self.alpha:g} level"
            if self.significant
            else f"so differences between the algorithms are not shown at the {self.alpha:g} level; "
            "this does not mean that there are none"
        )
        sentences = [
            f"{len(self.algorithms)} algorithms were compared on {blocks_in_words(self.unit, self.n, self.datasets)}.",
            *(str(note) for note in self.notes if note.code in FIRST),
            f"The {self.method} gives {self.statistic:.4f}{df}, {format_p(self.pvalue, self.alpha)}, {verdict}.",
            *(str(note) for note in self.notes if note.code not in FIRST),
        ]
        return " ".join(sentences)

    def _repr_html_(self) -> str:
        facts = [
            ("statistic", f"{self.statistic:.4f}"),
            *([("degrees of freedom", ", ".join(f"{x:g}" for x in self.df))] if self.df else []),
            ("p", format_p(self.pvalue, self.alpha)),
            ("blocks", blocks_in_words(self.unit, self.n, self.datasets)),
            *([("Kendall's W", f"{self.kendall_w:.3f}")] if self.kendall_w is not None else []),
            *([("mean ranks", self._ranks())] if self.mean_ranks is not None else []),
            *(("note", str(note)) for note in self.notes),
        ]
        return described(self.title, facts)

    def _ranks(self) -> str:
        ranks = np.asarray(self.mean_ranks)
        return ", ".join(f"{self.algorithms[i]} {ranks[i]:.2f}" for i in np.argsort(ranks, kind="stable"))

    def __str__(self) -> str:
        df = f", df = {', '.join(f'{x:g}' for x in self.df)}" if self.df else ""
        blocks = f"{self.n} {'replications' if self.unit == 'replication' else 'data sets'}"
        return f"{self.title}: statistic = {self.statistic:.4f}{df}, {format_p(self.pvalue, self.alpha)} ({blocks})"


def check_outcome(outcome: Any) -> None:
    """Check the fields that outcomes of tests share."""
    for name in ("method", "procedure"):
        expect(getattr(outcome, name), str, name)
    for name in ("algorithms", "notes"):
        expect(getattr(outcome, name), tuple, name)
    for i, note in enumerate(outcome.notes):
        expect(note, Note, f"notes[{i}]")
    check_choice(outcome.unit, get_args(Unit), "unit")
    check_count(outcome.n, "n")
    check_count(outcome.datasets, "datasets", least=0)  # 0: duels, which have none
    if outcome.missing is not None:
        expect(outcome.missing, MissingReport, "missing")


def capitalised(title: str) -> str:
    """Begin a title with a capital, as at the start of a line."""
    return title[0].upper() + title[1:]
