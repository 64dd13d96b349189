"""Win tables as lines: they can be read at any width."""

from __future__ import annotations

import re

import numpy as np
import pytest

import podium
from podium.analysis.multitest.text import wins_lines
from podium.inference import win_table
from podium.typesetting.plain import columns_of


def scores(datasets: int = 1, replications: int = 5, names: tuple[str, ...] = ("rf", "svm", "knn")) -> podium.Results:
    rng = np.random.default_rng(3)
    values = rng.normal(0.8, 0.05, (datasets, replications, len(names))) + 0.01 * np.arange(len(names))
    labels = {"dataset": [f"d{m}" for m in range(datasets)], "replication": None, "algorithm": list(names)}
    return podium.read(values, labels=labels, measure="accuracy")


LONG = tuple(f"gradient boosting with early stop {i:02}" for i in range(10))


def test_a_table_that_fits_has_names_above_its_columns() -> None:
    table = win_table(scores(datasets=8))
    assert wins_lines(table) == str(table)
    head, rest = str(table).split("\n", 1)
    assert wins_lines(table, 200).endswith(rest) and len(head) > 80
    assert max(map(len, wins_lines(table, 80).split("\n"))) <= 80


def test_long_names_are_numbered_and_each_row_is_a_line() -> None:
    table = win_table(scores(datasets=8, names=LONG))
    lines = wins_lines(table, 80).split("\n")
    assert max(map(len, lines)) <= 80
    top, *rows = lines[-11:]
    assert top.split() == [str(i) for i in range(1, 11)]
    for i, row in enumerate(rows):
        number, name, counts = row[:2], row[3:39], row[39:].split()
        assert (int(number), name) == (i + 1, table.algorithms[i])
        stars = ["*" if star else "" for star in table.significant[i].tolist()]
        assert counts == [f"{n}{star}" for n, star in zip(table.wins[i].tolist(), stars, strict=True)]
        assert all(row[top.index(f" {j} ") + 1 :].startswith(counts[j - 1]) for j in range(1, 10))


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("name", ["x" * 70, "支持向量机" * 12, "a method with many words in its name " * 3])
def test_more_than_fits_is_continued_below_and_nothing_is_lost(name: str, width: int) -> None:
    names = tuple(f"{first}{second}{name}" for first in "abcde" for second in "uvwxyz")
    lines = wins_lines(win_table(scores(datasets=3, names=names)), width)
    assert max(map(columns_of, lines.split("\n"))) <= width
    parts = lines.split("\n\n")
    assert len(parts) > 1
    heads = [next(line for line in part.split("\n") if line.replace(" ", "").isdigit()).split() for part in parts]
    assert [number for head in heads for number in head] == [str(i) for i in range(1, 31)]
    assert re.sub(r"[\d*\s]", "", parts[-1]) == "".join(names).replace(" ", "")
