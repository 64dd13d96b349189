"""Time of `podium.bradley_terry_tree`.

    python benchmarks/trees.py [--rows 100000] [--characteristics 50]

Grows the tree of the reference data `synthetic` (600 rows, 4 algorithms, 6 characteristics) and prints the ratio to the
time that the R package psychotree took for it, 10.8 s, as recorded with the reference; R is not run here. Then a
tree over many rows of 6 algorithms, with one planted split.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import podium

PSYCHOTREE = 10.8  # seconds, recorded with the reference
SYNTHETIC = Path(__file__).parents[1] / "tests" / "reference" / "golden" / "bttree" / "synthetic.csv"


def synthetic() -> tuple[podium.PairedComparisons, pd.DataFrame]:
    table = pd.read_csv(SYNTHETIC)
    pairs = [name for name in table.columns if ":" in name]
    covariates = table.drop(columns=pairs)
    quality = pd.Categorical(covariates["quality"], categories=["low", "mid", "high"], ordered=True)
    return podium.PairedComparisons.from_frame(table[pairs]), covariates.assign(quality=quality)


def large(rows: int, characteristics: int) -> tuple[podium.PairedComparisons, pd.DataFrame]:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(rows, characteristics))
    scores = rng.normal(size=(rows, 6)) + np.linspace(0, 1, 6) * np.where(values[:, :1] > 0, 1, -1)
    labels = {"dataset": [f"data {i}" for i in range(rows)], "algorithm": [f"a{k}" for k in range(6)]}
    results = podium.read(scores, labels=labels, measure="error", direction="lower")
    names = [f"x{i}" for i in range(characteristics)]
    return podium.PairedComparisons.from_results(results), pd.DataFrame(values, columns=names)


def timed(pairs: podium.PairedComparisons, covariates: pd.DataFrame, min_size: int) -> tuple[float, int]:
    start = time.perf_counter()
    tree = podium.bradley_terry_tree(pairs, covariates, min_size=min_size)
    return time.perf_counter() - start, len(tree.leaves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--characteristics", type=int, default=50)
    arguments = parser.parse_args()
    timed(*synthetic(), 30)  # the first call imports and compiles
    seconds, leaves = timed(*synthetic(), 30)
    print(f"synthetic: {seconds:.2f} s, {leaves} leaves; psychotree {PSYCHOTREE} s: ratio {PSYCHOTREE / seconds:.0f}")
    seconds, leaves = timed(*large(arguments.rows, arguments.characteristics), 100)
    shape = f"{arguments.rows:,} rows × 6 algorithms × {arguments.characteristics} characteristics"
    print(f"{shape}: {seconds:.1f} s, {leaves} leaves")


if __name__ == "__main__":
    main()
