"""Opening results that somebody else made: nothing that their file names is imported, opened, fitted or fetched."""

from __future__ import annotations

import json
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from sklearn.cluster import FeatureAgglomeration
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import Pipeline

import podium
from podium.store import Warehouse

STEPS = [
    ("merge", FeatureAgglomeration(n_clusters=2, memory="planted-notes")),
    ("classify", LinearDiscriminantAnalysis()),
]


class Planted:
    """What a stranger puts in place of a cached outcome: loading it leaves a file."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


@pytest.fixture(scope="module")
def experiment() -> podium.Experiment:
    """An experiment whose pipelines have a cache in the working folder."""
    return podium.Experiment(
        datasets=["iris", "wine"],
        algorithms=["lda", podium.Algorithm("merged", Pipeline(STEPS, memory="planted-notes"))],
        resampling=podium.Bootstrap(replications=3),
        measures="misclassification",
        seed=1,
    )


@pytest.fixture(scope="module")
def gift(experiment: podium.Experiment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder from a stranger: warehouses, the design file, and a cache in which every outcome is a planted pickle."""
    folder = tmp_path_factory.mktemp("gift")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        podium.run(experiment, "gift.db", workers=1, progress="quiet")
        podium.Warehouse("gift.db").results().write("scores.csv")
    experiment.to_file(folder / "gift.yaml")
    outcomes = list((folder / "planted-notes").rglob("output.pkl"))
    assert len(outcomes) >= 12, "a pipeline and its step have a cache, in six trials"
    for outcome in outcomes:
        outcome.write_bytes(pickle.dumps(Planted(folder / "marker")))
    (folder / "stranger.py").write_text("import pathlib\npathlib.Path('marker').touch()\n")
    (folder / "private.csv").write_text((folder / "scores.csv").read_text())
    named(folder)
    return folder


def named(folder: Path) -> None:
    """Make a warehouse with a design that names a module, a file, a download and a sample of a million observations."""
    (folder / "named.db").write_bytes((folder / "gift.db").read_bytes())
    with Warehouse(folder / "named.db") as warehouse:
        document = json.loads(json.dumps(warehouse.design))
        document["experiment"]["datasets"] = [
            {"file": str(folder / "private.csv"), "name": "iris"},
            {"openml": 61, "name": "wine"},
            {"generator": "twonorm", "n": 30_000_000, "name": "large"},
        ]
        document["experiment"]["algorithms"] = [{"class": "stranger.Model", "name": "merged"}]
        document["experiment"]["measures"] = [{"function": "stranger:measure", "name": "misclassification"}]
        document["experiment"]["characteristics"] = "statlog"
        warehouse.set_design(document, "changed")


# Runs in a process of its own, in that folder: what it imports and opens is compared with the names in the design.
PROGRAM = """
import os
import sys

NAMES = ("planted-notes", "stranger", "private.csv", "sklearn.cluster", "gift.yaml")
NEVER = ("socket.connect", "socket.getaddrinfo", "pickle.find_class")
seen = []

def look(event, args):
    if event in NEVER or event in ("import", "open", "os.listdir", "os.scandir") and any(n in str(args[0]) for n in NAMES):
        seen.append((event, str(args[0])))

sys.addaudithook(look)
assert "sklearn.cluster" not in sys.modules
import podium
from podium.cli import main
from podium.errors import InputError

for name in sys.argv[1:]:
    podium.explorer(name).html()
    podium.report(name)
    with podium.Warehouse(name, readonly=True) as warehouse:
        podium.explorer(warehouse).html()
        podium.report(warehouse, sections=["design", "provenance"])
        warehouse.history(), warehouse.trials(), warehouse.status(), warehouse.check(), warehouse.design
        podium.table(warehouse.results())
    with podium.Warehouse(name) as warehouse:
        warehouse.results()
    try:
        podium.characterize(name)
    except InputError:
        pass
    for words in (
        "explorer {} --out page.html", "report {} --sections design --out report.html", "show {}", "status {}",
        "summary {}", "table {}", "compare {}", "warehouse history {}", "warehouse check {}",
        "warehouse export {} trials.csv", "warehouse import trials.csv copy.db", "warehouse merge merged.db {}",
    ):
        assert main(words.format(name).split()) == 0, words
    for path in ("copy.db", "merged.db"):
        podium.report(path, sections=["design"])
        os.unlink(path)
podium.report("scores.csv"), podium.explorer("scores.csv").html()
assert not seen, seen
"""


RunPython: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


def test_nothing_that_a_file_names_is_touched(
    gift: Path, run_python: RunPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(gift)
    done = run_python(PROGRAM, "gift.db", "named.db")
    assert done.returncode == 0, done.stderr[-3000:]
    assert not Path("marker").exists()


def test_an_experiment_that_the_user_gives_is_run(
    gift: Path, run_python: RunPython, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pickles are planted well: an experiment is trusted, and what it names is opened."""
    monkeypatch.chdir(gift)
    done = run_python("import podium; podium.explorer('gift.db', experiment='gift.yaml').html()")
    assert done.returncode == 0, done.stderr[-3000:]
    assert Path("marker").exists()
