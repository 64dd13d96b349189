"""The tuning rules: what a fit chooses, against a search by hand; and that only the seed decides."""

from __future__ import annotations

import pickle
import warnings
from itertools import product
from math import isqrt, log

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from podium.design.algorithm import Algorithm
from podium.design.candidates import CANDIDATES, candidates, named_candidate
from podium.design.candidates.c45 import PessimisticTree
from podium.design.candidates.candidate import folds, one_hot, splits
from podium.design.candidates.knn import NearestNeighbourClassifier, NearestNeighbourRegressor
from podium.design.candidates.lnp import LinearPerceptron
from podium.design.candidates.mdt import MultivariateTree
from podium.design.candidates.mlp import MultilayerPerceptron, random_layers, train_epoch
from podium.design.candidates.nnet import NetworkClassifier, NetworkRegressor
from podium.design.candidates.rpart import ClassificationTree
from podium.design.candidates.svl import LinearMachine
from podium.design.candidates.svm import RadialClassifier
from podium.design.candidates.tree import (
    LEAF,
    Tree,
    collapse_points,
    complexities,
    flat,
    one_standard_error,
    pessimistic,
)
from podium.design.dataset import Dataset
from podium.errors import InputError, LabelError
from slow_laws import few_examples


def problem(n: int, seed: int = 0, noise: float = 0.6) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = (X[:, 0] + X[:, 1] ** 2 + noise * rng.normal(size=n) > 0.8).astype(int)
    return pd.DataFrame(X, columns=list("abcd")), y


def scaled(X: pd.DataFrame) -> np.ndarray:
    return ((X - X.mean()) / X.std(ddof=0)).to_numpy()


# Folds


@given(st.integers(1, 60), st.integers(2, 12), st.integers(1, 4), st.booleans(), st.integers(0, 2**32 - 1))
def test_folds_are_equal_stratified_and_keep_copies_together(n, k, classes, copies, seed) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, n, n) if copies else np.arange(n)
    codes = rng.integers(0, classes, n)[rows]
    fold = folds(n, k, rng, codes=codes, rows=rows)
    assert pd.Series(fold).groupby(rows).nunique().max() == 1
    units = pd.DataFrame({"row": rows, "fold": fold, "code": codes}).drop_duplicates("row")
    sizes = np.bincount(units["fold"], minlength=min(k, len(units)))
    assert sizes.max() - sizes.min() <= 1
    table = pd.crosstab(units["code"], units["fold"]).reindex(columns=range(len(sizes)), fill_value=0)
    assert (table.max(axis=1) - table.min(axis=1)).max() <= 1
    held = [held for _, held in splits(fold)]
    assert np.array_equal(np.sum(held, axis=0), np.ones(n)) if len(units) > 1 else held == []


def test_the_rows_of_a_sample_reach_the_candidate() -> None:
    X, y = problem(30)
    rows = np.array([3, 3, 5, 8, 8, 8, 13])
    learn = Dataset(name="toy", X=X, y=pd.Series(y)).take(rows)
    model = Algorithm.named("knn").make(learn, 1)
    assert np.array_equal(model.rows, rows)
    assert model.fit(learn.X, learn.y).rows is None  # no part of the fitted model


# Nearest neighbours


def test_k_is_the_best_of_cross_validation_up_to_the_root_of_n() -> None:
    X, y = problem(90)
    model = NearestNeighbourClassifier(seed=4).fit(X, y)
    Z, fold = scaled(X), folds(90, 10, model.rng("folds"), codes=y)
    errors = []
    for k in range(1, isqrt(90) + 1):
        wrong = 0
        for learn, held in splits(fold):
            reference = KNeighborsClassifier(k).fit(Z[learn], y[learn])
            nearest = y[learn][reference.kneighbors(Z[held])[1]]
            wrong += sum(_vote(near) != truth for near, truth in zip(nearest, y[held], strict=True))
        errors.append(wrong)
    assert model.tuned == {"k": int(np.argmin(errors)) + 1}
    assert len(set(errors)) > 3


def _vote(nearest: np.ndarray) -> int:
    """The majority; if both classes have as many votes, the one that leads on average among 1, 2, ... neighbours."""
    share = np.cumsum(nearest) / np.arange(1, len(nearest) + 1)
    return int(share[-1] > 0.5) if share[-1] != 0.5 else int(share.mean() > 0.5)


