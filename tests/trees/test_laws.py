"""Laws of Bradley–Terry models and trees: relabelling, reversal, two ways to fit, null, planted splits, bad input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import podium
from podium import PairedComparisons
from podium.analysis.trees.likelihood import PairModel, design_matrix, fit_batch
from podium.analysis.trees.sup_lm import log_chi2_sf
from podium.errors import InputError, PodiumError


def duels(n: int = 400, k: int = 5, seed: int = 0, ties: bool = True) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    worth = np.linspace(0, 1.5, k)
    a = rng.integers(0, k, n)
    b = (a + 1 + rng.integers(0, k - 1, n)) % k
    weights = np.exp(np.stack([worth[a], worth[b], (worth[a] + worth[b]) / 2 - (0.7 if ties else 50)]))
    draw = rng.random(n) * weights.sum(axis=0)
    outcome = np.where(draw < weights[0], 1, np.where(draw < weights[0] + weights[1], -1, 0))
    names = np.array([f"o{i}" for i in range(k)])
    return pd.DataFrame({"a": names[a], "b": names[b], "outcome": outcome})


@pytest.mark.parametrize("ties", [True, False])
def test_two_ways_to_fit_agree(ties: bool) -> None:
    pairs = PairedComparisons.from_duels(duels(ties=ties))
    model = podium.bradley_terry(pairs)
    D = design_matrix(PairModel(pairs.first, pairs.second, len(pairs.objects), pairs.ties), 4)
    batch = fit_batch(D, pairs.counts[None, :, : D.shape[1]], close=1e-24)
    assert model.estimates[:4] == pytest.approx(batch.beta[0, :4], abs=1e-8)
    assert -model.loglik == pytest.approx(batch.neg_loglik[0], abs=1e-9)
    assert model.worth.sum() == pytest.approx(1)


def test_the_reference_does_not_matter() -> None:
    pairs = PairedComparisons.from_duels(duels())
    one, two = podium.bradley_terry(pairs), podium.bradley_terry(pairs, baseline="o2")
    assert two.log_worth["o2"] == 0 and two.se["o2"] == 0
    assert one.worth.to_dict() == pytest.approx(two.worth.to_dict())
    assert one.quasi_se.to_dict() == pytest.approx(two.quasi_se.to_dict(), rel=1e-4)
    assert np.allclose(one.compare().adjusted, two.compare().adjusted, atol=1e-6)


def test_sides_names_and_reversal() -> None:
    table = duels()
    base = podium.bradley_terry(PairedComparisons.from_duels(table))
    swapped = table.assign(a=table["b"], b=table["a"], outcome=-table["outcome"])
    assert podium.bradley_terry(PairedComparisons.from_duels(swapped)).worth.to_dict() == pytest.approx(
        base.worth.to_dict()
    )
    reverse = podium.bradley_terry(PairedComparisons.from_duels(table.assign(outcome=-table["outcome"])))
    assert np.allclose(reverse.estimates, -base.estimates, atol=1e-8) and reverse.nu == pytest.approx(base.nu)
    named = table.replace({"o0": "z"})
    assert podium.bradley_terry(PairedComparisons.from_duels(named)).worth["z"] == pytest.approx(base.worth["o0"])


def test_quasi_variances_of_equal_designs() -> None:
    """Where all differences have one variance v, each quasi variance is v / 2 (Firth & de Menezes 2004)."""
    rows = [(a, b, o) for a in "xyz" for b in "xyz" if a < b for o in (1, -1) for _ in range(5)]
    model = podium.bradley_terry(PairedComparisons.from_duels(pd.DataFrame(rows, columns=["a", "b", "outcome"])))
    variance = float(model.se["x"] ** 2)
    assert model.quasi_se.to_numpy() ** 2 == pytest.approx(variance / 2, rel=1e-6)


def test_one_pair_by_hand() -> None:
    """7 wins, 2 losses, 3 ties: t = log(7/2), ν = 3 / √14; with Firth 7.5 and 2.5 wins without ties."""
    rows = [1] * 7 + [-1] * 2 + [0] * 3
    model = podium.bradley_terry(PairedComparisons.from_frame(pd.DataFrame({"a:b": rows})))
    assert model.log_worth["a"] == pytest.approx(np.log(3.5)) and model.nu == pytest.approx(3 / np.sqrt(14))
    plain = PairedComparisons.from_frame(pd.DataFrame({"a:b": [1] * 7 + [-1] * 2}))
    reduced = podium.bradley_terry(plain, reduce_bias="always")
    assert reduced.log_worth["a"] == pytest.approx(np.log(7.5 / 2.5), abs=1e-7)  # Jeffreys' prior of a binomial


def test_an_object_that_always_wins_has_a_finite_labelled_worth() -> None:
    table = pd.DataFrame({"a:b": [1, 1, 1, 1], "a:c": [1, 1, 1, 1], "b:c": [1, -1, 1, -1]})
    pairs = PairedComparisons.from_frame(table)
    model = podium.bradley_terry(pairs)
    assert model.bias_reduced and model.separated == (("a",), ("b", "c"))
    assert np.isfinite(model.estimates).all() and model.worth.idxmax() == "a"
    assert "bias-reduced" in str(model.compare().notes[-1])
    with pytest.raises(InputError, match="The maximum of the likelihood is infinite"):
        podium.bradley_terry(pairs, reduce_bias="never")


def test_an_effect_of_order() -> None:
    rng = np.random.default_rng(1)
    table = duels(3000)
    first = rng.random(3000) < 0.25
    table.loc[first, "outcome"] = 1
    model = podium.bradley_terry(PairedComparisons.from_duels(table), order_effect=True)
    assert model.order_effect > 3 * model.order_effect_se
    assert podium.bradley_terry(PairedComparisons.from_duels(duels(3000)), order_effect=True).order_effect == (
        pytest.approx(0, abs=0.25)
    )


def test_comparisons_end_in_a_relation() -> None:
    comparison = podium.bradley_terry(PairedComparisons.from_duels(duels(2000))).compare()
    assert str(comparison.relation()) == "o4 < o3 < o2 < o1 < o0"  # by their worths in `duels`
    assert comparison.frame()["decision"].eq("better").all()


def test_from_results_uses_the_direction_and_epsilon() -> None:
    results = podium.examples.load_demsar2006()  # AUC, greater is better
    pairs = PairedComparisons.from_results(results)
    assert pairs.totals()["comparisons"].unique().tolist() == [14 * 3]
    wide = PairedComparisons.from_frame(pairs.frame())
    assert np.array_equal(wide.counts, pairs.counts)
    assert PairedComparisons.from_results(results, epsilon=1.0).counts[:, 2].sum() == pairs.counts.sum()


# Trees


def planted(n: int = 240, seed: int = 0, effect: bool = True) -> tuple[PairedComparisons, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    z = rng.uniform(size=n).round(2)
    kind = rng.choice(["u", "v", "w"], n)
    worth = np.where((z <= 0.4)[:, None] & effect, [1.0, 0.0, -1.0], [-1.0, 0.0, 1.0])
    columns = {}
    for i, j in ((0, 1), (0, 2), (1, 2)):
        p = 1 / (1 + np.exp(worth[:, j] - worth[:, i]))
        columns[f"{'abc'[i]}:{'abc'[j]}"] = np.where(rng.random(n) < p, 1, -1)
    covariates = pd.DataFrame({"z": z, "kind": pd.Categorical(kind), "noise": rng.normal(size=n)})
    return PairedComparisons.from_frame(pd.DataFrame(columns)), covariates


def test_a_planted_split_is_found() -> None:
    pairs, covariates = planted()
    tree = podium.bradley_terry_tree(pairs, covariates, min_size=20)
    root = tree.nodes[0]
    assert root.split is not None and root.split.variable == "z" and abs(root.split.threshold - 0.4) <= 0.03
    assert [leaf.best for leaf in tree.leaves] == ["a", "c"]
    new = tree.predict({"z": 0.1, "kind": "u", "noise": 0.0})
    assert new["best"].tolist() == ["a"]
    assert "digraph" in tree.to_dot() and "z" in str(tree)
    assert tree.frame()["n"].tolist() == [node.n for node in tree.nodes]


def test_reference_and_names_do_not_change_the_tree() -> None:
    pairs, covariates = planted()
    one = podium.bradley_terry_tree(pairs, covariates, min_size=20)
    two = podium.bradley_terry_tree(pairs, covariates, min_size=20, baseline="a")
    for a, b in zip(one.nodes, two.nodes, strict=True):
        assert a.n == b.n and str(a.split) == str(b.split)
        assert np.allclose(a.tests["statistic"], b.tests["statistic"], rtol=1e-7)


def test_pruning_and_depth() -> None:
    pairs, covariates = planted()
    assert len(podium.bradley_terry_tree(pairs, covariates, min_size=20, max_depth=0).nodes) == 1
    free = podium.bradley_terry_tree(pairs, covariates, alpha=0.9, min_size=10)
    for criterion in ("aic", "bic"):
        small = podium.bradley_terry_tree(pairs, covariates, alpha=0.9, min_size=10, prune=criterion)
        assert 3 <= len(small.nodes) <= len(free.nodes)
        assert small.nodes[0].split.variable == "z"


def test_the_root_test_keeps_its_level() -> None:
    """15 null samples of 60 subjects, each with 30 covariates that are drawn apart: p-values are at most 5% in 5%.

    Of 450 such tests, more than 36 are beyond chance (0.3%); at a level of 10% that many are likely (91%).
    """
    rejected = 0
    for seed in range(15):
        pairs, _ = planted(60, seed, effect=False)
        rng = np.random.default_rng(1000 + seed)
        rounded = {f"z{i}": rng.uniform(size=60).round(2) for i in range(10)}
        kinds = {f"kind{i}": pd.Categorical(rng.choice(["u", "v", "w"], 60)) for i in range(10)}
        noise = {f"noise{i}": rng.normal(size=60) for i in range(10)}
        covariates = pd.DataFrame(rounded | kinds | noise)
        root = podium.bradley_terry_tree(pairs, covariates, min_size=10, max_depth=1).nodes[0]
        pvalue, adjusted = root.tests["pvalue"], root.tests["adjusted"]
        assert len(pvalue) == 30
        rejected += int((pvalue <= 0.05).sum())
        weak = pvalue > 0.001
        assert adjusted[weak].to_numpy() == pytest.approx(1 - (1 - pvalue[weak].to_numpy()) ** 30)
        assert (root.split is not None) == (adjusted.min() <= 0.05)
    assert rejected <= 36


def clustered(seed: int, datasets: int = 12, replications: int = 10) -> tuple[podium.Results, pd.DataFrame]:
    """No effect of the characteristics; each data set has its own order of the algorithms."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(datasets, 1, 3))
    values = base + 0.3 * rng.normal(size=(datasets, replications, 3))
    labels = {"dataset": [f"d{i}" for i in range(datasets)], "replication": None, "algorithm": list("abc")}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    characteristics = np.repeat(rng.normal(size=(datasets, 8)), replications, axis=0)
    return results, pd.DataFrame(characteristics, columns=list("pqrstuvw"))


