"""`compare`: published figures, choice, control, equivalence, gate, missing cells, invariances."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import norm

import podium
from podium.analysis.adjustment import ADJUSTMENTS
from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.analysis.methods import PAIRWISE_TESTS, adjust_pvalues, compare_bayes, friedman, paired_test
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.methods.ranks import permuted_rank_pairs, rank_blocks
from podium.analysis.mixed.compare import compare_mixed
from podium.errors import InputError, MissingCellsError
from podium.results import Results, read
from slow_laws import few_examples

METHODS = ["wnmt", "nemenyi", "conover", "wilcoxon", "sign", "t", "permutation t"]


# Published figures


def test_wnmt_of_monks3(monks3: Results, reference: Callable[[str], Path]) -> None:
    golden = json.loads(reference("golden/eugster/monks3.json").read_text())["wnmt"]
    found = compare(monks3, method="wnmt")
    for pair in golden["pairs"]:  # R 4.2.2, coin 1.4-2
        a, b = pair["contrast"].split(" - ")
        mine = found.pair(a, b)
        assert 250 * mine["estimate"] == pytest.approx(pair["difference"], abs=1e-9)
        assert mine["statistic"] == pytest.approx(pair["z"], abs=1e-10)
        assert mine["pvalue"] == pytest.approx(pair["p_unadjusted"], rel=1e-9)
        assert mine["adjusted"] == pytest.approx(pair["p_exact"], abs=1e-9)  # ptukey
        assert mine["adjusted"] == pytest.approx(pair["p_single_step"], abs=6e-5)  # coin's quasi-Monte-Carlo
    assert found.critical_value == pytest.approx(golden["critical_z_0.05"], abs=1e-6)
    assert 250 * found.critical_difference == pytest.approx(golden["critical_difference_ties_0.05"], rel=1e-6)
    plain = compare(monks3, method="wnmt", ties="plain")
    assert 250 * plain.critical_difference == pytest.approx(golden["critical_difference_no_ties_0.05"], rel=1e-6)
    # Eugster (2011), section 2.3.1
    assert round(found.pair("lda", "knn")["adjusted"], 4) == 0.9858
    assert round(found.pair("rpart", "svm")["adjusted"], 4) == 0.9981
    assert round(found.pair("knn", "nnet")["adjusted"], 4) == 4e-4
    assert found.groups() == [("svm", "rpart"), ("rf",), ("nnet",), ("knn", "lda")]
    assert str(found.relation()) == "rpart ~ svm < rf < nnet < knn ~ lda"


def test_wnmt_of_the_2008_report() -> None:
    # Eugster, Hothorn & Leisch (2008), section 3.2: printed differences and p-values. Its variance follows from its
    # S = 888.5657: V = Σ (R - 875)² / S.
    sums = {"blue": 393.5, "green": 955.5, "orange": 1176.5, "purple": 1175.5, "red": 413.5, "yellow": 1135.5}
    from podium.analysis.simultaneous.studentised_range import range_sf

    variance = sum((r - 875) ** 2 for r in sums.values()) / 888.5657
    printed = {
        ("blue", "red"): (20, 0.996),
        ("orange", "yellow"): (-41, 0.907),
        ("orange", "purple"): (-1, 1.000),
        ("purple", "yellow"): (-40, 0.916),
        ("green", "yellow"): (180, 0.000),
    }
    for (a, b), (difference, p) in printed.items():
        assert sums[b] - sums[a] == difference
        z = abs(difference) / np.sqrt(2 * variance)
        assert float(range_sf(np.sqrt(2) * z, 6)) == pytest.approx(p, abs=1.5e-3)  # printed with 3 decimals, QMC


def test_permutation_wnmt_of_monks3(monks3: Results) -> None:
    found = compare(monks3, method="wnmt", distribution="permutation", permutations=50_000, seed=1)
    asymptotic = compare(monks3, method="wnmt")
    error = np.sqrt(asymptotic.adjusted * (1 - asymptotic.adjusted) / 50_000)
    assert (np.abs(found.adjusted - asymptotic.adjusted) < 5 * error + 3e-3).all()
    assert found.decision.tolist() == asymptotic.decision.tolist()


def test_demsar(demsar: Results) -> None:
    found = compare(demsar, method="nemenyi")
    assert found.critical_value == pytest.approx(2.569, abs=5e-4)
    assert round(found.critical_difference, 2) == 1.25  # Demšar (2006), section 3.2.2
    assert found.critical_difference == pytest.approx(1.2536, abs=5e-5)
    losers = found.mean_ranks > found.mean_ranks.min() + found.critical_difference
    assert not losers.any()  # "no losers": seed notes
    # scikit-posthocs 0.17.1, posthoc_nemenyi_friedman
    expected = {
        ("C4.5", "C4.5+m"): 0.088672709289,
        ("C4.5", "C4.5+m+cf"): 0.061683258912,
        ("C4.5+m", "C4.5+cf"): 0.226696886026,
    }
    for (a, b), p in expected.items():
        assert found.pair(a, b)["adjusted"] == pytest.approx(p, abs=1e-9)


def test_conover_agrees_with_scikit_posthocs(demsar: Results) -> None:
    # scikit-posthocs 0.17.1, posthoc_conover_friedman without adjustment; its single step takes infinitely many degrees
    # of freedom, so the other figures are ptukey(sqrt(2) t, 4, 39) of R 4.2.2
    alone = compare(demsar, method="conover", adjust="none")
    assert alone.pair("C4.5", "C4.5+m")["adjusted"] == pytest.approx(0.00860502857, abs=1e-10)
    assert alone.pair("C4.5+cf", "C4.5+m+cf")["adjusted"] == pytest.approx(0.020224939984, abs=1e-10)
    together = compare(demsar, method="conover")
    assert together.pair("C4.5", "C4.5+m")["adjusted"] == pytest.approx(0.0410932766893, abs=1e-10)
    assert together.pair("C4.5", "C4.5+m+cf")["adjusted"] == pytest.approx(0.0270210711451, abs=1e-10)


TABLE_4_1 = """
0 19 16 16 11 17 5 15
19 0 11 16 9 18 6 18
22 27 0 22 9 19 7 24
22 22 16 0 8 22 8 21
26 29 29 30 0 25 17 31
20 20 18 16 12 0 7 17
33 32 31 30 21 31 0 33
23 20 14 17 7 21 5 0"""
TABLE_4_3 = """
0 5 3 4 2 5 0 4
5 0 0 2 0 10 0 7
11 7 0 6 3 10 3 9
7 3 1 0 0 9 0 5
9 6 4 6 0 13 2 12
7 9 8 6 5 0 1 8
14 14 10 10 8 16 0 16
6 4 4 3 1 10 1 0"""
NAMES = ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]


def square(text: str) -> pd.DataFrame:
    return pd.DataFrame([line.split() for line in text.split("\n")[1:]], index=NAMES, columns=NAMES).astype(int)


def test_ulas_table_4_1(ulas: Results) -> None:
    found = compare(ulas.select(algorithms=NAMES), method="sign", adjust="none")
    wins = pd.DataFrame(found.wins, index=NAMES, columns=NAMES)
    differs = {(a, b) for a in NAMES for b in NAMES if wins.loc[a, b] != square(TABLE_4_1).loc[a, b]}
    # The report compared unrounded accuracies: on australian lnp and 5nn are equal in print, on ionosphere lnp is
    # better than mlp by 0.001 in print.
    assert differs == {("5nn", "lnp"), ("lnp", "mlp"), ("mlp", "lnp")}
    assert abs(wins - square(TABLE_4_1)).to_numpy().max() == 1
    bold = {("mlp", "mdt")}
    bold |= {("svl", b) for b in NAMES if b not in ("svl", "svr")} | {
        ("svr", b) for b in NAMES if b not in ("svl", "svr")
    }
    frame = found.frame()
    assert set(map(tuple, frame[frame["decision"] == "better"][["a", "b"]].to_numpy())) == bold


def test_ulas_table_4_2(ulas: Results) -> None:
    found = compare(ulas.select(algorithms=NAMES), method="nemenyi")
    published = dict(zip(NAMES, [5.37, 5.45, 4.57, 4.87, 3.05, 5.07, 2.45, 5.18], strict=True))
    for name, rank in zip(found.algorithms, found.mean_ranks, strict=True):
        # what the two data sets above shift, in ranks; 0.005 is the rounding of print
        shift = {"mlp": -1.0, "lnp": 1.5, "5nn": -0.5}.get(name, 0.0) / 38
        assert rank + shift == pytest.approx(published[name], abs=0.0051)
    assert found.critical_value == pytest.approx(3.0309, abs=5e-5)
    assert found.critical_difference == pytest.approx(1.7032, abs=5e-5)
    different = found.matrix().to_numpy() <= 0.05
    expected = np.zeros((8, 8), bool)
    for row in ("svl", "svr"):
        for column in NAMES:
            if column not in ("svl", "svr") and (row, column) != ("svl", "mlp"):
                i, j = NAMES.index(row), NAMES.index(column)
                expected[i, j] = expected[j, i] = True
    assert (different == expected).all()


def test_ulas_table_4_3(ulas: Results) -> None:
    wins = pd.DataFrame(0, index=NAMES, columns=NAMES)
    for dataset in ulas.datasets:
        frame = compare(ulas.select(dataset=dataset, algorithms=NAMES), method="5x2cv F", adjust="none").frame()
        for a, b in frame[frame["decision"] == "better"][["a", "b"]].to_numpy():
            wins.loc[a, b] += 1
    assert (wins == square(TABLE_4_3)).all(axis=None)
    bold = {("mlp", "mdt"), ("svl", "mdt"), ("svl", "lnp"), ("svl", "5nn")}
    bold |= {("svr", b) for b in ("c45", "mdt", "lnp", "sv2", "5nn")}
    for a in NAMES:
        for b in NAMES:
            if a != b:
                won, lost = wins.loc[a, b], wins.loc[b, a]
                p = paired_test(np.r_[np.ones(won), -np.ones(lost)], np.zeros(won + lost), "sign").pvalue
                assert (p < 0.05 and won > lost) == ((a, b) in bold), (a, b, p)


# Against a control


def test_control_counts_k_minus_one_pairs(monks3: Results) -> None:
    found = compare(monks3, method="bonferroni-dunn", control="svm")
    assert found.method == "Bonferroni–Dunn test"
    assert len(found.first) == 5
    np.testing.assert_allclose(found.adjusted, np.minimum(5 * found.pvalue, 1))
    assert found.critical_value == pytest.approx(norm.isf(0.05 / 10))
    holm = compare(monks3, method="nemenyi", control="svm", adjust="holm")
    np.testing.assert_allclose(holm.adjusted, adjust_pvalues(found.pvalue, "holm"))


def test_nwwm_is_single_step_against_a_control(monks3: Results) -> None:
    found = compare(monks3, method="nwwm", control="rf")
    assert found.method == "Nemenyi–Wilcoxon–Wilcox–Miller test"
    bonferroni = np.minimum(1, 5 * found.pvalue)
    assert ((found.adjusted >= found.pvalue) & (found.adjusted <= bonferroni + 1e-12)).all()
    assert found.critical_value == pytest.approx(2.511, abs=1e-3)  # Dunnett, 5 comparisons, df = ∞
    permuted = compare(monks3, method="nwwm", control="rf", distribution="permutation", permutations=20_000)
    np.testing.assert_allclose(permuted.adjusted, found.adjusted, atol=0.01)


def test_one_sided_against_a_control(monks3: Results) -> None:
    better = compare(monks3, method="nwwm", control="rf", alternative="better")
    worse = compare(monks3, method="nwwm", control="rf", alternative="worse")
    assert better.method.endswith("one-sided")
    sides = compare(monks3, method="nwwm", control="rf")
    for i, name in enumerate(better.algorithms[j] for j in better.first):
        good = name in ("svm", "rpart")
        assert better.pvalue[i] == pytest.approx(sides.pvalue[i] / 2 if good else 1 - sides.pvalue[i] / 2)
        assert better.pvalue[i] + worse.pvalue[i] == pytest.approx(1)
    assert set(better.frame().query("decision == 'better'")["a"]) == {"svm", "rpart"}
    accuracy = compare(_flipped(monks3), method="t", control="rf", alternative="better")
    error = compare(monks3, method="t", control="rf", alternative="better")
    np.testing.assert_allclose(accuracy.adjusted, error.adjusted)


# Equivalence


def test_equivalence_means_the_same_for_every_method(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(0)
    block = rng.normal(size=(60, 1))
    results = table(block + rng.normal(0, 0.01, (60, 3)) + [0.0, 0.0, 1.0])
    for method in METHODS:
        found = compare(results, method=method, equivalence=(-0.1, 0.1))
        assert found.pair("a0", "a1")["decision"] == "equivalent", method
        assert found.pair("a0", "a2")["decision"] == "better", method
        assert found.pair("a2", "a0")["decision"] == "worse", method
        assert str(found.relation(by="relevance")) == "a0 ~ a1 < a2", method
    assert set(compare(results, method="t").decision) <= {
        "better",
        "undecided",
    }  # without an area nothing is equivalent


# Choice


def test_the_choice_for_data_sets(ulas: Results) -> None:
    """Random signs with fewer than 10 + 1.5 · 8 data sets, signed ranks with Shaffer's adjustment with more."""
    for m, expected in ((22, ("wilcoxon", "shaffer")), (21, ("permutation t", "step-down"))):
        found = compare(ulas.select(datasets=ulas.datasets[:m]))
        assert (found.procedure, found.adjust, found.omnibus) == (*expected, None)
    against = compare(ulas, control="c45")
    assert (against.procedure, against.adjust) == ("wilcoxon", "holm")
    few = ulas.select(datasets=ulas.datasets[:6])
    assert compare(few).procedure == compare(few, equivalence=0.1).procedure == "permutation t"
    assert compare(few, control="c45").procedure == "permutation t"
    one_sided = compare(few, control="c45", alternative="better")  # 7 pairs, and 2^-6 · 7 > 0.05
    assert (one_sided.procedure, one_sided.notes[0].facts["why"]) == ("permutation t", "permutation t")
    asked = compare(few, control="c45", alternative="better", adjust="holm")
    assert (asked.procedure, asked.notes[0].code) == ("wilcoxon", "few blocks")
    assert compare(few, control="c45", alternative="better", method="wilcoxon").notes[0] == asked.notes[0]
    same = compare(few, control="c45", alternative="better", adjust="Step down")
    assert (same.procedure, same.adjust) == ("permutation t", "step-down")
    assert same.notes == one_sided.notes and same.adjusted.tolist() == one_sided.adjusted.tolist()
    assert compare(ulas, adjust="step-down").procedure == "permutation t"  # signed ranks have no steps
    assert asked.notes[0].facts["needed"] == 8
    two = compare(few.select(algorithms=["c45", "svr"]))
    assert (two.procedure, two.notes[0].facts["why"]) == ("wilcoxon", "one pair")


