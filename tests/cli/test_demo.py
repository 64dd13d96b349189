"""The demonstration is a real experiment: it can be resumed, and its design is a file like any other."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

import podium
from podium.cli import main
from podium.cli.demo import USUAL, commands
from podium.running.design import record_design
from podium.store import TrialKey, TrialRecord

DESIGN = Path(podium.__file__).parent / "cli" / "demo.yaml"


def interrupted(folder: Path) -> podium.Results:
    """Leave a demonstration of two replications, made up but for a trial of each algorithm; each data set has one, too."""
    folder.mkdir()
    (folder / "demo.yaml").write_text(DESIGN.read_text().replace(f"replications: {USUAL}", "replications: 2"))
    experiment = podium.Experiment.from_file(folder / "demo.yaml")
    rng = np.random.default_rng(1)
    records = [
        TrialRecord(
            key=TrialKey(dataset.name, replication, algorithm.name),
            status="done",
            values={"misclassification": rng.uniform(0.1, 0.4), "fit time": rng.exponential(0.1)},
            seed=experiment.seed_of(dataset.name, replication, algorithm.name),
        )
        for replication in (1, 2)
        for m, dataset in enumerate(experiment.datasets)
        for k, algorithm in enumerate(experiment.algorithms)
        if replication == 2 or k % len(experiment.datasets) != m
    ]
    with podium.Warehouse(folder / "demo.db") as warehouse:
        agreement = record_design(experiment, warehouse)
        warehouse.append([agreement.stamped(record) for record in records])
        return warehouse.results()


def test_the_demo_runs_an_experiment_that_can_be_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    before = interrupted(folder)
    assert before.missing.sum() == 8 * 2  # trials, each with two measures
    assert main(["demo", "--out", str(folder), "--replications", "2", "--workers", "2"]) == 0
    shown = capsys.readouterr().out
    steps = [shlex.split(line)[1:] for line in shown.splitlines() if line.startswith("$ ")]
    assert [words[:2] for words in steps] == [
        words[:2] for words in (["podium", *each] for each in commands(folder, 2))
    ]
    assert sorted(path.name for path in folder.iterdir()) == [
        "algorithms.md",
        "comparison.png",
        "demo.db",
        "demo.yaml",
        "error-by-data-set.png",
        "podium.png",
        "report.html",
        "results.csv",
        "scores.tex",
        "time.png",
    ]
    assert all(path.stat().st_size > 0 for path in folder.iterdir())
    with podium.Warehouse(folder / "demo.db", readonly=True) as warehouse:
        results = warehouse.results()
    assert results.shape == (6, 2, 8, 2)
    assert results.present.all()
    assert (results.values[before.present] == before.values[before.present]).all()
    assert results.algorithms == ("constant", "lda", "nb", "knn", "rpart", "svm", "nnet", "rf")
    assert podium.read(folder / "results.csv").select(measure="misclassification") == results.select(
        measure="misclassification"
    )

    design = podium.Experiment.from_file(folder / "demo.yaml")
    assert podium.preview(design, folder / "demo.db", pilot_seconds=0).left.to_numpy().sum() == 0


def test_the_design_of_the_demo_follows_our_own_advice() -> None:
    experiment = podium.Experiment.from_file(DESIGN)
    assert not experiment.advice()
    assert (len(experiment.datasets), len(experiment.algorithms), len(experiment.measures)) == (6, 8, 2)