def test_data_sets_are_the_unit_where_they_repeat() -> None:
    """Rows of one data set are dependent: the classical test rejects nearly always, that of data sets does not."""
    classical, honest = 0, 0
    for seed in range(10):
        results, covariates = clustered(seed)
        pairs = PairedComparisons.from_results(results)
        tree = podium.bradley_terry_tree(pairs, covariates, min_size=3, permutations=199, max_depth=1, seed=seed)
        assert tree.unit == "dataset" and tree.nodes[0].n == 12
        honest += int((tree.nodes[0].tests["pvalue"] <= 0.05).sum())
        old = podium.bradley_terry_tree(pairs, covariates, min_size=20, unit="replication", max_depth=1)
        assert old.classical_warning and "not independent" in str(old)
        classical += int((old.nodes[0].tests["pvalue"] <= 0.05).sum())
    assert honest <= 10  # 5% of 80 are 4; more than 10 have a probability of 0.2%
    assert classical >= 70


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda pairs, table: podium.bradley_terry_tree(pairs, table, unit="dataset"),
            "needs the data set of each subject",
        ),
        (
            lambda pairs, table: podium.bradley_terry_tree(pairs, table.assign(z=np.nan, noise="n"), missing="raise"),
            "has missing values in 'z'",
        ),
        (
            lambda pairs, table: podium.bradley_terry_tree(pairs, table.assign(z=pd.date_range("2020", periods=60))),
            "The covariate 'z' holds dates or times",
        ),
        (
            lambda pairs, table: podium.bradley_terry(
                PairedComparisons.from_frame(pd.DataFrame({"a:b": [1, -1], "c:d": [1, -1]}))
            ),
            "never met",
        ),
        (
            lambda pairs, table: PairedComparisons.from_duels(pd.DataFrame({"a": ["x"], "b": ["x"], "outcome": [1]})),
            "compares 'x' with itself",
        ),
    ],
)
def test_messages(call: Callable[[PairedComparisons, pd.DataFrame], object], text: str) -> None:
    with pytest.raises(PodiumError, match=text):
        call(*planted(60))