def test_the_choice_says_first_that_nothing_can_be_shown(ulas: Results, table: Callable[..., Results]) -> None:
    for m in (2, 3, 5):
        found = compare(ulas.select(datasets=ulas.datasets[:m]))
        assert (found.procedure, found.notes[0].code) == ("wilcoxon", "few blocks")
        assert found.notes[0].facts["needed"] == 6
        assert not found.significant.any()
    assert found.text().partition(". ")[2].startswith(str(found.notes[0]))
    few = ulas.select(datasets=ulas.datasets[:8], algorithms=["svr", "svl", "mlp", "5nn", "c45"])
    for options in ({"adjust": "holm"}, {"method": "wilcoxon"}, {"method": "wilcoxon", "adjust": "shaffer"}):
        asked = compare(few, **options)
        assert (asked.notes[0].code, asked.notes[0].facts["needed"]) == (
            "few blocks",
            9,
        ) and not asked.significant.any()
        assert "With 8, 'permutation t' with adjust='step-down' can" in str(asked.notes[0])
    assert compare(few, method="permutation t", adjust="step-down").significant.any()  # as the note says
    many = compare(table(np.random.default_rng(0).random((8, 12)), rows="dataset"), adjust="holm")
    assert (many.procedure, many.notes[0].code) == ("wilcoxon", "few blocks")
    assert many.notes[0].facts["needed"] == 12  # 2^(1 - 12) · 66 = 0.032
    assert 66 * 2.0**-11 <= 0.05 < 66 * 2.0**-10


