"""The closed test by signed ranks: against full enumeration, its invariances, and its errors where algorithms are equal."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest
from scipy.stats import rankdata

import podium
from podium.analysis.adjustment import adjust_pvalues
from podium.analysis.inference.closed_test import MOST_ALGORITHMS, closed_test
from podium.arrays import FloatArray
from podium.errors import InputError

ALPHA = 0.05


def limit(samples: int) -> float:
    return ALPHA + 3 * np.sqrt(ALPHA * (1 - ALPHA) / samples)


def statistic(costs: FloatArray, control: int | None = None) -> float:
    """Statistic of a group, written anew from its definition: every pair, every block, one at a time."""
    n, m = costs.shape
    cells = [(b, i, j) for b in range(n) for i, j in combinations(range(m), 2)]
    differences = np.array([costs[b, i] - costs[b, j] for b, i, j in cells])
    there = differences != 0
    ranks = np.zeros(len(cells))
    ranks[there] = rankdata(np.abs(differences[there]))
    signed = np.sign(differences) * ranks
    variance = sum(np.mean([signed[c] ** 2 for c, (block, _, _) in enumerate(cells) if block == b]) for b in range(n))
    total = 0.0
    for pair in combinations(range(m), 2):
        if control is None or control in pair:
            total += sum(signed[c] for c, (_, i, j) in enumerate(cells) if (i, j) == pair) ** 2
    return total / variance


def enumerated(costs: FloatArray, groups: list[tuple[int, ...]], control: int | None = None) -> float:
    """P-value of a partition over every arrangement within blocks and groups."""
    null = [0.0]
    observed = 0.0
    for group in groups:
        part = costs[:, group]
        inside = None if control is None else group.index(control)
        observed += statistic(part, inside)
        values = [
            statistic(np.array([row[list(order)] for row, order in zip(part, orders, strict=True)]), inside)
            for orders in product(permutations(range(len(group))), repeat=len(costs))
        ]
        null = [x + y for x in null for y in values]
    return float(np.mean(np.array(null) >= observed - 1e-9))


@pytest.mark.parametrize("rounded", [False, True], ids=["values", "ties and zeros"])
def test_three_algorithms_as_enumerated(rounded: bool) -> None:
    """216 arrangements of three blocks; the random ones come within five standard errors."""
    rng = np.random.default_rng(4 if rounded else 1)
    costs = rng.normal(size=(3, 3)) + np.array([0.0, 1.0, 2.0])
    costs = np.round(costs) if rounded else costs
    together = enumerated(costs, [(0, 1, 2)])
    drawn = 40_000
    found = closed_test(costs, permutations=drawn)
    error = 5 * np.sqrt(together * (1 - together) / drawn) + 1 / drawn
    for p, pair in zip(found, combinations(range(3), 2), strict=True):
        assert p == pytest.approx(max(together, enumerated(costs, [pair])), abs=error)


def test_four_algorithms_as_enumerated() -> None:
    """Every partition of four algorithms on two blocks, by enumeration; the largest p-value of a pair's partitions."""
    costs = np.array([[0.1, 0.5, 1.9, 2.2], [0.3, 0.2, 1.4, 3.1]])
    partitions = [[(0, 1, 2, 3)], *([group] for group in combinations(range(4), 3))]
    partitions += [[pair, tuple(sorted(set(range(4)) - set(pair)))] for pair in combinations(range(4), 2) if 0 in pair]
    partitions += [[pair] for pair in combinations(range(4), 2)]
    assert len(partitions) == 15 - 1  # Bell's number, without the partition that has no pair
    p = {tuple(groups): enumerated(costs, groups) for groups in partitions}
    expected = [
        max(value for groups, value in p.items() if any({i, j} <= set(group) for group in groups))
        for i, j in combinations(range(4), 2)
    ]
    assert closed_test(costs, permutations=40_000) == pytest.approx(expected, abs=0.0125)


def test_with_a_control_as_enumerated() -> None:
    costs = np.random.default_rng(2).normal(size=(3, 3)) + np.array([0.0, 1.0, 3.0])
    together = enumerated(costs, [(0, 1, 2)], control=1)
    alone = [enumerated(costs, [pair]) for pair in ((0, 1), (1, 2))]
    found = closed_test(costs, control=1, permutations=40_000)
    assert found == pytest.approx(np.maximum(together, alone), abs=0.0125)


def read(costs: FloatArray, **options: str) -> podium.Results:
    names = [f"a{i}" for i in range(costs.shape[1])]
    return podium.read(costs, labels={"dataset": None, "algorithm": names}, measure="error", **options)


def spaced(n: int = 7, k: int = 5) -> FloatArray:
    return np.random.default_rng(3).normal(size=(n, k)) + 2 * np.arange(k)


def test_it_rejects_where_adjusted_signed_ranks_cannot() -> None:
    results = read(spaced())
    least = 10 * 2.0 ** (1 - 7)
    single = podium.compare(results, method="wilcoxon", adjust="shaffer")
    assert least > ALPHA and not single.significant.any()
    closed = podium.compare(results, method="closed signed ranks")
    assert closed.significant.sum() >= 4
    assert (closed.adjust, closed.permutations, closed.procedure) == ("closed", 10_000, "closed signed ranks")
    np.testing.assert_array_equal(closed.pvalue, single.pvalue)
    assert (closed.adjusted >= closed.pvalue).all()
    np.testing.assert_array_equal(closed.lower, single.lower)


