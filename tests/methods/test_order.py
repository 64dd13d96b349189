"""Neither the order nor the names of data sets, replications and algorithms change an outcome, even a random one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.compare import procedures
from podium.analysis.methods import compare_bayes
from podium.errors import InputError
from podium.results import Results
from podium.results.missing import CommonBlocks
from slow_laws import few_examples

NAMES = ["b", "d", "a", "c"]
OWN: dict[str, dict[str, Any]] = {
    "corrected t": {"ratio": 0.1},
    "permutation t": {"permutations": 199},
    "bootstrap t": {"resamples": 199},
    "bonferroni-dunn": {"control": "a"},
    "nwwm": {"control": "a"},
}
DRAWING = ("permutation t", "bootstrap t")
OPTIONS: list[dict[str, Any]] = [{}, {"equivalence": 0.1}, {"control": "a"}, {"control": "a", "alternative": "better"}]


def domain(seed: int, datasets: int = 17, replications: int = 3) -> Results:
    """Return data sets with replications; beyond 14 of them signs are random."""
    rng = np.random.default_rng(seed)
    values = rng.normal([0, 0.2, 0.3, 0.6], 0.5, (datasets, replications, 4)) + rng.normal(0, 0.3, (datasets, 1, 4))
    labels = {"dataset": [f"d{i}" for i in range(datasets)], "replication": None, "algorithm": NAMES}
    return podium.read(np.round(values, 2), labels=labels, measure="score", direction="lower")


def one_dataset(seed: int, repeats: int, folds: int) -> Results:
    """Return a data set with a repeated cross-validation."""
    rng = np.random.default_rng(seed)
    rows = [
        {"repeat": i, "fold": j, "replication": folds * i + j, "algorithm": name, "score": round(value, 2)}
        for i in range(repeats)
        for j in range(folds)
        for name, value in zip(NAMES, rng.normal([0, 0.2, 0.3, 0.6], 0.5).tolist(), strict=True)
    ]
    return podium.read(rows, measure="score", direction="lower")


def reordered(results: Results) -> dict[str, Results]:
    """Return the same results with their labels in other orders; they are equal."""
    rng = np.random.default_rng(len(results.datasets))
    blocks = {
        axis: [labels[i] for i in rng.permutation(len(labels))]
        for axis, labels in (("datasets", results.datasets), ("replications", results.replications))
    }
    found = {
        "blocks": results.select(**blocks),
        "algorithms": results.select(algorithms=list(results.algorithms[::-1])),
    }
    assert all(other == results for other in found.values())
    return found


def negated(results: Results) -> Results:
    """Return the same performance, written the other way round."""
    turned = podium.MeasureInfo(results.measures[0].name, "higher")
    return results.replace(values=-results.values, measures=(turned,))


def assert_equal(one: pd.DataFrame, two: pd.DataFrame, case: object) -> None:
    for column in one:
        if one[column].dtype.kind == "f":
            np.testing.assert_allclose(two[column], one[column], rtol=1e-6, atol=1e-9, err_msg=f"{case}: {column}")
        else:
            assert two[column].tolist() == one[column].tolist(), (case, column)


@pytest.mark.parametrize("method", [None, *procedures()])
@given(seed=st.integers(0, 10_000))
@few_examples(2)
def test_the_order_of_labels_does_not_change_a_comparison(method: str | None, seed: int) -> None:
    compared = 0
    options: dict[str, Any] = {"method": method, **OWN.get(method or "", {})}
    adjustments = [{}, {"adjust": "step-down"}] if method == "permutation t" else [{}]
    designs = [domain(seed), one_dataset(seed, 1, 18)]
    designs += [one_dataset(seed, 5, 2)] if method in (None, "5x2cv t", "5x2cv F", "corrected t", "mixed") else []
    for results in designs:
        for adjust in adjustments:
            try:
                found = podium.compare(results, **options, **adjust).frame()
            except InputError:  # a test for another unit or another design
                continue
            compared += 1
            for case, other in reordered(results).items():
                assert_equal(found, podium.compare(other, **options, **adjust).frame(), case)
    assert compared


@pytest.mark.parametrize(
    ("method", "options"),
    [
        *((method, options) for method in DRAWING for options in OPTIONS),
        ("permutation t", {"adjust": "step-down"}),
        ("permutation t", {"adjust": "step-down", "control": "a", "alternative": "better"}),
    ],
)
def test_random_numbers_do_not_depend_on_labels(method: str, options: dict[str, Any]) -> None:
    results = domain(5)
    found = podium.compare(results, method=method, **options, **OWN[method])
    for case, other in reordered(results).items():
        moved = podium.compare(other, method=method, **options, **OWN[method])
        assert_equal(found.frame(), moved.frame(), case)
        if "equivalence" in options:
            assert_equal(found.equivalence_frame(), moved.equivalence_frame(), case)
    renamed = {"dataset": [f"x{i}" for i in range(17)][::-1], "replication": None, "algorithm": ["y", "x", "a", "w"]}
    other = podium.read(results.values[..., 0], labels=renamed, measure="score", direction="lower")
    np.testing.assert_array_equal(
        podium.compare(other, method=method, **options, **OWN[method]).adjusted, found.adjusted
    )
    turned = podium.compare(negated(results), method=method, **options, **OWN[method])
    np.testing.assert_array_equal(turned.adjusted, found.adjusted)
    np.testing.assert_array_equal(turned.estimate, -found.estimate)


@pytest.mark.parametrize("method", DRAWING)
def test_rows_of_a_table_without_labels_may_be_in_any_order(method: str) -> None:
    frame = pd.DataFrame(domain(6, replications=1).values[:, 0, :, 0], columns=NAMES)
    one, two = (
        podium.read(rows.reset_index(drop=True), rows="dataset", measure="score", direction="lower")
        for rows in (frame, frame[::-1])
    )
    assert_equal(*(podium.compare(results, method=method, **OWN[method]).frame() for results in (one, two)), method)


@pytest.mark.parametrize("method", DRAWING)
def test_differences_that_are_symmetric_are_seen_alike_from_both_sides(method: str) -> None:
    test = podium.inference.paired_test
    steps = np.arange(1.0, 10.0)
    values = np.concatenate([steps, -steps[::-1]])
    options = {"direction": "lower", **OWN[method]}
    one = test(values, np.zeros(18), method, **options)
    two = test(np.zeros(18), values, method, **options)
    assert (one.estimate, one.pvalue) == (two.estimate, two.pvalue)
    assert (one.lower, one.upper) == (-two.upper, -two.lower) == (two.lower, two.upper)
    better, worse = (test(values, np.zeros(18), method, alternative=side, **options) for side in ("better", "worse"))
    assert better.pvalue == worse.pvalue


def test_pairs_with_missing_cells_may_be_in_any_order() -> None:
    results = domain(7, datasets=19, replications=1)
    values = results.values.copy()
    values[3, 0, 1] = values[9, 0, 2] = np.nan
    gaps = results.replace(values=values)
    for adjust in ("holm", "step-down"):
        options = {"method": "permutation t", "adjust": adjust, "missing": "available", "permutations": 199}
        found = podium.compare(gaps, **options).frame()
        for axis in ("datasets", "algorithms"):
            other = gaps.select(**{axis: list(getattr(gaps, axis)[::-1])})
            assert_equal(found, podium.compare(other, **options).frame(), axis)


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("correlated t", {"ratio": 0.1}),
        ("sign", {}),
        ("signed rank", {"draws": 500}),
        ("hierarchical", {"ratio": 0.1, "draws": 30, "warmup": 30}),
    ],
)
@given(seed=st.integers(0, 10_000))
@few_examples(2)
def test_the_order_of_labels_does_not_change_a_posterior(method: Any, options: dict[str, Any], seed: int) -> None:
    results = one_dataset(seed, 1, 18) if method == "correlated t" else domain(seed, datasets=7)
    found = compare_bayes(results, method=method, equivalence=0.1, **options)
    numbers = found.frame().set_index(["a", "b"]).sort_index()
    for case, other in {**reordered(results), "negated": negated(results)}.items():
        moved = compare_bayes(other, method=method, equivalence=0.1, **options)
        turned = moved.frame().set_index(["a", "b"]).sort_index()
        assert turned.index.tolist() == numbers.index.tolist(), case
        if case == "negated":
            turned[["estimate", "lower", "upper"]] = -turned[["estimate", "upper", "lower"]].to_numpy()
        assert_equal(numbers, turned, case)
        if found.shares is not None and case in ("blocks", "negated"):
            np.testing.assert_allclose(moved.shares, found.shares, atol=1e-9)
    against = compare_bayes(results, method=method, equivalence=(-0.05, 0.3), control="a", **options)
    same = compare_bayes(
        reordered(results)["algorithms"], method=method, equivalence=(-0.05, 0.3), control="a", **options
    )
    for name in ("b", "c", "d"):
        np.testing.assert_allclose(same.pair(name, "a"), against.pair(name, "a"), atol=1e-9)


@pytest.mark.parametrize("k", [4, 9])
@pytest.mark.parametrize("name", ["friedman", "quade", "aligned_ranks", "skillings_mack"])
def test_random_permutations_do_not_depend_on_labels(name: str, k: int, table: Callable[..., Results]) -> None:
    values = np.random.default_rng(8).normal(size=(12, k)) + np.linspace(0, 0.5, k)
    test = getattr(podium.inference, name)
    p = [
        test(table(moved, rows="dataset"), distribution="permutation", permutations=199).pvalue
        for moved in (values, values[::-1], values[:, ::-1])
    ]
    assert p[0] == p[1] == p[2]


def test_missing_cells_do_not_tie_random_permutations_to_labels(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(9).normal(size=(12, 4))
    values[2, 1] = values[5, 3] = values[7, 3] = np.nan
    p = [
        podium.inference.skillings_mack(
            table(moved, rows="dataset"), distribution="permutation", permutations=199
        ).pvalue
        for moved in (values, values[::-1], values[:, ::-1], values[:, [2, 0, 3, 1]])
    ]
    assert len(set(p)) == 1


def test_random_permutations_do_not_depend_on_labels_where_algorithms_have_the_same_scores(
    table: Callable[..., Results],
) -> None:
    """The first three have the same scores, but not in the same blocks."""
    values = np.array([[1, np.nan, np.nan, 0], [1, 1, 1, 0], [np.nan, 0, 1, np.nan]])
    p = {
        podium.inference.skillings_mack(
            table(values[list(rows)][:, list(columns)], rows="dataset"), distribution="permutation", permutations=199
        ).pvalue
        for rows in permutations(range(3))
        for columns in permutations(range(4))
    }
    assert len(p) == 1


@pytest.mark.parametrize(("failed", "ordered"), [(4, True), (5, False)])
def test_an_order_needs_half_of_the_blocks_in_common(failed: int, ordered: bool) -> None:
    rng = np.random.default_rng(3)
    rows = [
        {"dataset": f"d{i}", "algorithm": name, "error": None if name == "b" and i < failed else rng.random() + k}
        for i in range(8)
        for k, name in enumerate("bac")
    ]
    results = podium.read(rows)
    comparison = podium.compare(results, method="wilcoxon", missing="available")
    assert comparison.order == (("b", "a", "c") if ordered else ())
    assert comparison.layout == (("b", "a", "c") if ordered else ("a", "b", "c"))
    assert comparison.missing is not None
    assert comparison.missing.common == CommonBlocks(
        blocks=8 - failed, datasets=8 - failed, all_blocks=8, all_datasets=8
    )
    assert podium.compare(results, method="mixed", missing="available").order == ("b", "a", "c")
    summary = podium.summarize(results, missing="available")
    assert list(summary.index) == (["b", "a", "c"] if ordered else ["a", "b", "c"])
    assert podium.summaries.orders(results, missing="available")["order"].isna().all() == (not ordered)
