"""How often MultiTest overrides the prior order of equally good algorithms; prints the tables of the page *MultiTest*.

Run it as ``python -m benchmarks.calibration.multitest [samples]`` from the root of the project; the tables of the page
were made with the default. All samples are tested at once by the functions behind `podium.multitest`; the first few of
each row also go through `podium.multitest` or `podium.multi2test`, which must find the same edges.
"""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd

import podium
from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.methods.pairwise.five_by_two import five_by_two_f_test
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.methods.posthoc.nemenyi import NEMENYI
from podium.analysis.multitest.walk import walk
from podium.arrays import BoolArray, FloatArray

ALPHA = 0.05
CHECKED = 2
REPEAT, FOLD = np.repeat(np.arange(5), 2), np.tile(np.arange(2), 5)
STRUCTURE = Structure(repeat=REPEAT, fold=FOLD)


def folds(samples: int, k: int, shared: float, rng: np.random.Generator) -> FloatArray:
    """Errors of equally good algorithms on ten folds: samples × 10 × algorithms.

    `shared` is the share of the variance that all folds have in common, because they come from one sample of data: the
    algorithm that suits this sample better looks better on every fold.
    """
    common = np.sqrt(shared) * rng.normal(size=(samples, 1, k))
    return common + np.sqrt(1 - shared) * rng.normal(size=(samples, 10, k))


def overridden(errors: FloatArray, adjust: str, alternative: str) -> BoolArray:
    """Which pairs (the first is cheaper) have an edge: samples × pairs."""
    k = errors.shape[2]
    first, second = np.triu_indices(k, 1)
    differences = (errors[:, :, first] - errors[:, :, second]).transpose(0, 2, 1)
    tested = five_by_two_f_test(differences.reshape(-1, 10), STRUCTURE, alpha=ALPHA)
    p = (tested.greater if alternative == "better" else tested.two_sided).reshape(len(errors), -1)
    ahead = tested.estimate.reshape(p.shape) > 0  # the error of the cheaper one is larger
    adjusted = p if adjust == "none" else np.array([adjust_pvalues(row, adjust) for row in p])
    return (adjusted <= ALPHA) & ahead


def check_first(errors: FloatArray, edges: BoolArray, adjust: str, alternative: str) -> None:
    """Compare with `podium.multitest`."""
    k = errors.shape[2]
    names = [f"a{i:02}" for i in range(k)]
    for one, expected in zip(errors[:CHECKED], edges[:CHECKED], strict=True):
        results = results_of(one[None], names)
        found = podium.multitest(results, cost=names, test="5x2cv F", adjust=adjust, alternative=alternative)
        pairs = {(edge.preferred, edge.better) for edge in found.edges}
        first, second = np.triu_indices(k, 1)
        assert pairs == {(names[i], names[j]) for i, j in zip(first[expected], second[expected], strict=True)}


def results_of(errors: FloatArray, names: list[str]) -> podium.Results:
    """Make results from errors, data sets × folds × algorithms."""
    m = len(errors)
    return podium.Results(
        values=errors[..., None],
        datasets=tuple(f"d{i:02}" for i in range(m)),
        replications=tuple(range(1, 11)),
        algorithms=tuple(names),
        measures=(podium.MeasureInfo("error", "lower"),),
        structure={"repeat": np.tile(REPEAT + 1, (m, 1)), "fold": np.tile(FOLD + 1, (m, 1))},
    )


def first_pass(samples: int) -> None:
    """Print how often tests override the order of costs on one data set."""
    print("| algorithms | variance shared by the folds | `adjust` | `alternative` | a pair | any pair |")
    print("| --- | --- | --- | --- | --- | --- |")
    for k in (2, 4, 8):
        for shared in (0.0, 0.2, 0.5):
            for adjust, alternative in (("none", "two-sided"), ("none", "better"), ("holm", "two-sided")):
                if k == 2 and adjust == "holm":
                    continue
                errors = folds(samples, k, shared, np.random.default_rng(k))
                edges = overridden(errors, adjust, alternative)
                check_first(errors, edges, adjust, alternative)
                some = edges.any(axis=1).mean()
                print(f"| {k} | {shared:.0%} | {adjust} | {alternative} | {edges.mean():.1%} | {some:.1%} |")


def costs_of(kind: str, m: int, k: int, rng: np.random.Generator) -> FloatArray:
    """Costs on m data sets: the same order everywhere, any order, or one that a few extreme data sets reverse."""
    if kind == "same order":
        return np.tile(np.arange(k, dtype=float), (m, 1))
    if kind == "any order":
        return rng.permuted(np.tile(np.arange(k, dtype=float), (m, 1)), axis=1)
    costs = np.tile([*(0.01 * np.arange(k - 1)), 1.0], (m, 1))
    costs[: max(m // 10, 1), 0] = 1.5  # the first is slightly cheapest, but costliest on a tenth of the data sets
    return costs


def second_pass(samples: int) -> None:
    """Print how often the second pass finds differences, and how often these override the average costs."""
    print("| data sets | costs | Nemenyi test of the ranks differs | second pass overrides |")
    print("| --- | --- | --- | --- |")
    k = 5
    names = [f"a{i}" for i in range(k)]
    for m in (10, 38):
        for kind in ("same order", "any order", "few costly exceptions"):
            rng = np.random.default_rng(m)
            differs = overrides = 0
            for sample in range(samples):
                costs = costs_of(kind, m, k, rng)
                errors = folds(m, k, 0.2, rng)
                ranks, order = two_passes(errors, costs, names)
                differs += ranks
                overrides += order
                if sample == 0:
                    frame = {f"d{i:02}": dict(zip(names, row, strict=True)) for i, row in enumerate(costs.tolist())}
                    found = podium.multi2test(
                        results_of(errors, names), cost=pd.DataFrame(frame).T, test="5x2cv F", omnibus=False
                    )
                    assert bool(found.second.edges) == bool(order)
            print(f"| {m} | {kind} | {differs / samples:.1%} | {overrides / samples:.1%} |")


def two_passes(errors: FloatArray, costs: FloatArray, names: list[str]) -> tuple[bool, bool]:
    """Both passes on one sample: whether ranks differ, whether the second pass overrides the average costs."""
    k = len(names)
    ranks = np.empty_like(costs)
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    differences = np.array([[data[:, i] - data[:, j] for i, j in pairs] for data in errors])
    tested = five_by_two_f_test(differences.reshape(-1, 10), STRUCTURE, alpha=ALPHA)
    p, estimate = tested.two_sided.reshape(len(errors), -1), tested.estimate.reshape(len(errors), -1)
    for m, cost in enumerate(costs):
        better = np.zeros((k, k), bool)
        for (i, j), small, lead in zip(pairs, p[m] <= ALPHA, estimate[m], strict=True):
            better[i, j], better[j, i] = small and lead < 0, small and lead > 0
        order = walk(better, cost, errors[m].mean(axis=0), names).order
        ranks[m, order] = np.arange(1, k + 1)
    first, second = np.triu_indices(k, 1)
    found = NEMENYI.function(ranks, first, second, control=False, tail="two-sided")
    significant = found.single_step <= ALPHA
    low, high = costs.min(axis=1, keepdims=True), costs.max(axis=1, keepdims=True)
    average = ((costs - low) / (high - low)).mean(axis=0)
    means = ranks.mean(axis=0)
    wrong = significant & ((means[first] - means[second]) * (average[first] - average[second]) < 0)
    return bool(significant.any()), bool(wrong.any())


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    first_pass(number)
    print()
    second_pass(max(number // 8, 10))
