"""What every warehouse promises, on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from made_trials import DESIGN, broken, change, everything, trial

import podium
from forks import ended, forked
from podium.errors import BusyError, ExecutionError, InputError
from podium.store import STATUSES, TrialKey, Warehouse


def test_records_come_back_as_they_were(where: str) -> None:
    records = [
        *everything()[:3],
        broken("iris", 2, "knn", "failed", warnings=("a warning", "another")),
        broken("iris", 3, "svm", "timeout", error_type="Timeout", message="ended after 2 s", traceback=""),
        trial("iris", 3, "knn", values={"accuracy": float("nan"), "fit time": 5e-324}, undefined={"accuracy": "none"}),
    ]
    with Warehouse(where) as warehouse:
        warehouse.append(records[:2])
        warehouse.append(records[2:])
        back = list(warehouse.records())
    assert repr(back) == repr(records)  # NaN is not equal to itself, but it looks the same


def test_results_have_every_value_and_every_reason(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        records = everything()
        for i, status in enumerate(("failed", "crashed", "timeout", "skipped")):
            key = records[i].key
            records[i] = broken(key.dataset, key.replication, key.algorithm, status)
        warehouse.append(records[:-1])
        results = warehouse.results()
    assert results.shape == (2, 3, 2, 2)
    assert results.datasets == ("iris", "wine")
    assert results.directions == {"accuracy": "higher", "fit time": "lower"}
    missing = results.missing_frame().set_index(["dataset", "replication", "algorithm", "measure"])["reason"]
    ended = zip((0, 1, 2, 3, -1), ("failed", "crashed", "timeout", "skipped", "absent"), strict=True)
    measures = ("accuracy", "fit time")
    assert missing.to_dict() == {(*records[i].key, name): reason for i, reason in ended for name in measures}
    for record in records[4:-1]:
        m, b, k = (
            results.datasets.index(record.key.dataset),
            record.key.replication - 1,
            results.algorithms.index(record.key.algorithm),
        )
        assert results.values[m, b, k].tolist() == list(record.values.values())
    assert results.structure["fold"].tolist() == [[1, 2, 3], [1, 2, 3]]
    assert results.structure["n_test"].tolist() == [[50, 50, 50], [50, 50, 50]]


def test_the_newest_attempt_counts_and_the_older_stays(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.set_design(DESIGN, "f")
        warehouse.append([broken("iris", 1, "svm", "failed"), trial("wine", 1, "svm")])
        warehouse.append([trial("iris", 1, "svm")])
        assert warehouse.counts() == {"done": 2}
        assert len(warehouse.trials(every_attempt=True)) == 3
        assert warehouse.results().values[0, 0, 0, 0] == trial("iris", 1, "svm").values["accuracy"]
        warehouse.append([broken("iris", 1, "svm", "timeout")])
        assert warehouse.results().values[0, 0, 0, 0] == trial("iris", 1, "svm").values["accuracy"]
        assert warehouse.counts() == {"done": 1, "timeout": 1}
        assert warehouse.status().counts["done"] == 2


def test_status_codes_are_those_of_the_newest_attempts(where: str) -> None:
    with Warehouse(where) as warehouse:
        other = {**DESIGN, "datasets": ["wine", "iris", "zoo"]}
        warehouse.append([broken("iris", 1, "svm", "failed"), trial("wine", 2, "knn"), trial("wine", 9, "svm")])
        warehouse.append([broken("iris", 1, "svm", "crashed")])
        states = warehouse.status_codes(other)
    expected = np.zeros((3, 3, 2), int)
    expected[1, 0, 0] = STATUSES.index("crashed") + 1
    expected[0, 1, 1] = STATUSES.index("done") + 1
    assert states.tolist() == expected.tolist()


def test_a_trial_that_is_refused_does_not_affect_the_others_of_its_batch(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.append([trial("iris", 1, "svm"), trial("wine", 2, "knn", seed=10**30), trial("iris", 2, "knn")])
        first, bad, last = warehouse.records()
        assert [record.status for record in (first, bad, last)] == ["done", "failed", "done"]
        assert "what was measured cannot be stored" in bad.message
        unnamed = dataclasses.replace(trial("iris", 1, "svm"), key=TrialKey("a\0b", 1, "svm"))
        with pytest.raises(ExecutionError, match=r"1 trial cannot be stored, first svm on a\\x00b"):
            warehouse.append([unnamed, trial("iris", 3, "knn")])
        assert warehouse.counts() == {"done": 3, "failed": 1}
        assert warehouse.check() == ()


def test_trials_cannot_be_changed_or_deleted(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.append([trial("iris", 1, "svm")])
        for statement in ("UPDATE trial SET status = 2", "DELETE FROM trial", "DELETE FROM label"):
            with pytest.raises(Exception, match="append-only"):
                change(where, statement)
        assert warehouse.counts() == {"done": 1}


def test_a_second_connection_reads_while_the_first_is_open(where: str) -> None:
    with Warehouse(where) as writer:
        writer.set_design(DESIGN, "f")
        writer.append(everything()[:5])
        with Warehouse(where, readonly=True) as reader:
            assert reader.counts() == {"done": 5}
            writer.append(everything()[5:])
            assert reader.counts() == {"done": 12}
            assert reader.results() == writer.results()


def test_two_writers_share_labels(where: str) -> None:
    with Warehouse(where) as one, Warehouse(where) as two:
        one.append([trial("iris", 1, "svm")])
        two.append([trial("iris", 2, "svm")])
        one.append([trial("wine", 1, "knn")])
        two.append([trial("wine", 2, "knn")])
        assert one.counts() == {"done": 4}


def test_designs_are_kept_in_order(where: str) -> None:
    with Warehouse(where) as warehouse:
        assert warehouse.design is None
        warehouse.set_design(DESIGN, "one")
        longer = {**DESIGN, "replications": 5}
        warehouse.set_design(longer, "two")
        assert warehouse.design == longer == json.loads(json.dumps(longer))


def test_failures_say_why(where: str) -> None:
    with Warehouse(where) as warehouse:
        warehouse.append([trial("iris", 1, "svm"), broken("iris", 2, "svm", "failed")])
        failures = warehouse.failures()
    expected = ["iris", 2, "svm", "failed", "ValueError", "100 % wrong? yes: \"'ü"]
    assert failures.to_numpy().tolist() == [expected]


def test_an_empty_warehouse_has_no_results(where: str) -> None:
    with Warehouse(where) as warehouse, pytest.raises(InputError, match="has no design: no experiment was run with it"):
        warehouse.results()


def test_one_run_at_a_time_may_claim_a_warehouse(where: str) -> None:
    with Warehouse(where) as first, Warehouse(where) as second:
        with first.claimed():
            with pytest.raises(BusyError, match="Another run is writing"), second.claimed():
                pass
            assert second.counts() == {}  # reading is allowed
        with second.claimed():
            second.append(everything()[:1])
        assert first.counts() == {"done": 1}


def test_a_claim_dies_with_its_process(where: str) -> None:
    def claim_and_die() -> None:
        claim = Warehouse(where).claimed()
        claim.__enter__()
        os.kill(os.getpid(), signal.SIGKILL)

    assert ended(forked(claim_and_die)) == -signal.SIGKILL
    with Warehouse(where) as warehouse, warehouse.claimed():
        warehouse.append(everything()[:1])


def test_a_run_keeps_the_same_numbers_in_every_database(
    where: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    experiment = podium.Experiment(
        datasets=["monks3", "iris"],
        algorithms=["lda", "nb", podium.Algorithm.named("knn", k=3).renamed("3nn"), Balks()],
        resampling=podium.CrossValidation(folds=2, repeats=2, stratify=True),
        measures=["misclassification", "brier", "fit time"],
        seed=7,
    )
    options = {"executor": "threads", "workers": 1, "progress": "quiet"}
    results = podium.run(experiment, where, **options)
    request.getfixturevalue("in_this_process")
    in_a_file = podium.run(experiment, tmp_path / "file.db", **options)
    numbers = ["misclassification", "brier"]
    assert results.select(measures=numbers) == in_a_file.select(measures=numbers)
    assert results.missing_frame()["reason"].unique().tolist() == ["failed"]
    again = podium.run(experiment, where, **options)
    assert again == results
    with Warehouse(where, readonly=True) as warehouse:
        assert len(warehouse.trials(every_attempt=True)) == 32


class Balks:
    """An algorithm that fails on every second learning sample or so."""

    def __init__(self, random_state: int | None = None) -> None:
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: npt.ArrayLike) -> Balks:
        if (self.random_state or 0) % 2:
            raise ValueError("an odd seed")
        self.classes_ = np.unique(np.asarray(y))
        self.answer = self.classes_[0]
        return self

    def predict(self, X: pd.DataFrame) -> npt.NDArray[np.object_]:
        return np.full(len(X), self.answer)

    def predict_proba(self, X: pd.DataFrame) -> npt.NDArray[np.float64]:
        return np.tile(np.arange(len(self.classes_)) == 0, (len(X), 1)).astype(float)


def test_a_preview_before_the_first_run_creates_nothing(where: str) -> None:
    experiment = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    if not where.startswith("postgresql"):
        Path(where).touch()
    for _ in range(2):
        assert podium.preview(experiment, where, pilot_seconds=0).left.to_numpy().sum() == 4
    with pytest.raises(InputError, match="is not a podium warehouse"):
        Warehouse(where, readonly=True)
