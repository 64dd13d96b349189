"""`TrialRecord`: what is kept of one trial."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from podium.checks import check_call, check_choice, describe
from podium.errors import InputError

TrialStatus: TypeAlias = Literal["done", "failed", "timeout", "crashed", "skipped"]
STATUSES: tuple[TrialStatus, ...] = get_args(TrialStatus)


class TrialKey(NamedTuple):
    """Identity of a trial: one algorithm on one replication of one data set."""

    dataset: str
    replication: int
    algorithm: str

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.dataset}, replication {self.replication}"


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRecord:
    """Outcome of one attempt at a trial.

    Attributes
    ----------
    key : TrialKey
    status : {"done", "failed", "timeout", "crashed", "skipped"}
    values : mapping of str to float
        One value per measure; NaN or absent where a measure is undefined. Empty unless done.
    undefined : mapping of str to str
        Why a measure has no value although the trial is done.
    repeat, fold : int
        Position in a cross-validation; -1 where there is none.
    n_learn, n_test : int
        Sizes of the samples; -1 if they were not drawn.
    seed : int
        The seed the algorithm was given.
    started : float
        Seconds since the epoch.
    fit_seconds, predict_seconds : float
    host : str
        Machine, Python and library versions as JSON; the warehouse stores each distinct text once.
    error_type, message, traceback : str
        Why it failed; for a skipped trial, `message` is the reason.
    warnings : tuple of str
        Distinct warnings raised by the fit.
    """

    key: TrialKey
    status: TrialStatus
    values: Mapping[str, float] = field(default_factory=dict)
    undefined: Mapping[str, str] = field(default_factory=dict)
    repeat: int = -1
    fold: int = -1
    n_learn: int = -1
    n_test: int = -1
    seed: int = 0
    started: float = 0.0
    fit_seconds: float = float("nan")
    predict_seconds: float = float("nan")
    host: str = ""
    error_type: str = ""
    message: str = ""
    traceback: str = ""
    warnings: tuple[str, ...] = ()


def check_statuses(value: object, argument: str) -> tuple[TrialStatus, ...]:
    """Return one status or several as a tuple; refuse anything else.

    >>> check_statuses("failed", "retry")
    ('failed',)
    """
    if not isinstance(value, Iterable):
        raise InputError(f"`{argument}` must be the status of a trial or a list of them; got {describe(value)}.")
    wanted = (value,) if isinstance(value, str) else tuple(value)
    for status in wanted:
        check_choice(status, STATUSES, argument)
    return cast(tuple[TrialStatus, ...], wanted)
