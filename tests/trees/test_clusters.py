"""Comparisons that are not independent: levels under no effect, and laws of the covariance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.errors import InputError


def scores(values: np.ndarray) -> podium.PairedComparisons:
    """Comparisons from data sets × replications × algorithms."""
    m, b, k = values.shape
    labels = {
        "dataset": [f"d{i}" for i in range(m)],
        "replication": list(range(1, b + 1)),
        "algorithm": [f"a{j}" for j in range(k)],
    }
    results = podium.read(values, labels=labels, measure="error", direction="lower")
    return podium.PairedComparisons.from_results(results, epsilon=0.2)


@pytest.mark.parametrize(("shape", "differ"), [((14, 1, 5), 0.0), ((10, 8, 3), 1.0)], ids=["one value", "replications"])
def test_equal_algorithms_are_rarely_called_different(shape: tuple[int, int, int], differ: float) -> None:
    # Data sets without a common order of the algorithms: 50 samples; 8 rejections are beyond chance at 5% (0.4%).
    rng = np.random.default_rng(3)
    found, as_model = 0, 0
    for _ in range(50):
        values = differ * rng.normal(size=(shape[0], 1, shape[2])) + rng.normal(size=shape)
        model = podium.bradley_terry(scores(values))
        found += bool((model.compare(adjust="bonferroni").adjusted <= 0.05).any())
        first, second = np.triu_indices(shape[2], 1)
        V = model.covariance
        z = (model.estimates[first] - model.estimates[second]) / np.sqrt(
            V[first, first] + V[second, second] - 2 * V[first, second]
        )
        as_model += bool((np.abs(z) > 2.8).any())  # the normal quantile of Bonferroni for 10 pairs
    assert found <= 7
    assert as_model >= 10  # what it would be if all comparisons were treated as independent


def test_the_baseline_does_not_matter_and_nothing_is_surer_than_the_model() -> None:
    rng = np.random.default_rng(1)
    pairs = scores(rng.normal(size=(6, 3, 4)) + 0.4 * np.arange(4))
    one, other = (podium.bradley_terry(pairs, baseline=name) for name in ("a0", "a3"))
    assert one.compare(adjust="holm").se == pytest.approx(other.compare(adjust="holm").se, rel=1e-6)
    V, df = one.covariance_of()
    assert df == 5 and np.linalg.eigvalsh(V - one.covariance)[0] > -1e-9
    assert one.covariance_of("replication")[1] == 17
    assert (
        "18 replications come from 6 data sets and are treated as independent" in one.compare(unit="replication").text()
    )


def test_data_sets_that_agree_do_not_make_a_difference_certain() -> None:
    compared = podium.bradley_terry(scores(np.tile([0.0, 1.0, 2.0], (3, 1, 1)))).compare(adjust="none")
    assert (compared.pvalue > 0.05).all()


def test_duels_stand_alone() -> None:
    duels = pd.DataFrame({"a": ["x", "y", "x"] * 4, "b": ["y", "z", "z"] * 4, "outcome": [1, 1, -1, -1, 1, 0] * 2})
    model = podium.bradley_terry(podium.PairedComparisons.from_duels(duels))
    V, df = model.covariance_of()
    assert V is model.covariance and df == np.inf and model.clusters() is None
    assert "on 12 comparisons." in model.compare().text()
    with pytest.raises(InputError, match="do not say which data set they are from"):
        model.compare(unit="dataset")


def judged(rng: np.random.Generator, users: int = 40, each: int = 10, k: int = 3) -> pd.DataFrame:
    """Duels of users with preferences of their own; no model is better for all."""
    own = rng.normal(size=(users, k))
    user = np.repeat(np.arange(users), each)
    a = rng.integers(0, k, len(user))
    b = (a + rng.integers(1, k, len(user))) % k
    won = rng.random(len(user)) < 1 / (1 + np.exp(own[user, b] - own[user, a]))
    names = np.array([f"m{i}" for i in range(k)])
    return pd.DataFrame({"a": names[a], "b": names[b], "outcome": np.where(won, 1, -1), "user": user})


def test_duels_of_users_with_own_preferences() -> None:
    # 50 samples; 8 rejections are beyond chance at 5% (0.4%).
    rng = np.random.default_rng(2)
    found = as_rows = 0
    for _ in range(50):
        duels = judged(rng)
        one, other = (podium.PairedComparisons.from_duels(duels, cluster=cluster) for cluster in ("user", None))
        found += bool((podium.bradley_terry(one).compare(adjust="holm").adjusted <= 0.05).any())
        as_rows += bool((podium.bradley_terry(other).compare(adjust="holm").adjusted <= 0.05).any())
    assert found <= 7
    assert as_rows >= 10  # what it is if all rows are treated as independent


def test_users_are_subjects() -> None:
    """Duels clustered by replication are the comparisons of the results that they come from."""
    pairs = scores(np.random.default_rng(1).normal(size=(1, 12, 4)))
    row, pair = pairs.row, pairs.pair
    names = np.array(pairs.objects)
    duels = pd.DataFrame(
        {
            "a": names[pairs.first[pair]],
            "b": names[pairs.second[pair]],
            "outcome": np.array([1, -1, 0])[pairs.outcome],
            "user": [f"u{i}" for i in row],
        }
    ).sample(frac=1, random_state=0)
    read = podium.PairedComparisons.from_duels(duels, cluster="user")
    assert read.rows == 12 and set(read.subjects) == set(duels["user"])
    one, two = (podium.bradley_terry(comparisons).compare() for comparisons in (pairs, read))
    assert one.df[0] == two.df[0] == 11
    assert one.frame()["estimate"].to_numpy() == pytest.approx(two.frame()["estimate"].to_numpy(), abs=1e-9)
    assert one.se == pytest.approx(two.se, rel=1e-6)
    with pytest.raises(InputError, match="a subject compared a pair several times"):
        podium.PairedComparisons.from_duels(duels.assign(user="one"), cluster="user").frame()
    with pytest.raises(InputError, match="column 'user' must say who judged in every row; row 0 has no value"):
        podium.PairedComparisons.from_duels(duels.assign(user=None), cluster="user")
