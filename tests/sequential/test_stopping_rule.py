"""Rules over pairs and measures: pure, the same under other names and directions, and with the error controlled."""

from __future__ import annotations

import numpy as np
import pytest

from podium.analysis.sequential import stopping_rule
from podium.analysis.sequential.stopping_rule import (
    STATES,
    CombinationTestOfStages,
    ConfidenceSequenceTest,
    GroupSequentialTest,
    SequentialTest,
    StoppingRule,
)

SIZES = (12, 12, 12, 12)
TESTS: dict[str, SequentialTest] = {
    "fisher": CombinationTestOfStages(sizes=SIZES),
    "shrinking t": CombinationTestOfStages(sizes=SIZES, rule="shrinking", method="t"),
    "inverse normal": CombinationTestOfStages(sizes=SIZES, combine="inverse normal"),
    "group": GroupSequentialTest(sizes=SIZES),
    "spending": GroupSequentialTest(sizes=SIZES, boundary="pocock spending", method="wilcoxon"),
    "asymptotic": ConfidenceSequenceTest(sizes=SIZES, burn_in=12),
    "betting": ConfidenceSequenceTest(sizes=SIZES, kind="betting", bounds=(-4.0, 6.0)),
}
every = pytest.mark.parametrize("name", TESTS)


def table(seed: int = 0, shifts: tuple[float, ...] = (0.0, 0.1, 1.5, 3.0), measures: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(sum(SIZES), len(shifts), measures)) + np.array(shifts)[:, None]
    return np.clip(values, -4, 6)


def parts(values: np.ndarray) -> list[np.ndarray]:
    return np.split(values, np.cumsum(SIZES)[:-1])


@pytest.mark.parametrize(("name", "racing"), [("fisher", False), ("group", False), *((name, True) for name in TESTS)])
def test_decisions_depend_on_the_data_so_far_only(name: str, racing: bool) -> None:
    rule = StoppingRule(test=TESTS[name], racing=racing, equivalence=(-1.0, 1.0))
    whole = rule.decide(parts(table()))
    for stages in (1, 2, 3):
        early = rule.decide(parts(table())[:stages])
        by_then = whole.stage <= stages
        expected = np.where((whole.stage > 0) & by_then, whole.state, "open")
        assert early.state.tolist() == expected.tolist()
        np.testing.assert_array_equal(early.dropped, np.where(whole.dropped <= stages, whole.dropped, 0))
        np.testing.assert_allclose(early.pvalue, whole.pvalue[:stages])


@every
def test_values_of_algorithms_that_were_dropped_are_not_used(name: str) -> None:
    rule = StoppingRule(test=TESTS[name], racing=True)
    whole = rule.decide(parts(table()))
    gone = table()
    for algorithm, stage in enumerate(whole.dropped):
        if stage:
            gone[np.cumsum(SIZES)[stage - 1] :, algorithm] = np.nan
    again = rule.decide(parts(gone))
    assert again.state.tolist() == whole.state.tolist()
    assert again.stage.tolist() == whole.stage.tolist()
    assert whole.dropped[3] > 0 or name == "betting"


@every
def test_other_orders_and_directions_change_nothing(name: str) -> None:
    rule = StoppingRule(test=TESTS[name], equivalence=(-1.0, 1.0))
    whole = rule.decide(parts(table()))
    negated = StoppingRule(
        test=TESTS[name]
        if name != "betting"
        else ConfidenceSequenceTest(sizes=SIZES, kind="betting", bounds=(-6.0, 4.0)),
        equivalence=(-1.0, 1.0),
    ).decide(parts(-table()), signs=(-1,))
    assert negated.state.tolist() == whole.state.tolist()
    order = [3, 1, 0, 2]
    turned = rule.decide(parts(table()[:, order]))
    states = {}
    for a, b, state in zip(turned.first, turned.second, turned.state, strict=True):
        i, j = order[a], order[b]
        other = {"better": "worse", "worse": "better"}.get(state, state)
        states[min(i, j), max(i, j)] = state if i < j else other
    assert [states[i, j] for i, j in zip(whole.first, whole.second, strict=True)] == whole.state.tolist()


def test_levels_are_those_of_holm() -> None:
    found = StoppingRule(test=TESTS["group"]).decide(parts(table(shifts=(0, 0, 3, 3))))
    different = np.isin(found.state, ("better", "worse"))
    for t in range(1, found.stages):
        before = (different & (found.stage <= t)).sum()
        open_ = ~np.isnan(found.level[t])
        if open_.any():
            assert found.level[t][open_].min() >= 0.05 / (6 - before) - 1e-12
    assert found.level[0][0] == pytest.approx(0.05 / 6) or different.any()


