"""Candidates against R 4.2.2 with MASS 7.3-58.2, rpart 4.1.19 and e1071 1.7-13; the figures are those R printed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from podium.design.candidates import named_candidate
from podium.design.candidates.candidate import one_hot
from podium.design.candidates.rpart import ClassificationTree, RegressionTree
from podium.design.candidates.tree import collapse_points, complexities, upper_limit
from podium.examples import loaders

ROWS = [50, 70, 83, 106, 133]  # of iris: near the border of versicolor and virginica


@pytest.fixture(scope="module")
def iris() -> tuple[pd.DataFrame, pd.Series]:
    data = load_iris(as_frame=True)
    return data.data, data.target


@pytest.fixture(scope="module")
def cars() -> pd.DataFrame:
    from importlib import resources

    with resources.as_file(resources.files(loaders.__package__) / "tables" / "cars.csv") as path:
        return pd.read_csv(path).astype(float)


AT = pd.DataFrame({"speed": [0.0, 4.0, 10.5, 15.0, 25.0, 30.0]})

# MASS::lda, MASS::qda: predict(...)$posterior; all of iris, and its first 130 rows (unequal class sizes)
POSTERIOR = {
    ("lda", 150): [
        [1.96973175507e-18, 0.9998894122410, 0.000110587759018],
        [7.40811758162e-28, 0.2532282247382, 0.746771775261821],
        [4.24195194474e-32, 0.1433919080788, 0.856608091921243],
        [3.79783718920e-33, 0.0486202537564, 0.951379746243642],
        [1.28389062432e-28, 0.7293881280318, 0.270611871968204],
    ],
    ("lda", 130): [
        [2.23032022247e-18, 0.9999572328750, 4.27671250124e-05],
        [1.98143351536e-27, 0.3822711715113, 6.17728828489e-01],
        [7.39499501908e-31, 0.3285506843453, 6.71449315655e-01],
        [4.40422443598e-32, 0.0978222991699, 9.02177700830e-01],
        [1.11473359079e-27, 0.9031535931934, 9.68464068066e-02],
    ],
    ("qda", 150): [
        [3.03934000670e-90, 0.9999560692412, 4.39307588279e-05],
        [1.05272330017e-103, 0.3359441831241, 6.64055816876e-01],
        [4.10200926806e-114, 0.1543483309816, 8.45651669018e-01],
        [2.47595563007e-93, 0.0038782015702, 9.96121798430e-01],
        [4.55066993765e-111, 0.6049611315125, 3.95038868488e-01],
    ],
    ("qda", 130): [
        [3.03940493607e-90, 0.99997743128546, 2.25687145355e-05],
        [1.38360680027e-103, 0.44153545020346, 5.58464549797e-01],
        [7.18884113854e-114, 0.27049808006678, 7.29501919933e-01],
        [5.70355875781e-93, 0.00893374269781, 9.91066257302e-01],
        [5.47741120919e-111, 0.72816111215990, 2.71838887840e-01],
    ],
}


@pytest.mark.parametrize(("name", "n"), POSTERIOR)
def test_discriminant_analysis_is_that_of_mass(name: str, n: int, iris) -> None:
    X, y = iris
    model = named_candidate(name).model("classification", {}).fit(X[:n], y[:n])
    np.testing.assert_allclose(model.predict_proba(X.iloc[ROWS]), POSTERIOR[name, n], rtol=1e-8)


def test_naive_bayes_is_that_of_e1071(iris) -> None:
    # e1071::naiveBayes(y ~ ., laplace = 0), predict(type = "raw"): two numeric attributes, one nominal with levels that
    # some classes lack (share 0 counts as 0.001), a missing number in row 1 and a missing level in row 2
    X, y = iris
    width = X["petal width (cm)"]
    mixed = X.iloc[:, :2].assign(
        width=pd.Categorical(np.where(width > 1.5, "wide", np.where(width > 0.5, "middle", "narrow")))
    )
    asked = mixed.iloc[ROWS].copy()
    asked.iloc[0, 0] = np.nan
    asked.iloc[1, 2] = np.nan
    expected = [
        [3.35808299259e-02, 0.855420015019, 0.1109991550552],
        [5.23632709186e-02, 0.503507621853, 0.4441291072281],
        [8.28180542421e-06, 0.222889127601, 0.7771025905941],
        [3.46378899114e-03, 0.551477873135, 0.4450583378740],
        [9.89838329223e-06, 0.949725098624, 0.0502650029926],
    ]
    model = named_candidate("nb").model("classification", {}).fit(mixed, y)
    np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=1e-8)


def test_a_full_classification_tree_has_the_complexities_of_rpart() -> None:
    # rpart(cp = 0, minsplit = 20, minbucket = 7, xval = 0)$cptable: CP and nsplit
    data = load_breast_cancer(as_frame=True)
    model = ClassificationTree()
    model.classes_ = np.array([0, 1])
    _, tree = model.grow(data.data, one_hot(data.target.to_numpy(), 2))
    expected = [(0.79245283018868, 0), (0.04952830188679, 1), (0.00471698113208, 3), (0.0, 4)]
    _compare_with_cptable(tree, model.risks(tree), expected)


def test_a_full_regression_tree_has_the_complexities_of_rpart() -> None:
    # the same with minsplit = 40, minbucket = 20
    data = load_diabetes(as_frame=True)
    model = RegressionTree(min_split=40, min_leaf=20)
    _, tree = model.grow(data.data, data.target.to_numpy()[:, None])
    complexity = [0.29154165062206, 0.08522755748623, 0.05660089011631, 0.03066112720561, 0.02030800088847]
    complexity += [0.01568768801811, 0.01054911833649, 0.00761328472095, 0.00662346774269, 0.00609062671169]
    complexity += [0.00506064197698, 0.00294957839325, 0.00289720587369, 0.00233465553636, 0.00219938552295]
    complexity += [0.00181866217645, 0.0]
    _compare_with_cptable(tree, model.risks(tree), [(cp, splits) for splits, cp in enumerate(complexity)])


def _compare_with_cptable(tree, risk, expected) -> None:
    point = collapse_points(tree, risk)
    alphas = complexities(point)[::-1]
    assert [tree.pruned(point <= alpha).leaves - 1 for alpha in alphas] == [splits for _, splits in expected]
    np.testing.assert_allclose(alphas / risk[0], [cp for cp, _ in expected], rtol=1e-9, atol=1e-12)


def test_pessimistic_errors_are_those_of_quinlan() -> None:
    # C4.5: Programs for Machine Learning (1993), p. 41 f., three decimals; and by definition: with the limit as error
    # probability, so few errors or fewer come with the probability of the confidence level.
    np.testing.assert_allclose(upper_limit(0, np.array([6, 9, 1]), 0.25), [0.206, 0.143, 0.750], atol=5e-4)
    errors, n = np.array([0, 1, 3, 7, 40]), np.array([5, 16, 9, 8, 100])
    np.testing.assert_allclose(binom.cdf(errors, n, upper_limit(errors, n, 0.25)), 0.25, rtol=1e-9)
    assert upper_limit(4, 4, 0.25) == 1


def test_linear_regression_is_that_of_r(cars) -> None:
    model = named_candidate("lm").model("regression", {}).fit(cars[["speed"]], cars["dist"])
    np.testing.assert_allclose(model.predict(AT), -17.57909489051 + 3.93240875912 * AT["speed"], rtol=1e-9)


def test_robust_regression_is_that_of_mass(cars) -> None:
    # rlm(acc = 1e-13, maxit = 2000): its default stops at 1e-4 and is 4e-5 away
    model = named_candidate("rlm").model("regression", {}).fit(cars[["speed"]], cars["dist"])
    np.testing.assert_allclose(model.predict(AT), -16.5263476433 + 3.7733126798 * AT["speed"], rtol=1e-8)


def test_smoothing_spline_is_that_of_r(cars) -> None:
    # smooth.spline(control.spar = list(tol = 1e-10)); the minimum of GCV is flat, so R finds it to about 1e-5.
    # 0 and 30 lie outside the data.
    model = named_candidate("spl").model("regression", {}).fit(cars[["speed"]], cars["dist"])
    expected = [-11.65638254503, 1.65907406691, 23.69892939920, 40.19473465383, 84.10512383819, 108.05827672633]
    np.testing.assert_allclose(model.predict(AT), expected, rtol=2e-5)
    assert model.tuned["df"] == pytest.approx(2.63556674938, rel=1e-5)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [1.72441898372, 5.88705675199, 23.72085441550, 41.20522619776, 95.30052251287, 168.19028337243]),
        (
            {"degree": 1, "span": 0.4},
            [-4.30675188134, 5.68632993922, 22.20786971308, 39.92997584046, 93.89539133442, 137.61908655077],
        ),
    ],
)
def test_local_regression_is_that_of_r(cars, parameters, expected) -> None:
    # loess(control = loess.control(surface = "direct"))
    model = named_candidate("loess").model("regression", parameters).fit(cars[["speed"]], cars["dist"])
    np.testing.assert_allclose(model.predict(AT), expected, rtol=1e-9)


def test_local_regression_on_two_attributes_is_that_of_r() -> None:
    # loess(stack.loss ~ Air.Flow + Water.Temp, stackloss, control = loess.control(surface = "direct"))
    air = [80, 80, 75, 62, 62, 62, 62, 62, 58, 58, 58, 58, 58, 58, 50, 50, 50, 50, 50, 56, 70]
    water = [27, 27, 25, 24, 22, 23, 24, 24, 23, 18, 18, 17, 18, 19, 18, 18, 19, 19, 20, 20, 20]
    loss = [42, 37, 37, 28, 18, 18, 19, 20, 15, 14, 14, 13, 11, 12, 8, 7, 8, 8, 9, 15, 15]
    X = pd.DataFrame({"air": air, "water": water}).astype(float)
    model = named_candidate("loess").model("regression", {}).fit(X, loss)
    asked = pd.DataFrame({"air": [60.0, 70.0, 58.0], "water": [20.0, 25.0, 18.0]})
    np.testing.assert_allclose(model.predict(asked), [12.6775576096, 32.1138860217, 12.9248096473], rtol=1e-9)
