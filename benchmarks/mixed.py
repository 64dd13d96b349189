"""Mixed models beside R's lme4 and the package mixedlm, on the same data in one run.

Run: python benchmarks/mixed.py [--quick]

R and mixedlm are used where they are installed; ``--quick`` leaves out the models that take lme4 minutes. The data
are those of the UCI domain (21 data sets × 250 × 6, 4 % of the cells missing) if ``PODIUM_REFERENCE`` or a folder
``shared`` beside the project has them, and simulated ones of the same shape if not. Ratios compare CPU times, which
other work on the machine disturbs less than elapsed ones. Then podium alone: 200 data sets × 250 replications × 30
algorithms, and how the time grows with the number of values.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

import podium
from podium.results import MeasureInfo, Results

SCALAR = "value ~ alg - 1 + (1 | ds) + (1 | dsalg) + (1 | dssamp)"
PATIENCE = {"lme4": 600, "mixedlm": 120}  # seconds for one fit
UNSTRUCTURED = "value ~ alg - 1 + (alg - 1 | ds) + (1 | dssamp)"
R_SCRIPT = """
suppressMessages({library(lme4); library(jsonlite)})
arguments <- commandArgs(TRUE)
d <- read.csv(arguments[1], stringsAsFactors = TRUE)
t <- system.time(m <- suppressWarnings(suppressMessages(lmer(as.formula(arguments[2]), d))))
cat(toJSON(list(cpu = t[[1]] + t[[2]], elapsed = t[[3]], criterion = REMLcrit(m)), auto_unbox = TRUE, digits = 12))
"""


def simulated(m: int, b: int, k: int, missing: float, seed: int = 0) -> Results:
    rng = np.random.default_rng(seed)
    values = 0.2 + 0.05 * rng.normal(size=k) + 0.09 * rng.normal(size=(m, 1, 1)) + 0.08 * rng.normal(size=(m, 1, k))
    values = values + 0.011 * rng.normal(size=(m, b, 1)) + 0.034 * rng.normal(size=(m, b, k))
    values[rng.random(values.shape) < missing] = np.nan
    return Results(
        values=values[..., None],
        datasets=tuple(f"d{i:03d}" for i in range(m)),
        replications=tuple(range(1, b + 1)),
        algorithms=tuple(f"a{i:02d}" for i in range(k)),
        measures=(MeasureInfo("error", "lower"),),
    )


def domain() -> Results:
    beside = Path(__file__).parents[2] / "shared"
    path = Path(os.environ.get("PODIUM_REFERENCE") or beside) / "data" / "eugster" / "uci621raw.csv.gz"
    if path.exists():
        return podium.read(path).select(measure="Misclassification")
    print("No reference data: a simulated domain of the same shape.")
    return simulated(21, 250, 6, 0.04)


def cpu_seconds(run: Callable[[], object], least: float = 0.5) -> float:
    """Best of several runs."""
    best, spent = np.inf, 0.0
    while True:
        start = time.process_time()
        run()
        taken = time.process_time() - start
        best, spent = min(best, taken), spent + max(taken, 1e-3)
        if spent >= least:
            return best


def frame_for_others(results: Results) -> pd.DataFrame:
    frame = results.to_long().dropna(subset="value")
    frame = frame.rename(columns={"dataset": "ds", "algorithm": "alg"})[["ds", "alg", "replication", "value"]]
    frame["dsalg"] = frame["ds"] + ":" + frame["alg"]
    frame["dssamp"] = frame["ds"] + ":" + frame["replication"].astype(str)
    return frame


def lme4(table: Path, formula: str) -> str | dict[str, float]:
    rscript = shutil.which("Rscript")
    if rscript is None:
        return "not installed"
    script = table.with_name("fit.R")
    script.write_text(R_SCRIPT, encoding="utf-8")
    return run_rival([rscript, str(script), str(table), formula], PATIENCE["lme4"])


def mixedlm(table: Path, formula: str) -> str | dict[str, float]:
    if find_spec("mixedlm") is None:
        return "not installed"
    return run_rival([sys.executable, __file__, "--mixedlm", str(table), formula], PATIENCE["mixedlm"])


def run_rival(command: list[str], patience: float) -> str | dict[str, float]:
    """Run a rival in a process of its own; it tells its CPU time and its criterion as JSON."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience)
    except subprocess.TimeoutExpired:
        return f"stopped after {patience:.0f} s"
    if done.returncode:
        return "failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1][:90]
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def fit_by_mixedlm(table: str, formula: str) -> None:
    import mixedlm as package

    frame = pd.read_csv(table)
    taken = []
    while sum(taken) < 10 and len(taken) < 3:  # the first one also loads and compiles
        start = time.process_time()
        fit = package.lmer(formula, frame)
        taken.append(time.process_time() - start)
    print(json.dumps({"cpu": min(taken), "criterion": float(package.REMLcrit(fit))}))


def beside(what: str, results: Results, formula: str, *, rivals: bool) -> None:
    covariance = "unstructured" if formula == UNSTRUCTURED else "scalar"
    fit = podium.mixed(results, covariance=covariance)
    ours = cpu_seconds(lambda: podium.mixed(results, covariance=covariance))
    print(f"{what}, {fit.nobs:,} values", flush=True)
    print(f"  podium   {1000 * ours:10.2f} ms   criterion {fit.criterion:.6f}   ({fit.solver})", flush=True)
    if not rivals:
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "d.csv"
        frame_for_others(results).to_csv(table, index=False)
        for name, rival in (("lme4", lme4), ("mixedlm", mixedlm)):
            found = rival(table, formula)
            if isinstance(found, str):
                print(f"  {name:<8} {found}", flush=True)
                continue
            above, times = found["criterion"] - fit.criterion, found["cpu"] / ours
            print(
                f"  {name:<8} {1000 * found['cpu']:10.0f} ms   criterion {above:+.6f}   {times:10.0f} times as long",
                flush=True,
            )


def simultaneous(results: Results) -> None:
    for covariance in ("scalar", "unstructured"):
        fit = podium.mixed(results, covariance=covariance)
        taken = cpu_seconds(fit.contrasts)
        print(f"  all pairs with simultaneous intervals, {covariance}: {1000 * taken:.0f} ms")


def growth() -> None:
    print("200 data sets × B replications × 30 algorithms:")
    for b, missing in ((62, 0.05), (125, 0.05), (250, 0.05), (250, 0.0)):
        results = simulated(200, b, 30, missing)
        for covariance in ("scalar", "unstructured"):
            taken = cpu_seconds(partial(podium.mixed, results, covariance=covariance), 0.0)
            n = int(results.present.sum())
            what = f"{n:>9,} values, {100 * missing:.0f} % missing, {covariance:<12}"
            print(f"  {what} {taken:6.2f} s, {1e9 * taken / n:6.0f} ns per value", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--mixedlm"]:
        fit_by_mixedlm(*sys.argv[2:4])
        return
    quick = "--quick" in sys.argv[1:]
    uci = domain()
    whole = ~uci.missing.any(axis=(0, 2, 3))
    complete = uci.select(replication=[name for name, kept in zip(uci.replications, whole, strict=True) if kept])
    beside("scalar covariance, complete", complete, SCALAR, rivals=True)
    beside("scalar covariance, cells missing", uci, SCALAR, rivals=True)
    beside("unstructured covariance, complete", complete, UNSTRUCTURED, rivals=not quick)
    beside("unstructured covariance, cells missing", uci, UNSTRUCTURED, rivals=not quick)
    simultaneous(uci)
    growth()


if __name__ == "__main__":
    main()
