"""Preferences from results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.relation import Relation, preferences
from podium.errors import MissingCellsError


def results(**columns: list[float]) -> podium.Results:
    """Two algorithms on two data sets with two replications."""
    table = pd.DataFrame(
        {
            "dataset": ["iris"] * 4 + ["wine"] * 4,
            "algorithm": ["svm", "svm", "knn", "knn"] * 2,
            "replication": [1, 2, 1, 2] * 2,
            **columns,
        }
    )
    return podium.read(table)


BOTH = results(error=[0.1, 0.5, 0.2, 0.3, 0.4, 0.4, 0.1, 0.1], accuracy=[0.9, 0.5, 0.8, 0.7, 0.6, 0.6, 0.9, 0.9])


def test_one_relation_per_data_set() -> None:
    found = preferences(BOTH.select(measure="error"))
    assert {name: str(relation) for name, relation in found.items()} == {"iris": "knn < svm", "wine": "knn < svm"}


@pytest.mark.parametrize(
    ("statistic", "chain"),
    [("mean", "knn < svm"), ("worst", "knn < svm"), ("best", "svm < knn"), ("sd", "knn < svm"), (np.min, None)],
)
def test_statistics_follow_the_direction_of_the_measure(statistic: object, chain: str | None) -> None:
    found = preferences(BOTH.select(dataset="iris"), statistic=statistic)
    texts = {name: str(relation) for name, relation in found.items()}
    if chain is None:  # the smallest value is the best error, but the worst accuracy
        assert texts == {"accuracy": "knn < svm", "error": "svm < knn"}
    else:
        assert texts == {"accuracy": chain, "error": chain}


def test_each_measure_has_its_own_epsilon() -> None:
    found = preferences(BOTH.select(dataset="iris"), epsilon={"error": 0.1})
    assert str(found["error"]) == "knn ~ svm"
    assert str(found["accuracy"]) == "knn < svm"


def test_one_relation_from_one_measure_on_one_data_set() -> None:
    assert str(Relation.from_results(BOTH.select(measure="error", dataset="wine"))) == "knn < svm"


def test_missing_cells_need_a_policy() -> None:
    holes = results(error=[0.1, np.nan, 0.2, 0.3, 0.4, 0.4, 0.1, 0.1])
    with pytest.raises(MissingCellsError):
        preferences(holes)
    assert str(preferences(holes, missing="available")["iris"]) == "svm < knn"
