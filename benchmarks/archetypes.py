"""Archetypal analysis: optima per second of CPU time, against py_pcha and archetypes from PyPI.

Run: python benchmarks/archetypes.py [starts] [three] [big] [rows]

Without arguments all parts run, in one thread. The rivals are not part of the environment of the project; install them
beside it, without their dependencies:

    pip install --no-deps --target peers py_pcha==0.1.3 archetypes==0.12.2 opt_einsum pykronecker networkx
    PYTHONPATH=peers python benchmarks/archetypes.py

Parts and what should hold:

- starts: how often each starting rule reaches the best known optimum (within 1e-4), and how often per second. The
  default rule, furthest-sum, is the best on most problems and never far from it.
- three: the four problems with three archetypes whose optimum is known (tests/reference/golden/archetypes), reached
  within 1e-4 in under 0.1 s of CPU time.
- big: 20,000 × 20 with six archetypes; RSS ≤ 4098.63 in less CPU time than py_pcha needs.
- rows: time and memory up to 1,000,000 rows: linear, and below 4 GB.

Recorded for R's package archetypes 2.2-0.1 (R 4.2.2; tests/reference/golden/archetypes/spec.md), per start: toy 0.16 s
and RSS 5.8048 at best, skel2 0.17 s and 1352.09, ozone 0.23 s and 973.76, big 18.7 s and 4262.1.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import json
import resource
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd

import podium
from podium.analysis.archetypes.descent import Problem, descend
from podium.analysis.archetypes.hull import vertex
from podium.analysis.archetypes.starts import STARTS

REFERENCE = Path(__file__).parents[1] / "tests" / "reference"
warnings.simplefilter("ignore")


def table(name: str) -> np.ndarray:
    X = pd.read_csv(REFERENCE / "data" / "archetypes" / f"{name}.csv").to_numpy(float)
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


def big(n: int) -> np.ndarray:
    """Mixtures of six points in 20 dimensions, with noise; with n = 20,000 the problem of the recorded figures."""
    rng = np.random.default_rng(2024)
    points = rng.normal(0, 3, (6, 20))
    X = rng.dirichlet(np.full(6, 0.5), n) @ points
    X += rng.normal(0, 0.1, (n, 20))
    return (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)


def timed(function: Callable[[], float]) -> tuple[float, float]:
    started = process_time()
    value = function()
    return value, process_time() - started


def ours(X: np.ndarray, k: int, **options: object) -> Callable[[], float]:
    return lambda: float(podium.ArchetypalAnalysis(k, **options).fit(X).rss_)


def pcha(X: np.ndarray, k: int, **options: object) -> Callable[[], float] | None:
    if not hasattr(np, "mat"):
        setattr(np, "mat", np.asmatrix)  # noqa: B010  # what numpy 2 has removed and py_pcha calls
    try:
        from py_pcha import PCHA
    except ImportError:
        return None
    return lambda: float(PCHA(X.T.copy(), k, **options)[3])


def peer(X: np.ndarray, k: int, **options: object) -> Callable[[], float] | None:
    own = str(Path(__file__).parent)
    sys.path[:] = [entry for entry in sys.path if entry != own]  # this file has the name of the package
    try:
        from archetypes import AA
    except ImportError:
        return None
    return lambda: float(AA(k, **options).fit(X).rss_)


def rivals(X: np.ndarray, k: int) -> dict[str, Callable[[], float] | None]:
    return {
        "py_pcha": pcha(X, k),
        "py_pcha, tight": pcha(X, k, conv_crit=1e-9, maxiter=5000),
        "archetypes pgd": peer(X, k, method="pgd", init="furthest_sum", random_state=0),
        "archetypes nnls": peer(X, k, method="nnls", init="furthest_sum", random_state=0),
    }


def show(name: str, problem: str, run: Callable[[], float] | None, best: float | None = None) -> None:
    if run is None:
        print(f"{problem:<22} {name:<24} not installed")
        return
    try:
        rss, seconds = timed(run)
    except Exception as error:
        print(f"{problem:<22} {name:<24} failed: {type(error).__name__}: {error}")
        return
    above = "" if best is None else f"  above the optimum by {rss / best - 1:9.1e}"
    print(f"{problem:<22} {name:<24} RSS {rss:12.4f}  CPU {seconds:8.3f} s{above}", flush=True)


def starts(count: int = 20) -> None:
    """Optima reached, and per second, by starting rule."""
    problems = [("toy", 3), ("toy", 5), ("skel2", 3), ("skel2", 5), ("skel2", 8), ("ozone", 3), ("ozone", 6)]
    for name, k in problems:
        X = table(name)
        problem = Problem(X, X, np.arange(len(X)))
        found: dict[str, np.ndarray] = {}
        for rule in ("furthest-sum", "hull", "random"):
            runs = []
            for start in range(count):
                begun = process_time()
                rng = np.random.default_rng([k, start])
                rows = [vertex(X, int(row)) for row in STARTS[rule](X, k, rng)]
                ended = descend(problem, rows, tol=1e-6, most=1000).criterion
                runs.append((ended, process_time() - begun))
            found[rule] = np.array(runs)
        best = min(float(runs[:, 0].min()) for runs in found.values())
        for rule, runs in found.items():
            hits = int((runs[:, 0] <= best * (1 + 1e-4)).sum())
            print(
                f"{name:<6} k = {k}  {rule:<13} {hits:3d} of {count}  {hits / runs[:, 1].sum():6.2f} per second",
                flush=True,
            )


def three() -> None:
    """Known optima with three archetypes."""
    known = json.loads((REFERENCE / "golden" / "archetypes" / "optimum_k3.json").read_text())
    for name in ("toy", "toy_outliers", "skel2", "ozone"):
        X, best = table(name), known[name]["frobenius_rss_scaled"]
        ours(X, 3, restarts=1)()  # imports and caches
        show("podium, 1 start", name, ours(X, 3, restarts=1, seed=1), best)
        show("podium, 3 starts", name, ours(X, 3, restarts=3), best)
        show("podium, 10 starts", name, ours(X, 3), best)
        for rival, run in rivals(X, 3).items():
            show(rival, name, run, best)


def large() -> None:
    """20,000 × 20, six archetypes."""
    X = big(20_000)
    show("podium, 1 start", "20,000 × 20, k = 6", ours(X, 6, restarts=1))
    show("podium, 10 starts", "20,000 × 20, k = 6", ours(X, 6, workers=1))
    for rival in ("py_pcha", "py_pcha, tight"):
        show(rival, "20,000 × 20, k = 6", rivals(X, 6)[rival])


def rows() -> None:
    """Time and memory against the number of rows."""
    for n in (10_000, 100_000, 1_000_000):
        X = big(n)
        rss, seconds = timed(ours(X, 6, restarts=5, workers=1))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{n:>9,} × 20, k = 6  RSS {rss:14.2f}  CPU {seconds:8.2f} s  {1e6 * seconds / n:6.1f} µs per row  "
              f"peak {memory:.2f} GB", flush=True)  # fmt: skip


PARTS = {"starts": starts, "three": three, "big": large, "rows": rows}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        print(f"-- {part}")
        PARTS[part]()
