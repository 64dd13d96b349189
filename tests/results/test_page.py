"""The page *Data shapes* lists what the code recognises."""

from __future__ import annotations

import re
from pathlib import Path

from podium.results.forms.columns import EMPTY_WORDS
from podium.results.forms.roles import ROLES, SYNONYMS
from podium.results.missing import POLICIES

PAGE = (Path(__file__).parents[2] / "docs" / "data-shapes.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """Cells of the first table below a heading, without its head."""
    lines = PAGE.split(f"## {heading}\n")[1].splitlines()
    end = next((i for i, line in enumerate(lines) if line.startswith("#")), len(lines))
    table = [line for line in lines[:end] if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def test_names_of_columns() -> None:
    listed = {}
    for roles, names in rows("How columns are recognised"):
        names = names.removesuffix(" (long tables only)")
        for role, group in zip(roles.split(", "), names.split("; "), strict=True):
            listed[role] = {re.sub(r"[^a-z0-9]", "", name) for name in group.split(", ")}
    assert listed == {role: set(SYNONYMS[role].split()) for role in ROLES}


def test_policies() -> None:
    assert {cells[0].strip('`"') for cells in rows("Missing cells")} == set(POLICIES)


def test_words_for_missing_values() -> None:
    sentence = PAGE.split("- Empty cells, ")[1].split(" and the like")[0]
    named = re.findall(r"`(.*?)`", sentence)
    assert len(named) == 5
    assert set(named) <= set(EMPTY_WORDS)
