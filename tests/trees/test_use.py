"""Trees in use: other trees than those of the reference, labels, missing values, advice, departures, predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from direct_tree import Direct
from scipy.stats import binomtest

import podium
from podium import PairedComparisons
from podium.errors import AmbiguousInputError, InputError, LabelError


def random_data(seed: int) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, tuple[str, Any]], int, int]:
    """Outcomes with ties and missing comparisons, and covariates of all kinds, with ties in their values."""
    rng = np.random.default_rng(seed)
    k, n, min_size = int(rng.integers(2, 5)), int(rng.integers(60, 140)), int(rng.integers(8, 30))
    kind = rng.integers(0, 4, n)
    covariates: dict[str, tuple[str, Any]] = {
        "few": ("numeric", rng.integers(0, 6, n).astype(float)),
        "kind": ("nominal", kind),
        "rank": ("ordered", rng.integers(0, 3, n)),
        "same": ("numeric", np.ones(n)),
        "number": ("numeric", rng.normal(size=n)),
    }
    frame = pd.DataFrame({name: values for name, (_, values) in covariates.items()})
    frame["kind"] = pd.Categorical.from_codes(kind, ["w", "v", "u", "t"])
    frame["rank"] = pd.Categorical.from_codes(frame["rank"], ["low", "mid", "high"], ordered=True)
    pull = 1.5 * (seed % 3 > 0)
    t = pull * (np.outer(frame["few"] > 2, rng.normal(size=k)) + np.outer(kind % 2, rng.normal(size=k)))
    pairs = [(i, j) for j in range(k) for i in range(j)]
    codes = np.empty((n, len(pairs)))
    for q, (i, j) in enumerate(pairs):
        weights = np.exp(np.stack([t[:, i], t[:, j], (t[:, i] + t[:, j]) / 2 - (0.7 if seed % 2 else 50)], axis=1))
        draw = rng.random(n) * weights.sum(axis=1)
        codes[:, q] = np.where(draw < weights[:, 0], 1, np.where(draw < weights[:, :2].sum(axis=1), -1, 0))
    codes[rng.random(codes.shape) < 0.05] = np.nan
    table = pd.DataFrame(codes, columns=[f"{'abcd'[i]}:{'abcd'[j]}" for i, j in pairs])
    return table, frame, covariates, k, min_size


@pytest.mark.parametrize("seed", range(6))  # with and without ties, three strengths of the effects
def test_trees_grown_straight_from_the_formulas_are_the_same(seed: int) -> None:
    table, frame, covariates, k, min_size = random_data(seed)
    pairs = [(i, j) for j in range(k) for i in range(j)]
    expected = Direct(table.to_numpy(), pairs, k, covariates, min_size).nodes
    tree = podium.bradley_terry_tree(PairedComparisons.from_frame(table), frame, min_size=min_size)
    assert [(node.n, node.parent) for node in tree.nodes] == [(node["n"], node["parent"]) for node in expected]
    for ours, theirs in zip(tree.nodes, expected, strict=True):
        assert ours.neg_loglik == pytest.approx(theirs["neg_loglik"], abs=1e-6)
        assert (ours.split.variable if ours.split else None) == theirs["split"]
        assert set(ours.tests["pvalue"].dropna().index) == set(theirs["tests"])
        for name, (statistic, pvalue) in theirs["tests"].items():
            assert ours.tests.loc[name, "statistic"] == pytest.approx(statistic, rel=1e-4)
            assert ours.tests.loc[name, "pvalue"] == pytest.approx(pvalue, rel=1e-3)


def test_the_smallest_node_that_can_be_split() -> None:
    """With n = 2 min_size there is one place to split a number; with one subject less there is no test."""
    outcome = [1] * 19 + [-1] + [-1] * 18 + [1] * 2
    pairs = PairedComparisons.from_frame(pd.DataFrame({"a:b": outcome}))
    size = pd.DataFrame({"size": np.arange(40)})
    tree = podium.bradley_terry_tree(pairs, size, min_size=20)
    assert tree.nodes[0].split is not None and tree.nodes[0].split.threshold == 19
    fewer = podium.bradley_terry_tree(pairs.take(range(39)), size.iloc[:39], min_size=20)
    assert len(fewer.nodes) == 1 and fewer.nodes[0].tests.isna().all(axis=None)


def clustered(datasets: int = 24, seed: int = 1) -> tuple[podium.Results, pd.DataFrame]:
    """The third algorithm is good on large data sets only; four replications each."""
    rng = np.random.default_rng(seed)
    size = rng.permutation(np.arange(datasets))
    values = 0.2 + 0.01 * rng.normal(size=(datasets, 1, 3)) + 0.01 * rng.normal(size=(datasets, 4, 3))
    values[:, :, 2] += np.where(size >= datasets // 2, -0.03, 0.03)[:, None]
    names = [f"d{i}" for i in range(datasets)]
    labels = {"dataset": names, "replication": None, "algorithm": ["lda", "svm", "rf"]}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    return results, pd.DataFrame({"size": size, "noise": rng.normal(size=datasets)}, index=names)


def test_rows_are_matched_by_their_labels() -> None:
    results, table = clustered()
    pairs = PairedComparisons.from_results(results)
    options = {"permutations": 199}
    base = str(podium.bradley_terry_tree(pairs, table, **options))
    assert str(podium.bradley_terry_tree(pairs, table.sample(frac=1, random_state=0), **options)) == base
    long = table.loc[list(pairs.dataset)].set_axis(pd.MultiIndex.from_tuples(pairs.subjects))
    assert str(podium.bradley_terry_tree(pairs, long.sample(frac=1, random_state=0), **options)) == base
    assert str(podium.bradley_terry_tree(pairs, long.reset_index(drop=True), **options)) == base
    with pytest.raises(LabelError, match="it has none for 'd20', 'd21'"):
        podium.bradley_terry_tree(pairs, table.iloc[:20])


def test_rows_without_labels_are_used_in_their_order() -> None:
    size = pd.DataFrame({"size": np.arange(60)})
    pairs = PairedComparisons.from_frame(pd.DataFrame({"a:b": [1] * 28 + [-1] * 4 + [1, 1] + [-1] * 26}))
    base = str(podium.bradley_terry_tree(pairs, size, min_size=10))
    assert len(base.splitlines()) > 2
    assert str(podium.bradley_terry_tree(pairs, size.set_axis(size.index + 7), min_size=10)) == base
    assert str(podium.bradley_terry_tree(pairs, size.sample(frac=1, random_state=0), min_size=10)) == base


def test_advice_is_validated_on_data_sets_that_the_tree_has_not_seen() -> None:
    results, table = clustered()
    pairs = PairedComparisons.from_results(results)
    found = podium.bradley_terry_tree(pairs, table, permutations=199).validate(folds=6)
    assert found.gain > 0.1 and found.better() and "is better than always" in str(found)
    assert set(found.frame()["fold"]) == set(range(1, 7)) and len(found.units) == 24
    own = found.frame().set_index("unit")
    wins = pairs.take([i for i, name in enumerate(pairs.dataset) if name == "d3"]).totals()
    share = (wins["wins"] + wins["ties"] / 2) / wins["comparisons"]
    assert own.loc["d3", "tree"] == share[own.loc["d3", "advised"]]
    useless = podium.bradley_terry_tree(pairs, table[["noise"]], permutations=199).validate(folds=4)
    assert useless.gain == 0 and not useless.better() and "its advice is the overall winner" in str(useless)
    with pytest.raises(InputError, match="needs 4 data sets; there are 3"):
        few = results.select(datasets=["d0", "d1", "d2"])
        podium.bradley_terry_tree(PairedComparisons.from_results(few), table, permutations=9).validate()


def test_departures_start_and_end_at_nothing_and_turn_at_the_split() -> None:
    results, table = clustered()
    tree = podium.bradley_terry_tree(PairedComparisons.from_results(results), table, permutations=199)
    found = tree.instability()
    assert found.variable == "size" and found.split is tree.nodes[0].split
    assert found.path[-1] == pytest.approx(0, abs=1e-9)
    rf = found.path[:, 2]
    assert abs(found.values[np.abs(rf).argmax()] - found.split.threshold) <= 2 and rf.min() < -1.5
    by_level = podium.bradley_terry_tree(
        PairedComparisons.from_results(results),
        table.assign(kind=np.where(table["size"] < 12, "s", "l")),
        permutations=99,
    ).instability("kind")
    assert by_level.levels == ("l", "s") and by_level.path.sum(axis=0) == pytest.approx(0, abs=1e-9)


def test_missing_characteristics() -> None:
    results, table = clustered()
    pairs = PairedComparisons.from_results(results)
    holes = table.assign(never=np.nan, noise=table["noise"].where(np.arange(24) % 4 > 0))
    dropped = podium.bradley_terry_tree(pairs, holes, missing="drop-block", permutations=99)
    assert dropped.nodes[0].n == 18 and dropped.left_out == 24 and dropped.unknown == ("noise",)
    assert "24 rows left out, where noise has no value." in str(dropped)
    assert np.isnan(dropped.nodes[0].tests.loc["never", "pvalue"])
    with pytest.raises(InputError, match="Every subject lacks a value of one of 'size', 'noise'"):
        apart = holes.assign(size=holes["size"].where(holes["noise"].isna()))
        podium.bradley_terry_tree(pairs, apart, missing="drop-block")
    gaps = table.assign(size=table["size"].where(table["size"] < 22))
    tree = podium.bradley_terry_tree(pairs, gaps, permutations=199)
    assert tree.nodes[0].n == 24 and tree.nodes[0].split is not None and tree.nodes[0].split.variable == "size"
    new = tree.predict(pd.DataFrame({"size": [0.0, 2.0, 20.0, 99.0, np.nan], "noise": 0.0}))
    assert new["best"].tolist()[2:] == ["rf", "rf", "rf"] and new["best"].iloc[0] == new["best"].iloc[1] != "rf"
    plain = podium.bradley_terry_tree(pairs, table, permutations=99)
    larger = max(plain.leaves, key=lambda leaf: leaf.n)
    assert plain.predict({"size": np.nan}).loc[0, "node"] == larger.node or plain.leaves[0].n == plain.leaves[1].n


def test_mixed_data_sets_are_kept_though_each_lacks_some_characteristics() -> None:
    names = ["iris", "zoo", "tictactoe", "heart", "wine", "monks1"]
    table = podium.characterize([podium.Dataset.named(name) for name in names]).set_axis(names)
    assert table.isna().any(axis=1).sum() == 5  # all but heart
    scores = pd.DataFrame(np.arange(12.0).reshape(6, 2), index=names, columns=["lda", "rf"])
    pairs = PairedComparisons.from_results(podium.read(scores, measure="error", direction="lower"))
    tree = podium.bradley_terry_tree(pairs, table, unit="dataset", min_size=2)
    assert tree.nodes[0].n == 6 and tree.left_out == 0


def test_a_tree_without_splits_advises_the_winner_of_the_same_rows() -> None:
    """rf wins on the complete rows, lda on the others, which are more."""
    known = np.arange(40) % 5 == 0
    lead = np.where(known, 1, -1) * np.where(np.arange(40) % 8 == 0, -1, 1)
    pairs = PairedComparisons.from_frame(pd.DataFrame({"rf:lda": lead}))
    table = pd.DataFrame({"size": np.where(known, np.arange(40), np.nan)})
    found = podium.bradley_terry_tree(pairs, table, missing="drop-block", max_depth=0).validate(folds=4)
    assert found.advised == found.winner == ("rf",) * 40 and found.gain == 0


def test_duels_in_both_orders_are_one_pair() -> None:
    rng = np.random.default_rng(0)
    n = 400
    names = np.array(["x", "y", "z"])
    a = rng.integers(0, 3, n)
    b = (a + rng.integers(1, 3, n)) % 3
    size = rng.uniform(size=n)
    wins = rng.random(n) < np.where(size > 0.5, 0.5 + 0.2 * np.sign(b - a), 0.5 - 0.2 * np.sign(b - a))
    duels = pd.DataFrame({"a": names[a], "b": names[b], "outcome": np.where(wins, 1, -1), "size": size})
    turned = duels["a"] > duels["b"]
    sorted_duels = duels.assign(
        a=duels["a"].where(~turned, duels["b"]),
        b=duels["b"].where(~turned, duels["a"]),
        outcome=duels["outcome"].where(~turned, -duels["outcome"]),
    )
    one, two = (
        podium.bradley_terry_tree(PairedComparisons.from_duels(table), table[["size"]], min_size=50)
        for table in (duels, sorted_duels)
    )
    assert len(one.leaves) == 2 and one.frame().equals(two.frame())
    model = podium.bradley_terry(PairedComparisons.from_duels(duels), order_effect=True)
    assert abs(model.order_effect) < 4 * model.order_effect_se


def test_many_objects() -> None:
    rng = np.random.default_rng(0)
    k, n = 60, 20_000
    worth = rng.normal(size=k)
    a = rng.integers(0, k, n)
    b = (a + rng.integers(1, k, n)) % k
    outcome = np.where(rng.random(n) < 1 / (1 + np.exp(worth[b] - worth[a])), 1, -1)
    model = podium.bradley_terry(PairedComparisons.from_duels(pd.DataFrame({"a": a, "b": b, "outcome": outcome})))
    order = [int(name) for name in model.objects]
    assert np.corrcoef(model.estimates, worth[order])[0, 1] > 0.98
    with pytest.raises(InputError, match=r"of 1,770 differences is not computed; .* Use adjust='holm'"):
        model.compare()
    assert len(model.compare(adjust="holm").adjusted) == 1770


def test_a_test_on_each_test_sample_decides_on_ties() -> None:
    """McNemar's exact test, against `scipy.stats.binomtest`."""
    rng = np.random.default_rng(0)
    rows = []
    for replication in (1, 2, 3):
        truth = rng.choice(["x", "y"], 40)
        for algorithm, right in (("lda", 0.95), ("nb", 0.9), ("guess", 0.5)):
            guess = np.where(rng.random(40) < right, truth, np.where(truth == "x", "y", "x"))
            for row in range(40):
                rows.append(("d", replication, algorithm, row, truth[row], guess[row]))
    names = ["dataset", "replication", "algorithm", "row", "truth", "prediction"]
    table = pd.DataFrame(rows, columns=names)
    pairs = PairedComparisons.from_predictions(table)
    found = pairs.frame()
    assert pairs.subjects == (("d", 1), ("d", 2), ("d", 3)) and pairs.objects == ("lda", "nb", "guess")
    right = table.assign(right=table["truth"] == table["prediction"]).pivot(
        index=["replication", "row"], columns="algorithm", values="right"
    )
    for at, (_, part) in enumerate(right.groupby(level=0)):
        for one, two in (("lda", "nb"), ("lda", "guess"), ("nb", "guess")):
            wins, losses = int((part[one] & ~part[two]).sum()), int((part[two] & ~part[one]).sum())
            p = binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
            assert found.loc[at, f"{one}:{two}"] == (np.sign(wins - losses) if p <= 0.05 else 0)
    assert PairedComparisons.from_predictions(table, alpha=0.999).counts[:, 2].sum() <= pairs.counts[:, 2].sum()
    numbers = table.assign(truth=1.0, prediction=np.where(table["algorithm"] == "lda", 1.1, 1.5))
    assert PairedComparisons.from_predictions(numbers).totals()["wins"].to_dict() == {"lda": 6, "nb": 0, "guess": 0}


