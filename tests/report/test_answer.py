"""The answer of a report: its facts agree with the comparison, and its sentences with the facts."""

from __future__ import annotations

import numpy as np
import pytest
from report_sources import SOURCES, cube

import podium
from podium.results.missing import CommonBlocks
from podium.show.report import Analyses, Paragraph, Points, find_answer


def sentences(results: podium.Results, **options: object) -> list[str]:
    section = podium.report(results, sections=["answer"], **options).section("answer")
    texts = [block.text for block in section.blocks if isinstance(block, Paragraph)]
    return texts + [item for block in section.blocks if isinstance(block, Points) for item in block.items]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", [(9, 1, 4), (12, 3, 3), (1, 20, 4), (20, 1, 2)])
def test_the_facts_are_those_of_the_comparison(shape: tuple[int, int, int], seed: int) -> None:
    results = cube(*shape, seed=seed)
    answer = find_answer(Analyses(results, None))
    comparison = podium.compare(results, missing="available")
    shown = comparison.frame().query("decision == 'better'")
    assert set(answer.worse) == set(shown["b"])
    for name, better in answer.worse.items():
        assert set(better) == set(shown.loc[shown["b"] == name, "a"])
    assert not set(answer.in_race) & set(shown["b"])
    summary = podium.summarize(results)
    if shape[0] > 1:
        assert list(answer.order) == list(summary.sort_values("mean rank", kind="stable").index)
    else:
        assert list(answer.order) == list(summary.index)
    assert answer.unit == comparison.unit


def test_direction_and_order_of_rows_change_nothing() -> None:
    results = cube(9, 2, 4)
    flipped = podium.read(
        -results.values[..., 0],
        labels={"dataset": results.datasets, "replication": results.replications, "algorithm": results.algorithms},
        measure="loss",
        direction="higher",
    )
    frame = results.to_long().sample(frac=1.0, random_state=3)
    shuffled = podium.read(frame, direction="lower")
    found = find_answer(Analyses(results, None))
    for other in (flipped, shuffled):
        again = find_answer(Analyses(other, None))
        assert again.order == found.order
        assert again.worse == found.worse
        assert again.first_share == pytest.approx(found.first_share, abs=1e-12)


def test_what_to_take_by_cost_and_average() -> None:
    # The constant is the cheapest and the steadiest of the demo, but out of the race.
    results = SOURCES["demo"]()
    answer = find_answer(Analyses(results, None))
    found = {choice.criterion: choice for choice in answer.choices}
    assert "constant" in answer.worse
    assert found["average"].algorithms == ("svm",)
    times = podium.summarize(results, "fit time")["geometric mean"]
    assert times.idxmin() == "constant"
    cheapest = times.drop(index=list(answer.worse)).idxmin()
    assert found["cost"].algorithms == (cheapest,)
    assert found["cost"].value == pytest.approx(times[cheapest])
    assert found["cost"].performance == pytest.approx(podium.summarize(results, "misclassification")["mean"][cheapest])


def test_the_only_one_left_needs_no_further_choice() -> None:
    answer = find_answer(Analyses(SOURCES["costs"](), None))
    assert answer.in_race == ("svm",)
    assert {choice.criterion for choice in answer.choices} == {"average", "worst case"}


def test_stability_is_the_smallest_mean_standard_deviation() -> None:
    results = cube(3, 7, 3)
    values = results.values[..., 0]
    spread = values.std(axis=1, ddof=1).mean(axis=0)
    answer = find_answer(Analyses(results, None))
    assert answer.in_race == results.algorithms
    found = {choice.criterion: choice for choice in answer.choices}
    assert found["stability"].algorithms == (results.algorithms[int(np.argmin(spread))],)


def test_one_data_set_with_overlapping_samples_says_what_it_holds_for() -> None:
    results = SOURCES["one data set"]()
    *_, scope = sentences(results)
    assert scope == "What it holds for: d0 only; it rests on 15 replications."