@pytest.mark.parametrize("method", [None, "wilcoxon"])
@pytest.mark.parametrize("adjust", [name for name in ADJUSTMENTS if name != "none"])
def test_nothing_can_be_shown_if_not_even_equal_smallest_p_values_suffice(
    method: str | None, adjust: str, table: Callable[..., Results]
) -> None:
    """In every block a is better than b, b than c, c than d: all six p-values are as small as they can be."""
    values = np.array([0, 1, 3, 7.0]) * np.arange(1, 12)[:, None]
    for n in range(4, 12):
        found = compare(table(values[:n], rows="dataset"), method=method, adjust=adjust)
        assert found.least_pvalue == pytest.approx(found.pvalue[0]) == 2 * 0.5**n
        assert found.powerless == (not found.significant.any()), n
        said = [note for note in found.notes if note.code == "few blocks"]
        assert len(said) == found.powerless
        if said:
            assert said[0].facts["adjusted"] == pytest.approx(found.adjusted.min())
            enough = compare(table(values[: said[0].facts["needed"]], rows="dataset"), method=method, adjust=adjust)
            assert enough.significant.all() and said[0].facts["needed"] > n


def test_what_a_comparison_holds_for_is_a_field(ulas: Results) -> None:
    one = ulas.select(dataset="iris")
    fresh = one.replace(structure={"independent": np.ones(one.design.shape, np.int64)})
    overlapping = {"wilcoxon": True, "t": True, "nemenyi": True, "mixed": True, "corrected t": False, "5x2cv F": False}
    for method, overlap in overlapping.items():
        options = {"ratio": 1 / 9} if method == "corrected t" else {}
        found = compare(one, method=method, **options)
        assert found.overlap == overlap == any(note.code == "overlap" for note in found.notes), method
    assert podium.mixed(one).contrasts().overlap and not compare(fresh, method="t").overlap
    assert not compare(ulas, method="t").overlap and not compare(ulas, method="mixed").overlap


