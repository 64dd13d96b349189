"""Adjusted p-values against R, closed testing by brute force, and laws."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.analysis.adjustment import EXHAUSTIVE_LIMIT, _possible_counts, _rom_levels, bergmann_hommel
from podium.analysis.methods import ADJUSTMENTS, adjust_pvalues
from slow_laws import few_examples

P = [0.001, 0.2, 0.03, 0.04, 0.011, 0.6]

# R 4.2.2, p.adjust
R = {
    "holm": [0.006, 0.4, 0.12, 0.12, 0.055, 0.6],
    "hochberg": [0.006, 0.4, 0.12, 0.12, 0.055, 0.6],
    "hommel": [0.006, 0.4, 0.09, 0.12, 0.055, 0.6],
    "bonferroni": [0.006, 1.0, 0.18, 0.24, 0.066, 1.0],
    "bh": [0.006, 0.24, 0.06, 0.06, 0.033, 0.6],
    "by": [0.0147, 0.588, 0.147, 0.147, 0.08085, 1.0],
    "none": P,
}

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=12)
SIMPLE = [name for name, adjustment in ADJUSTMENTS.items() if not adjustment.logical]


@pytest.mark.parametrize("method", R)
def test_agrees_with_r(method: str) -> None:
    np.testing.assert_allclose(adjust_pvalues(P, method), R[method], rtol=1e-12)


def test_finner_li_and_sidak_by_hand() -> None:
    # García & Herrera (2008), JMLR 9, definitions of the adjusted p-values; m = 3
    p = np.array([0.01, 0.04, 0.3])
    np.testing.assert_allclose(adjust_pvalues(p, "sidak"), 1 - (1 - p) ** 3)
    np.testing.assert_allclose(adjust_pvalues(p, "finner"), [1 - 0.99**3, 1 - 0.96**1.5, 0.3])
    np.testing.assert_allclose(adjust_pvalues(p, "li"), [0.01 / (0.01 + 0.7), 0.04 / (0.04 + 0.7), 0.3])


# García, Fernández, Luengo & Herrera (2010), Information Sciences 180, 2044–2064, call Holm's steps with Šidák's levels
# Holland's procedure; APV_i = max over j ≤ i of 1 - (1 - p_j)^(m + 1 - j).
def test_holland_by_hand() -> None:
    p = np.array([0.01, 0.04, 0.3])
    np.testing.assert_allclose(adjust_pvalues(p, "holland"), [1 - 0.99**3, 1 - 0.96**2, 0.3])
    np.testing.assert_array_equal(adjust_pvalues(p, "Holm_Sidak"), adjust_pvalues(p, "holland"))


# Rom (1990), table 1, as printed in R. Wilcox's functions for R (WRS); three significant digits.
ROM = {
    0.05: [0.05, 0.025, 0.0169, 0.0127, 0.0102, 0.00851, 0.0073, 0.00639, 0.00568, 0.00511],
    0.01: [0.01, 0.005, 0.00334, 0.00251, 0.00201, 0.00167, 0.00143, 0.00126, 0.00112, 0.00101],
}


@pytest.mark.parametrize("alpha", ROM)
def test_levels_of_rom(alpha: float) -> None:
    steps = np.arange(1, 11)
    levels, _ = _rom_levels(np.full(10, alpha), steps)
    np.testing.assert_allclose(levels, ROM[alpha], rtol=6e-3)


@pytest.mark.parametrize("m", [2, 3, 5])
def test_levels_of_rom_use_the_whole_error(m: int) -> None:
    # P(p_(1) > c_m, ..., p_(m) > c_1) = 1 - alpha for independent p-values; tolerance of four standard errors
    alpha, samples = 0.3, 200_000
    levels, _ = _rom_levels(np.full(m, alpha), np.arange(1, m + 1))
    p = np.sort(np.random.default_rng(m).random((samples, m)), axis=1)
    rejected = (p <= levels[::-1]).any(axis=1).mean()
    assert rejected == pytest.approx(alpha, abs=4 * np.sqrt(alpha * (1 - alpha) / samples))


def local_p(name: str, p: np.ndarray) -> float:
    """P-value of the hypothesis that all of a set are true, by the test whose closure the procedure is."""
    if name == "holm-sidak":
        return float(1 - (1 - p.min()) ** len(p))
    ordered, m = np.sort(p), len(p)
    alphas = np.linspace(0, 1, 20_001)
    found = 1.0
    for i, value in enumerate(ordered):
        level, _ = _rom_levels(alphas, np.full(len(alphas), m - i))
        found = min(found, float(np.interp(value, level, alphas, right=1.0)))
    return found


@pytest.mark.parametrize("name", ["holm-sidak", "rom"])
@pytest.mark.parametrize("seed", range(4))
def test_steps_are_closures(name: str, seed: int) -> None:
    p = np.random.default_rng(seed).random(4) ** 2
    closed = np.zeros(4)
    for size in range(1, 5):
        for chosen in combinations(range(4), size):
            here = list(chosen)
            closed[here] = np.maximum(closed[here], local_p(name, p[here]))
    np.testing.assert_allclose(adjust_pvalues(p, name), closed, atol=1e-7)


def test_rom_rejects_more_than_hochberg() -> None:
    p = np.random.default_rng(5).random((50, 8)) ** 3
    rom, hochberg = (np.array([adjust_pvalues(row, name) for row in p]) for name in ("rom", "hochberg"))
    assert (rom <= hochberg + 1e-15).all()
    assert (rom < hochberg).mean() > 0.3


def test_possible_numbers_of_true_hypotheses() -> None:
    # Shaffer (1986), table 1
    assert sorted(_possible_counts(4)) == [0, 1, 2, 3, 6]
    assert sorted(_possible_counts(5)) == [0, 1, 2, 3, 4, 6, 10]
    assert sorted(_possible_counts(6)) == [0, 1, 2, 3, 4, 6, 7, 10, 15]


def test_shaffer_static_by_hand() -> None:
    # K = 4: at most 6, 3, 3, 3, 2, 1 hypotheses can be true at steps 1 to 6 (García & Herrera 2008, section 2.2)
    p = np.array([0.001, 0.004, 0.01, 0.02, 0.3, 0.9])
    np.testing.assert_allclose(adjust_pvalues(p, "shaffer"), [0.006, 0.012, 0.03, 0.06, 0.6, 0.9])


def partitions(items: list[int]):
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for i in range(len(rest)):
            yield [*rest[:i], [items[0], *rest[i]], *rest[i + 1 :]]


@given(st.integers(3, 5), st.integers(0, 10_000))
@few_examples()
def test_logical_procedures_by_brute_force(k: int, seed: int) -> None:
    p = np.random.default_rng(seed).random(k * (k - 1) // 2) ** 2
    index = {pair: i for i, pair in enumerate(combinations(range(k), 2))}
    bergmann = np.zeros(len(p))
    families = []
    for parts in partitions(list(range(k))):
        inside = [index[tuple(sorted(pair))] for group in parts for pair in combinations(group, 2)]
        if inside:
            families.append(set(inside))
            bergmann[inside] = np.maximum(bergmann[inside], len(inside) * p[inside].min())
    np.testing.assert_allclose(adjust_pvalues(p, "bergmann-hommel"), np.minimum(bergmann, 1))
    order = np.argsort(p)
    dynamic = [
        p[i] * max(len(f) for f in families if not f & set(order[:step].tolist())) for step, i in enumerate(order)
    ]
    expected = np.empty(len(p))
    expected[order] = np.minimum(np.maximum.accumulate(dynamic), 1)
    np.testing.assert_allclose(adjust_pvalues(p, "shaffer-dynamic"), expected)


@given(st.integers(2, 7), st.integers(0, 10_000))
@few_examples()
def test_logic_only_helps(k: int, seed: int) -> None:
    p = np.random.default_rng(seed).random(k * (k - 1) // 2) ** 3
    steps = [
        adjust_pvalues(p, name) for name in ("bonferroni", "holm", "shaffer", "shaffer-dynamic", "bergmann-hommel")
    ]
    for weaker, stronger in pairwise(steps):
        assert (stronger <= weaker + 1e-12).all()
    assert (steps[-1] >= p - 1e-15).all()


@given(p_lists, st.sampled_from(SIMPLE), st.randoms())
def test_laws(p: list[float], method: str, random) -> None:
    adjusted = adjust_pvalues(p, method)
    assert ((adjusted >= np.array(p) - 1e-12) & (adjusted <= 1)).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= -1e-12).all()
    shuffle = list(range(len(p)))
    random.shuffle(shuffle)
    np.testing.assert_allclose(adjust_pvalues(np.array(p)[shuffle], method), adjusted[shuffle])


@given(p_lists, st.sampled_from(SIMPLE))
def test_untested_hypotheses_do_not_count(p: list[float], method: str) -> None:
    with_gap = adjust_pvalues([*p, np.nan], method)
    np.testing.assert_allclose(with_gap[:-1], adjust_pvalues(p, method))
    assert np.isnan(with_gap[-1])


def test_exhaustive_procedures_reach_their_limit() -> None:
    k = EXHAUSTIVE_LIMIT
    p = np.round(np.random.default_rng(0).random(k * (k - 1) // 2), 1)  # every distinct p-value takes its time
    assert (bergmann_hommel(p, k) <= adjust_pvalues(p, "shaffer") + 1e-12).all()
