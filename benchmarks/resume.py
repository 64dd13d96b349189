"""Planning a resume: how long it takes to find out what is left to do when 1,000,000 trials are done.

Run: python benchmarks/resume.py [--quick]

A warehouse file with 50 data sets × 1,000 replications × 20 algorithms, nearly all done, is planned by podium; for
comparison, sqlite3 alone fetches its keys, the minimum that any program must do. Times are CPU times. The project's own
limit: below 3 s.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from timing import compare, parser

import podium
from podium.running.design import record_design
from podium.running.plan import plan_trials
from podium.store.record import TrialKey, TrialRecord
from podium.store.warehouse import Warehouse


class Nothing:
    def fit(self, X: object, y: object) -> None:
        pass


def design(trials: int) -> podium.Experiment:
    data = podium.Dataset.generated("twonorm", n=20).fixed(seed=1)
    return podium.Experiment(
        [data.renamed(f"data set {i}") for i in range(50)],
        [podium.Algorithm(f"algorithm {i}", Nothing()) for i in range(20)],
        podium.Bootstrap(replications=trials // 1000),
        ["misclassification"],
    )


def fill(warehouse: Warehouse, experiment: podium.Experiment, left: int) -> None:
    agreement = record_design(experiment, warehouse)
    keys = [TrialKey(*key) for key in experiment.trials()][:-left]
    for start in range(0, len(keys), 50_000):
        warehouse.append(
            agreement.stamped(TrialRecord(key=key, status="done", values={"misclassification": 0.5}))
            for key in keys[start : start + 50_000]
        )


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--trials", type=int, default=1_000_000)
    chosen = options.parse_args()
    trials = 2_000 if chosen.quick else chosen.trials
    experiment = design(trials)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "w.db"
        with Warehouse(path) as warehouse:
            fill(warehouse, experiment, left=137)

        def plan() -> None:
            with Warehouse(path) as warehouse:
                design = record_design(experiment, warehouse).document
                assert len(plan_trials(experiment, warehouse, design)) == 137

        def fetch() -> None:
            with sqlite3.connect(path) as connection:
                connection.execute("SELECT dataset, replication, algorithm, status FROM trial").fetchall()

        runs = {"podium, open and plan": plan, "sqlite3, fetch the keys": fetch}
        compare(f"{trials:,} trials", runs, rounds=1 if chosen.quick else 3)


if __name__ == "__main__":
    main()