def test_all_neighbours_at_the_same_distance_count() -> None:
    # 2 is as far from 1 as from 3; the votes of both count from the first neighbour on
    X, y = pd.DataFrame({"x": [1.0, 3.0, 9.0]}), np.array(["a", "b", "b"])
    model = NearestNeighbourClassifier(k=1).fit(X, y)
    share = model.predict_proba(pd.DataFrame({"x": [2.0, 1.0]}))
    np.testing.assert_allclose(share, [[0.5, 0.5], [1.0, 0.0]])
    assert list(model.predict(pd.DataFrame({"x": [2.0, 1.0]}))) == ["b", "a"]  # of equal votes, the commoner class


@few_examples()
@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_the_order_of_the_learning_sample_does_not_matter(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({name: rng.choice(list("uvw"), 40) for name in "abc"})  # full of equal distances
    y, order = rng.integers(0, 2, 40), rng.permutation(40)
    y[:2] = [0, 1]
    first = NearestNeighbourClassifier(k=k).fit(X, y).predict_proba(X)
    second = NearestNeighbourClassifier(k=k).fit(X.iloc[order], y[order]).predict_proba(X)
    np.testing.assert_allclose(first, second, atol=1e-12)


def test_k_for_regression_is_the_best_of_cross_validation() -> None:
    X, _ = problem(80)
    y = (X["a"] + np.random.default_rng(1).normal(size=80)).to_numpy()
    model = NearestNeighbourRegressor(seed=4).fit(X, y)
    Z, fold = scaled(X), folds(80, 10, model.rng("folds"))
    errors = [
        sum(
            ((KNeighborsRegressor(k).fit(Z[learn], y[learn]).predict(Z[held]) - y[held]) ** 2).sum()
            for learn, held in splits(fold)
        )
        for k in range(1, isqrt(80) + 1)
    ]
    assert model.tuned == {"k": int(np.argmin(errors)) + 1}


def test_copies_of_an_observation_do_not_mislead_the_choice_of_k() -> None:
    # In a bootstrap sample of pure noise one neighbour is perfect, if copies are held out singly.
    rng = np.random.default_rng(8)
    rows = rng.integers(0, 200, 200)
    X, y = pd.DataFrame(rng.normal(size=(200, 5))), rng.integers(0, 2, 200)
    X, y = X.iloc[rows].reset_index(drop=True), y[rows]
    assert NearestNeighbourClassifier(seed=1).fit(X, y).tuned["k"] == 1
    assert NearestNeighbourClassifier(seed=1, rows=rows).fit(X, y).tuned["k"] > 1


def test_five_neighbours_vote() -> None:
    X, y = problem(70)
    asked, _ = problem(40, seed=5)
    model = named_candidate("5nn").model("classification", {}).fit(X, y)
    Q = ((asked - X.mean()) / X.std(ddof=0)).to_numpy()
    reference = KNeighborsClassifier(5).fit(scaled(X), y)
    assert np.array_equal(model.predict(asked), reference.predict(Q))
    np.testing.assert_allclose(model.predict_proba(asked), reference.predict_proba(Q))


# Trees


@pytest.mark.parametrize("seed", range(4))
def test_collapse_points_are_those_of_scikit_learn_when_the_risk_is_the_impurity(seed: int) -> None:
    X, y = problem(150, seed)
    grown = DecisionTreeClassifier(min_samples_leaf=3, random_state=0).fit(X, y)
    tree = flat(grown)
    point = collapse_points(tree, tree.impurity * tree.size / tree.size[0])
    path = grown.cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(complexities(point), np.unique(np.round(path.ccp_alphas, 12)), atol=1e-10)


@given(st.integers(0, 2**32 - 1), st.floats(0, 0.2))
def test_the_pruned_tree_minimises_risk_plus_complexity(seed: int, alpha: float) -> None:
    # Breiman et al. (1984), sec. 3.3: against all pruned subtrees, listed one by one
    X, y = problem(60, seed % 1000)
    tree = flat(DecisionTreeClassifier(max_depth=3, random_state=seed).fit(X, y))
    risk = (tree.size - tree.value.max(axis=1)) / tree.size[0]
    point = collapse_points(tree, risk)
    pruned = tree.pruned(point <= alpha)
    kept = (pruned.size - pruned.value.max(axis=1))[pruned.left == LEAF].sum() / tree.size[0]
    best = min(total + alpha * leaves for total, leaves in _subtrees(tree, risk, 0))
    assert kept + alpha * pruned.leaves == pytest.approx(best, abs=1e-9)


def _subtrees(tree: Tree, risk: np.ndarray, node: int) -> list[tuple[float, int]]:
    """Risk and leaves of every pruned subtree below a node."""
    alone = [(float(risk[node]), 1)]
    if tree.left[node] == LEAF:
        return alone
    sides = (_subtrees(tree, risk, int(tree.left[node])), _subtrees(tree, risk, int(tree.right[node])))
    return alone + [(a + b, m + n) for (a, m), (b, n) in product(*sides)]


def test_the_one_standard_error_rule_by_hand() -> None:
    # 200 cases, errors 22, 20, 24, 26, 60: the smallest is 0.1 with standard error √(0.1·0.9/200) = 0.0212, so that
    # 0.12 is allowed and 0.13 is not
    losses = np.array([[1.0] * wrong + [0.0] * (200 - wrong) for wrong in (22, 20, 24, 26, 60)])
    assert one_standard_error(losses) == 2
    assert one_standard_error(losses[:2]) == 1
    assert one_standard_error(np.zeros((3, 50))) == 2


def test_the_tree_is_pruned_by_the_one_standard_error_rule() -> None:
    # The whole rule once more, by refitting scikit-learn's trees and pruning them with another algorithm
    X, y = problem(160, seed=2)
    model = ClassificationTree(seed=3, min_split=6, min_leaf=3).fit(X, y)
    settings = {"min_samples_split": 6, "min_samples_leaf": 3, "random_state": model.random_state("ties")}
    full = flat(DecisionTreeClassifier(**settings).fit(X, y))
    alphas = complexities(collapse_points(full, model.risks(full)))
    fold = folds(160, 10, model.rng("folds"), codes=y)
    wrong = np.zeros((len(alphas), 160))
    for learn, held in splits(fold):
        tree = flat(DecisionTreeClassifier(**settings).fit(X[learn], y[learn]))
        for i, beta in enumerate([*np.sqrt(alphas[:-1] * alphas[1:]), np.inf]):
            cut = _smallest_optimal(tree, model.risks(tree), beta, 0)[2]
            collapsed = np.isin(np.arange(len(tree.left)), cut)
            pruned = tree.pruned(collapsed)
            leaves = pruned.apply(X[held].to_numpy().astype(np.float32).astype(float))
            wrong[i, held] = pruned.value.argmax(axis=1)[leaves] != y[held]
    share = wrong.mean(axis=1)
    error = np.sqrt(share.min() * (1 - share.min()) / 160)
    chosen = max(i for i in range(len(alphas)) if share[i] <= share.min() + error)
    assert len(alphas) > 5
    assert 0 < chosen < len(alphas) - 1
    assert model.tuned["alpha"] == pytest.approx(alphas[chosen])


def _smallest_optimal(tree: Tree, risk: np.ndarray, alpha: float, node: int) -> tuple[float, int, list[int]]:
    """Cost, leaves and collapsed nodes of the smallest optimal subtree, by recursion from the leaves."""
    if alpha == np.inf:
        return risk[node], 1, [node]
    if tree.left[node] == LEAF:
        return risk[node] + alpha, 1, []
    a, b = (_smallest_optimal(tree, risk, alpha, int(child[node])) for child in (tree.left, tree.right))
    if risk[node] + alpha <= a[0] + b[0] + 1e-12:
        return risk[node] + alpha, 1, [node]
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def test_the_unpruned_tree_predicts_as_scikit_learn_does() -> None:
    X, y = problem(120, seed=1)
    X.loc[::7, "a"] = np.nan
    asked, _ = problem(60, seed=9)
    asked.loc[::5, "b"] = np.nan
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    tree = flat(grown)
    leaves = tree.apply(asked.to_numpy().astype(np.float32).astype(float))
    assert np.array_equal(leaves, grown.apply(asked))
    assert np.array_equal(tree.value[leaves].argmax(axis=1), grown.predict(asked))


def test_pessimistic_pruning_by_hand() -> None:
    # A root with 6 + 9 + 1 pure cases below it, as on p. 42 of Quinlan (1993), where all but one are of one class:
    # 16 U(1, 16) = 2.55 errors as a leaf, 6 U(0, 6) + 9 U(0, 9) + 1 U(0, 1) = 3.27 as a tree
    tree = _tree(
        left=[1, LEAF, 3, LEAF, LEAF],
        right=[2, LEAF, 4, LEAF, LEAF],
        value=[[15, 1], [6, 0], [9, 1], [9, 0], [0, 1]],
    )
    assert pessimistic(tree, 0.25)[0]
    kept = _tree(left=[1, LEAF, LEAF], right=[2, LEAF, LEAF], value=[[10, 10], [10, 0], [0, 10]])
    assert not pessimistic(kept, 0.25).any()


def _tree(left: list[int], right: list[int], value: list[list[int]]) -> Tree:
    counts = np.array(value, dtype=float)
    nodes = len(left)
    return Tree(
        left=np.array(left),
        right=np.array(right),
        attribute=np.zeros(nodes, dtype=int),
        threshold=np.zeros(nodes),
        missing_left=np.zeros(nodes, dtype=bool),
        value=counts,
        size=counts.sum(axis=1),
        impurity=np.zeros(nodes),
    )


def test_smaller_confidence_prunes_more() -> None:
    X, y = problem(200, noise=1.2)
    leaves = [PessimisticTree(confidence=c).fit(X, y).tuned["leaves"] for c in (0.5, 0.25, 0.05, 1e-6)]
    assert leaves == sorted(leaves, reverse=True)
    assert leaves[0] > leaves[-1]


def test_trees_find_sets_of_levels_in_one_split() -> None:
    rng = np.random.default_rng(0)
    level = rng.choice(list("abcdefgh"), 300)
    X, y = pd.DataFrame({"level": level}), np.isin(level, ["a", "d", "e", "h"]).astype(int)
    for model in (ClassificationTree(), PessimisticTree()):
        assert model.fit(X, y).tuned["leaves"] == 2
        assert (model.predict(X) == y).all()


def test_a_multivariate_tree_splits_along_an_oblique_line_at_once() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(200, 2)))
    y = (X[0] + X[1] > 0).astype(int).to_numpy()
    oblique, upright = MultivariateTree().fit(X, y), PessimisticTree().fit(X, y)
    assert oblique.tuned["leaves"] <= 4 < upright.tuned["leaves"]
    assert (oblique.predict(X) != y).mean() < 0.02


