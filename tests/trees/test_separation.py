"""Where the maximum of the likelihood is infinite: against a linear program, and by hand."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import podium
from podium.analysis.trees.likelihood import PairModel
from podium.analysis.trees.separation import separation_of
from podium.errors import InputError


def duels(*rows: tuple[str, str, int, float]) -> podium.PairedComparisons:
    frame = pd.DataFrame(rows, columns=["a", "b", "outcome", "times"])
    return podium.PairedComparisons.from_duels(frame, weights="times")


def unbounded(pairs: PairModel, counts: np.ndarray[Any, Any]) -> bool:
    """Albert & Anderson (1984): is there a direction in which no observed outcome becomes less likely, but one more."""
    size = pairs.objects + 2  # worths, ties, order
    rows = []
    for i, j, seen in zip(pairs.first, pairs.second, counts, strict=True):
        eta = np.zeros((3, size))
        eta[0, i] = eta[0, -1] = eta[1, j] = 1.0
        eta[2, [i, j]] = 0.5
        eta[2, -2] = 1.0
        outcomes = range(3 if pairs.ties else 2)
        rows += [eta[o] - eta[x] for o in outcomes for x in outcomes if seen[o] > 0 and x != o]
    slack = np.array(rows)
    bounds = [(-1, 1)] * pairs.objects + [(-1, 1) if pairs.ties else (0, 0), (-1, 1) if pairs.order_effect else (0, 0)]
    found = linprog(-slack.sum(axis=0), A_ub=-slack, b_ub=np.zeros(len(slack)), bounds=bounds)
    return bool(-found.fun > 1e-7)


@pytest.mark.parametrize("order_effect", [False, True])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_every_infinite_maximum_is_noticed(k: int, order_effect: bool) -> None:
    rng = np.random.default_rng(k)
    seen = set()
    for _ in range(30):
        first, second = (part.ravel() for part in np.meshgrid(np.arange(k), np.arange(k)))
        met = first != second if order_effect else first < second
        first, second = first[met], second[met]
        strength = np.arange(k) * rng.choice([0.0, 1.0])
        often = rng.choice([0.1, 0.3, 0.6]) * np.ones((len(first), 3))
        often[strength[first] < strength[second], 0] = often[strength[first] > strength[second], 1] = 0.02
        counts = (rng.uniform(size=often.shape) < often).astype(float)
        counts[np.arange(len(first)), rng.integers(0, 3)] += counts.sum(axis=1) == 0  # all have met
        model = PairModel(first, second, k, bool(counts[:, 2].any()), order_effect)
        found = separation_of(model, counts)
        assert (found.infinite != "nothing") == unbounded(model, counts)
        assert sorted(np.concatenate(found.groups).tolist()) == list(range(k))
        place = np.empty(k, int)
        for at, group in enumerate(found.groups):
            place[group] = at
        for i, j, (one, two, tie) in zip(first, second, counts, strict=True):
            better, worse = (one, two) if place[i] < place[j] else (two, one)
            if place[i] != place[j]:
                assert not worse and (found.infinite == "ties" or not tie) and better + tie
        seen.add(found.infinite)
    assert len(seen) >= 3


def test_an_object_that_wins_or_ties_but_never_loses() -> None:
    # Firth's penalty by hand: probabilities in proportion to wins + 1/2, ties + 1/2, losses + 1/2 of a saturated table.
    model = podium.bradley_terry(duels(("x", "y", 1, 5), ("x", "y", 0, 5)))
    assert model.probability("x", "y") == pytest.approx({"x": 5.5 / 11.5, "y": 0.5 / 11.5, "tie": 5.5 / 11.5})
    assert (model.infinite, model.separated) == ("ties", (("x",), ("y",)))
    text = "no object of a later group ever won against one of an earlier group: x | y"
    with pytest.raises(InputError, match=re.escape(text)):
        podium.bradley_terry(model.pairs, reduce_bias="never")


def test_all_comparisons_are_ties() -> None:
    model = podium.bradley_terry(duels(("x", "y", 0, 5), ("y", "z", 0, 5)))
    assert np.isfinite(model.nu) and model.worth.tolist() == pytest.approx([1 / 3] * 3)


def test_an_infinite_effect_of_order() -> None:
    home = duels(("x", "y", 1, 3), ("y", "x", 1, 3))
    model = podium.bradley_terry(home, order_effect=True)
    assert model.infinite == "order effect" and model.order_effect == pytest.approx(np.log(3.5 / 0.5))
    with pytest.raises(InputError, match="the effect of order would be infinite"):
        podium.bradley_terry(home, order_effect=True, reduce_bias="never")


def test_an_order_that_the_objects_decide() -> None:
    for pairs in (duels(("x", "y", 1, 3), ("x", "y", -1, 2)), duels(("x", "y", 1, 3), ("y", "z", 0, 2))):
        with pytest.raises(InputError, match="`order_effect` cannot be distinguished from the worths"):
            podium.bradley_terry(pairs, order_effect=True)
    cycle = duels(*[(a, b, o, 2) for a, b in (("x", "y"), ("y", "z"), ("z", "x")) for o in (1, -1)])
    assert podium.bradley_terry(cycle, order_effect=True).order_effect == pytest.approx(0, abs=1e-9)


def test_a_requested_bias_reduction_gives_no_false_reason() -> None:
    pairs = duels(("x", "y", 1, 5), ("x", "y", -1, 5))
    model = podium.bradley_terry(pairs, reduce_bias="always")
    assert "infinite" not in repr(model) + model.compare().text()


def test_ties_that_do_not_count_are_not_ties() -> None:
    model = podium.bradley_terry(duels(("x", "y", 1, 3), ("x", "y", -1, 2), ("x", "y", 0, 0)))
    assert model.nu == 0 and np.isnan(model.nu_se) and not model.bias_reduced
    with pytest.raises(InputError, match="No comparison counts: all weights are 0"):
        podium.bradley_terry(duels(("x", "y", 1, 0)))


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    one, other = (
        podium.bradley_terry(duels(("x", "y", 1, s), ("x", "y", -1, 2 * s), ("x", "y", 0, s))) for s in (1.0, scale)
    )
    assert other.worth.to_numpy() == pytest.approx(one.worth.to_numpy(), rel=1e-8)
    assert other.se["x"] == pytest.approx(one.se["x"] / np.sqrt(scale), rel=1e-6)


@pytest.mark.parametrize("columns", [["x:y"], ["x:y", "x:z", "y:z"]])
def test_nodes_in_which_every_outcome_is_certain_are_not_split(columns: list[str]) -> None:
    # All scores are rounding errors: what varies along the covariate is noise.
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(1, index=range(120), columns=columns)
    covariates = pd.DataFrame({"size": rng.normal(size=120), "kind": rng.choice(list("pqr"), 120)})
    tree = podium.bradley_terry_tree(podium.PairedComparisons.from_frame(frame), covariates, min_size=10)
    assert len(tree.nodes) == 1 and tree.nodes[0].best == "x"
    # A single exception is enough for a test.
    frame.iloc[0] = -1
    tree = podium.bradley_terry_tree(podium.PairedComparisons.from_frame(frame), covariates, min_size=10)
    assert tree.nodes[0].tests["pvalue"].notna().all()
