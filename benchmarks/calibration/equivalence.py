"""How often a pair whose mean difference is the end of the area is called equivalent, and what `compare` decides.

Run it as ``python -m benchmarks.calibration.equivalence [samples]`` from the root of the project; it writes two tables
of the page. For the first, all samples are tested at once by the interval behind `compare`, and the first few also go
through ``podium.compare``, which must decide the same. For the second, an eighth of the samples do so.
"""

from __future__ import annotations

import sys

import numpy as np
from benchmarks.calibration.simulate import FloatArray, Share, markdown, most_by_chance, write_section
from scipy.stats import t as student

import podium
from podium.analysis.methods.equivalence import mean_interval

EDGE = 0.01
TIES = (0.0, 0.5, 0.9, 0.95)
BLOCKS = (10, 20, 40, 200, 1000)
CHECKED = 2


def differences(kind: str, ties: float, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
    """Draw differences with the mean `EDGE`, of which a share is 0."""
    mean = EDGE / (1 - ties)
    made = {
        "normal": lambda: rng.normal(mean, 0.02, shape),
        "one-sided": lambda: rng.uniform(0.5, 1.5, shape) * mean,
        "lognormal": lambda: rng.lognormal(-0.5, 1.0, shape) * mean,
        "three values": lambda: np.where(rng.random(shape) < 0.8, 1.0, -1.0) * mean / 0.6,
    }[kind]()
    return np.where(rng.random(shape) < ties, 0.0, made)


def decision(row: FloatArray) -> str:
    """Decide by the default of `compare`."""
    labels = {"dataset": None, "algorithm": ["a", "b"]}
    results = podium.read(np.column_stack([row, 0 * row]), labels=labels, measure="error", direction="lower")
    found = podium.compare(results, equivalence=EDGE).decision[0]
    return "different" if found in ("better", "worse") else str(found)


def decisions(n: int, true: float, ties: float, samples: int) -> str:
    """Return the percentages of the three decisions."""
    rng = np.random.default_rng([n, round(100 * ties), round(1000 * true)])
    made = rng.normal(true / (1 - ties), 0.02, (samples, n))
    found = [decision(row) for row in np.where(rng.random(made.shape) < ties, 0.0, made)]
    return " / ".join(f"{100 * found.count(one) / samples:.0f}" for one in ("different", "equivalent", "undecided"))


def errors(kind: str, n: int, ties: float, samples: int) -> tuple[Share, Share]:
    """Return how often the interval lies in the area, and how often that of Student's t does."""
    rng = np.random.default_rng([n, round(100 * ties)])
    d = differences(kind, ties, (samples, n), rng)
    lower, upper = mean_interval(d, 0.05)
    inside = (lower >= -EDGE) & (upper <= EDGE) & (lower < upper)
    for row, equivalent in zip(d[:CHECKED], inside, strict=False):
        assert (decision(row) == "equivalent") == (equivalent or not row.any())
    half = student.ppf(0.975, n - 1) * d.std(axis=1, ddof=1) / np.sqrt(n)
    plain = (np.abs(d.mean(axis=1)) + half <= EDGE) & (half > 0)
    return Share(int(inside.sum()), samples), Share(int(plain.sum()), samples)


def main(samples: int = 4000) -> None:
    """Write the table."""
    rows: dict[str, dict[str, Share]] = {}
    for kind in ("normal", "one-sided", "three values", "lognormal"):
        for n in BLOCKS:
            found = {ties: errors(kind, n, ties, samples) for ties in TIES}
            for which, name in enumerate((f"{kind}, {n:,} blocks", f"{kind}, {n:,} blocks, Student")):
                rows[name] = {f"{ties:.0%} ties": pair[which] for ties, pair in found.items()}
    caption = f"{samples:,} samples each; more than {most_by_chance(samples):.1f} is bold."
    write_section("equivalence", [markdown(rows, [f"{ties:.0%} ties" for ties in TIES], "differences"), caption])
    few = samples // 8
    made = {
        f"{n} blocks, difference {true:g}": {f"{ties:.0%} ties": decisions(n, true, ties, few) for ties in TIES}
        for n in (20, 40, 200)
        for true in (0.0, EDGE, 5 * EDGE)
    }
    table = markdown(made, [f"{ties:.0%} ties" for ties in TIES], "blocks and true difference")
    write_section("three decisions", [table, f"{few} samples each."])


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:2]))
