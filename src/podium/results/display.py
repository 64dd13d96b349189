"""Results shown as text and, in a notebook, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from podium.errors import counted
from podium.numerals import numeral
from podium.results.cube import REASON_NAMES, Cube

_WIDTH = 88


def as_text(cube: Cube) -> str:
    """Describe a cube in a few lines: sizes, labels, directions, missing cells."""
    lines = [title(cube)]
    lines += [f"  {name:<13}{text}" for name, text in facts(cube)]
    return "\n".join(lines)


def as_html(cube: Cube) -> str:
    """Describe a cube as a small table."""
    rows = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td style='text-align:left'>{escape(text)}</td></tr>"
        for name, text in facts(cube)
    )
    return f"<div><strong>{escape(title(cube))}</strong><table>{rows}</table></div>"


def title(cube: Cube) -> str:
    """Sizes of the four axes, in words."""
    nouns = ("data set", "replication", "algorithm", "measure")
    sizes = [counted(n, noun) for n, noun in zip(cube.shape, nouns, strict=True)]
    return "Results: " + " × ".join(sizes)


def facts(cube: Cube) -> list[tuple[str, str]]:
    """Collect what the display shows of a cube, as pairs of a name and a text."""
    found = [
        ("data sets", _shorten(cube.datasets)),
        ("replications", _replications(cube)),
        ("algorithms", _shorten(cube.algorithms)),
        ("measures", "; ".join(str(measure) for measure in cube.measures)),
        ("missing", _missing(cube)),
    ]
    found += [("policy", str(report)) for report in cube.reports if report.missing]
    if cube.origin:
        found.append(("read from", cube.origin))
    return found


def _shorten(labels: Sequence[object]) -> str:
    """List labels on one line: as many as fit, and how many there are."""
    shown: list[str] = []
    room = _WIDTH
    for label in labels:
        text = " ".join(str(label).split())
        room -= len(text) + 2
        if room < -2:
            break
        shown.append(text)
    if len(shown) == len(labels):
        return ", ".join(shown)
    end = f"… ({numeral(len(labels)):,})"
    while shown and len(", ".join([*shown, end])) > _WIDTH:
        shown.pop()
    first = " ".join(str(labels[0]).split())
    return ", ".join([*(shown or [first[: _WIDTH - len(end) - 3] + "…"]), end])


def _replications(cube: Cube) -> str:
    labels = cube.replications
    first = labels[0]
    numbered = isinstance(first, int) and len(labels) > 2 and labels == tuple(range(first, first + len(labels)))
    span = f"{first} … {labels[-1]}" if numbered else _shorten(labels)
    notes = []
    if {"repeat", "fold"} <= set(cube.structure):
        repeats, folds = (len(np.unique(a[a >= 0])) for a in (cube.structure["repeat"], cube.structure["fold"]))
        notes.append(f"{repeats} × {folds} cross-validation")
    if not cube.design.all():
        numbers = np.sum(cube.design, axis=1)
        fewest, most = int(numbers.min()), int(numbers.max())
        notes.append(
            f"{fewest} per data set" if fewest == most else f"{numeral(fewest):,} to {numeral(most):,} per data set"
        )
    return f"{span} ({'; '.join(notes)})" if notes else span


def _missing(cube: Cube) -> str:
    lacking = cube.missing
    total = int(lacking.sum())
    ended = cube.structure.get("planned")
    early = 0 if ended is None else int(np.sum(np.maximum(ended.max(axis=1) - cube.design.sum(axis=1), 0)))
    stopped = f"; a stopping rule saved {counted(early, 'replication')}" if early else ""
    if not total:
        return f"none of {numeral(cube.cells):,} cells{stopped}"
    codes, counts = np.unique(cube.reasons[lacking], return_counts=True)
    why = ", ".join(f"{numeral(count):,} {REASON_NAMES[code]}" for code, count in zip(codes, counts, strict=True))
    return f"{numeral(total):,} of {numeral(cube.cells):,} cells ({why}){stopped}"
