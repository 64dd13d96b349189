"""`Decision`: what a stopping rule found after a stage of a run, as a warehouse keeps it.

A decision counts for a design if it was made by the stopping rule of the design, with the data sets, algorithms and
measures that the design has under the identities that count for it: as for trials. What comes after a decision to stop,
and trials of an algorithm after the decision to leave it out, do not count, whether or not they were run: results do
not depend on which trials were under way when a decision was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, Self, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import BoolArray
from podium.checks import check_call, check_choice, plain_types
from podium.store.database import Database
from podium.store.document import parse
from podium.store.rows import read_table
from podium.typesetting.table import json_value

PairState: TypeAlias = Literal["open", "better", "worse", "equivalent", "accepted", "left out"]
Side: TypeAlias = Literal["better", "worse", "above", "below"]
Ending: TypeAlias = Literal["", "decided", "maximum"]

PAIR_STATES: tuple[PairState, ...] = get_args(PairState)
SIDES: tuple[Side, ...] = get_args(Side)
_ENDINGS: tuple[Ending, ...] = get_args(Ending)


@plain_types
class DecisionIdentity(NamedTuple):
    """What a decision was made with: the rule, and the content behind the names, see `TrialIdentity`.

    Attributes
    ----------
    stopping : str
        Digest of the stopping rule.
    datasets, algorithms, measures : mapping of str to str
        Identities by name: the data set of the decision, or all of them where it is about the domain; all algorithms;
        the measures that the rule looks at.
    """

    stopping: str
    datasets: Mapping[str, str]
    algorithms: Mapping[str, str]
    measures: Mapping[str, str]

    @property
    def digest(self) -> str:
        """A short text that differs between identities."""
        return digest_of([self.stopping, *map(dict, self[1:])])


@plain_types
class Look(NamedTuple):
    """What a one-sided test of a pair compared in a stage; NaN where it has no such bound.

    Attributes
    ----------
    side : {"better", "worse", "above", "below"}
        What would be shown: a is better or worse than b; or, for equivalence, the difference is above the lower and
        below the upper end of the area.
    pvalue, reject, accept : float
        The test rejects if the p-value is at most `reject`, and gives up if it is above `accept`.
    """

    side: Side
    pvalue: float
    reject: float
    accept: float


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class PairDecision:
    """What is known about one pair of algorithms, by one measure, after a stage.

    Attributes
    ----------
    measure, a, b : str
        The measure and the pair; differences are a - b.
    outcome : {"open", "better", "worse", "equivalent", "accepted", "left out"}
        Of a against b, by the direction of the measure. ``"accepted"`` means that the rule has stopped looking for a
        difference, and ``"left out"`` that one of the two was left out before it was decided.
    stage : int
        The stage in which this was decided; of an open pair, the current one.
    replications : int
        Number of replications that both algorithms have, until that stage.
    estimate : float
        Mean difference until that stage.
    level : float
        The level at which the pair was tested in that stage, over both sides.
    looks : tuple of Look
        What was compared in that stage.
    """

    measure: str
    a: str
    b: str
    outcome: PairState
    stage: int
    replications: int
    estimate: float = float("nan")
    level: float = float("nan")
    looks: tuple[Look, ...] = ()

    def __post_init__(self) -> None:
        check_choice(self.outcome, PAIR_STATES, "outcome")

    @property
    def decided(self) -> bool:
        """Whether the rule needs no more replications of this pair."""
        return self.outcome != "open"


@check_call
@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a stopping rule found after a stage of a run.

    Attributes
    ----------
    dataset : str
        The data set; empty where the decision is about the domain, all data sets together.
    stage : int
        Number of the stage, from 1.
    replications : int
        Number of replications until the end of the stage.
    ending : {"", "decided", "maximum"}
        Why it stops; empty if it continues. At the maximum, pairs may be undecided.
    dropped : tuple of str
        Algorithms that are left out from here on, because they are beaten.
    pairs : tuple of PairDecision
        All pairs that the rule looks at, by each measure.
    identity : DecisionIdentity
        What it was made with.
    """

    dataset: str
    stage: int
    replications: int
    ending: Ending
    dropped: tuple[str, ...]
    pairs: tuple[PairDecision, ...]
    identity: DecisionIdentity = field(repr=False)

    def __post_init__(self) -> None:
        check_choice(self.ending, _ENDINGS, "ending")

    @property
    def stops(self) -> bool:
        """Whether no more replications are drawn."""
        return self.ending != ""

    @property
    def undecided(self) -> int:
        """Number of pairs, by any measure, that are open."""
        return sum(not pair.decided for pair in self.pairs)

    def document(self) -> str:
        """Write everything except data set and stage as JSON; numbers can be read back exactly."""
        return json.dumps(
            {
                "replications": self.replications,
                "ending": self.ending,
                "dropped": list(self.dropped),
                "pairs": [_written(pair) for pair in self.pairs],
                "identity": [self.identity.stopping, *map(dict, self.identity[1:])],
            },
            sort_keys=True,
        )

    @classmethod
    def read(cls, dataset: str, stage: int, document: object) -> Self:
        """Read what `document` wrote."""
        content = parse(document)
        stopping, datasets, algorithms, measures = content["identity"]
        return cls(
            dataset=dataset,
            stage=stage,
            replications=content["replications"],
            ending=content["ending"],
            dropped=tuple(content["dropped"]),
            pairs=tuple(
                PairDecision(
                    **{
                        **pair,
                        "estimate": _number(pair["estimate"]),
                        "level": _number(pair["level"]),
                        "looks": tuple(Look(side, *map(_number, numbers)) for side, *numbers in pair["looks"]),
                    }
                )
                for pair in content["pairs"]
            ),
            identity=DecisionIdentity(str(stopping), dict(datasets), dict(algorithms), dict(measures)),
        )


