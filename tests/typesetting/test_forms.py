"""A table in each form: hostile names are shown as they are, numbers keep their meaning, and nothing is lost."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.errors import InputError
from podium.typesetting import Cell, Column, Table
from podium.typesetting.latex import escape
from podium.typesetting.numbers import confidence, decimals_of, number
from podium.typesetting.plain import columns_of, mark_formula, shortened

HOSTILE = [
    "a|b",
    "<script>alert(1)</script>",
    "100% \\textbf{x} $y$ #_^~ {",
    "[x] *y* _z_ `w`",
    "=1+1",
    "line\nbreak\ttab",
    "\x1b[31mred\x1b[0m",
    "支持向量机",
    "naïve Šidák ß",
    "&amp; \"quoted\" 'single'",
    "--",
    "",
]


@pytest.fixture
def table() -> Table:
    rows = [
        (Cell(name, name), Cell(0.5 + i, f"{0.5 + i:.2f} ± 0.10", spread=0.1, bold=i == 0, marks=("•",) if i else ()))
        for i, name in enumerate(HOSTILE)
    ]
    return Table(
        title="Title with | and <b> and 5 %",
        columns=(Column("Name", "left", is_label=True), Column("p<q>|", symbol=True)),
        rows=tuple(rows),
        foot=((Cell("Mean", "Mean"), Cell(6.0, "6.00")),),
        notes=("• worse than <best>",),
    )


class Reader(HTMLParser):
    """Collects the texts of cells, and the names of all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def one_line(name: str) -> str:
    return " ".join(name.replace("\x1b", "").split())


def test_html_shows_every_name_and_nothing_else(table: Table) -> None:
    read = Reader(table.html())
    known = "div table caption thead tbody tfoot tr th td strong sup i p"
    assert read.tags <= set(known.split())
    assert read.cells[2::2][: len(HOSTILE)] == [one_line(name) for name in HOSTILE]


def test_markdown_has_the_same_columns_in_every_row(table: Table) -> None:
    lines = [line for line in table.markdown().splitlines() if line.startswith("|")]
    assert len(lines) == len(HOSTILE) + 3
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {3}
    assert "<script" not in table.markdown()
    assert "**0.50 ± 0.10**" in table.markdown()
    assert "<sup>•</sup>" in table.markdown()


def test_text_is_aligned_and_has_no_control_characters(table: Table) -> None:
    text = table.text()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)
    numbers = [line for line in text.splitlines() if "± 0.10" in line]
    assert len(numbers) == len(HOSTILE)
    assert len({columns_of(line[: line.index("±")]) for line in numbers}) == 1
    assert "*0.50 ± 0.10*" in text


def test_csv_and_json_and_frame_hold_the_values(table: Table, tmp_path: Path) -> None:
    frame = table.frame()
    assert frame.index.tolist() == [*HOSTILE, "Mean"]
    assert frame.iloc[:, 0].tolist() == [0.5 + i for i in range(len(HOSTILE))] + [6.0]
    assert table.frame("spread").iloc[0, 0] == 0.1
    assert table.frame("text").iloc[-1, 0] == "6.00"
    read = list(csv.reader(io.StringIO(table.write(tmp_path / "t.csv").read_text())))
    assert [row[0] for row in read[1:]] == [*(mark_formula(name) for name in HOSTILE), "Mean"]
    assert mark_formula("=1+1") == "'=1+1"
    found = json.loads(table.write(tmp_path / "t.json").read_text())
    assert found["rows"][3]["Name"] == HOSTILE[3]
    assert found["rows"][3]["p<q>|"] == {"value": 3.5, "spread": 0.1}


def test_infinite_and_missing_numbers_are_valid_json() -> None:
    table = Table.from_frame(pd.DataFrame({"x": [np.inf, np.nan, 1.5]}))
    assert json.loads(table.json())["rows"] == [{"x": "Infinity"}, {"x": None}, {"x": 1.5}]
    assert [row[0].text for row in table.rows] == ["∞", "–", "1.50"]


def test_files_by_their_extension(table: Table, tmp_path: Path) -> None:
    starts = {".tex": "\\begin{table", ".md": "Title", ".html": "<div", ".txt": "Title", ".csv": "Name", ".json": "{"}
    for ending, start in starts.items():
        assert table.write(tmp_path / f"t{ending}").read_text(encoding="utf-8").startswith(start)
    with pytest.raises(InputError, match=r"^`path` must end in one of '\.tex', .*; got 't\.docx'\.$"):
        table.write(tmp_path / "t.docx")


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a_b", r"a\_b"),
        ("C4.5+m", "C4.5+m"),
        ("x^2~", r"x\textasciicircum{}2\textasciitilde{}"),
        ("5×2", r"5$\times$2"),
        ("[0", "{[}0"),
        ("*", "{*}"),
        ("χ²", r"$\chi$$^2$"),
    ],
)
def test_special_characters_are_escaped_for_latex(plain: str, escaped: str) -> None:
    assert escape(plain) == escaped


