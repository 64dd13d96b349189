"""Summaries: table 2.1 of Eugster (2011), R's figures, any statistic, legends, messages."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from made_results import flipped, made, several, shuffled, with_gaps
from scipy.stats import gmean, gstd, t

import podium
from podium.analysis.describe import intervals, orders, places, quartile_chart, summarize, worst_case
from podium.errors import InputError, MissingCellsError

ERROR = "Misclassification"

# Eugster (2011), table 2.1: mean, SD, median, max, as printed.
TABLE_2_1 = {
    "lda": ("0.0352", "0.0094", "0.0350", "0.0561"),
    "knn": ("0.0344", "0.0118", "0.0340", "0.0707"),
    "nnet": ("0.0293", "0.0123", "0.0273", "0.0631"),
    "rf": ("0.0197", "0.0117", "0.0185", "0.0567"),
    "rpart": ("0.0116", "0.0080", "0.0100", "0.0561"),
    "svm": ("0.0110", "0.0059", "0.0100", "0.0340"),
}


def test_table_2_1_to_every_digit(monks3) -> None:
    frame = summarize(monks3, ERROR)[["mean", "sd", "median", "max"]]
    printed = {
        name: tuple(f"{number:.4f}" for number in row) for name, row in zip(frame.index, frame.to_numpy(), strict=True)
    }
    assert printed == TABLE_2_1


@pytest.mark.parametrize(("measure", "key"), [(ERROR, "misclassification"), ("Time", "time")])
def test_what_r_computes(monks3, golden, measure: str, key: str) -> None:
    # R 4.2.2: mean, sd, median, max, min; printed with 15 digits.
    table = golden["summary"][key]
    expected = pd.DataFrame(table["matrix"], index=table["rows"], columns=table["cols"])
    frame = summarize(monks3, measure, transform="identity").loc[table["rows"], table["cols"]]
    np.testing.assert_allclose(frame, expected, rtol=1e-12, atol=1e-15)


def test_averages_of_times_are_geometric(monks3) -> None:
    # SciPy: gmean, gstd (with n - 1)
    values = monks3.select(measure="Time").values[0, :, :, 0]
    frame = summarize(monks3, "Time").loc[list(monks3.algorithms)]
    np.testing.assert_allclose(frame["geometric mean"], gmean(values, axis=0))
    np.testing.assert_allclose(frame["geometric sd"], gstd(values, axis=0))
    np.testing.assert_allclose(frame["median"], np.median(values, axis=0))
    assert "mean" not in frame and frame.attrs["measure"] == "Time (lower is better)"
    assert frame.attrs["legend"]["geometric mean"] == "exp of the mean of the logarithms, over replications"
    root = summarize(monks3, "Time", transform=np.sqrt).loc[list(monks3.algorithms)]
    np.testing.assert_allclose(root["mean"], np.sqrt(values).mean(axis=0))
    ends = intervals(monks3, "Time", kind="t").loc[list(monks3.algorithms)]
    mean, error = np.log(values).mean(axis=0), np.log(values).std(axis=0, ddof=1) / np.sqrt(len(values))
    np.testing.assert_allclose(ends["estimate"], np.exp(mean))
    np.testing.assert_allclose(ends["upper"], np.exp(mean + t.ppf(0.975, len(values) - 1) * error))


def test_the_mean_rank_times_250_is_the_rank_sum_of_the_friedman_test(monks3) -> None:
    # Eugster (2011), section 2.3: R_k of lda, knn, nnet, rf, rpart, svm.
    published = {"lda": 1260, "knn": 1233, "nnet": 1062.5, "rf": 748, "rpart": 482, "svm": 464.5}
    assert (summarize(monks3, ERROR)["mean rank"] * 250).round(9).to_dict() == published


def test_rows_come_best_first_and_equal_ones_by_name(monks3) -> None:
    assert list(summarize(monks3, ERROR).index) == ["svm", "rpart", "rf", "nnet", "knn", "lda"]
    assert list(summarize(flipped(monks3), ERROR).index) == ["svm", "rpart", "rf", "nnet", "knn", "lda"]
    assert list(summarize(made([[1, 0, 1]], names=["c", "b", "a"])).index) == ["b", "a", "c"]


def test_the_order_of_rows_and_columns_does_not_matter(monks3) -> None:
    pd.testing.assert_frame_equal(summarize(shuffled(monks3), ERROR), summarize(monks3, ERROR), rtol=1e-12)


def test_several_data_sets_count_once_each_whatever_their_replications() -> None:
    results = several()
    means = results.values[..., 0].mean(axis=1)
    frame = summarize(results).loc[list(results.algorithms)]
    assert frame["n"].tolist() == [4, 4, 4]
    np.testing.assert_allclose(frame["mean"], means.mean(axis=0))
    np.testing.assert_allclose(frame["sd"], means.std(axis=0, ddof=1))


def test_any_statistic_becomes_a_column(monks3) -> None:
    def spread(values: np.ndarray) -> float:
        """Distance of the deciles."""
        return float(np.quantile(values, 0.9) - np.quantile(values, 0.1))

    frame = summarize(monks3, ERROR, statistics={"q95": "q95", "bad": "worst", "good": "best", "spread": spread})
    values = monks3.to_wide(ERROR)["svm"].to_numpy()
    assert frame.loc["svm", "q95"] == np.quantile(values, 0.95)
    assert frame.loc["svm", "bad"] == values.max()
    assert frame.loc["svm", "good"] == values.min()
    assert frame.loc["svm", "spread"] == np.quantile(values, 0.9) - np.quantile(values, 0.1)
    assert frame.attrs["legend"]["spread"] == "Distance of the deciles, over replications"


def test_best_and_worst_follow_the_direction() -> None:
    accuracy = made([[0.1], [0.9]], direction="higher")
    assert summarize(accuracy, statistics=["best", "worst"]).loc["a0", ["best", "worst"]].tolist() == [0.9, 0.1]


def test_missing_cells_follow_the_policy() -> None:
    results = with_gaps(made([[1, 2], [3, 4], [5, 9]]), (0, 2, 1))
    frame = summarize(results, missing="available")
    assert frame["n"].to_dict() == {"a0": 2, "a1": 2}
    assert frame["mean"].to_dict() == {"a0": 2, "a1": 3}
    assert frame["mean rank"].to_dict() == {"a0": 1, "a1": 2}
    dropped = summarize(results, missing="drop-block")
    assert dropped["mean"].to_dict() == {"a0": 2, "a1": 3}
    assert "dropped 1 block" in dropped.attrs["missing"]


def test_one_replication_has_no_sd() -> None:
    assert np.isnan(summarize(made([[1, 2]])).loc["a0", "sd"])


@pytest.mark.parametrize(
    "table",
    [
        lambda results: summarize(results, statistics=["iqr", "range", "worst"]),
        orders,
        places,
        lambda results: intervals(results, kind="bootstrap", resamples=10),
        lambda results: worst_case(results, interval=True, resamples=10),
    ],
)
def test_every_column_has_a_legend(table: Callable[[podium.Results], pd.DataFrame], monks3) -> None:
    frame = table(monks3.select(measure=ERROR))
    assert list(frame.attrs["legend"]) == list(frame.columns)


THREE = made([[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: summarize(THREE, statistics="modus"),
            "`statistics` must be one of 'mean', 'median', 'min', 'max', 'best', 'worst', 'sd', 'iqr', 'range', 'q25', "
            "'q95' (any of q0 to q100), or a function; got 'modus'.",
        ),
        (
            lambda: summarize(THREE, statistics=["iqr", "mean"]),
            "`statistics` has 'mean' twice; rename one of them with a mapping.",
        ),
        (
            lambda: intervals(THREE, statistic="median"),
            "`statistic='median'` needs kind='bootstrap'; 'percentile' intervals are for the mean.",
        ),
        (lambda: worst_case(THREE, m=2, quantile=0.9), "Give `m` or `quantile`, not both."),
    ],
)
def test_messages(call: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    assert str(caught.value) == message


@pytest.mark.parametrize("missing", ["raise", "available"])
@pytest.mark.parametrize("function", [summarize, quartile_chart, worst_case, podium.plot.box])
def test_nothing_to_describe(function: Callable[..., object], missing: str) -> None:
    with pytest.raises(MissingCellsError, match="have no value of 'score': all 6 cells are missing"):
        function(made(np.full((3, 2), np.nan)), missing=missing)


def test_blocks_that_a_stopping_rule_cut_short_have_no_ranks() -> None:
    # c was left out after two replications of four; in these, a is first twice, then b and c.
    values = np.array([[1.0, 2, 3], [1, 3, 2], [4, 2, np.nan], [5, 1, np.nan]])[None, :, :, None]
    results = podium.read(
        values,
        labels={"dataset": ["d"], "replication": [1, 2, 3, 4], "algorithm": list("abc"), "measure": ["loss"]},
        direction="lower",
    )
    reasons = np.where(np.isnan(values), 6, 0).astype(np.uint8)  # stopped
    frame = podium.summarize(results.replace(reasons=reasons), missing="available")
    assert frame["mean rank"].to_dict() == {"a": 1.0, "b": 2.5, "c": 2.5}
    assert frame["n"].to_dict() == {"a": 2, "b": 2, "c": 2}