def test_racing_leaves_out_what_is_beaten_and_the_rest_continues() -> None:
    found = StoppingRule(test=TESTS["asymptotic"], racing=True).decide(parts(table(shifts=(0, 0, 5, 5))))
    assert (found.dropped[2:] == 1).all()
    pair = (found.first == 2) & (found.second == 3)
    assert found.state[pair].tolist() == ["left out"]
    assert found.needed.tolist() == [True, True, False, False] or not found.open.any()
    assert found.finished


def test_a_control_is_never_dropped() -> None:
    rule = StoppingRule(test=TESTS["group"], racing=True, control=3)
    found = rule.decide(parts(table()))
    assert found.first.tolist() == [0, 1, 2]
    assert found.dropped[3] == 0
    assert found.state.tolist() == ["better"] * 3


def test_an_algorithm_is_beaten_only_if_it_is_in_every_measure() -> None:
    values = table(measures=2)
    values[:, :, 1] = np.random.default_rng(9).normal(size=values.shape[:2])
    found = StoppingRule(test=TESTS["group"], racing=True).decide(parts(values), signs=(1, 1))
    assert (found.dropped == 0).all()
    assert len(found.first) == 12
    assert np.isin("better", found.state[found.measure == 0])


def test_equivalence_is_a_reason_to_stop() -> None:
    rng = np.random.default_rng(4)
    base = rng.normal(size=(sum(SIZES), 1))
    values = base + 0.05 * rng.normal(size=(sum(SIZES), 2))
    for name in ("fisher", "group", "asymptotic"):
        found = StoppingRule(test=TESTS[name], equivalence=(-0.1, 0.1)).decide(parts(values))
        assert found.state.tolist() == ["equivalent"], name
        assert found.finished
    without = StoppingRule(test=TESTS["group"]).decide(parts(values))
    assert without.state.tolist() == ["open"]


def test_one_side_is_tested_at_the_whole_level() -> None:
    values = table(shifts=(0.0, 0.5))
    one = StoppingRule(test=TESTS["group"], alternative="better").decide(parts(values))
    two = StoppingRule(test=TESTS["group"]).decide(parts(values))
    assert np.nanmax(one.reject[..., 0] / two.reject[..., 0]) > 1.5
    assert np.isnan(one.pvalue[..., 1]).all()


def test_missing_values_leave_the_others() -> None:
    values = table()
    values[3, 0] = values[20:23, 2] = np.nan
    for name, test in TESTS.items():
        found = StoppingRule(test=test).decide(parts(values))
        assert found.state[2] in ("better", "open"), name
    lost = table()
    lost[:, 0] = np.nan
    assert StoppingRule(test=TESTS["fisher"]).decide(parts(lost)).state[0] == "open"


def test_which_stage_can_decide_at_all() -> None:
    """Signed ranks of 3 replications have p-values of at least 1/8, of 5 at least 1/32."""
    tiny = CombinationTestOfStages(sizes=(3, 3), method="wilcoxon")
    assert StoppingRule(test=tiny).earliest(algorithms=4) is None
    assert CombinationTestOfStages(sizes=(5,) * 4).earliest(0.05) == 2
    assert CombinationTestOfStages(sizes=(8,) * 4).earliest(0.05) == 1
    assert ConfidenceSequenceTest(sizes=(10, 10, 10), burn_in=20).earliest(0.05) == 2
    assert ConfidenceSequenceTest(sizes=(2, 30), kind="betting", bounds=(0, 1)).earliest(0.05) == 2
    assert GroupSequentialTest(sizes=(5,) * 5, method="sign").earliest(0.025) == 3


@pytest.mark.parametrize("name", ["fisher", "group", "asymptotic"])
def test_the_error_over_pairs_is_controlled(name: str) -> None:
    """Three equal algorithms and one that differs: any false difference, three standard errors of 5%."""
    rule = StoppingRule(test=TESTS[name], racing=True)
    errors, samples = 0, 60
    for seed in range(samples):
        found = rule.decide(parts(table(1000 + seed, (0.0, 0.0, 0.0, 2.0))))
        equal = (found.first < 3) & (found.second < 3)
        errors += bool(np.isin(found.state[equal], ("better", "worse")).any())
    assert errors / samples <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)


