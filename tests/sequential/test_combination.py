"""Recursive combination tests: the table of section 6.3.2, recomputed figures, laws, and the null by simulation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

import podium
from podium.analysis.sequential.combinations import FISHER, INVERSE_NORMAL
from podium.analysis.sequential.recursive_combination import recursive_paths, stage_weights

# M. J. A. Eugster (2011), dissertation, section 6.3.2, and what follows from its formulas, recomputed independently.
REFERENCE = json.loads(
    (Path(__file__).parents[1] / "reference" / "golden" / "sequential" / "reference.json").read_text(encoding="utf-8")
)
COLUMNS = {"critical": "c", "level": "level", "reject": "reject_bound", "pvalue": "p", "accept": "accept_bound"}


def check_rows(found: podium.inference.CombinationTest, rows: list[dict[str, Any]]) -> None:
    for ours, theirs in COLUMNS.items():
        np.testing.assert_allclose(found.stages[ours], [row[theirs] for row in rows], rtol=1e-10)
    assert found.stages["decision"].tolist() == [row["decision"] for row in rows]


def test_the_printed_table() -> None:
    """All 20 cells and the global p-value, to the four decimals in print, from p-values that round to those in print."""
    found = podium.combination_test(REFERENCE["from_unrounded_representative"]["p"], formal=True)
    printed = np.array(REFERENCE["printed_table"])
    ours = found.stages[["critical", "level", "reject", "pvalue", "accept"]].to_numpy()
    np.testing.assert_allclose(ours, printed, atol=5.1e-5)
    assert found.pvalue == pytest.approx(REFERENCE["printed_global_p"], abs=5e-5)
    assert (found.decision, found.stage) == ("reject", 2)


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("from_rounded_p", "constant"),
        ("from_unrounded_representative", "constant"),
        ("worked_example", "constant"),
        ("worked_example_application_rule", "shrinking"),
    ],
)
def test_recomputed_rows(name: str, rule: str) -> None:
    expected = REFERENCE[name]
    p = [row["p"] for row in expected["rows"]]
    found = podium.combination_test(p, alpha=0.05, reject=0.01, accept=0.9, rule=rule, formal=True)
    check_rows(found, expected["rows"])
    assert found.pvalue == pytest.approx(expected.get("global_p", expected.get("global_p_4_stages")), rel=1e-10)


def test_it_stops_when_it_is_decided() -> None:
    found = podium.combination_test(REFERENCE["input_p_values"])
    check_rows(found, REFERENCE["stopped_procedure"])
    assert found.unused == 2
    assert "2 additional p-values after the decision did not count" in found.text()


def test_global_pvalues_of_two_stages() -> None:
    for case in REFERENCE["q_values"]:
        found = podium.combination_test([case["p1"], case["p2"]], reject=case["a1"], accept=case["a0"], formal=True)
        assert found.pvalue == pytest.approx(case["q"], rel=1e-10)


def test_critical_values_are_exact_beyond_the_simple_branch() -> None:
    for case in REFERENCE["critical_values"]:
        test = podium.combination_test([0.95], alpha=case["level"], reject=case["a1"], accept=case["a0"])
        assert test.stages["critical"][0] == pytest.approx(case["c_exact"], rel=1e-12)


@pytest.mark.parametrize(
    "row", REFERENCE["monte_carlo_under_H0"], ids=lambda row: f"{row['rule']}-{row['final_stage']}"
)
def test_the_null_by_simulation(row: dict[str, Any]) -> None:
    """Against 200,000 runs of another program, with four standard errors of the difference of two shares."""
    runs = 40_000
    p = np.random.default_rng(6).random((runs, row["stages"]))
    rule = {"example": "constant", "application": "shrinking"}[row["rule"]]
    last = row["stages"] if row["final_stage"] == "level" else None
    found = recursive_paths(p, level=0.05, reject=0.01, accept=0.9, rule=rule, combination=FISHER, last=last)
    shares = {
        "reject_rate": found.outcome == 0,
        "accept_rate": found.outcome == 1,
        "undecided_rate": found.outcome == 2,
        "share_global_p_le_0_05": found.overall <= 0.05,
        "share_global_p_le_0_01": found.overall <= 0.01,
        "share_global_p_le_0_5": found.overall <= 0.5,
    }
    for name, events in shares.items():
        error = np.sqrt(row[name] * (1 - row[name]) * (1 / runs + 1 / row["n"]))
        assert events.mean() == pytest.approx(row[name], abs=4 * error + 1e-12), name
    assert found.stage.mean() == pytest.approx(row["mean_stages"], abs=4 * 1.2 / np.sqrt(runs) * 1.1)
    if last is not None:
        np.testing.assert_array_equal(found.overall <= 0.05, found.outcome == 0)


@given(
    level=st.floats(0.001, 0.95),
    share=st.floats(0.01, 0.99),
    gap=st.floats(0.01, 1.0),
    combination=st.sampled_from([FISHER, INVERSE_NORMAL]),
)
def test_the_critical_value_makes_the_size_equal_to_the_level(level, share, gap, combination) -> None:
    """a + ∫ A(x) dx = L, the conditional level A integrated numerically over [a, b]."""
    reject, accept = share * level, level + gap * (1 - level)
    c = combination.critical(*(np.array([x]) for x in (level, reject, accept)), 0.5)
    edges = np.geomspace(reject, accept, 4001)
    x = (edges[1:] + edges[:-1]) / 2
    size = reject + (combination.conditional(np.broadcast_to(c, x.shape), x, 0.5) * np.diff(edges)).sum()
    assert size == pytest.approx(level, rel=2e-3)


@given(p=st.lists(st.floats(1e-6, 1.0), min_size=3, max_size=3), rule=st.sampled_from(["constant", "shrinking"]))
def test_a_higher_level_rejects_what_a_lower_one_does(p: list[float], rule: str) -> None:
    """Holm's procedure over pairs relies on it."""
    levels = np.geomspace(0.001, 0.2, 12)
    found = recursive_paths(
        np.broadcast_to(p, (12, 3)), level=levels, reject=levels / 5, accept=0.9, rule=rule, combination=FISHER, last=3
    )
    assert (np.diff((found.outcome == 0).astype(int)) >= 0).all()


