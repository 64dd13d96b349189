"""What the generators share: making a `Sample` from arrays, and class labels in equal parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.arrays import FloatArray, IntArray
from podium.setup.columns import coded
from podium.setup.dataset import Sample

Codes = IntArray


def numeric_frame(X: FloatArray) -> pd.DataFrame:
    """Name the columns x1, x2, ..."""
    return pd.DataFrame(X, columns=[f"x{i + 1}" for i in range(X.shape[1])])


def labels(codes: npt.NDArray[np.integer], classes: Sequence[str]) -> pd.Series[str]:
    """Turn class numbers into labels; a class that does not occur stays a class."""
    return pd.Series(coded(codes, classes), name="class")


def classified(X: FloatArray, codes: npt.NDArray[np.integer], classes: Sequence[str] = ("1", "2")) -> Sample:
    """Make a sample with numeric attributes and classes."""
    return Sample(numeric_frame(X), labels(codes, classes))


def halves(n: int, rng: np.random.Generator) -> Codes:
    """Put half of the observations into class 0 and half into class 1, in random order; an odd one into class 0."""
    return rng.permutation(np.arange(n) % 2)


def bayes_error_of_noise(*, noise: float) -> float:
    """Error of the best rule where only class noise is between the attributes and the class."""
    return min(noise, 1 - noise)


def no_bayes_error(**parameters: float) -> float:
    """Error of the best rule where the attributes determine the class."""
    del parameters
    return 0.0


def flipped(codes: npt.NDArray[np.integer], noise: float, rng: np.random.Generator) -> npt.NDArray[np.integer]:
    """Exchange classes 0 and 1, each with probability `noise`."""
    return np.where(rng.random(len(codes)) < noise, 1 - codes, codes)
