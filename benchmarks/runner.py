"""The cost of keeping everything: 20,000 trivial trials, compared with a bare joblib loop that stores nothing.

Run: python benchmarks/runner.py

A dummy classifier on 100 rows, 20,000 bootstrap samples, two processes. The loop draws a sample with NumPy, takes the
rows from the frame, clones, seeds, fits, predicts and counts errors, and forgets everything else (with the scorers of
scikit-learn in place of a count it takes half as long again). podium also derives each seed from the identity of the
trial, catches warnings, checks predictions, times, records and stores every trial in a file, and can be killed at any
moment. Both run in turn, each in its own process, with its start included; the median of the rounds is shown. The
project's own limits: at most 1.3 times, and memory that does not grow with the number of trials.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

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
    command = [sys.executable, __file__, "--runner", runner, "--trials", str(trials)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {**report, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def measure(runner: str, trials: int) -> None:
    start = time.perf_counter()
    mean = {"loop": run_loop, "podium": run_podium}[runner](trials)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "megabytes": peak, "mean": mean}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", help=argparse.SUPPRESS)
    parser.add_argument("--trials", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if args.runner:
        measure(args.runner, args.trials)
        return
    found: dict[str, list[dict[str, float]]] = {"loop": [], "podium": []}
    for _ in range(args.rounds):
        for runner, rounds in found.items():
            rounds.append(child(runner, args.trials))
    seconds = {runner: statistics.median(run["seconds"] for run in rounds) for runner, rounds in found.items()}
    print(f"{args.trials:,} trials, 2 processes, median of {args.rounds}")
    for runner, rounds in found.items():
        cpu = statistics.median(run["cpu"] for run in rounds)
        print(f"  {runner:8}{seconds[runner]:7.1f} s   {args.trials / seconds[runner]:7.0f}/s   {cpu:6.1f} s of CPU")
    print(f"  ratio {seconds['podium'] / seconds['loop']:9.2f}     (podium / loop)")
    fewer = child("podium", args.trials // 4)["megabytes"]
    all_of_them = max(run["megabytes"] for run in found["podium"])
    print(f"  peak memory of podium's own process: {fewer:.0f} MB with a quarter of the trials, {all_of_them:.0f} MB")


if __name__ == "__main__":
    main()
