"""No wrong argument of a warehouse, and no wrong file, ends in an error from deep inside."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_trials import DESIGN, everything

import podium
from podium.errors import InputError, PodiumError
from podium.warehouse import TrialRecord, Warehouse

WRONG = [None, 2.5, -1, True, "nonsense", b"bytes", ["nonsense", 3], {"a": 1}, object(), dict, len]


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    monkeypatch.chdir(tmp_path)
    with Warehouse("full.db") as full:
        full.set_design(DESIGN, "f")
        full.append(everything())
        yield full


@pytest.mark.parametrize(
    ("call", "right"),
    [
        (lambda _, value: Warehouse(value), ["nonsense"]),
        (lambda _, value: Warehouse("new.db", readonly=value), [True]),
        (lambda full, value: full.merge(value), []),
        (lambda full, value: full.export_trials(value), []),
        (lambda full, value: full.import_trials(value), []),
        (lambda full, value: full.trials(value), [None]),
        (lambda full, value: full.trials(every_attempt=value), [True]),
        (lambda full, value: list(full.records(every_attempt=value)), [True]),
        (lambda full, value: full.append(value), []),
        (lambda full, value: full.append([value]), []),
        (lambda full, value: full.set_design(value, "f"), []),
        (lambda full, value: full.status_codes(value), [None]),
        (lambda full, value: full.predictions(value), []),
        (lambda full, value: full.parameters(replication=value), []),
        (lambda full, value: full.kept_trials(value), []),
        (lambda full, value: full.kept([value]), []),
    ],
    ids=[
        "where",
        "readonly",
        "merge",
        "export",
        "import",
        "status",
        "every_attempt",
        "records",
        "append",
        "record",
        "design",
        "codes",
        "predictions",
        "parameters",
        "kept trials",
        "kept",
    ],
)
def test_a_wrong_argument_is_explained(
    warehouse: Warehouse, call: Callable[[Warehouse, Any], Any], right: list[Any]
) -> None:
    for value in WRONG:
        if not any(value is one or value == one for one in right):
            with pytest.raises(PodiumError):
                call(warehouse, value)
            assert warehouse.counts() == {"done": 12}, value


def test_a_closed_warehouse_says_so(tmp_path: Path) -> None:
    closed = Warehouse(tmp_path / "one.db")
    closed.close()
    for call in (
        closed.results,
        closed.status,
        closed.check,
        closed.counts,
        closed.trials,
        closed.predictions,
        lambda: closed.append(everything()),
        lambda: closed.design,
        lambda: closed.export_trials("trials.csv"),
    ):
        with pytest.raises(InputError, match=r"one\.db' is closed\. Open it again: podium\.Warehouse\("):
            call()
    assert repr(closed) == f"Warehouse {str(tmp_path / 'one.db')!r}: closed"


def test_the_way_to_a_warehouse_is_named(warehouse: Warehouse) -> None:
    with pytest.raises(InputError) as caught:
        warehouse.merge("two.db")  # type: ignore[arg-type]
    assert str(caught.value) == ("`source` must be a Warehouse; got 'two.db'. Open it: podium.Warehouse('two.db').")


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (5, "`where` must be a file or a postgresql:// URL; got an int."),
        ("mysql://somewhere", "`where` must be a file or a postgresql:// URL; got 'mysql://somewhere'."),
        ("here", "'here' is a folder; name a file in it, such as 'here/experiment.db'."),
        ("there/one.db", "The folder of the warehouse 'there/one.db' does not exist; create it first."),
        ("a\0b.db", "'a\\x00b.db' cannot be the name of a file: "),
    ],
)
def test_a_place_that_cannot_hold_a_warehouse_is_explained(
    where: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    with pytest.raises(InputError) as caught:
        Warehouse(where)
    assert str(caught.value).startswith(message)


def test_a_damaged_file_is_explained(warehouse: Warehouse) -> None:
    warehouse.append(everything() * 200)
    warehouse.close()
    content = Path("full.db").read_bytes()
    Path("full.db").write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(PodiumError, match=r"full\.db"):
        Warehouse("full.db").results()


def exported(warehouse: Warehouse) -> list[str]:
    return warehouse.export_trials("trials.csv").read_text().splitlines()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [], r"'trials.csv' cannot be read: .*No columns to parse from file"),
        (lambda lines: ["a,b", "1,2"], r"is not a table of exported trials: it has no column 'dataset', 'replication'"),
        (
            lambda lines: [lines[0], lines[1].replace("done", "fine")],
            r"Row 1 of 'trials.csv' is not an exported trial: ",
        ),
        (
            lambda lines: [lines[0], lines[1].replace("100", "many")],
            r"Row 1 of 'trials.csv' is not an exported trial: ",
        ),
    ],
    ids=["empty", "other table", "status", "number"],
)
def test_a_wrong_file_of_trials_is_explained(
    warehouse: Warehouse, damage: Callable[[list[str]], list[str]], message: str
) -> None:
    Path("trials.csv").write_text("\n".join(damage(exported(warehouse))))
    with Warehouse("new.db") as new:
        with pytest.raises(InputError, match=message):
            new.import_trials("trials.csv")
        assert new.design is None


@pytest.mark.parametrize("text", ["", "[1]", "{"])
def test_a_wrong_design_beside_a_file_of_trials_is_explained(warehouse: Warehouse, text: str) -> None:
    exported(warehouse)
    Path("trials.design.json").write_text(text)
    with Warehouse("new.db") as new, pytest.raises(InputError, match=r"trials\.design\.json"):
        new.import_trials("trials.csv")


def test_a_table_of_scores_is_not_a_table_of_trials(warehouse: Warehouse) -> None:
    warehouse.results().write("long.csv")
    with Warehouse("new.db") as new, pytest.raises(InputError) as caught:
        new.import_trials("long.csv")
    assert str(caught.value).startswith("`path`: 'long.csv' is not a table of exported trials: it has no column ")
    assert str(caught.value).endswith(" podium.read reads tables of scores.")


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(TrialRecord)])
def test_a_record_with_a_wrong_field_is_refused(field: str) -> None:
    right = everything()[0]
    for value in (None, object(), {"a": "b", 1: 2}, [1], b"x", float, 1 + 2j):
        if field != "kept" or not isinstance(value, bytes):
            with pytest.raises(InputError, match=f"`{field}` must be"):
                dataclasses.replace(right, **{field: value})


@pytest.mark.parametrize("value", [np.array(0.5), np.array("failed"), np.array(None)], ids=["number", "text", "object"])
def test_an_array_without_axes_is_not_a_status(warehouse: Warehouse, value: Any) -> None:
    experiment = podium.Experiment("iris", ["lda"], podium.Bootstrap(replications=1), "accuracy")
    for call in (
        lambda: warehouse.trials(value),
        lambda: podium.preview(experiment, retry=value),
        lambda: podium.preview(experiment, accept=value),
    ):
        with pytest.raises(InputError, match=r"`(status|retry|accept)` must be"):
            call()


def test_files_that_cannot_be_read_or_written_are_explained(warehouse: Warehouse) -> None:
    Path("folder.csv").mkdir()
    Path("empty.parquet").touch()
    Path("empty.design.json").write_text(json.dumps({"designs": []}))
    with Warehouse("new.db") as new:
        for call, message in [
            (lambda: new.import_trials("none.csv"), "`path`: 'none.csv' cannot be read: there is no such file."),
            (
                lambda: new.import_trials("folder.csv"),
                "`path`: 'folder.csv' cannot be read: it is a folder; name a file.",
            ),
            (lambda: new.import_trials("empty.parquet"), "'empty.parquet' cannot be read: "),
            (
                lambda: warehouse.export_trials("folder.csv"),
                "`path`: 'folder.csv' cannot be written: it is a folder; name a file.",
            ),
            (lambda: warehouse.export_trials("a/b.csv"), "`path`: 'a/b.csv' cannot be written: "),
            (lambda: warehouse.export_trials("trials.xls"), "`path` must end in .csv or .parquet; got 'trials.xls'."),
        ]:
            with pytest.raises(InputError) as caught:
                call()
            assert str(caught.value).startswith(message)


def test_an_experiment_is_not_run_into_a_warehouse_for_reading(warehouse: Warehouse) -> None:
    experiment = podium.Experiment("iris", "constant", podium.HoldOut(), "accuracy")
    with Warehouse("full.db", readonly=True) as reader, pytest.raises(InputError, match="was opened for reading"):
        podium.run(experiment, reader, executor="threads", workers=1)