def _number(value: Any) -> float:
    return float("nan") if value is None else float(value)


def digest_of(thing: Any) -> str:
    """Return a short text that differs between plain values."""
    return blake2b(json.dumps(thing, sort_keys=True).encode("ascii"), digest_size=16).hexdigest()


def decision_row(decision: Decision, created: float) -> tuple[Any, ...]:
    """Return the row of a decision, without its number and checksum."""
    return (
        float(created),
        decision.identity.digest,
        decision.dataset,
        int(decision.stage),
        decision.document(),
    )


def read_decisions(database: Database) -> list[tuple[float, Decision]]:
    """Read all decisions, oldest first, each with the time when it was made."""
    rows = read_table(database, "decision")
    return [(created, Decision.read(dataset, stage, document)) for _, created, _, dataset, stage, document in rows]


def decisions_of(database: Database, design: Mapping[str, Any]) -> list[Decision]:
    """Read the decisions that count for a design, by data set and stage, up to the one that stops.

    A stage without its decision ends the sequence: what comes after it was lost, or does not count.
    """
    if not design.get("stopping"):
        return []
    counting = {
        (decision.dataset, decision.stage): decision  # rows are in order: the newest stays
        for _, decision in read_decisions(database)
        if counts_for(design, decision)
    }
    domain = design["stopping"].get("scope") == "domain"
    found: list[Decision] = []
    for dataset in [""] if domain else design["datasets"]:
        stage = 1
        while (dataset, stage) in counting:
            found.append(counting[dataset, stage])
            if found[-1].stops:
                break
            stage += 1
    return found


def identity_for(design: Mapping[str, Any], dataset: str) -> DecisionIdentity:
    """Return what a decision about a data set, or about the domain if that is empty, is made with under a design."""
    keys = {
        part: {name: found[0] for name, found in design.get("identities", {}).get(part, {}).items()}
        for part in ("datasets", "algorithms", "measures")
    }
    return DecisionIdentity(
        stopping=digest_of(design["stopping"]),
        datasets={name: keys["datasets"].get(name, "") for name in ([dataset] if dataset else design["datasets"])},
        algorithms={name: keys["algorithms"].get(name, "") for name in design["algorithms"]},
        measures={name: keys["measures"].get(name, "") for name in design["stopping"]["measures"]},
    )


def counts_for(design: Mapping[str, Any], decision: Decision) -> bool:
    """Return whether a decision counts for a design that has a stopping rule."""
    wanted = identity_for(design, decision.dataset)
    if decision.identity.stopping != wanted.stopping or decision.dataset not in ("", *design["datasets"]):
        return False
    for part, mine, theirs in zip(
        ("datasets", "algorithms", "measures"), wanted[1:], decision.identity[1:], strict=True
    ):
        if mine.keys() != theirs.keys():
            return False
        accepted = design.get("identities", {}).get(part, {})
        if any(key not in accepted.get(name, ("",)) for name, key in theirs.items()):
            return False
    return True


def stopped_cells(design: Mapping[str, Any], decisions: Iterable[Decision]) -> BoolArray:
    """Return which trials of a design are never run, or do not count, because of decisions; shape (M, B, K)."""
    datasets, algorithms = design["datasets"], design["algorithms"]
    stopped = np.zeros((len(datasets), int(design["replications"]), len(algorithms)), bool)
    for decision in decisions:
        rows = slice(None) if decision.dataset == "" else datasets.index(decision.dataset)
        if decision.stops:
            stopped[rows, decision.replications :] = True
        for name in decision.dropped:
            stopped[rows, decision.replications :, algorithms.index(name)] = True
    return stopped


def load_stopped(database: Database, design: Mapping[str, Any]) -> BoolArray:
    """Load which trials of a design are never run, or do not count, because of decisions; shape (M, B, K)."""
    return stopped_cells(design, decisions_of(database, design))


def decision_frame(decisions: Sequence[Decision]) -> pd.DataFrame:
    """Return one row per decision, pair, measure and one-sided test; a pair that was not tested has one row, too."""
    rows = [
        (
            *(decision.dataset, decision.stage, decision.replications, decision.ending, ", ".join(decision.dropped)),
            *(pair.measure, pair.a, pair.b, pair.outcome, pair.stage, pair.replications, pair.estimate, pair.level),
            *look,
        )
        for decision in decisions
        for pair in decision.pairs
        for look in pair.looks or (("", float("nan"), float("nan"), float("nan")),)
    ]
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = [
    *("dataset", "stage", "until", "ending", "dropped"),
    *("measure", "a", "b", "outcome", "decided_in", "replications", "estimate", "level"),
    *Look._fields,
]


def _written(pair: PairDecision) -> dict[str, Any]:
    """Return a pair as JSON has it; a pair that was decided before has the numbers of its own stage."""
    return {
        **{name: getattr(pair, name) for name in ("measure", "a", "b", "outcome", "stage", "replications")},
        "estimate": json_value(float(pair.estimate)),
        "level": json_value(float(pair.level)),
        "looks": [[look.side, *map(json_value, map(float, look[1:]))] for look in pair.looks],
    }
