"""Makes `made_trials` importable, and starts a real PostgreSQL for the tests of this folder."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def _binary(name: str) -> str | None:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((str(f / name) for f in folders if (f / name).exists()), None) or shutil.which(name)


def _owner() -> str | None:
    """PostgreSQL refuses to run as root: then its own account runs it."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A real PostgreSQL on the loopback interface, which can be stopped and started."""

    def __init__(self, initdb: str, pg_ctl: str) -> None:
        self._owner = _owner()
        self._home = Path(tempfile.mkdtemp(prefix="podium-postgres-"))
        if self._owner:
            shutil.chown(self._home, self._owner)
        self._pg_ctl, self._port, self._data = pg_ctl, _free_port(), self._home / "data"
        self.url = f"postgresql://podium@127.0.0.1:{self._port}"
        self._call(initdb, "-D", str(self._data), "-A", "trust", "-U", "podium", "--no-sync")
        # The role `locked` needs its password; all others are trusted.
        rules = self._data / "pg_hba.conf"
        rules.write_text(f"host all locked 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")

    def _call(self, *command: str) -> None:
        subprocess.run(command, check=True, user=self._owner, cwd=self._home, capture_output=True)

    def start(self) -> None:
        options = f"-p {self._port} -k {self._home} -c listen_addresses=127.0.0.1 -c fsync=off"
        self._call(self._pg_ctl, "-D", str(self._data), "-o", options, "-l", str(self._home / "log"), "-w", "start")

    def stop(self) -> None:
        self._call(self._pg_ctl, "-D", str(self._data), "-m", "immediate", "-w", "stop")

    def remove(self) -> None:
        shutil.rmtree(self._home, ignore_errors=True)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A server that is started for the tests and removed afterwards."""
    initdb, pg_ctl = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed; scripts/setup installs it")
    made = Server(initdb, pg_ctl)
    made.start()
    try:
        yield made
    finally:
        made.stop()
        made.remove()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a file system in memory can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="session")
def shared_database(server: Server) -> str:
    """The address of a database of the server."""
    import psycopg

    with psycopg.connect(f"{server.url}/postgres", autocommit=True) as admin:
        admin.execute("CREATE DATABASE test")
    return f"{server.url}/test"


@pytest.fixture
def database(shared_database: str) -> Iterator[str]:
    """An empty database of PostgreSQL: it is emptied after a test, which takes less time than making another one."""
    import psycopg

    yield shared_database
    with psycopg.connect(shared_database, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        admin.execute("DROP SCHEMA public CASCADE")
        admin.execute("CREATE SCHEMA public")
        admin.execute("GRANT USAGE ON SCHEMA public TO PUBLIC")


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new, empty warehouse can be opened: every test that takes this runs on both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "warehouse.db")
    return str(request.getfixturevalue("database"))
