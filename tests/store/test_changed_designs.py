"""Change one thing and keep the rest: each trial is kept under the identity of what made it."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from made_trials import DESIGN, everything
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import podium
import podium.design.identity
from podium.errors import DesignChangedError, UnknownIdentityError
from podium.store import TrialIdentity, Warehouse

QUIET: dict[str, Any] = {"executor": "threads", "workers": 1, "progress": "quiet"}

pytestmark = pytest.mark.usefixtures("in_this_process")
# What has to be measured is decided in the same way whatever database the trials are in.
in_memory = pytest.mark.parametrize("where", [":memory:"])


def pipeline(c: float = 1.0) -> Any:
    numbers = make_column_transformer((StandardScaler(), make_column_selector(dtype_include="number")))
    return make_pipeline(numbers, LogisticRegression(C=c))


class Majority:
    """Predicts the most frequent class, and uses a library that podium itself does not count."""

    def fit(self, X: Any, y: Any) -> Majority:
        joblib.hash(0)
        values, counts = np.unique(np.asarray(y), return_counts=True)
        self.answer = values[counts.argmax()]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.answer)


class Quantile:
    """Predicts a quantile of the classes."""

    def __init__(self, c: float) -> None:
        self.c = c

    def fit(self, X: Any, y: Any) -> Quantile:
        self.answer = np.sort(np.asarray(y))[int(self.c * (len(y) - 1))]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.answer)


dataset = functools.cache(podium.Dataset.named)  # nothing changes them, and what identifies them is computed once


def experiment(c: float = 1.0, **changes: Any) -> podium.Experiment:
    arguments: dict[str, Any] = {
        "datasets": ["wine", "iris"],
        "algorithms": {"quantile": Quantile(c), "majority": Majority()},
        "resampling": podium.Bootstrap(replications=3),
        "measures": ["misclassification"],
    }
    arguments |= changes
    arguments["datasets"] = [dataset(each) if isinstance(each, str) else each for each in arguments["datasets"]]
    if isinstance(arguments["algorithms"], dict):
        arguments["algorithms"] = list(arguments["algorithms"].items())
    return podium.Experiment(**arguments)


def run(design: podium.Experiment, warehouse: Warehouse, **options: Any) -> tuple[podium.Results, dict[str, int]]:
    """Run a design; return its results, and how many trials of each algorithm that took."""
    before = warehouse.attempts
    results = podium.run(design, warehouse, **QUIET, **options)
    added = warehouse.trials(every_attempt=True)["algorithm"].iloc[before:]
    return results, {str(name): int(count) for name, count in added.value_counts(sort=False).items()}


def test_a_changed_algorithm_costs_its_own_trials_and_the_old_ones_stay(where: str) -> None:
    def with_pipeline(c: float) -> podium.Experiment:
        return experiment(algorithms={"logistic": pipeline(c), "majority": Majority()}, datasets=["iris"])

    with Warehouse(where) as warehouse:
        first, cost = run(with_pipeline(1.0), warehouse)
        assert cost == {"logistic": 3, "majority": 3}
        second, cost = run(with_pipeline(1e-6), warehouse)
        assert cost == {"logistic": 3}
        assert second == podium.run(with_pipeline(1e-6), **QUIET)
        assert second.select(algorithms="majority") == first.select(algorithms="majority")
        assert not np.array_equal(second.values[:, :, 0], first.values[:, :, 0])
        assert warehouse.results(design=1) == first
        assert warehouse.results(design=2) == warehouse.results() == second
        back, cost = run(with_pipeline(1.0), warehouse)
        assert (back, cost) == (first, {})
        assert len(warehouse.trials()) == 6
        assert len(warehouse.trials(every_attempt=True)) == 9


@in_memory
def test_an_algorithm_that_was_left_out_may_come_back_changed(where: str) -> None:
    with Warehouse(where) as warehouse:
        run(experiment(), warehouse)
        _, cost = run(experiment(algorithms={"majority": Majority()}), warehouse)
        assert cost == {}
        _, cost = run(experiment(algorithms={"majority": Majority(), "quantile": Quantile(0.5)}), warehouse)
        assert cost == {"quantile": 6}


@in_memory
def test_a_changed_data_set_costs_its_own_trials(where: str) -> None:
    wine = podium.Dataset.named("wine")
    other = podium.Dataset(name="wine", X=wine.X * 2, y=wine.y)
    with Warehouse(where) as warehouse:
        first, _ = run(experiment(), warehouse)
        second, cost = run(experiment(datasets=[other, "iris"]), warehouse)
        assert cost == {"quantile": 3, "majority": 3}
        assert second.select(datasets="iris") == first.select(datasets="iris")
        assert warehouse.results(design=1) == first


@in_memory
def test_an_added_or_changed_measure_measures_again_and_keeps_the_others(where: str) -> None:
    def score(sign: float) -> podium.Measure:
        def function(model: Any, learn: Any, test: Any) -> float:
            return sign * float(np.mean(np.asarray(model.predict(test.X)) == np.asarray(test.y)))

        return podium.Measure("score", function, direction="higher")

    with Warehouse(where) as warehouse:
        first, _ = run(experiment(), warehouse)
        both, _ = run(experiment(measures=["misclassification", score(1.0)]), warehouse)
        assert np.allclose(both.values[..., 1], 1 - both.values[..., 0])
        turned, _ = run(experiment(measures=["misclassification", score(-1.0)]), warehouse)
        assert np.array_equal(turned.values[..., 1], -both.values[..., 1])
        assert turned.select(measures="misclassification") == first
        _, cost = run(experiment(), warehouse)
        assert cost == {}
        assert warehouse.results(design=2) == both


def test_a_value_stays_if_the_attempt_to_add_another_fails(where: str) -> None:
    done = everything()
    first = {**DESIGN, "measures": DESIGN["measures"][:1]}
    with Warehouse(where) as warehouse:
        warehouse.set_design(first, "one")
        warehouse.append([replace(record, values={"accuracy": record.values["accuracy"]}) for record in done])
        complete = warehouse.results()
        warehouse.set_design(DESIGN, "two")
        assert warehouse.status().counts["left"] == 12
        warehouse.append([replace(done[0], status="failed", values={})])
        counts = warehouse.status().counts
        assert (counts["done"], counts["failed"], counts["left"]) == (0, 1, 11)
        now = warehouse.results()
        assert now.select(measures="accuracy") == complete
        missing = now.missing_frame().set_index(["dataset", "replication", "algorithm"])["reason"]
        assert missing[done[0].key] == "failed"
        assert set(missing.drop([tuple(done[0].key)])) == {"absent"}
        assert warehouse.results(design=1) == complete
        assert warehouse.status(design=1).counts["done"] == 12


@in_memory
def test_another_resampling_is_another_experiment(where: str) -> None:
    with Warehouse(where) as warehouse:
        run(experiment(), warehouse)
        with pytest.raises(DesignChangedError, match="the resampling was"):
            run(experiment(resampling=podium.Subsampling(replications=3)), warehouse)
        _, cost = run(experiment(resampling=podium.Bootstrap(replications=4)), warehouse)
        assert cost == {"quantile": 2, "majority": 2}


@in_memory
def test_the_history_says_what_changed_and_what_it_cost(where: str) -> None:
    with Warehouse(where) as warehouse:
        assert warehouse.history() == ()
        run(experiment(), warehouse)
        run(experiment(), warehouse)
        run(experiment(1e-6, datasets=["wine"]), warehouse)
        run(experiment(1e-6, measures=["misclassification", "accuracy"]), warehouse)
        first, second, third = warehouse.history()
    assert [revision.number for revision in (first, second, third)] == [1, 2, 3]
    assert [revision.trials for revision in (first, second, third)] == [12, 3, 12]
    assert first.changes == ()
    assert [(d.kind, d.subject, d.name) for d in second.changes] == [
        ("reduces", "data set", "iris"),
        ("changes", "algorithm", "quantile"),
    ]
    assert [(d.kind, d.subject, d.name) for d in third.changes] == [
        ("extends", "data set", "iris"),
        ("extends", "measure", "accuracy"),
    ]
    assert first.created <= second.created <= third.created


# ---- versions -------------------------------------------------------------------------------------------------------


def upgrade(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    """Let libraries have other versions."""
    installed = podium.design.identity.installed_version
    monkeypatch.setattr(podium.design.identity, "installed_version", lambda name: versions.get(name, installed(name)))


@in_memory
def test_another_version_runs_again_unless_it_is_accepted(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = joblib.__version__
    with Warehouse(where) as warehouse:
        first, _ = run(experiment(), warehouse)
        upgrade(monkeypatch, joblib="99.1")
        preview = podium.preview(experiment(), warehouse, pilot_seconds=0)
        (earlier,) = preview.earlier
        assert (earlier.kind, earlier.trials, earlier.accepted) == ("versions", 6, False)
        assert earlier.algorithms == ("majority",)
        assert earlier.versions == {"joblib": (now, "99.1")}
        assert str(earlier) in preview.text(300)
        accepted = podium.preview(experiment(), warehouse, accept="versions", pilot_seconds=0)
        assert accepted.left.to_numpy().sum() == 0
        assert accepted.earlier[0].accepted
        same, cost = run(experiment(), warehouse, accept=["versions"])
        assert (same, cost) == (first, {})
        assert warehouse.results() == first
        settled, cost = run(experiment(), warehouse)  # one word is enough, until it changes again
        assert (settled, cost) == (first, {})
        assert [revision.accept for revision in warehouse.history()] == [(), ("versions",)]
        upgrade(monkeypatch, joblib="99.2")
        again, cost = run(experiment(), warehouse)
        assert (again, cost) == (first, {"majority": 6})
        assert podium.preview(experiment(), warehouse, pilot_seconds=0).earlier == ()
        assert [revision.accept for revision in warehouse.history()] == [(), ("versions",), ()]
        assert [str(d) for d in warehouse.history()[1].changes] == [
            f"the algorithm 'majority': joblib {now} before, 99.1 now"
        ]


# ---- what cannot be known -------------------------------------------------------------------------------------------


class Vague:
    """A model with a part that has no content, but that can be sent to another process."""

    def __init__(self, answer: int = 0) -> None:
        self.answer = answer
        self.part = memoryview(b"abc")

    def fit(self, X: Any, y: Any) -> Vague:
        self.classes_ = np.unique(np.asarray(y))
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[self.answer])


@in_memory
def test_what_cannot_be_identified_is_not_resumed(where: str) -> None:
    def vague(answer: int = 0, b: int = 3) -> podium.Experiment:
        algorithms = {"vague": Vague(answer), "majority": Majority()}
        return experiment(algorithms=algorithms, resampling=podium.Bootstrap(replications=b))

    with Warehouse(where) as warehouse:
        (problem,) = podium.preview(vague(), warehouse, pilot_seconds=0).unidentified
        assert "the algorithm 'vague'" in problem and "memoryview" in problem
        assert [advice.topic for advice in vague().advice()].count("unknown content") == 1
        first, cost = run(vague(), warehouse)
        assert cost == {"vague": 6, "majority": 6}
        with pytest.raises(UnknownIdentityError, match="6 trials of vague"):
            run(vague(), warehouse)
        with pytest.raises(UnknownIdentityError):
            podium.preview(vague(b=4), warehouse, pilot_seconds=0)
        (earlier,) = podium.preview(vague(), warehouse, accept="unknown", pilot_seconds=0).earlier
        assert (earlier.kind, earlier.trials, earlier.accepted) == ("unknown", 6, True)
        same, cost = run(vague(), warehouse, accept="unknown")
        assert (same, cost) == (first, {})
        _, cost = run(vague(b=4), warehouse)  # it was accepted before
        assert cost == {"vague": 2, "majority": 2}
        _, cost = run(vague(answer=1, b=4), warehouse)  # what is known of it has changed
        assert cost == {"vague": 8}
        _, cost = run(experiment(algorithms={"majority": Majority()}), warehouse)
        assert cost == {}


@in_memory
def test_trials_without_an_identity_count_only_if_that_is_accepted(where: str) -> None:
    """They were not made by a run of podium."""
    with Warehouse(":memory:") as source, Warehouse(where) as other:
        first, _ = run(experiment(), source)
        assert source.design is not None
        made = ("identities", "record", "accept")
        other.set_design({key: value for key, value in source.design.items() if key not in made}, "other")
        other.append(replace(each, identity=TrialIdentity()) for each in source.records())
        assert other.results() == first
        with pytest.raises(UnknownIdentityError) as refusal:
            run(experiment(), other)
        assert "  the algorithm 'majority': its content was not recorded" in str(refusal.value).splitlines()
        same, cost = run(experiment(), other, accept="unknown")
        assert (same, cost) == (first, {})


# ---- merging and moving ---------------------------------------------------------------------------------------------


def test_merged_warehouses_keep_the_identities(where: str, tmp_path: Path) -> None:
    with Warehouse(where) as one, Warehouse(tmp_path / "two.db") as two, Warehouse(tmp_path / "three.db") as three:
        first, _ = run(experiment(1.0), one)
        second, _ = run(experiment(1e-6, datasets=["wine", "iris", "monks3"]), two)
        assert one.merge(two) == 12  # what they share is there already
        assert one.merge(two) == 0
        assert one.results().select(datasets=["wine", "iris"]) == first
        assert second in [one.results(design=revision.number) for revision in one.history()]
        resumed, cost = run(experiment(1e-6, datasets=["wine", "iris", "monks3"]), one)
        assert (resumed, cost) == (second, {})
        path = one.export_trials(tmp_path / "trials.csv", machines=True)
        three.import_trials(path)
        assert repr(list(three.records())) == repr(list(one.records()))
        resumed, cost = run(experiment(1e-6, datasets=["wine", "iris", "monks3"]), three)
        assert (resumed, cost) == (second, {})


def test_a_search_over_a_column_selector_is_resumed_in_a_new_process(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    program = """
import podium
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

