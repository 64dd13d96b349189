"""What only concerns PostgreSQL: a server that goes away, privileges, races, and passwords that are never shown."""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_trials import DESIGN, everything, trial

import podium
from podium.cli import main
from podium.errors import BusyError, PodiumError, StorageError
from podium.store import Warehouse, postgresql
from podium.store.address import without_password

SECRET = "s3cr3t:/p@ss"
QUOTED = "s3cr3t%3A%2Fp%40ss"


def kill_connections(url: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


FITS: list[int] = []
AWAY = threading.Event()


class Waits:
    """Makes some fits, and the others when the server has gone away."""

    def fit(self, X: object, y: Any) -> None:
        FITS.append(len(FITS))
        if len(FITS) > 5:
            AWAY.wait()
        self.answer = np.asarray(y)[0]

    def predict(self, X: Any) -> list[Any]:
        return [self.answer] * len(X)


@pytest.mark.usefixtures("in_this_process")
def test_a_run_goes_on_after_a_restart_of_the_server(server: Any, database: str) -> None:
    experiment = podium.Experiment(
        "monks3", [podium.Algorithm("waits", Waits()), "constant"], podium.Bootstrap(replications=10), "accuracy"
    )
    before = 0

    def restart() -> None:
        nonlocal before
        while before == 0:
            with Warehouse(database, readonly=True) as warehouse:
                before = warehouse.attempts
        server.stop()
        AWAY.set()
        time.sleep(0.3)
        server.start()

    with Warehouse(database) as warehouse:
        thread = threading.Thread(target=restart)
        thread.start()
        try:
            results = podium.run(
                experiment, warehouse, executor="threads", workers=1, progress="quiet", accept="unknown"
            )
        finally:
            thread.join()
        assert 0 < before < 20
        assert results.present.all()
        assert warehouse.attempts == 20  # none is lost, none was stored twice
        assert warehouse.check() == ()


def test_a_dropped_connection_is_restored_for_writing_and_reading(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    with Warehouse(database) as warehouse, warehouse.claimed():
        warehouse.set_design(DESIGN, "f")
        for i, record in enumerate(everything()):
            if i % 4 == 1:
                kill_connections(database)
            warehouse.append([record])
        kill_connections(database)
        assert warehouse.results().present.all()
        assert warehouse.attempts == 12
        with Warehouse(database) as second, pytest.raises(BusyError), second.claimed():
            pass  # the claim was restored, too
    assert "was lost; waiting for the server" in caplog.text


def test_a_commit_whose_answer_is_lost_is_not_repeated(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Warehouse(database) as warehouse:
        warehouse.append(everything()[:1])
        own = warehouse._database
        usual = type(own)._transaction

        def lossy(self: Any) -> Any:
            from contextlib import contextmanager

            @contextmanager
            def transaction() -> Iterator[None]:
                with usual(self):
                    yield
                monkeypatch.undo()
                kill_connections(database)
                self._connection.execute("SELECT 1")  # the commit has succeeded; now the connection is found to be lost

            return transaction()

        monkeypatch.setattr(type(own), "_transaction", lossy)
        warehouse.append(everything()[1:2])
        assert warehouse.attempts == 2


def test_a_server_that_does_not_come_back_is_a_plain_error(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr(postgresql, "WAIT_SECONDS", 0.2)
    with Warehouse(database) as warehouse:
        warehouse.append(everything()[:1])
        kill_connections(database)

        def refuse(*arguments: Any, **options: Any) -> None:
            raise psycopg.Error("connection refused")

        with monkeypatch.context() as patch:
            patch.setattr(psycopg, "connect", refuse)
            with pytest.raises(
                StorageError, match=r"could not be restored in 0\.2 s\. Everything stored before is kept"
            ):
                warehouse.append(everything()[1:2])
        warehouse.append(everything()[1:2])
        assert warehouse.attempts == 2


def test_two_processes_may_create_the_tables_at_once(database: str) -> None:
    failures: list[BaseException] = []
    barrier = threading.Barrier(4)

    def create() -> None:
        try:
            barrier.wait()
            with Warehouse(database) as warehouse:
                warehouse.append([trial("iris", 1, "svm")])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with Warehouse(database, readonly=True) as warehouse:
        assert warehouse.attempts == 4


@pytest.fixture
def locked(database: str) -> Iterator[str]:
    """The address of a role that needs a password and has few rights."""
    import psycopg

    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("DROP ROLE IF EXISTS locked")
        admin.execute(f"CREATE ROLE locked LOGIN PASSWORD '{SECRET}'")
        admin.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    yield database.replace("podium@", "locked@")
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("DROP OWNED BY locked")
        admin.execute("DROP ROLE locked")


def test_a_password_comes_from_the_environment_or_a_file(
    locked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    with pytest.raises(PodiumError, match="cannot be opened"):
        Warehouse(locked)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with pytest.raises(StorageError, match=r"permission denied for schema public\b.*Ask its owner"):
        Warehouse(locked)
    monkeypatch.delenv("PGPASSWORD")
    (tmp_path / "passwords").write_text(f"*:*:*:locked:{SECRET.replace(':', chr(92) + ':')}\n")
    (tmp_path / "passwords").chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "passwords"))
    with pytest.raises(StorageError, match="permission denied for schema public"):
        Warehouse(locked)


def test_missing_privileges_are_plain_errors(locked: str, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", SECRET)
    with Warehouse(database) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything())
    with pytest.raises(StorageError, match="permission denied for table meta"):
        Warehouse(locked, readonly=True)
    import psycopg

    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked")
    with Warehouse(locked, readonly=True) as warehouse:
        assert warehouse.results().present.all()
        assert warehouse.check() == ()
    with Warehouse(locked) as warehouse, pytest.raises(StorageError, match="permission denied"):
        warehouse.append(everything()[:1])


@pytest.mark.parametrize(
    "form",
    [
        "postgresql://locked:{}@{}",
        "postgres://{1}?user=locked&password={0}",
        "POSTGRESQL://locked:{0}@{1}?sslpassword={0}",
    ],
)
def test_a_password_is_never_shown(
    form: str,
    locked: str,
    database: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    place = locked.partition("@")[2]
    shown: list[str] = []
    with Warehouse(database) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(everything())
    import psycopg

    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO locked")
    url = form.format(QUOTED, place)
    with Warehouse(url, readonly=True) as warehouse:
        results = warehouse.results()
        shown += [repr(warehouse), warehouse.name, results.origin, str(results), str(warehouse.status())]
    wrong = [
        form.format("wrong" + QUOTED, place),
        form.format(QUOTED, "127.0.0.1:1/none"),
        form.format(QUOTED, "bad host:port:0/x"),
        form.format(QUOTED, place).replace("postgres", "mysql", 1).replace("POSTGRES", "mysql", 1),
    ]
    for address in wrong:
        for call in (
            lambda address=address: Warehouse(address, readonly=True),
            lambda address=address: Warehouse(":memory:").merge(address),
        ):
            try:
                call()
            except Exception as error:
                assert isinstance(error, PodiumError)
                shown.append("".join(traceback.format_exception(error)))
        main(["status", address])
        main(["warehouse", "check", address])
    (tmp_path / "one.yaml").write_text("datasets: [monks3]\nalgorithms: [constant]\nmeasures: [accuracy]\n")
    for address in (url, *wrong):
        main(["run", str(tmp_path / "one.yaml"), "--warehouse", address, "--executor", "threads"])
    text = "\n".join([*shown, *capfd.readouterr(), caplog.text, without_password(url)])
    for secret in (SECRET, QUOTED, "s3cr3t"):
        assert secret not in text