# Support vector machines


def brute_force(model, Z: np.ndarray, y: np.ndarray, grams) -> tuple[int, int]:
    fold = folds(len(y), model.folds, model.rng("folds"), codes=y)
    costs, _ = model.grid()
    errors = np.array(
        [
            [
                sum(
                    (
                        SVC(C=cost, kernel="precomputed").fit(K[np.ix_(a, a)], y[a]).predict(K[np.ix_(b, a)]) != y[b]
                    ).sum()
                    for a, b in splits(fold)
                )
                for K in grams
            ]
            for cost in costs
        ]
    )
    return np.unravel_index(errors.argmin(), errors.shape)


def test_cost_and_width_are_the_best_of_the_whole_grid() -> None:
    X, y = problem(70, seed=3)
    model = RadialClassifier(seed=2, step=5, folds=4).fit(X, y)
    costs, widths = model.grid()
    np.testing.assert_allclose(np.log2(costs), [-5, 0, 5, 10])
    np.testing.assert_allclose(np.log2(widths), [-10, -5, 0, 5])
    Z = scaled(X)
    distance = ((Z[:, None] - Z[None]) ** 2).sum(axis=2)
    at = brute_force(model, Z, y, [np.exp(-width * distance) for width in widths])
    assert model.tuned == {"C": costs[at[0]], "gamma": widths[at[1]]}


