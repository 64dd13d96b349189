"""Speed of inference: podium compared with scikit-posthocs, SciPy and R in one run; prints seconds and ratios.

Packages that are not installed are left out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from scipy.stats import permutation_test, studentized_range, wilcoxon

import podium
from podium.analysis.adjustment import bergmann_hommel
from podium.analysis.inference.omnibus.friedman import friedman_test
from podium.analysis.inference.ranks import rank_blocks
from podium.analysis.simultaneous.studentised_range import range_sf


def seconds(run: Callable[[], object], repeats: int = 3) -> float:
    """Best processor time of a few runs."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def table(blocks: int, algorithms: int, seed: int = 0) -> podium.Results:
    values = np.random.default_rng(seed).random((blocks, algorithms))
    labels = {"replication": None, "algorithm": [f"a{i}" for i in range(algorithms)]}
    return podium.read(values, labels=labels, measure="error")


def show(what: str, ours: float, theirs: float | None = None, rival: str = "") -> None:
    ratio = "" if theirs is None else f"   {rival} {theirs:8.3f} s, {theirs / ours:6.1f} times as long"
    print(f"{what:<58} {ours:8.3f} s{ratio}")


def all_pairs() -> None:
    big = table(1000, 100)
    values = big.values[0, :, :, 0]
    for method in ("wnmt", "nemenyi", "conover", "sign", "wilcoxon", "t"):
        ours = seconds(lambda method=method: podium.compare(big, method=method))
        theirs, rival = None, ""
        if method in ("nemenyi", "conover") and find_spec("scikit_posthocs"):
            import scikit_posthocs

            function = getattr(scikit_posthocs, f"posthoc_{method}_friedman")
            theirs, rival = seconds(lambda function=function: function(values), 1), "scikit-posthocs"
        elif method == "wilcoxon":
            pairs = [(i, j) for i in range(12) for j in range(i)]  # 66 of 4,950 pairs
            few = seconds(lambda pairs=pairs: [wilcoxon(values[:, i], values[:, j]) for i, j in pairs], 1)
            theirs, rival = few * 4950 / len(pairs), "SciPy, pair by pair"
        show(f"all pairs, K = 100, 1,000 blocks: {method}", ours, theirs, rival)
    found = podium.compare(big, method="nemenyi", omnibus=False, alpha=1e-9)
    show("groups of 100 equal algorithms", seconds(found.groups))


def signed_ranks() -> None:
    """Signed ranks with their estimates and intervals, in turn with SciPy's p-values of a share of the pairs."""
    for blocks, algorithms in ((300, 50), (50, 300)):
        results = table(blocks, algorithms)
        values = results.values[0, :, :, 0]
        every = np.transpose(np.triu_indices(algorithms, 1))
        some = [(values[:, i], values[:, j]) for i, j in np.random.default_rng(0).choice(every, 200, replace=False)]
        taken = [
            (
                seconds(lambda results=results: podium.compare(results, method="wilcoxon"), 1),
                seconds(lambda some=some: [wilcoxon(*pair) for pair in some], 1) * len(every) / len(some),
            )
            for _ in range(5)
        ]
        show(f"signed ranks, {blocks} × {algorithms}", *np.median(taken, axis=0), "SciPy, pair by pair")
    for blocks, algorithms in ((10_000, 10), (100, 200)):
        results = table(blocks, algorithms)
        ours = seconds(lambda results=results: podium.compare(results, method="wilcoxon"))
        show(f"signed ranks, {blocks} × {algorithms}", ours)


def permutations() -> None:
    ranks = rank_blocks(np.random.default_rng(1).random((250, 6)))
    ours = seconds(lambda: friedman_test(ranks, distribution="permutation", permutations=100_000))

    def statistic(*columns: np.ndarray, axis: int = -1) -> np.ndarray:
        return sum(column.sum(axis=axis) ** 2 for column in columns)

    share = 200
    theirs = seconds(
        lambda: permutation_test(
            tuple(ranks.T), statistic, permutation_type="samples", vectorized=True, n_resamples=share, batch=50, rng=1
        ),
        1,
    )
    show("100,000 permutations of a 250 × 6 Friedman test", ours, theirs * 100_000 / share, "SciPy")


def distributions() -> None:
    q = np.linspace(0.5, 8, 4950)
    show(
        "4,950 tails of the studentised range of 100",
        seconds(lambda: range_sf(q, 100)),
        seconds(lambda: studentized_range.sf(q[:40], 100, np.inf), 1) * 4950 / 40,
        "SciPy",
    )
    p = np.random.default_rng(0).random(66)
    show("Bergmann–Hommel, K = 12 (4.2 million partitions)", seconds(lambda: bergmann_hommel(p, 12), 1))


def main() -> None:
    all_pairs()
    signed_ranks()
    permutations()
    distributions()


if __name__ == "__main__":
    main()