def known_structure(k: int, n: int = 12, **structure: object) -> Results:
    rng = np.random.default_rng(k)
    rows = [
        {"replication": r, "algorithm": f"a{i}", "error": rng.random()}
        | {name: values[r] if isinstance(values, list) else values for name, values in structure.items()}
        for r in range(n)
        for i in range(k)
    ]
    return read(rows, measure="error", direction="lower")


@pytest.mark.parametrize("options", [{}, {"equivalence": 0.01}, {"control": "a0"}], ids=str)
@pytest.mark.parametrize("k", [2, 3, 6])
def test_what_an_outcome_holds_for_does_not_change_with_the_algorithms(k: int, options: dict[str, Any]) -> None:
    sizes = {"n_learn": 100, "n_test": [36 + r % 3 for r in range(12)]}
    folds = {"repeat": [r // 2 for r in range(10)], "fold": [r % 2 for r in range(10)]}
    adjust = "shaffer" if k > 2 and "control" not in options else "holm"
    fresh_test = ("permutation t", "step-down") if k > 2 else ("wilcoxon", "holm")
    bootstrap = compare(known_structure(k, **sizes), **options)
    assert (bootstrap.procedure, bootstrap.adjust) == ("corrected t", adjust)
    five = compare(known_structure(k, 10, **folds), **options)
    assert (five.procedure, five.adjust) == ("corrected t", adjust)
    fresh = compare(known_structure(k, 12, independent=1), **options)
    assert (fresh.procedure, fresh.adjust) == fresh_test
    unknown = compare(known_structure(k, 12), **options)
    assert (unknown.procedure, unknown.notes[0].code) == ("none", "no test")
    assert unknown.untested.all() and set(unknown.decision) == {"undecided"} and np.isnan(unknown.lower).all()
    assert all(note.code != "overlap" for found in (bootstrap, five, fresh, unknown) for note in found.notes)


FOLDS = {"repeat": [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], "fold": [1, 2] * 5}


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize(
    ("given_overlap", "procedure"),
    [
        ({"ratio": 1 / 9}, "corrected t"),
        ({"fold": list(range(10))}, "corrected t"),
        ({"n_learn": 90, "n_test": 10}, "corrected t"),
        (FOLDS, "corrected t"),
        ({**FOLDS, "ratio": 1.0}, "corrected t"),
    ],
)
def test_overlap_that_is_given_is_known(k: int, given_overlap: dict[str, Any], procedure: str) -> None:
    values = np.random.default_rng(k).normal(size=(10, k))
    results = read(values, labels={"replication": None, "algorithm": None}, measure="error")
    found = compare(results, **given_overlap)
    assert found.procedure == procedure
    assert not any(note.code == "overlap" for note in found.notes)
    named = compare(results, method=procedure, adjust=found.adjust, **given_overlap)
    pd.testing.assert_frame_equal(found.frame(), named.frame())


def test_ranks_have_no_scale(demsar: Results) -> None:
    with pytest.raises(InputError, match=r"^`transform` is for 'mixed' and for tests pair by pair; method='nemenyi'"):
        compare(demsar, method="nemenyi", transform="log")


def test_equal_algorithms_on_bootstrap_samples_are_not_called_different() -> None:
    """Five algorithms see one feature each, all equally useful: they are equal in the population."""
    rng = np.random.default_rng(3)
    samples, errors, ranks = 60, 0, 0
    for _ in range(samples):
        y = rng.integers(0, 2, 200)
        x = rng.normal(size=(200, 5)) + y[:, None]
        learn = rng.integers(0, 200, (30, 200))
        out = np.ones((30, 200), bool)
        np.put_along_axis(out, learn, False, axis=1)
        wrong = (x > x[learn].mean(axis=1, keepdims=True)) != (y == 1)[:, None]  # replications × examples × algorithms
        tested = out.sum(axis=1)
        rows = {
            "replication": np.repeat(np.arange(30), 5),
            "n_learn": 200,
            "n_test": np.repeat(tested, 5),
            "algorithm": np.tile([f"a{i}" for i in range(5)], 30),
            "error": ((wrong & out[:, :, None]).sum(axis=1) / tested[:, None]).ravel(),
        }
        results = read(pd.DataFrame(rows), measure="error", direction="lower")
        errors += bool(compare(results).significant.any())
        ranks += bool(compare(results, method="wnmt").significant.any())
    assert errors / samples <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)
    assert ranks / samples > 0.5


def test_opposite_algorithms_are_not_called_different(table: Callable[..., Results]) -> None:
    """Two exchangeable algorithms, opposite to each other on each data set, of five: mean ranks exceed the level."""
    rng = np.random.default_rng(1)
    samples = 250
    costs = rng.normal(size=(samples, 15, 5))
    gain = rng.choice([-6.0, 6.0], (samples, 15))
    costs[..., 0] += gain
    costs[..., 1] -= gain
    first, second = np.triu_indices(5, 1)
    differences = np.swapaxes(costs[..., first] - costs[..., second], 1, 2)
    alone = PAIRWISE_TESTS["permutation t"].function(
        differences.reshape(-1, 15), Structure(), alpha=0.05, intervals=False
    )
    spread = np.ptp(rank_blocks(costs.reshape(-1, 5)).reshape(costs.shape).mean(axis=1), axis=1)
    # Only where a pair differs on its own can it differ after adjustment; the variance of a mean rank is 2/15.
    signed = np.flatnonzero(alone.two_sided.reshape(samples, -1).min(axis=1) <= 0.05)
    ranked = np.flatnonzero(spread > 1.9 * np.sqrt(2 * 2.5 / 15))
    found = [compare(table(costs[i], rows="dataset")) for i in signed]
    assert {one.procedure for one in found} == {"permutation t"}
    errors = sum(bool(one.significant.any()) for one in found)
    ranks = sum(bool(compare(table(costs[i], rows="dataset"), method="wnmt").significant.any()) for i in ranked)
    assert errors / samples <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)
    assert ranks / samples > 0.07