def test_the_linear_machine_searches_costs_only() -> None:
    X, y = problem(60, seed=1)
    model = LinearMachine(seed=2, costs=(-5, 1)).fit(X, y)
    Z = scaled(X)
    at = brute_force(model, Z, y, [Z @ Z.T])
    assert model.tuned == {"C": pytest.approx(10.0 ** (-5 + 2 * at[0]))}


@pytest.mark.parametrize(("name", "kernel"), [("svl", {"kernel": "linear"}), ("sv2", {"kernel": "poly", "degree": 2})])
def test_kernels_are_those_of_libsvm(name: str, kernel: dict) -> None:
    X, y = problem(80, seed=4)
    asked, _ = problem(50, seed=6)
    model = named_candidate(name).model("classification", {"costs": (-1, -1)}).fit(X, y)
    reference = SVC(C=0.1, gamma=1 / 4, coef0=1.0, **kernel).fit(scaled(X), y)
    assert np.array_equal(model.predict(asked), reference.predict(((asked - X.mean()) / X.std(ddof=0)).to_numpy()))


def test_large_samples_are_tuned_without_a_kernel_matrix_and_come_out_the_same(monkeypatch) -> None:
    X, y = problem(70, seed=3)
    whole = RadialClassifier(seed=2, step=5, folds=3).fit(X, y)
    monkeypatch.setattr("podium.design.candidates.svm.MATRIX_ROWS", 0)
    parts = RadialClassifier(seed=2, step=5, folds=3).fit(X, y)
    assert parts.tuned == whole.tuned
    np.testing.assert_allclose(parts.predict_proba(X), whole.predict_proba(X), atol=1e-6)


