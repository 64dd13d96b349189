"""How results show themselves, as text and in a notebook."""

from __future__ import annotations

from html import escape

import numpy as np

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
    sizes = [f"{n:,} {noun}{'' if n == 1 else 's'}" for n, noun in zip(cube.shape, nouns, strict=True)]
    return "Results: " + " × ".join(sizes)


def facts(cube: Cube) -> list[tuple[str, str]]:
    """Collect what is worth saying of a cube, as pairs of a name and a text."""
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


def _shorten(labels: tuple[object, ...]) -> str:
    text = ", ".join(str(label) for label in labels)
    if len(text) <= _WIDTH:
        return text
    shown, used = [], 0
    for label in labels:
        used += len(str(label)) + 2
        if used > _WIDTH - 10:
            break
        shown.append(str(label))
    return ", ".join([*shown, f"… ({len(labels)})"])


def _replications(cube: Cube) -> str:
    labels = cube.replications
    whole = all(isinstance(label, int) for label in labels)
    span = f"{labels[0]} … {labels[-1]}" if whole and len(labels) > 2 else _shorten(labels)
    notes = []
    if {"repeat", "fold"} <= set(cube.structure):
        repeats, folds = (len(np.unique(a[a >= 0])) for a in (cube.structure["repeat"], cube.structure["fold"]))
        notes.append(f"{repeats} × {folds} cross-validation" if repeats else "")
    counts = cube.design.sum(axis=1)
    if counts.min() < counts.max():
        notes.append(f"{counts.min()} to {counts.max()} per data set")
    return f"{span} ({'; '.join(filter(None, notes))})" if any(notes) else span


def _missing(cube: Cube) -> str:
    lacking = cube.missing
    total = int(lacking.sum())
    if not total:
        return f"none of {cube.cells:,} cells"
    codes, counts = np.unique(cube.reasons[lacking], return_counts=True)
    why = ", ".join(f"{count:,} {REASON_NAMES[code]}" for code, count in zip(codes, counts, strict=True))
    return f"{total:,} of {cube.cells:,} cells ({why})"
