"""Damaged and hostile files: nothing is silently misread, nothing crashes, and `check` says what is damaged."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import random
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_trials import DESIGN, broken, change, everything, trial

from podium.cli import main
from podium.errors import DamageError, ExecutionError, InputError, PodiumError
from podium.store import Status, Warehouse, document, predictions, rows
from podium.store.rows import row_checksum

CORRUPTIONS = 200
MOST = 2**18  # characters of a document that are read; far fewer than usual, so that the test is quick


def counted(status: Status) -> list[Any]:
    """The numbers and texts of a status."""
    tables = (status.by_algorithm, status.by_dataset, status.problems)
    return [dict(status.counts), *(table.to_numpy().tolist() for table in tables)]


READS: tuple[Callable[[Warehouse], Any], ...] = (
    lambda warehouse: repr(list(warehouse.records())),
    lambda warehouse: warehouse.designs(),
    lambda warehouse: warehouse.results().values.tobytes(),
    lambda warehouse: counted(warehouse.status()),
    lambda warehouse: warehouse.counts(),
    lambda warehouse: warehouse.attempts,
    lambda warehouse: str(warehouse.history()),
    lambda warehouse: str(warehouse.identities()),
    lambda warehouse: warehouse.kept_trials(DESIGN).numbers.tobytes(),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a warehouse."""
    (tmp_path / "one.db").write_bytes(intact())
    return tmp_path / "one.db"


@functools.cache
def intact() -> bytes:
    records = everything()
    records[3] = broken("iris", 2, "knn", "failed", warnings=("a", "b"))
    records[4] = dataclasses.replace(records[4], kept=b"12345")
    with tempfile.TemporaryDirectory() as folder:
        with Warehouse(Path(folder, "intact.db")) as warehouse:
            warehouse.set_design({**DESIGN, "replications": 2}, "e")
            warehouse.set_design(DESIGN, "f")
            warehouse.append(records)
        return Path(folder, "intact.db").read_bytes()


def test_no_flipped_bit_is_read_wrong(path: Path) -> None:
    content = intact()
    used = [place for place, byte in enumerate(content) if byte]
    with Warehouse(path, readonly=True) as warehouse:
        truth = [read(warehouse) for read in READS]
    damaged = path.with_name("damaged.db")
    draws = random.Random(1)
    outcomes = {"refused": 0, "found": 0, "unharmed": 0}
    for number in range(CORRUPTIONS):
        flipped = bytearray(content)
        place = (number * len(used) + draws.randrange(len(used))) // CORRUPTIONS  # they are spread over the file
        flipped[used[place]] ^= 1 << draws.randrange(8)
        damaged.write_bytes(flipped)
        try:
            warehouse = Warehouse(damaged, readonly=True)
        except PodiumError:
            outcomes["refused"] += 1
            continue
        with warehouse:
            found = warehouse.check()
            for read, expected in zip(READS, truth, strict=True):
                try:
                    assert read(warehouse) == expected, number
                except PodiumError:
                    assert found, number
        outcomes["found" if found else "unharmed"] += 1
    assert all(outcomes.values()), outcomes


def test_a_truncated_file_is_an_error_or_found(path: Path) -> None:
    for size in range(0, len(intact()), 4096):
        path.write_bytes(intact()[:size])
        try:
            with Warehouse(path, readonly=True) as warehouse:
                assert warehouse.check()
        except (InputError, DamageError):
            pass