def test_times_have_geometric_means() -> None:
    values = np.exp(cube(6, 4, 3).values[..., 0])
    labels = {"dataset": list("abcdef"), "replication": [1, 2, 3, 4], "algorithm": ["x", "y", "z"]}
    for results in (
        podium.read(values, labels=labels, measure="fit time", units="s"),
        podium.read(values[:1], labels=labels | {"dataset": ["a"]}, measure="fit time", units="s"),
    ):
        answer = find_answer(Analyses(results))
        average = next(choice for choice in answer.choices if choice.criterion == "average")
        means = np.log(results.values[..., 0]).mean(axis=1).mean(axis=0)
        assert average.algorithms == (results.algorithms[int(np.argmin(means))],)


def test_the_worst_case_is_not_read_from_the_few_blocks_that_are_complete() -> None:
    results = cube(8, 3, 3)
    values = results.values.copy()
    values[1:, :, 2] = np.nan
    found = find_answer(Analyses(results.replace(values=values)))
    assert "worst case" not in {choice.criterion for choice in found.choices}


def test_a_difference_that_does_not_matter_puts_no_one_out_of_the_race() -> None:
    # Steps of 1 with an area of 1.5: neighbours differ significantly, and are equivalent.
    results = cube(12, 1, 3)
    values = 0.1 * np.random.default_rng(1).normal(size=results.values.shape) + np.arange(3.0)[:, None]
    results = results.replace(values=values)
    answer = find_answer(Analyses(results, equivalence=1.5))
    assert answer.worse == {"a2": ("a0",)}


def test_who_is_left_out_is_told() -> None:
    results = cube(6, 1, 3)
    values = results.values.copy()
    values[2, 0, 2] = np.nan
    _, *points = sentences(results.replace(values=values), missing="drop-algorithm")
    assert "Left out by the policy 'drop-algorithm': a2, which lacks a value." in points


def test_pairs_without_a_common_replication_do_not_keep_the_others_from_being_compared() -> None:
    # On the last data set a0 and a1 have different replications: two data sets are left for this pair, one for none.
    values = cube(3, 2, 3).values.copy()
    values[1:, 0, 0] = values[1:, 1, 1] = np.nan
    found = Analyses(cube(3, 2, 3).replace(values=values)).comparison
    assert found.problem is None
    assert found.value.untested.sum() == 1


def test_cells_of_blocks_that_ended_early_are_not_said_to_rank_last() -> None:
    results = cube(4, 2, 3)
    values, reasons = results.values.copy(), results.reasons.copy()
    values[0, :, 2], reasons[0, :, 2] = np.nan, 6  # stopped
    answer = find_answer(Analyses(results.replace(values=values, reasons=reasons)))
    assert answer.ranked_last == 0


def test_why_no_best_mean_is_named() -> None:
    # One algorithm that mostly fails leaves too few blocks in which the others can be compared by their means.
    results = SOURCES["demo"]()
    values = results.values.copy()
    values[:, 1:, results.algorithms.index("lda")] = np.nan
    answer = find_answer(Analyses(results.replace(values=values)))
    assert (answer.order, answer.leaders, answer.first_share) == ((), (), None)
    assert answer.missing.common == CommonBlocks(blocks=6, datasets=6, all_blocks=120, all_datasets=6)
    assert "lda" in answer.algorithms
    assert {one.criterion for one in answer.choices} <= {"cost"}


def test_one_data_set_has_no_shares_of_resamples_that_overlap() -> None:
    """A bootstrap of overlapping replications is far too sure; independent ones have shares, and are tested."""
    source = SOURCES["one data set"]().replace(structure={})
    ones = np.ones(source.design.shape, int)
    sizes = {"n_learn": 150 * ones, "n_test": 55 * ones}  # as of bootstraps: tested, but with overlap
    for structure, tested, share in (({}, False, False), (sizes, True, False), ({"independent": ones}, True, True)):
        answer = find_answer(Analyses(source.replace(structure=structure)))
        assert (answer.tested, answer.first_share is not None, answer.overlap) == (tested, share, False)
