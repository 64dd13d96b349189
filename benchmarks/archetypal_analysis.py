"""Archetypal analysis: optima per second of CPU time, compared with py_pcha and archetypes from PyPI.

Run: python benchmarks/archetypal_analysis.py [starts] [three] [optima] [big] [rows] [elbow] [robust]

Without arguments all parts run, in one thread. The other packages are not part of the project's environment; install
them separately, without their dependencies:

    pip install --no-deps --target peers py_pcha==0.1.3 archetypes==0.12.2 opt_einsum pykronecker networkx
    PYTHONPATH=peers python benchmarks/archetypal_analysis.py

Parts and what should hold:

- starts: how often each starting rule reaches the best known optimum (within 1e-4), and how often per second. The
  default rule, furthest-sum, is the best on most problems. The start of the first restart has no randomness, so it is
  tried once.
- three: the four problems with three archetypes whose optimum is known (tests/reference/golden/archetypes), reached
  within 1e-4 in under 0.1 s of CPU time.
- optima: how far the default ends above the best known RSS where the data have no corners (spheres, balls, cubes,
  binary, heavy tails), and what more restarts and another starting rule gain.
- big: 20,000 × 20 with six archetypes; RSS ≤ 4098.63 in less CPU time than py_pcha needs. The methods "pgd" and
  "pseudo_pgd" of archetypes are left out: they had not ended after 180 s.
- rows: time and memory up to 1,000,000 rows: linear, and below 4 GB.
- elbow: how often each rule finds the number of corners of simulated mixtures. podium's rule is right for about half of
  them and at most one off for nearly all; the others are further off.
- robust: distance of the true corners to the nearest robust archetype in simulated tables with and without outliers,
  for podium and for the procedure of R's package, written from its description (best of 6 starts by trimmed RSS: that
  without the largest five percent of the residuals); and the trimmed RSS of the four tables of its demos, against the
  best of 100 recorded starts.

The best RSS of 200 starts of R's package archetypes 2.2-0.1 (R 4.2.2) is recorded in tests/reference/golden/archetypes.
"""

from __future__ import annotations

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import json
import resource
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from scipy.optimize import nnls
from timing import in_turns, needs, parser

import podium
from podium.analysis.archetypes.descent import Problem, descend_together
from podium.analysis.archetypes.hull import vertex
from podium.analysis.archetypes.path import chord_distances, elbow_of
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.analysis.archetypes.starts import STARTS, furthest_from_hull

REFERENCE = Path(__file__).parents[1] / "tests" / "reference"
warnings.simplefilter("ignore")


START_PROBLEMS = [
    *((name, k) for name in ("toy", "skel2", "ozone") for k in (3, 4, 5)),
    ("body", 3),
    ("body", 5),
    ("skel2", 8),
    ("ozone", 8),
]


def table(name: str) -> np.ndarray:
    X = pd.read_csv(REFERENCE / "data" / "archetypes" / f"{name}.csv").select_dtypes("number").to_numpy(float)
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


def pcha(X: np.ndarray, k: int, **options: object) -> float:
    needs("py_pcha")
    if not hasattr(np, "mat"):
        setattr(np, "mat", np.asmatrix)  # noqa: B010  # removed in numpy 2, but py_pcha calls it
    from py_pcha import PCHA

    return float(PCHA(X.T.copy(), k, **options)[3])


def peer(X: np.ndarray, k: int, **options: object) -> float:
    needs("archetypes")
    from archetypes import AA

    return float(AA(k, **options).fit(X).rss_)


def rivals(X: np.ndarray, k: int) -> dict[str, Callable[[], float]]:
    return {
        "py_pcha": partial(pcha, X, k),
        "py_pcha, tight": partial(pcha, X, k, conv_crit=1e-9, maxiter=5000),
        "archetypes pgd": partial(peer, X, k, method="pgd", init="furthest_sum", random_state=0),
        "archetypes nnls": partial(peer, X, k, method="nnls", init="furthest_sum", random_state=0),
    }


