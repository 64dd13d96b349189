"""Damaged and hostile files: nothing is silently misread, nothing crashes, and what is intact can be saved."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import random
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_trials import DESIGN, broken, everything, trial
from test_migration import make_old

import podium
from podium.cli import main
from podium.errors import DamageError, InputError, PodiumError, StorageError
from podium.warehouse import Status, Warehouse, document, integrity, repair, rows, salvage
from podium.warehouse.checksum import row_checksum

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


def make(path: Path) -> None:
    path.write_bytes(intact())


@functools.cache
def intact() -> bytes:
    """The file of a warehouse."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "intact.db"))
        return Path(folder, "intact.db").read_bytes()


def write(path: Path) -> None:
    records = everything()
    records[3] = broken("iris", 2, "knn", "failed", warnings=("a", "b"))
    records[4] = dataclasses.replace(records[4], kept=b"12345")
    with Warehouse(path) as warehouse:
        warehouse.set_design({**DESIGN, "replications": 2}, "e")
        warehouse.set_design(DESIGN, "f")
        warehouse.append(records)


def test_no_flipped_bit_is_read_wrong(tmp_path: Path) -> None:
    make(tmp_path / "intact.db")
    content = (tmp_path / "intact.db").read_bytes()
    used = [place for place, byte in enumerate(content) if byte]
    with Warehouse(tmp_path / "intact.db", readonly=True) as warehouse:
        truth = [read(warehouse) for read in READS]
    damaged = tmp_path / "damaged.db"
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
        if number % 10 == 0:
            _check_repair(damaged, tmp_path / f"{number}.db", truth[0])
    assert all(outcomes.values()), outcomes


def _check_repair(damaged: Path, target: Path, truth: str) -> None:
    try:
        outcome = repair(damaged, target)
    except PodiumError:
        assert not target.exists()
        return
    with Warehouse(target, readonly=True) as warehouse:
        assert warehouse.check() == ()
        kept = [repr(record) for record in warehouse.records()]
        assert len(kept) == outcome.attempts
        assert outcome.given_up or all(record in truth for record in kept)
        assert outcome.given_up or len(kept) == 12


