"""Mixed models compared with R's lme4 and the packages mixedlm and statsmodels, on the same data in one run.

Run: python benchmarks/mixed.py [--quick]

R, mixedlm and statsmodels are used where they are installed.
The data are the UCI domain of ``tests/reference`` (21 data sets × 250 replications × 6 algorithms, 4% of the cells
missing). Ratios compare CPU times, which other work on the machine affects less than elapsed times. Then podium alone:
200 data sets × 250 replications × 30 algorithms, and how the time grows with the number of values.
"""

from __future__ import annotations

import tempfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from timing import compare, cpu, in_r, needs, parser

import podium
from podium.results import MeasureInfo, Results

SCALAR = "value ~ alg - 1 + (1 | ds) + (1 | dsalg) + (1 | dssamp)"
BLOCK = "value ~ alg - 1 + (1 | dssamp)"
UNSTRUCTURED = "value ~ alg - 1 + (alg - 1 | ds) + (1 | dssamp)"
R_SCRIPT = """
arguments <- commandArgs(TRUE)
d <- read.csv(arguments[1], stringsAsFactors = TRUE)
t <- system.time(m <- suppressWarnings(suppressMessages(lmer(as.formula(arguments[2]), d))))
cat(REMLcrit(m), t[[1]] + t[[2]])
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


def frame_for_others(results: Results) -> pd.DataFrame:
    frame = results.to_long().dropna(subset="value")
    frame = frame.rename(columns={"dataset": "ds", "algorithm": "alg"})[["ds", "alg", "replication", "value"]]
    frame["dsalg"] = frame["ds"] + ":" + frame["alg"]
    frame["dssamp"] = frame["ds"] + ":" + frame["replication"].astype(str)
    return frame


def fit_by_mixedlm(frame: pd.DataFrame, formula: str) -> float:
    needs("mixedlm")
    import mixedlm

    start = cpu()
    mixedlm.REMLcrit(mixedlm.lmer(formula, frame))
    return cpu() - start


def fit_by_statsmodels(frame: pd.DataFrame, formula: str) -> float:
    needs("statsmodels")
    import statsmodels.formula.api as statsmodels

    if formula == BLOCK:
        options = {"groups": "dssamp"}
    elif formula == SCALAR:
        parts = {"alg": "0 + C(alg)", "samp": "0 + C(replication)"}
        options = {"groups": "ds", "vc_formula": parts, "re_formula": "1"}
    else:
        options = {"groups": "ds", "vc_formula": {"samp": "0 + C(replication)"}, "re_formula": "0 + C(alg)"}
    start = cpu()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        statsmodels.mixedlm("value ~ 0 + C(alg)", frame, **options).fit(reml=True)
    return cpu() - start


def beside(what: str, results: Results, formula: str, *, rounds: int, rivals: bool = True) -> None:
    covariance = "unstructured" if formula == UNSTRUCTURED else "scalar"
    fit = podium.mixed(results, covariance=covariance)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "d.csv"
        frame = frame_for_others(results)
        frame.to_csv(table, index=False)
        runs = {"podium": lambda: podium.mixed(results, covariance=covariance)}
        if rivals:
            runs["R's lme4"] = lambda: in_r("lme4", R_SCRIPT, table, formula)
            runs["mixedlm"] = lambda: fit_by_mixedlm(frame, formula)
            runs["statsmodels"] = lambda: fit_by_statsmodels(frame, formula)
        compare(f"{what}, {fit.nobs:,} values, criterion {fit.criterion:.6f} ({fit.solver})", runs, rounds)


def simultaneous(results: Results, rounds: int) -> None:
    for covariance in ("scalar", "unstructured"):
        fit = podium.mixed(results, covariance=covariance)
        compare(f"all pairs with simultaneous intervals, {covariance}", {"podium": fit.contrasts}, rounds)


def growth(datasets: int) -> None:
    for b, missing in ((62, 0.05), (125, 0.05), (250, 0.05), (250, 0.0)):
        results = simulated(datasets, b, 30, missing)
        for covariance in ("scalar", "unstructured"):
            shape = f"{datasets} data sets × {b} replications × 30 algorithms"
            what = f"{shape}, {100 * missing:.0f}% missing, {covariance}"
            compare(what, {"podium": partial(podium.mixed, results, covariance=covariance)}, rounds=1)


def main() -> None:
    quick = parser(__doc__).parse_args().quick
    rounds = 1 if quick else 3
    uci = domain()
    beside("one data set, complete", uci.select(dataset="monks3"), BLOCK, rounds=rounds, rivals=not quick)
    if quick:
        return
    whole = ~uci.missing.any(axis=(0, 2, 3))
    complete = uci.select(replication=[name for name, kept in zip(uci.replications, whole, strict=True) if kept])
    beside("scalar covariance, complete", complete, SCALAR, rounds=rounds)
    beside("scalar covariance, cells missing", uci, SCALAR, rounds=rounds)
    # The rivals need minutes for the next two.
    beside("unstructured covariance, complete", complete, UNSTRUCTURED, rounds=1)
    beside("unstructured covariance, cells missing", uci, UNSTRUCTURED, rounds=1)
    simultaneous(uci, rounds)
    growth(200)


if __name__ == "__main__":
    main()
