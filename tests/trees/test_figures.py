"""Numbers of the figures of Bradley–Terry models and trees."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import podium


def test_worths_and_intervals_do_not_depend_on_the_baseline() -> None:
    pairs = podium.PairedComparisons.from_results(podium.examples.load_demsar2006())
    model = podium.bradley_terry(pairs)
    one = podium.plot.figures.worths(model)
    two = podium.plot.figures.worths(podium.bradley_terry(pairs, baseline="C4.5"))
    assert one.algorithms == two.algorithms == tuple(model.worth.sort_values(ascending=False).index)
    assert one.estimate == pytest.approx(two.estimate) and one.lower == pytest.approx(two.lower, rel=1e-4)
    assert one.estimate.sum() == pytest.approx(0, abs=1e-12)
    # Three objects: quasi variances are exact, so the intervals of the figure have those of the comparison in them.
    three = podium.bradley_terry(
        podium.PairedComparisons.from_results(
            podium.examples.load_demsar2006().select(algorithm=["C4.5", "C4.5+m", "C4.5+cf"])
        )
    )
    drawn, compared = podium.plot.figures.worths(three), three.compare(adjust="none")
    half = dict(zip(drawn.algorithms, (drawn.upper - drawn.lower) / 2, strict=True))
    for row in compared.frame().itertuples():
        assert np.hypot(half[row.a], half[row.b]) == pytest.approx((row.upper - row.lower) / 2, rel=1e-4)
    duels = pd.DataFrame({"a": ["x", "y", "x"] * 4, "b": ["y", "z", "z"] * 4, "outcome": [1, 1, -1, -1, 1, 0] * 2})
    alone = podium.bradley_terry(podium.PairedComparisons.from_duels(duels))
    drawn = podium.plot.figures.worths(alone)
    expected = 1.959964 * alone.quasi_se[list(drawn.algorithms)].to_numpy()
    assert (drawn.upper - drawn.lower) / 2 == pytest.approx(expected, rel=1e-6)


def test_a_tree_in_rows() -> None:
    rng = np.random.default_rng(0)
    level = np.repeat(["a", "b", "c"], 60)
    wins = rng.random(180) < np.where(level == "b", 0.9, 0.2)
    pairs = podium.PairedComparisons.from_frame(pd.DataFrame({"svm:lda": np.where(wins, 1, -1)}))
    tree = podium.bradley_terry_tree(pairs, pd.DataFrame({"kind": level}), min_size=20)
    numbers = podium.plot.figures.preference_tree(tree)
    assert numbers.parent.tolist() == [-1, 0, 0] and numbers.leaf.tolist() == [False, True, True]
    assert sorted(numbers.condition) == ["", "a, c", "b"] and set(numbers.variable[1:]) == {"kind"}
    assert sorted(numbers.size.tolist()) == [60, 120, 180]
    assert numbers.pvalue[0] == tree.nodes[0].tests.loc["kind", "adjusted"] and np.isnan(numbers.pvalue[1:]).all()
    assert numbers.worth.sum(axis=1) == pytest.approx(1)
    assert json.loads(numbers.to_json())["pvalue"][1] is None
