"""Limits of one trial: seconds, which the supervised pool enforces, and memory, which the system does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.checks import check_count, is_number
from podium.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of one trial, seconds and bytes, and of one worker, trials; None for no limit."""

    seconds: float | None = None
    memory: int | None = None
    trials: int | None = None

    def __post_init__(self) -> None:
        check_amount(self.seconds, "seconds_per_fit", "seconds")
        check_amount(self.memory, "memory_per_fit", "bytes")
        if self.memory is not None:
            object.__setattr__(self, "memory", int(self.memory))  # accepts 2e9
        if self.trials is not None:
            check_count(self.trials, "trials_per_worker")


@contextmanager
def limited_memory(limit: int | None) -> Iterator[None]:
    """Limit the growth of this process's address space, where the system supports it; more is a MemoryError."""
    size = None if limit is None else _address_space()
    if limit is None or size is None:
        yield
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = size + limit if hard == resource.RLIM_INFINITY else min(size + limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _address_space() -> int | None:
    """Bytes of address space of this process; None where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return None
    import resource

    return pages * resource.getpagesize()


def check_amount(amount: Any, argument: str, units: str) -> None:
    """Refuse what is not a positive number of seconds or bytes; None means no limit."""
    if amount is not None and not (is_number(amount) and 0 < amount < float("inf")):
        raise InputError(
            f"`{argument}` must be a positive number of {units}, or None for no limit; got {amount!r:.60}."
        )
    if amount is not None and units == "bytes" and not (1 <= amount <= sys.maxsize):
        raise InputError(f"`{argument}` must be a number of bytes between 1 and {sys.maxsize:,}; got {amount!r:.60}.")