numbers = make_column_transformer((StandardScaler(), make_column_selector(dtype_include="number")))
search = GridSearchCV(make_pipeline(numbers, LogisticRegression()), {"logisticregression__C": [0.1, 1.0]}, cv=3)
experiment = podium.Experiment("iris", [("search", search)], podium.Bootstrap(replications=2), "misclassification")
podium.run(experiment, "w.db", workers=1, progress="quiet")
assert "0x" not in str(experiment.describe()) + str(experiment.record())
with podium.Warehouse("w.db") as warehouse:
    print(len(warehouse.trials(every_attempt=True)), len(warehouse.history()))
print(hash("text"))
"""
    monkeypatch.chdir(tmp_path)
    exec(program, {})
    there = run_python(program)
    (found, hash_here), (found_there, hash_there) = (
        text.splitlines() for text in (capsys.readouterr().out, there.stdout)
    )
    assert (found, found_there) == ("2 1", "2 1"), there.stderr
    assert hash_here != hash_there


def test_a_plain_file_keeps_the_history(where: str, tmp_path: Path) -> None:
    with Warehouse(":memory:") as source, Warehouse(where) as target:
        run(experiment(), source)
        run(experiment(c=1e-6), source)
        target.import_trials(source.export_trials(tmp_path / "trials.csv"))
        assert target.history() == source.history()
        for design in (1, 2):
            np.testing.assert_array_equal(target.results(design=design).values, source.results(design=design).values)
        assert run(experiment(c=1e-6), target)[1] == {}
