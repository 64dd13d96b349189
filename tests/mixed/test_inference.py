"""Global tests, contrasts, relevance, and the notes and texts of comparisons."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.linalg import block_diag
from scipy.special import ndtr
from scipy.stats import f as f_distribution

import podium
from podium.analysis.mixed import mixed
from podium.analysis.mixed.compare import compare_mixed
from podium.analysis.mixed.degrees_of_freedom import cells_information
from podium.errors import InputError
from podium.results import Results


@pytest.fixture(scope="module")
def complete(of, draw) -> Results:
    """A domain of 10 data sets with two good and two bad algorithms."""
    return of(draw(np.random.default_rng(3), (10, 6, 4), means=np.array([1.0, 1.1, 3.0, 3.2]), interaction=0.6))


# Global tests


def test_the_kenward_roger_test_is_hotellings_where_that_exists(complete: Results) -> None:
    # Their scaled F is exact for an unstructured covariance and complete data (Kenward & Roger 1997, section 5).
    fit = mixed(complete, covariance="unstructured")
    means = complete.values[..., 0].mean(axis=1)
    differences = means[:, 1:] - means[:, :1]
    m, q = differences.shape
    average = differences.mean(axis=0)
    T2 = m * average @ np.linalg.solve(np.cov(differences.T), average)
    expected = T2 * (m - q) / (q * (m - 1))
    exact, general = fit.omnibus(), fit.omnibus(df="kenward-roger")
    assert exact.method == "F test in a mixed-effects model (exact degrees of freedom)"
    assert (exact.statistic, *exact.df) == pytest.approx((expected, q, m - q), rel=1e-9)
    assert (general.statistic, *general.df) == pytest.approx((expected, q, m - q), rel=1e-6)
    assert exact.pvalue == pytest.approx(f_distribution.sf(expected, q, m - q), rel=1e-9)


@pytest.mark.parametrize("model", ["domain", "survey", "block"])
def test_approximate_degrees_of_freedom_are_exact_in_complete_designs(complete: Results, model: str) -> None:
    fit = mixed(complete.select(dataset="d0") if model == "block" else complete, model=model)
    expected = {"domain": 9 * 3, "survey": 10 * 5 * 3, "block": 5 * 3}[model]
    for df in ("exact", "satterthwaite", "kenward-roger"):
        test = fit.omnibus(df=df)
        assert (test.statistic, *test.df) == pytest.approx((fit.omnibus().statistic, 3, expected), rel=1e-5)
        np.testing.assert_allclose(fit.contrasts(df=df).df, expected, rtol=1e-5)


def test_interaction_with_a_cell_missing_is_nearly_that_of_the_complete_design(of, draw) -> None:
    values = draw(np.random.default_rng(5), (6, 8, 3), interaction=0.0)
    fit = mixed(of(values), model="survey")
    complete = fit.omnibus(effect="interaction")
    assert complete.df == (10.0, 6 * 7 * 2)
    same = fit.omnibus(effect="interaction", df="satterthwaite")
    assert (same.statistic, *same.df) == pytest.approx((complete.statistic, *complete.df), rel=1e-5)
    values[0, 0, 0] = np.nan
    nearly = mixed(of(values), model="survey").omnibus(effect="interaction")
    assert nearly.df == pytest.approx((10.0, 6 * 7 * 2 - 1), abs=0.5)
    assert nearly.statistic == pytest.approx(complete.statistic, rel=0.1)


@pytest.mark.parametrize("residual", ["common", "algorithm", "dataset"])
def test_degrees_of_freedom_of_the_interaction_by_whole_matrices(of, draw, residual: str) -> None:
    # ν = 2 q / A₂ with A₂ = Σ w_ij tr(Θ Φ_i Θ Φ_j), Θ = L'(LΦL')⁻¹L of Kenward and Roger (1997), section 3.
    values = draw(np.random.default_rng(6), (4, 6, 3), missing=0.1)
    fit = mixed(of(values), model="survey", residual=residual)
    test = fit.omnibus(effect="interaction")
    cells = cells_information(fit)
    phi = block_diag(*cells.vcov)
    slopes = [block_diag(*slope) for slope in cells.slopes]
    L = np.kron(np.eye(4)[1:] - np.eye(4)[0], np.eye(3)[1:] - np.eye(3)[0])
    estimate = L @ cells.means.ravel()
    assert test.statistic == pytest.approx(estimate @ np.linalg.solve(L @ phi @ L.T, estimate) / 6, rel=1e-9)
    theta = L.T @ np.linalg.solve(L @ phi @ L.T, L)
    terms = [[np.trace(theta @ a @ theta @ b) for a in slopes] for b in slopes]
    assert test.df == pytest.approx((6, 12 / (cells.parameter_vcov * terms).sum()), rel=1e-9)


def test_the_interaction_keeps_its_level_with_few_replications(of, draw, check_uniform) -> None:
    # Taken as χ², the statistic rejects in 13% of such experiments.
    rng = np.random.default_rng(7)
    pvalues = []
    while len(pvalues) < 200:
        values = draw(rng, (5, 3, 4), interaction=0.0)
        values[0, 0, 0] = values[1, 1, 1] = values[2, 2, 2] = np.nan
        pvalues.append(mixed(of(values), model="survey").omnibus(effect="interaction").pvalue)
    check_uniform(pvalues)
    assert np.mean(np.array(pvalues) <= 0.05) > 0.01  # binomial: not in 0.2% of such studies


# Contrasts


def test_unit_and_number_of_blocks(complete: Results) -> None:
    domain, survey = (mixed(complete, model=model).contrasts() for model in ("domain", "survey"))
    block = mixed(complete.select(dataset="d0")).contrasts()
    assert (domain.unit, domain.n) == ("dataset", 10)
    assert (survey.unit, survey.n) == ("replication", 60)
    assert (block.unit, block.n) == ("replication", 6)
    assert survey.estimand == "mean over data sets"
    one = mixed(complete, model="survey").contrasts(dataset="d3")
    assert (one.estimand, one.dataset) == ("mean", "d3")


def test_intervals_and_p_values_lead_to_the_same_decisions(complete: Results) -> None:
    for options in ({}, {"distribution": "normal"}, {"df": "kenward-roger"}, {"adjust": "bonferroni"}):
        comparison = mixed(complete).contrasts(**options)
        outside = (comparison.lower > 0) | (comparison.upper < 0)
        np.testing.assert_array_equal(outside, comparison.significant)


def test_comparisons_with_a_control(complete: Results) -> None:
    fit = mixed(complete)
    all_pairs, against = fit.contrasts(), fit.contrasts("control", control="a2")
    assert against.control == "a2" and len(against.estimate) == 3
    for name in ("a0", "a1", "a3"):
        one, two = all_pairs.pair(name, "a2"), against.pair(name, "a2")
        assert one["estimate"] == pytest.approx(two["estimate"])
        assert two["adjusted"] <= one["adjusted"]  # three comparisons instead of six
        assert two["upper"] - two["lower"] < one["upper"] - one["lower"]
    # Dunnett (1964): 3 comparisons with a control, 24 and 30 df, two-sided 5%: 2.51 and 2.47; here 27.
    assert 2.47 < against.critical_value[0] < 2.51


def test_any_contrasts(complete: Results) -> None:
    fit = mixed(complete)
    matrix = pd.DataFrame({"a3": [-0.5, -1.0], "a0": [0.5, 0.0], "a1": [0.5, 1.0], "a2": [-0.5, 0.0]})
    comparison = fit.contrasts(matrix)
    assert comparison.algorithms == ("0.5 a0 + 0.5 a1", "a1", "0.5 a2 + 0.5 a3", "a3")
    means = fit.estimates
    expected = [(means["a0"] + means["a1"] - means["a2"] - means["a3"]) / 2, means["a1"] - means["a3"]]
    np.testing.assert_allclose(comparison.estimate, expected)
    assert comparison.pair("a1", "a3")["pvalue"] == pytest.approx(fit.contrasts().pair("a1", "a3")["pvalue"])
    plain = fit.contrasts(matrix[list(fit.design.algorithms)].to_numpy())
    np.testing.assert_array_equal(plain.adjusted, comparison.adjusted)
    single = fit.contrasts([1, -1, 0, 0])
    assert single.adjusted[0] == pytest.approx(single.pvalue[0])


def test_adjustments_are_ordered_by_their_power(of, draw) -> None:
    values = draw(np.random.default_rng(6), (8, 5, 5), means=np.array([0, 0.2, 1.2, 1.4, 2.5]), missing=0.1)
    fit = mixed(of(values))
    p = {name: fit.contrasts(adjust=name).adjusted for name in
         ("none", "step-down", "single-step", "holm", "bonferroni")}  # fmt: skip
    close = 5e-4  # of Monte Carlo
    assert (p["none"] <= p["step-down"] + close).all()
    assert (p["step-down"] <= p["single-step"] + close).all() and (p["step-down"] <= p["holm"] + close).all()
    assert (p["single-step"] <= p["bonferroni"] + close).all() and (p["holm"] <= p["bonferroni"]).all()
    assert (p["step-down"] < p["single-step"] - 1e-3).any()
    for name in ("shaffer", "bh"):
        assert fit.contrasts(adjust=name).adjust == name


def test_the_normal_distribution_is_the_limit_of_t(complete: Results) -> None:
    comparison = mixed(complete).contrasts(distribution="normal")
    np.testing.assert_allclose(comparison.pvalue, 2 * ndtr(-np.abs(comparison.statistic)))
    assert (mixed(complete).contrasts().pvalue > comparison.pvalue).all()


def test_the_seed_makes_comparisons_reproducible(of, draw) -> None:
    values = draw(np.random.default_rng(7), (8, 5, 5), missing=0.1)
    one, two, other = (mixed(of(values)).contrasts(seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.adjusted, two.adjusted)
    np.testing.assert_allclose(one.adjusted, other.adjusted, atol=2e-4)
    assert one.details["error"].max() < 1e-4


@pytest.mark.parametrize("adjust", ["single-step", "step-down"])
def test_a_note_says_that_the_accuracy_was_not_reached(of, draw, adjust: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("podium.analysis.simultaneous.quasi_monte_carlo._MAX_POINTS", 1 << 11)
    fit = mixed(of(draw(np.random.default_rng(7), (12, 5, 4), missing=0.1)), covariance="unstructured")
    found = fit.contrasts(distribution="normal", adjust=adjust, accuracy=1.7e-7)
    (note,) = (note for note in found.notes if note.code == "accuracy")
    assert (note.facts["points"], note.facts["accuracy"], note.kind) == (8 << 11, 1.7e-7, "detail")
    assert 1.7e-7 < note.facts["error"] < 1e-3
    coarse = fit.contrasts(distribution="normal", adjust=adjust, accuracy=0.01)
    assert not [note for note in coarse.notes if note.code == "accuracy"]


# Relevance


def test_decisions_by_interval_inclusion(complete: Results) -> None:
    comparison = compare_mixed(complete, equivalence=(-1.5, 1.5))
    for row in comparison.frame().itertuples():
        if row.lower >= -1.5 and row.upper <= 1.5:
            assert row.decision == "equivalent"
        elif row.lower > 0 or row.upper < 0:
            assert row.decision == "better"
        else:
            assert row.decision == "undecided"
    assert {"equivalent", "better"} <= set(comparison.decision)
    assert compare_mixed(complete, equivalence=1.5).equivalence == (-1.5, 1.5)


def test_relative_areas(complete: Results) -> None:
    fit = mixed(complete)
    best = fit.estimates.min()
    assert fit.contrasts(equivalence=(-0.1, 0.2), relative=True).equivalence == pytest.approx((-0.1 * best, 0.2 * best))
    against = fit.contrasts("control", control="a2", equivalence=0.1, relative=True)
    assert against.equivalence == pytest.approx((-0.1 * fit.estimates["a2"], 0.1 * fit.estimates["a2"]))
    flipped = complete.replace(values=-complete.values, measures=(podium.MeasureInfo("score", "higher"),))
    assert mixed(flipped).contrasts(equivalence=0.1, relative=True).equivalence == pytest.approx(
        (-0.1 * best, 0.1 * best)
    )


# Notes and texts


def test_notes(complete: Results) -> None:
    first = compare_mixed(complete.select(dataset="d0")).notes[0]
    assert (first.code, first.facts) == ("overlap", {"test": "mixed-effects model", "known": False})


def test_a_note_says_that_the_other_covariance_fits_better(of, draw) -> None:
    rng = np.random.default_rng(1)
    values = draw(rng, (20, 5, 4), interaction=0.1)
    codes = [note.code for note in compare_mixed(of(values)).notes]
    assert "better covariance" not in codes and "chosen unstructured" not in codes
    values[..., 0] += 3 * rng.normal(size=(20, 1))
    assert "better covariance" in [note.code for note in compare_mixed(of(values), covariance="scalar").notes]


@pytest.mark.parametrize(("m", "chosen"), [(7, "scalar"), (8, "unstructured")])
def test_a_rejected_scalar_covariance_is_given_up_with_two_data_sets_per_algorithm(of, draw, m, chosen) -> None:
    rng = np.random.default_rng(1)
    values = draw(rng, (m, 5, 4), interaction=0.1)
    values[..., 0] += 10 * rng.normal(size=(m, 1))
    results = of(values)
    expected = compare_mixed(results, covariance=chosen)
    for found in (compare_mixed(results), podium.domain(results).comparison):
        np.testing.assert_array_equal(found.adjusted, expected.adjusted)
        code = "chosen unstructured" if chosen == "unstructured" else "better covariance"
        assert code in [note.code for note in found.notes]
    assert podium.domain(results).model.covariance == chosen
    assert code in [note.code for note in podium.domain(results).notes]


def test_the_scalar_covariance_may_be_good_enough(of, draw) -> None:
    found = mixed(of(draw(np.random.default_rng(2), (20, 5, 4))), covariance="unstructured").compare_covariances()
    assert found.preferred == "scalar"
    assert found.scalar.covariance == "scalar" and found.unstructured.covariance == "unstructured"


def test_podium_compare_leads_to_relations_plots_and_text(complete: Results) -> None:
    comparison = podium.compare(complete, method="mixed", equivalence=1.0)
    assert str(comparison.relation()) == "a0 ~ a1 < a2 ~ a3"
    assert str(comparison.relation("relevance")) == "a0 ~ a1 < a2 ~ a3"
    assert comparison.groups() == [("a0", "a1"), ("a3", "a2")]
    assert "equivalent, with a mean difference in [-1, 1]: a3 and a2. 1 of 6 pairs is undecided" in comparison.text()
    for draw in (podium.plot.pvalues, podium.plot.critical_difference, podium.plot.simultaneous_intervals):
        draw(comparison).figure.draw_without_rendering()
    table = comparison.latex()
    assert table.count("& better") == 4 and "a3 & a2" in table and "& equivalent" in table


def test_podium_compare_passes_options_to_the_model(complete: Results) -> None:
    one = podium.compare(complete, method="mixed", equivalence=0.1, missing="available", covariance="unstructured")
    two = compare_mixed(complete, equivalence=0.1, covariance="unstructured")
    np.testing.assert_array_equal(one.adjusted, two.adjusted)


# Designs without replications, and without variation


def test_single_replications_make_data_sets_the_blocks(of, draw) -> None:
    values = draw(np.random.default_rng(4), (12, 1, 3))
    fit = mixed(of(values))
    assert (fit.design.model, fit.design.unit, fit.design.n) == ("block", "dataset", 12)
    assert list(fit.components.index) == ["dataset", "residual"]
    assert fit.blups("replication")["dataset"].tolist() == [f"d{i}" for i in range(12)]
    assert list(fit.frame().columns) == ["dataset", "algorithm", "value", "fitted", "residual"]
    comparison = fit.contrasts()
    assert comparison.unit == "dataset"
    # The same numbers as replications of one data set give the same test.
    np.testing.assert_array_equal(comparison.adjusted, mixed(of(values.transpose(1, 0, 2))).contrasts().adjusted)
    # Also where the single replications have different names.
    apart = np.full((3, 3, 3), np.nan)
    apart[np.arange(3), np.arange(3)] = values[:3, 0]
    assert mixed(of(apart)).design.row_name == "dataset"


def test_differences_without_variation_are_equal_or_certain(of) -> None:
    rows = np.random.default_rng(1).normal(size=(1, 8, 1))
    comparison = compare_mixed(of(np.concatenate([rows, rows, rows + 1], axis=2)), equivalence=0.5)
    assert comparison.pair("a0", "a1")[["estimate", "lower", "upper", "adjusted", "decision"]].tolist() == [
        0.0, 0.0, 0.0, 1.0, "equivalent",
    ]  # fmt: skip
    assert comparison.pair("a0", "a2")[["adjusted", "decision"]].tolist() == [0.0, "better"]
    assert comparison.omnibus is not None and comparison.omnibus.pvalue == 0.0
    constant = compare_mixed(of(np.full((1, 5, 3), 0.25)))
    assert constant.adjusted.tolist() == [1.0, 1.0, 1.0]
    assert constant.omnibus is not None and constant.omnibus.pvalue == 1.0
    against = compare_mixed(of(np.full((1, 5, 3), 0.25)), control="a1", equivalence=0.1, relative=True)
    assert against.first.tolist() == [0, 2]
    assert against.equivalence == pytest.approx((-0.025, 0.025))


def test_a_domain_without_any_variation(of) -> None:
    flat = np.full((4, 3, 3), 0.25) + np.array([0.0, 0.0, 0.1])
    comparison = compare_mixed(of(flat))
    assert (comparison.unit, comparison.n) == ("dataset", 4)
    assert str(comparison.relation()) == "a0 ~ a1 < a2"
    with pytest.raises(InputError, match="differ by the same amounts on every data set: no variation is left"):
        mixed(of(flat[:, :1]))


@pytest.mark.parametrize("covariance", ["scalar", "unstructured"])
def test_identical_and_constant_algorithms_can_be_compared(of, draw, covariance: str) -> None:
    values = draw(np.random.default_rng(6), (8, 4, 4), missing=0.1)
    values[..., 1] = values[..., 0]
    values[..., 2] = np.where(np.isnan(values[..., 2]), np.nan, 0.3)
    comparison = compare_mixed(of(values), covariance=covariance)
    pair = comparison.pair("a0", "a1")
    assert pair["estimate"] == pytest.approx(0, abs=1e-6) and pair["adjusted"] == pytest.approx(1, abs=1e-6)
    assert np.isfinite(comparison.adjusted).all() and np.isfinite(comparison.lower).all()
    if covariance == "unstructured":
        assert any(note.code == "singular covariance" for note in comparison.notes)


@pytest.mark.parametrize("shape", [(2, 2, 2), (1, 2, 2), (2, 3, 4), (3, 2, 8)])
def test_the_smallest_designs_have_an_outcome(of, draw, shape: tuple[int, int, int]) -> None:
    for covariance in ("scalar", "unstructured") if shape[0] > 1 else ("scalar",):
        comparison = compare_mixed(of(draw(np.random.default_rng(8), shape)), covariance=covariance)
        assert ((comparison.adjusted >= 0) & (comparison.adjusted <= 1)).all()
        assert (comparison.lower < comparison.estimate).all() and (comparison.estimate < comparison.upper).all()


def test_copied_replications_of_a_domain_are_averaged(of, draw) -> None:
    values = draw(np.random.default_rng(2), (9, 1, 3))
    copied = compare_mixed(of(np.repeat(values, 4, axis=1)))
    assert copied.unit == "dataset"
    np.testing.assert_allclose(copied.adjusted, compare_mixed(of(values)).adjusted, atol=1e-9)


def test_unequal_residual_variances_are_estimated(of, draw) -> None:
    rng = np.random.default_rng(3)
    values = draw(rng, (1, 400, 3), replication=0.2, residual=0.0)
    values = values + np.array([0.1, 0.5, 2.0]) * rng.normal(size=(1, 400, 3))
    fit = mixed(of(values), residual="algorithm")
    np.testing.assert_allclose(np.sqrt(fit.residual_variances), [0.1, 0.5, 2.0], rtol=0.2)
    assert fit.criterion < mixed(of(values)).criterion - 100
    widths = {row.a + row.b: row.upper - row.lower for row in fit.contrasts().frame().itertuples()}
    narrow = [width for pair, width in widths.items() if "a2" not in pair]
    assert max(narrow) < 0.5 * min(width for pair, width in widths.items() if "a2" in pair)
    df = fit.contrasts().df
    assert df.max() > 1.01 * df.min()  # each pair has its own
