"""Global tests against published figures, R and SciPy."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations, product
from math import inf
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import f, friedmanchisquare, rankdata

import podium
from podium.analysis.methods import (
    aligned_ranks,
    cochran_q,
    friedman,
    iman_davenport,
    quade,
    skillings_mack,
)
from podium.analysis.methods.global_test import EXCHANGEABLE, GLOBAL_TESTS
from podium.analysis.methods.omnibus.aligned_ranks import aligned_test
from podium.analysis.methods.omnibus.cochran_q import cochran_test
from podium.analysis.methods.omnibus.friedman import f_version, friedman_statistic, friedman_test
from podium.analysis.methods.omnibus.quade import quade_test
from podium.analysis.methods.omnibus.skillings_mack import skillings_mack_test
from podium.analysis.methods.permutation import doubled, exact_sums
from podium.analysis.methods.ranks import chance_of_agreement, rank_blocks
from podium.errors import InputError, MissingCellsError
from podium.results import Results

NAN = np.nan


# Friedman


def test_monks3_rank_sums_and_statistics(monks3: Results, reference: Callable[[str], Path]) -> None:
    golden = json.loads(reference("golden/eugster/monks3.json").read_text())["friedman"]
    corrected, plain = friedman(monks3), friedman(monks3, ties="plain")
    # Eugster (2011), section 2.3.1
    assert dict(zip(corrected.algorithms, 250 * corrected.mean_ranks, strict=True)) == {
        "lda": 1260.0,
        "knn": 1233.0,
        "nnet": 1062.5,
        "rf": 748.0,
        "rpart": 482.0,
        "svm": 464.5,
    }
    assert round(corrected.statistic, 4) == 787.1201
    # R 4.2.2, coin 1.4-2
    assert corrected.statistic == pytest.approx(golden["S_coin"], rel=1e-12)
    assert corrected.pvalue == pytest.approx(golden["p_chisq_of_S_coin"], rel=1e-9)
    assert corrected.df == (5.0,)
    assert plain.statistic == pytest.approx(golden["S_thesis_formula_no_tie_correction"], rel=1e-12)
    assert round(plain.statistic, 4) == 743.5811


def test_the_example_of_the_2008_report() -> None:
    # Eugster, Hothorn & Leisch (2008), section 3.2: rank sums of six algorithms over 250 replications. The report's S,
    # 888.5657, allows for ties that the rank sums do not tell; the formula it prints gives less.
    sums = np.array([393.5, 955.5, 1176.5, 1175.5, 413.5, 1135.5])
    assert sums.sum() == 250 * 21
    ranks = np.broadcast_to(sums / 250, (250, 6))
    assert friedman_statistic(ranks, "plain") == pytest.approx(12 / (250 * 42) * ((sums - 875) ** 2).sum())
    assert friedman_statistic(ranks, "plain") < 888.5657


def test_demsar_from_the_published_ranks() -> None:
    # Demšar (2006), section 3.2.2, and seed notes: χ² = 9.28, F = 3.69 from the average ranks printed there
    mean_ranks = np.array([3.143, 2.000, 2.893, 1.964])
    ranks = np.broadcast_to(mean_ranks, (14, 4))
    statistic = friedman_statistic(ranks, "plain")
    assert round(statistic, 2) == 9.28
    assert round(f_version(statistic, ranks).statistic, 2) == 3.69
    assert round(float(f.isf(0.05, 3, 39)), 3) == 2.845


def test_demsar_from_the_printed_table(demsar: Results) -> None:
    # golden/demsar2006: in the row `voting` two values are printed alike, so χ² and F are a little larger
    assert friedman(demsar, ties="plain").statistic == pytest.approx(9.8571, abs=5e-5)
    assert iman_davenport(demsar, ties="plain").statistic == pytest.approx(3.9867, abs=5e-5)
    # R 4.2.2, friedman.test
    assert friedman(demsar).statistic == pytest.approx(10.9523809524, rel=1e-11)
    assert friedman(demsar).pvalue == pytest.approx(0.0119861763254, rel=1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_ties_agree_with_scipy(seed: int) -> None:
    values = np.round(np.random.default_rng(seed).random((12, 5)), 1)
    found = friedmanchisquare(*values.T)
    mine = friedman_test(rank_blocks(values))
    assert (mine.statistic, mine.pvalue) == pytest.approx((found.statistic, found.pvalue), rel=1e-12)


def test_exact_p_values_of_friedman() -> None:
    # Hollander & Wolfe (1999), table A.22: K = 3 and n = 3, P(S ≥ 6) = 1/36; K = 3 and n = 4, P(S ≥ 6.5) = .042
    three = np.tile([1.0, 2.0, 3.0], (3, 1))
    assert friedman_test(three, distribution="permutation").pvalue == pytest.approx(1 / 36)
    four = np.array([[1.0, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]])
    assert friedman_statistic(four) == pytest.approx(6.5)
    assert friedman_test(four, distribution="permutation").pvalue == pytest.approx(0.0417, abs=5e-5)


def test_exact_and_random_permutations_agree() -> None:
    ranks = rank_blocks(np.round(np.random.default_rng(5).random((8, 4)) + np.linspace(0, 0.4, 4), 1))
    exact = friedman_test(ranks, distribution="permutation")
    assert exact.exact
    from podium.analysis.methods.permutation import doubled, random_sums

    observed = (doubled(ranks).sum(axis=0) ** 2).sum()
    drawn = np.concatenate(list(random_sums(doubled(ranks), 200_000, 3)))
    share = ((drawn**2).sum(axis=1) >= observed).mean()
    assert share == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue / 200_000))


def test_permutation_states_its_error(monks3: Results) -> None:
    found = friedman(monks3, distribution="permutation", permutations=9_999)
    assert found.pvalue == 1e-4  # none of 9,999 reached it; the observed one counts
    assert found.permutations == 9_999
    assert found.monte_carlo_error == pytest.approx(np.sqrt(1e-4 * 0.9999 / 9_999))
    assert found.notes[0].code == "overlap"


def test_on_one_data_set_the_outcome_says_first_what_it_holds_for(monks3: Results, ulas: Results) -> None:
    iris = ulas.select(dataset="iris")
    for results, known in ((monks3, False), (iris, True)):
        for test in (podium.friedman, podium.inference.iman_davenport, podium.inference.quade):
            found = test(results)
            assert (found.notes[0].code, found.notes[0].facts["known"]) == ("overlap", known)
        assert podium.mixed(results).omnibus().notes[0].code == "overlap"
    fresh = iris.to_trials().drop(columns=["repeat", "fold"]).assign(independent=1)
    assert "overlap" not in [note.code for note in podium.friedman(podium.read(fresh)).notes]
    assert "overlap" not in [note.code for note in podium.friedman(ulas).notes]


@pytest.mark.parametrize("order", [[1, 2, 3, 4], [1, 2, 2, 4], [1, 1, 3, 3], [5, 2, 2, 2]])
def test_the_same_order_everywhere(order: list[int]) -> None:
    # Each further block has the order of the first with the same probability, one in all its distinct arrangements.
    chance = len(set(permutations(order))) ** -5.0
    costs = np.tile(np.array(order, float), (6, 1))
    for found in (friedman_test(costs, distribution="F"), quade_test(costs)):
        assert found.statistic == inf
        assert found.pvalue == pytest.approx(chance, rel=1e-12)


def test_all_ties_have_p_one() -> None:
    same = np.ones((5, 3))
    for outcome in (
        friedman_test(rank_blocks(same)),
        friedman_test(rank_blocks(same), distribution="F"),
        friedman_test(rank_blocks(same), distribution="permutation"),
        quade_test(same),
        quade_test(same, distribution="permutation", permutations=99),
        aligned_test(same),
        cochran_test(same),
        skillings_mack_test(same),
    ):
        assert (outcome.statistic, outcome.pvalue) == (0.0, 1.0)


# The others


def test_quade_agrees_with_r(demsar: Results) -> None:
    # R 4.2.2, example of quade.test (Conover 1999, p. 375): F = 3.8293, df 4 and 24, p = 0.01519
    lotion = [5, 4, 7, 10, 12, 1, 3, 1, 0, 2, 16, 12, 22, 22, 35, 5, 4, 3, 5, 4]
    lotion += [10, 9, 7, 13, 10, 19, 18, 28, 37, 58, 10, 7, 6, 8, 7]
    found = quade_test(np.array(lotion, float).reshape(7, 5))
    assert (round(found.statistic, 4), found.df, round(found.pvalue, 5)) == (3.8293, (4.0, 24.0), 0.01519)
    # R 4.2.2, quade.test of the table of Demšar (2006)
    assert quade(demsar).statistic == pytest.approx(4.62790516224, rel=1e-10)
    assert quade(demsar).pvalue == pytest.approx(0.00730268051489, rel=1e-10)


def test_aligned_ranks_follow_the_formula_of_garcia(demsar: Results) -> None:
    # García, Fernández, Luengo & Herrera (2010), Information Sciences 180, equation for T; no ties in these values
    values = np.random.default_rng(7).normal(size=(9, 4))
    n, k = values.shape
    ranks = rankdata((values - values.mean(axis=1, keepdims=True)).ravel()).reshape(n, k)
    top = (k - 1) * ((ranks.sum(axis=0) ** 2).sum() - k * n**2 / 4 * (k * n + 1) ** 2)
    bottom = k * n * (k * n + 1) * (2 * k * n + 1) / 6 - (ranks.sum(axis=1) ** 2).sum() / k
    assert aligned_test(values).statistic == pytest.approx(top / bottom, rel=1e-12)
    assert aligned_ranks(demsar).df == (3.0,)


def test_skillings_mack_of_the_original_example() -> None:
    # Skillings & Mack (1981), table 1: times of assembly; SM = 15.49 (R package Skillings.Mack: 15.493, p 0.0014)
    times = [3.2, 4.1, 3.8, 4.2, 3.1, 3.9, 3.4, 4.0, 4.3, 3.5, 4.6, 4.8, 3.5, 3.6, 3.9, 4.0, 3.6, 4.2, 3.7, 3.9]
    times += [4.5, 4.7, 3.7, NAN, NAN, 4.2, 3.4, NAN, 4.3, 4.6, 4.4, 4.9, 3.5, NAN, 3.7, 3.9]
    found = skillings_mack_test(np.array(times).reshape(9, 4))
    assert (round(found.statistic, 3), found.df, round(found.pvalue, 4)) == (15.493, (3.0,), 0.0014)


def test_skillings_mack_without_gaps_is_friedman(monks3: Results) -> None:
    assert skillings_mack(monks3).statistic == pytest.approx(friedman(monks3).statistic, rel=1e-10)


def test_skillings_mack_of_disconnected_blocks_has_fewer_degrees_of_freedom() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(10, 4))
    values[:5, 2:], values[5:, :2] = NAN, NAN
    assert skillings_mack_test(values).df == (2.0,)


def test_skillings_mack_permutation_agrees_with_chi_square_for_many_blocks() -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(size=(60, 4)) + np.linspace(0, 0.5, 4)
    values[rng.random((60, 4)) < 0.15] = NAN
    plain = skillings_mack_test(values)
    permuted = skillings_mack_test(values, distribution="permutation", permutations=5000)
    assert permuted.pvalue == pytest.approx(plain.pvalue, abs=0.015)


def test_cochran_agrees_with_statsmodels(table: Callable[..., Results]) -> None:
    right = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0]])
    found = cochran_q(table(right, measure="accuracy"))
    assert found.statistic == pytest.approx(5.2)  # statsmodels 0.15.0, cochrans_q
    assert found.pvalue == pytest.approx(0.07427357821433386)
    # All 3^5 arrangements of the five blocks that tell anything: the statistic is reached or passed by 30 of 243.
    assert cochran_q(table(right, measure="accuracy"), distribution="permutation").pvalue == pytest.approx(30 / 243)


def test_cochran_of_two_is_mcnemar(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(0)
    right = (rng.random((40, 2)) < [0.8, 0.6]).astype(float)
    b, c = ((right[:, 0] > right[:, 1]).sum(), (right[:, 0] < right[:, 1]).sum())
    assert cochran_q(table(right, measure="accuracy")).statistic == pytest.approx((b - c) ** 2 / (b + c))


# Missing cells and units


def test_missing_cells_by_policy(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(3).random((6, 3))
    values[0, 1] = NAN
    results = table(values)
    with pytest.raises(MissingCellsError):
        friedman(results)
    dropped = friedman(results, missing="drop-block")
    assert (dropped.n, dropped.missing.dropped_blocks) == (5, (("data", 1),))
    worst = friedman(results, missing="worst-rank")
    assert (worst.n, worst.missing.filled) == (6, 1)
    filled = np.where(np.isnan(values), 9.0, values)
    assert worst.statistic == pytest.approx(friedman(table(filled)).statistic)
    assert skillings_mack(results).n == 6
    assert friedman(results, missing="drop-algorithm").algorithms == ("a0", "a2")


def test_unit_is_explicit(ulas: Results, monks3: Results) -> None:
    assert friedman(ulas).unit == "dataset"
    assert friedman(ulas).n == 38
    assert friedman(monks3).unit == "replication"
    with pytest.raises(InputError, match=r"`unit='replication'` needs one data set; .* \(pseudo-replication\)"):
        friedman(ulas, unit="replication")
    with pytest.raises(InputError, match="`unit='dataset'` needs several data sets; there is only 'monks3'"):
        friedman(monks3, unit="dataset")


@pytest.mark.parametrize("name", list(GLOBAL_TESTS))
def test_every_global_test_by_ranks_says_that_its_hypothesis_is_more_than_equal_means(
    name: str, table: Callable[..., Results]
) -> None:
    values = (np.random.default_rng(0).normal(size=(9, 3)) > 0).astype(float)
    test = GLOBAL_TESTS[name]
    assert [note.facts["caution"] for note in test(table(values)).notes if note.code == "caution"] == [EXCHANGEABLE]
    assert not any(note.code == "caution" for note in test(table(values[:, :2])).notes)


def test_equal_means_of_two_families_are_rejected_too_often() -> None:
    """What the note says: 5 algorithms of equal means in two families, 15 blocks; 1,500 samples."""
    rng = np.random.default_rng(15)
    effects = 3 * rng.normal(size=(1500, 15, 2))
    values = rng.normal(size=(1500, 15, 5)) + effects[..., [0, 0, 1, 1, 1]]
    means = rank_blocks(values.reshape(-1, 5)).reshape(values.shape).mean(axis=1)
    far = values[6 * ((means - 3) ** 2).sum(axis=1) > 7]  # Friedman's statistic; a p-value of 0.05 needs more than 9
    for distribution in ("chi2", "F"):
        rejected = sum(friedman_test(table, distribution=distribution).pvalue <= 0.05 for table in far)
        assert 0.065 <= rejected / 1500 <= 0.1


def null_distribution(k: int, n: int) -> list[tuple[np.ndarray, float]]:
    """One table of ranks for each value of the sum of squared rank sums, and the probability of that value or more."""
    sums, chances = exact_sums(doubled(np.tile(np.arange(1.0, k + 1), (n, 1))))  # type: ignore[misc]
    squares = (sums**2).sum(axis=1)
    # Tables by the sums of their columns, which may be in any order: they are kept in that of the sums.
    reached = {(0,) * k: np.empty((0, k), int)}
    orders = np.array(list(permutations(range(1, k + 1))))
    for _ in range(n):
        longer: dict[tuple[int, ...], np.ndarray] = {}
        for total, table in reached.items():
            totals = orders + total
            for order, key in zip(orders, map(tuple, np.sort(totals, axis=1).tolist()), strict=True):
                if key not in longer:
                    longer[key] = np.vstack([table, order])[:, np.argsort(order + total)]
        reached = longer
    assert all(tuple(table.sum(axis=0).tolist()) == total for total, table in reached.items())
    found = {4 * sum(one**2 for one in total): table.astype(float) for total, table in reached.items()}
    assert set(found) == set(squares.tolist())
    return [(found[value], float(chances[squares >= value].sum())) for value in sorted(found, reverse=True)]


SMALL = [*((3, n) for n in range(3, 10)), *((4, n) for n in range(3, 8)), (5, 3)]


@pytest.mark.parametrize(("k", "n"), SMALL)
def test_how_often_the_f_version_rejects_is_as_its_note_says(k: int, n: int) -> None:
    tables = null_distribution(k, n)
    pvalues = np.array([friedman_test(table, distribution="F").pvalue for table, _ in tables])
    tails = np.array([tail for _, tail in tables])
    assert (np.diff(pvalues) >= 0).all()  # more agreement never has a larger p-value
    assert pvalues[0] == pytest.approx(tails[0])  # complete agreement: exact
    sizes = {alpha: tails[pvalues <= alpha].max(initial=0.0) for alpha in (0.05, 0.01)}
    assert sizes[0.05] <= (0.195 if (k, n) == (3, 3) else 0.08)
    assert sizes[0.01] <= 0.042
    by_chi = np.array([friedman_test(table).pvalue for table, _ in tables])
    assert tails[by_chi <= 0.05].max(initial=0.0) <= 0.07  # the default of `friedman` and of the gate of `compare`
    assert [note.facts for note in friedman_test(tables[0][0], distribution="F").notes] == [{"n": n}]


@pytest.mark.parametrize("n", [3, 4, 5])
def test_exact_tails_are_those_of_all_tables_listed_one_by_one(n: int) -> None:
    orders = list(permutations((1.0, 2.0, 3.0)))
    listed = [friedman_test(np.array([orders[0], *rest])).statistic for rest in product(orders, repeat=n - 1)]
    for table, tail in null_distribution(3, n):
        reached = np.mean(np.array(listed) >= friedman_test(table).statistic - 1e-9)
        assert tail == pytest.approx(reached, rel=1e-12)


def test_with_ties_no_p_value_is_below_that_of_agreement() -> None:
    blocks = [[1.0, 2.0, 3.0], [1.5, 1.5, 3.0], [1.0, 2.5, 2.5], [1.0, 2.0, 3.0]]
    arranged = product(*({tuple(order) for order in permutations(block)} for block in blocks))
    spread = [((np.sum(table, axis=0) - 8) ** 2).sum() for table in arranged]
    largest = sum(value == max(spread) for value in spread) / len(spread)
    chance = chance_of_agreement(np.array(blocks))
    assert chance == pytest.approx(1 / (6 * 3 * 3))
    assert chance <= largest + 1e-12
    assert friedman_test(np.array(blocks), distribution="F").pvalue >= chance


def test_the_f_version_has_no_note_with_ten_blocks_or_two_algorithms() -> None:
    for shape in ((10, 3), (5, 2)):
        assert friedman_test(np.random.default_rng(0).random(shape), distribution="F").notes == ()
