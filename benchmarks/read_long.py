"""Reading a long table of 10 million values: podium against pandas, time and memory.

Run: python benchmarks/read_long.py [--quick]

Each read runs in its own process, podium and pandas in turn; the median of three is shown. pandas only reads the file;
podium also finds the cell of every value, checks everything and returns a `Results`. The project's own limits: at most
3 times the time of pandas, at most 4 GB.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from timing import cpu, parser

MEASURES = ["accuracy", "auc", "f1", "log_loss", "brier", "mcc", "recall", "precision", "fit_time", "predict_time"]


def write(values: int, path: Path) -> None:
    """Write a complete long table in random order: 50 data sets, 20 algorithms, the ten measures above."""
    shape = (50, values // (50 * 20 * len(MEASURES)), 20, len(MEASURES))
    rng = np.random.default_rng(1)
    m, b, k, j = np.unravel_index(rng.permutation(values), shape)
    table = pd.DataFrame(
        {
            "dataset": np.array([f"data set {i}" for i in range(50)], object)[m],
            "algorithm": np.array([f"algorithm {i}" for i in range(20)], object)[k],
            "replication": b + 1,
            "measure": np.array(MEASURES, object)[j],
            "value": rng.random(values),
        }
    )
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False)


def measure(reader: str, path: Path) -> None:
    """Read the file once, and print seconds and peak memory as JSON."""
    if reader == "podium":
        import podium

        read = podium.read
    else:
        read = pd.read_parquet if path.suffix == ".parquet" else pd.read_csv
    start = cpu()
    read(path)
    seconds = cpu() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform != "darwin" else 2**30)
    print(json.dumps({"seconds": seconds, "gigabytes": peak}))


def child(*arguments: object) -> str:
    """Run one step in its own process, so its memory does not count for the next."""
    command = [sys.executable, __file__, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compare(path: Path, values: int, repeats: int) -> None:
    """Print time and memory of both, and their ratio."""
    found: dict[str, list[dict[str, float]]] = {"pandas": [], "podium": []}
    for _ in range(repeats):
        for reader, runs in found.items():
            runs.append(json.loads(child("--reader", reader, "--path", path)))
    print(f"{values:,} values, {path.suffix[1:]}, {path.stat().st_size / 1e6:.0f} MB")
    medians = {}
    for reader, runs in found.items():
        seconds = [run["seconds"] for run in runs]
        medians[reader] = statistics.median(seconds)
        peak = max(run["gigabytes"] for run in runs)
        print(f"  {reader:8}{medians[reader]:7.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), peak {peak:.2f} GB")
    print(f"  ratio {medians['podium'] / medians['pandas']:10.2f}     (podium / pandas)")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--reader", help=argparse.SUPPRESS)
    options.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--write", type=int, help=argparse.SUPPRESS)
    options.add_argument("--repeats", type=int, default=3)
    args = options.parse_args()
    if args.reader:
        measure(args.reader, args.path)
    elif args.write:
        write(args.write, args.path)
    else:
        with tempfile.TemporaryDirectory() as folder:
            sizes = (20_000, 20_000) if args.quick else (10_000_000, 1_000_000)
            for values, name in zip(sizes, ("long.parquet", "long.csv"), strict=True):
                path = Path(folder) / name
                child("--write", values, "--path", path)
                compare(path, values, 1 if args.quick else args.repeats)
                path.unlink()


if __name__ == "__main__":
    main()
