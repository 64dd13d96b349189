"""Reading ARFF: podium against scipy.io.arff, in one run. Prints seconds and their ratio."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.io import arff

from podium.setup.sources.arff import read_arff

ROWS, NUMERIC, NOMINAL, REPEATS = 20_000, 15, 5, 3


def write(path: Path) -> None:
    rng = np.random.default_rng(0)
    head = [f"@attribute x{i} numeric" for i in range(NUMERIC)] + [f"@attribute k{i} {{a,b,c}}" for i in range(NOMINAL)]
    numbers, levels = rng.normal(size=(ROWS, NUMERIC)), rng.choice(list("abc"), size=(ROWS, NOMINAL))
    rows = [",".join([*map(repr, map(float, x)), *k]) for x, k in zip(numbers, levels, strict=True)]
    path.write_text("\n".join(["@relation r", *head, "@data", *rows]))


def best(function, path: Path) -> float:
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function(path)
        seconds.append(time.perf_counter() - start)
    return min(seconds)


with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "r.arff"
    write(file)
    ours, theirs = best(read_arff, file), best(arff.loadarff, file)
    size = f"{ROWS} rows x {NUMERIC + NOMINAL} attributes"
    print(f"{size}: podium {ours:.3f} s, scipy {theirs:.3f} s, ratio {theirs / ours:.1f}")
