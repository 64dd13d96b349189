"""``podium show``: its report on missing cells."""

from __future__ import annotations

from pathlib import Path

import pytest

import podium
from podium.cli import main

SCORES = "dataset,algorithm,accuracy\niris,svm,0.9\niris,knn,\nwine,svm,0.7\nwine,knn,0.6\n"


def test_the_policy_is_reported_for_each_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    assert main(["show", str(tmp_path / "scores.csv")]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "accuracy (greater is better), over data sets 1 of 4 cells missing (1 absent); available: " in words


def test_the_help_states_the_default_policy(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", "--help"])
    assert "(default: available, " in " ".join(capsys.readouterr().out.split())


def test_a_file_with_bars_between_its_cells(tmp_path: Path) -> None:
    (tmp_path / "bars.csv").write_text(SCORES.replace(",", "|"), encoding="utf-8")
    (tmp_path / "commas.csv").write_text(SCORES, encoding="utf-8")
    assert podium.read(tmp_path / "bars.csv") == podium.read(tmp_path / "commas.csv")
