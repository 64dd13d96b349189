"""Decisions of stopping rules in a warehouse: kept as they are, checked, merged and exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_trials import DESIGN, change, everything, trial

import podium
from podium.errors import ConflictError, DamageError, DesignChangedError, ExecutionError
from podium.store import Decision, Look, PairDecision, Warehouse
from podium.store.decision import identity_for

RULE = {"kind": "combination", "looks": [1, 2, 3], "scope": "dataset", "measures": ["accuracy"]}
STAGED: dict[str, Any] = {**DESIGN, "stopping": RULE}
NAN = float("nan")


def decision(dataset: str = "iris", stage: int = 1, ending: Any = "", **changes: Any) -> Decision:
    """A decision of the design above."""
    pair = PairDecision(
        measure="accuracy",
        a="svm",
        b="knn",
        outcome="better" if ending else "open",
        stage=stage,
        replications=stage,
        estimate=1 / 3,
        level=0.05,
        looks=(Look("better", 0.1 + 0.2, float("inf"), NAN), Look("worse", NAN, -float("inf"), 1.0)),
    )
    made = Decision(
        dataset=dataset,
        stage=stage,
        replications=stage,
        ending=ending,
        dropped=(),
        pairs=(pair,),
        identity=identity_for(STAGED, dataset),
    )
    return replace(made, **changes)


def filled(where: str | Path) -> Warehouse:
    """All trials of the design, iris ended after its second stage, wine without its second algorithm after the first."""
    warehouse = Warehouse(where)
    warehouse.set_design(STAGED, "one")
    warehouse.append(everything())
    warehouse.append_decisions([decision(), decision(stage=2, ending="decided"), decision("wine", dropped=("knn",))])
    return warehouse


def texts(warehouse: Warehouse) -> list[str]:
    return [made.document() for made in warehouse.decisions()]


def test_a_decision_is_read_as_it_was_made(where: str) -> None:
    with filled(where) as warehouse:
        assert [(made.dataset, made.stage, made.stops) for made in warehouse.decisions()] == [
            ("iris", 1, False),
            ("iris", 2, True),
            ("wine", 1, False),
        ]
        first = warehouse.decisions()[0]
        assert first.document() == decision().document()
        assert first.identity == decision().identity
        better, worse = first.pairs[0].looks
        assert (better.pvalue, better.reject) == (0.1 + 0.2, float("inf"))
        assert np.isnan(better.accept)
        assert np.isnan(worse.pvalue)
        assert warehouse.check() == ()
        with pytest.raises(Exception, match="append-only"):
            change(where, "DELETE FROM decision")


def test_what_comes_after_a_decision_does_not_count(where: str) -> None:
    with filled(where) as warehouse:
        results = warehouse.results()
        assert results.design.tolist() == [[True, True, False], [True, True, True]]
        stopped = np.zeros((2, 3, 2), bool)
        stopped[0, 2] = stopped[1, 1:, 1] = True
        assert (results.stopped == stopped[..., None]).all()
        assert np.isnan(results.values[results.stopped]).all()
        assert results.structure["planned"].tolist() == [[3, 3, -1], [-1, -1, -1]]
        assert (warehouse.status_codes() == 6).tolist() == stopped.tolist()
        status = warehouse.status()
        assert (status.counts["stopped"], status.superfluous, status.saved) == (4, 4, 0)
        assert len(warehouse.trials()) == 8
        assert len(warehouse.trials(every_attempt=True)) == 12
        assert warehouse.results({**STAGED, "stopping": None}).present.all()


def test_a_decision_counts_for_the_design_that_it_was_made_for(where: str) -> None:
    with filled(where) as warehouse:
        other = {**STAGED, "stopping": {**RULE, "looks": [3]}}
        assert warehouse.decisions(other) == ()
        assert warehouse.decisions({**STAGED, "algorithms": ["svm", "knn", "rf"]}) == ()
        assert len(warehouse.decisions({**STAGED, "datasets": ["wine"]})) == 1
        changed = {"algorithms": {"svm": ["new"]}, "datasets": {}, "measures": {}}
        assert warehouse.decisions({**STAGED, "identities": changed}) == ()
        accepted = {"algorithms": {"svm": ["new", ""]}, "datasets": {}, "measures": {}}
        assert len(warehouse.decisions({**STAGED, "identities": accepted})) == 3
        assert warehouse.decisions(DESIGN) == ()


def test_a_stage_without_its_decision_ends_the_sequence(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.set_design(STAGED, "one")
        warehouse.append_decisions([decision(stage=2, ending="decided")])
        assert warehouse.decisions() == ()
        warehouse.append_decisions([decision()])
        assert len(warehouse.decisions()) == 2
        with pytest.raises(ExecutionError):  # a decision is made once
            warehouse.append_decisions([decision()])


def test_a_changed_decision_is_damage(tmp_path: Path) -> None:
    filled(tmp_path / "w.db").close()
    change(str(tmp_path / "w.db"), "DROP TRIGGER decision_no_update", "UPDATE decision SET stage = 3 WHERE id = 1")
    with Warehouse(tmp_path / "w.db") as warehouse:
        assert [(damage.kind, damage.table, damage.row) for damage in warehouse.check()] == [
            ("checksum", "decision", 1)
        ]
        with pytest.raises(DamageError, match="decision"):
            warehouse.results()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_exported_decisions_are_imported(ending: str, tmp_path: Path) -> None:
    with filled(tmp_path / "w.db") as warehouse, Warehouse(tmp_path / "back.db") as back:
        path = warehouse.export_trials(tmp_path / f"trials.{ending}")
        assert back.import_trials(path) == 12
        assert texts(back) == texts(warehouse)
        assert back.results() == warehouse.results()
        read = podium.read(path)
        assert read.present.sum() == warehouse.results().present.sum() == 16
        assert read.shape == (2, 3, 2, 2)


def test_a_merge_includes_decisions(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "a.db") as one, Warehouse(tmp_path / "b.db") as two:
        for warehouse, dataset in ((one, "iris"), (two, "wine")):
            warehouse.set_design({**STAGED, "datasets": [dataset]}, "one")
            warehouse.append([trial(dataset, 1, "svm"), trial(dataset, 1, "knn")])
            warehouse.append_decisions([decision(dataset, ending="decided")])
        assert one.merge(two) == 2
        assert [made.dataset for made in one.decisions()] == ["iris", "wine"]
        assert one.merge(two) == 0
        assert one.results().design.tolist() == [[True, False, False]] * 2


def test_decisions_and_rules_that_contradict_each_other_are_not_merged(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as one, Warehouse(tmp_path / "b.db") as two, Warehouse(tmp_path / "c.db") as three:
        two.set_design(STAGED, "one")
        two.append_decisions([decision(ending="decided")])
        with pytest.raises(ConflictError, match=r"decided differently .* in stage 1 of the data set 'iris'"):
            one.merge(two)
        three.set_design(DESIGN, "one")
        with pytest.raises(DesignChangedError, match="the stopping rules differ"):
            one.merge(three)
        assert len(one.decisions()) == 3
