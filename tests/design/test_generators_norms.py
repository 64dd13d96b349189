"""The norm problems: means, covariances, class shares, and Bayes errors by simulation and in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from podium.design.dataset import Dataset

N = 200_000


def mixture(kind: str, d: int, shift: float) -> dict[str, list[tuple[np.ndarray, float]]]:
    """Return the components of both classes as (mean, variance): Breiman (1996)."""
    a = 2 / np.sqrt(d)
    ones, alternating = np.ones(d), np.where(np.arange(d) % 2, -1.0, 1.0)
    if kind == "twonorm":
        return {"1": [(a * ones, 1.0)], "2": [(-a * ones, 1.0)]}
    if kind == "threenorm":
        return {"1": [(a * ones, 1.0), (-a * ones, 1.0)], "2": [(a * alternating, 1.0)]}
    return {"1": [(0 * ones, 4.0)], "2": [(shift / np.sqrt(d) * ones, 1.0)]}


CASES = [
    ("twonorm", 20, 1.0),
    ("threenorm", 20, 1.0),
    ("threenorm", 1, 1.0),
    ("ringnorm", 20, 1.0),
    ("ringnorm", 5, 3.0),
]


def normal_density(X: np.ndarray, mean: np.ndarray, variance: float) -> np.ndarray:
    """The density of independent normal attributes with one variance, for each row."""
    far = X - mean
    return np.exp(np.einsum("ij,ij->i", far, far) / (-2 * variance)) / (2 * np.pi * variance) ** (len(mean) / 2)


def parameters(kind: str, d: int, shift: float) -> dict[str, float]:
    return {"d": d, "shift": shift} if kind == "ringnorm" else {"d": d}


@pytest.mark.parametrize(("kind", "d", "shift"), CASES)
def test_the_best_rule_has_the_bayes_error(kind: str, d: int, shift: float) -> None:
    """The rule compares the densities themselves, not the borders that the closed forms were derived from."""
    process = Dataset.generated(kind, **parameters(kind, d, shift))
    sample = process.draw(N, np.random.default_rng(d))
    X = sample.X.to_numpy()
    density = {
        label: np.mean([normal_density(X, mean, variance) for mean, variance in components], axis=0)
        for label, components in mixture(kind, d, shift).items()
    }
    chosen = np.where(density["1"] > density["2"], "1", "2")
    error = np.mean(chosen != sample.y.to_numpy())
    assert process.bayes_error == pytest.approx(error, abs=4 * np.sqrt(error * (1 - error) / N))


@pytest.mark.parametrize(("kind", "d", "shift"), CASES)
def test_means_and_covariances_of_the_classes(kind: str, d: int, shift: float) -> None:
    sample = Dataset.generated(kind, **parameters(kind, d, shift)).draw(40_000, np.random.default_rng(1))
    X = sample.X.to_numpy()
    assert sample.y.value_counts().to_list() == [20_000, 20_000]
    for label, components in mixture(kind, d, shift).items():
        part = X[(sample.y == label).to_numpy()]
        mean = np.mean([m for m, _ in components], axis=0)
        between = np.mean([np.outer(m - mean, m - mean) for m, _ in components], axis=0)
        covariance = components[0][1] * np.eye(d) + between
        largest = np.diag(covariance).max()
        np.testing.assert_allclose(part.mean(axis=0), mean, atol=5 * np.sqrt(largest / len(part)))
        np.testing.assert_allclose(np.cov(part.T).reshape(d, d), covariance, atol=8 * largest / np.sqrt(len(part)))


def test_bayes_errors_of_breiman() -> None:
    # Breiman (1996) prints 2.3%, 10.5% and 1.3% for d = 20. The first two are the closed forms to the digits
    # printed.
    assert Dataset.generated("twonorm").bayes_error == pytest.approx(0.023, abs=0.0005)
    assert Dataset.generated("threenorm").bayes_error == pytest.approx(0.105, abs=0.0005)
    # For ringnorm the mean of class 2 is 1/sqrt(20) in each coordinate here and in mlbench, 2/sqrt(20) in the DELVE
    # file;
    # the printed 1.3% lies between their errors.
    assert Dataset.generated("ringnorm", shift=1).bayes_error == pytest.approx(0.0150, abs=0.0001)
    assert Dataset.generated("ringnorm", shift=2).bayes_error == pytest.approx(0.0124, abs=0.0001)


def test_ringnorm_is_the_one_of_the_dissertation() -> None:
    # Mean misclassification of lda on ringnorm in the raw data of Eugster (2011): 0.3725. With shift 2 it would be
    # 0.24,
    # which is what the linear classifiers of Ulaş et al. (2008) have on the DELVE file (accuracy 76%).
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    rng = np.random.default_rng(0)
    errors = {}
    for shift in (1.0, 2.0):
        process = Dataset.generated("ringnorm", shift=shift)
        test = process.draw(5_000, rng)
        repeats = [LinearDiscriminantAnalysis().fit(*_arrays(process.draw(759, rng))) for _ in range(10)]
        errors[shift] = np.mean([np.mean(model.predict(test.X.to_numpy()) != test.y) for model in repeats])
    assert errors[1.0] == pytest.approx(0.3725, abs=0.015)
    assert errors[2.0] == pytest.approx(0.24, abs=0.015)


def _arrays(sample) -> tuple[np.ndarray, np.ndarray]:
    return sample.X.to_numpy(), sample.y.to_numpy()


def test_other_bayes_errors() -> None:
    assert Dataset.generated("circle").bayes_error == 0
    assert Dataset.generated("monks3").bayes_error == 0.05
    assert Dataset.generated("ds1", noise=0.9).bayes_error == pytest.approx(0.1)
    assert Dataset.generated("spirals").bayes_error is None
    assert Dataset.generated("friedman1").bayes_error is None
