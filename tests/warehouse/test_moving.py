"""Merging warehouses, and trials in plain files."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_trials import DESIGN, broken, everything, trial

from podium.errors import ConflictError, DesignChangedError, InputError
from podium.warehouse import Warehouse, export_trials, import_trials, merge


def test_merging_two_halves_gives_the_whole(where: str, tmp_path: Path) -> None:
    with Warehouse(where) as one, Warehouse(tmp_path / "two.db") as two, Warehouse(tmp_path / "all.db") as whole:
        for warehouse in (one, two, whole):
            warehouse.set_design(DESIGN, "f")
        one.append(everything()[:7])
        two.append(everything()[5:])
        whole.append(everything())
        assert merge(one, two) == 5
        assert one.results() == whole.results()
        assert merge(one, two) == 0


def test_merging_takes_what_is_done_over_what_failed(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as one, Warehouse(tmp_path / "two.db") as two:
        one.set_design(DESIGN, "f")
        two.set_design({**DESIGN, "algorithms": ["knn", "lda"], "replications": 4}, "f")
        one.append([broken("iris", 1, "svm", "failed"), trial("iris", 1, "knn")])
        two.append([trial("iris", 1, "svm"), broken("iris", 1, "knn", "timeout")])
        assert merge(one, two) == 1
        assert one.counts() == {"done": 2}
        assert one.design is not None
        assert one.design["algorithms"] == ["svm", "knn", "lda"]
        assert one.design["replications"] == 4


def test_times_may_differ_and_values_may_not(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as one, Warehouse(tmp_path / "two.db") as two:
        for warehouse in (one, two):
            warehouse.set_design(DESIGN, "f")
        one.append([trial("iris", 1, "svm", values={"accuracy": 0.5, "fit time": 1.0})])
        two.append([trial("iris", 1, "svm", values={"accuracy": 0.5, "fit time": 2.0})])
        assert merge(one, two) == 0
        two.append([trial("wine", 2, "knn"), trial("iris", 1, "svm", values={"accuracy": 0.6, "fit time": 1.0})])
        with pytest.raises(ConflictError) as caught:
            merge(one, two)
        assert "1 trials have other values" in str(caught.value)
        assert caught.value.report.to_dict("records") == [{"dataset": "iris", "replication": 1, "algorithm": "svm"}]
        assert one.counts() == {"done": 1}


def test_contradicting_designs_are_not_merged(tmp_path: Path) -> None:
    turned = [{**DESIGN["measures"][0], "direction": "lower"}]
    with Warehouse(tmp_path / "one.db") as one, Warehouse(tmp_path / "two.db") as two:
        one.set_design(DESIGN, "f")
        two.set_design({**DESIGN, "measures": turned}, "f")
        with pytest.raises(DesignChangedError, match="'accuracy': greater and lower is better"):
            merge(one, two)


@pytest.mark.parametrize("name", ["trials.csv", "trials.parquet"])
def test_trials_survive_a_plain_file(name: str, where: str, tmp_path: Path) -> None:
    records = [
        *everything()[:4],
        broken("wine", 1, "svm", "failed", warnings=("careful, with a comma", "and\na line")),
        trial("wine", 1, "knn", values={"accuracy": float("nan"), "fit time": 0.1}),
    ]
    with Warehouse(where) as warehouse, Warehouse(tmp_path / "back.db") as back:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(records)
        path = export_trials(warehouse, tmp_path / name)
        assert import_trials(path, back) == len(records)
        assert repr(list(back.records())) == repr(list(warehouse.records()))
        assert back.results() == warehouse.results()
        with pytest.raises(InputError, match="is not empty; import into a new one and merge it"):
            import_trials(path, back)


def test_files_are_to_be_opened_first(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as one:
        for call, argument in [
            (lambda: merge("two.db", one), "target"),  # type: ignore[arg-type]
            (lambda: merge(one, "two.db"), "source"),  # type: ignore[arg-type]
            (lambda: export_trials("two.db", tmp_path / "trials.csv"), "warehouse"),  # type: ignore[arg-type]
            (lambda: import_trials(tmp_path / "trials.csv", "two.db"), "warehouse"),  # type: ignore[arg-type]
        ]:
            with pytest.raises(InputError) as caught:
                call()
            assert str(caught.value) == (
                f"`{argument}` must be a Warehouse; got the text 'two.db'. Open it: podium.Warehouse('two.db')."
            )


def test_a_warehouse_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    for where, message in [
        (5, "`where` must be a file or a postgresql:// URL; got 5."),
        ("here", "'here' is a folder; name a file in it, such as 'here/experiment.db'."),
    ]:
        with pytest.raises(InputError) as caught:
            Warehouse(where)  # type: ignore[arg-type]
        assert str(caught.value) == message