def test_the_inverse_normal_of_two_stages_against_the_bivariate_normal() -> None:
    """q = a + P(a < P ≤ b, (Z1 + Z2)/√2 ≥ observed), by scipy's distribution function of two dimensions."""
    p1, p2, reject, accept = 0.2, 0.04, 0.01, 0.9
    reached = (norm.isf(p1) + norm.isf(p2)) / np.sqrt(2)
    both = multivariate_normal([0, 0], [[1, np.sqrt(0.5)], [np.sqrt(0.5), 1]])

    def below(z: float) -> float:  # P(Z1 ≤ z, sum ≥ reached)
        return norm.cdf(z) - both.cdf([z, reached])

    expected = reject + below(norm.isf(reject)) - below(norm.isf(accept))
    found = podium.combination_test([p1, p2], combine="inverse normal", stages=2)
    assert found.pvalue == pytest.approx(expected, abs=1e-7)


def test_the_inverse_normal_without_early_stops_is_the_weighted_sum() -> None:
    """With hardly any level spent early and no acceptance, the p-value is that of Stouffer's weighted sum."""
    p, sizes = [0.3, 0.02, 0.1], [10, 20, 30]
    found = podium.combination_test(
        p,
        reject=1e-9,
        accept=1.0,
        combine="inverse normal",
        stages=3,
        sizes=sizes,
        rule=lambda t, level, b: (1e-9, 1.0),
    )
    z = np.sqrt(sizes) @ norm.isf(p) / np.sqrt(np.sum(sizes))
    assert found.pvalue == pytest.approx(norm.sf(z), rel=1e-5)
    assert stage_weights(sizes, 3) == pytest.approx((1 / 6, 2 / 5, 1.0))


def test_the_inverse_normal_keeps_its_level() -> None:
    p = np.random.default_rng(3).random((3_000, 3))
    found = recursive_paths(
        p, level=0.05, reject=0.01, accept=0.9, rule="constant", combination=INVERSE_NORMAL, last=3,
        weights=stage_weights([1, 1, 1], 3),
    )  # fmt: skip
    assert (found.outcome == 0).mean() == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 3_000))
    np.testing.assert_array_equal(found.overall <= 0.05, found.outcome == 0)


def test_user_defined_rules() -> None:
    def halved(stage: int, level: float, accept: float) -> tuple[float, float]:
        return level / 2, max(accept - 0.1, level)

    found = podium.combination_test([0.3, 0.2, 0.08], rule=halved)
    assert found.rule == "halved"
    np.testing.assert_allclose(found.stages["reject"][1:], found.stages["level"][1:] / 2)
    np.testing.assert_allclose(found.stages["accept"], [0.9, 0.8, 0.7])
    same = podium.combination_test([0.3, 0.2, 0.08], rule=lambda stage, level, accept: (level / 1.2, accept))
    assert same.pvalue == pytest.approx(REFERENCE["worked_example"]["global_p"], rel=1e-10)


def test_a_bound_below_the_level_is_raised() -> None:
    found = podium.combination_test([0.0101, 0.4], rule=lambda stage, level, accept: (level / 2, 0.01))
    assert found.stages["level"][1] == pytest.approx(0.04 / np.log(90) / 0.0101)
    assert found.stages["accept"][1] == found.stages["level"][1]


def test_the_last_stage_spends_everything() -> None:
    found = podium.combination_test([0.3, 0.2, 0.006], stages=3)
    last = found.stages.iloc[2]
    assert last["reject"] == last["accept"] == last["level"] == pytest.approx(0.006866822813654005)
    assert np.isnan(last["critical"])
    assert found.decision == "reject"
    assert found.pvalue <= 0.05
    assert podium.combination_test([0.3, 0.2, 0.08], stages=3).decision == "accept"
    assert podium.combination_test([0.3, 0.2, 0.08], stages=4).decision == "continue"


@pytest.mark.parametrize("options", [{}, {"stages": 4}, {"rule": "shrinking"}, {"combine": "inverse normal"}])
def test_the_next_stage_has_the_bounds_that_its_row_will_have(options: dict[str, Any]) -> None:
    given = [0.3, 0.2, 0.08]
    for stages in (1, 2):
        following = podium.combination_test(given[:stages], **options).next_stage
        row = podium.combination_test(given[: stages + 1], **options).rows[stages]
        assert following is not None
        for name in ("stage", "level", "critical", "reject", "accept"):
            assert getattr(following, name) == pytest.approx(getattr(row, name), nan_ok=True)
    assert podium.combination_test([0.3, 0.2, 0.08], stages=3).next_stage is None
    assert podium.combination_test([0.001]).next_stage is None


def test_sizes_are_a_plan() -> None:
    """The last of the planned sizes spends everything, as `stages` of that number does."""
    given: dict[str, Any] = {"combine": "inverse normal", "sizes": [10, 20, 30]}
    one = podium.combination_test([0.3, 0.2, 0.08], **given)
    same = podium.combination_test([0.3, 0.2, 0.08], **given, stages=3)
    pd.testing.assert_frame_equal(one.stages, same.stages)
    assert (one.decision, one.planned, one.pvalue) == ("accept", 3, same.pvalue)
