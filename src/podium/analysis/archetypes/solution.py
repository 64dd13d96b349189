"""Solution: archetypes, or other prototypes, with everything known about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from podium.analysis.archetypes.observations import Scale
from podium.arrays import FloatArray
from podium.checks import describe, is_number, record, shown
from podium.errors import InputError, plural

OUTLYING = 0.1  # robust weights below this are listed as outliers
APART = 1.0  # standard deviations by which an archetype of two optima differs that are not the same
CLOSE = 0.01  # share of the criterion by which a rival may be above the solution


@record(eq=False, kw_only=True)
class Optimum:
    """A place where restarts ended.

    Attributes
    ----------
    prototypes : ndarray of shape (k, m)
        In the units of the data, in the order of those of the solution that are nearest to them.
    excess : float
        How far the criterion is above that of the solution, as a share of it; of a large table, among the sample that
        restarts see.
    distance : float
        Largest distance of a prototype from that of the solution, in standard deviations of the variables.
    hits : int
        Number of restarts that ended here, nearer than a standard deviation.
    """

    prototypes: FloatArray
    excess: float
    distance: float
    hits: int


@record(eq=False, repr=False, kw_only=True)
class Solution:
    """Prototypes of a table: k points of which the observations are combinations.

    Attributes
    ----------
    method : str
        What made it: a family of archetypal analysis, or another method of prototypes.
    columns : tuple of str
        Names of the variables.
    index : pandas.Index
        Labels of the observations.
    data : ndarray of shape (n, m)
    prototypes : ndarray of shape (k, m)
        In the units of the data.
    coefficients : ndarray of shape (n, k)
        How much each prototype contributes to each observation; rows are on the simplex.
    data_weights : ndarray of shape (n, k)
        How much each observation contributes to each prototype; columns are on the simplex. NaN where a prototype is
        not such a combination.
    counts : ndarray of shape (n,)
        Weights of the squared residuals: those that `fit` was given, otherwise 1.
    scale : Scale
        Centre and spread of each variable, in whose units the following are.
    rss : float
        Residual sum of squares of the standardised data, weighted where `fit` was given weights of residuals.
    total : float
        The same around the mean.
    criterion : float
        What was minimised.
    weights : ndarray of shape (n,)
        Robust weights; 1 without a robust loss.
    constant : float
        Tuning constant of the robust loss; infinite without one.
    residuals : ndarray of shape (n,)
        Length of the residual of each observation, in the norm of the family.
    history : ndarray of float
        The criterion after each iteration of the best restart.
    trace : ndarray of shape (iterations + 1, k, m)
        Its prototypes, from the start on, in the units of the data.
    weight_trace : ndarray of shape (iterations + 1, n)
        Its robust weights; empty without a robust loss.
    converged : bool
    restarts : ndarray of float
        The criterion that each restart reached.
    optima : tuple of Optimum
        The solution, and other optima that restarts ended in, best first. They are at least a standard deviation apart.
        Of archetypes only.
    """

    _made_from: ClassVar = ((object, "Fit one with podium.ArchetypalAnalysis(...).fit(X), or podium.archetypes(X)."),)

    method: str
    columns: tuple[str, ...]
    index: Any
    data: FloatArray
    prototypes: FloatArray
    coefficients: FloatArray
    data_weights: FloatArray
    counts: FloatArray
    scale: Scale
    rss: float
    total: float
    criterion: float
    weights: FloatArray
    constant: float
    residuals: FloatArray
    history: FloatArray
    trace: FloatArray
    weight_trace: FloatArray
    converged: bool
    restarts: FloatArray
    optima: tuple[Optimum, ...] = ()

    @property
    def rivals(self) -> tuple[Optimum, ...]:
        """Other optima whose criterion is at most a percent above that of the solution: they tell another story."""
        return tuple(one for one in self.optima[1:] if one.excess <= CLOSE)

    @property
    def k(self) -> int:
        """Number of prototypes."""
        return len(self.prototypes)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the prototypes: A1, A2 and so on."""
        return tuple(f"A{j + 1}" for j in range(self.k))

    @property
    def explained(self) -> float:
        """Share of the sum of squares that the prototypes explain; 0 where the mean is a better approximation."""
        return max(1 - self.rss / self.total, 0.0) if self.total > 0 else 1.0

    @cached_property
    def spectral_rss(self) -> float:
        """Largest singular value of the standardised residuals, divided by n: the "RSS" of R's package archetypes."""
        residuals = self.scale.scaled(self.data) - self.coefficients @ self.scale.scaled(self.prototypes)
        residuals = np.nan_to_num(residuals)
        largest = np.linalg.eigvalsh((residuals * self.counts[:, None]).T @ residuals)[-1]
        return float(np.sqrt(max(largest, 0.0)) / self.counts.sum())

    def frame(self) -> pd.DataFrame:
        """One row per prototype, one column per variable, in the units of the data."""
        return pd.DataFrame(self.prototypes, index=list(self.names), columns=list(self.columns))

    def percentiles(self) -> pd.DataFrame:
        """Percentile of each value of a prototype among the observations, as in table 9.1 of the dissertation."""
        below = []
        for column, values in zip(self.data.T, self.prototypes.T, strict=True):
            seen = column[~np.isnan(column)]
            rounding = 1e-12 * np.abs(seen).max()  # of prototypes that are observations; they may be 0
            below.append([100 * np.mean(seen <= value + rounding) for value in values])
        return pd.DataFrame(np.transpose(below), index=list(self.names), columns=list(self.columns))

    def contributions(self) -> pd.DataFrame:
        """Coefficients of the observations, one column per prototype."""
        return pd.DataFrame(self.coefficients, index=self.index, columns=list(self.names))

    def outliers(self, below: float = OUTLYING) -> pd.DataFrame:
        """Observations with a small robust weight, smallest first: weight and length of the residual."""
        if not is_number(below) or not below >= 0:
            raise InputError(f"`below` must be a number of at least 0; got {shown(below)}.", path=("below",))
        found = np.flatnonzero(self.weights < below)
        order = found[np.lexsort([-self.residuals[found], self.weights[found]])]
        return pd.DataFrame({"weight": self.weights[order], "residual": self.residuals[order]}, index=self.index[order])

    def summary(self) -> dict[str, float]:
        """The figures of a scree table: rss, explained, spectral rss, criterion."""
        return {
            "rss": self.rss,
            "explained": self.explained,
            "spectral_rss": self.spectral_rss,
            "criterion": self.criterion,
        }

    def __repr__(self) -> str:
        return (
            f"{self.method}: {plural(self.k, 'prototype')} of {plural(len(self.data), 'observation')} of "
            f"{plural(len(self.columns), 'variable')}, RSS {self.rss:.6g}, {self.explained:.1%} explained"
            + (f"; {rival_sentence(self.rivals)}" if self.rivals else "")
        )


def rival_sentence(rivals: Sequence[Optimum]) -> str:
    """Say that other optima are nearly as good."""
    furthest = max(one.distance for one in rivals)
    return (
        f"{len(rivals)} other {'optimum is' if len(rivals) == 1 else 'optima are'} at most {CLOSE:.0%} above it, with "
        f"archetypes up to {furthest:.1f} standard deviations away"
    )


def as_solution(archetypes: Any) -> Solution:
    """Return the solution of a fitted model, of a domain, or of a path at its elbow."""
    found = getattr(archetypes, "solution_", archetypes)
    if not isinstance(found, Solution):
        check_fitted(archetypes)
        raise InputError(
            "`archetypes` must be a fitted ArchetypalAnalysis, a path of podium.archetypes, or the archetypes of a "
            f"domain; got {describe(archetypes)}."
        )
    return found


def check_fitted(archetypes: Any) -> None:
    """Refuse an estimator that is not fitted."""
    if hasattr(archetypes, "fit") and not hasattr(archetypes, "solution_"):
        raise InputError(f"`archetypes` is {describe(archetypes)} that is not fitted; call fit(X) first.")