def test_latex_fits_its_place() -> None:
    narrow = Table.from_frame(pd.DataFrame({"error": [0.12, 0.34]}, index=["svm", "knn"]))
    assert narrow.latex().startswith("\\begin{table}\n")
    wide = Table.from_frame(pd.DataFrame(np.eye(2, 12) + 0.123, columns=[f"algorithm {i}" for i in range(12)]))
    assert wide.latex().startswith("\\begin{table*}\n")
    assert wide.latex(width=3.3).count("\\begin{tabular}") > 1
    assert "\\begin{table}" not in narrow.latex(environment="tabular")
    assert "\\caption" not in narrow.latex(caption="")
    columns = (Column("part", is_label=True, align="left"), Column("text", align="left"))
    words = Table(title="", columns=columns, rows=((Cell("a", "a"), Cell("b", 40 * "word ")),))
    assert re.search(r"\\begin\{tabular\}\{@\{\}lp\{\d+pt\}@\{\}\}", words.latex(width=6.3))  # in lines
    long = Table.from_frame(pd.DataFrame(np.eye(70, 9) + 0.123, columns=[f"algorithm {i}" for i in range(9)]))
    opening = "{\\scriptsize\\setlength{\\tabcolsep}{3pt}\n\\begin{longtable}"
    assert long.latex(width=6.3, environment="longtable").startswith(opening)


def test_decimals_follow_the_uncertainty() -> None:
    assert decimals_of([0.0123, 0.0456, np.nan]) == 3
    assert decimals_of([12.0, 30.0]) == 0
    assert decimals_of([0.1], digits=1) == 1
    assert decimals_of([0, 0], [0.25]) == 3
    assert (number(-0.0004, 3), number(1234567.0, 0), number(1e-9, 12)) == ("0.000", "1234567", "1.0e-09")


def test_levels_are_never_rounded_to_certainty() -> None:
    alphas = (0.5, 0.05, 0.025, 0.001, 1e-5, np.float64(0.05) / 3)
    assert [f"{confidence(alpha):%}" for alpha in alphas] == ["50%", "95%", "97.5%", "99.9%", "99.999%", "98.333%"]


def test_a_table_of_pairs_that_is_too_wide_repeats_the_names_of_its_rows() -> None:
    results = podium.examples.load_demsar2006().rename(
        algorithms={"C4.5": "a very long name of an algorithm, 支持向量机"}
    )
    table = podium.compare(results, method="t").table()
    assert table.frame().index.names == ["a", "b"]
    parts = table.text(60).split("\n\n")[1:-1]
    assert len(parts) > 1
    for part in parts:
        assert all("C4.5+m" in line or "a very long" in line for line in part.splitlines()[1:])
        assert all(line.count("*") in (0, 2) for line in part.splitlines())  # a name that is cut keeps its end
    header = table.frame().to_csv().splitlines()[0]
    assert header.startswith("a,b,")


def test_numbers_that_are_alike_or_on_a_log_scale_have_significant_digits() -> None:
    frame = pd.DataFrame({"median": [0.00091234, 0.207, 12.3456], "n": [3, 3, 2]}, index=["a", "b", "c"])
    assert [row[1].text for row in Table.from_frame(frame).rows] == ["0.0", "0.2", "12.3"]
    same = Table.from_frame(pd.DataFrame({"error": [2.5625, np.nextafter(2.5625, 3)]}))
    assert [row[0].text for row in same.rows] == ["2.56", "2.56"]
    log = Table.from_frame(frame, scale="log")
    assert [[cell.text for cell in row[1:]] for row in log.rows] == [["0.000912", "3"], ["0.207", "3"], ["12.3", "2"]]


NAMES = st.lists(st.text(st.sampled_from("ab-支"), max_size=14), max_size=8, unique=True)


@given(NAMES, st.integers(6, 12), st.sampled_from(["", "one common beginning ", "支持"]))
def test_shortened_names_differ(names: list[str], longest: int, beginning: str) -> None:
    texts = [beginning + name for name in names]
    short = shortened(texts, longest)
    assert short == shortened(texts[::-1], longest)
    assert set(short) == {text for text in texts if columns_of(text) > longest}
    shown = [short.get(text, text) for text in texts]
    assert len(set(shown)) == len(texts)
    assert all(columns_of(one) <= longest or one == text for one, text in zip(shown, texts, strict=True))


@pytest.mark.parametrize("kind", ["scores", "wins"])
@pytest.mark.parametrize("width", [60, 100])
def test_names_at_the_head_of_columns_are_shortened_as_in_the_rows(kind: Literal["scores", "wins"], width: int) -> None:
    names = [f"RandomForestClassifier(max_depth={depth}, n_estimators=500, bootstrap=True)" for depth in (3, 5, 10)]
    values = np.random.default_rng(0).normal(size=(7, 3, 4)) + np.arange(4)
    labels = {"dataset": None, "replication": None, "algorithm": [*names, "svm"]}
    table = podium.table(podium.read(values, labels=labels, measure="accuracy", direction="higher"), kind=kind)
    text = table.text(width=width)
    assert max(map(columns_of, text.splitlines())) <= width
    assert not any(name in text.partition("\n\n")[2].rpartition("\n\n")[0] for name in names)
    assert all(name in table.html() for name in names)
    if kind == "wins":
        heads = {
            head for part in re.findall(r"^Algorithm  (.*)$", text, re.M) for head in re.split(r"  +", part.strip())
        }
        assert heads == set(re.findall(r"^(Rand.*?|svm)  ", text, re.M))
