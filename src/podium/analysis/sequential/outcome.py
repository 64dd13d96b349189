"""`Sequential`: what a sequential test decides about pairs of algorithms, stage by stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.notes import Note
from podium.analysis.pairs import Alternative
from podium.analysis.sequential import text
from podium.analysis.sequential.recursive_combination import StageDecision
from podium.analysis.sequential.stopping_rule import PairState
from podium.checks import record
from podium.errors import InputError

SequentialKind: TypeAlias = Literal["combination", "group sequential", "betting", "asymptotic"]

KINDS: tuple[SequentialKind, ...] = get_args(SequentialKind)


@record(kw_only=True)
class SequentialRow:
    """One side of one pair after one stage: what was compared, and with which bounds."""

    dataset: str
    measure: str
    a: str
    b: str
    side: Literal["better", "worse"]
    stage: int
    replications: int
    level: float
    critical: float
    reject: float
    pvalue: float
    accept: float
    decision: StageDecision


@record(kw_only=True)
class NextLook:
    """The next planned look at one side of an open pair: where it is, and the bounds of its p-value.

    Attributes
    ----------
    dataset, measure, a, b : str
    side : {"better", "worse"}
    stage, replications : int
        Of the look, as planned.
    level, critical, reject, accept : float
        As in a `SequentialRow`; they hold as long as no other pair of the data set is decided before.
    """

    dataset: str
    measure: str
    a: str
    b: str
    side: Literal["better", "worse"]
    stage: int
    replications: int
    level: float
    critical: float
    reject: float
    accept: float


@record(kw_only=True)
class SequentialPair:
    """What was decided about one pair, in one measure, on one data set.

    Attributes
    ----------
    dataset, measure, a, b : str
    state : {"better", "worse", "equivalent", "accepted", "left out", "open"}
        Of a; ``"accepted"``: stopped without showing a difference; ``"left out"``: an algorithm had been dropped.
    stage : int
        The stage, from 1, after which it was decided; the last one with data while it is open, 0 before the first.
    replications : int
        Number of replications until then.
    pvalue : float
        Of the pair alone, over all its stages; two-sided unless the alternative has a direction. NaN before the first.
    estimate, lower, upper : float
        Difference a - b with its interval, which holds at all stages, pairs, measures and data sets together; NaN if
        none was requested.
    rows : tuple of SequentialRow
        The stages of the side with the smaller p-value.
    others : tuple of SequentialRow
        Those of the other side of a two-sided test.
    next_looks : tuple of NextLook
        The next planned look at each side of an open pair; empty if no look is left.
    """

    dataset: str
    measure: str
    a: str
    b: str
    state: PairState
    stage: int
    replications: int
    pvalue: float
    estimate: float
    lower: float
    upper: float
    rows: tuple[SequentialRow, ...]
    others: tuple[SequentialRow, ...]
    next_looks: tuple[NextLook, ...]

    @property
    def decision(self) -> Literal["reject", "accept", "equivalent", "continue"]:
        """Whether the hypothesis of no difference was rejected, or the test ended otherwise, or would continue."""
        if self.state in ("better", "worse"):
            return "reject"
        return "equivalent" if self.state == "equivalent" else "accept" if self.state == "accepted" else "continue"


@record(kw_only=True, eq=False)
class Sequential:
    """What a sequential test decides, stage by stage, about pairs of algorithms on finished results.

    Attributes
    ----------
    kind : {"combination", "group sequential", "betting", "asymptotic"}
    method : str
        The test of a stage, or of all data so far; ``"mean"`` in confidence sequences.
    pairs : tuple of SequentialPair
        The pairs of every data set and measure.
    datasets, measures, algorithms : tuple of str
    sizes : mapping of str to tuple of int
        Replications of each planned stage, by data set.
    alpha : float
        Error over all pairs, measures and data sets.
    alternative : {"two-sided", "better", "worse"}
    control : str or None
    equivalence : (float, float) or None
    racing : bool
    dropped : mapping of (str, str) to int
        The stage after which an algorithm was dropped on a data set, by data set and algorithm.
    settings : mapping
        The options of the kind, as they were used.
    notes : tuple of Note
    """

    kind: SequentialKind
    method: str
    pairs: tuple[SequentialPair, ...]
    datasets: tuple[str, ...]
    measures: tuple[str, ...]
    algorithms: tuple[str, ...]
    sizes: Mapping[str, tuple[int, ...]]
    alpha: float
    alternative: Alternative
    control: str | None
    equivalence: tuple[float, float] | None
    racing: bool
    dropped: Mapping[tuple[str, str], int]
    settings: Mapping[str, Any]
    notes: tuple[Note, ...] = ()

    def _one(self, what: str) -> SequentialPair:
        if len(self.pairs) != 1:
            raise InputError(
                f"`{what}` is that of one pair; there are {len(self.pairs)}. See `frame()`, or select: "
                "podium.sequential(results, pair=('a', 'b'))."
            )
        return self.pairs[0]

    @property
    def decision(self) -> str:
        """Of one pair: ``"reject"``, ``"accept"``, ``"equivalent"`` or ``"continue"``."""
        return self._one("decision").decision

    @property
    def stage(self) -> int:
        """Of one pair: the stage, from 1, after which it was decided; the last one if it is not."""
        return self._one("stage").stage

    @property
    def pvalue(self) -> float:
        """Of one pair: the p-value over all stages."""
        return self._one("pvalue").pvalue

    @property
    def stages(self) -> pd.DataFrame:
        """One row per stage: stage, replications, level, critical, reject, pvalue, accept, decision.

        Of a two-sided test the side that leads; columns dataset, measure, a, b, side come first where they vary.
        """
        frame = pd.DataFrame([vars(row) for pair in self.pairs for row in pair.rows])
        if len(self.pairs) == 1 and not frame.empty:
            frame = frame.drop(columns=["dataset", "measure", "a", "b", "side"])
        return frame

    @property
    def next_looks(self) -> pd.DataFrame:
        """One row per side of each open pair that has a look left: where it is, and its bounds."""
        columns = list(NextLook.__annotations__)
        return pd.DataFrame([vars(look) for pair in self.pairs for look in pair.next_looks], columns=columns)

    @property
    def continuing(self) -> tuple[str, ...]:
        """The data sets on which an open pair has a look left."""
        going = {pair.dataset for pair in self.pairs if pair.next_looks}
        return tuple(name for name in self.datasets if name in going)

    @property
    def replications(self) -> pd.Series[int]:
        """Replications that each data set needed until everything was decided, or so far."""
        needed = {name: max(p.replications for p in self.pairs if p.dataset == name) for name in self.datasets}
        return pd.Series(needed, name="replications")

    @property
    def spent(self) -> pd.Series[int]:
        """Replications that a run with this rule would have needed, or needed so far, by data set and algorithm.

        A data set ends when everything is decided about it; algorithms that are beaten end earlier if they are left out
        (`racing`).
        """
        needed = self.replications
        found = {}
        for name in self.datasets:
            part = {algorithm for pair in self.pairs if pair.dataset == name for algorithm in (pair.a, pair.b)}
            for algorithm in (algorithm for algorithm in self.algorithms if algorithm in part):
                stage = self.dropped.get((name, algorithm))
                last = int(needed[name])
                found[name, algorithm] = last if stage is None else min(last, sum(self.sizes[name][:stage]))
        index = pd.MultiIndex.from_tuples(list(found), names=["dataset", "algorithm"])
        return pd.Series(list(found.values()), index=index, name="replications")

    @property
    def saved(self) -> float:
        """Share of the planned trials (replications × algorithms) that stopping saves; none where a look is left."""
        spent = self.spent
        planned = np.array([sum(self.sizes[name]) for name, _ in spent.index])
        ended = np.array([name not in self.continuing for name, _ in spent.index])
        return float((planned - spent.to_numpy())[ended].sum() / planned.sum())

    def frame(self) -> pd.DataFrame:
        """One row per data set, measure and pair.

        Returns
        -------
        DataFrame
            Columns dataset, measure, a, b, decision (of a: better, worse, equivalent, accepted, left out, open), stage,
            replications, estimate (a - b), lower, upper, pvalue.
        """
        names = (
            "dataset",
            "measure",
            "a",
            "b",
            "state",
            "stage",
            "replications",
            "estimate",
            "lower",
            "upper",
            "pvalue",
        )
        frame = pd.DataFrame(
            [{name: getattr(pair, name) for name in names} for pair in self.pairs], columns=list(names)
        )
        return frame.rename(columns={"state": "decision"})

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        return text.paragraph(self)

    def __str__(self) -> str:
        return text.title(self)

    def __repr__(self) -> str:
        return text.title(self)

    def _repr_html_(self) -> str:
        return text.html(self)
