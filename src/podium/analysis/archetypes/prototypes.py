"""Prototypes: archetypes and their neighbours in the general problem of chapter 10 of the dissertation.

All methods minimise a norm of ``X − α Z`` with coefficients α on the simplex. Archetypes have any coefficients there
and lie on the hull. Centroids are at the other end: coefficients are 0 or 1, and each prototype is the centre of its
observations. Fuzzy k-means is between: its prototypes are centres, its coefficients are memberships. Their stability
over bootstrap samples helps to choose their number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
import pandas as pd

from podium.analysis.archetypes.solution import Solution
from podium.arrays import FloatArray
from podium.checks import record, shown
from podium.errors import LabelError, join_names, plural


@record(eq=False, repr=False, kw_only=True)
class Prototypes:
    """The prototypes of one table, as several methods find them.

    ``found["k-means"]`` is the `Solution` of a method.

    Attributes
    ----------
    solutions : dict of str to Solution
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypal.prototypes(X)."),)

    solutions: dict[str, Solution]

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods."""
        return tuple(self.solutions)

    def frame(self) -> pd.DataFrame:
        """One row per method and prototype, one column per variable, in the units of the data."""
        tables = {method: solution.frame() for method, solution in self.solutions.items()}
        return pd.concat(tables, names=["method", "prototype"])

    def shares(self) -> pd.DataFrame:
        """Mean coefficient of each prototype; one row per method, and rows sum to one."""
        means = {method: solution.contributions().mean() for method, solution in self.solutions.items()}
        return pd.DataFrame(means).T.rename_axis("method")

    def summary(self) -> pd.DataFrame:
        """One row per method: how well its prototypes describe the data, and where they lie.

        Columns are rss (of the standardised data), explained (share of the sum of squares), distance (mean distance of
        the prototypes from the centre of the data) and certainty (mean of the largest coefficient of each observation).
        """
        rows = []
        for method, solution in self.solutions.items():
            away = solution.scale.scaled(solution.prototypes)
            rows.append(
                {
                    "method": method,
                    "rss": solution.rss,
                    "explained": solution.explained,
                    "distance": float(np.sqrt((away**2).sum(axis=1)).mean()),
                    "certainty": float(solution.coefficients.max(axis=1).mean()),
                }
            )
        return pd.DataFrame(rows).set_index("method")

    def __getitem__(self, method: str) -> Solution:
        if not isinstance(method, str) or method not in self.solutions:
            raise LabelError(f"{shown(method)} was not fitted; the solutions are those of {join_names(self.methods)}.")
        return self.solutions[method]

    def __len__(self) -> int:
        return len(self.solutions)

    def __iter__(self) -> Iterator[str]:
        return iter(self.solutions)

    def __repr__(self) -> str:
        first = next(iter(self.solutions.values()))
        return f"{plural(first.k, 'prototype')} by {', '.join(self.methods)}"


@record(eq=False, repr=False, kw_only=True)
class PrototypeStability:
    """How much prototypes change from one bootstrap sample to the next.

    Attributes
    ----------
    method : str
    k : tuple of int
        Numbers of prototypes.
    resamples : int
    distances : tuple of ndarray of shape (resamples, k)
        Distance of each prototype to the one that is matched with it in each bootstrap solution, in standard
        deviations, averaged over the variables (root mean square); one array for each number.
    agreement : ndarray of shape (len(k), resamples)
        Share of agreement of the coefficients of all observations by the two solutions: the sum of the smaller of the
        two coefficients, averaged over observations. For clusters it is the share of observations that stay.
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypal.prototype_stability(X)."),)

    method: str
    k: tuple[int, ...]
    resamples: int
    distances: tuple[FloatArray, ...]
    agreement: FloatArray

    def frame(self) -> pd.DataFrame:
        """One row per number of prototypes: mean distance, that of the worst prototype, agreement and its quartiles."""
        lower, upper = np.quantile(self.agreement, [0.25, 0.75], axis=1)
        return pd.DataFrame(
            {
                "k": list(self.k),
                "spread": [float(found.mean()) for found in self.distances],
                "worst": [float(found.mean(axis=0).max()) for found in self.distances],
                "agreement": self.agreement.mean(axis=1),
                "lower": lower,
                "upper": upper,
            }
        )

    def __repr__(self) -> str:
        numbers = f"k = {self.k[0]}" if len(self.k) == 1 else f"k = {self.k[0]} … {self.k[-1]}"
        return f"Stability of {self.method} over {plural(self.resamples, 'bootstrap sample')}, {numbers}"