def test_a_repair_finds_trials_beside_a_number_out_of_order(tmp_path: Path) -> None:
    """A search by number ends at one that is too large, before the trials after it."""
    make(tmp_path / "one.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "one.db")) as raw:
        (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trial'").fetchone()
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    content = bytearray((tmp_path / "one.db").read_bytes())
    begin = (page - 1) * size  # a page has 8 bytes about itself, then two for the place of each row
    place = begin + int.from_bytes(content[begin + 14 : begin + 16])  # of the fourth row, which begins with its length
    while content[place] & 0x80:
        place += 1
    assert content[place + 1] == 4
    content[place + 1] = 68
    (tmp_path / "one.db").write_bytes(content)
    outcome = repair(tmp_path / "one.db", tmp_path / "new.db")
    assert outcome.attempts == 11
    assert [str(item) for item in outcome.given_up] == [
        "row 68 of table trial does not match its checksum",
        "rows 4 to 4 of table trial cannot be read",
    ]


@functools.cache
def large() -> bytes:
    """The file of a warehouse whose trials take several pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.db")
        with Warehouse(path) as warehouse, warehouse.claimed():
            warehouse.append([trial("iris", b, "knn") for b in range(1, 301)])
        return path.read_bytes()


def number_at(content: bytes, place: int, size: int) -> int:
    return int.from_bytes(content[place : place + size])


def places_of_damage(content: bytes, folder: Path) -> dict[str, tuple[int, int]]:
    """Bytes of the tree of trials, and what is written there; see "The SQLite Database File Format"."""
    (folder / "large.db").write_bytes(content)
    with contextlib.closing(sqlite3.connect(folder / "large.db")) as raw:
        root, host = (
            (page - 1) * number_at(content, 16, 2)
            for name in ("trial", "host")
            for (page,) in raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,))
        )
    assert content[root] == 5  # it is not a leaf
    cells = [root + number_at(content, root + 12 + 2 * i, 2) for i in range(number_at(content, root + 3, 2))]
    leaf = (number_at(content, cells[1], 4) - 1) * number_at(content, 16, 2)
    return {
        "fewer rows in a leaf": (leaf + 4, content[leaf + 4] - 1),
        "another place of a row": (leaf + 19, content[leaf + 19] ^ 128),
        "another first separator": (cells[0] + 4, 0),
        "another last separator": (cells[-1] + 4, content[cells[-1] + 4] ^ 8),
        "one leaf twice": (cells[0] + 3, content[cells[1] + 3]),
        "fewer leaves": (root + 4, content[root + 4] ^ 2),
        "no hosts": (host + 4, 0),
    }


PLACES = (
    "fewer rows in a leaf",
    "another place of a row",
    "another first separator",
    "another last separator",
    "one leaf twice",
    "fewer leaves",
    "no hosts",
)


@pytest.mark.parametrize("name", PLACES)
def test_a_repair_ends_and_reports_what_a_damaged_tree_hides(name: str, tmp_path: Path) -> None:
    content = bytearray(large())
    place, written = places_of_damage(large(), tmp_path)[name]
    assert content[place] != written
    content[place] = written
    (tmp_path / "bad.db").write_bytes(content)
    with Warehouse(tmp_path / "bad.db", readonly=True) as warehouse:
        assert warehouse.check()
    outcome = repair(tmp_path / "bad.db", tmp_path / "new.db")
    with Warehouse(tmp_path / "new.db", readonly=True) as warehouse:
        trials = warehouse.trials(every_attempt=True)
    assert not trials["replication"].duplicated().any()
    gone = {
        number
        for item in outcome.given_up
        if (item.table, item.kind) == ("trial", "unreadable")
        for number in range(item.row, item.found + 1)  # type: ignore[arg-type, operator]
    }
    assert gone == set(range(1, 301)) - set(trials["replication"])
    assert bool(outcome.given_up) == (bool(gone) or name == "no hosts")
    assert len(gone) <= 150


def test_a_truncated_file_is_an_error_or_found(tmp_path: Path) -> None:
    make(tmp_path / "intact.db")
    content = (tmp_path / "intact.db").read_bytes()
    with Warehouse(tmp_path / "intact.db", readonly=True) as warehouse:
        truth = repr(list(warehouse.records()))
    for size in range(0, len(content), 4096):
        path = tmp_path / f"{size}.db"
        path.write_bytes(content[:size])
        try:
            with Warehouse(path, readonly=True) as warehouse:
                assert warehouse.check()
        except (InputError, DamageError):
            pass
        new = tmp_path / f"new {size}.db"
        try:
            given_up = repair(path, new).given_up
            with Warehouse(new, readonly=True) as warehouse:
                assert given_up or repr(list(warehouse.records())) == truth
        except (InputError, DamageError) as error:
            assert "repair` copies" not in str(error)  # that is what was tried
            assert not new.exists()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_an_old_damaged_warehouse_is_repaired(version: int, tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    make_old(str(old), version)
    with contextlib.closing(sqlite3.connect(old)) as raw, raw:
        raw.execute("UPDATE trial SET dataset = 99 WHERE id = 1")
        raw.execute("UPDATE trouble SET warnings = 'no JSON'")
    raw.close()
    outcome = repair(old, tmp_path / "new.db")
    assert outcome.attempts == 0
    assert [item.row for item in outcome.given_up] == [1, 2]
    with contextlib.closing(sqlite3.connect(old)) as raw, raw:
        raw.execute("UPDATE trouble SET warnings = '[]'")
    raw.close()
    assert repair(old, tmp_path / "second.db").attempts == 1
    with Warehouse(tmp_path / "second.db", readonly=True) as warehouse:
        assert warehouse.results().values[0, 0, 1, 0] == 0.75


def test_a_repair_keeps_what_is_intact_and_reports_what_was_lost(tmp_path: Path) -> None:
    make(tmp_path / "one.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "one.db")) as raw, raw:
        for table in ("trial", "trouble", "prediction"):
            raw.execute(f"DROP TRIGGER {table}_no_update")
        raw.execute("UPDATE trial SET replication = 2 WHERE id = 1")
        raw.execute("UPDATE trouble SET message = 'another'")
        raw.execute("UPDATE prediction SET content = x'00'")
    raw.close()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse, pytest.raises(DamageError) as caught:
        warehouse.results()
    assert "trial 1 does not match its checksum. `podium warehouse check` lists all damage" in str(caught.value)
    outcome = repair(tmp_path / "one.db", tmp_path / "new.db")
    assert (outcome.attempts, outcome.designs) == (11, 2)
    assert [str(item) for item in outcome.given_up] == [
        "row 4 of table trouble does not match its checksum",
        "row 5 of table prediction does not match its checksum",
        "row 1 of table trial does not match its checksum",
        "trial 4 has lost its row of table trouble",
        "trial 5 has lost its row of table prediction",
    ]
    with Warehouse(tmp_path / "new.db", readonly=True) as warehouse:
        assert np.isnan(warehouse.results().values[0, 0, 0, 0])
        assert warehouse.failures()["message"].tolist() == ["[the message was lost when the warehouse was damaged]"]
    with pytest.raises(InputError, match="already exists"):
        repair(tmp_path / "one.db", tmp_path / "new.db")


def test_trials_without_a_design_are_not_called_an_empty_warehouse(tmp_path: Path) -> None:
    make(tmp_path / "one.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "one.db")) as raw, raw:
        raw.execute("DROP TABLE design")
    raw.close()
    new = tmp_path / "new.db"
    assert repair(tmp_path / "one.db", new).designs == 0
    with Warehouse(new) as warehouse:
        counts = warehouse.counts()
        found = ", ".join(f"{n} {status}" for status, n in counts.items())
        for read in (warehouse.status, warehouse.results, lambda: podium.characterize(warehouse)):
            with pytest.raises(InputError) as caught:
                read()
            assert str(caught.value) == (
                f"The warehouse {str(new)!r} has {sum(counts.values())} trials ({found}) but no design, so it does not "
                "say which experiment they belong to. Run the experiment with this warehouse: its design is recorded, "
                "and trials that are already here are not run again."
            )
        warehouse.set_design(DESIGN, "f")  # as a run does
        assert warehouse.status().counts["done"] == counts["done"]


HOSTILE = {
    "a view": ("ALTER TABLE trial RENAME TO hidden; CREATE VIEW trial AS SELECT * FROM hidden", "is not a podium"),
    "another view": ("CREATE VIEW other AS SELECT 1", "it has the view 'other'"),
    "a virtual table": ("CREATE VIRTUAL TABLE other USING fts5(x)", "it has the virtual table 'other'"),
    "a trigger": (
        "CREATE TRIGGER evil AFTER INSERT ON trial BEGIN DELETE FROM meta; END",
        "it has the trigger 'evil', which podium did not make",
    ),
    "an index": (
        "CREATE INDEX other ON trial (id) WHERE id > 5",
        "it has the index 'other', which podium did not make",
    ),
    "version 0": ("UPDATE meta SET value = '0'", "its schema has the unknown version '0'"),
    "no version": ("DELETE FROM meta", "its schema has the unknown version"),
    "version text": ("UPDATE meta SET value = 'four'", "its schema has the unknown version 'four'"),
    "a lost column": ("ALTER TABLE trouble DROP COLUMN undefined", "the table 'trouble' differs in its columns"),
    "a generated column": (
        "ALTER TABLE host ADD COLUMN x AS (zeroblob(1000000000))",
        "the table 'host' differs in its columns 'x (generated)'",
    ),
}


@pytest.mark.parametrize("case", HOSTILE)
@pytest.mark.parametrize("readonly", [True, False])
def test_a_hostile_schema_is_refused(case: str, readonly: bool, tmp_path: Path) -> None:
    statements, message = HOSTILE[case]
    make(tmp_path / "one.db")
    raw = sqlite3.connect(tmp_path / "one.db")
    raw.executescript(statements)
    raw.close()
    with pytest.raises(InputError) as caught:
        Warehouse(tmp_path / "one.db", readonly=readonly)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"datasets": ["a"], "algorithms": ["b"], "replications": 1000000000, "measures": []}',
            "more than 100,000,000",
        ),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"datasets": [1], "algorithms": ["b"], "replications": 1, "measures": []}', "must be a list of names"),
        ('{"datasets": ["a"], "algorithms": ["b"], "replications": ' + "9" * 5000 + ', "measures": []}', "digits"),
        ('"' + "x" * MOST + '"', "262,146 characters; at most 262,144 are read"),
        ("no JSON", "Expecting value"),
    ],
)
def test_a_hostile_design_is_refused(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (document, rows):
        monkeypatch.setattr(module, "MOST_CHARACTERS", MOST)
    make(tmp_path / "one.db")
    raw = sqlite3.connect(tmp_path / "one.db")
    row = (3, 1.0, "f", text, 0)
    raw.execute("INSERT INTO design VALUES (?, ?, ?, ?, ?, ?)", (*row, row_checksum(*row)))
    raw.commit()
    raw.close()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:
        for read in (warehouse.results, warehouse.status):
            with pytest.raises(PodiumError):
                read()
        (found, *_) = warehouse.check()
        assert (found.kind, found.table, found.row) in (("document", "design", 3), ("type", "design", 3))
        if found.kind == "document":
            assert message in str(found.found)
    outcome = repair(tmp_path / "one.db", tmp_path / "new.db")
    assert (outcome.attempts, outcome.designs) == (12, 2)


def test_numbers_of_labels_out_of_range_are_refused(tmp_path: Path) -> None:
    make(tmp_path / "one.db")
    raw = sqlite3.connect(tmp_path / "one.db")
    row = (10**15, "dataset", "huge", "")
    raw.execute("INSERT INTO label VALUES (?, ?, ?, ?, ?)", (*row, row_checksum(*row)))
    raw.commit()
    raw.close()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse, pytest.raises(DamageError, match="0000000000"):
        warehouse.results()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:
        assert warehouse.check() == ()  # numbers far apart take no time
        assert len(list(warehouse.records())) == 12


CHANGES = {  # a field of a trial, and which calls read it
    "dataset = dataset + 1": True,
    "replication = replication + 1": True,
    "algorithm = algorithm + 1": True,
    "status = 2": True,
    "measure_set = NULL": True,
    "attached = 3": True,
    "guard = guard + 1": True,
    "numbers = x'00'": False,
    "seed = seed + 1": False,
    "fit_seconds = 7": False,
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_field_is_verified_where_it_is_read(change: str, tmp_path: Path) -> None:
    make(tmp_path / "one.db")
    raw = sqlite3.connect(tmp_path / "one.db")
    raw.execute("DROP TRIGGER trial_no_update")
    raw.execute(f"UPDATE trial SET {change} WHERE id = 3")
    raw.commit()
    raw.close()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:
        counting = (warehouse.status, warehouse.counts, warehouse.status_codes, warehouse.history)
        reading = (warehouse.results, warehouse.trials, lambda: list(warehouse.records()))
        if not CHANGES[change]:
            assert [call() is None for call in counting] == [False] * 4  # none of them reads the field
        for call in (*(counting if CHANGES[change] else ()), *(reading if "guard" not in change else ())):
            with pytest.raises(DamageError, match="trial 3 does not match its checksum"):
                call()
        assert ("checksum", 3) in {(damage.kind, damage.row) for damage in warehouse.check()}


def change_schema(path: Path, sql: str, *parameters: object) -> None:
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA writable_schema = ON")
    raw.execute(sql, parameters)
    raw.commit()
    raw.close()


DEFINITIONS = {"misspelt": "CREATE TABEL host (id", "gone": None, "not text": "CAST(x'43ff' AS TEXT)"}


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("table", ["host", "trial"])
def test_a_damaged_definition_of_a_table_is_damage_with_a_way_out(
    table: str, definition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(path := tmp_path / "one.db")
    text = DEFINITIONS[definition]
    value, given = (text, []) if definition == "not text" else ("?", [text])
    change_schema(path, f"UPDATE sqlite_master SET sql = {value} WHERE type = 'table' AND name = ?", *given, table)
    unreadable = (
        f"The warehouse {str(path)!r} is damaged: the definitions of its tables cannot be read. `podium warehouse repair` "
        "copies what is intact into a new warehouse."
    )
    with pytest.raises(DamageError) as caught:
        Warehouse(path)
    assert str(caught.value) == unreadable
    assert main(["warehouse", "check", str(path)]) == 1
    assert capsys.readouterr().out == f"{unreadable}\n"
    if table == "host":
        repaired = repair(path, tmp_path / "new.db")
        assert repaired.attempts == len(everything())
        assert [str(item) for item in repaired.given_up] == ["the definition of table host cannot be read"]
        return
    with pytest.raises(DamageError) as caught:
        repair(path, tmp_path / "new.db")
    assert str(caught.value) == (
        f"{str(path)!r} is too damaged to be repaired: the definition of its table of trials cannot be read. Use a copy "
        "of the file, or run the experiment again with a new warehouse."
    )
    assert not (tmp_path / "new.db").exists()


def test_rows_that_cannot_be_read_are_those_that_were_there(tmp_path: Path) -> None:
    make(path := tmp_path / "one.db")
    change_schema(path, "UPDATE sqlite_master SET rootpage = 9999 WHERE type = 'table' AND name = 'host'")
    repaired = repair(path, tmp_path / "new.db")
    assert [str(item) for item in repaired.given_up] == ["rows 1 to 1 of table host cannot be read"]


@pytest.mark.parametrize("table", ["host", "meta"])
def test_a_check_lists_rows_that_were_there_and_ends_with_the_way_out(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(path := tmp_path / "one.db")
    raw = sqlite3.connect(path)
    page = raw.execute("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()[0]
    size = raw.execute("PRAGMA page_size").fetchone()[0]
    raw.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    assert main(["warehouse", "check", str(path)]) == 1
    printed = capsys.readouterr().out
    way_out = "`podium warehouse repair` copies what is intact into a new warehouse."
    if table == "meta":  # nothing can be checked without it
        reported = "the database reports: database disk image is malformed"
        assert printed == f"The warehouse {str(path)!r} is damaged: {reported}. {way_out}\n"
        return
    assert printed.splitlines() == [
        f"{path}: the database is damaged: database disk image is malformed",
        f"{path}: rows 1 to 1 of table host cannot be read",
        way_out,
    ]


def test_a_large_part_that_cannot_be_read_is_reported_as_a_whole() -> None:
    found = {3, 4, 2_000_000, 2_500_000}
    ranges = [(5, 2_400_000), (1, 4), (2_500_000, 2_500_001), (9, 9)]
    expected = [(1, 2), (5, 1_999_999), (2_000_001, 2_400_000), (2_500_001, 2_500_001)]
    assert salvage._without(ranges, found) == expected
    assert salvage._without([], found) == []


def test_a_check_says_what_cannot_be_read_where_the_index_is_damaged_as_well(tmp_path: Path) -> None:
    make(path := tmp_path / "one.db")
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        pages = dict(raw.execute("SELECT name, rootpage FROM sqlite_master"))
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    raw.close()
    content = bytearray(path.read_bytes())
    empty = bytes([10, 0, 0, 0, 0, size >> 8 & 255, size & 255, 0])  # a page of an index without any row
    for name, page in (("trial", b""), ("trial_key", empty)):
        content[(pages[name] - 1) * size : pages[name] * size] = page.ljust(size, b"\0")
    path.write_bytes(content)
    with Warehouse(path, readonly=True) as warehouse:
        found = warehouse.check()
    assert [(item.table, item.row) for item in found if item.kind == "unreadable"] == [("trial", 1)]


def test_a_part_that_cannot_be_checked_is_not_called_damage_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(database: Any) -> Any:
        raise StorageError("The database of the warehouse 'one.db' reports: permission denied.")

    make(path := tmp_path / "one.db")
    monkeypatch.setattr(integrity, "_of_guards", refused)
    with Warehouse(path, readonly=True) as warehouse:
        found = [str(item) for item in warehouse.check()]
    assert found == ["part of the check failed: The database of the warehouse 'one.db' reports: permission denied."]


@pytest.mark.parametrize("version", [3, 6])
def test_a_row_of_another_type_is_called_that_whether_rows_have_checksums_or_not(version: int, tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    make(path) if version == 6 else make_old(str(path), version)
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP TRIGGER IF EXISTS trouble_no_update")
        raw.execute("UPDATE trouble SET message = x'6e6f'")
    raw.close()
    lost = [str(item) for item in repair(path, tmp_path / "new.db").given_up if item.table == "trouble"]
    assert lost and all(line.endswith("of table trouble has b'no' where text is expected") for line in lost)


@pytest.mark.parametrize("table", ["prediction", "trouble"])
def test_a_repair_keeps_what_belongs_to_a_trial_if_only_the_index_is_damaged(table: str, tmp_path: Path) -> None:
    make(path := tmp_path / "one.db")
    with Warehouse(path, readonly=True) as warehouse:
        truth = repr(list(warehouse.records()))
    raw = sqlite3.connect(path)
    sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
    (page,) = raw.execute(sql, [f"sqlite_autoindex_{table}_1"]).fetchone()
    (size,) = raw.execute("PRAGMA page_size").fetchone()
    raw.close()
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(content)
    repaired = repair(path, tmp_path / "new.db")
    assert repaired.given_up == ()
    with Warehouse(tmp_path / "new.db", readonly=True) as warehouse:
        assert repr(list(warehouse.records())) == truth
        assert warehouse.check() == ()


def test_lost_predictions_are_noticed(tmp_path: Path) -> None:
    make(tmp_path / "one.db")
    raw = sqlite3.connect(tmp_path / "one.db")
    raw.execute("DROP TRIGGER prediction_no_delete")
    raw.execute("DELETE FROM prediction")
    raw.commit()
    raw.close()
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:
        for call in (lambda: warehouse.kept_trials(DESIGN), warehouse.predictions, warehouse.trials):
            with pytest.raises(DamageError, match="predictions of trial 5"):
                call()


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


def test_infinite_values_of_earlier_versions_are_undefined(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    make_old(str(path), 2)
    with contextlib.closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE trial SET numbers = ? WHERE id = 1", (np.array([np.inf, 2.0], "<f8").tobytes(),))
    raw.close()
    with Warehouse(path) as warehouse:
        assert np.isnan(warehouse.results().values[0, 0, 0, 0])
        assert warehouse.results().values[0, 0, 0, 1] == 2.0
        record = next(warehouse.records())
        assert record.undefined == {"accuracy": "its value is infinite"}
        assert [str(item) for item in warehouse.check()] == [
            "trial 1 has an infinite value of 'accuracy', which counts as undefined"
        ]
        assert warehouse.status().counts["done"] == 2  # it is not run again


def test_endless_compressed_zeros_are_refused() -> None:
    import zlib

    from podium.errors import ExecutionError
    from podium.warehouse import predictions

    with pytest.MonkeyPatch.context() as patch, pytest.raises(ExecutionError, match="damaged"):
        patch.setattr(predictions, "_MOST_BYTES", 2**20)
        predictions.decode(b"11" + zlib.compress(b"\0" * 2**24))
