"""Growing a Bradley–Terry tree: podium against the R package psychotree, then many rows alone.

python benchmarks/trees.py [--rows 100000] [--characteristics 50]

The tree of the reference data `synthetic` (600 rows, 4 algorithms, 6 characteristics), then a tree over many rows of 6
algorithms with one planted split.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from timing import compare, in_r, parser

import podium

SYNTHETIC = Path(__file__).parents[1] / "tests" / "reference" / "golden" / "bttree" / "synthetic.csv"
R_SCRIPT = """
d <- read.csv(commandArgs(TRUE)[1], check.names = FALSE, stringsAsFactors = TRUE)
d$quality <- factor(d$quality, levels = c("low", "mid", "high"), ordered = TRUE)
at <- grepl(":", names(d))
objects <- unique(unlist(strsplit(names(d)[at], ":")))
d2 <- d[!at]
d2$preference <- paircomp(as.matrix(d[at]), labels = objects)
t <- system.time(bttree(preference ~ ., data = d2, minsize = 30))
cat(t[[1]] + t[[2]])
"""


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


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--rows", type=int, default=100_000)
    options.add_argument("--characteristics", type=int, default=50)
    chosen = options.parse_args()
    rows, characteristics = (500, 3) if chosen.quick else (chosen.rows, chosen.characteristics)
    pairs, covariates = synthetic()
    podium.bradley_terry_tree(pairs, covariates, min_size=30)  # the first call imports and compiles
    runs = {
        "podium": lambda: podium.bradley_terry_tree(pairs, covariates, min_size=30),
        "psychotree": lambda: in_r("psychotree", R_SCRIPT, SYNTHETIC),
    }
    compare("600 rows × 4 algorithms × 6 characteristics", runs, rounds=1 if chosen.quick else 3)
    many, values = large(rows, characteristics)
    what = f"{rows:,} rows × 6 algorithms × {characteristics} characteristics"
    compare(what, {"podium": lambda: podium.bradley_terry_tree(many, values, min_size=100)}, rounds=1)


if __name__ == "__main__":
    main()