@pytest.mark.parametrize("method", ["wnmt", "nwwm", "nemenyi", "bonferroni-dunn"])
def test_mean_ranks_come_with_a_caution(demsar: Results, method: str) -> None:
    found = compare(demsar, method=method, control="C4.5")
    assert any(note.code == "caution" and "depend on the others" in str(note) for note in found.notes)
    two = compare(demsar.select(algorithms=["C4.5", "C4.5+m"]), method=method, control="C4.5")
    assert all(note.code != "caution" for note in two.notes)


def test_the_choice_with_missing_cells(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(1).random((12, 3))
    values[2, 1] = np.nan
    gap = table(values, rows="dataset")
    found = compare(gap, missing="available")
    assert (found.procedure, found.adjust) == ("permutation t", "step-down")
    assert found.notes[0].facts["shared"] == (11, 12)
    worst = compare(gap, missing="worst-rank")
    assert (worst.procedure, worst.notes[0].facts["why"], worst.permutations or worst.exact) == ("wnmt", "wnmt", True)
    assert any(note.code == "caution" for note in worst.notes)
    assert compare(gap, missing="drop-block").notes[0].facts["n"] == 11
    values[1:, 2] = np.nan
    apart = compare(table(values, rows="dataset"), missing="available")
    assert apart.untested.any() and not apart.significant.any()


def test_the_choice_is_by_the_blocks_that_pairs_share(table: Callable[..., Results]) -> None:
    """Pairs share 3 to 8 of 20 blocks: too few for signed ranks, while means are 100 standard deviations apart."""
    rng = np.random.default_rng(1)
    values = np.where(rng.random((20, 4)) < 0.5, np.nan, rng.normal(size=(20, 4)) + 100 * np.arange(4))
    found = compare(table(values, rows="dataset"), missing="available")
    least, most = found.notes[0].facts["shared"]
    assert 2 <= least < most < 11 and found.procedure == "permutation t"
    assert found.significant.any() and np.isfinite(found.lower[found.significant]).all()
    few = compare(table(values[:6], rows="dataset"), missing="available", method="wilcoxon")
    shared = few.common[few.first, few.second].max()
    assert (few.notes[0].code, few.notes[0].facts["n"], few.least_pvalue) == ("few blocks", shared, 2 * 0.5**shared)


def test_mixed_is_one_of_the_procedures(monks3: Results) -> None:
    few = monks3.select(replications=monks3.replications[:12])
    asked = {"equivalence": (-0.01, 0.01), "control": "svm", "alpha": 0.1, "df": "satterthwaite"}
    found, expected = compare(few, method="mixed", **asked), compare_mixed(few, missing="raise", **asked)
    assert (found.procedure, found.control, found.alpha) == ("mixed", "svm", 0.1)
    assert found.frame().equals(expected.frame())
    assert found.notes == expected.notes
    assert found.notes[0].code == "overlap"
    assert compare(few, method="mixed", adjust="holm").adjust == "holm"
    with pytest.raises(InputError, match="`method='mixed'` does not support 'alternative', 'omnibus'"):
        compare(monks3, method="mixed", alternative="better", control="svm", omnibus=False)


def test_every_step_can_be_fixed(ulas: Results) -> None:
    found = compare(
        ulas, method="wilcoxon", adjust="shaffer", aggregate="median", zeros="pratt", omnibus=True, alpha=0.01
    )
    assert (found.adjust, found.alpha) == ("shaffer", 0.01)
    assert found.omnibus is not None
    assert "reduced to their median first" in str(found.notes[0])
    np.testing.assert_allclose(found.adjusted, adjust_pvalues(found.pvalue, "shaffer"))
    given_omnibus = friedman(ulas, distribution="F")
    assert compare(ulas, method="nemenyi", omnibus=given_omnibus).omnibus is given_omnibus


@pytest.mark.parametrize("method", ["nemenyi", "wilcoxon"])
def test_a_global_test_of_other_blocks_is_refused(ulas: Results, method: str) -> None:
    names = ulas.algorithms
    two, three = (ulas.select(datasets=ulas.datasets[:n]) for n in (2, 3))
    one = ulas.select(dataset=ulas.datasets[0])
    for test in (friedman(two), friedman(one), friedman(three.drop(algorithm=names[-1]))):
        with pytest.raises(InputError, match="`omnibus` must be a global test of the blocks that are compared"):
            compare(three, method=method, omnibus=test)
    turned = friedman(three.select(algorithms=names[::-1]))
    assert compare(three, method=method, omnibus=turned).omnibus is turned


def test_a_global_test_may_leave_out_blocks_with_one_value(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((8, 1, 3))
    values[0, 0, 1:] = np.nan
    results = table(values)
    test = podium.inference.skillings_mack(results, missing="available")
    assert test.n == 7
    assert compare(results, method="wilcoxon", missing="available", omnibus=test).omnibus is test


# Two algorithms, one group, missing cells


@pytest.mark.parametrize("method", METHODS)
def test_two_algorithms_are_an_ordinary_case(table: Callable[..., Results], method: str) -> None:
    rng = np.random.default_rng(2)
    found = compare(table(rng.normal([0, 1], size=(30, 2))), method=method)
    assert isinstance(found, Comparison)
    assert len(found.first) == 1
    np.testing.assert_allclose(found.adjusted, found.pvalue)
    assert found.omnibus is None
    assert found.frame()["a"].tolist() == ["a0"]
    assert found.decision.tolist() == ["better"]


def test_available_cells_pair_by_pair(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(8).normal([0, 0.5, 1], size=(20, 3))
    gaps = values.copy()
    gaps[:5, 0], gaps[15:, 1] = np.nan, np.nan
    found = compare(table(gaps), method="wilcoxon", missing="available")
    alone = paired_test(values[5:15, 0], values[5:15, 1], "wilcoxon")
    assert found.pair("a0", "a1")["pvalue"] == pytest.approx(alone.pvalue)
    assert found.pair("a1", "a2")["pvalue"] == pytest.approx(paired_test(values[:15, 1], values[:15, 2]).pvalue)
    assert "10 of 60 cells missing" in str(found.missing)
    gaps[:, 2] = np.nan
    gaps[0, 2] = 1.0
    lost = compare(table(gaps), method="t", missing="available")
    assert lost.untested.tolist() == [False, True, True]
    assert lost.groups() != [("a0", "a1", "a2")]


def test_available_replications_are_reduced_in_common(table: Callable[..., Results]) -> None:
    rng = np.random.default_rng(9)
    values = rng.normal(size=(6, 4, 2))
    gaps = values.copy()
    gaps[0, 0, 0] = np.nan
    found = compare(table(gaps), method="t", missing="available")
    first = values[0, 1:].mean(axis=0)
    rest = values[1:].mean(axis=1)
    both = np.vstack([first, rest])
    assert found.pvalue[0] == pytest.approx(paired_test(both[:, 0], both[:, 1], "t").pvalue)


def test_worst_rank_of_a_data_set_with_any_failure(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(9).random((5, 4, 3))
    values[0, 0, 0] = np.nan
    found = compare(table(values), method="nemenyi", missing="worst-rank")
    means = values.mean(axis=1)
    means[0, 0] = 9.0
    expected = rank_blocks(means).mean(axis=0)
    assert found.mean_ranks == pytest.approx(expected)
    assert found.missing.filled == 1
    with pytest.raises(MissingCellsError):
        compare(table(values), method="nemenyi")


# Exactness of permutations


def test_exact_permutation_of_pairs_by_enumeration() -> None:
    ranks = rank_blocks(np.array([[1.0, 2, 3], [2, 1, 3], [1, 2, 2], [1, 3, 2]]))
    first, second = np.triu_indices(3, 1)
    found = permuted_rank_pairs(ranks, first, second)
    assert found.exact
    from itertools import permutations, product

    sums = np.array([np.sum(rows, axis=0) for rows in product(*[list(permutations(row)) for row in ranks])])
    spread = np.ptp(sums, axis=1)
    observed = np.abs(ranks.sum(axis=0)[first] - ranks.sum(axis=0)[second])
    np.testing.assert_allclose(found.single_step, [(spread >= o - 1e-9).mean() for o in observed])
    one = np.abs(sums[:, 0] - sums[:, 1])
    np.testing.assert_allclose(found.pvalue, [(one >= o - 1e-9).mean() for o in observed])


# Invariances


def _flipped(results: Results) -> Results:
    """The same performance, written the other way round."""
    info = results.measures[0]
    turned = podium.MeasureInfo(info.name, "higher" if info.direction == "lower" else "lower", units=info.units)
    return results.replace(values=-results.values, measures=(turned,))


@given(st.integers(0, 10_000), st.sampled_from([*METHODS, None]))
@example(3278, "t")  # two algorithms with equal means
@few_examples()
def test_names_order_and_direction_change_nothing(seed: int, method: str | None) -> None:
    rng = np.random.default_rng(seed)
    values = np.round(rng.random((11, 4)), 1)
    names = ["b", "c", "a", "d"]
    labels = {"replication": None, "algorithm": names}
    results = podium.read(values, labels=labels, measure="error", independent=True)
    found = compare(results, method=method).frame()
    flipped = compare(_flipped(results), method=method).frame()
    for column in ("a", "b", "pvalue", "adjusted", "decision"):
        assert found[column].tolist() == pytest.approx(flipped[column].tolist()), column
    order = rng.permutation(4)
    moved = compare(results.select(algorithms=[names[i] for i in order]), method=method).frame()
    assert found["adjusted"].tolist() == pytest.approx(moved["adjusted"].tolist())
    assert found[["a", "b"]].to_numpy().tolist() == moved[["a", "b"]].to_numpy().tolist()
    blocks = compare(results.select(replications=list(rng.permutation(11) + 1)), method=method).frame()
    assert found[["a", "b"]].to_numpy().tolist() == blocks[["a", "b"]].to_numpy().tolist()
    np.testing.assert_allclose(blocks["adjusted"], found["adjusted"], atol=1e-12)


@given(st.integers(0, 10_000))
@few_examples()
def test_equal_algorithms_are_ordered_by_name_whatever_the_order_of_rows(seed: int) -> None:
    """Columns with the same values in another order of blocks: equal means, medians, ranks; rounding may not decide."""
    rng = np.random.default_rng(seed)
    column = np.round(rng.random(9), 1)
    values = np.stack([column, rng.permutation(column), column, rng.permutation(column) + 0.05], axis=1)
    names = list(rng.permutation(["d", "b", "c", "a"]))
    results = podium.read(values, labels={"replication": None, "algorithm": names}, measure="error", direction="lower")
    moved = results.select(replications=list(rng.permutation(9) + 1), algorithms=[names[i] for i in rng.permutation(4)])

    def orders(of: Results) -> list[object]:
        by_t, by_rank = compare(of, method="t"), compare(of, method="nemenyi")
        effects = podium.inference.effect_sizes(of)
        return [
            by_t.order,
            by_t.frame()[["a", "b"]].to_numpy().tolist(),
            by_t.text(),
            by_rank.order,
            by_rank.frame()[["a", "b"]].to_numpy().tolist(),
            by_rank.text(),
            set(zip(effects["a"], effects["b"], strict=True)),
            podium.summarize(of).index.tolist(),
            podium.plot.figures.multi_comparison(by_t).algorithms,
            podium.plot.figures.critical_difference(by_rank).algorithms,
            podium.plot.figures.box(of).algorithms,
        ]

    assert orders(results) == orders(moved)


# Refusals


def test_conover_against_a_control_is_adjusted_by_holm(monks3: Results) -> None:
    """Its ranks have no single-step adjustment there; by default, the comparison still has an adjustment."""
    found = compare(monks3, method="conover", control="rf")
    assert found.adjust == "holm"
    np.testing.assert_array_equal(
        found.adjusted, compare(monks3, method="conover", control="rf", adjust="holm").adjusted
    )


def test_equal_algorithms_have_no_negative_zero(table: Callable[..., Results]) -> None:
    frame = compare(table([[1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]), method="wnmt").frame()
    for column in ("estimate", "statistic"):
        assert not np.signbit(frame.loc[frame[column] == 0, column]).any()


def test_repeats_and_folds_as_arguments_are_those_of_the_results(ulas: Results) -> None:
    iris = ulas.select(dataset="iris", algorithms=["c45", "svr"])
    bare = podium.read(
        pd.DataFrame(iris.values[0, :, :, 0], columns=list(iris.algorithms)), measure="accuracy", rows="replication"
    )
    known = {name: iris.structure[name][0] for name in ("repeat", "fold")}
    for method in ("5x2cv F", "5x2cv t", "corrected t"):
        np.testing.assert_array_equal(
            compare(bare, method=method, **known).pvalue, compare(iris, method=method).pvalue, err_msg=method
        )
    sizes = compare(bare, method="corrected t", n_learn=90, n_test=10)
    np.testing.assert_array_equal(sizes.pvalue, compare(bare, method="corrected t", ratio=1 / 9).pvalue)


def test_a_comparison_keeps_its_values() -> None:
    """Arrays that it was made from may change later; its order was found before."""
    found = podium.compare(podium.examples.load_pima(), method="t")
    estimate = np.array(found.estimate)
    made = found.replace(estimate=estimate)
    before = made.frame()
    estimate *= -1
    pd.testing.assert_frame_equal(made.frame(), before)


def test_the_default_for_five_times_two_folds_makes_no_decision_that_a_note_retracts() -> None:
    """Folds of a repeat differ alike, and repeats have opposite signs: the 5×2 cv F test rejects every common mean."""
    difference = np.repeat([1.0, -0.9, 1.1, -1.0, 0.9], 2) + 0.001 * np.arange(10)
    values = np.column_stack([difference, np.zeros(10)])
    results = read(values, labels={"replication": None, "algorithm": ["a", "b"]}, measure="error")
    chosen = compare(results, method="5x2cv F", **FOLDS)
    assert chosen.significant.all() and [note.code for note in chosen.notes].count("no interval") == 1
    default = compare(results, **FOLDS)
    assert default.decision.tolist() == ["undecided"] and np.isfinite([default.lower, default.upper]).all()


def test_too_many_pairs_are_refused_and_the_rest_works() -> None:
    """633 algorithms have 633 · 632 / 2 = 200,028 pairs."""
    values = np.random.default_rng(1).random((6, 1, 633))
    results = podium.read(values, labels=dict.fromkeys(("dataset", "replication", "algorithm")), measure="accuracy")
    refused = [partial(compare, method=method) for method in (None, "nemenyi", "mixed")]
    for function in (*refused, compare_bayes, podium.inference.effect_sizes, podium.inference.rank_report):
        with pytest.raises(InputError, match=r"200,028 pairs.*control=.*select") as caught:
            function(results)
        assert caught.value.path == ("control",)
    assert len(podium.compare(results, control="1").pvalue) == 632
    assert len(podium.summarize(results)) == 633
    assert results.ranks().values.mean() == pytest.approx(317)
    assert len(podium.compare(results.select(algorithms=[str(i) for i in range(1, 6)])).pvalue) == 10
