"""Reading a large warehouse: status, results, plan, check and export of 1,000,000 trials, and the memory they take.

Run: python benchmarks/warehouse.py [--quick]

A file with 10 data sets × 10,000 replications × 10 algorithms, a tenth of them failed with tracebacks, is made once.
Times are CPU times, each compared with the time that sqlite3 alone needs to fetch every column of the trials, the
minimum that any program must do. Each is measured in its own process, so its peak memory is separate.
"""

from __future__ import annotations

import argparse
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from timing import compare, cpu, parser

from podium.store import TrialKey, TrialRecord, Warehouse

DATASETS, ALGORITHMS = 10, 10


def fill(path: Path, trials: int) -> None:
    replications = trials // (DATASETS * ALGORITHMS)
    design: dict[str, Any] = {
        "datasets": [f"data set {i}" for i in range(DATASETS)],
        "algorithms": [f"algorithm {i}" for i in range(ALGORITHMS)],
        "replications": replications,
        "measures": [
            {"name": "accuracy", "direction": "higher", "units": "", "scale": None},
            {"name": "fit time", "direction": "lower", "units": "s", "scale": "log"},
        ],
        "experiment": None,
    }
    values = np.random.default_rng(0).random((trials, 2)).tolist()
    with Warehouse(path) as warehouse:
        warehouse.set_design(design, "benchmark")
        batch: list[TrialRecord] = []
        for i in range(trials):
            rest, k = divmod(i, ALGORITHMS)
            m, b = divmod(rest, replications)
            key = TrialKey(design["datasets"][m], b + 1, design["algorithms"][k])
            if (b + k) % 10 == 0:
                outcome: dict[str, Any] = {"status": "failed", "error_type": "ValueError", "message": f"wrong {b % 7}"}
                outcome["traceback"] = "line of a traceback\n" * 20
            else:
                outcome = {"status": "done", "values": dict(zip(("accuracy", "fit time"), values[i], strict=True))}
            batch.append(TrialRecord(key=key, seed=i, started=1e9 + i, n_learn=100, n_test=50, **outcome))
            if len(batch) == 10_000:
                warehouse.append(batch)
                batch = []
        warehouse.append(batch)


def bare(path: Path) -> None:
    connection = sqlite3.connect(path)
    for _ in connection.execute("SELECT * FROM trial ORDER BY id"):
        pass
    connection.close()


def using(read: Callable[[Warehouse], Any]) -> Callable[[Path], None]:
    def call(path: Path) -> None:
        with Warehouse(path, readonly=True) as warehouse:
            read(warehouse)

    return call


CALLS: dict[str, Callable[[Path], Any]] = {
    "sqlite3 alone": bare,
    "status": using(lambda warehouse: warehouse.status()),
    "results": using(lambda warehouse: warehouse.results()),
    "plan": using(lambda warehouse: warehouse.status_codes()),
    "check": using(lambda warehouse: warehouse.check()),
    "export to CSV": lambda path: using(lambda warehouse: warehouse.export_trials(path.with_name("t.csv")))(path),
}


def measure(name: str, path: Path) -> None:
    start = cpu()
    CALLS[name](path)
    seconds = cpu() - start
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(f"{seconds} {int(peak.split()[1]) / 1024}")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--trials", type=int, default=1_000_000)
    options.add_argument("--call", choices=CALLS, help=argparse.SUPPRESS)
    options.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.call:
        measure(chosen.call, chosen.path)
        return
    trials = 1_000 if chosen.quick else chosen.trials
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.db"
        fill(path, trials)
        megabytes: dict[str, float] = {}

        def alone(name: str) -> float:
            command = [sys.executable, __file__, "--call", name, "--path", str(path)]
            printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            seconds, megabytes[name] = map(float, printed.split())
            return seconds

        size = f"{trials:,} trials, {path.stat().st_size / 2**20:.0f} MB"
        compare(size, {name: partial(alone, name) for name in CALLS}, rounds=1 if chosen.quick else 3)
        print("peak memory: " + ", ".join(f"{name} {most:.0f} MB" for name, most in megabytes.items()))


if __name__ == "__main__":
    main()
