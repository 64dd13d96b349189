"""Data generating processes, by name.

Each is defined in a module of this folder as a `NamedGenerator`. To add one, add a module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyIntArray, FloatArray, IntArray
from podium.checks import check_keys, check_mapping, did_you_mean, shown
from podium.design.columns import coded
from podium.design.parameter import Parameter
from podium.design.sample import Sample, Task
from podium.errors import LabelError, join_names
from podium.registry import Registry

__all__ = ["GENERATORS", "NamedGenerator", "named_generator"]


@dataclass(frozen=True, kw_only=True)
class NamedGenerator:
    """A data generating process known by name.

    Attributes
    ----------
    name : str
    title : str
        One line for lists.
    draw : callable
        ``draw(n, rng, **parameters) -> Sample``.
    n : int
        Default size of a sample.
    source : str
        Where the process is defined.
    parameters : mapping
        Name to `Parameter`.
    task : {"classification", "regression"}
    bayes : callable, optional
        ``bayes(**parameters) -> float``: the Bayes error.
    population : callable, optional
        ``population() -> Sample``: all points of a finite process; they are a data set of the catalogue.
    """

    name: str
    title: str
    draw: Callable[..., Sample]
    n: int
    source: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    task: Task = "classification"
    bayes: Callable[..., float] | None = None
    population: Callable[[], Sample] | None = None


GENERATORS: Registry[NamedGenerator] = Registry(__name__, NamedGenerator)


def named_generator(kind: object) -> NamedGenerator:
    """Return the process of this name."""
    if not isinstance(kind, str) or kind not in GENERATORS:
        way_out = did_you_mean(kind, GENERATORS) or f" The generators are {join_names(GENERATORS, most=30)}."
        raise LabelError(f"There is no generator {shown(kind)}.{way_out}")
    return GENERATORS[kind]


def checked_parameters(kind: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse unknown parameters and values out of range; fill in the defaults."""
    known = GENERATORS[kind].parameters
    check_mapping(parameters, "`parameters`")
    check_keys(parameters, known, f"The generator {kind!r}")
    return {
        name: parameter.checked(parameters.get(name, parameter.default), name, f"the generator {kind!r}")
        for name, parameter in known.items()
    }


def numeric_frame(X: FloatArray) -> pd.DataFrame:
    """Name the columns x1, x2, ..."""
    return pd.DataFrame(X, columns=[f"x{i + 1}" for i in range(X.shape[1])])


def labels(codes: AnyIntArray, classes: Sequence[str]) -> pd.Series[str]:
    """Turn class numbers into labels; a class that does not occur stays a class."""
    return pd.Series(coded(codes, classes), name="class")


def classified(X: FloatArray, codes: AnyIntArray, classes: Sequence[str] = ("1", "2")) -> Sample:
    """Make a sample with numeric attributes and classes."""
    return Sample(numeric_frame(X), labels(codes, classes))


def halves(n: int, rng: np.random.Generator) -> IntArray:
    """Put half of the observations into class 0 and half into class 1, in random order; an odd one into class 0."""
    return rng.permutation(np.arange(n) % 2)


def bayes_error_of_noise(*, noise: float) -> float:
    """Error of the best rule where the attributes determine the class up to class noise."""
    return min(noise, 1 - noise)


def no_bayes_error(**parameters: float) -> float:
    """Error of the best rule where the attributes determine the class."""
    del parameters
    return 0.0


def flipped(codes: AnyIntArray, noise: float, rng: np.random.Generator) -> AnyIntArray:
    """Swap classes 0 and 1, each observation's with probability `noise`."""
    return np.where(rng.random(len(codes)) < noise, 1 - codes, codes)


def drawn(population: Sample, n: int, rng: np.random.Generator) -> Sample:
    """Draw from a finite population with equal probability, with replacement."""
    assert population.y is not None
    rows = rng.integers(len(population), size=n)
    return Sample(population.X.iloc[rows].reset_index(drop=True), population.y.iloc[rows].reset_index(drop=True))


def dimension(default: int, least: int = 1) -> Parameter:
    """Return the parameter `d`."""
    return Parameter(default=default, meaning="number of attributes", whole=True, minimum=least)


def noise_sd(default: float) -> Parameter:
    """Return the parameter `sd`."""
    return Parameter(default=default, meaning="standard deviation of the noise", minimum=0)


def class_noise(default: float) -> Parameter:
    """Return the parameter `noise`."""
    return Parameter(default=default, meaning="share of wrong classes", minimum=0, maximum=1)
