"""Numbers from 1e-300 to 1e300: a power of two as the unit of a measure changes nothing but the unit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError
from podium.results.aggregation import power_of_two, sample_deviation

EXPONENTS = (664, 990, -664, -990)  # of two: about 1e200, 1e298, 1e-200, 1e-298
SHARE = {"repeat": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], "fold": [1, 2] * 5}


@cache
def scores(exponent: int, datasets: int = 1) -> podium.Results:
    rng = np.random.default_rng(5)
    values = np.ldexp(1 + 0.5 * rng.random((datasets, 10, 3)) + [0.0, 0.05, 0.3], exponent)
    rows = [(f"d{m}", b + 1, f"a{k}", values[m, b, k]) for m, b, k in np.ndindex(values.shape)]
    return podium.read(pd.DataFrame(rows, columns=["dataset", "replication", "algorithm", "cost"]), direction="lower")


def compared(method: str, **options: Any) -> Callable[[podium.Results], pd.DataFrame]:
    return lambda results: podium.compare(results, method=method, **options).frame()


ONE: dict[str, Callable[[podium.Results], pd.DataFrame]] = {
    **{method: compared(method) for method in ("t", "wilcoxon", "permutation t", "bootstrap t", "sign")},
    "corrected t": compared("corrected t", ratio=1 / 9),
    "k-fold t": compared("k-fold t", fold=list(range(10))),
    "5x2cv t": compared("5x2cv t", **SHARE),
    "5x2cv F": compared("5x2cv F", **SHARE),
    "monitored t": lambda r: podium.monitor(r, method="t").pvalues.reset_index(),
    "monitored corrected t": lambda r: podium.monitor(r, method="corrected t", ratio=1 / 9).pvalues.reset_index(),
    "combination": lambda r: podium.sequential(r, pair=("a0", "a2"), method="t", stages=3).frame(),
    "group sequential": lambda r: podium.sequential(r, pair=("a0", "a2"), kind="group sequential", stages=3).frame(),
    "confidence sequence": lambda r: podium.inference.confidence_sequence(r, pair=("a0", "a2")).frame(),
    "summary": lambda r: podium.summarize(r),
    "t intervals": lambda r: podium.summaries.intervals(r, kind="t"),
    "orders": lambda r: podium.summaries.orders(r),
    "effect sizes": lambda r: podium.inference.effect_sizes(r),
    "correlated t": lambda r: podium.inference.compare_bayes(r, method="correlated t", ratio=1 / 9).frame(),
    "standard deviation": lambda r: pd.DataFrame(r.aggregate("sd").values[0, 0]),
}
SEVERAL = {
    **{method: compared(method) for method in ("t", "wilcoxon", "permutation t", "quade", "aligned ranks", "conover")},
    "summary": ONE["summary"],
    "t intervals": ONE["t intervals"],
    "signed rank": lambda r: podium.inference.compare_bayes(r, method="signed rank").frame(),
}


@cache
def usual(name: str, datasets: int) -> pd.DataFrame:
    """The table in the usual unit, with which those in all other units are compared."""
    return (ONE if datasets == 1 else SEVERAL)[name](scores(0, datasets))


def same_but_for_the_unit(found: pd.DataFrame, expected: pd.DataFrame, exponent: int) -> None:
    assert list(found.columns) == list(expected.columns)
    for name in expected.columns:
        for was, now in zip(expected[name].tolist(), found[name].tolist(), strict=True):
            if not isinstance(was, float):
                assert now == was, name
            elif not np.isclose(now, was, rtol=1e-9, atol=1e-12 if exponent > 0 else 0.0, equal_nan=True):
                assert now == pytest.approx(np.ldexp(was, exponent), rel=1e-8), name


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("name", ONE)
def test_the_unit_of_one_data_set_does_not_matter(name: str, exponent: int) -> None:
    same_but_for_the_unit(ONE[name](scores(exponent)), usual(name, 1), exponent)


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("name", SEVERAL)
def test_the_unit_of_several_data_sets_does_not_matter(name: str, exponent: int) -> None:
    same_but_for_the_unit(SEVERAL[name](scores(exponent, 7)), usual(name, 7), exponent)


@pytest.mark.parametrize("name", sorted(set(ONE) - {"standard deviation"}))
def test_numbers_whose_sums_may_overflow_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="largest value of 'cost' is about 1e308; sums of such numbers cannot be"):
        ONE[name](scores(1022))


def test_paired_values_whose_differences_may_overflow_are_refused() -> None:
    with pytest.raises(InputError, match="largest value of `a` and `b` is about 1e308; sums of such numbers cannot be"):
        podium.inference.paired_test([1e308, 1, 2], [-1e308, 2, 1], "t")


@pytest.mark.parametrize("exponent", [0, 1022, -1022, *EXPONENTS])
def test_a_standard_deviation_has_the_unit_of_its_values(exponent: int) -> None:
    """The deviation of 2, 4, 4, 4, 5, 5, 7, 9 about their mean 5 is the root of 32/7; powers of two are exact."""
    values = np.array([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]) / 16
    scaled = np.ldexp(values, exponent)
    assert sample_deviation(scaled) == np.ldexp(np.sqrt(32 / 7) / 16, exponent)
    assert sample_deviation(np.append(scaled, np.nan)) == sample_deviation(scaled)
    assert np.isnan(sample_deviation(scaled[:1]))
    assert power_of_two(scaled, axis=0) == np.ldexp(0.5, exponent)


def test_the_largest_and_the_smallest_number_have_a_unit() -> None:
    extremes = np.array([[np.finfo(float).max], [5e-324], [0.0]])
    assert power_of_two(extremes).ravel().tolist() == [2.0**1023, 5e-324, 1.0]
