"""Missing cells do not make an algorithm look better: every output rests on what the algorithms share."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.results.missing import common_blocks
from podium.show.report import Analyses, find_answer

EQUAL = {"new": 1.0, "old": 1.0}  # so that means decide on the order

OUTPUTS = {
    "summary": lambda results, missing: podium.summarize(results, missing=missing).to_numpy().tolist(),
    "orders": lambda results, missing: podium.summaries.orders(results, missing=missing).to_numpy().tolist(),
    "intervals": lambda results, missing: podium.summaries.intervals(results, missing=missing).to_numpy().tolist(),
    "places": lambda results, missing: podium.summaries.places(results, missing=missing).to_numpy().tolist(),
    "worst case": lambda results, missing: podium.summaries.worst_case(results, missing=missing).to_numpy().tolist(),
    "quartiles": lambda results, missing: (
        podium.summaries.quartile_chart(results, missing=missing).frame().to_numpy().tolist()
    ),
    **{
        f"table of {kind}": lambda results, missing, kind=kind: podium.table(results, kind=kind, missing=missing).rows
        for kind in ("wins", "algorithms", "scores", "measures")
    },
    "pairs": lambda results, missing: podium.compare(results, missing=missing).frame().round(12).to_numpy().tolist(),
    "mean ranks": lambda results, missing: podium.table(results, kind="scores", missing=missing).foot,
    "podium wins": lambda results, missing: podium.inference.win_table(results, missing=missing).wins.tolist(),
    "effects": lambda results, missing: podium.compare(results, missing=missing).superiority.tolist(),
    "means": lambda results, missing: podium.compare(results, missing=missing).means.tolist(),
    "order": lambda results, missing: podium.compare(results, missing=missing).order,
    "relations": lambda results, missing: {
        name: str(one) for name, one in podium.relations.preferences(results, missing=missing).items()
    },
    "domain": lambda results, missing: {
        name: str(one) for name, one in podium.domain(results, statistic="mean", missing=missing).relations.items()
    },
    "box": lambda results, missing: podium.plot.figures.box(results, missing=missing).means.tolist(),
    "MultiTest": lambda results, missing: [
        (one.order, one.means.tolist())
        for one in podium.multi2test(results, cost=EQUAL, missing=missing, test="wilcoxon").first.values()
    ],
    "cost and performance": lambda results, missing: podium.plot.figures.cost_tradeoff(
        podium.multi2test(results, cost=EQUAL, missing=missing, test="wilcoxon")
    ).value.tolist(),
    "leaders": lambda results, missing: [
        (one.a, one.b)
        for one in podium.sequential(
            results, stages=2, pair="leaders", missing=missing, intervals=False, kind="group sequential"
        ).pairs
    ],
    "answer": lambda results, missing: [
        getattr(find_answer(Analyses(results, missing=missing)), name)
        for name in ("order", "leaders", "worse", "first_share", "choices")
    ],
}


def failing(datasets: int = 8, replications: int = 6, lacking: float = 0.0) -> podium.Results:
    """`new` is worse by .01 on every split and fails on the hard one, or on some at random; `old` never fails."""
    rng = np.random.default_rng(7)
    old = rng.normal(0.8, 0.02, (datasets, replications))
    old[:, 0] -= 0.3  # the hard split that all data sets have
    new = old - 0.01 + rng.normal(0, 0.001, old.shape)
    new[:, 0] = np.nan
    new[rng.random(old.shape) < lacking] = np.nan
    labels = {"dataset": None, "replication": None, "algorithm": ["old", "new"]}
    return podium.read(np.stack([old, new], axis=2), labels=labels, measure="accuracy")


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("lacking", [0.0, 0.2])
def test_two_algorithms_are_judged_by_the_cells_that_both_have(output: str, lacking: float) -> None:
    results = failing(lacking=lacking)
    available, dropped = (repr(OUTPUTS[output](results, policy)) for policy in ("available", "drop-block"))
    assert available == dropped  # as text, because nan is not nan


def test_the_worse_algorithm_does_not_win_by_failing() -> None:
    results = failing()
    answer = find_answer(Analyses(results))
    assert answer.order == ("old", "new")
    assert answer.first_share == 1
    assert answer.worse == {"new": ("old",)}
    comparison = podium.compare(results, missing="available")
    assert comparison.wins.tolist() == [[0, 8], [0, 0]]
    assert comparison.means[0] - comparison.means[1] == pytest.approx(0.01, abs=0.001)
    explorer = podium.explorer(results.select(dataset=results.datasets[0]))
    assert explorer.payload["datasets"][0]["measures"][0]["counts"][0] == [5, 0]


def test_other_algorithms_do_not_count_in_a_pair() -> None:
    """A third algorithm that fails in other blocks changes the means, which are common, but not the pairs."""
    results = failing()
    rng = np.random.default_rng(1)
    third = results.select(algorithm="old").values.copy() - 0.2
    third[rng.random(third.shape) < 0.3] = np.nan
    labels = {"dataset": results.datasets, "replication": results.replications, "algorithm": ["third"]}
    more = results.combine(podium.read(third[..., 0], labels=labels, measure="accuracy"))
    two, three = (podium.compare(one, missing="available", method="wilcoxon") for one in (results, more))
    pair = ("old", "new")
    assert three.pair(*pair)["estimate"] == two.pair(*pair)["estimate"]
    assert three.superiority_of(*pair) == two.superiority_of(*pair) == 1
    common = common_blocks(more)
    expected = [more.values[m, common[m], :, 0].mean(axis=0) for m in range(len(more.datasets)) if common[m].any()]
    np.testing.assert_allclose(three.means, np.mean(expected, axis=0))


def test_failures_of_blocks_that_few_share_give_no_order() -> None:
    results = failing(lacking=0.6)
    answer = find_answer(Analyses(results))
    assert (answer.order, answer.leaders, answer.first_share) == ((), (), None)
    assert answer.algorithms == ("new", "old")
    assert answer.worse == {"new": ("old",)}  # what the test of the pair shows is still said
    assert not answer.missing.ordered
    assert podium.compare(results, missing="available").order == ()
    assert podium.compare(results, missing="available", method="mixed").order == ("old", "new")
    assert podium.table(results, kind="scores", missing="available").foot == ()
    assert "drop-algorithm" in str(answer.missing) and "mixed" in str(answer.missing)


def test_an_algorithm_without_any_value_takes_part_in_nothing() -> None:
    results = failing().complete(algorithms="broken")
    alone = failing()
    assert Analyses(results).order == Analyses(alone).order
    answer, expected = (find_answer(Analyses(one)) for one in (results, alone))
    assert answer.absent == (("broken", "absent"),)
    assert (answer.order, answer.worse, answer.choices) == (expected.order, expected.worse, expected.choices)
    for name in ("table of wins", "table of algorithms", "table of scores", "table of measures", "podium wins"):
        assert OUTPUTS[name](results, "available") == OUTPUTS[name](alone, "available")
    relation = podium.compare(results, missing="available").relation()
    assert set(relation.algorithms) == {"new", "old"}
    assert podium.compare(results, method="mixed", missing="available").algorithms == ("old", "new")
    assert podium.domain(results, statistic="mean").relation.best == ("old",)
    assert set(podium.PairedComparisons.from_results(results).objects) == {"new", "old"}


def test_an_algorithm_without_any_value_has_no_place_in_orders_by_cost_and_domains() -> None:
    results, alone = failing().complete(algorithms="broken"), failing()
    cost = {"old": 1.0, "new": 2.0, "broken": 3.0}
    found, expected = (podium.multi2test(one, cost=cost, missing="available") for one in (results, alone))
    assert found.order == expected.order == ("old", "new")
    assert found.comparison.pvalue == pytest.approx(expected.comparison.pvalue)
    assert [note.facts["report"].absent for note in found.notes if note.code == "missing"] == [(("broken", "absent"),)]
    domain = podium.domain(results, statistic="mean")
    assert set(domain.frame()["absent"]) == {""} and str(domain).count("broken") == 1
