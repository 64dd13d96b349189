"""Quartile charts in plain text: the example of the notes on Demšar, bars, the warning."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from made_results import flipped, made, shuffled, tables, with_gaps

import podium
from podium.analysis.describe import quartile_chart
from podium.analysis.describe.quartile_chart import bar, reversed_pairs

# Notes on Demšar (2006), "Overall": min, 25%, 50%, 75%, max of four learners; five values have these quartiles.
NOTES = {
    "bc": [0.3, 2.7, 9.4, 13.4, 88.8],
    "bfc": [0.6, 8.4, 11.8, 17.0, 103.6],
    "bf": [0.9, 10.3, 13.0, 21.4, 98.8],
    "fc": [1.4, 12.2, 25.5, 79.3, 117.2],
}


def test_the_example_of_the_notes() -> None:
    results = made(np.array(list(NOTES.values())).T, names=NOTES)
    assert str(quartile_chart(results, width=24)) == "\n".join(
        [
            "==== score (lower is better) ====",
            "---- data ----",
            "name    min    25%    50%    75%    max",
            "bc      0.3    2.7    9.4   13.4   88.8  [  | ++++++++++++++      ]",
            "bfc     0.6    8.4   11.8   17.0  103.6  [--| +++++++++++++++++   ]",
            "bf      0.9   10.3   13.0   21.4   98.8  [--|  +++++++++++++++    ]",
            "fc      1.4   12.2   25.5   79.3  117.2  [--   |           +++++++]",
            "bars from 0.3 to 117.2: --- min to 25%, | median, +++ 75% to max",
        ]
    )


def test_rows_are_ordered_by_median_the_best_first() -> None:
    results = made(np.array(list(NOTES.values())).T, names=NOTES)
    assert quartile_chart(results).sections[0].algorithms == ("bc", "bfc", "bf", "fc")
    assert quartile_chart(results.replace(measures=flipped(results).measures)).sections[0].algorithms == (
        "fc",
        "bf",
        "bfc",
        "bc",
    )


def test_the_numbers(monks3) -> None:
    chart = quartile_chart(monks3, "Misclassification")
    values = monks3.to_wide("Misclassification")
    frame = chart.frame().set_index("algorithm")
    expected = values.quantile([0, 0.25, 0.5, 0.75, 1]).T.loc[frame.index]
    np.testing.assert_allclose(frame[["min", "q25", "median", "q75", "max"]], expected)
    assert list(chart.frame().columns) == list(chart.legend)


@given(tables(15, 1))
def test_a_bar_holds_its_signs_in_order(table: np.ndarray) -> None:
    numbers = np.quantile(table[:, 0], [0, 0.25, 0.5, 0.75, 1]).tolist()
    text = bar(numbers, -3, 3, 31)
    assert len(text) == 31
    assert text.count("|") == 1
    middle = text.index("|")
    assert set(text[:middle]) <= {"-", " "}
    assert set(text[middle + 1 :]) <= {"+", " "}


def test_bars_by_hand() -> None:
    assert bar([0, 2, 5, 6, 10], 0, 10, 11) == "--   | ++++"
    assert bar([0, 0, 5, 10, 10], 0, 10, 11) == "     |     "
    assert bar([3, 3, 3, 3, 3], 3, 3, 11) == "     |     "
    assert bar([1, 10, 100, 1000, 10000], 1, 10000, 9, logged=True) == "--  |  ++"


def agreeing(reverse: int) -> podium.Results:
    """Four data sets on which the first algorithm is best, and some where it is worst."""
    table = np.tile([1.0, 2.0, 3.0], (6, 3, 1)) + np.arange(6)[:, None, None]
    for i in range(reverse):
        table[i] = table[i, :, ::-1]
    labels = {"dataset": [f"d{i}" for i in range(6)], "replication": range(3), "algorithm": ["a", "b", "c"]}
    return podium.read(table, labels=labels, measure="score", direction="lower")


def test_the_overall_chart_comes_first_and_stands_without_a_warning_if_all_agree() -> None:
    chart = quartile_chart(agreeing(0))
    assert [part.title for part in chart.sections] == ["overall", "d0", "d1", "d2", "d3", "d4", "d5"]
    assert chart.warning == ""
    assert "Do not rely" not in str(chart)


def test_it_warns_where_the_overall_chart_is_strikingly_different_from_the_parts() -> None:
    chart = quartile_chart(agreeing(2))
    assert chart.different == ("d0", "d1")
    text = str(chart)
    assert chart.warning.startswith("Do not rely on the overall chart: 2 of 6 data sets reverse")
    assert "---- d0 ----   (strikingly different from overall)" in text
    assert "---- d2 ----\n" in text


def test_shuffling_changes_nothing() -> None:
    results = podium.examples.load_ulas2008()
    chart = str(quartile_chart(results))
    assert str(quartile_chart(shuffled(results))) == chart
    assert max(len(line) for line in chart.splitlines()) <= 78  # that an email does not break


def test_an_algorithm_that_was_not_run_on_a_data_set_is_not_in_its_section() -> None:
    results = with_gaps(agreeing(0), (0, 0, 1), (0, 1, 1), (0, 2, 1))
    chart = quartile_chart(results, missing="available")
    assert chart.sections[1].algorithms == ("a", "c")
    assert chart.sections[2].algorithms == ("a", "b", "c")


def test_reversed_pairs() -> None:
    assert reversed_pairs(np.array([1.0, 2, 3]), np.array([3.0, 2, 1])) == 1
    assert reversed_pairs(np.array([1.0, 1, 3]), np.array([3.0, 2, 4])) == 0
    assert reversed_pairs(np.array([1.0]), np.array([1.0])) == 0


def test_it_says_what_was_done_about_missing_cells_and_which_algorithms_have_no_value() -> None:
    whole = made([[1, 2, 3], [3, 4, 5]])
    assert quartile_chart(whole).missing == ""
    chart = quartile_chart(with_gaps(whole, (0, 0, 1), (0, 1, 1)), missing="available")
    assert "a1 (absent)" in chart.missing
    assert chart.sections[0].algorithms == ("a0", "a2")


def test_a_data_set_that_is_called_overall_is_not_the_overall_chart() -> None:
    values = np.array([[1.0, 2, 3], [1, 2, 3], [3, 2, 1]])
    labels = {"dataset": ["x", "y", "overall"], "algorithm": list("abc")}
    chart = quartile_chart(podium.read(values, labels=labels, measure="loss", direction="lower"))
    lines = [line for line in str(chart).splitlines() if line.startswith("----")]
    assert lines == [
        "---- overall ----",
        "---- overall ----",
        "---- x ----",
        "---- y ----",
    ]
