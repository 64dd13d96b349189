"""Table of all pairs of algorithms; what every table takes from a comparison: marks, notes, the name of the test."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.notes import FIRST, Note
from podium.analysis.text import adjustment_in_words
from podium.checks import check_call, check_choice, check_keys
from podium.results import MissingReport, Results
from podium.typesetting import Table

BETTER, WORSE = "∘", "•"
Scale: TypeAlias = Literal["log", "identity"]


@check_call
def pairs(
    results: Results,
    measure: str | None = None,
    *,
    method: str | None = None,
    alpha: float = 0.05,
    control: str | None = None,
    digits: int = 2,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Compare all pairs, or all with a control: one row each, with difference, interval, effect size, p, decision.

    Parameters
    ----------
    results : Results
    measure, method, alpha, control, missing
        As for `podium.compare`.
    digits : int, default 2
        Significant digits of the uncertainty; differences have as many decimals.
    **options
        Additional options of `podium.compare`, such as ``adjust`` or ``equivalence``.

    Examples
    --------
    >>> import podium
    >>> demsar = podium.examples.load_demsar2006()
    >>> podium.show.tables.pairs(demsar, control="C4.5").frame()["Superiority"].round(2).tolist()
    [0.82, 0.79, 0.54]
    """
    check_options("pairs", pairs, method, options)
    found = compare(results, measure, method=method, alpha=alpha, control=control, missing=missing, **options)
    return found.table(digits=digits)


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


def check_options(
    owner: str, table: Callable[..., Any], method: object, options: Mapping[str, object], also: Iterable[str] = ()
) -> None:
    """Refuse an option that neither a table nor `compare` has; a method that is named checks its own.

    `owner` is the function that was called, and `also` are options that it has itself.
    """
    if method is None:
        parameters = (*inspect.signature(table).parameters, *also, *inspect.signature(compare).parameters)
        known = dict.fromkeys(parameters)
        check_keys(options, [name for name in known if name != "options"], f"{owner}()", "option")
