"""What must not change an outcome: the order of rows and columns, names, a flipped direction."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium import Results
from podium.errors import LabelError, MissingCellsError
from slow_laws import few_examples

DATASETS, ALGORITHMS = ["d1", "d2", "d10"], ["knn", "lda", "svm"]


INDEX = pd.MultiIndex.from_product([DATASETS, ALGORITHMS, range(3)], names=["dataset", "algorithm", "replication"])
ROWS = pd.DataFrame({"measure": "accuracy"}, index=INDEX).reset_index()
TENTHS = st.lists(st.integers(0, 20), min_size=len(ROWS), max_size=len(ROWS))


def tables() -> st.SearchStrategy[pd.DataFrame]:
    """Long tables with ties, without missing cells."""
    return TENTHS.map(lambda tenths: ROWS.assign(value=np.divide(tenths, 10)))


def outcomes(results: Results) -> dict[str, pd.DataFrame]:
    """Everything that is computed here from results, by name."""
    return {
        "ranks": results.ranks().to_long(),
        "random ranks": results.ranks(ties="random", seed=1).to_long(),
        "means": results.aggregate("mean").to_long(),
        "summary": podium.summarize(results),
        "summary of one data set": podium.summarize(results.select(dataset=results.datasets[0])),
    }


def assert_same(one: dict[str, pd.DataFrame], two: dict[str, pd.DataFrame]) -> None:
    for name in one:
        pd.testing.assert_frame_equal(one[name], two[name], check_exact=True)


@few_examples()
@given(tables(), st.randoms(use_true_random=False))
def test_shuffled_rows(frame: pd.DataFrame, random) -> None:
    """Nothing is aligned by the position of a row."""
    rows = list(frame.index)
    random.shuffle(rows)
    one, two = podium.read(frame), podium.read(frame.loc[rows])
    assert_same(outcomes(one), outcomes(two))
    assert np.array_equal(one.values, two.values)


@few_examples()
@given(tables(), st.permutations(ALGORITHMS))
def test_shuffled_columns_of_a_wide_table(frame: pd.DataFrame, order: list[str]) -> None:
    wide = frame.pivot(index=["dataset", "replication"], columns="algorithm", values="value")
    one = podium.read(wide, measure="accuracy")
    two = podium.read(wide[order], measure="accuracy")
    assert one == two
    assert one.ranks() == two.ranks()
    assert one.ranks(ties="random", seed=4) == two.ranks(ties="random", seed=4)
    assert_same({"": podium.summarize(one)}, {"": podium.summarize(two)})


@few_examples()
@given(tables())
def test_flipped_direction(frame: pd.DataFrame) -> None:
    """Negating the values and flipping the direction leaves ranks as they are, and best stays first."""
    results = podium.read(frame)
    flipped = podium.read(frame.assign(value=-frame.value), direction="lower")
    assert results.ranks() == flipped.ranks()
    assert results.ranks(ties="random", seed=2) == flipped.ranks(ties="random", seed=2)
    one, two = podium.summarize(results), podium.summarize(flipped)
    assert list(one.index) == list(two.index)
    assert one["mean rank"].tolist() == two["mean rank"].tolist()
    assert one["mean"].tolist() == (-two["mean"]).tolist()
    assert one["q25"].to_numpy() == pytest.approx(-two["q75"].to_numpy(), rel=1e-12)
    means = results.aggregate("mean"), flipped.aggregate("mean")
    assert np.array_equal(means[0].values, -means[1].values)


@few_examples()
@given(tables(), st.permutations(ALGORITHMS), st.permutations(DATASETS))
def test_renamed_algorithms_and_data_sets(frame: pd.DataFrame, algorithms: list[str], datasets: list[str]) -> None:
    """Names are only names: ranks and means go with the values, whatever the names and their order."""
    new = dict(zip(ALGORITHMS, algorithms, strict=True))
    results, renamed = podium.read(frame), podium.read(frame.assign(algorithm=frame.algorithm.map(new)))
    ranks, summary = results.ranks(), podium.summarize(results)
    assert renamed == results.rename(algorithms=new)
    assert renamed.ranks() == ranks.rename(algorithms=new)
    assert renamed.aggregate() == results.aggregate().rename(algorithms=new)
    one, two = summary.rename(index=new), podium.summarize(renamed)
    pd.testing.assert_frame_equal(one.sort_index(), two.sort_index(), check_exact=True)
    new = dict(zip(DATASETS, datasets, strict=True))
    renamed = podium.read(frame.assign(dataset=frame.dataset.map(new)))
    assert renamed.ranks() == ranks.rename(datasets=new)
    pd.testing.assert_frame_equal(summary.sort_index(), podium.summarize(renamed).sort_index(), rtol=1e-12)


def test_missing_scores_are_never_ignored_silently() -> None:
    """An algorithm with a gap is neither dropped nor ranked among fewer unless the caller says so."""
    frame = pd.DataFrame({"dataset": ["a", "b"], "svm": [0.9, np.nan], "knn": [0.8, 0.7], "tree": [0.7, 0.9]})
    results = podium.read(frame, measure="accuracy")
    for compute in (results.ranks, results.aggregate):
        with pytest.raises(MissingCellsError, match=r"^1 of 6 cells is missing: svm on b, replication 1"):
            compute()
    for policy, ranks in {
        "drop-block": [[1, 2, 3]],
        "drop-algorithm": [[1, 2], [2, 1]],
        "worst-rank": [[1, 2, 3], [3, 2, 1]],
        "worst-value": [[1, 2, 3], [2.5, 2.5, 1]],
    }.items():
        ranked = results.ranks(missing=policy)
        assert ranked.values[:, 0, :, 0].tolist() == ranks
        assert ranked.reports[-1].policy == policy
        assert ranked.reports[-1].missing == 1


def test_equal_names_are_never_pooled() -> None:
    """An algorithm given twice is refused with both names, wherever the second one comes from."""
    frame = pd.DataFrame({"dataset": ["a", "a"], "algorithm": ["svm", "svm "], "accuracy": [0.9, 0.8]})
    with pytest.raises(LabelError, match=r"'svm' in row 0 and 'svm ' in row 1"):
        podium.read(frame)
    other = podium.read(frame.iloc[:1])
    with pytest.raises(LabelError, match=r"The algorithm 'my svm' is given twice: 'my svm' at .* and 'my  svm' at"):
        other.rename(algorithms={"svm": "my svm"}).combine(other.rename(algorithms={"svm": "my  svm"}))


def test_data_sets_with_many_replications_count_no_more_than_others() -> None:
    """The mean over data sets is the mean of their means, however many replications each has."""
    frame = pd.DataFrame(
        {
            "dataset": ["a"] * 6 + ["b"] * 2,
            "algorithm": ["x", "y"] * 4,
            "replication": [1, 1, 2, 2, 3, 3, 1, 1],
            "accuracy": [1.0, 0.5, 1.0, 0.5, 1.0, 0.5, 0.0, 0.5],
        }
    )
    assert podium.summarize(podium.read(frame))["mean"].to_dict() == {"x": 0.5, "y": 0.5}
