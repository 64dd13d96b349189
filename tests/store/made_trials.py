from __future__ import annotations

import dataclasses
import sqlite3
from contextlib import closing
from typing import Any

from podium.store import TrialKey, TrialRecord

DESIGN: dict[str, Any] = {
    "datasets": ["iris", "wine"],
    "algorithms": ["svm", "knn"],
    "replications": 3,
    "measures": [
        {"name": "accuracy", "direction": "higher", "units": "", "scale": None},
        {"name": "fit time", "direction": "lower", "units": "s", "scale": "log"},
    ],
    "experiment": None,
}


def trial(dataset: str, replication: int, algorithm: str, **changes: Any) -> TrialRecord:
    """A finished trial whose accuracy identifies it."""
    place = DESIGN["datasets"].index(dataset) * 100 + replication * 10 + DESIGN["algorithms"].index(algorithm)
    record = TrialRecord(
        key=TrialKey(dataset, replication, algorithm),
        status="done",
        values={"accuracy": 1 / (3 + place), "fit time": 0.25},
        repeat=1,
        fold=replication,
        n_learn=100,
        n_test=50,
        seed=2**62 + place,
        started=1234567890.125,
        fit_seconds=0.25,
        predict_seconds=0.125,
        host='{"host": "a"}',
    )
    return dataclasses.replace(record, **changes)


def broken(dataset: str, replication: int, algorithm: str, status: str, **changes: Any) -> TrialRecord:
    """A trial that did not end as done."""
    reason = {"error_type": "ValueError", "message": "100 % wrong? yes: \"'ü", "traceback": "line 1\nline 2"}
    return trial(dataset, replication, algorithm, status=status, values={}, **{**reason, **changes})


def everything() -> list[TrialRecord]:
    """All twelve trials of the design, done."""
    return [
        trial(dataset, replication, algorithm)
        for dataset in DESIGN["datasets"]
        for replication in (1, 2, 3)
        for algorithm in DESIGN["algorithms"]
    ]


def change(where: str, *statements: str) -> None:
    """Change a warehouse behind podium's back."""
    if where.startswith("postgresql"):
        import psycopg

        with psycopg.connect(where) as server:
            for statement in statements:
                server.execute(statement)
        return
    with closing(sqlite3.connect(where)) as file, file:
        for statement in statements:
            file.execute(statement)
