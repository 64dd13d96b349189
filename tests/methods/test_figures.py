"""Critical difference diagrams, letters, p-value tables and multi-comparison matrices: their numbers and drawings."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.analysis.compare import compare
from podium.errors import InputError
from podium.plot.figures import critical_difference, letters, multi_comparison, pvalues
from podium.results import Results
from slow_laws import few_examples


@pytest.fixture(autouse=True)
def no_open_figures():
    yield
    plt.close("all")


def some_results(seed: int, k: int, n: int, spread: float) -> Results:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, k)) + np.linspace(0, spread, k), 1)
    return podium.read(values, labels={"replication": None, "algorithm": [f"a{i}" for i in range(k)]}, measure="error")


@given(
    st.integers(0, 1000), st.integers(3, 9), st.sampled_from(["nemenyi", "wnmt", "wilcoxon", "sign"]), st.floats(0, 4)
)
@few_examples()
def test_bars_join_exactly_what_does_not_differ(seed: int, k: int, method: str, spread: float) -> None:
    comparison = compare(some_results(seed, k, 15, spread), method=method)
    numbers = critical_difference(comparison)
    drawn = {pair for bar in numbers.bars for pair in combinations(bar.members, 2)}
    alike = set()
    for i, j in combinations(range(k), 2):
        pair = comparison.pair(numbers.algorithms[i], numbers.algorithms[j])
        if pair["decision"] != "better" and pair["decision"] != "worse":
            alike.add((i, j))
    assert drawn == alike  # nothing rejected inside a bar, nothing left out, equal ranks joined
    for bar in numbers.bars:
        between = (numbers.positions >= bar.low) & (numbers.positions <= bar.high)
        if bar.unbroken:
            ties = {i for i in np.flatnonzero(between) if i not in bar.members}
            assert all(numbers.positions[i] in (bar.low, bar.high) for i in ties)
    for one, two in combinations(numbers.bars, 2):
        if one.line == two.line:
            assert one.high < two.low or two.high < one.low
        assert not set(one.members) <= set(two.members)


def test_letters_agree_with_the_bars(ulas: Results) -> None:
    comparison = compare(ulas, method="wilcoxon")
    display = letters(comparison)
    for (i, one), (j, two) in combinations(enumerate(display.letters), 2):
        pair = comparison.pair(display.algorithms[i], display.algorithms[j])
        assert bool(set(one) & set(two)) == (pair["decision"] == "undecided")
    assert display.frame().shape == (8, 2)


def test_numbers_of_ulas(ulas: Results) -> None:
    numbers = critical_difference(compare(ulas, method="nemenyi"))
    assert numbers.algorithms == ("svr", "svl", "mlp", "lnp", "sv2", "5nn", "c45", "mdt")
    assert [bar.members for bar in numbers.bars] == [(0, 1), (1, 2), (2, 3, 4, 5, 6, 7)]
    assert [bar.line for bar in numbers.bars] == [0, 1, 0]
    assert (numbers.start, numbers.end) == (1.0, 8.0)
    assert json.loads(numbers.to_json())["critical_difference"] == pytest.approx(1.7032, abs=5e-5)


def test_against_a_control(ulas: Results) -> None:
    numbers = critical_difference(compare(ulas, method="bonferroni-dunn", control="mlp"))
    assert numbers.control == "mlp"
    assert [a for a, d in zip(numbers.algorithms, numbers.different, strict=True) if d] == ["svr", "svl"]
    assert len(numbers.bars) == 1
    assert numbers.letters == ()


def test_places_without_ranks(ulas: Results) -> None:
    comparison = compare(ulas, method="t")
    bare = comparison.replace(mean_ranks=None)
    numbers = critical_difference(bare)
    assert not numbers.ranks
    assert numbers.estimand == "mean"
    assert numbers.critical_difference is None
    means = dict(zip(comparison.algorithms, comparison.means, strict=True))
    assert numbers.algorithms == tuple(sorted(means, key=lambda a: -means[a]))


def test_untested_pairs_are_not_joined(table: Callable[..., Results]) -> None:
    values = np.random.default_rng(0).random((10, 3))
    values[5:, 0], values[:6, 2] = np.nan, np.nan
    comparison = compare(table(values), method="sign", missing="available")
    assert comparison.pair("a0", "a2").isna()["adjusted"]
    assert comparison.order == ()
    with pytest.raises(InputError, match="needs an order"):
        critical_difference(comparison)
    assert pvalues(comparison).decisions.tolist().count("") == 0
    assert ("a0", "a1", "a2") not in comparison.groups()


def test_p_values_are_ordered_and_signed(monks3: Results) -> None:
    numbers = pvalues(compare(monks3, method="wnmt"))
    assert numbers.algorithms[0] == "svm"
    assert numbers.decisions[0].tolist() == ["", "undecided", "better", "better", "better", "better"]
    assert numbers.decisions[2, 0] == "worse"
    assert np.isnan(np.diag(numbers.matrix)).all()
    np.testing.assert_array_equal(numbers.matrix, numbers.matrix.T)


def test_multi_comparison_counts(ulas: Results) -> None:
    comparison = compare(ulas, method="wilcoxon")
    numbers = multi_comparison(comparison)
    off = ~np.eye(8, dtype=bool)
    assert ((numbers.wins + numbers.ties + numbers.losses)[off] == 38).all()
    np.testing.assert_allclose(numbers.difference, -numbers.difference.T)
    assert (numbers.losses == numbers.wins.T).all()
    again = multi_comparison(comparison.replace(wins=None), ulas)
    np.testing.assert_array_equal(again.wins, numbers.wins)
    np.testing.assert_allclose(again.means, numbers.means)
    with pytest.raises(InputError, match="does not count how often each algorithm was better"):
        multi_comparison(comparison.replace(wins=None))


# Drawings


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize(("sides", "k"), [("two", 2), ("two", 100), ("one", 2), ("one", 60)])
def test_any_number_of_algorithms(k: int, sides: str) -> None:
    ax = podium.plot.critical_difference(
        compare(some_results(0, k, 12, 2.0), method="nemenyi", omnibus=False), sides=sides
    )
    labels = [text for text in texts(ax) if "CD" not in text]
    assert len(labels) == k
    assert all(len(label.split()[0 if label.startswith(" ") else 1].split(".")[1]) == 2 for label in labels)
    ax.get_figure().draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))
    inside = ax.get_figure().bbox
    assert all(inside.x0 <= box.x0 and box.x1 <= inside.x1 for box in boxes)


def test_figures_can_be_imported_before_plots_and_both_without_scikit_learn(
    run_python: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    """`podium.plot.figures` is documented; it must not depend on whether `podium.plot` was used before."""
    code = (
        "import sys\n"
        "for name in [name for name in sys.modules if name.partition('.')[0] == 'sklearn']: del sys.modules[name]\n"
        "import podium; print(podium.plot.figures.letters.__name__, podium.plot.archetype_scree.__name__)\n"
        "podium.plot.figures.stability_curve; print('sklearn' in sys.modules)"
    )
    ended = run_python(code)
    assert ended.stdout == "letters archetype_scree\nFalse\n", ended.stderr
