"""Speed of inference: podium against scikit-posthocs and SciPy.

python benchmarks/inference.py
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np
from scipy.stats import permutation_test, studentized_range, wilcoxon
from timing import compare, needs, parser

import podium
from podium.analysis.adjustment import bergmann_hommel
from podium.analysis.methods.omnibus.friedman import friedman_test
from podium.analysis.methods.ranks import rank_blocks
from podium.analysis.simultaneous.studentised_range import range_sf


def table(blocks: int, algorithms: int, seed: int = 0) -> podium.Results:
    values = np.random.default_rng(seed).random((blocks, algorithms))
    labels = {"replication": None, "algorithm": [f"a{i}" for i in range(algorithms)]}
    return podium.read(values, labels=labels, measure="error")


def posthocs(method: str, values: np.ndarray) -> None:
    needs("scikit_posthocs", "scikit-posthocs")
    import scikit_posthocs

    getattr(scikit_posthocs, f"posthoc_{method}_friedman")(values)


def pairs_of_scipy(values: np.ndarray, pairs: int) -> None:
    for i, j in list(combinations(range(values.shape[1]), 2))[:pairs]:
        wilcoxon(values[:, i], values[:, j])


def all_pairs(blocks: int, k: int, rounds: int) -> None:
    results = table(blocks, k)
    values, number = results.values[0, :, :, 0], k * (k - 1) // 2
    few = min(number, 66)
    rivals = {
        "nemenyi": {"scikit-posthocs": partial(posthocs, "nemenyi", values)},
        "conover": {"scikit-posthocs": partial(posthocs, "conover", values)},
        "wilcoxon": {"SciPy, pair by pair": partial(pairs_of_scipy, values, few)},
    }
    for method in ("wnmt", "nemenyi", "conover", "sign", "wilcoxon", "t"):
        runs = {"podium": partial(podium.compare, results, method=method), **rivals.get(method, {})}
        what = f"all pairs, {k} algorithms, {blocks:,} blocks: {method}"
        compare(what, runs, rounds, factors={"SciPy, pair by pair": number / few})
    found = podium.compare(results, method="nemenyi", omnibus=False, alpha=1e-9)
    compare(f"groups of {k} equal algorithms", {"podium": found.groups}, rounds)


def signed_ranks(shapes: Sequence[tuple[int, int]], rounds: int) -> None:
    """Signed ranks with their estimates and intervals, in turn with SciPy's p-values of a share of the pairs."""
    for blocks, algorithms in shapes:
        results = table(blocks, algorithms)
        values, pairs = results.values[0, :, :, 0], algorithms * (algorithms - 1) // 2
        few = min(pairs, 200)
        runs = {
            "podium": partial(podium.compare, results, method="wilcoxon"),
            "SciPy, pair by pair": partial(pairs_of_scipy, values, few),
        }
        what = f"signed ranks, {blocks:,} blocks × {algorithms} algorithms"
        compare(what, runs, rounds, factors={"SciPy, pair by pair": pairs / few})


def permutations(count: int, rounds: int) -> None:
    ranks = rank_blocks(np.random.default_rng(1).random((250, 6)))

    def statistic(*columns: np.ndarray, axis: int = -1) -> np.ndarray:
        return sum(column.sum(axis=axis) ** 2 for column in columns)

    options = {"permutation_type": "samples", "vectorized": True, "n_resamples": 200, "batch": 50, "rng": 1}
    runs = {
        "podium": lambda: friedman_test(ranks, distribution="permutation", permutations=count),
        "SciPy": lambda: permutation_test(tuple(ranks.T), statistic, **options),
    }
    compare(f"{count:,} permutations of a 250 × 6 Friedman test", runs, rounds, factors={"SciPy": count / 200})


def distributions(k: int, rounds: int) -> None:
    q = np.linspace(0.5, 8, 4950)
    runs = {"podium": lambda: range_sf(q, 100), "SciPy": lambda: studentized_range.sf(q[:20], 100, np.inf)}
    compare("4,950 tails of the studentised range of 100", runs, rounds, factors={"SciPy": 4950 / 20})
    p = np.random.default_rng(0).random(k * (k - 1) // 2)
    compare(f"Bergmann–Hommel, {k} algorithms", {"podium": lambda: bergmann_hommel(p, k)}, 1)


def main() -> None:
    quick = parser(__doc__).parse_args().quick
    all_pairs(*((50, 8) if quick else (1000, 100)), rounds=1 if quick else 3)
    signed_ranks([(20, 5)] if quick else [(300, 50), (50, 300), (10_000, 10), (100, 200)], rounds=1 if quick else 5)
    permutations(1_000 if quick else 100_000, rounds=1 if quick else 3)
    distributions(8 if quick else 12, rounds=1 if quick else 3)


if __name__ == "__main__":
    main()
