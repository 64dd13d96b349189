"""Your own loops: what several processes record, killed or not, and estimators compared in one call."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cli import main
from podium.errors import DirectionError, InputError, PodiumError

LOOP = """
import sys, podium
with podium.Recorder(sys.argv[1], direction={"chrF": "higher"}) as record:
    for replication in range(1, 41):
        for algorithm in sys.argv[2:]:
            key = {"dataset": "wmt", "algorithm": algorithm, "replication": replication}
            if not record.done(**key):
                record(**key, chrF=50 + replication / 7 + len(algorithm), seconds=replication)
"""


def loop(where: Path, *algorithms: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", LOOP, str(where), *algorithms])


def rows_of(where: Path) -> int:
    try:
        with podium.Warehouse(where, readonly=True) as warehouse:
            return warehouse.attempts
    except PodiumError:  # not made yet
        return 0


def table(algorithms: list[str]) -> pd.DataFrame:
    rows = [
        {"dataset": "wmt", "algorithm": a, "replication": b, "chrF": 50 + b / 7 + len(a), "seconds": float(b)}
        for b in range(1, 41)
        for a in algorithms
    ]
    return pd.DataFrame(rows)


def test_a_killed_recorder_loses_and_doubles_nothing(tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    algorithms = ["base", "large"]
    killed, other = loop(where, "base"), loop(where, "large")
    until = time.monotonic() + 60
    while rows_of(where) < 12 and time.monotonic() < until:
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    before = podium.read(where).present.sum(axis=1)
    assert other.wait(60) == 0
    assert (podium.read(where).present.sum(axis=1) >= before).all()
    assert loop(where, *algorithms).wait(60) == 0  # resumes what was killed, and leaves the other's rows alone
    with podium.Warehouse(where, readonly=True) as warehouse:
        assert warehouse.attempts == 80
        assert warehouse.check() == ()
        assert warehouse.status().counts["done"] == 80
    assert podium.read(where) == podium.read(table(algorithms), direction={"chrF": "higher"})


def record_one(record: podium.Recorder, algorithm: str) -> None:
    for replication in range(1, 6):
        record(dataset="d", algorithm=algorithm, replication=replication, accuracy=replication / 10)


def test_a_recorder_goes_into_forks_threads_and_pickles(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    record = podium.Recorder(tmp_path / "runs.db")
    record_one(record, "here")
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(record_one, [record] * 3, "abc")) == [None] * 3
    record_one(pickle.loads(pickle.dumps(record)), "pickled")
    child = os.fork()
    if child == 0:
        try:
            record_one(record, "forked")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert podium.read(tmp_path / "runs.db").present.sum() == 6 * 5


@pytest.fixture
def record(tmp_path: Path) -> podium.Recorder:
    recorder = podium.Recorder(tmp_path / "runs.db", direction={"chrF": "higher"}, n_test=10)
    recorder(dataset="d", algorithm="a", replication=1, chrF=61.5)
    return recorder


def test_failures_are_missing_cells_with_reasons_until_they_succeed(record: podium.Recorder, tmp_path: Path) -> None:
    key = {"dataset": "d", "algorithm": "b", "replication": 1}
    record.failed(**key, error="out of memory")
    record.failed(**key, error=MemoryError("no room"))
    assert not record.done(**key)
    results = podium.read(tmp_path / "runs.db")
    assert results.to_long().set_index("algorithm").loc["b", "reason"] == "failed"
    with podium.Warehouse(tmp_path / "runs.db") as warehouse:
        assert warehouse.failures()["message"].tolist() == ["no room"]
        assert dict(warehouse.status().counts)["failed"] == 1
    record(**key, chrF=60.0)
    assert record.done(**key)
    assert podium.read(tmp_path / "runs.db").present.all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda r: r(dataset="d", algorithm="a", replication=1, chrF=7), "has chrF=61.5 already; got chrF=7.0"),
        (lambda r: r.failed(dataset="d", algorithm="a", replication=1, error="x"), "has chrF=61.5 already; got 'x'"),
        (lambda r: r(dataset="d", algorithm="a", replication=2, spam=7), r"direction=\{'spam': 'lower'\}"),
        (lambda r: r(dataset="d", algorithm="b", replication=1, chrF=7, n_test=11), "10 in a on d, replication 1; "),
        (lambda r: r(dataset="d", algorithm="b", replication=0, chrF=7), "`replication` must be a whole number"),
        (lambda r: r(dataset="d", algorithm="b", replication=10**9, chrF=7), "the most that podium holds"),
        (lambda r: r(dataset="d", algorithm="b", replication=1, chrF="7"), "`chrF` must be a number; got '7'"),
        (lambda r: r(dataset="d", algorithm="b", replication=1), "nothing to record"),
        (lambda r: r(dataset="a\0b", algorithm="b", replication=1, chrF=7), "characters that cannot be stored"),
    ],
)
def test_a_refused_row_leaves_nothing(
    record: podium.Recorder, call: Callable[[podium.Recorder], None], message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        call(record)
    assert rows_of(tmp_path / "runs.db") == 1
    assert podium.read(tmp_path / "runs.db").shape == (1, 1, 1, 1)


def test_contradictory_facts_about_a_file_are_refused(record: podium.Recorder, tmp_path: Path) -> None:
    where = tmp_path / "runs.db"
    with pytest.raises(DirectionError, match="it is recorded that higher values are"):
        podium.Recorder(where, direction={"chrF": "lower"})
    podium.Recorder(where, independent=True)
    with pytest.raises(InputError, match="`independent` is a fact about all rows"):
        podium.Recorder(where, independent=False)
    experiment = podium.Experiment("iris", ["lda", "nb"], podium.HoldOut(), "accuracy")
    with pytest.raises(InputError, match="is written by a Recorder"):
        podium.run(experiment, where, workers=1)
    podium.run(experiment, tmp_path / "run.db", workers=1, progress="quiet")
    with pytest.raises(InputError, match="is written by runs"):
        podium.Recorder(tmp_path / "run.db")


def test_facts_that_tests_need_come_back(tmp_path: Path) -> None:
    experiment = podium.Experiment("iris", ["lda", "nb"], podium.CrossValidation(5, repeats=2), "accuracy", seed=1)
    rng = np.random.default_rng(0)
    with podium.Recorder(tmp_path / "runs.db") as record:
        for split in experiment.splits():
            facts = {"fold": split.fold, "repeat": split.repeat, "n_learn": len(split.learn), "n_test": len(split.test)}
            for name in ("lda", "nb"):
                key = {"dataset": split.dataset, "algorithm": name, "replication": split.replication}
                record(**key, **facts, measures={"top-1 accuracy": rng.random()})
    run = podium.run(experiment, workers=1, progress="quiet")
    recorded = podium.read(tmp_path / "runs.db")
    assert {name: table.tolist() for name, table in recorded.structure.items()} == {
        name: table.tolist() for name, table in run.structure.items()
    }
    assert podium.compare(recorded).method == podium.compare(run).method == "corrected resampled t test"


def test_splits_are_those_of_a_run() -> None:
    experiment = podium.Experiment(["iris", "zoo"], ["lda"], podium.Bootstrap(replications=3), "accuracy", seed=4)
    splits = list(experiment.splits())
    assert [(split.dataset, split.replication) for split in splits] == [(d, b) for d, b, _ in experiment.trials()]
    for split in splits:
        drawn = experiment.sample(split.dataset, split.replication)
        assert np.array_equal(split.learn, drawn.learn)
        assert np.array_equal(split.test, drawn.test)


def test_unequal_replications_and_seeds_as_numbers(tmp_path: Path) -> None:
    rows = [("a", 42, 0.7), ("a", 1337, 0.8), ("b", 42, 0.9)]
    frame = pd.DataFrame(rows, columns=["dataset", "replication", "accuracy"]).assign(algorithm="svm")
    record = podium.Recorder(tmp_path / "runs.db", independent=True)
    for row in frame.to_dict("records"):
        record(**row)
    recorded, given = podium.read(tmp_path / "runs.db"), podium.read(frame, independent=True)
    assert recorded.replications == (42, 1337)
    assert np.array_equal(recorded.values, given.values, equal_nan=True)
    assert np.array_equal(recorded.design, given.design)
    with podium.Warehouse(tmp_path / "runs.db") as warehouse:
        assert warehouse.status().total == 3


def test_a_loop_may_change_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = podium.Recorder("runs.db")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    record_one(record, "a")
    assert podium.read(tmp_path / "runs.db").present.sum() == 5


def test_a_value_that_is_no_number_is_undefined(record: podium.Recorder, tmp_path: Path) -> None:
    key = {"dataset": "d", "algorithm": "b", "replication": 1}
    record(**key, chrF=float("nan"), loss=float("inf"))
    assert record.done(**key)
    with podium.Warehouse(tmp_path / "runs.db") as warehouse:
        (undefined,) = warehouse.trials("done").set_index("algorithm").loc[["b"], "undefined"]
        assert undefined == {"chrF": "the loop measured no number", "loss": "its value is infinite"}
        assert warehouse.results().present.sum() == 1


def test_recorded_files_merge(tmp_path: Path) -> None:
    for name in ("one", "two"):
        record_one(podium.Recorder(tmp_path / f"{name}.db"), name)
    with podium.Warehouse(tmp_path / "one.db") as one, podium.Warehouse(tmp_path / "two.db") as two:
        assert [one.merge(two), one.merge(two)] == [5, 0]
        assert one.results().algorithms == ("one", "two")
        assert one.results().present.all()


def test_the_shell_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(tmp_path / "runs.db")
    key = ["record", where, "dataset=wmt", "algorithm=lr=0.1"]
    assert main([*key, "replication=3", "chrF=31.2", "n_test=7", "--direction", "chrF=higher"]) == 0
    assert main([*key, "replication=4", "--failed", "no room"]) == 0
    assert main([*key, "replication=3", "chrF=31.3"]) == 2
    assert "chrF=31.2 already; got chrF=31.3" in capsys.readouterr().err
    assert main([*key, "replication=5", "spam=1"]) == 2
    assert "Use --direction spam=..." in capsys.readouterr().err
    assert main([*key, "chrF=1"]) == 2
    assert "replication=... is missing" in capsys.readouterr().err
    results = podium.read(where)
    assert results.algorithms == ("lr=0.1",)
    assert results.values.ravel().tolist()[0] == 31.2
    assert results.structure["n_test"].tolist() == [[7, -1]]
    assert main(["status", where]) == 0
    assert "1 done, 1 failed" in capsys.readouterr().out


def estimators(task: str) -> dict[str, object]:
    from sklearn import dummy, linear_model, tree

    if task == "classification":
        return {"tree": tree.DecisionTreeClassifier(max_depth=2), "constant": dummy.DummyClassifier()}
    return {"linear": linear_model.LinearRegression(), "tree": tree.DecisionTreeRegressor(max_depth=2)}


@pytest.mark.parametrize("frames", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_comparing_estimators_is_run_and_compare(task: str, frames: bool, tmp_path: Path) -> None:
    from sklearn.datasets import load_diabetes, load_iris

    load = load_iris if task == "classification" else load_diabetes
    X, y = load(return_X_y=True, as_frame=frames)
    options = {"task": "regression"} if task == "regression" else {}
    how = {"seed": 3, "workers": 1, "progress": "quiet"}
    scheme = podium.CrossValidation(10, repeats=2)
    found = podium.compare_estimators(estimators(task), X, y, resampling=scheme, equivalence=0.01, **how, **options)
    experiment = podium.Experiment(
        podium.Dataset(X, y, name="data", **options),
        [podium.Algorithm(name, thing) for name, thing in estimators(task).items()],
        scheme,
        {"classification": "misclassification", "regression": "root mean squared error"}[task],
        seed=3,
    )
    by_hand = podium.compare(
        podium.run(experiment, workers=1, progress="quiet"), method="corrected t", equivalence=0.01
    )
    assert found.method == "corrected resampled t test"
    pd.testing.assert_frame_equal(found.frame(), by_hand.frame())


def test_estimators_are_compared_on_ten_times_ten_folds(tmp_path: Path) -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    where = tmp_path / "runs.db"
    podium.compare_estimators(estimators("classification"), X, y, warehouse=where, workers=1, progress="quiet")
    structure = podium.read(where).structure
    assert (structure["repeat"].max(), structure["fold"].max(), structure["n_test"].max()) == (10, 10, 15)