def test_all_splits_of_levels_are_tried_up_to_sixteen() -> None:
    many = pd.DataFrame({"kind": [f"k{i % 20}" for i in range(60)]})
    strong = PairedComparisons.from_frame(pd.DataFrame({"a:b": [1 if i % 20 < 10 else -1 for i in range(60)]}))
    with pytest.raises(InputError, match="has 20 levels; at most 16 are possible, because all splits are tried"):
        podium.bradley_terry_tree(strong, many, min_size=5)


def test_subjects_with_gaps_are_left_out_only_on_request() -> None:
    pairs, covariates = planted(60)
    gaps = covariates.assign(z=covariates["z"].where(covariates["z"] > 0.1))
    dropped = podium.bradley_terry_tree(pairs, gaps, missing="drop-block", min_size=10)
    assert dropped.nodes[0].n == int((covariates["z"] > 0.1).sum())
    assert podium.bradley_terry_tree(pairs, gaps, min_size=10).nodes[0].n == 60


def test_the_order_of_covariates_does_not_matter_where_p_values_underflow() -> None:
    rng = np.random.default_rng(1)
    n = 20_000
    strong, weak = rng.uniform(size=(2, n))
    chance = 0.5 + 0.34 * np.sign(strong - 0.5) + 0.15 * np.sign(weak - 0.5)
    names = np.array(["x", "y", "z"])
    a = rng.integers(0, 3, n)
    b = (a + rng.integers(1, 3, n)) % 3
    outcome = np.where(rng.random(n) < np.where(a < b, chance, 1 - chance), 1, -1)
    pairs = PairedComparisons.from_duels(pd.DataFrame({"a": names[a], "b": names[b], "outcome": outcome}))
    covariates = pd.DataFrame({"weak": weak, "strong": strong, "noise": rng.uniform(size=n)})
    for order in (["weak", "strong", "noise"], ["noise", "strong", "weak"]):
        root = podium.bradley_terry_tree(pairs, covariates[order], max_depth=1).nodes[0]
        assert root.split.variable == "strong"
        assert (root.tests["pvalue"][["weak", "strong"]] == 0).all()


