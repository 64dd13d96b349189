"""The progress of a report: a line on standard error that names the section being made."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar

T = TypeVar("T")

Progress: TypeAlias = Literal["auto", "bar", "quiet"]
WIDTH = 24  # characters of the bar


def followed(things: Sequence[T], name: Callable[[T], str], progress: Progress) -> Iterator[T]:
    """Go through things; on a terminal, or with ``"bar"``, show which one is at work."""
    shown = progress == "bar" or (progress == "auto" and sys.stderr is not None and sys.stderr.isatty())
    for number, thing in enumerate(things):
        if shown:
            done = round(WIDTH * number / len(things))
            bar = "█" * done + "░" * (WIDTH - done)
            sys.stderr.write(f"\r{bar} {number}/{len(things)} {name(thing):<24.24}")
            sys.stderr.flush()
        yield thing
    if shown:
        sys.stderr.write("\r" + " " * (WIDTH + 40) + "\r")
        sys.stderr.flush()
