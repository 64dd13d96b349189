"""A wrong argument of a warehouse, or a wrong file, ends in an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_trials import DESIGN, everything

import podium
from podium.errors import InputError, LabelError
from podium.store import Warehouse


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    monkeypatch.chdir(tmp_path)
    with Warehouse("full.db") as full:
        full.set_design(DESIGN, "f")
        full.append(everything())
        yield full


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: Warehouse(5), "`where` must be a file or a postgresql:// URL; got an int"),  # type: ignore[arg-type]
        (lambda _: Warehouse("mysql://somewhere"), "`where` must be a file or a postgresql:// URL"),
        (lambda _: Warehouse("."), "'.' is a folder; name a file in it"),
        (lambda _: Warehouse("there/one.db"), "The folder of the warehouse 'there/one.db' does not exist"),
        (lambda _: Warehouse("a\0b.db"), "cannot be the name of a file"),
        (lambda full: full.merge("two.db"), r"got 'two.db'. Open it: podium.Warehouse\('two.db'\)"),
        (lambda full: full.append(3), "`records` must be a sequence of TrialRecord"),
        (lambda full: full.set_design({"a": 1}, "f"), "`document` must be the mapping of a design: it lacks"),
        (lambda full: full.trials("broken"), "`status` must be one of 'done'"),
        (lambda full: full.results(design=2), r"`design` must be a number of `history\(\)`, from 1 to 1; got 2"),
        (lambda full: full.import_trials("none.csv"), "is not empty"),
        (lambda full: full.export_trials("trials.xls"), "`path` must end in .csv or .parquet; got 'trials.xls'"),
        (lambda full: full.export_trials("a/b.csv"), "'a/b.csv' cannot be written"),
        (lambda full: full.predictions(), "none were kept"),
    ],
)
def test_a_wrong_argument_is_explained(warehouse: Warehouse, call: Callable[[Warehouse], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        call(warehouse)
    assert warehouse.counts() == {"done": 12}


def test_an_unknown_label_is_explained(warehouse: Warehouse) -> None:
    with pytest.raises(LabelError, match=r"`dataset` must be one of 'iris', 'wine'; got 'irs'. Did you mean 'iris'\?"):
        warehouse.predictions("irs")


def test_a_closed_warehouse_says_so(warehouse: Warehouse) -> None:
    warehouse.close()
    for call in (warehouse.results, warehouse.check, lambda: warehouse.append(everything())):
        with pytest.raises(InputError, match=r"full\.db' is closed\. Open it again: podium\.Warehouse\("):
            call()
    assert repr(warehouse) == "Warehouse 'full.db': closed"


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [], r"'trials.csv' cannot be read: .*No columns to parse from file"),
        (lambda lines: ["a,b", "1,2"], r"has no column 'dataset', 'replication'.*podium.read reads tables of scores"),
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
    path = warehouse.export_trials("trials.csv")
    path.write_text("\n".join(damage(path.read_text().splitlines())))
    with Warehouse("new.db") as new:
        with pytest.raises(InputError, match=message):
            new.import_trials("trials.csv")
        assert new.design is None


@pytest.mark.parametrize("text", ["", "[1]", "null"])
def test_a_wrong_design_beside_a_file_of_trials_is_explained(warehouse: Warehouse, text: str) -> None:
    warehouse.export_trials("trials.csv")
    Path("trials.design.json").write_text(text)
    with Warehouse("new.db") as new, pytest.raises(InputError, match=r"trials\.design\.json"):
        new.import_trials("trials.csv")


def test_an_experiment_is_not_run_into_a_warehouse_for_reading(warehouse: Warehouse) -> None:
    experiment = podium.Experiment("iris", "constant", podium.HoldOut(), "accuracy")
    with Warehouse("full.db", readonly=True) as reader, pytest.raises(InputError, match="was opened for reading"):
        podium.run(experiment, reader, executor="threads", workers=1)
