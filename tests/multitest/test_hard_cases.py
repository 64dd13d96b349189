"""Costs in every form, missing cells, and what cannot be ordered: the outcome, or the whole message."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError, LabelError, MissingCellsError

ACCURACY = podium.examples.load_ulas2008().select(datasets=["car", "iris", "wine"])
SECONDS = podium.examples.load_ulas2008("training time")
CAR = ACCURACY.select(dataset="car")
NAMES = ACCURACY.algorithms
WIDE = pd.DataFrame(SECONDS.values[:, 0, :, 0], index=SECONDS.datasets, columns=SECONDS.algorithms)


def with_gap(*cells: tuple[int, int, int]) -> podium.Results:
    values = ACCURACY.values.copy()
    for m, b, k in cells:
        values[m, b, k, 0] = np.nan
    return ACCURACY.replace(values=values)


ONE_FOLD = with_gap((0, 3, 2))  # mlp on car
NO_FOLD = with_gap(*((0, b, 2) for b in range(10)))

# Costs


@pytest.mark.parametrize(
    "cost",
    [
        SECONDS,
        SECONDS.select(algorithms=SECONDS.algorithms[::-1]),
        WIDE,
        WIDE.iloc[::-1, ::-1],
        WIDE.loc["car"],
        WIDE.loc["car"].to_dict(),
        WIDE.loc["car", list(NAMES)].tolist(),
        WIDE.loc["car", list(NAMES)].to_numpy(),
        WIDE.loc["car"].sort_values().index.tolist(),
        {**WIDE.loc["car"].to_dict(), "another": 1.0},
    ],
)
def test_one_cost_in_every_form(cost: object) -> None:
    assert podium.multitest(CAR, cost=cost).order == ("svr", "sv2", "mlp", "mdt", "svl", "c45", "lnp", "5nn")


def test_a_measure_of_the_results_by_name() -> None:
    times = np.broadcast_to(SECONDS.select(datasets=list(ACCURACY.datasets)).values, ACCURACY.values.shape)
    both = ACCURACY.replace(
        values=np.concatenate([ACCURACY.values, times], axis=3),
        measures=(*ACCURACY.measures, *SECONDS.measures),
        reasons=None,
    )
    found = podium.multi2test(both, cost="training time")
    assert found.ranks.equals(podium.multi2test(ACCURACY, cost=SECONDS).ranks)
    assert found.measure.name == "accuracy"
    several = podium.inference.orders_by_cost(both, costs=["training time"])
    assert several.orders == {"training time": found.order}


def test_zeros_and_negative_costs_are_costs() -> None:
    found = podium.multitest(CAR, cost=[0, -1, 0, 3, -1e300, 1e300, 2, 5], test="5x2cv F")
    assert found.prior[0] == "svl"
    assert set(found.ties[0]) == {"c45", "mlp"}


def test_ties_in_cost_are_reported_and_the_better_mean_comes_first() -> None:
    flat = podium.multitest(CAR, cost=dict.fromkeys(NAMES, 7), alpha=1e-12)
    assert flat.edges == ()
    assert flat.order == tuple(podium.summarize(CAR).index)
    assert any(note.code == "equal costs" for note in flat.notes)


# Values


def test_equal_values_leave_the_order_of_costs() -> None:
    flat = ACCURACY.replace(values=np.full_like(ACCURACY.values, 50.0))
    found = podium.multi2test(flat, cost=SECONDS)
    assert found.overrides().empty
    assert found.order == found.prior
    report = podium.inference.rank_report(flat)
    assert report.overall.tie
    assert podium.inference.win_table(flat, test="5x2cv F").wins.sum() == 0


def test_two_algorithms_and_two_data_sets() -> None:
    two = ACCURACY.select(algorithms=["c45", "svr"], datasets=["car", "wine"])
    assert set(podium.multi2test(two, cost=SECONDS).order) == {"c45", "svr"}
    assert podium.multitest(two, dataset="car", cost=SECONDS).order == ("svr", "c45")
    assert podium.inference.rank_report(two).frame().index.to_list() == ["svr", "c45"]


SEVERAL = [
    lambda **options: podium.multitest(CAR, cost=SECONDS, **options),
    lambda **options: podium.multi2test(ACCURACY, cost=SECONDS, **options),
    lambda **options: podium.inference.orders_by_cost(ACCURACY, costs={"time": SECONDS}, **options),
    lambda **options: podium.inference.win_table(ACCURACY, **options),
]


@pytest.mark.parametrize("call", SEVERAL)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"test": "wilcoxon", "ratio": 1},
            "`test='wilcoxon'` has no option 'ratio'. It has 'zeros'. 'ratio' is an option of 'corrected t'.",
        ),
        ({"ratio": 1 / 9}, "`ratio` is an option of a test; name the test, too: test='corrected t'."),
        ({"tst": "t"}, "No test has an option 'tst'. Did you mean 'test'?"),
    ],
)
def test_messages_name_the_argument_that_multitest_has(
    call: Callable[..., object], options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError) as raised:
        call(**options)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: podium.multitest(CAR, cost=["c45", "svr"]),
            r"^`cost` lacks the algorithms 'mdt', 'mlp', .* and 1 more; it has 'c45', 'svr'\.$",
        ),
        (
            lambda: podium.multitest(CAR, cost=SECONDS.select(dataset="iris")),
            r"^`cost` lacks the data set 'car'; it has 'iris'\.$",
        ),
        (
            lambda: podium.multi2test(podium.examples.load_demsar2006(), cost=[1, 2, 3, 4]),
            r"^Data set 'adult \(sample\)' has one replication, .*podium\.multitest\(podium\.compare\(results\), cost=",
        ),
        (
            lambda: podium.multitest(podium.compare(CAR), cost=SECONDS, alpha=0.1),
            r"^`alpha` is for tests of results; the tests of a Comparison are already made\.$",
        ),
        (
            lambda: podium.multitest(CAR, cost=SECONDS, test="mixed", alternative="better"),
            r"^`alternative='better'` needs a one-sided test, and test='mixed' has none\.",
        ),
        (
            lambda: podium.inference.win_table(ACCURACY, test="permutation t", adjust="step-down"),
            r"^`adjust` must be one of 'none', 'bonferroni', .*; got 'step-down'\.",
        ),
    ],
)
def test_what_cannot_be_ordered(call: Callable[[], object], message: str) -> None:
    with pytest.raises((InputError, LabelError), match=message):
        call()


# Missing cells


def test_policies_for_a_missing_fold() -> None:
    with pytest.raises(MissingCellsError, match="mlp on car, replication 2/2"):
        podium.multi2test(ONE_FOLD, cost=SECONDS)
    dropped = podium.multi2test(ONE_FOLD, cost=SECONDS, missing="drop-block")
    assert dropped.datasets == ("iris", "wine")  # the F test needs ten folds
    assert [note.code for note in dropped.notes] == ["missing", "left out"]
    kept = podium.multi2test(ONE_FOLD, cost=SECONDS, missing="drop-block", test="corrected t", ratio=1.0)
    assert kept.datasets == ACCURACY.datasets
    assert "mlp" not in podium.multi2test(ONE_FOLD, cost=SECONDS, missing="drop-algorithm").algorithms
    last = podium.multi2test(ONE_FOLD, cost=SECONDS, missing="worst-rank")
    assert last.ranks.loc["car", "mlp"] == 8
    assert last.without_cost is None
    assert podium.multi2test(ONE_FOLD, cost=SECONDS, missing="worst-value").ranks.shape == (3, 8)
    needed = r"^Data set 'car': A 5×2 cv test needs 5 repeats of 2 folds.* Cells are missing on this data set: missing="
    with pytest.raises(InputError, match=needed):
        podium.multi2test(ONE_FOLD, cost=SECONDS, missing="available")
    podium.multi2test(ONE_FOLD, cost=SECONDS, missing="available", test="wilcoxon")


@pytest.mark.parametrize("missing", ["worst-rank", "worst-value", "available"])
def test_an_algorithm_without_any_value_comes_last(missing: str) -> None:
    assert podium.multi2test(NO_FOLD, cost=SECONDS, missing=missing).ranks.loc["car", "mlp"] == 8


def test_policies_for_a_missing_cost() -> None:
    values = SECONDS.values.copy()
    values[SECONDS.datasets.index("car"), 0, 7, 0] = np.nan  # 5nn, the cheapest
    gappy = SECONDS.replace(values=values)
    with pytest.raises(MissingCellsError, match="5nn on car"):
        podium.multi2test(ACCURACY, cost=gappy)
    assert podium.multi2test(ACCURACY, cost=gappy, missing="drop-block").datasets == ("iris", "wine")
    assert "5nn" not in podium.multi2test(ACCURACY, cost=gappy, missing="drop-algorithm").algorithms
    counted = podium.multi2test(ACCURACY, cost=gappy, missing="available")
    assert counted.first["car"].prior[-1] == "5nn"
    assert [note.code for note in counted.notes] == ["unknown cost"]
    assert podium.multi2test(ACCURACY, cost=SECONDS.drop(datasets="car"), missing="drop-block").datasets == (
        "iris",
        "wine",
    )


def test_wins_count_the_data_sets_that_a_pair_has() -> None:
    table = podium.inference.win_table(NO_FOLD, missing="available")
    assert table.common[2, 0] == 2
    assert table.common[0, 1] == 3
    assert (table.wins + table.losses + table.draws).tolist() == table.common.tolist()


def test_wins_by_test_leave_out_data_sets_on_which_it_is_not_possible() -> None:
    table = podium.inference.win_table(ONE_FOLD, test="5x2cv F", missing="drop-block")
    whole = podium.inference.win_table(ACCURACY.drop(datasets="car"), test="5x2cv F")
    assert table.datasets == ("iris", "wine") and table.wins.tolist() == whole.wins.tolist()
    assert [note.code for note in table.notes] == ["missing", "left out"]
    with pytest.raises(InputError, match=r"possible on 1 of 2 data sets only after .*; a win table needs two\.$"):
        podium.inference.win_table(ONE_FOLD.drop(datasets="wine"), test="5x2cv F", missing="drop-block")


# Names are text


def test_hostile_names_stay_text() -> None:
    hostile = dict(
        zip(
            NAMES, ["<script>x</script>", "a_b%&$#{}\\", "=cmd()", "日本", "a, b", "\u202eabc", "$x$", "_"], strict=True
        )
    )
    results, seconds = ACCURACY.rename(algorithms=hostile), SECONDS.rename(algorithms=hostile)
    found = podium.multi2test(results, cost=seconds)
    table = podium.inference.win_table(results, test="5x2cv F")
    report = podium.inference.rank_report(results)
    for outcome in (
        found,
        found.second,
        table,
        report,
        podium.inference.orders_by_cost(results, costs={"<b>": seconds}),
    ):
        shown = outcome._repr_html_()
        assert "<script>" not in shown
        assert "<b>" not in shown.replace("<b>0", "").replace("<b>3", "") or outcome is table
        assert str(outcome) and "\u202e" not in str(outcome) + outcome.text()
    assert r"a\_b\%\&\$\#\{\}\textbackslash{}" in table.latex()
    assert r"a\_b\%\&\$\#\{\}\textbackslash{}" in report.latex()


def test_names_cannot_break_lines() -> None:
    names = {"c45": "c4\n5", "mdt": "\x1b[31mred"}
    results, seconds = ACCURACY.rename(algorithms=names), SECONDS.rename(algorithms=names)
    report = podium.inference.rank_report(results)
    found = podium.multi2test(results, cost=seconds)
    several = podium.inference.orders_by_cost(results, costs={"time\r": seconds})
    for outcome in (report, found, found.second, several, podium.inference.win_table(results)):
        for text in (str(outcome), repr(outcome), outcome.text()):
            assert not {"\x1b", "\r"} & set(text)
            assert not [line for line in text.splitlines() if line.startswith("5 ")]


# The rank report


def test_an_overall_loser_that_wins_where_all_winners_lose_is_reported() -> None:
    rng = np.random.default_rng(3)
    good, bad = [0.9, 0.5, 0.45, 0.4], [0.3, 0.35, 0.5, 0.9]  # the last data set reverses the order
    values = np.array([[np.array(good) + rng.normal(0, 0.005, 4) for _ in range(10)] for _ in range(11)])
    values[10] = np.array(bad) + rng.normal(0, 0.005, (10, 4))
    labels = {"dataset": [f"d{i}" for i in range(11)], "replication": range(10), "algorithm": list("abcd")}
    report = podium.inference.rank_report(podium.read(values, labels=labels, measure="accuracy"))
    assert report.winners[0] == "a"
    (part,) = [part for part in report.striking if part.overturned]
    assert part.dataset == "d10"
    assert "d10" in report.warning
    assert report.per_dataset["d10"].verdict("a") == "loser"


def test_losers_are_a_critical_difference_behind_the_best() -> None:
    report = podium.inference.rank_report(podium.examples.load_ulas2008())
    overall = report.overall
    behind = overall.mean_ranks - overall.mean_ranks.min()
    losers = {name for name, gap in zip(overall.algorithms, behind, strict=True) if gap >= overall.critical_difference}
    assert set(overall.losers) == losers
    assert set(overall.winners) | losers == set(report.algorithms)
    assert report.value_frame().loc["car", "svr"] == pytest.approx(
        np.median(podium.examples.load_ulas2008().select(dataset="car", algorithm="svr").values)
    )


# A small version of benchmarks/calibration/multitest.py


def test_an_unadjusted_pair_of_equal_algorithms_is_overridden_in_at_most_half_of_alpha() -> None:
    """60 data sets of 5 equal algorithms with independent folds: 600 pairs; the test is conservative."""
    rng = np.random.default_rng(0)
    structure = {
        name: np.tile(value, (60, 1))
        for name, value in (("repeat", np.repeat(range(1, 6), 2)), ("fold", np.tile([1, 2], 5)))
    }
    results = podium.Results(
        values=rng.normal(size=(60, 10, 5, 1)),
        datasets=tuple(f"d{i}" for i in range(60)),
        replications=tuple(range(10)),
        algorithms=tuple("abcde"),
        measures=(podium.MeasureInfo("error", "lower"),),
        structure=structure,
    )
    found = podium.multi2test(results, cost=list("abcde"), test="5x2cv F")
    share = len(found.overrides()) / 600
    assert 0 < share < 0.025 + 3 * np.sqrt(0.025 * 0.975 / 600)


def test_a_cost_that_is_known_once_per_data_set_is_a_measure_of_the_results() -> None:
    """The cost is a separate replication there: neither it nor the accuracy has missing cells."""
    both = ACCURACY.combine(SECONDS.select(datasets=list(ACCURACY.datasets)))
    one = podium.multi2test(both, cost="training time", test="5x2cv F")
    two = podium.multi2test(ACCURACY, cost=SECONDS, test="5x2cv F")
    assert one.ranks.equals(two.ranks) and one.order == two.order and one.notes == two.notes
    # A fold that is missing for one algorithm is still missing.
    gap = ONE_FOLD.combine(SECONDS.select(datasets=list(ACCURACY.datasets)))
    with pytest.raises(MissingCellsError, match="1 of 240 cells is missing: mlp on car"):
        podium.multi2test(gap, cost="training time")


def test_outcomes_are_tables_for_papers() -> None:
    found = podium.multitest(CAR, cost=SECONDS, test="5x2cv F")
    table = found.table()
    assert [row[1].text for row in table.rows] == list(found.order)
    assert table.rows[0][5].text == ", ".join(found.frame()["better_than"].iloc[0])
    two = podium.multi2test(ACCURACY, cost=SECONDS)
    costs = podium.inference.orders_by_cost(ACCURACY, costs={"time": SECONDS, "same": dict.fromkeys(NAMES, 1)})
    wins = podium.inference.win_table(ACCURACY)
    report = podium.inference.rank_report(ACCURACY)
    for one, rows in ((table, 8), (two.table(), 8), (costs.table(), 8), (wins.table(), 8), (report.table(), 3)):
        for form in (one.latex(), one.markdown(), one.html(), str(one)):
            assert "svr" in form and len(one.rows) == rows
    assert report.latex() == podium.table(report).latex()
    assert wins.latex() == wins.table().latex()
    tied = podium.multitest(CAR, cost=dict.fromkeys(NAMES, 1)).table()
    assert any(note.startswith("Equal cost: ") for note in tied.notes)


# Too few replications


def five_replications() -> podium.Results:
    """Differences of 20 standard deviations, which signed ranks of five replications cannot show: 2 · 2^-5 > 0.05."""
    rng = np.random.default_rng(0)
    values = 0.8 + 0.005 * rng.normal(size=(9, 5, 3)) - np.array([0, 0.1, 0.2])
    return podium.read(
        values, labels={"dataset": None, "replication": None, "algorithm": list("abc")}, measure="accuracy"
    )


def test_tests_that_cannot_show_a_difference_are_said_once() -> None:
    results = five_replications()
    found = podium.multi2test(results, cost=["c", "b", "a"])
    wins = podium.inference.win_table(results, test="wilcoxon")
    for outcome in (found, wins):
        (note,) = (one for one in outcome.notes if one.code == "few blocks inside")
        assert note.facts["datasets"] == results.datasets and note.facts["least"] == 0.0625
        assert outcome.text().count(str(note)) == repr(outcome).count(str(note)) == 1
        assert note.finding in outcome.table().notes
    assert not wins.wins.any()
    able = podium.inference.win_table(results, test="t")
    assert able.notes == () and able.wins[0, 1] == 9


def test_one_sided_tests_of_five_replications_can_show_a_difference() -> None:
    """Their smallest p-value is 2^-5 = 0.031."""
    found = podium.multi2test(five_replications(), cost=["c", "b", "a"], alternative="better")
    assert {one.order for one in found.first.values()} == {("a", "b", "c")}
    assert "few blocks" not in {note.code for one in found.first.values() for note in one.notes}
    assert "few blocks inside" not in {note.code for note in found.notes}


# Too few replications for a test within the data sets


def junk(replications: int, algorithms: str = "jg") -> podium.Results:
    """Accuracy .5 and .9 on 30 data sets; the worse algorithm is the cheaper one."""
    rng = np.random.default_rng(0)
    values = rng.normal(np.where([name == "g" for name in algorithms], 0.9, 0.5), 0.01, (30, replications, 2))
    labels = {"dataset": [f"d{i}" for i in range(30)], "replication": None, "algorithm": list(algorithms)}
    return podium.read(values, labels=labels, measure="accuracy")


@pytest.mark.parametrize("alternative", ["two-sided", "better"])
def test_where_no_data_set_can_be_tested_the_data_sets_are(alternative: str) -> None:
    few = junk(5 if alternative == "two-sided" else 4)
    found = podium.multi2test(few, cost={"j": 1.0, "g": 1.1}, alternative=alternative)
    assert found.untested == found.datasets
    assert found.over_datasets
    assert found.order == ("g", "j")
    assert found.mean_ranks.to_dict() == {"j": 2.0, "g": 1.0}
    expected = podium.compare(few.aggregate("mean"), method="nemenyi")
    assert found.comparison.pvalue == pytest.approx(expected.pvalue)


def test_a_test_that_was_asked_for_and_cannot_reject_leaves_the_costs_alone() -> None:
    found = podium.multi2test(junk(5), cost={"j": 1.0, "g": 1.1}, test="wilcoxon")
    assert (found.untested, found.over_datasets) == (found.datasets, False)
    assert found.order == found.prior == ("j", "g")


def test_enough_replications_are_tested_within_the_data_sets() -> None:
    found = podium.multi2test(junk(6), cost={"j": 1.0, "g": 1.1}, test="wilcoxon")
    assert (found.untested, found.over_datasets) == ((), False)
    assert found.order == ("g", "j")
    one = podium.multitest(junk(5).select(dataset="d1"), cost={"j": 1.0, "g": 1.1}, test="wilcoxon")
    assert (one.untested, one.order) == (True, ("j", "g"))


def test_data_sets_without_a_test_are_named() -> None:
    """Five signed ranks have a p-value of 2/32 at least, six one of 2/64."""
    rng = np.random.default_rng(1)
    rows = [
        {"dataset": f"d{i}", "replication": b, "algorithm": name, "accuracy": base + 0.01 * rng.normal()}
        for i, count in enumerate([8, 4, 6, 5])
        for b in range(count)
        for name, base in (("j", 0.5), ("g", 0.9))
    ]
    found = podium.multi2test(podium.read(rows, measure="accuracy"), cost={"j": 1.0, "g": 1.1}, test="wilcoxon")
    assert (found.untested, found.over_datasets) == (("d1", "d3"), False)
