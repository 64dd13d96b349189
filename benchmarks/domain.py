"""Time and memory of `podium.domain` on a large domain: 300 data sets × 250 replications × 20 algorithms.

    python benchmarks/domain.py [--datasets 300] [--missing 0.01] [--quick]

Prints seconds, seconds of processor time (of all processes) and memory for the default tests and for mixed-effects
models, and the ratio of the processor time with all data sets to that with a third of them: 3 if the work is linear in
their number.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from timing import cpu, parser

import podium


def made(datasets: int, replications: int, missing: float, seed: int = 0) -> podium.Results:
    rng = np.random.default_rng(seed)
    shape = (datasets, replications, 20)
    values = 10 + rng.normal(0, 0.15, (datasets, 1, 20)) + np.linspace(0, 0.6, 20)
    values = values + rng.normal(0, 0.4, (datasets, replications, 1)) + rng.normal(0, 0.5, shape)
    values[rng.random(shape) < missing] = np.nan
    names = [f"set {i:03d}" for i in range(datasets)], [f"algorithm {i:02d}" for i in range(20)]
    labels = {"dataset": names[0], "replication": None, "algorithm": names[1]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--datasets", type=int, default=300)
    options.add_argument("--missing", type=float, default=0.0)
    chosen = options.parse_args()
    whole = made(6 if chosen.quick else chosen.datasets, 10 if chosen.quick else 250, chosen.missing)
    part = whole.select(dataset=whole.datasets[: len(whole.datasets) // 3])
    for method in (None, "mixed"):
        seconds, work = [], []
        for results in (part, whole):
            started, before = time.perf_counter(), cpu()
            domain = podium.domain(results, method=method)
            table, order = domain.place_frame(), domain.order
            podium.plot.figures.summary(domain), podium.plot.figures.summary_graph(domain)
            seconds.append(time.perf_counter() - started)
            work.append(cpu() - before)
        own, largest = (resource.getrusage(who).ru_maxrss / 1024 for who in _PROCESSES)
        print(
            f"{method or 'default'}: {seconds[1]:.1f} s ({work[1]:.1f} s of processor time) for {len(order)} data "
            f"sets, ratio to a third of them {work[1] / work[0]:.1f}; at most {own:,.0f} MB, and {largest:,.0f} MB in "
            f"each other process, most of it shared; best {table.index[0]}",
            flush=True,
        )


_PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


if __name__ == "__main__":
    main()
