"""Algorithms whose differences are known, and experiments with them that may stop early."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import trouble

import podium
from podium.store import Warehouse

TIMES = ["started", "fit_seconds", "predict_seconds", "host"]
RACE: dict[str, Any] = {"kind": "combination", "first": 10, "step": 6, "racing": True}


class Noisy:
    """Knows the class, and errs with a probability; its errors depend on its seed alone."""

    def __init__(self, error: float, random_state: int | None = None) -> None:
        self.error = error
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any) -> Noisy:
        return self

    def predict(self, X: pd.DataFrame) -> Any:
        wrong = np.random.default_rng(self.random_state).random(len(X)) < self.error
        return np.where((X["a"].to_numpy() > 0) != wrong, "yes", "no")


class Flaky(Noisy):
    """Fails in one of four trials."""

    def fit(self, X: pd.DataFrame, y: Any) -> Flaky:
        if (self.random_state or 0) % 4 == 0:
            raise ZeroDivisionError("one of four")
        return self


class GatedNoisy(trouble.Gated):
    """Waits at a gate, and errs with a probability."""

    def __init__(self, folder: str, error: float, random_state: int | None = None) -> None:
        super().__init__(folder, random_state)
        self.error = error

    predict = Noisy.predict


class RecoveringNoisy(Noisy):
    """Fails as long as a file is there."""

    def __init__(self, error: float, file: str, random_state: int | None = None) -> None:
        super().__init__(error, random_state)
        self.file = file

    def fit(self, X: pd.DataFrame, y: Any) -> RecoveringNoisy:
        if Path(self.file).exists() and (self.random_state or 0) % 3 == 0:
            raise OSError("not yet")
        return self


def clear(name: str, n: int = 40) -> podium.Dataset:
    """A small data set whose classes show in the first attribute."""
    rng = np.random.default_rng(sum(name.encode()))
    X = pd.DataFrame(rng.normal(size=(n, 2)), columns=["a", "b"])
    return podium.Dataset(name=name, X=X, y=pd.Series(np.where(X["a"] > 0, "yes", "no")))


def experiment(
    algorithms: dict[str, Any] | None = None,
    *,
    replications: int = 28,
    datasets: tuple[str, ...] = ("one", "two"),
    measures: Any = ("misclassification",),
    **more: Any,
) -> podium.Experiment:
    """An experiment with a good algorithm, one that is close to it, and a bad one."""
    things = algorithms or {"good": Noisy(0.1), "close": Noisy(0.22), "bad": Noisy(0.45)}
    named = [podium.Algorithm(name, thing) for name, thing in things.items()]
    scheme = podium.Bootstrap(replications=replications)
    return podium.Experiment([clear(name) for name in datasets], named, scheme, list(measures), **more)


def decisions(warehouse: Warehouse) -> list[tuple[str, int, Any]]:
    """Everything that was decided, as plain values."""
    return [(made.dataset, made.stage, json.loads(made.document())) for made in warehouse.decisions()]


def counted_trials(warehouse: Warehouse) -> pd.DataFrame:
    """Every trial that counts, apart from times, in the order of the design."""
    known = warehouse.trials().drop(columns=TIMES)
    return known.sort_values(["dataset", "replication", "algorithm"], ignore_index=True)


def assert_same(one: Warehouse, two: Warehouse) -> None:
    """Check that two warehouses have the same decisions, trials and results."""
    assert decisions(one) == decisions(two)
    pd.testing.assert_frame_equal(counted_trials(one), counted_trials(two))
    assert one.results() == two.results()
