"""Few data sets, and variances that end at zero: tests and intervals keep their level and agree with each other."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.optimize import newton
from scipy.stats import f as f_distribution
from scipy.stats import studentized_range, t, ttest_rel

import podium
from podium.analysis.mixed import mixed
from podium.analysis.mixed.degrees_of_freedom import means_information
from podium.analysis.simultaneous.studentised_range import range_ppf
from podium.results import Results

SAMPLES, FITS = 4000, 3
LEAST, MOST = 0.05 + np.array([-3, 3]) * np.sqrt(0.05 * 0.95 / SAMPLES)


@pytest.fixture(scope="module")
def at_zero(of, draw) -> Results:
    """Two data sets on which the estimated variance of data set × algorithm is zero, and replications vary much."""
    for seed in range(100):
        values = draw(np.random.default_rng(seed), (2, 10, 3), means=np.array([0, 0.4, 0.8]), interaction=0.0)
        fit = mixed(of(values))
        if fit.components.loc["interaction", "boundary"]:
            return of(values)
    raise AssertionError("no such seed")


def test_pairs_use_the_stratum_of_the_interaction(at_zero: Results) -> None:
    # Scheffé (1959), chapter 8: the mean square of the interaction is the error of a difference, with (M-1)(K-1) df.
    cells = at_zero.values[..., 0].mean(axis=1)
    m, k = cells.shape
    rest = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
    square, df = (rest**2).sum() / ((m - 1) * (k - 1)), (m - 1) * (k - 1)
    comparison = mixed(at_zero).contrasts()
    np.testing.assert_allclose(comparison.df, df)
    np.testing.assert_allclose(comparison.se, np.sqrt(2 * square / m))
    difference = cells.mean(axis=0)[comparison.first] - cells.mean(axis=0)[comparison.second]
    statistic = difference / np.sqrt(2 * square / m)
    np.testing.assert_allclose(comparison.pvalue, 2 * t.sf(np.abs(statistic), df))
    # Tukey (1953): the largest of all differences has the studentised range distribution.
    np.testing.assert_allclose(
        comparison.adjusted, studentized_range.sf(np.sqrt(2) * np.abs(statistic), k, df), rtol=1e-5
    )
    F = m * cells.mean(axis=0).var(ddof=1) / square
    assert comparison.omnibus.pvalue == pytest.approx(f_distribution.sf(F, k - 1, df))


@cache
def range_quantile(k: int, df: int) -> float:
    """The point that the range exceeds with probability 0.05, by SciPy, whose own search takes three times as long."""
    start = range_ppf(0.05, k, df)  # wherever it starts, it ends at the same point
    return newton(lambda q: studentized_range.sf(q, k, df) - 0.05, start, x1=1.01 * start)


def check_level(of, experiments: np.ndarray, errors: np.ndarray, blocks: int, df: int, **options: str) -> None:
    """All experiments by formulas, whose tests and intervals must keep their level, and some of them by the model.

    `errors` are mean squares with so many degrees of freedom, of averages over so many blocks; they are the errors of
    comparisons of algorithms. The model must agree.
    """
    k = experiments.shape[-1]
    means = experiments.mean(axis=(1, 2))
    F = blocks * means.var(axis=1, ddof=1) / errors
    statistics = (means[:, :, None] - means[:, None, :])[:, *np.triu_indices(k, 1)]
    statistics /= np.sqrt(2 * errors / blocks)[:, None]
    widest = range_quantile(k, df) / np.sqrt(2)
    rejected = f_distribution.sf(F, k - 1, df) <= 0.05
    one_pair = 2 * t.sf(np.abs(statistics[:, 0]), df) <= 0.05
    largest = np.abs(statistics).max(axis=1)
    missed = largest > widest
    for share in (rejected.mean(), one_pair.mean(), missed.mean()):
        assert LEAST <= share <= MOST
    # Those near the limit, on both sides of it, tell a limit from another one.
    near = np.abs(largest - widest).argsort(kind="stable")[10:]  # rounding decides on none of these
    seen = np.r_[0, near[~missed[near]][:FITS], near[missed[near]][:FITS]]
    for i in seen:
        comparison = mixed(of(experiments[i]), **options).contrasts()
        np.testing.assert_allclose(comparison.statistic, statistics[i], rtol=1e-6)
        assert comparison.omnibus.significant == rejected[i]
        assert (comparison.pvalue[0] <= 0.05) == one_pair[i]
        assert bool(((comparison.lower > 0) | (comparison.upper < 0)).any()) == missed[i]


@pytest.mark.parametrize(("m", "interaction"), [(2, 0.0), (2, 0.7), (3, 0.7), (5, 0.0), (8, 1.0)])
def test_few_data_sets_keep_the_level(of, draw_many, m: int, interaction: float) -> None:
    experiments = draw_many(np.random.default_rng(m), SAMPLES, (m, 6, 4), interaction=interaction)
    # Scheffé (1959), chapter 8: algorithms against their interaction with data sets.
    check_level(of, experiments, *two_way_errors(experiments.mean(axis=2)))


def two_way_errors(tables: np.ndarray) -> tuple[np.ndarray, int, int]:
    """Mean squares of the interaction of algorithms with blocks, the number of blocks and the degrees of freedom."""
    _, n, k = tables.shape
    means, rows, total = (tables.mean(axis=axis, keepdims=True) for axis in (1, 2, (1, 2)))
    df = (n - 1) * (k - 1)
    return ((tables - means - rows + total) ** 2).sum(axis=(1, 2)) / df, n, df


def test_one_data_set_keeps_the_level(of, draw_many) -> None:
    experiments = draw_many(np.random.default_rng(1), SAMPLES, (1, 12, 4), interaction=0.0)
    check_level(of, experiments, *two_way_errors(experiments[:, 0]))  # Scheffé (1959), chapter 4


def test_a_survey_keeps_the_level(of, draw_many) -> None:
    m, b, k = 4, 5, 4
    experiments = draw_many(np.random.default_rng(4), SAMPLES, (m, b, k), interaction=0.0)
    # Scheffé (1959), chapter 4: replications are blocks within data sets, and all data sets have one error.
    squares = [two_way_errors(experiments[:, i])[0] for i in range(m)]
    check_level(of, experiments, np.mean(squares, axis=0), m * b, m * (b - 1) * (k - 1), model="survey")


def test_incomplete_designs_count_a_variance_at_zero(of, draw) -> None:
    # In the complete design the expected curvature gives (M-1)(K-1) degrees of freedom wherever the estimate lies.
    seeds = iter(range(100))
    fit = None
    while fit is None or not fit.components.loc["interaction", "boundary"]:
        values = draw(np.random.default_rng(next(seeds)), (2, 10, 3), interaction=0.0)
        fit = mixed(of(values))
    contrast = np.array([[1.0, -1.0, 0.0]])
    assert means_information(fit, None, expected=True).contrast_df(contrast) == pytest.approx(2, rel=1e-4)
    values[0, 0, 0] = np.nan
    nearly = mixed(of(values))
    assert nearly.components.loc["interaction", "boundary"]
    for df in ("satterthwaite", "kenward-roger"):
        np.testing.assert_allclose(nearly.contrasts(df=df).df, 2, rtol=0.2)
        assert nearly.omnibus(df=df).df[1] <= 2.4


def test_an_unstructured_covariance_at_its_boundary_compares_by_paired_t_tests(of, draw) -> None:
    values = draw(np.random.default_rng(4), (3, 6, 5))
    fit = mixed(of(values), covariance="unstructured")
    assert fit.boundary
    comparison = fit.contrasts()
    cells = values.mean(axis=1)
    expected = [
        ttest_rel(cells[:, a], cells[:, b]).pvalue for a, b in zip(comparison.first, comparison.second, strict=True)
    ]
    np.testing.assert_allclose(comparison.pvalue, expected)
    assert comparison.adjust == "bonferroni"  # the joint distribution cannot be estimated from three data sets
    np.testing.assert_allclose(comparison.adjusted, np.minimum(10 * comparison.pvalue, 1))
    assert any(note.code == "separate" for note in comparison.notes)
    # Geisser and Greenhouse (1958): 1 and M - 1 degrees of freedom hold for any covariance.
    assert comparison.omnibus.df == (1.0, 2.0)
    assert fit.contrasts(adjust="step-down").adjust == "holm"


def test_means_themselves_are_not_differences(of, draw) -> None:
    fit = mixed(of(draw(np.random.default_rng(1), (6, 5, 3))))
    alone = fit.contrasts([[1.0, 0.0, 0.0]])
    assert alone.df[0] < 10  # of the differences
    with pytest.raises(podium.errors.InputError, match=r"^`df='exact'` is for contrasts whose weights add up to 0"):
        fit.contrasts([[1.0, 0.0, 0.0]], df="exact")


def test_the_paragraph_says_how_the_f_test_and_the_pairs_go_together(of, draw) -> None:
    rng = np.random.default_rng(0)
    seen = set()
    for sample in range(300):
        if sample >= 15 and len(seen) == 2:
            break
        comparison = mixed(of(draw(rng, (4, 3, 4), means=np.array([0, 0, 0.6, 1.2])))).contrasts()
        said = {note.facts["pairs"] for note in comparison.notes if note.code == "F and pairs"}
        pairs, overall = bool(comparison.significant.any()), comparison.omnibus.significant
        assert said == ({pairs} if pairs != overall else set())
        seen |= said
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("options", "exponent"),
    [
        ({}, 150),
        ({}, -150),
        ({"covariance": "unstructured"}, -150),
        ({"model": "survey"}, 150),
        ({"residual": "dataset"}, -150),
    ],
)
def test_the_units_of_the_values_do_not_matter(of, draw, options: dict, exponent: int) -> None:
    values = draw(np.random.default_rng(1), (8, 6, 3), means=np.array([0, 0.5, 1]), missing=0.15)
    size = 10.0**exponent
    plain, extreme = mixed(of(values), **options), mixed(of(values * size), **options)
    one, two = plain.contrasts(), extreme.contrasts()
    np.testing.assert_allclose(two.adjusted, one.adjusted, rtol=1e-3)
    for name in ("estimate", "lower", "upper"):
        np.testing.assert_allclose(getattr(two, name) / size, getattr(one, name), rtol=1e-4)
    assert two.omnibus.pvalue == pytest.approx(one.omnibus.pvalue, rel=1e-4)
    np.testing.assert_allclose(extreme.components["sd"] / size, plain.components["sd"], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(extreme.frame()["residual"] / size, plain.frame()["residual"], atol=1e-5)
    np.testing.assert_allclose(extreme.blups("replication")["sd"] / size, plain.blups("replication")["sd"], atol=1e-5)
    with pytest.raises(podium.errors.InputError, match=r"^The largest of the values is about 1e\d+; variances of such"):
        mixed(of(values * 1e200), **options)


def test_identical_algorithms_on_one_data_set_are_equal_whatever_their_values(of) -> None:
    # The sums of squares leave rounding noise here, which once ended in a bare LinAlgError.
    rng = np.random.default_rng(0)
    for _ in range(3):
        rows = np.round(rng.normal(size=(1, 12, 1)), 6)
        for values in (rows, rows * 2.0**-500, rows + 64):
            found = podium.compare(of(np.repeat(values, 6, axis=2)), method="mixed")
            assert (found.adjusted == 1).all() and (found.estimate == 0).all()


@pytest.mark.parametrize("size", [1e8, 1e10, 1e13])
def test_effects_of_replications_that_drown_all_differences_are_refused(of, size: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(1, 12, 4)) + size * rng.normal(size=(1, 12, 1))
    with pytest.raises(podium.errors.InputError):
        mixed(of(values))


def test_adjusted_p_values_are_never_below_those_of_the_pair(of, draw) -> None:
    for seed in range(2):
        values = draw(np.random.default_rng(seed), (4, 4, 4), missing=0.15)
        for adjust in ("single-step", "step-down"):
            found = podium.compare(of(values), method="mixed", missing="available", adjust=adjust)
            assert (found.adjusted >= found.pvalue).all()