def test_numbers_in_a_column_of_objects_are_numbers() -> None:
    numbers = pd.DataFrame({"x": pd.Series([*range(59), None], dtype=object)})
    pairs = PairedComparisons.from_frame(pd.DataFrame({"a:b": [1, -1] * 30}))
    assert podium.bradley_terry_tree(pairs, numbers, missing="drop-block").covariates[0].kind == "numeric"


def test_nodes_with_only_ties_prefer_no_object() -> None:
    frame = pd.DataFrame(0.0, index=range(37), columns=[f"x{i}:x{j}" for j in range(6) for i in range(j)])
    frame.iloc[5, 3] = np.nan
    tree = podium.bradley_terry_tree(PairedComparisons.from_frame(frame), pd.DataFrame({"z": range(37)}))
    assert tree.nodes[0].worth.to_numpy() == pytest.approx(1 / 6, abs=1e-6)


def test_objects_that_did_not_meet_in_a_leaf_have_no_worth_there() -> None:
    both, nothing = [1, -1] * 10, [np.nan] * 20
    frame = pd.DataFrame(
        {"a:b": both + nothing, "a:d": both + nothing, "a:c": nothing + both, "b:c": nothing + [1] * 12 + [-1] * 8}
    )
    table = pd.DataFrame({"g": [0.0] * 20 + [1.0] * 20})
    tree = podium.bradley_terry_tree(PairedComparisons.from_frame(frame), table, min_size=5)
    one, two = tree.leaves
    assert one.worth[["a", "b", "d"]].tolist() == pytest.approx([1 / 3] * 3) and np.isnan(one.worth["c"])
    # By hand: a wins half of its comparisons with b through c only; b wins 12 of 20, so it is worth 1.5 times as much.
    assert two.worth[["a", "b", "c"]].tolist() == pytest.approx([1 / 3.5, 1.5 / 3.5, 1 / 3.5], rel=1e-6)
    assert two.best == "b" and np.isnan(two.coefficients[["a", "b"]]).sum() + np.isnan(two.worth["d"]) >= 1
    assert str(tree).splitlines()[-1].endswith("not compared with these: d")
    assert "nan" not in tree.to_dot()
    podium.plot.preference_tree(tree)


