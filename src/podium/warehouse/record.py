"""`TrialRecord`: what is kept of one trial."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, cast, get_args

import numpy as np

from podium.checks import check_call, check_choice, describe, is_number, is_whole, shown
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


class TrialIdentity(NamedTuple):
    """The content behind the names of a trial: `Identity.key` of each, empty where it is not known.

    Attributes
    ----------
    dataset : str
        Identity of the data set and of the resampling, which draws its samples.
    algorithm : str
    measures : mapping of str to str
        Identity of each measure that has a value.
    """

    dataset: str = ""
    algorithm: str = ""
    measures: Mapping[str, str] = {}


NO_IDENTITY = TrialIdentity()


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
    identity : TrialIdentity
        The data set, algorithm and measures that these numbers belong to.
    kept : bytes
        Predictions, encoded by `podium.warehouse.predictions`; empty if none were kept.
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
    identity: TrialIdentity = NO_IDENTITY
    kept: bytes = b""

    def __post_init__(self) -> None:
        check_choice(self.status, STATUSES, "status")
        if not (isinstance(self.key, TrialKey) and _is_key(self.key)):
            raise InputError(
                f"`key` must be a TrialKey of a data set, a replication and an algorithm; got {shown(self.key)}."
            )
        for expected, names, fits in _FIELDS:
            for name in names:
                value = getattr(self, name)
                if not fits(value):
                    raise InputError(f"`{name}` must be {expected}; got {shown(value)}.", path=(name,))


def _is_key(key: TrialKey) -> bool:
    return isinstance(key.dataset, str) and isinstance(key.algorithm, str) and is_whole(key.replication)


def _is_numbers_by_name(thing: object) -> bool:
    return isinstance(thing, Mapping) and all(isinstance(n, str) and is_number(x) for n, x in thing.items())


def _is_identity(thing: object) -> bool:
    return (
        isinstance(thing, TrialIdentity)
        and isinstance(thing.dataset, str)
        and isinstance(thing.algorithm, str)
        and _is_text_by_name(thing.measures)
    )


def _is_text_by_name(thing: object) -> bool:
    return isinstance(thing, Mapping) and all(isinstance(x, str) for pair in thing.items() for x in pair)


# What the fields of a record must be: words for it, the fields, and the test.
_FIELDS: tuple[tuple[str, tuple[str, ...], Callable[[Any], bool]], ...] = (
    ("a whole number", ("repeat", "fold", "n_learn", "n_test", "seed"), is_whole),
    ("a number", ("started", "fit_seconds", "predict_seconds"), is_number),
    ("text", ("host", "error_type", "message", "traceback"), lambda x: isinstance(x, str)),
    ("a mapping of names to numbers", ("values",), _is_numbers_by_name),
    ("a mapping of names to texts", ("undefined",), _is_text_by_name),
    ("a tuple of texts", ("warnings",), lambda x: isinstance(x, tuple) and all(isinstance(w, str) for w in x)),
    ("a TrialIdentity", ("identity",), _is_identity),
    ("bytes", ("kept",), lambda x: isinstance(x, bytes)),
)


def measure_set(document: str) -> list[tuple[str, str]]:
    """Read a set of measures as the database stores it: name and identity of each, empty in sets of names only.

    >>> measure_set('["accuracy", ["fit time", "1f"]]')
    [('accuracy', ''), ('fit time', '1f')]
    """
    return [(entry, "") if isinstance(entry, str) else (entry[0], entry[1]) for entry in json.loads(document)]


def check_statuses(value: object, argument: str) -> tuple[TrialStatus, ...]:
    """Return one status or several as a tuple; refuse anything else.

    >>> check_statuses("failed", "retry")
    ('failed',)
    """
    if not isinstance(value, Iterable) or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise InputError(f"`{argument}` must be the status of a trial or a list of them; got {describe(value)}.")
    wanted = (value,) if isinstance(value, str) else tuple(value)
    for status in wanted:
        check_choice(status, STATUSES, argument)
    return cast(tuple[TrialStatus, ...], wanted)
