"""What only concerns SQLite files: foreign files, versions, damage, no code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from made_trials import change, everything

import podium.store
from podium.errors import InputError
from podium.store import Warehouse


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    change(str(path), "CREATE TABLE something (x)")
    with pytest.raises(InputError) as caught:
        Warehouse(path)
    assert str(caught.value) == f"{str(path)!r} is not a podium warehouse."


def test_a_text_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("These are notes, and they are long enough not to be taken for an empty file. " * 20)
    with pytest.raises(InputError) as caught:
        Warehouse(path)
    assert str(caught.value) == "'notes.db' cannot be opened as a warehouse: file is not a database."


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = '99'",
        "UPDATE meta SET value = 'four'",
        "DELETE FROM meta",
        "ALTER TABLE trouble DROP COLUMN undefined",
        "DROP TABLE decision",
        "ALTER TABLE host ADD COLUMN x AS (zeroblob(1000000000))",
    ],
)
def test_another_schema_is_refused_with_the_way_to_move(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    Warehouse(path).close()
    change(str(path), statement)
    content = path.read_bytes()
    for readonly in (True, False):
        with pytest.raises(InputError) as caught:
            Warehouse(path, readonly=readonly)
        assert str(caught.value) == (
            f"The warehouse {str(path)!r} has another schema than this version of podium: export it with the version that "
            "made it (`podium warehouse export`), and import that file here (`podium warehouse import`)."
        )
    assert path.read_bytes() == content


def test_a_missing_warehouse_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with pytest.raises(InputError) as caught:
        Warehouse(path, readonly=True)
    assert str(caught.value) == f"There is no warehouse {str(path)!r}."
    assert not path.exists()


def test_reading_leaves_no_files_behind(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as warehouse:
        warehouse.append(everything())
        assert repr(warehouse) == f"Warehouse {str(tmp_path / 'one.db')!r}: 12 done"
    with Warehouse(tmp_path / "one.db", readonly=True) as warehouse:
        assert len(list(warehouse.records())) == 12
        with pytest.raises(InputError) as caught:
            warehouse.append(everything()[:1])
    assert str(caught.value) == (
        f"The warehouse {str(tmp_path / 'one.db')!r} was opened for reading; open it without readonly=True to write."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["one.db"]


def test_reading_a_warehouse_imports_nothing_that_executes() -> None:
    folder = Path(podium.store.__file__).parent
    for path in folder.glob("*.py"):
        names = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert not names & {"pickle", "cloudpickle", "marshal", "shelve", "joblib"}, path.name
