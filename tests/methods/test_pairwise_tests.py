"""Tests of one pair against R, SciPy, hand-worked figures and enumeration."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binomtest, permutation_test, rankdata, t, ttest_rel, wilcoxon

import podium
from podium.analysis.compare import compare
from podium.analysis.methods import PAIRWISE_TESTS, PairwiseTest, paired_test
from podium.analysis.methods.location import median_interval, pseudomedian_interval, walsh_order_statistics
from podium.analysis.methods.pairwise.corrected_t import corrected_t_test, sample_ratio
from podium.analysis.methods.pairwise.five_by_two import five_by_two_f_test
from podium.analysis.methods.pairwise.permutation_t import permutation_t_test
from podium.analysis.methods.pairwise.sign import sign_test
from podium.analysis.methods.pairwise.t import paired_t_test
from podium.analysis.methods.pairwise.wilcoxon import wilcoxon_test
from podium.analysis.methods.pairwise_test import PairOutcome, Structure
from podium.errors import InputError
from podium.results import Results

# Fifteen pairs without ties, and what R 4.2.2 says about them
A = [-0.626, 0.184, -0.836, 1.595, 0.33, -0.82, 0.487, 0.738, 0.576, -0.305, 1.512, 0.39, -0.621, -2.215, 1.125]
B = [-0.271, 0.568, 0.508, 2.816, 1.324, 0.499, 1.669, 1.213, -1.013, 0.715, 1.856, 0.634, -1.692, -2.293, 1.943]


def test_wilcoxon_agrees_with_r() -> None:
    found = paired_test(A, B, "wilcoxon")
    assert found.details["w_plus"] == 26.0  # V
    assert found.pvalue == pytest.approx(0.05535888671875, rel=1e-14)
    assert found.estimate == pytest.approx(-0.61975, abs=1e-12)
    assert (found.lower, found.upper) == pytest.approx((-0.9190, 0.0255), abs=1e-12)
    assert paired_test(A, B, "wilcoxon", alternative="better", direction="lower").pvalue == pytest.approx(
        0.027679443359375, rel=1e-14
    )


def test_t_and_sign_agree_with_r() -> None:
    found = paired_test(A, B, "t")
    assert found.statistic == pytest.approx(-2.10027986801, rel=1e-11)
    assert found.pvalue == pytest.approx(0.054305020654, rel=1e-10)
    assert (found.lower, found.upper) == pytest.approx((-0.93810206955529, 0.00983540288863), rel=1e-11)
    assert paired_test(A, B, "sign").pvalue == pytest.approx(0.03515625, rel=1e-14)


def test_wilcoxon_of_many_blocks_is_the_tie_corrected_normal_one() -> None:
    d = np.round(np.random.default_rng(0).normal(0.1, 1, 80), 1)
    mine = wilcoxon_test(d[None, :])
    theirs = wilcoxon(d, method="approx", correction=False)
    assert float(mine.two_sided[0]) == pytest.approx(theirs.pvalue, rel=1e-12)


@given(arrays(float, st.integers(2, 9), elements=st.integers(-4, 4).map(float)), st.sampled_from(["drop", "pratt"]))
def test_wilcoxon_counts_all_signs(d: np.ndarray, zeros: str) -> None:
    size = np.abs(d[d != 0]) if zeros == "drop" else np.abs(d)
    ranks = rankdata(size) if size.size else size
    kept = ranks if zeros == "drop" else ranks[d != 0]
    observed = kept[(d[d != 0] > 0)].sum()
    sums = np.array([kept[np.array(signs, bool)].sum() for signs in product([0, 1], repeat=len(kept))])
    found = wilcoxon_test(d[None, :], zeros=zeros)
    if len(kept):
        assert float(found.less[0]) == pytest.approx((sums <= observed + 1e-9).mean())
        assert float(found.greater[0]) == pytest.approx((sums >= observed - 1e-9).mean())
    else:
        assert (found.less[0], found.greater[0], found.two_sided[0]) == (1.0, 1.0, 1.0)


def test_half_of_the_ranks_of_zeros_to_each_side() -> None:
    # 3 zeros share rank 2 and count on neither side more than on the other: p as with Pratt's ranks
    d = np.array([[0.0, 0.0, 0.0, 1.0, 2.0, 3.0, -1.5]])
    assert wilcoxon_test(d, zeros="split").two_sided == wilcoxon_test(d, zeros="pratt").two_sided


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_sign_test_is_binomial(more: int, fewer: int, ties: int) -> None:
    d = np.r_[np.ones(more), -np.ones(fewer), np.zeros(ties + 2)][None, :]
    found = sign_test(d)
    if more + fewer:
        for name in ("less", "greater"):
            expected = binomtest(more, more + fewer, alternative=name).pvalue
            assert float(getattr(found, name)[0]) == pytest.approx(expected, rel=1e-9)
    else:
        assert float(found.two_sided[0]) == 1.0


def test_permutation_t_agrees_with_scipy() -> None:
    rng = np.random.default_rng(3)
    d = rng.normal(0.4, 1, (3, 10))
    for i, alternative in enumerate(("two-sided", "less", "greater")):
        theirs = permutation_test(
            (d[i],), np.mean, permutation_type="samples", alternative=alternative, n_resamples=2000
        )
        mine = permutation_t_test(d).pvalue(alternative)[i]
        assert mine == pytest.approx(theirs.pvalue, rel=1e-12)  # both enumerate 1024 signs
    many = rng.normal(0.2, 1, (1, 60))
    exactish = permutation_t_test(many, permutations=40_000).two_sided[0]
    assert exactish == pytest.approx(ttest_rel(many[0], np.zeros(60)).pvalue, abs=0.01)


# 5×2 cross-validation


def test_five_by_two_by_hand() -> None:
    # Differences of five repeats; variances (d1 - d2)²/2: 0.02, 0.02, 0.005, 0.045, 0.0 and sum of squares 0.97
    d = np.array([[0.4, 0.2], [0.1, 0.3], [0.3, 0.4], [0.5, 0.2], [0.3, 0.3]])
    outcome = paired_test(d, np.zeros_like(d), "5x2cv F")
    assert outcome.statistic == pytest.approx(1.02 / (2 * 0.09))
    assert outcome.statistic == pytest.approx(5.6667, abs=1e-4)
    first = paired_test(d, np.zeros_like(d), "5x2cv t")
    assert first.statistic == pytest.approx(0.4 / np.sqrt(0.09 / 5))
    assert first.pvalue == pytest.approx(2 * t.sf(0.4 / np.sqrt(0.018), 5))
    assert first.estimate == 0.4


def test_five_by_two_f_interval_holds_what_is_not_rejected() -> None:
    d = np.random.default_rng(1).normal(0.3, 0.2, (5, 2))
    found = paired_test(d, np.zeros_like(d), "5x2cv F", alpha=0.1)
    for edge in (found.lower, found.upper):
        assert paired_test(d, np.full_like(d, edge), "5x2cv F").pvalue == pytest.approx(0.1, rel=1e-8)


def test_five_by_two_one_sided_is_half() -> None:
    d = np.random.default_rng(1).normal(0.3, 0.2, (5, 2))
    two = paired_test(d, np.zeros_like(d), "5x2cv F").pvalue
    assert paired_test(d, np.zeros_like(d), "5x2cv F", alternative="worse", direction="lower").pvalue == pytest.approx(
        two / 2
    )
    assert paired_test(d, np.zeros_like(d), "5x2cv F", alternative="better", direction="lower").pvalue == pytest.approx(
        1 - two / 2
    )


def test_repeat_and_fold_come_from_the_results(ulas: Results) -> None:
    one = ulas.select(dataset="iris", algorithms=["c45", "svr"])
    found = compare(one, method="5x2cv F")
    shuffled = one.select(replications=list(one.replications)[::-1])
    assert compare(shuffled, method="5x2cv F").pvalue == pytest.approx(found.pvalue)
    values = one.values[0, :, :, 0]
    order = np.lexsort((one.structure["fold"][0], one.structure["repeat"][0]))
    by_hand = paired_test(values[order, 0].reshape(5, 2), values[order, 1].reshape(5, 2), "5x2cv F")
    assert found.pvalue[0] == pytest.approx(by_hand.pvalue)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda ulas: paired_test(np.zeros((4, 3)), np.ones((4, 3)), "5x2cv t"),
            "A 5×2 cv test needs 5 repeats of 2 folds; these are 12 values from 4 repeats with 3 folds. "
            "Use 'corrected t' for other designs.",
        ),
        (
            lambda ulas: compare(ulas, method="5x2cv F"),
            "The 5×2 cv F test is for replications of one data set; these blocks are 38 data sets. "
            "Use one of 'bootstrap t', 'permutation t', 'sign', 't', 'wilcoxon', or select a data set.",
        ),
    ],
)
def test_designs_that_do_not_fit_are_refused(ulas: Results, call: Callable[[Results], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call(ulas)
    assert str(caught.value) == message


# The corrected t test


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (Structure(n_learn=np.full(8, 90), n_test=np.full(8, 10)), (1 / 9, "sample sizes", None)),  # 10-fold sizes
        (Structure(n_learn=np.full(8, 66), n_test=np.full(8, 34)), (34 / 66, "sample sizes", None)),
        (
            Structure(fold=np.tile(np.arange(10), 3), repeat=np.repeat(np.arange(3), 10)),  # 3 × 10-fold
            (1 / 9, "folds", 10),
        ),
        (Structure(fold=np.arange(20)), (1 / 19, "folds", 20)),  # leave-one-out of 20
        (  # 100 draws each, 36 or 38 examples out of bag, so 64 or 62 distinct ones in the learning sample
            Structure(n_learn=np.full(2, 100), n_test=np.array([36, 38])),
            ((36 / 64 + 38 / 62) / 2, "bootstrap", None),
        ),
        (
            Structure(n_learn=np.array([90, 91]), n_test=np.array([11, 10])),
            ((11 / 90 + 10 / 91) / 2, "sample sizes", None),
        ),
        (Structure(independent=np.ones(8, np.int64)), (0.0, "fresh draws", None)),
    ],
    ids=["subsampling", "two thirds", "repeated cv", "leave-one-out", "bootstrap", "uneven folds", "fresh draws"],
)
def test_ratio_of_sample_sizes(structure: Structure, expected: tuple[float, str, int | None]) -> None:
    found = sample_ratio(structure)
    assert (found.source, found.folds) == expected[1:]
    assert found.ratio == pytest.approx(expected[0])


def test_a_ratio_that_was_given_is_a_fact_of_the_note() -> None:
    (note,) = corrected_t_test(np.ones((1, 4)) + np.arange(4), Structure(), ratio=0.5).notes
    assert dict(note.facts) == {"ratio": 0.5, "source": "given", "folds": None}


def test_corrected_t_formula() -> None:
    d = np.random.default_rng(0).normal(0.1, 1, (1, 30))
    ratio = 1 / 9
    found = corrected_t_test(d, Structure(), ratio=ratio)
    expected = d.mean() / np.sqrt((1 / 30 + ratio) * d.var(ddof=1))  # Nadeau & Bengio (2003), section 3
    assert float(found.statistic[0]) == pytest.approx(expected)
    assert float(found.two_sided[0]) == pytest.approx(2 * t.sf(abs(expected), 29))


def test_no_variance_is_certain() -> None:
    same, shifted = np.zeros((1, 6)), np.full((1, 6), 0.1)
    for test in (paired_t_test, permutation_t_test):
        assert test(same).two_sided.tolist() == [1.0]
    assert paired_t_test(shifted).two_sided.tolist() == [0.0]
    assert corrected_t_test(shifted, Structure(), ratio=0.1).less.tolist() == [1.0]
    by_two = Structure(repeat=np.repeat(np.arange(5), 2), fold=np.tile([0, 1], 5))
    assert five_by_two_f_test(np.zeros((1, 10)), by_two).two_sided.tolist() == [1.0]
    assert five_by_two_f_test(np.full((1, 10), 0.1), by_two).two_sided.tolist() == [0.0]


def test_rounding_noise_is_no_variance() -> None:
    a = np.array([0.3, 0.2, 0.7, 1.1])
    assert paired_test(a, a - 0.1, "t").pvalue == 0.0
    assert paired_test(a + 0.1, a + 0.1, "t").pvalue == 1.0


def test_blocks_of_very_different_size_keep_their_digits() -> None:
    a = np.array([1e6 + 0.5, 1e-3 + 3e-9, 2e-3 + 2e-9, 5.0])
    b = np.array([1e6, 1e-3, 2e-3, 5.0])
    assert paired_test(a, b, "sign").details["greater"] == 3
    # Differences that are 0.1 in decimals are tied, whatever the blocks they come from.
    tied = paired_test([0.3, 1000.2, 0.2, 0.7], [0.2, 1000.1, 0.1, 0.8], "wilcoxon")
    assert (tied.details["w_plus"], tied.details["w_minus"]) == (7.5, 2.5)


# Location


def test_pseudomedian_is_the_median_of_walsh_averages() -> None:
    d = np.random.default_rng(4).normal(size=(3, 12))
    i, j = np.triu_indices(12)
    expected = np.median((d[:, i] + d[:, j]) / 2, axis=1)
    np.testing.assert_allclose(pseudomedian_interval(d, 0.95)[0], expected)


def test_order_statistics_of_averages_are_those_of_the_sorted_list() -> None:
    # Bit by bit: averages are equal to those that are listed and sorted, with ties, outliers, and steps of rounding.
    rng = np.random.default_rng(6)
    for n in (101, 128, 150):
        made = [
            rng.normal(size=n),
            np.round(rng.normal(size=n), 1),
            np.where(rng.random(n) < 0.9, 0.0, rng.normal(size=n)),
            rng.standard_cauchy(n) * 10.0 ** rng.integers(-20, 20, n),
            0.1 + rng.integers(0, 5, n) * np.spacing(0.1),
            np.round(rng.random(n), 2) - np.round(rng.random(n), 2),
            np.zeros(n),
            np.full(n, 0.3),
        ]
        i, j = np.triu_indices(n)
        total = len(i)
        ranks = sorted(
            {0, 1, total // 4, (total - 1) // 2, total // 2, total - 2, total - 1, *rng.integers(0, total, 9)}
        )
        found = walsh_order_statistics(np.array(made), ranks)
        for row, values in zip(found, made, strict=True):
            assert row.tolist() == np.sort((values[i] + values[j]) / 2)[ranks].tolist()


def test_many_blocks_have_the_same_estimate_and_an_interval(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(7).normal([0.0, 0.1], size=(15_000, 2))  # 1.1e8 averages
    found = compare(table(values, rows="dataset"), method="wilcoxon")
    assert (found.estimand, found.in_units) == ("pseudomedian", True)
    assert found.lower[0] < -0.1 < found.upper[0] < 0
    # Of a sample of 5 % of the averages: the share below the estimate is 1/2, with standard error 0.0002.
    d = values[:, 0] - values[:, 1]
    part = (d[::20, None] + d[None, :]) / 2
    assert (part < found.estimate[0]).mean() == pytest.approx(0.5, abs=0.02)


def test_too_few_blocks_have_an_infinite_interval() -> None:
    estimate, lower, upper = pseudomedian_interval(np.array([[1.0, 2.0, 3.0]]), 0.95)
    assert (estimate[0], lower[0], upper[0]) == (2.0, -np.inf, np.inf)
    assert median_interval(np.array([[1.0, 2.0, 3.0]]), 0.95)[1][0] == -np.inf


# The registry


def test_every_registered_test_gives_all_three_p_values() -> None:
    rng = np.random.default_rng(0)
    structures = {
        "5x2cv t": Structure(repeat=np.repeat(np.arange(5), 2), fold=np.tile([0, 1], 5)),
        "5x2cv F": Structure(repeat=np.repeat(np.arange(5), 2), fold=np.tile([0, 1], 5)),
        "k-fold t": Structure(fold=np.arange(10)),
        "corrected t": Structure(n_learn=np.full(10, 9), n_test=np.full(10, 1)),
    }
    d = rng.normal(size=(4, 10))
    for name, test in PAIRWISE_TESTS.items():
        found = test.function(d, structures.get(name, Structure()), alpha=0.05, intervals=True)
        mirrored = test.function(-d, structures.get(name, Structure()), alpha=0.05, intervals=True)
        np.testing.assert_allclose(found.less, mirrored.greater, err_msg=name)
        np.testing.assert_allclose(found.two_sided, mirrored.two_sided, err_msg=name)
        np.testing.assert_allclose(found.lower, -mirrored.upper, err_msg=name)
        np.testing.assert_allclose(found.estimate, -mirrored.estimate, err_msg=name)
        assert ((found.less + found.greater) > 1 - 1e-9).all()


def test_a_user_defined_test(ulas: Results) -> None:
    def coin(differences: np.ndarray, structure: Structure, *, alpha: float, intervals: bool | None) -> PairOutcome:
        half = np.full(len(differences), 0.5)
        return PairOutcome(
            estimate=differences.mean(axis=1),
            statistic=half,
            less=half,
            greater=half,
            two_sided=2 * half,
            lower=-half,
            upper=half,
        )

    test = PairwiseTest(name="coin", title="coin toss", function=coin, estimand="mean")
    found = compare(ulas, method=test)
    assert found.method == "coin toss"
    assert (found.adjusted == 1.0).all()
    assert paired_test([1, 2], [2, 1], test).pvalue == 1.0


@pytest.mark.parametrize("name", ["t", "permutation t", "corrected t", "5x2cv t", "5x2cv F"])
@pytest.mark.parametrize("power", [-1000, -520, 520, 1000])
def test_p_values_do_not_depend_on_the_unit(name: str, power: int) -> None:
    # Squares of differences below 1e-162 vanish and those above 1e154 overflow: neither may decide a test.
    a, b = np.random.default_rng(8).random((2, 5, 2))
    options = {"ratio": 0.25} if name == "corrected t" else {}
    usual = paired_test(a, b, name, **options)
    turned = paired_test(a * 2.0**power, b * 2.0**power, name, **options)
    assert (turned.pvalue, turned.statistic) == pytest.approx((usual.pvalue, usual.statistic), rel=1e-9)
    ends = turned.estimate, turned.lower, turned.upper
    assert [x * 2.0**-power for x in ends] == pytest.approx([usual.estimate, usual.lower, usual.upper], rel=1e-9)


@pytest.mark.usefixtures("in_this_process")
def test_samples_drawn_afresh_need_no_correction() -> None:
    experiment = podium.Experiment(
        podium.Dataset.generated("twonorm", n=60),
        ["lda", "constant"],
        podium.FreshDraws(replications=8, n_learn=40, n_test=400),
        "misclassification",
    )
    results = podium.run(experiment, executor="threads", workers=1, progress="quiet")
    assert results.structure["independent"].tolist() == [[1] * 8]
    chosen = podium.compare(results)
    assert chosen.method == "Wilcoxon signed rank test"
    assert not any(note.code == "overlap" for note in chosen.notes)
    with pytest.raises(InputError, match="The corrected t test is for learning samples that overlap"):
        podium.compare(results, method="corrected t")
    assert podium.compare(results, method="corrected t", ratio=0.1).details["ratio"] == 0.1
    assert podium.inference.compare_bayes(results, equivalence=0.01).details["rho"] == 0.0
    assert podium.read(results.to_long()) == results


@pytest.mark.usefixtures("in_this_process")
def test_a_data_set_that_is_resampled_is_corrected_for() -> None:
    experiment = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=5), "misclassification")
    results = podium.run(experiment, executor="threads", workers=1, progress="quiet")
    assert "independent" not in results.structure
    assert podium.compare(results).method == "corrected resampled t test"


def test_degrees_of_freedom_are_a_fact_of_the_outcome() -> None:
    assert paired_test(A, B, "t").df == len(A) - 1
    assert paired_test(A, B, "wilcoxon").df is None


@pytest.mark.parametrize(
    ("n_test", "ratio"),
    [
        ([150, 155, 152, 158, 151, 160, 149, 153, 157, 156], 1.541),  # larger than the learning samples
        ([97, 98, 99, 100, 101, 102, 103, 100, 99, 98], 0.997),
        ([19, 20, 21, 22, 23, 24, 25, 26, 30, 29], 0.239),  # too small for what a bootstrap leaves out
        ([37] * 10, 0.37),  # of one size
        (
            [37, 37, 38, 36, 37, 38, 37, 36, 39, 35],
            np.mean([n / (100 - n) for n in (37, 37, 38, 36, 37, 38, 37, 36, 39, 35)]),
        ),
    ],
)
def test_a_bootstrap_is_recognised_by_what_it_leaves_out(n_test: list[int], ratio: float) -> None:
    # Nadeau & Bengio (2003): variance (1/B + n2/n1) s², with every example of a learning sample counted once.
    x, y = np.random.default_rng(25).normal(size=(2, 10))
    found = paired_test(x, y, "corrected t", n_learn=100, n_test=n_test)
    assert found.details["ratio"] == pytest.approx(ratio)
    expected = (x - y).mean() / np.sqrt((1 / 10 + ratio) * (x - y).var(ddof=1))
    assert found.statistic == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n", [20, 150, 1000])
@pytest.mark.parametrize("classes", [1, 5])
def test_every_bootstrap_is_recognised(n: int, classes: int) -> None:
    rng = np.random.default_rng(n + classes)
    sizes = [len(stratum) for stratum in np.array_split(np.arange(n), classes)]
    drawn = (np.sort(rng.integers(0, size, (200, 5, size)), axis=2) for size in sizes)
    for out in n - sum((np.diff(one, axis=2) > 0).sum(axis=2) + 1 for one in drawn):
        if np.ptp(out):
            structure = Structure(n_learn=np.full(5, n), n_test=out)
            assert sample_ratio(structure).ratio == pytest.approx(np.mean(out / (n - out)))


def test_folds_are_counted_within_each_repeat() -> None:
    # Bouckaert & Frank (2004): 2 × 10-fold cross-validation has the ratio 1/9, however the folds are numbered.
    x, y = np.random.default_rng(26).normal(size=(2, 20))
    repeat = np.repeat([1, 2], 10)
    for fold in (np.arange(1, 21), np.tile(np.arange(10), 2)):
        assert paired_test(x, y, "corrected t", repeat=repeat, fold=fold).details["ratio"] == pytest.approx(1 / 9)
