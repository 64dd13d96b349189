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


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A real PostgreSQL on the loopback interface, made for the tests and gone after them."""
    initdb, pg_ctl = _binary("initdb"), _binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        reason = "no PostgreSQL server on this machine; install the package postgresql"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    owner = _owner()
    home = Path(tempfile.mkdtemp(prefix="podium-postgres-"))
    if owner:
        shutil.chown(home, owner)
    port, data = _free_port(), home / "data"

    def call(*command: str) -> None:
        subprocess.run(command, check=True, user=owner, cwd=home, capture_output=True)

    call(initdb, "-D", str(data), "-A", "trust", "-U", "podium", "--no-sync")
    options = f"-p {port} -k {home} -c listen_addresses=127.0.0.1 -c fsync=off"
    call(pg_ctl, "-D", str(data), "-o", options, "-l", str(home / "log"), "-w", "start")
    try:
        yield f"postgresql://podium@127.0.0.1:{port}"
    finally:
        call(pg_ctl, "-D", str(data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a new, empty warehouse can be opened: every test that takes this runs on both databases."""
    if request.param == "sqlite":
        yield str(tmp_path / "warehouse.db")
        return
    import psycopg

    server = request.getfixturevalue("postgres_server")
    name = f"test_{os.getpid()}_{abs(hash(request.node.nodeid))}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield f"{server}/{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
