"""Characteristics of learning samples: kept by a run, read back, computed afterwards with the same numbers."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import podium
from podium.design import DataView
from podium.errors import DesignError, InputError


def broken(data: DataView) -> float:
    raise RuntimeError("no luck")


def experiment(**others: object) -> podium.Experiment:
    arguments: dict[str, object] = {
        "datasets": ["iris", "monks3"],
        "algorithms": ["lda", "constant"],
        "resampling": podium.Subsampling(replications=2),
        "measures": "misclassification",
        "characteristics": ["statlog", "land.1nn", {"broken": (broken, "mean")}],
    }
    return podium.Experiment(**{**arguments, **others})  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("warehouse") / "kept.db"
    podium.run(experiment(), path, executor="threads", workers=1, progress="quiet")
    return path


def test_a_run_keeps_them_and_afterwards_they_are_the_same(kept: Path) -> None:
    with podium.Warehouse(kept, readonly=True) as warehouse:
        stored, results, counts = warehouse.characteristics(), warehouse.results(), warehouse.counts()
        assert warehouse.check() == ()
    computed = podium.characterize(experiment())
    pd.testing.assert_frame_equal(stored, computed, check_exact=True)
    assert stored.attrs["reasons"] == computed.attrs["reasons"]
    assert stored.attrs["reasons"]["iris", 1]["broken"] == "RuntimeError: no luck"
    assert counts == {"done": 8} and results.algorithms == ("lda", "constant")  # they are not trials of an algorithm
    for data in (results, kept, str(kept)):
        pd.testing.assert_frame_equal(podium.characterize(data), stored, check_exact=True)
    some = podium.characterize(results.select(dataset="monks3", replication=2))
    assert some.index.tolist() == [("monks3", 2)]


def test_a_warehouse_has_only_what_its_run_kept(kept: Path) -> None:
    for others in ({"characteristics": ["obs.n"]}, {"reduce": "max"}, {"seed": 3}, {"target": "species"}):
        with pytest.raises(InputError, match=r"use podium\.characterize\(experiment\)"):
            podium.characterize(kept, **others)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"names a warehouse that does not exist: 'none\.db'"):
        podium.characterize("none.db")


@pytest.mark.usefixtures("in_this_process")
def test_what_is_there_is_not_computed_again(kept: Path) -> None:
    with podium.Warehouse(":memory:") as warehouse, podium.Warehouse(kept, readonly=True) as source:
        assert warehouse.merge(source) == 12  # 8 trials, and 4 samples
        podium.run(experiment(), warehouse, executor="threads", workers=1, progress="quiet")
        assert warehouse.attempts == 12
        more = experiment(resampling=podium.Subsampling(replications=3), characteristics=["obs.n", "resp.majority"])
        podium.run(more, warehouse, executor="threads", workers=1, progress="quiet")
        table = warehouse.characteristics()
        assert table.shape == (6, 2) and table.notna().all(axis=None)
        assert [revision.trials for revision in warehouse.history()] == [8, 4]


def test_the_file_form(tmp_path: Path) -> None:
    plain = experiment(characteristics=["obs.n", "i2r.fcc"])
    again = podium.Experiment.from_file(plain.to_file(tmp_path / "design.yaml"))
    assert [one.name for one in again.characteristics] == ["obs.n", "i2r.fcc"]
    assert plain.fingerprint() == experiment(characteristics=()).fingerprint()
    assert "characteristics" not in experiment(characteristics=()).to_dict()
    with pytest.raises(DesignError, match="'broken' was made from functions and has no file form"):
        experiment().to_yaml()
    with pytest.raises(DesignError, match="`characteristics` must be one of 'statlog'"):
        experiment(characteristics="statlogs")
    with pytest.raises(DesignError, match=r"The name '\(characteristics\)' is reserved"):
        experiment(algorithms=podium.Algorithm.named("lda").renamed("(characteristics)"))


@pytest.mark.usefixtures("in_this_process")
def test_where_nothing_is_known() -> None:
    with podium.Warehouse(":memory:") as warehouse:
        with pytest.raises(InputError, match="has no design"):
            podium.characterize(warehouse)
        results = podium.run(experiment(characteristics=()), warehouse, executor="threads", workers=1, progress="quiet")
        with pytest.raises(InputError, match=r"it was in memory. Use podium.characterize\(experiment\)"):
            podium.characterize(results)
        for read in (warehouse.characteristics, lambda: podium.characterize(warehouse)):
            with pytest.raises(InputError, match="has no characteristics: its design names none"):
                read()
