"""A disk that becomes full leaves the file that was there, no part of a new one, and an error with the cause."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import podium
from podium.errors import InputError
from podium.store import Warehouse

resource = pytest.importorskip("resource")


@contextmanager
def at_most(n: int) -> Iterator[None]:
    """Let no file grow beyond some bytes, as a full disk or a quota does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)  # of modules that are imported now
        resource.setrlimit(resource.RLIMIT_FSIZE, (n, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


EXPERIMENT = podium.Experiment("iris", ["constant", "lda"], podium.Bootstrap(2), "accuracy")
WRITERS: dict[str, Callable[[Warehouse, Path], Any]] = {
    "results": lambda warehouse, path: warehouse.results().write(path),
    "trials": lambda warehouse, path: warehouse.export_trials(path),
    "table": lambda warehouse, path: podium.table(warehouse.results(), kind="scores").write(path),
    "design": lambda warehouse, path: EXPERIMENT.to_file(path),
    "figure": lambda warehouse, path: podium.plot.save(podium.plot.box(warehouse.results()), path),
}


@pytest.fixture(scope="module")
def warehouse() -> Iterator[Warehouse]:
    with Warehouse(":memory:") as made, pytest.MonkeyPatch.context() as patch:
        patch.setattr("podium.running.tasks.supported", lambda: False)  # in this process
        podium.run(EXPERIMENT, made, workers=1, progress="quiet")
        yield made


@pytest.mark.parametrize(
    "name",
    [
        "results.csv",
        "results.csv.gz",
        "results.parquet",
        "trials.csv",
        "table.tex",
        "design.yaml",
        "figure.png",
        "figure.pdf",
    ],
)
def test_what_was_there_stays(name: str, warehouse: Warehouse, tmp_path: Path) -> None:
    path, write = tmp_path / name, WRITERS[name.partition(".")[0]]
    path.write_bytes(b"before")
    path.chmod(0o640)
    with pytest.raises(InputError, match=r"cannot be written: .*[Ff]ile too large"), at_most(30):
        write(warehouse, path)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert path.read_bytes() == b"before"
    write(warehouse, path)
    assert len(path.read_bytes()) > 30
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_directly() -> None:
    with pytest.raises(InputError, match="no space left on device"):
        podium.checks.write_text("/dev/full", "text")
