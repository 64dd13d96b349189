"""Tables in a terminal of 80 columns fit, and keep long names in full."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli import main
from podium.cli.output import fitted
from podium.typesetting import Table
from podium.typesetting.plain import columns_of

NAMES = (
    "forest, 100 trees, balanced wts",
    "forest, 500 trees, balanced wts",
    "線形判別分析、正則化あり、標準化済み",
    'svm "rbf"',
)
DATASETS = tuple(f"data set with a long name no {i}" for i in range(1, 3))


@pytest.fixture(autouse=True)
def scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(1)
    rows = [
        {"dataset": data, "replication": b, "algorithm": name, "accuracy": 0.9 - 0.05 * k + 0.01 * rng.normal()}
        for data in DATASETS
        for b in range(1, 11)
        for k, name in enumerate(NAMES)
    ]
    podium.read(rows, measure="accuracy").write("scores.csv")


COMMANDS = {
    "sequential": ["sequential", "scores.csv"],
    "sequential, one pair": ["sequential", "scores.csv", "--pair", f'"{NAMES[0]}","{NAMES[1]}"'],
    "monitor": ["monitor", "scores.csv", "--dataset", DATASETS[0]],
    "consensus": ["consensus", "scores.csv"],
    "consensus, by a test": ["consensus", "scores.csv", "--kind", "partial", "--method", "wnmt"],
    "domain": ["domain", "scores.csv", "--count", "2", "--resamples", "20", "--progress", "quiet"],
}


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        *((command, 80) for command in COMMANDS),
        *((command, columns) for command in ("monitor", "consensus", "domain") for columns in (40, 200)),
    ],
)
def test_the_output_fits_and_has_all_names(
    command: str, columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(COMMANDS[command]) == 0
    out = capsys.readouterr().out
    assert max(map(columns_of, out.split("\n"))) <= columns
    together = "".join(out.split())
    for name in NAMES[:2] if command.endswith("pair") else NAMES:
        assert "".join(name.split()) in together
    assert "…" not in out


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_descriptions_fit_and_have_all_words(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    toy = Path(__file__).parents[2] / "examples" / "toy.yaml"
    experiment = podium.Experiment.from_file(toy)
    assert main(["describe", str(toy)]) == 0
    out = capsys.readouterr().out
    assert max(map(columns_of, out.split("\n"))) <= min(columns, 100)
    advice = [f"- {item}" for item in experiment.advice()]
    assert len(advice) > 1
    assert out.split() == " ".join([str(experiment.describe()), "Advice", *advice]).split()
    assert main(["show", "scores.csv"]) == 0
    out = capsys.readouterr().out
    assert max(map(columns_of, out.split("\n"))) <= columns
    assert out.startswith("Results: 2 data sets × 10 replications × 4 ")


def test_long_names_are_numbered_and_listed_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sequential", "scores.csv", "--dataset", DATASETS[0]]) == 0
    lines = capsys.readouterr().out.split("\n")
    at = lines.index(f"dataset: {DATASETS[0]}; measure: accuracy")
    assert lines[at + 2].split()[:3] == ["a", "b", "decision"]
    pairs = [tuple(line.split()[:2]) for line in lines[at + 3 : at + 9]]
    assert pairs == [("1", "2"), ("1", "3"), ("1", "4"), ("2", "3"), ("2", "4"), ("3", "4")]
    assert lines[at + 10 : at + 15] == ["a, b:", *(f"  {i} {name}" for i, name in enumerate(sorted(NAMES), 1))]


def test_files_and_json_have_the_names_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sequential", "scores.csv", "--dataset", DATASETS[0]]
    assert main([*words, "--json"]) == 0
    assert {row["a"] for row in json.loads(capsys.readouterr().out)["pairs"]} == set(sorted(NAMES)[:3])
    assert main([*words, "--out", "pairs.csv"]) == 0
    assert set(pd.read_csv("pairs.csv")["a"]) == set(sorted(NAMES)[:3])


def test_a_table_that_fits_is_not_changed() -> None:
    table = podium.tables.Table.from_frame(pd.DataFrame({"x": [0.5]}, index=pd.Index(["svm"], name="algorithm")))
    assert fitted(table) == table.text()


def test_short_texts_stay_where_they_are() -> None:
    frame = pd.DataFrame({f"column {k}": ["accepted", "better"] for k in range(9)}, index=pd.Index(NAMES[:2], name="a"))
    lines = fitted(Table.from_frame(frame)).split("\n")
    assert lines[1].split()[:2] == ["1", "accepted"]
    assert max(map(columns_of, lines)) <= 80
