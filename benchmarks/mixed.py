"""Mixed models compared with R's lme4 and the packages mixedlm and statsmodels, on the same data in one run.

Run: python benchmarks/mixed.py [--quick]

R, mixedlm and statsmodels are used where they are installed; ``--quick`` leaves out the fits that take them minutes.
The data are the UCI domain of ``tests/reference`` (21 data sets × 250 replications × 6 algorithms, 4% of the cells
missing). Ratios compare CPU times, which other work on the machine affects less than elapsed times. Then podium alone:
200 data sets × 250 replications × 30 algorithms, and how the time grows with the number of values.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd

import podium
from podium.results import MeasureInfo, Results

SCALAR = "value ~ alg - 1 + (1 | ds) + (1 | dsalg) + (1 | dssamp)"
PATIENCE = {"lme4": 600, "mixedlm": 120, "statsmodels": 1200}  # seconds for one fit
BLOCK = "value ~ alg - 1 + (1 | dssamp)"
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
    path = Path(__file__).parents[1] / "tests" / "reference" / "data" / "eugster" / "uci621raw.csv.gz"
    return podium.read(path).select(measure="Misclassification")


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


def python_package(name: str, table: Path, formula: str) -> str | dict[str, float]:
    if find_spec(name) is None:
        return "not installed"
    return run_rival([sys.executable, __file__, "--rival", name, str(table), formula], PATIENCE[name])


def run_rival(command: list[str], patience: float) -> str | dict[str, float]:
    """Run another package in its own process; it prints its CPU time and its criterion as JSON."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience)
    except subprocess.TimeoutExpired:
        return f"stopped after {patience:.0f} s"
    if done.returncode:
        return "failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1][:90]
    found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def fit_by_package(name: str, table: str, formula: str) -> None:
    frame = pd.read_csv(table)
    fit = {"mixedlm": fit_by_mixedlm, "statsmodels": fit_by_statsmodels}[name]
    taken: list[float] = []
    while sum(taken) < 10 and len(taken) < 3:  # the first run also loads and compiles
        start = time.process_time()
        criterion = fit(frame, formula)
        taken.append(time.process_time() - start)
    print(json.dumps({"cpu": min(taken), "criterion": criterion}))


def fit_by_mixedlm(frame: pd.DataFrame, formula: str) -> float:
    import mixedlm

    return float(mixedlm.REMLcrit(mixedlm.lmer(formula, frame)))


def fit_by_statsmodels(frame: pd.DataFrame, formula: str) -> float:
    import statsmodels.formula.api as statsmodels

    if formula == BLOCK:
        return float(-2 * statsmodels.mixedlm("value ~ 0 + C(alg)", frame, groups="dssamp").fit(reml=True).llf)
    if formula == SCALAR:
        options = {"vc_formula": {"alg": "0 + C(alg)", "samp": "0 + C(replication)"}, "re_formula": "1"}
    else:
        options = {"vc_formula": {"samp": "0 + C(replication)"}, "re_formula": "0 + C(alg)"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = statsmodels.mixedlm("value ~ 0 + C(alg)", frame, groups="ds", **options).fit(reml=True)
    return float(-2 * fit.llf)


def beside(what: str, results: Results, formula: str, *, rivals: bool) -> None:
    covariance = "unstructured" if formula == UNSTRUCTURED else "scalar"
    fit = podium.mixed(results, covariance=covariance)
    ours = cpu_seconds(lambda: podium.mixed(results, covariance=covariance))
    print(f"{what}, {fit.nobs:,} values", flush=True)
    print(f"  podium      {1000 * ours:10.2f} ms   criterion {fit.criterion:.6f}   ({fit.solver})", flush=True)
    if not rivals:
        return
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "d.csv"
        frame_for_others(results).to_csv(table, index=False)
        rivals_by_name = {"lme4": lme4} | {name: partial(python_package, name) for name in ("mixedlm", "statsmodels")}
        for name, rival in rivals_by_name.items():
            found = rival(table, formula)
            if isinstance(found, str):
                print(f"  {name:<11} {found}", flush=True)
                continue
            above, times = found["criterion"] - fit.criterion, found["cpu"] / ours
            print(
                f"  {name:<11} {1000 * found['cpu']:10.0f} ms   criterion {above:+.6f}   {times:10.0f} times as long",
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
            what = f"{n:>9,} values, {100 * missing:.0f}% missing, {covariance:<12}"
            print(f"  {what} {taken:6.2f} s, {1e9 * taken / n:6.0f} ns per value", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--rival"]:
        fit_by_package(*sys.argv[2:5])
        return
    quick = "--quick" in sys.argv[1:]
    uci = domain()
    whole = ~uci.missing.any(axis=(0, 2, 3))
    complete = uci.select(replication=[name for name, kept in zip(uci.replications, whole, strict=True) if kept])
    beside("one data set, complete", uci.select(dataset="monks3"), BLOCK, rivals=True)
    beside("scalar covariance, complete", complete, SCALAR, rivals=True)
    beside("scalar covariance, cells missing", uci, SCALAR, rivals=not quick)
    beside("unstructured covariance, complete", complete, UNSTRUCTURED, rivals=not quick)
    beside("unstructured covariance, cells missing", uci, UNSTRUCTURED, rivals=not quick)
    simultaneous(uci)
    growth()


if __name__ == "__main__":
    main()
