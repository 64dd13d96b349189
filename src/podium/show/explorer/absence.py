"""`Absence`: something that the explorer cannot show, and why. Only this module words it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from podium.checks import check_call

Part: TypeAlias = Literal["data", "samples", "models"]
PARTS: tuple[Part, ...] = get_args(Part)
Reason: TypeAlias = Literal[
    "no experiment",
    "not loaded",
    "not in design",
    "other replications",
    "drawn afresh",
    "other data",
    "other samples",
    "too large",
    "many fits",
    "not asked",
    "fit failed",
    "other numbers",
]

_WORDS: dict[Reason, str] = {
    "no experiment": "shown only with the experiment itself: experiment=...",
    "not loaded": "{detail}",
    "not in design": "the design does not contain it",
    "other replications": "the replications are not those of the design",
    "drawn afresh": "every replication draws new observations, so there is no fixed set of them",
    "other data": "the data are not those that the run used",
    "other samples": "the samples drawn again are not those of the run, first in replication {detail}",
    "too large": "{detail} do not fit into the page beside the earlier data sets",
    "many fits": "they would need {detail}; request them: models='extreme' or models='all'",
    "not asked": "no models were requested",
    "fit failed": "{detail}",
    "other numbers": "the refitted model gives other numbers than the run: {detail}",
}


@check_call
@dataclass(frozen=True, kw_only=True)
class Absence:
    """Something that cannot be shown.

    Attributes
    ----------
    part : {"data", "samples", "models"}
    reason : str
        Why, as a key.
    dataset, algorithm : str or None
        What it concerns; None for all.
    replication : int or None
    detail : str
        What the reason refers to.

    Examples
    --------
    >>> print(Absence(part="data", reason="no experiment"))
    data: shown only with the experiment itself: experiment=...
    """

    part: Part
    reason: Reason
    dataset: str | None = None
    replication: int | None = None
    algorithm: str | None = None
    detail: str = ""

    def __str__(self) -> str:
        return _sentence([self.part], self)


def sentences(absences: Iterable[Absence]) -> list[str]:
    """Say what is missing and why; parts that are missing for one reason in one sentence."""
    parts: dict[Absence, list[Part]] = {}
    for one in absences:
        parts.setdefault(replace(one, part="data"), []).append(one.part)
    return [_sentence(listed, one) for one, listed in parts.items()]


def _sentence(parts: Sequence[Part], absence: Absence) -> str:
    where = [] if absence.dataset is None else [absence.dataset]
    where += [] if absence.replication is None else [f"replication {absence.replication}"]
    where += [] if absence.algorithm is None else [absence.algorithm]
    about = f"{', '.join(parts)} of {', '.join(where)}" if where else ", ".join(parts)
    return f"{about}: {_WORDS[absence.reason].format(detail=absence.detail)}"
