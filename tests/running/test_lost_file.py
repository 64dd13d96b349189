"""A warehouse that is deleted, renamed or replaced while a run writes into it: the run ends, and no trial is lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import trouble

import podium
from forks import ended, forked
from podium.running.forkserver import _server_of_this_process
from podium.store import Warehouse


class Disturbs(trouble.Majority):
    """Does something to the warehouse once trials have been kept."""

    def __init__(self, how: str, path: Path) -> None:
        self.how, self.path = how, path

    def fit(self, X: Any, y: Any) -> Disturbs:
        backup, notes = (self.path.parents[1] / name for name in ("backup.db", "notes"))
        if backup.exists() and notes.exists():
            {
                "rm": self.path.unlink,
                "mv": lambda: self.path.rename(self.path.with_name("moved.db")),
                "replaced": lambda: shutil.copy(backup, f"{self.path}~") and Path(f"{self.path}~").rename(self.path),
                "rm -r": lambda: shutil.rmtree(self.path.parent),
            }[self.how]()
            backup.unlink()
        super().fit(X, y)
        return self


def experiment(how: str, path: Path) -> podium.Experiment:
    return trouble.experiment(trouble.Majority(), Disturbs(how, path), replications=4)


def run_and_note(path: Path, how: str, notes: Path) -> None:
    """Run, and note each trial that the run keeps."""
    append = Warehouse.append

    def noting(self: Warehouse, records: list[Any]) -> None:
        with notes.open("a") as file:
            file.writelines(f"{record.key}\n" for record in records)
        append(self, records)

    Warehouse.append = noting  # type: ignore[method-assign]
    podium.run(experiment(how, path), path, workers=1, trials_per_worker=1, progress="quiet")


@pytest.mark.parametrize("how", ["rm", "mv", "replaced", "rm -r"])
def test_a_run_ends_and_every_trial_is_in_a_copy(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path, notes = tmp_path / "folder" / "runs.db", tmp_path / "notes"
    path.parent.mkdir()
    Warehouse(tmp_path / "backup.db").close()
    before = (tmp_path / "backup.db").read_bytes()
    _server_of_this_process()  # which the forks share
    assert ended(forked(run_and_note, path, how, notes)) != 0
    (copy,) = (tmp_path if how == "rm -r" else path.parent).glob("runs-rescued-*.db")
    with Warehouse(copy, readonly=True) as warehouse:
        assert sorted(str(record.key) for record in warehouse.records()) == sorted(notes.read_text().splitlines())
        assert warehouse.check() == ()
    assert how != "replaced" or (path.read_bytes() == before and not Path(f"{path}-wal").exists())
    if how == "rm":
        assert not podium.run(experiment(how, path), copy, workers=1, progress="quiet").missing.any()