def test_labels_in_columns_are_refused_and_text_labels_are_found() -> None:
    results, table = clustered()
    pairs = PairedComparisons.from_results(results)
    rows = pd.DataFrame(
        [(d, str(r), size) for d, size in table["size"].items() for r in (1, 2, 3, 4)],
        columns=["dataset", "replication", "size"],
    )
    with pytest.raises(LabelError, match=r"labels and cannot split.*set_index\(\['dataset', 'replication'\]\)"):
        podium.bradley_terry_tree(pairs, rows)
    tree = podium.bradley_terry_tree(pairs, rows.sample(frac=1, random_state=0).set_index(["dataset", "replication"]))
    assert tree.frame()["split"][0] == podium.bradley_terry_tree(pairs, table).frame()["split"][0]


def test_predictions_are_from_numbers() -> None:
    with pytest.raises(InputError, match="The covariate 'size' must be numbers; got 'large'"):
        planted().predict({"size": "large"})
    assert planted(max_depth=0).validate(folds=2).leaves == (1, 1)


def planted(**settings: Any) -> podium.BradleyTerryTree:
    size = np.arange(100)
    outcome = np.where(size % 10 < np.where(size > 49, 8, 1), 1, -1)
    pairs = PairedComparisons.from_frame(pd.DataFrame({"svm:lda": outcome}))
    return podium.bradley_terry_tree(pairs, pd.DataFrame({"size": size}), min_size=20, **settings)


