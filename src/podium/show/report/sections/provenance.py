"""Provenance: versions, seed, fingerprint of the data, the command that makes the report again."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version

from podium.results import Results
from podium.show.report.analyses import Analyses
from podium.show.report.blocks import Block, Code, Tabular
from podium.show.report.sections import SectionMaker
from podium.typesetting import Cell, Column, Table

LIBRARIES = ("podium", "numpy", "scipy", "pandas", "matplotlib")


def _make(analyses: Analyses) -> list[Block]:
    facts: list[tuple[str, str | float]] = [
        ("Data", f"SHA-256 {fingerprint(analyses.results)}"),
        ("Source", analyses.results.origin or "a table in memory"),
        ("Level", analyses.alpha),
        *_area(analyses),
        ("Policy for missing cells", analyses.missing),
        ("Seed", str(analyses.seed)),
        ("Versions", _versions()),
    ]
    rows = tuple(
        (Cell(name, name), Cell(value, value if isinstance(value, str) else f"{value:g}")) for name, value in facts
    )
    columns = (Column("Part", "left", is_label=True), Column("Value", "left"))
    blocks: list[Block] = [Tabular("provenance", Table(title="How this report was made", columns=columns, rows=rows))]
    return [*blocks, Code(analyses.command, "To reproduce it")] if analyses.command else blocks


@cache
def _versions() -> str:
    return ", ".join([f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in LIBRARIES)])


def _area(analyses: Analyses) -> list[tuple[str, str | float]]:
    area, name = analyses.equivalence, "Differences that do not matter"
    if area is None:
        return [(name, "none given")]
    if not isinstance(area, tuple):
        return [(f"{name}: up to", area)]
    return [(f"{name}: {side}", end) for side, end in zip(("from", "to"), area, strict=True)]


def fingerprint(results: Results) -> str:
    """Digest the labels and values, whatever the order of the rows they were read from."""
    digest = hashlib.sha256()
    frame = results.to_long().astype({"value": float})
    keys = [name for name in ("dataset", "replication", "algorithm", "measure") if name in frame.columns]
    lines = sorted(
        "\x1f".join([*map(str, row[:-1]), float(row[-1]).hex()])
        for row in frame[[*keys, "value"]].itertuples(index=False, name=None)
    )
    for line in lines:
        digest.update(line.encode("utf-8", "backslashreplace") + b"\x1e")
    return digest.hexdigest()


PROVENANCE = SectionMaker("provenance", "Provenance", 130, _make)
