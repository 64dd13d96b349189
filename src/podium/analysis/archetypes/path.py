"""Path: solutions for several numbers of archetypes, and where their scree curve bends.

The elbow is the point furthest below the chord between the ends of the curve, both axes from 0 to 1. The curve is that
of the norm of the residuals, the root of the RSS. Among points that are within one percent of the greatest distance the
first is taken: in the UCI domain (M. J. A. Eugster 2011, section 4.4) four and five archetypes differ by a tenth of
that. A curve that is nowhere below the chord by more than one percent of its height has no elbow.
``benchmarks/archetypal_analysis.py elbow`` compares with other rules.

References
----------
V. Satopää, J. Albrecht, D. Irwin, B. Raghavan (2011). Finding a "kneedle" in a haystack: detecting knee points in
system behavior. 31st International Conference on Distributed Computing Systems Workshops, 166–171.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd

from podium.analysis.archetypes.solution import Solution
from podium.arrays import FloatArray
from podium.checks import is_whole, record, shown
from podium.errors import LabelError, join_names

if TYPE_CHECKING:  # imports scikit-learn, which figures of a path do not need
    from podium.analysis.archetypes.estimator import ArchetypalAnalysis

RULE = "chord"
MIN_CURVE_POINTS = 3  # points of a curve that can bend
_TIED = 0.99  # distances to the chord that are at least this share of the largest are as good
_BENT = 0.01  # distance to the chord up to which the curve is as good as straight


@record(eq=False, repr=False, kw_only=True)
class ArchetypePath:
    """Archetypes of one table for several numbers of archetypes.

    ``path[3]`` is the fitted `ArchetypalAnalysis` with three archetypes.

    Attributes
    ----------
    models : dict of int to ArchetypalAnalysis
        The fitted models, by number of archetypes, ascending.
    rule : str
        How the elbow is found: ``"chord"``.
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypes(X)."),)

    models: dict[int, Any]
    rule: str = RULE

    @property
    def k(self) -> tuple[int, ...]:
        """Numbers of archetypes."""
        return tuple(self.models)

    @property
    def elbow(self) -> int | None:
        """Number of archetypes at the elbow of the scree curve; None if it has no elbow, or fewer than three points.

        The rule ``"chord"``: the curve of the root of the RSS, which is the norm of the residuals, against k. The elbow
        is where it is furthest below the straight line between its ends; among those within one percent of that
        distance it is the smallest k. A curve that is nowhere below that line by more than one percent of its height
        has no elbow.
        """
        return elbow_of(self.k, [model.criterion_ for model in self.models.values()])

    @property
    def solution_(self) -> Solution:
        """The solution at the elbow; the one with the most archetypes where there is none."""
        return self[self.elbow if self.elbow is not None else self.k[-1]].solution_

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """The solutions, by number of archetypes."""
        return tuple(model.solution_ for model in self.models.values())

    def frame(self) -> pd.DataFrame:
        """Scree table: one row per number of archetypes.

        Columns are k, rss, explained (share of the sum of squares), spectral_rss (the figure of R's package
        archetypes), criterion (what the family minimises), iterations, restarts, hits (how many of the restarts ended
        at the solution), rivals (number of other optima that are at most a percent above it), elbow.
        """
        rows = []
        for k, solution in zip(self.k, self.solutions, strict=True):
            rows.append(
                {
                    "k": k,
                    **solution.summary(),
                    "iterations": len(solution.history),
                    "restarts": len(solution.restarts),
                    "hits": solution.optima[0].hits,
                    "rivals": len(solution.rivals),
                    "elbow": k == self.elbow,
                }
            )
        return pd.DataFrame(rows)

    def __getitem__(self, k: int) -> ArchetypalAnalysis:
        if not is_whole(k) or k not in self.models:
            raise LabelError(
                f"There is no solution with {shown(k)} archetypes; there are solutions with {join_names(self.k)}."
            )
        found: ArchetypalAnalysis = self.models[k]
        return found

    def __len__(self) -> int:
        return len(self.models)

    def __iter__(self) -> Iterator[int]:
        return iter(self.models)

    def __repr__(self) -> str:
        ends = f"k = {self.k[0]}" if len(self) == 1 else f"k = {self.k[0]} … {self.k[-1]}"
        bend = f"elbow at {self.elbow}" if self.elbow is not None else "no elbow"
        return f"Archetypes for {ends}" + (
            f", {bend} by the rule {self.rule!r}" if len(self) >= MIN_CURVE_POINTS else ""
        )


def chord_distances(k: Sequence[int], criteria: Sequence[float]) -> FloatArray:
    """How far the root of the criterion is below the line between its ends; both axes from 0 to 1."""
    x = np.asarray(k, np.float64)
    y = np.sqrt(np.maximum(np.asarray(criteria, np.float64), 0.0))
    x = (x - x[0]) / (x[-1] - x[0])
    fall = y[0] - y[-1]
    return np.asarray(1 - x - (y - y[-1]) / fall) if fall > 0 else np.zeros_like(x)


def elbow_of(k: Sequence[int], criteria: Sequence[float]) -> int | None:
    """Return the smallest k that is about as far below the chord as any; None without an elbow, or fewer than three."""
    if len(k) < MIN_CURVE_POINTS:
        return None
    distances = chord_distances(k, criteria)
    most = float(distances.max())
    if most <= _BENT:
        return None
    return int(k[int(np.flatnonzero(distances >= _TIED * most)[0])])
