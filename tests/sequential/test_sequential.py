"""Sequential tests of finished results: the worked example of chapter 6, families, notes and words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.sequential.sequential import stage_sizes
from podium.errors import InputError, PodiumError
from podium.results.cube import STOPPED

KINDS = ("combination", "group sequential", "betting", "asymptotic")
UCI = Path(__file__).parents[1] / "reference" / "data" / "eugster" / "uci621raw.csv.gz"
# Eugster (2011), section 6.4: data sets "for which after two stages the test decisions are clear".
PUBLISHED = {
    "Sonar",
    "Circle",
    "musk",
    "ringnorm",
    "chess",
    "twonorm",
    "threenorm",
    "liver",
    "Cards",
    "HouseVotes84",
    "PimaIndiansDiabetes",
    "Heart1",
}


@pytest.fixture(scope="module")
def error() -> podium.Results:
    return podium.examples.load_pima()


def test_the_example_of_section_6_3_2(error: podium.Results) -> None:
    """rf against svm1 in four stages of 50: rejected after two of them, as published (p = 0.0209; here other samples)."""
    found = podium.sequential(error, pair=("rf", "svm1"), stages=4, alternative="better")
    assert (found.decision, found.stage) == ("reject", 2)
    assert found.pvalue < 0.05
    stages = found.stages
    p = stages["pvalue"].tolist()
    numbers = podium.combination_test(p, stages=4)
    for column in ("level", "critical", "reject", "pvalue", "accept"):
        np.testing.assert_allclose(stages[column], numbers.stages[column])
    assert found.pvalue == pytest.approx(numbers.pvalue)
    a, b = (error.values[0, :50, error.algorithms.index(name), 0] for name in ("rf", "svm1"))
    first = podium.inference.paired_test(a, b, "wilcoxon", alternative="better", direction="lower")
    assert p[0] == pytest.approx(first.pvalue)


def test_the_application_of_section_6_4() -> None:
    """The leaders of 20 data sets in five stages of 50, rule of 6.4, without a last stage that spends everything.

    All 12 data sets that the dissertation lists are decided within two stages.
    """
    results = podium.read(UCI).select(measure="Misclassification").drop(dataset="monks3")
    each = [
        podium.sequential(
            results.select(dataset=name),
            pair="leaders",
            alternative="better",
            rule="shrinking",
            exhaust=False,
            missing="available",
            intervals=False,
        ).frame()
        for name in results.datasets
    ]
    found = pd.concat(each)
    early = set(found["dataset"][(found["decision"] == "better") & (found["stage"] <= 2)])
    assert early >= PUBLISHED
    assert early - PUBLISHED == {"Spirals", "hepatitis", "tictactoe"}
    accepted = set(found["dataset"][found["decision"] == "accepted"])
    assert accepted == {"BreastCancer", "credit", "Ionosphere", "promotergene", "titanic"}


def test_two_sides_are_two_tests_at_half_the_level(error: podium.Results) -> None:
    found = podium.sequential(error, pair=("rf", "svm1"), stages=4).pairs[0]
    assert found.rows[0].level == pytest.approx(0.025)
    assert {row.side for row in found.rows} == {"better"}
    assert {row.side for row in found.others} == {"worse"}
    one = podium.combination_test([row.pvalue for row in found.rows], alpha=0.025, stages=4)
    assert found.pvalue == pytest.approx(2 * one.pvalue)


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_directions_change_nothing(error: podium.Results, kind: str) -> None:
    expected = podium.sequential(error, pair=("lda", "svm1"), kind=kind)
    turned = podium.sequential(error, pair=("svm1", "lda"), kind=kind)
    accuracy = error.replace(values=1 - error.values, measures=(podium.MeasureInfo("accuracy", "higher"),))
    negated = podium.sequential(accuracy, pair=("lda", "svm1"), kind=kind)
    assert expected.decision == turned.decision == negated.decision
    assert expected.pvalue == pytest.approx(turned.pvalue)
    assert expected.pvalue == pytest.approx(negated.pvalue)
    one, two, three = (found.pairs[0] for found in (expected, turned, negated))
    assert (one.lower, one.upper) == pytest.approx((-two.upper, -two.lower))
    assert (one.lower, one.upper) == pytest.approx((-three.upper, -three.lower))
    assert {one.state, two.state} in ({"better", "worse"}, {"open"})


@pytest.mark.parametrize("kind", KINDS)
def test_intervals_agree_with_decisions(error: podium.Results, kind: str) -> None:
    found = podium.sequential(error, pair=("lda", "rf"), kind=kind)
    pair = found.pairs[0]
    assert (pair.upper <= 0 or pair.lower >= 0) == (found.decision == "reject")  # 0: ties, which signed ranks leave out
    assert pair.lower <= pair.estimate <= pair.upper


def test_families_control_and_racing(error: podium.Results) -> None:
    every = podium.sequential(error, intervals=False)
    assert len(every.pairs) == 6
    assert every.frame().columns.tolist() == [
        "dataset", "measure", "a", "b", "decision", "stage", "replications", "estimate", "lower", "upper", "pvalue",
    ]  # fmt: skip
    assert "any false difference among the 6 hypotheses" in every.text()
    with pytest.raises(InputError, match="`decision` is that of one pair; there are 6"):
        every.decision  # noqa: B018
    control = podium.sequential(error, control="lda", intervals=False)
    assert [(p.a, p.b) for p in control.pairs] == [("svm1", "lda"), ("svm2", "lda"), ("rf", "lda")]
    racing = podium.sequential(error, racing=True, intervals=False)
    assert racing.saved >= every.saved
    assert racing.dropped[("pima", "svm1")] >= 1
    assert "Dropped because they were beaten: svm1 after stage " in racing.text()
    again = error.replace(datasets=("next",))
    both = podium.sequential(error.combine(again), racing=True, intervals=False)
    assert re.search(r"were beaten: svm1 after stage \d of pima, .*svm1 after stage \d of next", both.text())
    assert racing.replications["pima"] <= 200


def test_several_measures_are_one_family() -> None:
    monks = podium.read(UCI.parent / "monks3raw.csv")
    found = podium.sequential(monks, control="lda", stages=5, missing="available", intervals=False)
    assert len(found.pairs) == 10
    assert set(found.frame()["measure"]) == set(monks.measure_names)
    one = podium.sequential(monks, monks.measure_names[0], control="lda", missing="available", intervals=False)
    assert len(one.pairs) == 5
    assert found.pairs[0].rows[0].level < one.pairs[0].rows[0].level or found.pairs[0].state != "open"


def test_equivalence_of_two_machines(error: podium.Results) -> None:
    found = podium.sequential(error, pair=("svm1", "svm2"), kind="group sequential", equivalence=0.005)
    assert found.decision == "equivalent"
    assert found.stage < 5
    assert "equivalent" in str(found)


def test_overlap_can_be_corrected_for(error: podium.Results) -> None:
    plain = podium.sequential(error, pair=("lda", "svm1"), kind="group sequential")
    corrected = podium.sequential(
        error, pair=("lda", "svm1"), kind="group sequential", method="corrected t", ratio=0.582
    )
    assert plain.decision == "reject"
    assert corrected.pvalue > plain.pvalue
    assert [note.code for note in plain.notes] == ["sequential resamples"]
    assert [note.code for note in corrected.notes] == []


def test_it_says_where_it_cannot_keep_its_promise(error: podium.Results) -> None:
    few = error.select(replications=range(1, 13))
    codes = [note.code for note in podium.sequential(few, stages=4, intervals=False).notes]
    assert codes == ["sequential resamples", "stages cannot decide"]
    some = podium.sequential(error.select(replications=range(1, 31)), pair=("lda", "rf"), stages=5, intervals=False)
    assert "cannot" not in str(some)
    assert [note.code for note in some.notes] == ["sequential resamples", "stages cannot decide"]
    assert "before stage 2" in some.text()
    folds = podium.examples.load_ulas2008().select(dataset="iris")
    noted = podium.sequential(folds, pair=("c45", "mdt"), stages=1, intervals=False).notes
    assert "folds in stages" in [note.code for note in noted]
    leaders = podium.sequential(error, pair="leaders", intervals=False)
    assert (leaders.pairs[0].a, leaders.pairs[0].b) == ("lda", "rf")
    assert "leaders" in [note.code for note in leaders.notes]


def test_stages_of_other_sizes(error: podium.Results) -> None:
    found = podium.sequential(error, pair=("lda", "rf"), stages=[20, 30, 50, 100])
    assert found.sizes["pima"] == (20, 30, 50, 100)
    assert stage_sizes(3, 100) == (34, 33, 33)


RESULTS = podium.examples.load_pima()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: podium.sequential(RESULTS, alternative="better"),
            "`alternative='better'` needs a pair or a control: among all pairs no direction can be fixed before the "
            "results are seen. Name one: pair=('lda', 'svm1'), or control='lda'.",
        ),
        (
            lambda: podium.sequential(RESULTS, stages=150),
            "`stages=150` needs at least 300 replications, two for each stage; there are 200. Use stages=100.",
        ),
        (
            lambda: podium.sequential(RESULTS, stages=[]),
            "`stages` must be the replications of each stage; got [].",
        ),
        (
            lambda: podium.sequential(RESULTS, boundary="pocock"),
            "`boundary` is an option of `kind` 'group sequential', not of 'combination', whose options are 'method', "
            "'combine', 'reject', 'accept', 'rule', 'exhaust'.",
        ),
        (
            lambda: podium.monitor(RESULTS, method="friedman", pair=("lda", "rf")),
            "`method='friedman'` tests all algorithms at once; `pair` is for tests of pairs, such as 'wilcoxon'.",
        ),
        (
            lambda: podium.combination_test([0.65, 0.4], rule=lambda stage, level, accept: (level, 1.0)),
            "`rule` must return two bounds (reject, accept) with 0 < reject < level and accept at most 1; for stage 2 "
            "with level 0.01368 it returned (0.013675792099434488, 1.0).",
        ),
    ],
)
def test_messages(call: Callable[[], object], text: str) -> None:
    with pytest.raises(PodiumError) as caught:
        call()
    assert str(caught.value) == text


@pytest.mark.parametrize("function", [podium.monitor, podium.sequential])
def test_a_pair_may_be_an_array_of_two_names(function: Any) -> None:
    some = RESULTS.select(replications=range(1, 13))
    given, expected = (function(some, pair=pair) for pair in (np.array(["lda", "rf"]), ("lda", "rf")))
    assert str(given) == str(expected)


def test_sequences_may_be_checked_after_every_replication(error: podium.Results) -> None:
    """Looks after each replication and after every fiftieth: the same p-values, and an earlier decision."""
    error = error.select(replications=range(1, 101))
    for kind in ("asymptotic", "betting"):
        often = podium.sequential(error, pair=("lda", "svm1"), kind=kind, stages=100, intervals=False)
        seldom = podium.sequential(error, pair=("lda", "svm1"), kind=kind, stages=2, intervals=False)
        assert often.pairs[0].replications <= seldom.pairs[0].replications
        sequence = podium.inference.confidence_sequence(error, pair=("lda", "svm1"), kind=kind)
        assert np.isinf(sequence.decided) == (often.pairs[0].state == "open")
        assert np.isinf(sequence.decided) or sequence.decided == often.pairs[0].replications
    assert stage_sizes([1, 1], 3, least=1) == (1, 1)


def test_trials_are_spent_until_a_data_set_ends_or_an_algorithm_is_left_out(error: podium.Results) -> None:
    whole = podium.sequential(error, stages=4, intervals=False)
    last = int(whole.frame()["replications"].max())
    assert set(whole.spent) == {last}
    assert whole.saved == pytest.approx(1 - last / 200)
    raced = podium.sequential(error, stages=4, racing=True, intervals=False)
    assert raced.dropped
    for (dataset, algorithm), stage in raced.dropped.items():
        assert raced.spent[dataset, algorithm] == 50 * stage
    assert raced.saved == pytest.approx(1 - raced.spent.sum() / 800)
    assert podium.plot.figures.replications(raced).spent.tolist() == raced.spent.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_an_algorithm_without_any_value_stays_open(error: podium.Results, kind: str) -> None:
    some = error.select(replications=range(1, 61))
    values = some.values.copy()
    values[0, :, 1] = np.nan
    found = podium.sequential(some.replace(values=values), kind=kind, stages=2, missing="available")
    rows = found.frame()
    without = (rows["a"] == "svm1") | (rows["b"] == "svm1")
    assert set(rows["decision"][without]) == {"open"}
    assert rows.loc[without, ["estimate", "lower", "upper"]].isna().all(axis=None)
    assert "nan" not in found.text()
    assert "nan" not in found._repr_html_()


def test_a_stage_with_too_few_values_keeps_its_place(error: podium.Results) -> None:
    values = error.values.copy()
    values[0, 1:50, 0] = np.nan
    gap = error.replace(values=values)
    found = podium.sequential(gap, pair=("svm2", "lda"), stages=4, missing="available", alternative="worse")
    assert found.stages["stage"].tolist()[0] == 2
    panel = podium.plot.figures.stages(found).panels[0]
    assert np.isnan(panel.pvalue[0])
    assert panel.pvalue[1] == found.stages["pvalue"][0]
    assert panel.reject[1] == pytest.approx(0.01)  # the bound of a first stage


def test_missing_cells_follow_the_policy(error: podium.Results) -> None:
    values = error.values.copy()
    values[0, 3, 1, 0] = np.nan
    gap = error.replace(values=values)
    with pytest.raises(podium.errors.MissingCellsError):
        podium.sequential(gap, pair=("lda", "rf"))
    for missing in ("drop-block", "available"):
        assert podium.sequential(gap, pair=("lda", "rf"), missing=missing).decision == "reject"


@pytest.mark.parametrize("kind", KINDS)
def test_cells_that_a_stopping_rule_left_out_are_not_refused(error: podium.Results, kind: Any) -> None:
    """They are planned: each pair is decided by the replications it has, as the rule itself decided."""
    some = error.select(algorithms=["lda", "rf", "svm1"], replications=error.replications[:120])
    values = some.values.copy()
    values[0, 80:, 2] = np.nan
    lacking = np.isnan(values)
    reasons = np.where(lacking, STOPPED, 0).astype(np.uint8)
    run = some.replace(values=values, reasons=reasons)
    found = podium.sequential(run, kind=kind, stages=3)
    assert found.frame().equals(podium.sequential(run, kind=kind, stages=3, missing="available").frame())
    whole = podium.sequential(some, kind=kind, stages=3)
    for pair, same in zip(found.pairs, whole.pairs, strict=True):
        if "svm1" not in (pair.a, pair.b) or same.stage < 3:
            assert (pair.state, pair.stage) == (same.state, same.stage)
    note = next(note for note in found.notes if note.code == "stopped")
    assert note.facts["algorithms"] == ("svm1",)
    assert not [note for note in whole.notes if note.code == "stopped"]

    values[0, 5, 0] = np.nan  # one that failed is still named, alone
    failed = some.replace(values=values, reasons=np.where(lacking, STOPPED, np.isnan(values)).astype(np.uint8))
    with pytest.raises(podium.errors.MissingCellsError, match=r"^1 of 320 cells is missing: lda on .* \(absent\)\. "):
        podium.sequential(failed, kind=kind, stages=3)


def test_no_number_of_stages_is_advised_where_none_helps() -> None:
    with pytest.raises(InputError, match=r"there are 3\.$"):
        stage_sizes(2, 3)
    with pytest.raises(InputError, match=r"there are 5\. Use stages=2\.$"):
        stage_sizes(5, 5)
    assert stage_sizes(2, 5) == (3, 2)


def test_stages_that_are_too_small_are_said_first() -> None:
    error = podium.examples.load_pima()
    few = podium.sequential(error.select(replications=range(1, 11)), intervals=False)
    assert "the stages are too small to show any difference; 6 ended, none of them with a difference" in str(few)
    assert few.text().startswith("With 5 stages of 2 replications no difference among 6 hypotheses can be shown at the")
    late = podium.sequential(error, pair=("lda", "rf"), stages=40, intervals=False)
    assert late.text().startswith("With 40 stages of 5 replications no difference can be shown before stage 2,")
    assert "too small" not in str(late)


# Interim looks


def pair_of(values: np.ndarray) -> podium.Results:
    labels = {"replication": None, "algorithm": ["a", "b"]}
    return podium.read(values, labels=labels, measure="error", direction="lower")


def with_replications(values: np.ndarray, count: int) -> np.ndarray:
    """The first `count` replications; the later ones are absent."""
    return np.where(np.arange(len(values))[:, None] < count, values, np.nan)


@pytest.mark.parametrize("missing", ["raise", "available", "drop-block", "worst-value"])
@pytest.mark.parametrize("kind", ["combination", "group sequential", "asymptotic"])
def test_an_interim_look_is_the_first_part_of_the_plan(kind: Any, missing: str) -> None:
    """What 50, 100 and 150 of 200 replications decide is what the whole decides at those stages, by either statement."""
    rng = np.random.default_rng(2)
    values = rng.normal([0.0, 0.22], size=(200, 2))
    whole = podium.sequential(pair_of(values), kind=kind, stages=4, intervals=False).pairs[0]
    assert whole.next_looks == ()
    for stage in (1, 2, 3):
        count = 50 * stage
        ways = (
            (with_replications(values, count), 4),
            (with_replications(values, count + 20), 4),
            (values[:count], [50] * 4),
        )
        for given, plan in ways:
            found = podium.sequential(pair_of(given), kind=kind, stages=plan, missing=missing, intervals=False).pairs[0]
            assert [row.replications for row in found.rows] == [50, 100, 150, 200][: min(stage, whole.stage)]
            if whole.stage <= stage:
                assert (found.state, found.stage, found.pvalue) == (whole.state, whole.stage, whole.pvalue)
                continue
            assert (found.state, found.stage, found.replications) == ("open", stage, count)
            bounds = {look.side: look for look in found.next_looks}
            for row in (*whole.rows, *whole.others):
                if row.stage == stage + 1:
                    look = bounds[row.side]
                    assert look.replications == row.replications
                    expected = (row.level, row.reject, row.accept)
                    assert (look.level, look.reject, look.accept) == pytest.approx(expected, nan_ok=True)


def test_nothing_is_tested_before_the_first_look() -> None:
    found = podium.sequential(pair_of(np.random.default_rng(0).normal(size=(30, 2))), stages=[50, 50])
    pair = found.pairs[0]
    assert (pair.state, pair.stage, pair.replications, pair.rows) == ("open", 0, 0, ())
    assert np.isnan(pair.pvalue)
    assert {(look.side, look.stage, look.replications) for look in pair.next_looks} == {
        ("better", 1, 50),
        ("worse", 1, 50),
    }
    assert [look.reject for look in pair.next_looks] == pytest.approx([0.005, 0.005])
    assert found.continuing == ("data",)
    assert found.saved == 0


@pytest.mark.parametrize("missing", ["raise", "available", "drop-block"])
def test_a_data_set_that_is_not_begun_is_still_to_come(missing: str) -> None:
    values = np.random.default_rng(0).normal(size=(2, 40, 2))
    values[1] = np.nan
    labels = {"dataset": ["begun", "planned"], "replication": None, "algorithm": ["a", "b"]}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    found = podium.sequential(results, stages=2, missing=missing)
    assert [pair.replications for pair in found.pairs] == [40, 0]
    assert found.continuing == ("planned",)


def test_a_replication_that_failed_is_not_still_to_come() -> None:
    """Where the last replications were run and failed, the last look takes place without them."""
    values = with_replications(np.random.default_rng(0).normal(size=(40, 2)), 38)
    open_ = podium.sequential(pair_of(values), kind="group sequential", stages=2, missing="available")
    assert (open_.pairs[0].stage, open_.continuing) == (1, ("data",))
    reasons = np.where(np.isnan(values), 2, 0).astype(np.uint8)[None, :, :, None]
    failed = podium.sequential(
        pair_of(values).replace(reasons=reasons), kind="group sequential", stages=2, missing="available"
    )
    assert (failed.pairs[0].stage, failed.continuing) == (2, ())


def test_a_look_that_adds_no_data_to_a_pair_is_none() -> None:
    """An algorithm that is absent after the first look has one look, whatever the others have."""
    rng = np.random.default_rng(4)
    values = rng.normal([0.0, 0.0, 0.5], size=(200, 3))
    values[50:, 2] = np.nan
    labels = {"replication": None, "algorithm": ["a", "b", "c"]}
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    found = podium.sequential(results, kind="group sequential", stages=4, missing="available", intervals=False)
    looks = {(pair.a, pair.b): [row.stage for row in pair.rows] for pair in found.pairs}
    assert looks == {("a", "b"): [1, 2, 3, 4], ("a", "c"): [1], ("b", "c"): [1]}


def test_several_data_sets_share_the_error() -> None:
    """Each of ten data sets has a tenth of alpha: its p-values are compared with the bounds of that level."""
    rng = np.random.default_rng(5)
    labels = {"dataset": [f"d{i}" for i in range(10)], "replication": None, "algorithm": ["a", "b"]}
    ten = podium.read(rng.normal(size=(10, 60, 2)), labels=labels, measure="error", direction="lower")
    for kind in KINDS:
        bounds = {"bounds": (-9, 9)} if kind == "betting" else {}
        found = podium.sequential(ten, kind=kind, stages=3, **bounds)
        for pair in found.pairs[::3]:
            alone = podium.sequential(
                ten.select(dataset=pair.dataset), kind=kind, stages=3, alpha=0.005, **bounds
            ).pairs[0]
            assert (alone.state, alone.stage) == (pair.state, pair.stage)
            assert (alone.lower, alone.upper) == pytest.approx((pair.lower, pair.upper))
            for row, same in zip(pair.rows, alone.rows, strict=True):
                assert (row.level, row.reject, row.pvalue) == pytest.approx((same.level, same.reject, same.pvalue))
