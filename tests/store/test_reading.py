"""Reading a warehouse that cannot be written, that is being written, or that was copied without its log."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from made_trials import DESIGN, everything, trial

import podium
from forks import ended, forked
from podium.errors import IncompleteCopyWarning, StorageError
from podium.store import TrialKey, Warehouse, sqlite


def be_killed(path: Path) -> None:
    """Be a run that is killed when it has written everything."""
    sqlite.SETTLE_SECONDS = 0
    warehouse = Warehouse(path)
    warehouse.set_design(DESIGN, "f")
    claim = warehouse.claimed()
    claim.__enter__()
    for record in everything():
        warehouse.append([record])
    os._exit(7)


def test_a_finished_warehouse_is_read_from_a_disk_that_cannot_be_written(small_disk: Path) -> None:
    path = small_disk / "one.db"
    with Warehouse(path) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything())
        results = warehouse.results()
    assert ended(forked(be_killed, small_disk / "killed.db")) == 7
    assert (small_disk / "killed.db-wal").stat().st_size
    (small_disk / "killed.db-shm").unlink()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for name in ("one.db", "killed.db"):
        with Warehouse(small_disk / name, readonly=True) as warehouse:
            assert warehouse.results() == results
            assert warehouse.check() == ()
            assert warehouse.status().counts["done"] == 12
    with pytest.raises((StorageError, ValueError)):
        Warehouse(path)


def test_a_copy_without_the_log_of_a_killed_run_says_so_and_has_nearly_everything(tmp_path: Path) -> None:
    assert ended(forked(be_killed, tmp_path / "one.db")) == 7
    shutil.copy(tmp_path / "one.db", tmp_path / "copy.db")
    with pytest.warns(IncompleteCopyWarning, match=r"its log 'copy\.db-wal' is not here"):
        copy = Warehouse(tmp_path / "copy.db", readonly=True)
    with copy:
        assert [item.kind for item in copy.check()] == ["log"]
        assert copy.attempts >= 11
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:  # with its log, nothing is missing
        assert warehouse.attempts == 12
        assert warehouse.check() == ()
    with pytest.warns(IncompleteCopyWarning):
        copy = Warehouse(tmp_path / "copy.db")
    with copy, copy.claimed():
        copy.append(everything()[11:])
    Warehouse(tmp_path / "copy.db").close()  # a run has ended properly: no warning


@pytest.mark.parametrize("readonly", [True, False])
def test_who_reads_the_log_of_a_killed_run_leaves_a_complete_warehouse(tmp_path: Path, readonly: bool) -> None:
    path = tmp_path / "one.db"
    assert ended(forked(be_killed, path)) == 7
    assert (tmp_path / "one.db-wal").stat().st_size
    for _ in range(2):  # the first one merges the log
        with Warehouse(path, readonly=readonly) as warehouse:
            assert warehouse.attempts == 12
            assert warehouse.check() == ()
        assert not (tmp_path / "one.db-wal").exists()


def test_a_reader_leaves_the_claim_of_a_run(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    with Warehouse(path) as warehouse, warehouse.claimed():
        warehouse.set_design(DESIGN, "f")
        Warehouse(path, readonly=True).close()
        warehouse.append(everything())  # nobody has taken over
        assert warehouse.attempts == 12


def test_what_is_read_during_a_run_is_one_snapshot(where: str) -> None:
    """New algorithms, measures and designs appear while another connection reads."""
    stop = threading.Event()
    failures: list[BaseException] = []

    def write() -> None:
        number = 0
        try:
            with Warehouse(where) as writer:
                while not stop.is_set() and number < 300:
                    name = f"algorithm {number}"
                    number += 1
                    if number % 10 == 0:
                        writer.set_design({**DESIGN, "algorithms": ["svm", name]}, "f")
                    values = {"accuracy": 0.5, f"measure {number}": 1.0}
                    writer.append([trial("iris", 1, "svm", key=TrialKey("iris", 1, name), values=values)])
        except BaseException as error:
            failures.append(error)

    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything())
    thread = threading.Thread(target=write)
    thread.start()
    try:
        with Warehouse(where, readonly=True) as reader:
            for _ in range(15):
                assert reader.results().shape[0] == 2
                assert reader.status().total > 0
                assert len(list(reader.records(kept=False))) >= 12
    finally:
        stop.set()
        thread.join()
    assert not failures


def test_a_full_disk_says_what_is_kept_and_the_run_resumes_when_there_is_space(small_disk: Path) -> None:
    path = small_disk / "one.db"
    big = "".join(chr(33 + i % 90) for i in range(9_000))
    records = [trial("iris", 1, "svm", message=f"{i} {big}") for i in range(5)]
    kept = 0
    with Warehouse(path) as warehouse, warehouse.claimed():
        warehouse.set_design(DESIGN, "f")
        with pytest.raises(StorageError) as caught:
            while True:
                warehouse.append(records)
                kept += 5
        assert 0 < kept < 200
        assert (
            "is full. Everything stored before is kept; make room, then run again to resume. "
            f"The warehouse has {kept} " in (str(caught.value))
        )
        assert warehouse.attempts == kept
    with Warehouse(path, readonly=True) as warehouse:
        assert warehouse.attempts == kept
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    with Warehouse(path) as warehouse, warehouse.claimed():
        warehouse.append([*records, *everything()])
        assert warehouse.attempts == kept + 17
        assert warehouse.check() == ()


def test_a_quota_is_a_full_disk(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as warehouse:
        warehouse.append(everything())
        usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "one.db-wal").stat().st_size, usual[1]))
        try:
            with pytest.raises(StorageError, match=r"is full.*The warehouse has 12 attempts"):
                warehouse.append([trial("iris", 1, "svm", message="x" * 9_000) for _ in range(3)])
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert warehouse.attempts == 12
        warehouse.append(everything())
        assert warehouse.check() == ()


def test_what_was_written_is_in_the_file_within_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "SETTLE_SECONDS", 0.0)
    with Warehouse(tmp_path / "one.db") as warehouse:
        warehouse.append(everything())
        shutil.copy(tmp_path / "one.db", tmp_path / "copy.db")
        with Warehouse(tmp_path / "copy.db", readonly=True) as copy:
            assert copy.attempts == 12


KAPPA = {"name": "kappa", "direction": "higher", "units": "", "scale": None}


@pytest.mark.parametrize(
    ("tried", "changes", "said"),
    [
        (12, {}, ""),
        (11, {}, "1 of 12 trials has not been tried yet"),
        (
            12,
            {"algorithms": [*DESIGN["algorithms"], "lda"], "measures": [*DESIGN["measures"], KAPPA]},
            "6 of 18 trials have not been tried yet; 12 were tried before a measure was added or changed, and have no "
            "value of it",
        ),
    ],
)
def test_every_report_says_first_that_a_run_is_not_finished(tried: int, changes: Any, said: str) -> None:
    with Warehouse(":memory:") as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything()[:tried])
        warehouse.set_design({**DESIGN, **changes}, "g")
        report = podium.report(warehouse, sections=["inference", "criteria"])
    assert report.caution == (said and f"The run is not finished: {said}. All that follows may change.")
    title = report.sections[0].title
    for form in (repr(report), report.html().split("<main")[1], report.markdown(), report.latex()):
        assert (form.index(report.caution) < form.index(title)) if said else "not finished" not in form
    assert (report.caution in report._repr_html_()) and (not said or "class='caution'" in report._repr_html_())


def test_a_report_orders_only_algorithms_with_values() -> None:
    with Warehouse(":memory:") as warehouse:
        warehouse.set_design({**DESIGN, "algorithms": [*DESIGN["algorithms"], "lda"]}, "f")
        warehouse.append(everything())
        several = podium.show.report.find_answer(podium.show.report.Analyses(warehouse.results()))
        one = warehouse.results().select(dataset="iris")
        alone = podium.report(one.select(algorithms=["svm", "lda"]), sections=["answer"]).sections[0].blocks
    absent = (("lda", "absent"),)
    assert (several.order, several.absent, several.left_out, several.ranked_last) == (("svm", "knn"), absent, (), 0)
    assert "svm is the only algorithm with a value" in alone[0].text


def test_a_reader_that_cannot_write_sees_what_a_run_adds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it opened the file before the run began: in a folder that is not its own, where root may write."""
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK)
    path = tmp_path / "one.db"
    with Warehouse(path) as warehouse:
        warehouse.set_design(DESIGN, "f")
    with Warehouse(path, readonly=True) as reader:
        seen = [reader.attempts]
        with Warehouse(path) as warehouse, warehouse.claimed():
            for record in everything()[:3]:
                warehouse.append([record])
                seen.append(len(list(reader.records())))
        seen.append(reader.attempts)
        with Warehouse(path) as warehouse:
            warehouse.append(everything()[3:])
        seen.append(len(reader.trials()))
        assert seen == [0, 1, 2, 3, 3, 12]


def test_a_file_that_goes_away_after_the_last_trial_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    with Warehouse(path) as warehouse:
        with pytest.raises(StorageError), warehouse.claimed():
            warehouse.append(everything())
            path.unlink()
        warehouse.append(everything()[:1])
        assert Path(warehouse.name).parent == tmp_path
    with Warehouse(warehouse.name, readonly=True) as copy:
        assert copy.attempts == 13
        assert copy.check() == ()