def test_records_are_plain() -> None:
    rows = StoppingRule(test=TESTS["fisher"], equivalence=(-1, 1)).decide(parts(table())[:2]).rows()
    assert {type(value) for row in rows for value in row.values()} == {int, float, str}
    assert {row["side"] for row in rows} == {"better", "worse", "above", "below"}
    assert {row["state"] for row in rows} <= set(STATES)


@pytest.mark.parametrize("empty", [0, 1, 2])
def test_a_stage_without_information_is_left_out(empty: int) -> None:
    """With fewer than two values a stage has no p-value, and what it could have spent remains for the others."""
    test = CombinationTestOfStages(sizes=SIZES, last=False)
    differences = np.random.default_rng(1).normal(0.6, 1, size=(20, sum(SIZES)))
    ends = np.cumsum((0, *SIZES))
    kept = np.delete(differences, np.arange(ends[empty], ends[empty + 1]), axis=1)
    expected = CombinationTestOfStages(sizes=SIZES[1:], last=False).paths(kept, 0.05)
    one = differences.copy()
    one[:, ends[empty] + 1 : ends[empty + 1]] = np.nan
    found = test.paths(one, 0.05)
    assert np.isnan(found.pvalue[:, empty]).all()
    for name in ("pvalue", "level", "reject", "rejected", "accepted"):
        np.testing.assert_array_equal(np.delete(getattr(found, name), empty, axis=1), getattr(expected, name))


def test_a_pair_is_not_accepted_because_values_are_missing() -> None:
    """One value of each stage is not a reason to stop looking for a difference."""
    values = table(shifts=(0.0, 3.0))
    few = values.copy()
    few[np.arange(len(few)) % 12 > 0, 0] = np.nan
    found = StoppingRule(test=TESTS["fisher"]).decide(parts(few))
    assert found.state.tolist() == ["open"]
    single = StoppingRule(test=CombinationTestOfStages(sizes=(1,) * 48))
    assert single.decide(list(values[:, None])).state.tolist() == ["open"]


def test_algorithms_that_beat_each_other_in_a_cycle_all_stay() -> None:
    a, b, _ = StoppingRule(test=TESTS["group"]).hypotheses(4)
    state = stopping_rule._State.start(len(a), 4, 1)
    wins = {(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)}  # by tests of pairs, which need not be transitive
    state.code[:] = [
        stopping_rule._BETTER if pair in wins else stopping_rule._WORSE
        for pair in zip(a.tolist(), b.tolist(), strict=True)
    ]
    stopping_rule._drop_beaten(0, state, a, b, measures=1, control=None)
    assert state.dropped.tolist() == [0, 0, 0, 1]
    state.code[(a == 0) & (b == 2)] = stopping_rule._BETTER  # no cycle any more: 0 beats all, 1 beats 2
    stopping_rule._drop_beaten(1, state, a, b, measures=1, control=None)
    assert state.dropped.tolist() == [0, 2, 2, 1]


@pytest.mark.parametrize(
    "test",
    [
        CombinationTestOfStages(sizes=(20,) * 5),
        CombinationTestOfStages(sizes=(20,) * 5, method="sign"),
        GroupSequentialTest(sizes=(20,) * 5, method="wilcoxon"),
        ConfidenceSequenceTest(sizes=(20,) * 5),
    ],
    ids=lambda test: f"{type(test).__name__} {getattr(test, 'method', '')}",
)
def test_equivalence_is_of_the_mean_difference_where_most_replications_are_tied(test: SequentialTest) -> None:
    # Nine of ten differences are 0; the mean difference is at the end of the area, and so is called inside it by 5 %.
    rng, samples, edge = np.random.default_rng(8), 150, 0.03
    rule = StoppingRule(test=test, equivalence=(-edge, edge))
    errors = 0
    for _ in range(samples):
        difference = np.where(rng.random(100) < 0.9, 0.0, 10 * edge * rng.uniform(0.5, 1.5, 100))
        stages = np.split(np.column_stack([difference, np.zeros(100)]), test.ends[:-1])
        errors += rule.decide(stages).state[0] == "equivalent"
    assert errors / samples <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / samples)
    same = np.split(np.zeros((100, 2)), test.ends[:-1])
    assert rule.decide(same).state[0] == "equivalent"
    assert rule.decide(same[:4]).state[0] == "open"  # identical so far
