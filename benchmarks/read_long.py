"""Reading a long table of 10 million values: podium against pandas, time and memory.

Run: python benchmarks/read_long.py

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
import time
from pathlib import Path

import numpy as np
import pandas as pd

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
    start = time.perf_counter()
    read(path)
    seconds = time.perf_counter() - start
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
    seconds = {reader: statistics.median(run["seconds"] for run in runs) for reader, runs in found.items()}
    for reader, runs in found.items():
        print(f"  {reader:8}{seconds[reader]:7.2f} s   peak {max(run['gigabytes'] for run in runs):.2f} GB")
    print(f"  ratio {seconds['podium'] / seconds['pandas']:10.2f}     (podium / pandas)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reader", help=argparse.SUPPRESS)
    parser.add_argument("--path", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    if args.reader:
        measure(args.reader, args.path)
    elif args.write:
        write(args.write, args.path)
    else:
        with tempfile.TemporaryDirectory() as folder:
            for values, name in ((10_000_000, "long.parquet"), (1_000_000, "long.csv")):
                path = Path(folder) / name
                child("--write", values, "--path", path)
                compare(path, values, args.repeats)
                path.unlink()


if __name__ == "__main__":
    main()