def test_probabilities_of_a_machine_are_calibrated() -> None:
    # Of a fair coin the probabilities stay near one half, however far the margin; of a clear case they are near 0 and 1
    rng = np.random.default_rng(1)
    X, noise = pd.DataFrame(rng.normal(size=(200, 2))), rng.integers(0, 2, 200)
    share = RadialClassifier(costs=(0, 5), widths=(-5, 0), step=5, folds=5).fit(X, noise).predict_proba(X)
    assert np.abs(share - 0.5).max() < 0.25
    clear = (X[0] > 0).astype(int).to_numpy()
    share = RadialClassifier(costs=(0, 5), widths=(-5, 0), step=5, folds=5).fit(X, clear).predict_proba(X)
    assert share[np.arange(200), clear].mean() > 0.9


# Networks


def test_hidden_units_are_the_best_of_cross_validation_up_to_log_n() -> None:
    X, y = problem(60, seed=1)
    model = NetworkClassifier(seed=5, repeats=1, folds=3, steps=20).fit(X, y)
    fold = folds(60, 3, model.rng("folds"), codes=y)
    Z, errors = scaled(X), []
    for hidden in range(1, int(log(60)) + 1):
        wrong = 0
        for number, (learn, held) in enumerate(splits(fold)):
            network = MLPClassifier(
                (hidden,),
                activation="logistic",
                solver="lbfgs",
                alpha=0.0,
                max_iter=20,
                tol=1e-6,
                random_state=model.random_state("weights", hidden, "fold", number, 0),
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wrong += (network.fit(Z[learn], y[learn]).predict(Z[held]) != y[held]).sum()
        errors.append(wrong)
    assert len(errors) == 4
    assert model.tuned == {"hidden": int(np.argmin(errors)) + 1}


@pytest.mark.parametrize("kind", [NetworkClassifier, NetworkRegressor])
def test_the_best_of_several_fits_is_kept(kind) -> None:
    X, y = problem(80)
    single = kind(hidden=3, repeats=1, steps=30)
    losses = []
    for number in range(3):
        single.random_state = lambda *purpose, number=number: kind().random_state(*purpose[:-1], number)
        losses.append(single.fit(X, y).network.loss_)
    assert kind(hidden=3, repeats=3, steps=30).fit(X, y).network.loss_ == min(losses)
    assert len(set(np.round(losses, 6))) > 1


def test_decay_is_the_penalty_on_the_squared_weights() -> None:
    # the loss is the mean cross-entropy plus decay times the sum of squares over n
    X, y = problem(80)
    model = NetworkClassifier(hidden=2, repeats=1, decay=0.5).fit(X, y)
    likely = np.take_along_axis(model.predict_proba(X), y[:, None], axis=1)
    squares = sum((weights**2).sum() for weights in model.network.coefs_)
    assert model.network.loss_ == pytest.approx(-np.log(likely).mean() + 0.5 * squares / 80)


def test_perceptrons_have_the_layout_of_the_report() -> None:
    # Ulaş, Yıldız & Alpaydın (2008), sec. 4.1.2: (D + K)/2 hidden units with D inputs and K classes
    X, _ = problem(30)
    y = np.arange(30) % 3
    multilayer, linear = MultilayerPerceptron(epochs=1).fit(X, y), LinearPerceptron(epochs=1).fit(X, y)
    assert [layer.shape for layer in multilayer.layers] == [(4 + 1, 3), (3 + 1, 3)]
    assert multilayer.tuned == {"hidden": 3}
    assert [layer.shape for layer in linear.layers] == [(4 + 1, 3)]


@pytest.mark.parametrize("hidden", [0, 3])
def test_online_training_is_that_of_scikit_learn(hidden: int) -> None:
    # MLPClassifier with one observation per batch, from the same weights and in the same order
    X, _ = problem(30)
    Z, y, order = X.to_numpy(), np.arange(30) % 3, np.random.default_rng(1).permutation(30)
    layers = random_layers(4, hidden, 3, np.random.default_rng(2))
    settings = {"activation": "tanh", "solver": "sgd", "batch_size": 1, "momentum": 0.0, "alpha": 0.0, "shuffle": False}
    network = MLPClassifier(
        (hidden,) if hidden else (), learning_rate_init=0.1, max_iter=1, warm_start=True, **settings
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network.fit(Z, y)  # only for the shapes; the weights are replaced
        network.coefs_ = [layer[:-1].copy() for layer in layers]
        network.intercepts_ = [layer[-1].copy() for layer in layers]
        network.partial_fit(Z[order], y[order])
    train_epoch(layers, Z, one_hot(y, 3), order, 0.1)
    for layer, weights, constant in zip(layers, network.coefs_, network.intercepts_, strict=True):
        np.testing.assert_allclose(layer, np.vstack([weights, constant]), atol=1e-10)


def test_a_perceptron_trained_long_finds_the_logistic_regression() -> None:
    from sklearn.linear_model import LogisticRegression

    X, y = problem(60)
    model = LinearPerceptron(epochs=300, rate=0.05, slower=0.98).fit(X, y)
    reference = LogisticRegression(C=1e10).fit(scaled(X), y)
    np.testing.assert_allclose(model.predict_proba(X), reference.predict_proba(scaled(X)), atol=0.02)


# All of them

SLOW = {
    "rf": {"trees": 10},
    "rpart": {"folds": 3},
    "svm": {"step": 5, "folds": 2},
    "nnet": {"repeats": 1, "folds": 2, "steps": 20},
    "mlp": {"epochs": 5},
}
VARIANTS = {"5nn", "lnp", "svl", "sv2", "svr"}  # other settings of a candidate that is tried


@pytest.mark.parametrize("name", [name for name in CANDIDATES if name not in VARIANTS])
def test_the_seed_decides_and_nothing_else(name: str) -> None:
    task = next(iter(CANDIDATES[name].models))
    X, y = problem(60)
    X = X[["a"]] if name in ("spl", "loess") else X
    model = CANDIDATES[name].model(task, SLOW.get(name, {}))
    model.seed = 17
    np.random.seed(1)  # noqa: NPY002, the global state must not matter
    first = pickle.loads(pickle.dumps(model)).fit(X, y)
    np.random.seed(2)  # noqa: NPY002
    second = pickle.loads(pickle.dumps(model)).fit(X, y)
    assert first.tuned == second.tuned
    answer = "predict_proba" if task == "classification" else "predict"
    assert np.array_equal(getattr(first, answer)(X), getattr(second, answer)(X))
    sent = pickle.loads(pickle.dumps(first))
    assert np.array_equal(getattr(sent, answer)(X), getattr(first, answer)(X))


def test_the_list_of_candidates() -> None:
    listed = candidates()
    assert list(listed.index) == list(CANDIDATES)
    assert listed.loc["5nn", "parameters"] == "k=5, folds=10"


def test_a_candidate_or_a_parameter_for_another_task_is_refused() -> None:
    with pytest.raises(
        InputError, match=r"^The candidate 'lda' is not for regression\. Candidates for regression are "
    ):
        named_candidate("lda").model("regression", {})
    with pytest.raises(LabelError, match=r"^The candidate 'svm' for classification has no parameter 'epsilon'\."):
        named_candidate("svm").model("classification", {"epsilon": 0.2})


def test_lengths_must_agree() -> None:
    X, y = problem(10)
    for model, response in ((ClassificationTree(), y[:9]), (ClassificationTree(rows=np.arange(3)), y)):
        with pytest.raises(InputError, match="entries for 10 observations"):
            model.fit(X, response)
