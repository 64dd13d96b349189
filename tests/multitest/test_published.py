"""The tables of Ulaş, Yıldız & Alpaydın (2008), every one of them, and Demšar's example; see tests/reference/README.md.

Ranks, wins and decisions are whole numbers and must be exact; means are compared at the decimals printed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium

GOLDEN = Path(__file__).parents[1] / "reference" / "golden" / "ulas2008"
NAMES = ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]
ACCURACY = podium.examples.load_ulas2008()
COSTS = {"time": podium.examples.load_ulas2008("training time"), "space": podium.examples.load_ulas2008("space")}
NINE = ["breast", "car", "nursery", "optdigits", "pendigits", "ringnorm", "spambase", "tictactoe", "titanic"]


@cache
def found(cost: str) -> podium.inference.Multi2Test:
    return podium.multi2test(ACCURACY, cost=COSTS[cost], test="5x2cv F")


def published(name: str) -> pd.DataFrame:
    return pd.read_csv(GOLDEN / f"{name}.csv", index_col=0, dtype=str)[NAMES]


def numbers(name: str) -> tuple[np.ndarray, np.ndarray]:
    """A printed table: its numbers, and which of them are bold (marked by a star)."""
    cells = published(name)
    bold = cells.map(lambda cell: cell.endswith("*")).to_numpy()
    return cells.map(lambda cell: float(cell.rstrip("*"))).to_numpy(), bold


def differ(comparison: podium.Comparison) -> np.ndarray:
    square = np.zeros((8, 8))
    square[comparison.first, comparison.second] = square[comparison.second, comparison.first] = comparison.significant
    return square


@pytest.mark.parametrize(
    ("cost", "table"),
    [("time", "table_a12_multitest_ranks_time"), ("space", "table_a13_multitest_ranks_space")],
)
def test_all_38_rows_of_the_first_pass(cost: str, table: str) -> None:
    rows = published(table).astype(float)
    ranks = found(cost).ranks
    assert len(rows) == 38
    assert ranks.loc[rows.index, NAMES].to_numpy().tolist() == rows.to_numpy().tolist()


@pytest.mark.parametrize(
    ("cost", "means", "table"),
    [
        ("time", [3.66, 5.21, 4.53, 3.39, 5.05, 5.95, 5.00, 3.21], "table_4_4_nemenyi_time"),
        ("space", [3.34, 3.32, 3.29, 3.71, 5.18, 5.87, 4.55, 6.74], "table_4_5_nemenyi_space"),
    ],
)
def test_mean_ranks_and_every_decision_of_the_second_pass(cost: str, means: list[float], table: str) -> None:
    second = found(cost)
    assert second.mean_ranks[NAMES].round(2).tolist() == means
    assert differ(second.comparison).tolist() == numbers(table)[0].tolist()
    assert second.comparison.critical_difference == pytest.approx(1.7032, abs=5e-5)  # q = 3.0309
    assert second.comparison.critical_value[0] == pytest.approx(3.0309, abs=5e-5)


@pytest.mark.parametrize(
    ("cost", "order"),
    [
        ("time", ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr")),
        ("space", ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn")),
    ],
)
def test_both_final_orders_are_the_prior_orders(cost: str, order: tuple[str, ...]) -> None:
    assert found(cost).order == order
    assert found(cost).prior == order  # "no test result overrides prior order", section 4.5.1
    assert found(cost).second.edges == ()


def test_average_costs() -> None:
    """Last row of table A.9: averages of costs over their range in per cent; ours start at 0 on each data set."""
    printed = np.array([4.45, 38.97, 19.38, 5.74, 59.80, 67.74, 73.45, 0.75])
    average = 100 * found("time").average_cost[NAMES].to_numpy()
    assert average - average[0] == pytest.approx(printed - printed[0], abs=0.011)


def test_table_3_1_and_the_walk_on_optdigits() -> None:
    one = found("time").first["optdigits"]
    assert one.tests()[NAMES].loc[NAMES].to_numpy().tolist() == numbers("table_3_1_tests_optdigits")[0].tolist()
    assert one.prior[0] == "5nn"
    assert one.prior[-1] == "mdt"
    assert one.order == ("svr", "svl", "sv2", "5nn", "mlp", "lnp", "mdt", "c45")


def test_four_algorithms_of_section_3_2() -> None:
    shown = podium.Relation.from_strict([[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], list("ABCD"))
    one = podium.multitest(shown, cost=["C", "A", "D", "B"])
    assert one.order == ("A", "C", "B", "D")
    assert {(edge.preferred, edge.better) for edge in one.edges} == {("C", "A"), ("D", "B")}


def test_three_algorithms_of_section_4_5_2() -> None:
    three = ACCURACY.select(datasets=NINE, algorithms=["c45", "mdt", "svr"])
    for cost in COSTS.values():
        one = podium.multi2test(three, cost=cost, test="5x2cv F")
        assert one.prior == ("c45", "mdt", "svr")
        assert one.order == ("svr", "c45", "mdt")
        assert {(edge.preferred, edge.better) for edge in one.second.overrides} == {("c45", "svr"), ("mdt", "svr")}


def test_table_4_3_wins_by_test() -> None:
    wins, bold = numbers("table_4_3_wins_test")
    table = podium.inference.win_table(ACCURACY, test="5x2cv F")
    assert table.wins.tolist() == wins.tolist()
    assert table.significant.tolist() == bold.tolist()


def test_table_4_1_wins_by_average() -> None:
    """All but two ties that the report broke with unrounded accuracies: lnp/5nn on australian, mlp/lnp on ionosphere."""
    wins, bold = numbers("table_4_1_wins_average")
    table = podium.inference.win_table(ACCURACY)
    off = {
        (NAMES[i], NAMES[j], int(table.wins[i, j] - wins[i, j])) for i, j in np.argwhere(table.wins != wins).tolist()
    }
    assert off == {("5nn", "lnp", -1), ("mlp", "lnp", -1), ("lnp", "mlp", 1)}
    assert table.significant.tolist() == bold.tolist()


def test_table_4_2_accuracy_alone() -> None:
    without = found("time").without_cost
    assert without is not None
    assert without.mean_ranks == pytest.approx([5.37, 5.45, 4.57, 4.87, 3.05, 5.07, 2.45, 5.18], abs=0.045)  # two ties
    off = np.argwhere(differ(without) != numbers("table_4_2_nemenyi_accuracy")[0])
    assert off.tolist() == []


def test_table_a11_ranks_by_average() -> None:
    rows = published("table_a11_ranks_accuracy").astype(float)
    report = podium.inference.rank_report(ACCURACY, aggregate="mean")
    ranks = report.rank_frame().loc[list(rows.index), NAMES]
    off = ranks.index[(ranks.to_numpy() != rows.to_numpy()).any(axis=1)]
    assert sorted(off) == ["australian", "ionosphere"]


def test_demsar_end_to_end() -> None:
    """Demšar (2006), section 3.2; figures from the printed table, whose row `voting` has a tie that was none before."""
    report = podium.inference.rank_report(podium.examples.load_demsar2006(), ties="plain")
    overall = report.overall
    assert report.ranks.mean(axis=0) == pytest.approx([3.143, 2.000, 2.929, 1.929], abs=5e-4)
    assert overall.friedman.statistic == pytest.approx(9.8571, abs=5e-5)
    assert overall.iman_davenport.statistic == pytest.approx(3.9867, abs=5e-5)
    assert overall.iman_davenport.df == (3, 39)
    assert overall.critical_f == pytest.approx(2.84506781, abs=5e-9)  # the table of critical values of F(3, 39)
    assert overall.critical_value == pytest.approx(2.56903178, abs=2e-8)
    assert overall.critical_difference == pytest.approx(1.2536, abs=5e-5)
    assert overall.iman_davenport.significant
    assert (report.winners, report.losers, overall.tie) == ((), (), True)
    assert "no significant difference" in report.sentence
    corrected = podium.inference.rank_report(podium.examples.load_demsar2006()).overall.friedman
    assert (corrected.statistic, corrected.pvalue) == pytest.approx((10.9524, 0.01199), abs=5e-5)


def test_demsar_as_printed() -> None:
    """The same with the row `voting` as it was before rounding: the ranks in parentheses are 4, 1, 2 and 3."""
    printed = podium.examples.load_demsar2006()
    values = printed.values.copy()
    values[printed.datasets.index("voting"), 0, printed.algorithms.index("C4.5+cf"), 0] += 1e-4
    overall = podium.inference.rank_report(printed.replace(values=values), ties="plain").overall
    means = dict(zip(overall.algorithms, overall.mean_ranks.round(3).tolist(), strict=True))
    assert means == {"C4.5": 3.143, "C4.5+m": 2.0, "C4.5+cf": 2.893, "C4.5+m+cf": 1.964}
    assert overall.friedman.statistic == pytest.approx(9.28, abs=5e-3)
    assert overall.iman_davenport.statistic == pytest.approx(3.69, abs=5e-3)
    assert round(overall.critical_difference, 2) == 1.25 and overall.tie
