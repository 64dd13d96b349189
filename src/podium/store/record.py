r"""`TrialRecord`: what is kept of one trial.

What an estimator raises or prints may hold anything: a lone surrogate, which no file can take; NUL, which
PostgreSQL refuses; escape sequences, which command a terminal; a gigabyte. Such characters are written as Python would
write them (``\x1b``), and what is too long loses its middle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from podium.checks import as_list, check_call, check_choice, plain_types
from podium.store.document import parse
from podium.typesetting.plain import MARK

TrialStatus: TypeAlias = Literal["done", "failed", "timeout", "crashed", "skipped"]
STATUSES: tuple[TrialStatus, ...] = get_args(TrialStatus)
MAX_CHARACTERS = 10_000  # of a message, a warning or a reason
MAX_TRACEBACK_CHARS = 100_000
MAX_ERROR_TYPE_CHARS = 200  # of the type of an error
MAX_WARNINGS = 100

# All controls but tab and line feed, lone surrogates, and what reorders the text around it.
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LAYOUT = re.compile("[\t\n]")
# Absolute paths: between quotation marks, and elsewhere, where a space ends them.
_ROOT = r"(?:file:///?)?(?:[A-Za-z]:[\\/]|\\\\|/)"  # the second: a share, \\server\share
_QUOTED_PLACE = re.compile(rf"""(["']){_ROOT}(?:[^"'\n]*[\\/])?([^"'\n\\/]*)[\\/]?\1""")
_NAME = r"""[^\s"'<>|:*?,;()\[\]{}\\/]+"""
_PLACE = re.compile(rf"(?<![\w.~:/\\-]){_ROOT}(?:{_NAME}[\\/])+({_NAME})")


@plain_types
class TrialKey(NamedTuple):
    """Identity of a trial: one algorithm on one replication of one data set."""

    dataset: str
    replication: int
    algorithm: str

    def __str__(self) -> str:
        return f"{self.algorithm} on {self.dataset}, replication {self.replication}"


@plain_types
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
        Predictions, encoded by `podium.store.predictions`; empty if none were kept.
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


_TEXTS = {
    "host": MAX_TRACEBACK_CHARS,
    "error_type": MAX_ERROR_TYPE_CHARS,
    "message": MAX_CHARACTERS,
    "traceback": MAX_TRACEBACK_CHARS,
}
_INFINITE = "its value is infinite"


def measure_set(document: str) -> list[tuple[str, str]]:
    """Read a set of measures as the database stores it: name and identity of each."""
    return [(str(name), str(identity)) for name, identity in parse(document)]


def check_statuses(value: object, argument: str) -> tuple[TrialStatus, ...]:
    """Return one status or several as a tuple; refuse anything else.

    >>> check_statuses("failed", "retry")
    ('failed',)
    """
    several = "the status of a trial or a list of them"
    wanted = [value] if isinstance(value, str) else as_list(value, argument, several)
    for status in wanted:
        check_choice(status, STATUSES, argument)
    return tuple(wanted)


def storable(record: TrialRecord) -> TrialRecord:
    """Return a record as every database can store it: text cleaned and cut, values that are not finite undefined.

    >>> storable(TrialRecord(key=TrialKey("iris", 1, "svm"), status="done", values={"loss": float("inf")})).undefined
    {'loss': 'its value is infinite'}
    """
    changes: dict[str, Any] = {}
    for name, most in _TEXTS.items():
        text = getattr(record, name)
        if text and (cleaned := clean(text, most)) != text:
            changes[name] = cleaned
    if record.warnings:
        changes["warnings"] = tuple(clean(text) for text in record.warnings[:MAX_WARNINGS])
        more = len(record.warnings) - MAX_WARNINGS
        if more > 0:
            changes["warnings"] += (f"… ({more:,} more warnings left out)",)
    infinite = {name: float("nan") for name, value in record.values.items() if np.isinf(value)}
    if infinite:
        changes["values"] = {**record.values, **infinite}
    if record.undefined or infinite:
        reasons = {**dict.fromkeys(infinite, _INFINITE), **record.undefined}
        changes["undefined"] = {name: clean(text) for name, text in reasons.items()}
    for name in ("fit_seconds", "predict_seconds"):
        if np.isinf(getattr(record, name)):
            changes[name] = float("nan")
    if not np.isfinite(record.started):
        changes["started"] = 0.0
    return replace(record, **changes) if changes else record


def clean(text: str, most: int = MAX_CHARACTERS) -> str:
    r"""Return a text with odd characters escaped, and cut to about `most` characters.

    >>> clean("\x1b[31mred\0\ud800")
    '\\x1b[31mred\\x00\\ud800'
    >>> clean("abcdefghij" * 100, most=10)
    'abcdefg … (990 characters left out) … hij'
    """
    if len(text) > most:
        tail = most // 4 + 1
        head = most - tail
        left_out = f" … ({len(text) - most:,} characters left out) … "
        text = text[:head] + left_out + text[-tail:]
    return _ODD.sub(_escaped, text.replace("\r\n", "\n")) if _ODD.search(text) else text


def printable(text: str) -> str:
    r"""Return a name as one line for a terminal.

    >>> printable("a\tb\x1b]0;title\x07")
    'a\\tb\\x1b]0;title\\x07'
    """
    return _LAYOUT.sub(_escaped, _ODD.sub(_escaped, text))


def without_places(thing: Any) -> Any:
    r"""Return a text, or the texts in lists and mappings, with absolute paths cut to the name of the file.

    >>> without_places(["/home/me/my data/a.csv", "No 'C:\\my data\\a.csv' in /mnt/runs, see https://example.org/a/b"])
    ['a.csv', "No 'a.csv' in runs, see https://example.org/a/b"]
    """
    if isinstance(thing, Mapping):
        return {key: without_places(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return type(thing)(without_places(value) for value in thing)
    if not isinstance(thing, str):
        return thing
    return _PLACE.sub(r"\1", _QUOTED_PLACE.sub(r"\1\2\1", f'"{thing}"')[1:-1])  # the whole may be a path with spaces


def unmark(cell: str) -> str:
    """Return the text of a cell."""
    return cell.removeprefix(MARK)


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape", "backslashreplace").decode("ascii")