def test_outcomes_that_can_be_read_in_two_ways_are_refused() -> None:
    with pytest.raises(AmbiguousInputError, match="outcome 'a' may be a name or a word for the side that won"):
        PairedComparisons.from_duels(pd.DataFrame({"a": ["x"], "b": ["a"], "outcome": ["a"]}))
    numbers = pd.DataFrame({"a": [2, 1], "b": [1, 3], "outcome": [1, 1]})
    assert PairedComparisons.from_duels(numbers).totals()["wins"].to_dict() == {"1": 1.0, "2": 1.0, "3": 0.0}
    assert PairedComparisons.from_duels(numbers.assign(outcome=[1, 3])).totals()["wins"].to_dict()["3"] == 1
    arena = pd.DataFrame({"model_a": ["g", "h"], "model_b": ["h", "g"], "winner": ["model_a", "model_b"]})
    read = PairedComparisons.from_duels(arena, a="model_a", b="model_b", outcome="winner")
    assert read.totals()["wins"].to_dict() == {"g": 2.0, "h": 0.0}


@pytest.mark.parametrize("seed", [7, 13])
def test_of_covariates_that_say_the_same_the_first_splits(seed: int) -> None:
    """Rounding makes their statistics differ in the last digits."""
    table, frame, *_ = random_data(seed)
    x = frame["few"] + 0.1 * frame["number"]
    same = pd.DataFrame({"z": x, "y": -x, "x": 3 * x + 0.1, "w": np.exp(x)})
    for names in (["z", "y", "x", "w"], ["w", "x", "y", "z"], ["y", "w", "z", "x"]):
        tree = podium.bradley_terry_tree(PairedComparisons.from_frame(table), same[names], min_size=10)
        used = {node.split.variable for node in tree.nodes if node.split is not None}
        assert used == {names[0]}


def test_objects_of_the_same_worth_are_ordered_by_name() -> None:
    """The fit leaves rounding errors between them."""
    names = ["d", "b", "a", "c", "e"]
    rows = [(one, two, 1.0) for one in names for two in names if one != two]
    rows += [(one, "e", 1.0) for one in "abcd"] * 3
    model = podium.bradley_terry(PairedComparisons.from_duels(pd.DataFrame(rows, columns=["a", "b", "outcome"])))
    assert model.frame().index.tolist() == ["a", "b", "c", "d", "e"]
    assert model.compare().algorithms == ("a", "b", "c", "d", "e")
    assert podium.plot.figures.worths(model).algorithms == ("a", "b", "c", "d", "e")