def test_a_check_says_what_is_damaged_in_plain_words(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        str(path),
        *(f"DROP TRIGGER {table}_no_update" for table in ("trial", "trouble")),
        *(f"DROP TRIGGER {table}_no_delete" for table in ("trial", "prediction")),
        "UPDATE trial SET numbers = x'00' WHERE id = 3",
        "UPDATE trial SET dataset = 77 WHERE id = 9",
        "UPDATE trouble SET message = 'another'",
        "DELETE FROM prediction",
        "DELETE FROM trial WHERE id = 4",
    )
    with Warehouse(path, readonly=True) as warehouse:
        assert [(item.kind, item.table, item.row) for item in warehouse.check()] == [
            ("reference", "trial", 9),
            ("reference", "trouble", 1),
            ("checksum", "trouble", 4),
            ("checksum", "trial", 3),
            ("checksum", "trial", 9),
            ("lost", "prediction", 5),
        ]
    assert main(["warehouse", "check", str(path)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{path}: row 9 of table trial refers to a missing label",
        f"{path}: row 1 of table trouble refers to a missing trial",
        f"{path}: row 4 of table trouble does not match its checksum",
        f"{path}: row 3 of table trial does not match its checksum",
        f"{path}: row 9 of table trial does not match its checksum",
        f"{path}: trial 5 has lost its row of table prediction",
        "Restore a copy, or save what can be read: `sqlite3 FILE .recover`.",
    ]


def test_a_page_that_cannot_be_read_is_damage(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'host'").fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    content = bytearray(intact())
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    with Warehouse(path, readonly=True) as warehouse:
        assert ("unreadable", "host") in {(item.kind, item.table) for item in warehouse.check()}
        with pytest.raises(DamageError, match=r"is damaged: the database reports: .*malformed.*lists all damage"):
            warehouse.trials()


def test_a_damaged_definition_of_a_table_is_damage(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(
        str(path),
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_master SET sql = 'CREATE TABEL host (id' WHERE type = 'table' AND name = 'host'",
    )
    with pytest.raises(DamageError, match="the definitions of its tables cannot be read") as caught:
        Warehouse(path)
    assert main(["warehouse", "check", str(path)]) == 1
    assert capsys.readouterr().out == f"{caught.value}\n"


@pytest.mark.parametrize("field", ["replication = 9", "measure_set = NULL", "numbers = x'00'", "fit_seconds = 7"])
def test_every_field_of_a_trial_is_verified_by_every_call(field: str, path: Path) -> None:
    change(str(path), "DROP TRIGGER trial_no_update", f"UPDATE trial SET {field} WHERE id = 3")
    with Warehouse(path, readonly=True) as warehouse:
        for call in (
            *(warehouse.status, warehouse.counts, warehouse.status_codes, warehouse.history),
            *(warehouse.results, warehouse.trials, lambda: list(warehouse.records())),
        ):
            with pytest.raises(DamageError, match="trial 3 does not match its checksum"):
                call()


def test_lost_predictions_are_noticed(path: Path) -> None:
    change(str(path), "DROP TRIGGER prediction_no_delete", "DELETE FROM prediction")
    with Warehouse(path, readonly=True) as warehouse:
        for call in (lambda: warehouse.kept_trials(DESIGN), warehouse.predictions, warehouse.trials):
            with pytest.raises(DamageError, match="predictions of trial 5"):
                call()


HOSTILE = {
    "a view": (["ALTER TABLE trial RENAME TO hidden", "CREATE VIEW trial AS SELECT * FROM hidden"], "is not a podium"),
    "a virtual table": (
        ["CREATE VIRTUAL TABLE other USING fts5(x)"],
        "it has the table 'other', which podium did not make",
    ),
    "a trigger": (
        ["CREATE TRIGGER evil AFTER INSERT ON trial BEGIN DELETE FROM meta; END"],
        "it has the trigger 'evil', which podium did not make",
    ),
    "an index": (
        ["CREATE INDEX other ON trial (id) WHERE id > 5"],
        "it has the index 'other', which podium did not make",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_schema_is_refused(case: str, path: Path) -> None:
    statements, message = HOSTILE[case]
    change(str(path), *statements)
    for readonly in (True, False):
        with pytest.raises(InputError) as caught:
            Warehouse(path, readonly=readonly)
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"datasets": ["a"], "algorithms": ["b"], "replications": 1000000000, "measures": []}',
            "more than 100,000,000",
        ),
        ('"' + "x" * MOST + '"', "does not match its checksum"),  # it is not read
    ],
)
def test_a_hostile_design_is_refused(text: str, message: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (document, rows):
        monkeypatch.setattr(module, "MAX_CHARACTERS", MOST)
    row = (3, 1.0, "f", text, 0)
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("INSERT INTO design VALUES (?, ?, ?, ?, ?, ?)", (*row, row_checksum(*row)))
    with Warehouse(path, readonly=True) as warehouse:
        for read in (warehouse.results, warehouse.status):
            with pytest.raises(PodiumError, match=message):
                read()


def test_a_number_of_a_label_out_of_range_takes_no_memory(path: Path) -> None:
    row = (10**15, "dataset", "huge", "")
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("INSERT INTO label VALUES (?, ?, ?, ?, ?)", (*row, row_checksum(*row)))
    with Warehouse(path, readonly=True) as warehouse:
        with pytest.raises(DamageError, match="0000000000"):
            warehouse.results()
        assert len(list(warehouse.records())) == 12


def test_endless_compressed_zeros_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predictions, "MAX_PREDICTION_BYTES", 2**20)
    with pytest.raises(ExecutionError, match="damaged"):
        predictions.decode(b"11" + zlib.compress(b"\0" * 2**24))


def test_odd_files_get_plain_errors(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    (tmp_path / "encrypted.db").write_bytes(bytes(random.Random(0).randrange(256) for _ in range(8192)))
    (tmp_path / "loop.db").symlink_to(tmp_path / "loop.db")
    for name in ("empty.db", "encrypted.db", "loop.db", "."):
        with pytest.raises(InputError):
            Warehouse(tmp_path / name, readonly=True)
    for device in ("/dev/null", "/dev/zero"):
        with pytest.raises(InputError, match="is not a file but a device"):
            Warehouse(device)
    with Warehouse(tmp_path / "empty.db") as warehouse:  # made by `touch`: a new warehouse
        warehouse.append([trial("iris", 1, "svm")])
