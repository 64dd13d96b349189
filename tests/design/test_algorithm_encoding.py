"""Attributes as numbers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.design.encoding import Encoder, as_frame, first_component, response_columns
from podium.errors import InputError

LEARN = pd.DataFrame(
    {
        "size": [1.0, 3.0, np.nan, 8.0],
        "colour": pd.Categorical(["red", "blue", None, "red"], categories=["blue", "green", "red"]),
        "big": [True, False, True, True],
    }
)


def test_one_hot_has_a_column_per_level_that_occurs_and_one_for_missing() -> None:
    encoder = Encoder().fit(LEARN)
    # size, colour blue and red and missing, big false and true
    expected = [[1, 0, 1, 0, 0, 1], [3, 1, 0, 0, 1, 0], [3, 0, 0, 1, 0, 1], [8, 0, 1, 0, 0, 1]]
    np.testing.assert_array_equal(encoder.transform(LEARN), expected)


def test_treatment_leaves_out_the_first_level_that_occurs() -> None:
    encoder = Encoder(nominal="treatment").fit(LEARN)
    # size, colour red and missing, big true
    expected = [[1, 1, 0, 1], [3, 0, 0, 0], [3, 0, 1, 1], [8, 1, 0, 1]]
    np.testing.assert_array_equal(encoder.transform(LEARN), expected)


def test_levels_and_gaps_of_later_observations() -> None:
    later = pd.DataFrame({"size": [np.nan], "colour": ["violet"], "big": [None]})
    np.testing.assert_array_equal(Encoder().fit(LEARN).transform(later), [[3, 0, 0, 0, 0, 0]])
    codes = Encoder(nominal="codes", impute=False).fit(LEARN).transform(later)
    assert np.isnan(codes).all()


def test_codes_are_the_numbers_of_the_declared_levels() -> None:
    matrix = Encoder(nominal="codes", impute=False).fit(LEARN).transform(LEARN)
    np.testing.assert_array_equal(matrix[:, 1], [2, 0, np.nan, 2])


def test_missing_values_can_be_kept() -> None:
    matrix = Encoder(impute=False).fit(LEARN).transform(LEARN)
    assert np.isnan(matrix[2]).tolist() == [True, True, True, False, False]


def test_scaling_is_that_of_the_learning_sample_and_spares_levels() -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 6.0], "constant": 5.0, "b": list("xyxy")})
    matrix = Encoder(scale=True).fit_transform(X)
    np.testing.assert_allclose(matrix[:, 0].mean(), 0, atol=1e-15)
    np.testing.assert_allclose(matrix[:, 0].std(), 1)
    np.testing.assert_array_equal(matrix[:, 1], 0)
    assert set(matrix[:, 2:].ravel()) == {0, 1}
    later = Encoder(scale=True).fit(X).transform(X.assign(a=3.0))
    np.testing.assert_allclose(later[:, 0], 0)


def test_an_attribute_without_any_value_becomes_zero() -> None:
    X = pd.DataFrame({"a": [np.nan, np.nan], "b": pd.Series([None, None], dtype="category")})
    np.testing.assert_array_equal(Encoder(scale=True).fit_transform(X), [[0, 1], [0, 1]])


def test_levels_are_ranked_by_the_mean_response() -> None:
    X = pd.DataFrame({"level": pd.Categorical(list("aabbcc"), categories=list("abcd"))})
    y = np.array([5.0, 7.0, 1.0, 1.0, 9.0, 9.0])[:, None]
    encoder = Encoder(nominal="ordered", impute=False).fit(X, y)
    places = encoder.transform(pd.DataFrame({"level": list("bdac")}))[:, 0]
    assert places.argsort().tolist() == [0, 1, 2, 3]  # b < d, of which nothing is known, < a < c
    assert np.isnan(encoder.transform(pd.DataFrame({"level": [None]}, dtype=object))).all()


@given(st.integers(0, 2**32 - 1), st.integers(2, 6))
def test_some_threshold_on_ranked_levels_is_the_best_split_into_two_sets(seed: int, levels: int) -> None:
    # Breiman et al. (1984), theorem 4.5: for two classes, by the Gini index, against all sets of levels
    rng = np.random.default_rng(seed)
    level, y = rng.integers(0, levels, 40), rng.integers(0, 2, 40).astype(float)
    X = pd.DataFrame({"level": pd.Categorical.from_codes(level, categories=list("abcdef"[:levels]))})
    place = Encoder(nominal="ordered").fit_transform(X, np.column_stack([1 - y, y]))[:, 0]
    by_threshold = min(_gini(y, place <= cut) for cut in np.unique(place))
    sets = [np.isin(level, [g for g in range(levels) if (bits >> g) & 1]) for bits in range(2**levels)]
    assert by_threshold == pytest.approx(min(_gini(y, chosen) for chosen in sets))


def _gini(y: np.ndarray, left: np.ndarray) -> float:
    return sum(part.sum() * y[part].mean() * (1 - y[part].mean()) for part in (left, ~left) if part.any())


def test_three_classes_are_ranked_along_their_first_component() -> None:
    deviations = np.array([[0.5, -0.3, -0.2], [-0.1, 0.0, 0.1], [-0.4, 0.3, 0.1]])
    scores = first_component(deviations, np.array([10.0, 5.0, 10.0]))
    assert scores[0] > scores[1] > scores[2]


def test_arrays_have_numbered_attributes() -> None:
    assert list(as_frame(np.zeros((2, 3))).columns) == ["0", "1", "2"]
    np.testing.assert_array_equal(Encoder().fit_transform(np.eye(2)), np.eye(2))


def test_responses_become_columns() -> None:
    np.testing.assert_array_equal(response_columns([1.5, 2.0]), [[1.5], [2.0]])
    np.testing.assert_array_equal(response_columns(["b", "a"]), [[0, 1], [1, 0]])


def test_an_attribute_that_is_lacking_is_named() -> None:
    with pytest.raises(InputError) as caught:
        Encoder().fit(LEARN).transform(LEARN[["size"]])
    assert str(caught.value) == "`X` lacks the attribute 'colour', 'big' of the learning sample; it has 'size'."
