"""The elbow of a scree curve, and curves that have none."""

from __future__ import annotations

import numpy as np
import pytest

import podium
from podium.analysis.archetypes.path import elbow_of


@pytest.mark.parametrize(
    ("roots", "elbow"),
    [
        ([9, 8, 3, 2, 1], 3),
        ([9, 7, 5, 3, 1], None),  # a straight line
        ([9, 8, 6, 4, 1], None),  # bent upwards
        ([9, 6.99, 5, 3, 1], None),  # straight but for a trifle
        ([5, 5, 5, 5, 5], None),
        ([9, 1], None),
    ],
)
def test_a_curve_that_is_nowhere_below_the_chord_has_no_elbow(roots: list[float], elbow: int | None) -> None:
    assert elbow_of(range(1, len(roots) + 1), np.square(roots).tolist()) == elbow


def test_noise_without_an_elbow_is_called_so() -> None:
    X = np.random.default_rng(1).normal(size=(50, 3))
    path = podium.archetypes(X, k=range(1, 5), n_init=3)
    assert path.elbow is None and not path.frame()["elbow"].any()
    assert path.solution_.k == 4


def test_a_domain_without_an_elbow_is_described_with_the_most_archetypes() -> None:
    values = np.random.default_rng(1).normal(size=(3, 10, 5))
    labels = {"dataset": list("xyz"), "replication": range(10), "algorithm": list("abcde")}
    results = podium.read(values, labels=labels, measure="score", direction="lower")
    found = podium.archetypal.domain_archetypes(results, k=range(1, 5), n_init=3)
    assert found.path.elbow is None and found.k == 4
    assert "the scree curve has no elbow" in str(found)
