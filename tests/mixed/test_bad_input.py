"""Input that cannot be fitted is refused with an explanation and a way out."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest

import podium
from podium.analysis.mixed import mixed
from podium.analysis.mixed.compare import compare_mixed
from podium.errors import InputError, LabelError, PodiumError


@pytest.fixture
def values(draw) -> np.ndarray:
    return draw(np.random.default_rng(1), (4, 3, 3))


def message(error: type[Exception], function, *args, **options) -> str:
    with pytest.raises(error) as caught:
        function(*args, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"model": "nested"}, "`model` must be one of 'auto', 'block', 'domain', 'survey'; got 'nested'."),
        ({"covariance": "diagonal"}, "`covariance` must be one of 'scalar', 'unstructured'; got 'diagonal'."),
        ({"estimation": "reml"}, "`estimation` must be one of 'REML', 'ML'; got 'reml'. Did you mean 'REML'?"),
        ({"residual": "row"}, "`residual` must be one of 'common', 'algorithm', 'dataset'; got 'row'."),
        (
            {"model": "block"},
            "`model='block'` is for one data set, and there are 4. Select one, or use 'domain' (data sets drawn from a "
            "domain) or 'survey' (these data sets and no others).",
        ),
        (
            {"model": "survey", "covariance": "unstructured"},
            "`covariance='unstructured'` needs the domain model: several data sets, each with replications. Here the model "
            "is 'survey'.",
        ),
    ],
)
def test_options(of, values: np.ndarray, options: dict, expected: str) -> None:
    assert message(InputError, mixed, of(values), **options) == expected


def test_models_that_need_several_data_sets(of, values: np.ndarray) -> None:
    one = of(values[:1])
    assert message(InputError, mixed, one, model="domain") == (
        "`model='domain'` needs several data sets, and there is one. Use 'block'."
    )
    assert message(InputError, mixed, one, residual="dataset") == (
        "`residual='dataset'` needs several data sets with replications. Use 'common' or 'algorithm'."
    )
    single = of(values[:, :1])
    assert message(InputError, mixed, single, model="domain") == (
        "`model='domain'` needs replications within data sets, and every data set has one. Use 'block': the data sets "
        "are then the blocks."
    )


def test_too_little_data(of, values: np.ndarray) -> None:
    assert message(InputError, mixed, of(values[:, :, :1])) == ("A comparison needs two algorithms or more; got 'a0'.")
    assert message(InputError, mixed, of(values[:1, :1])) == (
        "A mixed model needs replications; 'd0' has one. With one value per algorithm no difference can be "
        "distinguished from chance."
    )
    sparse = np.full((2, 2, 2), np.nan)
    sparse[:, 0, 0] = sparse[:, 1, 1] = 1.0
    assert message(InputError, mixed, of(sparse)) == (
        "Nothing is left to estimate the residual variance from: 4 values, 4 means of algorithms on data sets and 2 "
        "additional rows. More replications, or more complete ones, are needed."
    )


def test_empty_cells_of_a_survey(of, values: np.ndarray) -> None:
    values[1, :, 2] = np.nan
    assert message(InputError, mixed, of(values), model="survey") == (
        "`model='survey'` needs every algorithm on every data set; 'a2' has no value on 'd1' (1 such cells). Leave out the "
        "data set or the algorithm, or use 'domain'."
    )
    assert mixed(of(values)).nobs == 33


def test_data_sets_without_values_are_left_out(of, values: np.ndarray) -> None:
    values[2] = np.nan
    fit = mixed(of(values))
    assert fit.design.source.datasets == ("d0", "d1", "d3")
    assert str(fit.contrasts().notes[0]) == "Left out because it has no value at all: 'd2'."


def test_several_measures(of, values: np.ndarray) -> None:
    both = of(values)
    both = both.combine(both.rename(measures={"error": "loss"}))
    assert message(InputError, mixed, both) == (
        "These results have 2 measures; say which one: measure='error'. There are 'error', 'loss'."
    )
    assert message(LabelError, mixed, both, "auc").endswith(
        "'auc', which these results do not contain. The measures are 'error', 'loss'."
    )
    assert mixed(both, "loss").design.measure.name == "loss"


def test_results_of_another_type(of, values: np.ndarray) -> None:
    frame = pd.DataFrame({"algorithm": ["svm", "knn"], "error": [0.1, 0.2]})
    expected = (
        "`results` must be a Results; got a DataFrame. Use podium.read(frame); it needs measure='...' if the table does "
        "not say what was measured."
    )
    assert message(InputError, mixed, frame) == expected
    assert message(InputError, compare_mixed, frame) == expected
    assert message(InputError, mixed, None) == (
        "`results` must be a Results; got None. Create one with podium.read or podium.run."
    )
    fit = mixed(of(values))
    assert message(InputError, mixed, fit.contrasts()) == (
        "`results` must be a Results; got a Comparison. Use the results that the Comparison was made from."
    )


def test_values_without_variation(of, values: np.ndarray) -> None:
    flat = np.repeat(values[:, :1], 3, axis=1)
    assert message(InputError, mixed, of(flat)) == (
        "The algorithms differ by the same amounts in every replication: no variation is left to compare their "
        "differences with. If the replications are copies of each other, keep one: results.aggregate('mean')."
    )
    flat[0, 0, 0] = np.nan
    assert message(InputError, mixed, of(flat[:1])) == (
        "The algorithms differ by the same amounts in every replication of 'd0': no variation is left to compare their "
        "differences with. If the replications are copies of each other, keep one: results.aggregate('mean')."
    )
    values[2] = 0.5
    assert message(InputError, mixed, of(values), residual="dataset") == (
        "`residual='dataset'` needs variation on every data set; there is none on 'd2'. Leave these out, or use "
        "residual='common'."
    )


def test_a_block_of_another_size_is_not_called_constant(of) -> None:
    # The differences vary with a standard deviation of 1, but beside a block near 1e9 rounding leaves nothing of it.
    values = np.random.default_rng(7).normal(size=(1, 10, 4))
    values[0, 0] = np.round(values[0, 0] + 1e9)
    assert message(InputError, mixed, of(values)) == (
        "The replications differ so much more than the algorithms do within them that rounding leaves nothing of the "
        "variation to compare with. Subtract from the values of each block their mean, or compare them pair by pair: "
        "method='wilcoxon' or 't'."
    )
    centred = mixed(of(values - values.mean(axis=2, keepdims=True)))
    assert 0.3 < centred.components.loc["residual", "variance"] < 3


def test_missing_cells_by_policy(of, values: np.ndarray) -> None:
    values[0, 0, 0] = np.nan
    results = of(values)
    assert mixed(results).nobs == 35
    assert mixed(results, missing="drop-block").nobs == 33
    assert mixed(results, missing="drop-algorithm").design.algorithms == ("a1", "a2")
    assert mixed(results, missing="worst-value").nobs == 36
    with pytest.raises(ValueError, match=r"^1 of 36 cells is missing: a0 on d0, replication 1, error \(absent\)\."):
        mixed(results, missing="raise")
    assert "1 of 36 cells missing" in str(compare_mixed(results).missing)


def test_contrasts_and_their_options(of, values: np.ndarray) -> None:
    fit = mixed(of(values))
    matrix = (
        "`contrasts` must be a matrix of numbers with 3 columns, one per algorithm in the order 'a0', 'a1', 'a2'; got {}. A "
        "DataFrame with algorithms as columns may leave some out."
    )
    cases = [
        ({"contrasts": "dunnett"}, "`contrasts` must be 'tukey', 'control' or a matrix; got 'dunnett'."),
        (
            {"contrasts": [[1, -1, 0]], "control": "a0"},
            "`control` needs contrasts='control'; a matrix of contrasts names its own sides.",
        ),
        ({"contrasts": "control"}, "`contrasts='control'` needs the name of the control: control=..."),
        ({"contrasts": np.ones((1, 2))}, matrix.format("1 × 2")),
        ({"contrasts": [[1, -1], [1, -1, 0]]}, matrix.format("[[1, -1], [1, -1, 0]]")),
        ({"contrasts": [["a1", "a2"]]}, matrix.format("[['a1', 'a2']]")),
        ({"contrasts": [[np.nan, 1, -1]]}, matrix.format("values that are not finite numbers")),
        ({"contrasts": []}, matrix.format("1 × 0")),
        ({"seed": -1}, "`seed` must be a whole number of at least 0; got -1."),
        ({"seed": "today"}, "`seed` must be a whole number of at least 0; got 'today'."),
        ({"accuracy": 0}, "`accuracy` must be a finite standard error above 0, such as 5e-05; got 0."),
        ({"accuracy": "high"}, "`accuracy` must be a finite standard error above 0, such as 5e-05; got 'high'."),
        (
            {"relative": True},
            "`relative=True` describes `equivalence`, which is not given. Give both: with equivalence=0.05 the area is "
            "5% of the best mean.",
        ),
        (
            {"equivalence": -0.1},
            "`equivalence` must be a positive number Δ, for [-Δ, Δ], or a pair (Δ1, Δ2) around 0; got -0.1.",
        ),
        (
            {"equivalence": "5%"},
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got '5%'.",
        ),
        ({"contrasts": [[0, 0, 0]]}, "A row of `contrasts` is all zeros: it compares nothing."),
        ({"distribution": "z"}, "`distribution` must be one of 't', 'normal'; got 'z'."),
        ({"alpha": 5}, "`alpha` must lie between 0 and 0.5; got 5. 5% is 0.05."),
        (
            {"df": "between-within"},
            "`df` must be one of 'auto', 'exact', 'satterthwaite', 'kenward-roger'; got 'between-within'.",
        ),
        ({"dataset": "d0"}, "`dataset` selects among the fixed data sets of the survey model: model='survey'."),
        (
            {"equivalence": (0.1, 0.2)},
            "`equivalence` must be (Δ1, Δ2) with Δ1 ≤ 0 ≤ Δ2, such as (-0.01, 0.01); got (0.1, 0.2).",
        ),
    ]
    for options, expected in cases:
        assert message(InputError, fit.contrasts, **options) == expected
    assert message(LabelError, fit.contrasts, "control", control="svm") == (
        "`control` must be one of the algorithms 'a0', 'a1', 'a2'; got 'svm'."
    )
    assert message(InputError, fit.contrasts, adjust="tukey").startswith(
        "`adjust` must be one of 'single-step', 'step-down', 'none', 'bonferroni', 'holm',"
    )
    assert message(LabelError, mixed(of(values), model="survey").contrasts, dataset="iris") == (
        "`dataset` must be one of 'd0', 'd1', 'd2', 'd3'; got 'iris'."
    )
    zero = np.array([[[-1.0, 2.0], [1.0, 3.0], [0.0, 2.5]]])
    assert message(InputError, mixed(of(zero)).contrasts, equivalence=0.1, relative=True) == (
        "A relative area of equivalence needs a mean other than 0; that of 'a0' is 0."
    )


def test_tests_and_effects_a_model_does_not_have(of, values: np.ndarray) -> None:
    fit = mixed(of(values))
    assert message(InputError, fit.omnibus, effect="interaction") == (
        "`effect='interaction'` is a test of the survey model: model='survey'."
    )
    survey = mixed(of(values), model="survey")
    assert message(InputError, survey.omnibus, effect="interaction", df="kenward-roger") == (
        "The test of the interaction does not support `df='kenward-roger'`. Use 'auto' or 'satterthwaite'."
    )
    assert message(InputError, fit.omnibus, effect="dataset") == (
        "`effect` must be one of 'algorithm', 'interaction'; got 'dataset'."
    )
    assert message(InputError, fit.blups, "sample") == (
        "`effect` must be one of 'dataset', 'interaction', 'cell', 'replication'; got 'sample'."
    )
    block = mixed(of(values[:1]))
    assert message(InputError, block.blups, "dataset") == (
        "`effect='dataset'` needs random data sets: only the domain model has them. This one has 'replication'."
    )
    assert message(InputError, block.compare_covariances) == (
        "Only the domain model has covariance structures to compare; this model is 'block'."
    )
    values[0, 0, 0] = np.nan
    assert message(InputError, mixed(of(values)).omnibus, df="exact") == (
        "`df='exact'` needs a complete design, fitted by REML with one residual variance (and, for the "
        "global test with an unstructured covariance, no fewer data sets than algorithms). Use 'satterthwaite' or "
        "'kenward-roger'."
    )


def test_a_residual_variance_of_a_data_set_that_tends_to_zero(of, draw) -> None:
    values = draw(np.random.default_rng(11), (7, 3, 2), missing=0.2)
    assert message(InputError, mixed, of(values), residual="dataset") == (
        "`residual='dataset'` cannot be estimated: the residual variance on 'd4', 'd5' tends to zero. More values are "
        "needed there; leave these out, or use residual='common'."
    )


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


WRONG_VALUES = (
    *(None, True, 0, -1, 2.5, np.nan, np.inf, 10**30, "", "nonsense", b"x", object(), int, len),
    *([], [1], ["a0"], (1, 2, 3), [["a", 1]], {}, {"a0": 1}, {1}),
    *(np.zeros(3), np.zeros((2, 2, 2)), pd.Series([1.0]), pd.DataFrame({"x": [1]})),
)
OPTIONS_OF_OTHERS = (
    "adjustment",
    "reference",
    "dataset",
    "contrasts",
    "zeros",
    "permutations",
    "ratio",
    "fold",
    "level",
)


@pytest.mark.parametrize("name", ["mixed", "contrasts", "control", "survey", "omnibus", "blups", "compare_covariances"])
def test_wrong_values_of_any_argument_end_in_an_error_of_podium(of, values: np.ndarray, name: str) -> None:
    results = of(values)
    fit = mixed(results, model="survey" if name == "survey" else "auto")
    function, usual = {
        "mixed": (mixed, {"results": results}),
        "control": (fit.contrasts, {"contrasts": "control", "control": "a0", "equivalence": 0.1}),
        "survey": (fit.contrasts, {"dataset": "d0"}),
    }.get(name) or (getattr(fit, name), {})
    for argument in inspect.signature(function).parameters:
        accepted = sum(_is_accepted(function, {**usual, argument: wrong}) for wrong in WRONG_VALUES)
        assert accepted < len(WRONG_VALUES) / 2, argument


def test_wrong_values_of_options_of_compare_end_in_an_error_of_podium(of, values: np.ndarray) -> None:
    results = of(values)
    for argument in (
        "model",
        "covariance",
        "estimation",
        "residual",
        "distribution",
        "df",
        "relative",
        "seed",
        "accuracy",
    ):
        accepted = sum(
            _is_accepted(podium.compare, {"results": results, "method": "mixed", argument: wrong})
            for wrong in WRONG_VALUES
        )
        assert accepted < len(WRONG_VALUES) / 2, argument
    for argument in OPTIONS_OF_OTHERS:
        assert "'covariance', 'estimation'" in message(
            InputError, podium.compare, results, method="mixed", **{argument: "holm"}
        )
    adjusted = podium.compare(results, method="mixed", adjust="holm")
    np.testing.assert_array_equal(adjusted.adjusted, mixed(results).contrasts(adjust="holm").adjusted)


def _is_accepted(function, arguments: dict) -> bool:
    """Whether a call returns; any error but one of podium fails the test."""
    try:
        function(**arguments)
    except PodiumError:
        return False
    return True


def test_a_contrast_that_no_float_can_hold(of, values: np.ndarray) -> None:
    fit = mixed(of(values))
    assert message(InputError, fit.contrasts, [[10**400, 0, 0]]).startswith("`contrasts` must be a matrix of numbers")


def test_differences_that_are_the_same_on_all_data_sets_are_refused() -> None:
    offset = 0.25 * np.arange(6)[:, None, None] + 0.5 * np.arange(3)  # data sets and algorithms add up
    noise = np.array([0, 0.125, -0.125, 0])[:, None] * [0, 1, 0]  # means over the replications are exact
    labels = {"dataset": None, "replication": None, "algorithm": ["a", "b", "c"]}
    fit = mixed(podium.read(offset + noise, labels=labels, measure="error"))
    with pytest.raises(InputError) as caught:
        fit.omnibus()
    assert str(caught.value) == (
        "The differences between the algorithms do not vary over the data sets, so there is nothing to compare them "
        "with. If a data set is a copy of another one, leave it out."
    )
    assert message(InputError, fit.contrasts) == (
        "The difference between 'a' and 'b' does not vary over the data sets, so there is nothing to compare it with. "
        "If a data set is a copy of another one, leave it out."
    )
