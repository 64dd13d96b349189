"""Input that cannot be fitted is refused with an explanation and a way out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import podium
from podium.analysis.mixed import mixed
from podium.analysis.mixed.compare import compare_mixed
from podium.analysis.mixed.fit import MixedFit
from podium.errors import InputError, PodiumError


@pytest.fixture
def values(draw) -> np.ndarray:
    return draw(np.random.default_rng(1), (4, 3, 3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"estimation": "reml"}, "`estimation` must be one of 'REML', 'ML'; got 'reml'. Did you mean 'REML'?"),
        (
            {"model": "block"},
            "`model='block'` is for one data set, and there are 4. Select one, or use 'domain' (data sets drawn from a "
            "domain) or 'survey' (these data sets and no others).",
        ),
    ],
)
def test_messages_of_models(of, values: np.ndarray, options: dict, message: str) -> None:
    with pytest.raises(PodiumError) as caught:
        mixed(of(values), **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda fit: fit.contrasts([[1, -1]]),
            "`contrasts` must be a matrix of numbers with 3 columns, one per algorithm in the order 'a0', 'a1', 'a2'; "
            "got 1 × 2. A DataFrame with algorithms as columns may leave some out.",
        ),
        (lambda fit: fit.contrasts("control"), "`contrasts='control'` needs the name of the control: control=..."),
        (
            lambda fit: fit.omnibus(effect="interaction"),
            "`effect='interaction'` is a test of the survey model: model='survey'.",
        ),
        (
            podium.plot.simultaneous_intervals,
            "`comparison` must be a Comparison; got a MixedFit. Use fit.contrasts().",
        ),
    ],
)
def test_messages_of_fits(of, values: np.ndarray, call: Callable[[MixedFit], object], message: str) -> None:
    with pytest.raises(InputError) as caught:
        call(mixed(of(values)))
    assert str(caught.value) == message


@pytest.mark.parametrize("options", [{"model": "domain"}, {"residual": "dataset"}])
def test_models_that_need_several_data_sets(of, values: np.ndarray, options: dict) -> None:
    for part in (values[:1], values[:, :1]):
        with pytest.raises(InputError, match=r"needs several data sets|needs replications within data sets"):
            mixed(of(part), **options)


def test_too_little_data(of, values: np.ndarray) -> None:
    sparse = np.full((2, 2, 2), np.nan)
    sparse[:, 0, 0] = sparse[:, 1, 1] = 1.0
    for part, text in (
        (values[:, :, :1], "A comparison needs two algorithms or more; got 'a0'."),
        (values[:1, :1], "A mixed model needs replications; 'd0' has one."),
        (sparse, "Nothing is left to estimate the residual variance from: 4 values, 4 means"),
    ):
        with pytest.raises(InputError, match=text):
            mixed(of(part))


def test_empty_cells_of_a_survey(of, values: np.ndarray) -> None:
    values[1, :, 2] = np.nan
    with pytest.raises(InputError, match="needs every algorithm on every data set; 'a2' has no value on 'd1'"):
        mixed(of(values), model="survey")
    assert mixed(of(values)).nobs == 33


def test_data_sets_without_values_are_left_out(of, values: np.ndarray) -> None:
    values[2] = np.nan
    fit = mixed(of(values))
    assert fit.design.source.datasets == ("d0", "d1", "d3")
    assert "'d2'" in str(fit.contrasts().notes[0])


def test_values_without_variation(of, values: np.ndarray) -> None:
    flat = np.repeat(values[:, :1], 3, axis=1)
    with pytest.raises(InputError, match="algorithms differ by the same amounts in every replication: no variation"):
        mixed(of(flat))
    flat[0, 0, 0] = np.nan
    with pytest.raises(InputError, match="algorithms differ by the same amounts in every replication of 'd0'"):
        mixed(of(flat[:1]))
    values[2] = 0.5
    with pytest.raises(InputError, match="needs variation on every data set; there is none on 'd2'"):
        mixed(of(values), residual="dataset")


def test_a_block_of_another_size_is_not_called_constant(of) -> None:
    # The differences vary with a standard deviation of 1, but beside a block near 1e9 rounding leaves nothing of it.
    values = np.random.default_rng(7).normal(size=(1, 10, 4))
    values[0, 0] = np.round(values[0, 0] + 1e9)
    with pytest.raises(InputError, match="that rounding leaves nothing of the variation to compare with"):
        mixed(of(values))
    centred = mixed(of(values - values.mean(axis=2, keepdims=True)))
    assert 0.3 < centred.components.loc["residual", "variance"] < 3


def test_missing_cells_by_policy(of, values: np.ndarray) -> None:
    values[0, 0, 0] = np.nan
    results = of(values)
    assert mixed(results).nobs == 35
    assert mixed(results, missing="drop-block").nobs == 33
    assert mixed(results, missing="drop-algorithm").design.algorithms == ("a1", "a2")
    assert mixed(results, missing="worst-value").nobs == 36
    with pytest.raises(ValueError, match="1 of 36 cells is missing"):
        mixed(results, missing="raise")
    assert compare_mixed(results).missing.missing == 1
    with pytest.raises(InputError, match="`df='exact'` needs a complete design"):
        mixed(results).omnibus(df="exact")


def test_a_relative_area_needs_a_mean_other_than_zero(of) -> None:
    zero = np.array([[[-1.0, 2.0], [1.0, 3.0], [0.0, 2.5]]])
    with pytest.raises(InputError, match="needs a mean other than 0; that of 'a0' is 0"):
        mixed(of(zero)).contrasts(equivalence=0.1, relative=True)


def test_a_residual_variance_of_a_data_set_that_tends_to_zero(of, draw) -> None:
    values = draw(np.random.default_rng(11), (7, 3, 2), missing=0.2)
    with pytest.raises(InputError, match="cannot be estimated: the residual variance on 'd4', 'd5' tends to zero"):
        mixed(of(values), residual="dataset")


@pytest.mark.parametrize(
    ("seed", "covariance"), [(8, "scalar"), (63, "scalar"), (32, "unstructured"), (78, "unstructured")]
)
def test_rounding_does_not_decide_which_residual_variances_vanish(of, draw, seed: int, covariance: str) -> None:
    """Changes of the size of rounding errors, as another processor makes them, lead to the same end."""
    rng = np.random.default_rng(seed)
    values = draw(rng, (7, 3, 2), missing=0.2)
    values[2, 1:, 1] = np.nan  # one full row on a data set, and values of one algorithm
    ends = set()
    for _ in range(4):
        try:
            fit = mixed(of(values), residual="dataset", covariance=covariance)
            ends.add((tuple(fit.solution.boundary.tolist()), f"{fit.criterion:.5f}"))
        except InputError as error:
            ends.add((str(error),))
        values = values * (1 + 1e-15 * rng.normal(size=values.shape))
    assert len(ends) == 1, ends


def test_adjustments_of_compare_are_those_of_contrasts(of, values: np.ndarray) -> None:
    adjusted = podium.compare(of(values), method="mixed", adjust="holm")
    np.testing.assert_array_equal(adjusted.adjusted, mixed(of(values)).contrasts(adjust="holm").adjusted)


def test_differences_that_are_the_same_on_all_data_sets_are_refused() -> None:
    offset = 0.25 * np.arange(6)[:, None, None] + 0.5 * np.arange(3)  # data sets and algorithms add up
    noise = np.array([0, 0.125, -0.125, 0])[:, None] * [0, 1, 0]  # means over the replications are exact
    labels = {"dataset": None, "replication": None, "algorithm": ["a", "b", "c"]}
    fit = mixed(podium.read(offset + noise, labels=labels, measure="error"))
    for call in (fit.omnibus, fit.contrasts):
        with pytest.raises(InputError, match="not vary over the data sets, so there is nothing to compare"):
            call()
