"""The cost of keeping everything: 20,000 trivial trials, compared with a bare joblib loop that stores nothing.

Run: python benchmarks/runner.py [--quick]

A dummy classifier on 100 rows, 20,000 bootstrap samples, two processes. The loop draws a sample with NumPy, takes the
rows from the frame, clones, seeds, fits, predicts and counts errors, and forgets everything else (with the scorers of
scikit-learn in place of a count it takes half as long again). podium also derives each seed from the identity of the
trial, catches warnings, checks predictions, times, records and stores every trial in a file, and can be killed at any
moment. Both run in turn, each in its own process, with its start included; the median of the rounds is shown. The
project's own limits: at most 1.3 times, and memory that does not grow with the number of trials.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from timing import cpu, memory_of_all, parser

ROWS = 100


def data() -> tuple[pd.DataFrame, pd.Series]:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(ROWS, 5)), columns=list("abcde"))
    return X, pd.Series(rng.choice(["no", "yes"], ROWS), dtype="category")


def one(X: pd.DataFrame, y: pd.Series, model: Any, replication: int) -> float:
    """Draw, fit, score: the loop that people write."""
    from sklearn.base import clone

    rng = np.random.default_rng([1, replication])
    learn = rng.integers(0, len(X), len(X))
    test = np.setdiff1d(np.arange(len(X)), learn)
    fitted = clone(model).set_params(random_state=replication).fit(X.iloc[learn], y.iloc[learn])
    return float(np.mean(fitted.predict(X.iloc[test]) != y.iloc[test]))


def run_loop(trials: int) -> float:
    from joblib import Parallel, delayed
    from sklearn.dummy import DummyClassifier

    X, y = data()
    scores = Parallel(n_jobs=2)(delayed(one)(X, y, DummyClassifier(), b) for b in range(1, trials + 1))
    return float(np.mean(scores))


def run_podium(trials: int) -> float:
    from sklearn.dummy import DummyClassifier

    import podium

    X, y = data()
    design = podium.Experiment(
        [podium.Dataset(name="noise", X=X, y=y)],
        [DummyClassifier()],
        podium.Bootstrap(replications=trials),
        ["misclassification"],
    )
    with tempfile.TemporaryDirectory() as folder:
        return float(podium.run(design, Path(folder) / "w.db", workers=2, progress="quiet").values.mean())


def child(runner: str, trials: int) -> dict[str, float]:
    """Run one of them in a process of its own; report its CPU seconds and the peak memory of all its processes."""
    command = [sys.executable, __file__, "--runner", runner, "--trials", str(trials)]
    before, start, peak = cpu(), time.perf_counter(), 0.0
    process = subprocess.Popen(command)
    while process.poll() is None:
        peak = max(peak, memory_of_all(process.pid))
        time.sleep(0.1)
    if process.returncode:
        raise RuntimeError(f"{runner} failed")
    return {"seconds": time.perf_counter() - start, "cpu": cpu() - before, "megabytes": peak}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--runner", choices=RUNNERS, help=argparse.SUPPRESS)
    options.add_argument("--trials", type=int, default=20_000)
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    if chosen.runner:
        RUNNERS[chosen.runner](chosen.trials)
        return
    trials, rounds = (40, 1) if chosen.quick else (chosen.trials, chosen.rounds)
    found: dict[str, list[dict[str, float]]] = {"loop": [], "podium": [], "podium, a quarter": []}
    for _ in range(rounds):
        for runner, runs in found.items():
            runs.append(child(runner.split(",")[0], trials // 4 if "quarter" in runner else trials))
    print(f"{trials:,} trials, 2 processes")
    for runner, runs in found.items():
        line = [f"  {runner:18}"]
        for what, unit in (("seconds", "s"), ("cpu", "s of CPU"), ("megabytes", "MB in all processes")):
            values = [run[what] for run in runs]
            line.append(f"{statistics.median(values):8.1f} {unit} ({min(values):.1f} to {max(values):.1f})")
        print(" ".join(line))
    medians = {runner: statistics.median(run["cpu"] for run in runs) for runner, runs in found.items()}
    print(f"  ratio of CPU time {medians['podium'] / medians['loop']:.2f}     (podium / loop)")


RUNNERS = {"loop": run_loop, "podium": run_podium}

if __name__ == "__main__":
    main()
