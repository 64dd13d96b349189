"""Merging warehouses, and trials in plain files."""

from __future__ import annotations

import json
import platform
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from made_trials import DESIGN, broken, everything, trial
from sklearn.dummy import DummyClassifier

import podium
from podium.errors import ConflictError, DesignChangedError, InputError
from podium.store import Warehouse
from podium.store.files import read_trials


def test_merging_two_halves_gives_the_whole(where: str, tmp_path: Path) -> None:
    with Warehouse(where) as one, Warehouse(tmp_path / "two.db") as two, Warehouse(tmp_path / "all.db") as whole:
        for warehouse in (one, two, whole):
            warehouse.set_design(DESIGN, "f")
        one.append(everything()[:7])
        two.append(everything()[5:])
        whole.append(everything())
        assert one.merge(two) == 5
        assert one.results() == whole.results()
        assert one.merge(two) == 0


def test_merging_takes_what_is_done_over_what_failed(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "one.db") as one, Warehouse(tmp_path / "two.db") as two:
        one.set_design(DESIGN, "f")
        two.set_design({**DESIGN, "algorithms": ["knn", "lda"], "replications": 4}, "f")
        one.append([broken("iris", 1, "svm", "failed"), trial("iris", 1, "knn")])
        two.append([trial("iris", 1, "svm"), broken("iris", 1, "knn", "timeout")])
        assert one.merge(two) == 1
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
        assert one.merge(two) == 0
        two.append([trial("wine", 2, "knn"), trial("iris", 1, "svm", values={"accuracy": 0.6, "fit time": 1.0})])
        with pytest.raises(ConflictError) as caught:
            one.merge(two)
        assert "1 trial with different values" in str(caught.value)
        assert caught.value.report.to_dict("records") == [{"dataset": "iris", "replication": 1, "algorithm": "svm"}]
        assert one.counts() == {"done": 1}


def test_contradicting_designs_are_not_merged(tmp_path: Path) -> None:
    turned = [{**DESIGN["measures"][0], "direction": "lower"}]
    with Warehouse(tmp_path / "one.db") as one, Warehouse(tmp_path / "two.db") as two:
        one.set_design(DESIGN, "f")
        two.set_design({**DESIGN, "measures": turned}, "f")
        with pytest.raises(DesignChangedError, match="'accuracy': higher and lower is better"):
            one.merge(two)


@pytest.mark.parametrize("name", ["trials.csv", "trials.parquet"])
def test_trials_survive_a_plain_file(name: str, where: str, tmp_path: Path) -> None:
    records = [
        *everything()[:4],
        broken("wine", 1, "svm", "failed", warnings=("careful, with a comma", "and\na line")),
        trial("wine", 1, "knn", values={"accuracy": float("nan"), "fit time": 0.1}, undefined={"accuracy": 'no, "ü"'}),
    ]
    with Warehouse(where) as warehouse, Warehouse(tmp_path / "back.db") as back:
        warehouse.set_design(DESIGN, "f")
        warehouse.append(records)
        path = warehouse.export_trials(tmp_path / name, machines=True)
        assert back.import_trials(path) == len(records)
        assert repr(list(back.records())) == repr(list(warehouse.records()))
        assert back.results() == warehouse.results()
        with pytest.raises(InputError, match="is not empty; import into a new one and merge it"):
            back.import_trials(path)


class NamesPlaces(DummyClassifier):
    """Fails in one trial, with a path in its message, and warns of it in all."""

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self.path = path

    def fit(self, X: Any, y: Any) -> Any:
        warnings.warn(f"{self.path} is old", stacklevel=1)
        if X.iloc[0, 0] > 3:
            raise ValueError(f"no file '{self.path}'")
        return super().fit(X, y)


@pytest.mark.parametrize("name", ["trials.csv", "trials.parquet"])
def test_an_export_names_machines_only_if_asked(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "of me"
    folder.mkdir()
    table = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": list("uvuvuv")})
    table.to_csv(folder / "data.csv", index=False)
    experiment = podium.Experiment(
        [podium.Dataset.from_file(folder / "data.csv", target="b")],
        {"places": NamesPlaces(str(tmp_path / "lab" / "model.bin"))},
        podium.Bootstrap(6),
        "accuracy",
    )
    secrets = [str(tmp_path), "of me", platform.node(), "lab/"]
    with Warehouse(":memory:") as warehouse, Warehouse(tmp_path / "back.db") as back:
        podium.run(experiment, warehouse, workers=1, progress="quiet")
        statuses = warehouse.counts()
        for asked in (True, False):
            path = warehouse.export_trials(tmp_path / name, machines=asked)
            records, designs = read_trials(path)[2], json.dumps(read_trials(path)[0])
            text = f"{list(records)!r} {designs}"
            assert [secret in text for secret in secrets] == [asked] * len(secrets)
            assert "model.bin" in text and "data.csv" in text
        back.import_trials(path)
        podium.run(experiment, back, workers=1, progress="quiet")
        assert back.counts() == statuses and set(statuses) == {"done", "failed"}
        assert back.attempts == warehouse.attempts