def test_the_order_of_covariates_does_not_matter_where_no_permutation_reaches_a_statistic() -> None:
    rng = np.random.default_rng(5)
    size = rng.permutation(np.arange(40.0))
    table = pd.DataFrame({"late": size, "right": size + rng.normal(scale=3, size=40), "noise": rng.normal(size=40)})
    lead = np.where(table["right"] > 20, 1, -1) * np.where(rng.random(40) < 0.05, -1, 1)
    pairs = PairedComparisons.from_frame(pd.DataFrame({"svm:lda": lead}, index=[f"d{i}" for i in range(40)]))
    pairs = replace(pairs, dataset=tuple(pairs.subjects))
    settings = {"unit": "dataset", "permutations": 99, "max_depth": 1}
    found = [podium.bradley_terry_tree(pairs, table[list(order)], **settings).nodes[0] for order in permutations(table)]
    assert found[0].tests["pvalue"][["late", "right"]].tolist() == [0.01, 0.01]
    assert {root.split.variable for root in found} == {"right"}
    for root in found:
        pd.testing.assert_frame_equal(root.tests.loc[list(table)], found[0].tests)


@pytest.mark.parametrize("statistic", [1e-3, 5.0, 1300.0, 1400.0, 3e3, 1e7])
def test_logarithms_of_tails_of_the_chi_square(statistic: float) -> None:
    """With 2 and 4 degrees of freedom they are known in closed form; with 660, SciPy's does not underflow at 3,000."""
    x = statistic / 2
    assert log_chi2_sf(statistic, 2) == pytest.approx(-x, rel=1e-12)
    assert log_chi2_sf(statistic, 4) == pytest.approx(np.log1p(x) - x, rel=1e-9)
    assert log_chi2_sf(3e3, 660) == pytest.approx(chi2.logsf(3e3, 660), rel=1e-12)
