"""Reading ARFF: podium against scipy.io.arff.

python benchmarks/arff.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from scipy.io import arff
from timing import compare, parser

from podium.design.sources.arff import read_arff

NUMERIC, NOMINAL = 15, 5


def write(path: Path, rows: int) -> None:
    rng = np.random.default_rng(0)
    head = [f"@attribute x{i} numeric" for i in range(NUMERIC)] + [f"@attribute k{i} {{a,b,c}}" for i in range(NOMINAL)]
    numbers, levels = rng.normal(size=(rows, NUMERIC)), rng.choice(list("abc"), size=(rows, NOMINAL))
    lines = [",".join([*map(repr, map(float, x)), *k]) for x, k in zip(numbers, levels, strict=True)]
    path.write_text("\n".join(["@relation r", *head, "@data", *lines]))


def main() -> None:
    rows = 1_000 if parser(__doc__).parse_args().quick else 20_000
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "r.arff"
        write(file, rows)
        runs = {"podium": lambda: read_arff(file), "SciPy": lambda: arff.loadarff(file)}
        compare(f"{rows:,} rows × {NUMERIC + NOMINAL} attributes", runs)


if __name__ == "__main__":
    main()