def test_the_p_value_of_a_pair_does_not_depend_on_the_others() -> None:
    costs = spaced()
    other = costs.copy()
    other[:, 3:] = np.random.default_rng(9).normal(size=(7, 2)) * 100
    one, two = (podium.compare(read(x), method="closed signed ranks", permutations=99) for x in (costs, other))
    for pair in (("a0", "a1"), ("a0", "a2"), ("a1", "a2")):
        assert one.pair(*pair)["pvalue"] == two.pair(*pair)["pvalue"]
        assert two.pair(*pair)["adjusted"] >= two.pair(*pair)["pvalue"]


def test_two_algorithms_are_wilcoxons_test() -> None:
    costs = spaced(9, 2)
    closed, single = (podium.compare(read(costs), method=m) for m in ("closed signed ranks", "wilcoxon"))
    np.testing.assert_array_equal(closed.adjusted, single.pvalue)
    assert closed.permutations == 0 and not any(note.code == "permutations pairs" for note in closed.notes)


def test_order_of_rows_and_columns_and_effects_of_blocks_change_nothing() -> None:
    costs = spaced(6, 4)
    i, j = np.triu_indices(4, 1)
    square = np.zeros((4, 4))
    square[i, j] = square[j, i] = closed_test(costs, permutations=500)
    rng = np.random.default_rng(5)
    columns, rows = rng.permutation(4), rng.permutation(6)
    np.testing.assert_array_equal(
        closed_test(costs[rows][:, columns], permutations=500), square[columns[i], columns[j]]
    )
    moved = 3 * costs + rng.integers(-100, 100, size=(6, 1))
    np.testing.assert_array_equal(closed_test(moved, permutations=500), square[i, j])


def test_direction_changes_nothing() -> None:
    costs = spaced(6, 4)
    low = podium.compare(read(costs, direction="lower"), method="closed signed ranks")
    high = podium.compare(read(-costs, direction="greater"), method="closed signed ranks")
    np.testing.assert_array_equal(low.adjusted, high.adjusted)
    assert low.order == high.order


def test_equal_algorithms_get_one() -> None:
    column = np.random.default_rng(6).normal(size=(8, 1))
    assert closed_test(np.repeat(column, 4, axis=1), permutations=99).tolist() == [1.0] * 6


def test_same_seed_same_numbers() -> None:
    costs = spaced(6, 4)
    one, two, three = (closed_test(costs, permutations=99, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, two)
    assert (one != three).any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"adjust": "holm"}, "has its own adjustment; leave `adjust` out"),
        ({"control": "a0", "alternative": "better"}, "is two-sided; use 'wilcoxon'"),
        ({"permutations": 0}, "`permutations` must be a whole number"),
        ({"missing": "available"}, "available"),
    ],
)
def test_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        podium.compare(read(spaced()), method="closed signed ranks", **options)


def test_too_many_algorithms() -> None:
    with pytest.raises(InputError, match=f"feasible up to {MOST_ALGORITHMS} of them; there are 11"):
        podium.compare(read(spaced(6, 11)), method="closed signed ranks")


def opposites(rng: np.random.Generator, n: int, k: int) -> FloatArray:
    """Two algorithms that are exchangeable, but opposite to each other on each data set; the others are equal."""
    sign = rng.choice([-6.0, 6.0], n)
    costs = rng.normal(size=(n, k))
    costs[:, 0] += sign
    costs[:, 1] -= sign
    return costs


def families(rng: np.random.Generator, n: int, k: int) -> FloatArray:
    """Two families whose members go together over data sets; all have the same mean."""
    costs = rng.normal(size=(n, k)) * 0.3
    half = k // 2
    return costs + np.repeat(rng.normal(size=(n, 2)), (half, k - half), axis=1)


SHAPES = {
    "all equal": (lambda rng, n, k: rng.normal(size=(n, k)), 0),
    "heavy tails": (lambda rng, n, k: rng.standard_cauchy(size=(n, k)), 0),
    "ties": (lambda rng, n, k: np.round(rng.normal(size=(n, k))), 0),
    "one differs": (lambda rng, n, k: rng.normal(size=(n, k)) + 4.0 * (np.arange(k) == 0), 1),
    "two differ": (lambda rng, n, k: rng.normal(size=(n, k)) + 4.0 * np.maximum(2 - np.arange(k), 0), 2),
    "opposites": (opposites, 0),
    "families": (families, 0),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("control", [False, True], ids=["all pairs", "control"])
def test_errors_where_algorithms_are_equal(name: str, control: bool) -> None:
    samples, n, k = 300, 6, 4
    draw, different = SHAPES[name]
    first, second = (np.arange(k - 1), np.full(k - 1, k - 1)) if control else np.triu_indices(k, 1)
    null = (first >= different) & (second >= different)
    rng = np.random.default_rng(7)
    errors = 0
    for i in range(samples):
        costs = draw(rng, n, k) + 2 * rng.normal(size=(n, 1))
        costs = np.round(costs) if name == "ties" else costs
        p = closed_test(costs, control=k - 1 if control else None, permutations=199, seed=i)
        errors += bool((p[null] <= ALPHA).any())
    assert errors / samples <= limit(samples)


def test_power_where_adjusted_signed_ranks_have_none() -> None:
    samples, n, k = 100, 6, 5
    rng = np.random.default_rng(8)
    found = []
    for i in range(samples):
        costs = rng.normal(size=(n, k)) + 1.5 * np.arange(k)
        found.append((closed_test(costs, permutations=199, seed=i) <= ALPHA).mean())
    assert np.mean(found) > 0.4
    assert adjust_pvalues(np.full(10, 2.0**-5), "shaffer").min() > ALPHA
