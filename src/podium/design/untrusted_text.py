"""Untrusted text: what an estimator writes in errors and warnings, made safe to store and to show."""

from __future__ import annotations

import re
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LONGEST_MESSAGE = 2_000  # characters
LONGEST_TRACEBACK = 20_000
_MAX_WARNINGS = 100  # different ones, of one trial
_MAX_CAUSES = 10
_MAX_FRAMES = 60
# Controls of terminals, marks that change the writing direction, and lone surrogates; not tab and newline.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def safe_text(text: str, longest: int = LONGEST_MESSAGE) -> str:
    r"""Cap a text, and write out the characters that databases refuse or terminals obey.

    >>> safe_text("\x1b[31mred\x00 \ud800")
    '\\x1b[31mred\\x00 \\ud800'
    >>> safe_text("a" * 50, longest=10)
    'aaaaaaaaa…'
    """
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    return _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def text_of(thing: object, longest: int = LONGEST_MESSAGE) -> str:
    """Return the text of an error or a warning in one line; its class may be unable to give one."""
    try:
        text = str(thing)
        text = text if type(text) is str else str.__str__(text)
    except BaseException as error:
        return f"(its text cannot be read: {type(error).__name__})"
    return safe_text(" ".join(text[: 2 * longest].split()), longest)


def traceback_of(error: BaseException) -> str:
    """Return the traceback of an error, with its causes; the last part of it, if it is long."""
    parts: list[str] = []
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen and len(parts) < _MAX_CAUSES:
        seen.add(id(at))
        frames = traceback.StackSummary.extract(traceback.walk_tb(at.__traceback__), limit=-_MAX_FRAMES)
        head = "Traceback (most recent call last):\n" if frames else ""
        parts.append(f"{head}{''.join(frames.format())}{name_of(at)}: {text_of(at)}\n")
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    joined = "\nThen, while this was handled:\n\n".join(reversed(parts))
    return safe_text(joined[-LONGEST_TRACEBACK:], LONGEST_TRACEBACK)


def name_of(error: BaseException) -> str:
    """Return the name of the class of an error, in one line."""
    return safe_text(" ".join(type(error).__name__.split()), 200)


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Collect the warnings of the block, each text once."""
    issued: list[str] = []
    known: set[str] = set()

    def note(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
        text = f"{safe_text(category.__name__, 200)}: {text_of(message)}"
        if text not in known and len(issued) < _MAX_WARNINGS:
            known.add(text)
            issued.append(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = note
        yield issued
