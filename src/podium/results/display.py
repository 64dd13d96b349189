"""Results shown as text and, in a notebook, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.errors import plural
from podium.results.cube import REASON_NAMES, Cube
from podium.typesetting import Cell, Column, Table
from podium.typesetting.html import described

_WIDTH = 88
_ROWS_SHOWN, _ALGORITHMS_SHOWN = 5, 12


def as_text(cube: Cube) -> str:
    """Describe a cube in a few lines: sizes, labels, directions, missing cells."""
    lines = [title(cube)]
    lines += [f"  {name:<13}{text}" for name, text in facts(cube)]
    return "\n".join(lines)


def as_html(cube: Cube) -> str:
    """Describe a cube as a small table, followed by its first rows."""
    return f"<div>{described(title(cube), facts(cube))}{first_rows(cube).html()}</div>"


def first_rows(cube: Cube) -> Table:
    """Return the values of the first measure in the first blocks, one column per algorithm."""
    blocks = np.argwhere(cube.design)[:_ROWS_SHOWN]
    names = cube.algorithms[:_ALGORITHMS_SHOWN]
    replicated = len(cube.replications) > 1
    labels = ("data set", "replication") if replicated else ("data set",)
    rows = []
    for m, b in blocks:
        block = [cube.datasets[m], str(cube.replications[b])][: len(labels)]
        values = cube.values[m, b, : len(names), 0].tolist()
        cells = (Cell(value, f"{value:.6g}") if value == value else Cell() for value in values)
        rows.append((*(Cell(text, text) for text in block), *cells))
    shown = f"{len(blocks):,} of {plural(int(cube.design.sum()), 'row')}"
    shown += f", {len(names)} of {len(cube.algorithms):,} algorithms" if len(names) < len(cube.algorithms) else ""
    columns = (*(Column(name, "left", is_label=True) for name in labels), *map(Column, names))
    return Table(title=f"{cube.measures[0].name}: {shown}", columns=columns, rows=tuple(rows))


def title(cube: Cube) -> str:
    """Sizes of the four axes, in words."""
    nouns = ("data set", "replication", "algorithm", "measure")
    sizes = [plural(n, noun) for n, noun in zip(cube.shape, nouns, strict=True)]
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
    end = f"… ({len(labels):,})"
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
        notes.append(f"{fewest} per data set" if fewest == most else f"{fewest:,} to {most:,} per data set")
    return f"{span} ({'; '.join(notes)})" if notes else span


def _missing(cube: Cube) -> str:
    lacking = cube.missing
    total = int(lacking.sum())
    ended = cube.structure.get("planned")
    early = 0 if ended is None else int(np.sum(np.maximum(ended.max(axis=1) - cube.design.sum(axis=1), 0)))
    stopped = f"; a stopping rule saved {plural(early, 'replication')}" if early else ""
    if not total:
        return f"none of {cube.cells:,} cells{stopped}"
    codes, counts = np.unique(cube.reasons[lacking], return_counts=True)
    why = ", ".join(f"{count:,} {REASON_NAMES[code]}" for code, count in zip(codes, counts, strict=True))
    return f"{total:,} of {cube.cells:,} cells ({why}){stopped}"
