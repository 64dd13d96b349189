"""What tables take from comparisons: which algorithms are worse than the best, or differ from the control; notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from podium.analysis.comparison import Comparison
from podium.analysis.notes import FIRST, Note
from podium.analysis.text import adjustment_in_words
from podium.checks import check_choice
from podium.results import MissingReport

BETTER, WORSE = "∘", "•"


Scale: TypeAlias = Literal["log", "identity"]


def check_scale(transform: object) -> None:
    """Refuse a scale whose means a table cannot show in the units of the measure."""
    if transform is not None:
        check_choice(transform, get_args(Scale), "transform")


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


def cautions(comparison: Comparison) -> list[str]:
    """Return the notes without which marks and p-values in a table would be misread."""
    return [note.finding for note in _telling(comparison)]


def missing_notes(report: MissingReport | None) -> list[str]:
    """Say which cells are missing and what was done about them, where some are."""
    return [Note("missing", report=report).finding] if report is not None and report.missing else []


def advice(*comparisons: Comparison) -> tuple[str, ...]:
    """Return what the user can do about these notes, each once."""
    given = [note.advice for one in comparisons for note in _telling(one)]
    return tuple(dict.fromkeys(filter(None, given)))


def _telling(comparison: Comparison) -> list[Note]:
    """The notes that stand below a table; a test that cannot reject is not too liberal."""
    found = [note for note in comparison.notes if note.code in (*FIRST, "gate")]
    return [note for note in found if not (comparison.powerless and note.code == "overlap")]


def how(comparison: Comparison) -> str:
    """Name the test and its adjustment."""
    if comparison.untested.all():
        return "nothing was tested"
    adjusted = f", {adjustment_in_words(comparison)}" if len(comparison.first) > 1 else ""
    return f"{comparison.method}{adjusted}, at the {comparison.alpha:g} level"
