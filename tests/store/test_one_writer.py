"""One warehouse, one writer, whatever its name."""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from made_trials import DESIGN, everything, trial

from forks import ended, forked, is_running
from podium.errors import BusyError
from podium.store import Warehouse, lock


def write_often(path: Path, descriptor: int, times: int | None = None) -> int:
    """Be a run that writes one trial after the other; say when it has begun."""
    with Warehouse(path) as warehouse, warehouse.claimed():
        os.write(descriptor, b"claimed")
        for _ in itertools.count() if times is None else range(times):
            warehouse.append(everything()[:1])
            time.sleep(0.002)
        os._exit(7)


def test_a_second_writer_is_refused_at_any_moment_by_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one.db"
    with Warehouse(path) as warehouse:
        warehouse.set_design(DESIGN, "f")
    (tmp_path / "folder").mkdir()
    (tmp_path / "symlink.db").symlink_to(path)
    (tmp_path / "link of link.db").symlink_to("symlink.db")
    (tmp_path / "other folder").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    names = ["one.db", "symlink.db", "link of link.db", "other folder/one.db", "folder/../one.db", str(path)]
    draws = random.Random(0)
    reading, writing = os.pipe()
    driver = forked(write_often, path, writing)
    os.close(writing)
    try:
        assert os.read(reading, 7) == b"claimed"
        before = 0
        for _ in range(100):
            time.sleep(draws.random() * 0.01)
            (tmp_path / "one.db-run").unlink(missing_ok=True)  # what was a lock file once
            with Warehouse(draws.choice(names)) as second:
                with pytest.raises(BusyError), second.claimed():
                    pass
                attempts = second.attempts
                assert attempts >= before  # and it reads what the driver writes
                before = attempts
        os.link(path, tmp_path / "hard link.db")
        refusal = r"Another run is writing|is another name of the warehouse"
        with (
            pytest.raises((BusyError, ValueError), match=refusal),
            Warehouse("hard link.db") as second,
            second.claimed(),
        ):
            pass
        assert is_running(driver)
        assert before > 0
    finally:
        os.kill(driver, signal.SIGKILL)
        ended(driver)
        os.close(reading)
    with Warehouse("symlink.db") as warehouse, warehouse.claimed():
        assert warehouse.check() == ()


def test_after_a_kill_a_hard_link_without_the_log_is_refused(tmp_path: Path) -> None:
    with open(os.devnull, "wb") as nowhere:
        assert ended(forked(write_often, tmp_path / "one.db", nowhere.fileno(), 5)) == 7
    assert (tmp_path / "one.db-wal").exists()
    os.link(tmp_path / "one.db", tmp_path / "two.db")
    with pytest.raises(ValueError, match=r"two\.db' is another name of the warehouse '.*one\.db', which has a log"):
        Warehouse(tmp_path / "two.db")
    with Warehouse(tmp_path / "one.db") as warehouse:
        assert warehouse.attempts == 5


def test_the_locks_of_sqlite_outlive_a_claim(
    tmp_path: Path, run_python: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    """Closing any open file of an inode drops all locks of the process there: a claim must not do it."""
    path = tmp_path / "one.db"
    with Warehouse(path) as reader, Warehouse(path) as writer:
        for _ in range(3):
            with writer.claimed():
                writer.append(everything()[:1])
        program = f"from podium.store import Warehouse; Warehouse({str(path)!r}).close()"
        run_python(program).check_returncode()  # as the last, it would merge and delete the log
        assert Path(f"{path}-wal").exists()
        writer.append(everything()[1:2])
        assert reader.attempts == 4
    with Warehouse(path, readonly=True) as again:
        assert again.attempts == 4


def test_without_posix_a_second_claim_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "fcntl", None)
    (tmp_path / "link.db").symlink_to(tmp_path / "one.db")
    with Warehouse(tmp_path / "one.db") as first, Warehouse(tmp_path / "link.db") as second:
        with first.claimed():
            with pytest.raises(BusyError), second.claimed():
                pass
            first.append([trial("iris", 1, "svm")])
        with second.claimed():
            second.append([trial("iris", 2, "svm")])
        assert first.attempts == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.db", "one.db"]


def test_where_locks_fail_the_older_writer_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that grants every lock: the claim in the database stops the first writer at its next write."""
    monkeypatch.setattr("fcntl.fcntl", lambda *request: b"")
    with Warehouse(tmp_path / "one.db") as first, Warehouse(tmp_path / "one.db") as second, first.claimed():
        first.append([trial("iris", 1, "svm")])
        with second.claimed():
            second.append([trial("iris", 2, "svm")])
            with pytest.raises(BusyError, match="Another run has taken over"):
                first.append([trial("iris", 3, "svm")])
        assert first.attempts == 2
