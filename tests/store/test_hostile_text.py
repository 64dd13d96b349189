"""What estimators raise may hold anything: it is cleaned before it is stored, shown or exported."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from made_trials import DESIGN, broken, everything, trial

from podium.errors import InputError
from podium.store import TrialKey, Warehouse
from podium.store.record import clean, printable, unmark
from podium.typesetting.plain import mark_formula

HOSTILE = [
    "half \ud800 of a pair",
    "NUL \0 inside",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202eright to left",
    "\r\n\r",
    "x" * 10**7,
]


def test_hostile_messages_are_stored_and_other_trials_with_them(where: str) -> None:
    records = [broken("iris", 1 + i % 3, "svm", "failed", message=text) for i, text in enumerate(HOSTILE)]
    records += [broken("iris", 1, "knn", "failed", traceback=text, warnings=(text,) * 200) for text in HOSTILE]
    records += [trial("wine", 1, "knn", undefined={"accuracy": text}, host=text) for text in HOSTILE]
    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append([*everything(), *records])
        assert warehouse.attempts == 12 + len(records)
        assert warehouse.check() == ()
        for record in warehouse.records():
            for text in (record.message, record.traceback, *record.warnings, *record.undefined.values(), record.host):
                assert text == clean(text, 200_000)
                assert len(text) < 101_000
            assert len(record.warnings) <= 101
        shown = str(warehouse.status())
        assert not set(shown) & set("\x1b\x00\x07\u202e\ud800")


def test_infinite_values_are_undefined_with_their_reason(where: str) -> None:
    odd = {"accuracy": float("inf"), "fit time": float("nan")}
    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append([trial("iris", 1, "svm", values=odd, fit_seconds=float("-inf"), started=float("inf"))])
        (record,) = warehouse.records()
        assert record.undefined == {"accuracy": "its value is infinite"}
        assert np.isnan(list(record.values.values())).all()
        assert np.isnan(record.fit_seconds)
        assert np.isnan(warehouse.results().values[0, 0, 0]).all()
        assert warehouse.check() == ()
        assert warehouse.counts() == {"done": 1}


def test_names_that_cannot_be_stored_are_refused_with_the_design(where: str) -> None:
    with Warehouse(where) as warehouse:
        for name in ("a\0b", "half \ud800"):
            with pytest.raises(InputError, match="has characters that cannot be stored"):
                warehouse.set_design({**DESIGN, "algorithms": [name]}, "f")


def test_a_table_of_trials_has_no_formulas(tmp_path: Path) -> None:
    formulas = ["=cmd|'/C calc'!A0", "+1+1", "-1+1", "@SUM(A1)", "'quoted", "\tTab", "plain"]
    records = [
        broken("iris", 1, "svm", "failed", message=text, error_type=text, traceback=text, warnings=(text,))
        for text in formulas
    ]
    design = {**DESIGN, "algorithms": ["=A1+1"]}
    with Warehouse(tmp_path / "one.db") as warehouse, Warehouse(tmp_path / "back.db") as back:
        warehouse.set_design(design, "f")
        warehouse.append([*records, trial("iris", 1, "svm", key=TrialKey("iris", 1, "=A1+1"), repeat=-1)])
        path = warehouse.export_trials(tmp_path / "trials.csv", machines=True)
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                for cell in row:
                    assert not cell.startswith(("=", "+", "@", "\t")), cell
                    assert not cell.startswith("-") or cell == "-1"
        back.import_trials(path)
        assert repr(list(back.records())) == repr(list(warehouse.records()))


@pytest.mark.parametrize("text", ["=1", "'", "''=", "plain", "", "\n", "a=b"])
def test_a_mark_is_removed_again(text: str) -> None:
    assert unmark(mark_formula(text)) == text


def test_a_name_is_one_line() -> None:
    assert printable("a\nb\x9b\x7f") == "a\\nb\\x9b\\x7f"
