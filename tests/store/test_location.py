from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import podium
from podium.cli import main
from podium.store.location import find_warehouse, is_warehouse


@pytest.fixture
def other_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_this_process: None) -> list[str]:
    """Return names of a warehouse and of its copies: with an extension in capitals, and with those of other files."""
    monkeypatch.chdir(tmp_path)
    measured = {"measures": "misclassification", "characteristics": "obs.n"}
    experiment = podium.Experiment("iris", ["lda", "nb"], podium.Subsampling(replications=2), **measured)
    podium.run(experiment, "run.DB", workers=1, progress="quiet")
    for name in ("run.trials", "run.yaml", "run.csv"):
        shutil.copy("run.DB", name)
    return ["run.DB", "run.trials", "run.yaml", "run.csv"]


def test_a_warehouse_of_any_name_is_read_wherever_a_warehouse_is(
    other_names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    for name in other_names:
        assert "lda" in podium.report(name, sections=["design"]).markdown()
        assert podium.explorer(Path(name)).space.results.algorithms == ("lda", "nb")
        assert list(podium.characterize(name)["obs.n"].unique()) == [100]
        for verb in ("show", "status", "summary"):
            assert main([verb, name]) == 0
            assert "lda" in capsys.readouterr().out
        with podium.Warehouse(name) as warehouse:
            assert podium.read(name) == warehouse.results()
        with pytest.raises(podium.errors.InputError, match="`direction` says how a table is read"):
            podium.read(name, direction="lower")


def test_other_files_and_pipes_are_not_warehouses(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("dataset,a,b\nx,0.1,0.2\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # opening it would wait for a writer
    for path in (table, pipe, tmp_path, tmp_path / "none.csv"):
        assert find_warehouse(str(path)) is None
    assert not is_warehouse("a\0b") and not is_warehouse("out/*/results_*.json")


def test_a_design_that_was_not_run_has_no_warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for read in (podium.report, podium.explorer):
        with pytest.raises(podium.errors.InputError) as caught:
            read("my design.YAML")
        assert str(caught.value) == (
            "There is no warehouse 'my design.db' yet. Run the experiment first: podium run 'my design.YAML'"
        )
