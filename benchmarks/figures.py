"""Figures: how long they take, compared with plain matplotlib and pandas, and how large their files are.

Run: python benchmarks/figures.py

Each time is that of drawing and of saving as PNG. pandas' parallel
coordinates are the closest equivalent of a benchmark experiment plot: one line per replication, no places, no
counts. What must hold: 250 replications of 6 algorithms draw in about a second, and the figure of 10,000 replications
of 30 algorithms stays below 1 MB in every format.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

os.environ.setdefault("MPLBACKEND", "Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from timing import compare, parser

import podium


def made(replications: int, algorithms: int) -> podium.Results:
    random = np.random.default_rng(1)
    level = np.linspace(0.1, 0.3, algorithms)
    block = random.normal(0, 0.02, (replications, 1))
    values = (level + block + random.gamma(2, 0.02, (replications, algorithms))).round(3)
    labels = {"replication": range(replications), "algorithm": [f"algorithm {i}" for i in range(1, algorithms + 1)]}
    return podium.read(values, labels=labels, measure="error")


def drawn(draw: Callable[[], object], folder: Path) -> None:
    draw()
    plt.gcf().savefig(folder / "x.png", dpi=100)
    plt.close("all")


def axes() -> plt.Axes:
    return plt.figure(figsize=(7, 4), layout="constrained").add_subplot()


def against_others(folder: Path, replications: int, rounds: int) -> None:
    results = made(replications, 6)
    wide = results.to_wide()[list(results.algorithms)]
    coordinates = wide.assign(all="replication")
    pairs = {
        "box": (lambda: podium.plot.box(results), lambda: axes().boxplot(wide.to_numpy())),
        "podium, lines": (
            lambda: podium.plot.podium(results, lines="algorithm"),
            lambda: pd.plotting.parallel_coordinates(coordinates, "all", ax=axes(), color=["grey"]),
        ),
    }
    for name, both in pairs.items():
        runs = {who: partial(drawn, draw, folder) for who, draw in zip(("podium", "other"), both, strict=True)}
        compare(f"{name}: {replications} replications × 6 algorithms", runs, rounds)


def large(folder: Path, replications: int, algorithms: int) -> None:
    results = made(replications, algorithms)
    print(f"{replications:,} replications × {algorithms} algorithms")
    for name, draw in {
        "podium": lambda: podium.plot.podium(results),
        "podium, lines": lambda: podium.plot.podium(results, lines="algorithm"),
        "strip": lambda: podium.plot.strip(results),
        "box": lambda: podium.plot.box(results),
        "places": lambda: podium.plot.places(results),
    }.items():
        start = process_time()
        ax = draw()
        sizes = [podium.plot.save(ax, folder / f"x.{e}", dpi=100).stat().st_size // 1024 for e in ("png", "svg", "pdf")]
        taken = process_time() - start
        plt.close("all")
        print(f"  {name:20} {taken:6.2f} s in all; png {sizes[0]} kB, svg {sizes[1]} kB, pdf {sizes[2]} kB")


def main() -> None:
    quick = parser(__doc__).parse_args().quick
    with tempfile.TemporaryDirectory() as temporary:
        against_others(Path(temporary), *((10, 1) if quick else (250, 5)))
        large(Path(temporary), *((50, 5) if quick else (10_000, 30)))


if __name__ == "__main__":
    main()