def beside(problem: str, runs: Mapping[str, Callable[[], float]], rounds: int, best: float | None = None) -> None:
    """Print RSS, median and range of the CPU seconds of runs that take turns."""
    rss: dict[str, float] = {}

    def kept(name: str) -> None:
        rss[name] = runs[name]()

    print(problem, flush=True)
    for name, seconds in in_turns({name: partial(kept, name) for name in runs}, rounds).items():
        above = "" if best is None else f"  above the optimum by {rss[name] / best - 1:9.1e}"
        print(
            f"  {name:<24} RSS {rss[name]:12.4f}  CPU {np.median(seconds):8.3f} s ({min(seconds):.3f} to "
            f"{max(seconds):.3f}){above}",
            flush=True,
        )


def starts(count: int = 20, problems: Sequence[tuple[str, int]] = tuple(START_PROBLEMS)) -> None:
    """Optima reached, and per second, by starting rule."""
    rules = {**{rule: STARTS[rule] for rule in ("furthest-sum", "hull", "random")}, "first restart": first_restart}
    most: dict[str, int] = dict.fromkeys(rules, 0)
    for name, k in problems:
        X = table(name)
        problem = Problem(X, X, np.arange(len(X)))
        known = float(podium.ArchetypalAnalysis(k, n_init=60).fit(X).rss_)
        found: dict[str, np.ndarray] = {}
        for rule, choose in rules.items():
            runs = []
            for start in range(1 if rule == "first restart" else count):
                begun = process_time()
                rows = [vertex(X, int(row)) for row in choose(X, k, np.random.default_rng([k, start]))]
                ended = descend_together(problem, [rows], tol=1e-6, most=1000)[0].criterion
                runs.append((ended, process_time() - begun))
            found[rule] = np.array(runs)
        best = min(known, *(float(runs[:, 0].min()) for runs in found.values()))
        rates = {}
        for rule, runs in found.items():
            hits = int((runs[:, 0] <= best * (1 + 1e-4)).sum())
            rates[rule] = hits / runs[:, 1].sum()
            print(
                f"{name:<6} k = {k}  {rule:<13} {hits:3d} of {len(runs):2d}  {rates[rule]:6.2f} per second", flush=True
            )
        rates.pop("first restart")
        if max(rates.values()) > 0:
            most[max(rates, key=lambda rule: rates[rule])] += 1
    print("most often per second: " + ", ".join(f"{rule} {most[rule]}" for rule in STARTS if rule in most))


def first_restart(data: np.ndarray, k: int, generator: np.random.Generator) -> np.ndarray:
    return furthest_from_hull(data, k)


def three(names: Sequence[str] = ("toy", "toy_outliers", "skel2", "ozone"), rounds: int = 5) -> None:
    """Known optima with three archetypes."""
    known = json.loads((REFERENCE / "golden" / "archetypes" / "optimum_k3.json").read_text())
    for name in names:
        X, best = table(name), known[name]["frobenius_rss_scaled"]
        ours(X, 3, n_init=1)()  # imports and caches
        starts = {"podium, 1 start": {"n_init": 1, "random_state": 1}, "podium, 3 starts": {"n_init": 3}}
        runs = {run: ours(X, 3, **options) for run, options in {**starts, "podium, 10 starts": {}}.items()}
        beside(name, {**runs, **rivals(X, 3)}, rounds, best)
        recorded = json.loads((REFERENCE / "golden" / "archetypes" / f"k3_{name}_original.json").read_text())
        its = recorded["best_by_frobenius"]["frobenius_rss_scaled"]
        print(f"  {'R archetypes, recorded':<24} RSS {its:12.4f}  above the optimum by {its / best - 1:9.1e}")


def shapeless(seed: int, n: int = 200) -> dict[str, tuple[int, np.ndarray]]:
    """Tables without corners, and numbers of archetypes."""
    rng = np.random.default_rng(seed)
    sphere = rng.normal(size=(n, 6))
    sphere /= np.linalg.norm(sphere, axis=1, keepdims=True)
    return {
        "sphere": (6, sphere),
        "ball": (6, sphere * rng.random((n, 1)) ** (1 / 6)),
        "small sphere": (5, sphere[:, :3] / np.linalg.norm(sphere[:, :3], axis=1, keepdims=True)),
        "cube": (6, rng.random((n, 4))),
        "binary": (5, (rng.random((n, 8)) < 0.4).astype(float)),
        "Cauchy": (5, rng.standard_cauchy((n, 4))),
        "t with 3 degrees": (5, rng.standard_t(3, (n, 6))),
    }


