"""Tables of scores that a report must cope with, by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

import podium

DATA = Path(__file__).parents[1] / "reference" / "data"
REFERENCE = DATA / "eugster"
NAMES = [
    "answer",
    "design",
    "distributions",
    "inference",
    "order",
    "criteria",
    "domain",
    "costs",
    "tree",
    "stopping",
    "cautions",
    "methods",
    "provenance",
]
HOSTILE = [
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "\\input{x} 50% $_#&",
    "支持 \x1b[31m",
]
# Titles and authors; the other reports have none.
TITLES = {
    "costs": ("Three classifiers", ["A. Author", "B. Author"]),
    "hostile": ("<img src=x onerror=alert(1)>", HOSTILE[0]),
}
WHOLE = ["hostile"]  # written in all forms


def cube(m: int, b: int, k: int, *, holes: float = 0.0, equal: bool = False, seed: int = 1) -> podium.Results:
    """Scores of K algorithms, the first ones better, on M data sets with B replications."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(m, b, k)) + np.arange(k) + rng.normal(size=(m, 1, 1))
    if equal:
        values[:] = 0.5
    values[rng.random(values.shape) < holes] = np.nan
    labels = {
        "dataset": [f"d{i}" for i in range(m)],
        "replication": list(range(1, b + 1)),
        "algorithm": [f"a{i}" for i in range(k)],
    }
    return podium.read(values, labels=labels, measure="loss", direction="lower")


def hostile() -> podium.Results:
    """Scores of algorithms and data sets whose names are markup, commands and paths."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.random((7, 5)), columns=HOSTILE)
    frame.insert(0, "dataset", [f"{name} {i}" for i, name in enumerate([*HOSTILE, "C4.5", "0.25"])])
    return podium.read(frame, measure="loss", direction="lower")


def costs() -> podium.Results:
    """Scores by two measures, one of them a time."""
    rng = np.random.default_rng(3)
    values = np.stack(
        [rng.random((6, 8, 3)) + np.arange(3), np.exp(rng.normal(size=(6, 8, 3)) - np.arange(3))], axis=-1
    )
    labels = {
        "dataset": [f"d{i}" for i in range(6)],
        "replication": list(range(1, 9)),
        "algorithm": ["svm", "knn", "lda"],
        "measure": ["error", "fit time"],
    }
    return podium.read(values, labels=labels, units={"fit time": "s"})


SOURCES = {
    "two algorithms": lambda: cube(8, 1, 2),
    "one data set": lambda: cube(1, 15, 3),
    "one replication": lambda: cube(1, 1, 3),
    "one algorithm": lambda: cube(5, 2, 1),
    "half missing": lambda: cube(10, 1, 6, holes=0.5),
    "all equal": lambda: cube(6, 1, 4, equal=True),
    "a hundred algorithms": lambda: cube(7, 1, 100),
    "hostile": hostile,
    "costs": costs,
    "demsar": podium.examples.load_demsar2006,
    "ulas": podium.examples.load_ulas2008,
    "monks3": lambda: podium.read(REFERENCE / "monks3raw.csv"),
    "uci": lambda: podium.read(REFERENCE / "uci621raw.csv.gz"),
    "demo": lambda: podium.read(DATA / "podium" / "demo.csv.gz"),
}
