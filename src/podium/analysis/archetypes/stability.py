"""Stability of prototypes over bootstrap samples, for choosing their number."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.checks import record
from podium.errors import plural


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
