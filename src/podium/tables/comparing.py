"""What tables take from comparisons: who is worse than the best, or differs from the control; and the notes on it."""

from __future__ import annotations

from collections.abc import Iterable

from podium.analysis.comparison import Comparison
from podium.analysis.text import adjustment_in_words

BETTER, WORSE = "∘", "•"


def marks_of(comparison: Comparison, reference: str) -> dict[str, tuple[str, ...]]:
    """Return the marks of the algorithms that are shown to be better or worse than the reference."""
    marks: dict[str, tuple[str, ...]] = {}
    frame = comparison.frame()
    for a, b, decision in zip(frame["a"], frame["b"], frame["decision"], strict=True):
        if decision == "better" and reference in (a, b):
            other, mark = (str(b), WORSE) if a == reference else (str(a), BETTER)
            marks[other] = (mark,)
    return marks


def explained(marks: Iterable[tuple[str, ...]], reference: str) -> str:
    """Explain the marks that occur."""
    found = {mark for one in marks for mark in one}
    words = [
        f"{mark} {word} than {reference}" for mark, word in ((WORSE, "worse"), (BETTER, "better")) if mark in found
    ]
    return ", ".join(words)


def how(comparison: Comparison) -> str:
    """Name the test and its adjustment."""
    adjusted = f", {adjustment_in_words(comparison)}" if len(comparison.first) > 1 else ""
    return f"{comparison.method}{adjusted}, at the {comparison.alpha:g} level"
