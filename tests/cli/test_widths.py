"""What verbs print fits into the terminal; their tables keep long names in full."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli import VERBS, main
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
    ("command", "columns"), [*((command, 80) for command in COMMANDS), ("domain", 40), ("domain", 200)]
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


DESIGN = """\
seed: 1
datasets: [iris, titanic]
algorithms:
  - lda
  - {class: sklearn.svm.SVC, name: a support vector machine with a name that is long}
resampling: {bootstrap: {replications: 2}}
measures: [misclassification, brier]
"""
SHORT = {"forest": 0.9, "svm (rbf)": 0.86, "knn": 0.83, "lda": 0.8, "constant classifier": 0.5}


@pytest.fixture
def files(tmp_path: Path) -> None:
    """Scores with costs, with missing cells, and a design."""
    rng = np.random.default_rng(1)
    lines = [
        f"data {m},{b},{name},{mean + 0.01 * rng.normal():.4f},{cost * rng.uniform(0.9, 1.1):.5f}"
        for m in range(8)
        for b in range(10)
        for (name, mean), cost in zip(SHORT.items(), (4, 2, 1, 0.1, 0.001), strict=True)
    ]
    head = "dataset,replication,algorithm,accuracy,fit time"
    (tmp_path / "costs.csv").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    (tmp_path / "gaps.csv").write_text("\n".join([head, *lines[:-5], *lines[-4:]]) + "\n", encoding="utf-8")
    (tmp_path / "small.yaml").write_text(DESIGN, encoding="utf-8")


ONE = ["--measure", "accuracy"]
PRINTING = {
    "show, missing cells": ["show", "gaps.csv"],
    "summary": ["summary", "costs.csv"],
    "table": ["table", "costs.csv", *ONE],
    "compare": ["compare", "costs.csv", *ONE],
    "mixed": ["mixed", "costs.csv", *ONE],
    "bayes": ["bayes", "costs.csv", *ONE, "--equivalence", "0.01", "--ratio", "1/9"],
    "ranks": ["ranks", "costs.csv", *ONE],
    "wins, long names": ["wins", "scores.csv"],
    "multitest": ["multitest", "costs.csv", *ONE, "--cost", "fit time"],
    "plot list": ["plot", "list"],
    "datasets": ["datasets"],
    "a generator": ["datasets", "threenorm"],
    "report": ["report", "costs.csv", *ONE, "--sections", "answer"],
    "run --dry-run": ["run", "small.yaml", "--dry-run", "--executor", "threads", "--workers", "1"],
}


@pytest.mark.parametrize("command", PRINTING)
@pytest.mark.usefixtures("files", "in_this_process")
def test_what_verbs_print_fits(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(PRINTING[command]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.split("\n") if columns_of(line) > 80] == []
    if command.endswith("long names"):
        assert all("".join(name.split()) in "".join(out.split()) for name in NAMES)


@pytest.mark.usefixtures("files", "in_this_process")
def test_what_runs_print_fits(capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--executor", "threads", "--workers", "1"]
    assert main(["run", "small.yaml", *quick, "--progress", "bar"]) == 3
    printed = capsys.readouterr()
    assert "Problems" in printed.out
    (first,) = [line for line in printed.err.split("\n") if line.startswith("First failed")]
    assert first == "First failed: a support vector machine with a name that is long on titanic,"
    lines = [*printed.out.split("\n"), *printed.err.split("\r")[-1].split("\n")]
    for words in (
        ["status", "small.yaml"],
        ["status", "small.db"],
        ["show", "small.db"],
        ["warehouse", "check", "small.db"],
    ):
        assert main(words) == 0
        lines += capsys.readouterr().out.split("\n")
    assert [line for line in lines if columns_of(line) > 80] == []


@pytest.mark.parametrize("verb", ["", *VERBS])
def test_help_fits(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"] if verb else ["--help"])
    assert [line for line in capsys.readouterr().out.split("\n") if columns_of(line) > 80] == []


def test_files_and_json_have_the_names_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sequential", "scores.csv", "--dataset", DATASETS[0]]
    assert main([*words, "--json"]) == 0
    assert {row["a"] for row in json.loads(capsys.readouterr().out)["pairs"]} == set(sorted(NAMES)[:3])
    assert main([*words, "--out", "pairs.csv"]) == 0
    assert set(pd.read_csv("pairs.csv")["a"]) == set(sorted(NAMES)[:3])