def optima(seeds: int = 4) -> None:
    """What restarts gain where the problem has many optima."""
    choices = {
        "10 restarts": {},
        "40 restarts": {"n_init": 40},
        "10 restarts, hull": {"start": "hull"},
        "40 restarts, hull": {"start": "hull", "n_init": 40},
    }
    above: dict[str, list[float]] = {choice: [] for choice in choices}
    seconds = dict.fromkeys(choices, 0.0)
    for seed in range(seeds):
        for name, (k, X) in shapeless(40 + seed).items():
            found = {}
            for choice, options in choices.items():
                found[choice], taken = timed(ours(X, k, workers=1, **options))
                seconds[choice] += taken
            best = min(found.values())
            for choice, rss in found.items():
                above[choice].append(rss / best - 1)
            print(f"{name:<18} " + "  ".join(f"{choice} {above[choice][-1]:.1e}" for choice in choices), flush=True)
    for choice, gaps in above.items():
        print(f"{choice:<20} best of these in {sum(gap <= 1e-4 for gap in gaps)} of {len(gaps)}, mean distance "
              f"{np.mean(gaps):.2%}, largest {max(gaps):.1%}, CPU {seconds[choice] / len(gaps):.2f} s")  # fmt: skip


def large() -> None:
    """20,000 × 20, six archetypes."""
    X = big(20_000)
    runs = {"podium, 1 start": ours(X, 6, n_init=1), "podium, 10 starts": ours(X, 6, workers=1)}
    slow = ("archetypes pgd",)
    beside("20,000 × 20, k = 6", runs | {name: run for name, run in rivals(X, 6).items() if name not in slow}, rounds=3)
    print(f"  {'R archetypes, recorded':<24} RSS {4262.1:12.4f}")


def rows() -> None:
    """Time and memory against the number of rows."""
    for n in (10_000, 100_000, 1_000_000):
        X = big(n)
        rss, seconds = timed(ours(X, 6, n_init=5, workers=1))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(f"{n:>9,} × 20, k = 6  RSS {rss:14.2f}  CPU {seconds:8.2f} s  {1e6 * seconds / n:6.1f} µs per row  "
              f"peak {memory:.2f} GB", flush=True)  # fmt: skip


def curvature(y: np.ndarray) -> int:
    """Return the position of the largest second difference."""
    return 1 + int((y[:-2] - 2 * y[1:-1] + y[2:]).argmax())


def elbow(tables: int = 24) -> None:
    """Rules for the elbow, where the number of corners is known."""
    off: dict[str, list[int]] = {}
    ks = range(1, 11)
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(3, 7))
        m = int(rng.integers(k - 1, k + 4))
        X = rng.dirichlet(np.full(k, [0.5, 1.0][seed % 2]), 100) @ rng.normal(size=(k, m))
        X = X + [0.02, 0.1, 0.3][seed % 3] * X.std(axis=0) * rng.normal(size=X.shape)
        rss = podium.archetypes(X, ks, n_init=2, tol=1e-4, workers=1).frame()["rss"].to_numpy()
        found = {
            "chord, root of the RSS, first within 1%": elbow_of(ks, rss),
            "chord, root of the RSS": ks[int(chord_distances(ks, rss).argmax())],
            "chord, RSS": ks[int(chord_distances(ks, rss**2).argmax())],
            "second difference, root of the RSS": ks[curvature(np.sqrt(rss))],
            "second difference, RSS": ks[curvature(rss)],
        }
        for rule, chosen in found.items():
            off.setdefault(rule, []).append(int(chosen or 0) - k)
    for rule, errors in off.items():
        wrong = np.abs(errors)
        print(f"{rule:<42} right {np.mean(wrong == 0):.2f}  at most one off {np.mean(wrong <= 1):.2f}  "
              f"mean error {np.mean(errors):+.2f}", flush=True)  # fmt: skip


def penalised(points: np.ndarray, targets: np.ndarray, penalty: float = 200.0) -> np.ndarray:
    """Coefficients by non-negative least squares with a penalty for their sum, as R's package has them."""
    system = np.column_stack([points, np.full(len(points), penalty)]).T
    found = np.array([nnls(system, np.append(target, penalty))[0] for target in targets])
    return found / found.sum(axis=1, keepdims=True)


