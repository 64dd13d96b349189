"""``podium warehouse`` and its errors; what works is shown in docs/warehouse.md."""

from __future__ import annotations

from pathlib import Path

import pytest

import podium
from podium.cli import main


@pytest.fixture
def warehouse(tmp_path: Path, in_this_process: None) -> Path:
    experiment = podium.Experiment("monks3", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    podium.run(experiment, tmp_path / "one.db", executor="threads", workers=1, progress="quiet")
    return tmp_path / "one.db"


def test_history_shows_the_designs_and_what_changed(warehouse: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "a\x1b[2Jb"
    named = podium.Algorithm.named("nb").renamed(name)
    grown = podium.Experiment("monks3", ["lda", named], podium.Bootstrap(replications=2), "accuracy")
    podium.run(grown, warehouse, executor="threads", workers=1, progress="quiet")
    capsys.readouterr()
    assert main(["warehouse", "history", str(warehouse)]) == 0
    first, second, *changes = capsys.readouterr().out.splitlines()
    assert first.startswith("1. ") and first.endswith(" UTC: 4 trials")
    assert second.startswith("2. ") and second.endswith(" UTC: 2 trials")
    assert "   the algorithm 'constant' has been removed" in changes
    assert not any("\x1b" in line for line in changes)


def test_a_missing_source_leaves_no_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["warehouse", "merge", str(tmp_path / "new.db"), str(tmp_path / "none.db")]) == 2
    assert capsys.readouterr().err == f"podium warehouse: There is no warehouse {str(tmp_path / 'none.db')!r}.\n"
    assert list(tmp_path.iterdir()) == []
