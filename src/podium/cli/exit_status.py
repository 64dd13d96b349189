"""What the exit status of a command means; `podium --help` lists them."""

from __future__ import annotations

from collections.abc import Mapping

DONE = 0
DAMAGED = 1
READER_GONE = 1
WRONG = 2
FAILED_TRIALS = 3
UNFINISHED = 4
INTERRUPTED = 130

FAILURES = ("failed", "timeout", "crashed")  # statuses of trials that went wrong; skipped ones did not


def of_run(counts: Mapping[str, int]) -> int:
    """Return the exit status of a run from its numbers of trials by status.

    >>> of_run({"done": 10, "failed": 0}), of_run({"done": 9, "failed": 1}), of_run({"failed": 1, "left": 2})
    (0, 3, 4)
    """
    if counts.get("left", 0):
        return UNFINISHED
    return FAILED_TRIALS if any(counts.get(status, 0) for status in FAILURES) else DONE