def moving(X: np.ndarray, k: int, rng: np.random.Generator) -> tuple[float, np.ndarray]:
    """R's robust procedure from one start: observations move towards the centre by their weights."""
    Z, a, last = X[rng.choice(len(X), k, replace=False)], np.full((len(X), k), 1 / k), np.inf
    for _ in range(100):
        lengths = np.abs(X - a @ Z).sum(axis=1)
        u = np.minimum(lengths / (6 * np.median(lengths[lengths > 1.5e-8])), 1)
        moved = X + (1 - (1 - u**2) ** 2)[:, None] * (X.mean(axis=0) - X)
        free = np.linalg.lstsq(penalised(Z, moved), moved, rcond=None)[0]
        Z = penalised(moved, free) @ moved
        a = penalised(Z, X)
        norm = float(np.linalg.norm(X - a @ Z, 2)) / len(X)
        if last - norm < 1.49e-8:
            break
        last = norm
    return trimmed_rss(X, Z), Z


def trimmed_rss(X: np.ndarray, Z: np.ndarray) -> float:
    """RSS without the largest five percent of the squared residuals."""
    squares = np.sort(((X - simplex_least_squares(Z, X) @ Z) ** 2).sum(axis=1))
    return float(squares[: int(np.ceil(0.95 * len(X)))].sum())


def robust(tables: int = 8) -> None:
    """Robust archetypes and true corners; tables of R's package."""
    recorded = json.loads((REFERENCE / "golden" / "archetypes" / "robust_k3_best_by_trimmed_rss.json").read_text())
    for name in ("toy", "toy_outliers", "skel2", "ozone"):
        X = table(name)
        fitted, seconds = podium.ArchetypalAnalysis(3, family="robust"), process_time()
        fitted.fit(X)
        seconds = process_time() - seconds
        rss = trimmed_rss(X, fitted.archetypes_)
        print(f"{name:<13} trimmed RSS podium {rss:9.4f} in {seconds:.2f} s, R archetypes, recorded "
              f"{recorded[name]['trimmed_rss']:9.4f}", flush=True)  # fmt: skip
    for seed in range(tables):
        rng = np.random.default_rng(100 + seed)
        k = 3 + seed % 2
        m, outliers = k - 1 + seed % 3, [0, 4, 12][seed % 3]
        corners = 2 * rng.normal(size=(k, m))
        X = rng.dirichlet(np.ones(k), 120) @ corners + 0.05 * rng.normal(size=(120, m))
        far = X.mean(axis=0) + 8 * rng.choice([-1, 1], m) + 0.3 * rng.normal(size=(outliers, m))
        fitted = podium.ArchetypalAnalysis(k, family="robust").fit(np.vstack([X, far]))
        scale = fitted.solution_.scale
        scaled, true = scale.scaled(np.vstack([X, far])), scale.scaled(corners)
        its = min((moving(scaled, k, np.random.default_rng([seed, i])) for i in range(6)), key=lambda run: run[0])[1]
        both = (scale.scaled(fitted.archetypes_), its)
        ours_, its_ = (np.sqrt(((Z[:, None] - true) ** 2).sum(axis=2)).min(axis=0).mean() for Z in both)
        our_rss, its_rss = (trimmed_rss(scaled, Z) for Z in both)
        weight = fitted.robust_weights_[120:].max(initial=0)
        print(f"k = {k}, {m} variables, {outliers:2d} outliers: mean distance podium {ours_:.2f}, R's procedure "
              f"{its_:.2f} sd; trimmed RSS {our_rss:.3f} and {its_rss:.3f}; largest weight of an outlier {weight:.3f}",
              flush=True)  # fmt: skip


PARTS = {
    "starts": starts,
    "three": three,
    "optima": optima,
    "big": large,
    "rows": rows,
    "elbow": elbow,
    "robust": robust,
}

QUICK = {
    "starts": lambda: starts(1, START_PROBLEMS[:1]),
    "three": lambda: three(("toy",), rounds=1),
    "elbow": lambda: elbow(1),
}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("parts", nargs="*", choices=[[], *PARTS], help="by default all")
    chosen = options.parse_args()
    for part, run in (QUICK if chosen.quick else {name: PARTS[name] for name in chosen.parts or PARTS}).items():
        print(f"-- {part}")
        run()


if __name__ == "__main__":
    main()
