"""Sensitivity of archetypal analysis to outliers: the simulation study of Eugster (2011), section 9.5.

The data are uniform in a regular simplex, whose corners are the true archetypes, with a group of outliers. Factors are
the dimension, the share of the outliers and their distance. Measures are the total distance of the archetypes to their
nearest corners and of the corners to their nearest archetypes, the number of iterations, the weight of the outliers,
and the time. Run it with ``python examples/robust_archetypes.py study.db``; it can be interrupted and resumed. A second
argument, such as ``3``, is the number of replications (default 100).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import pandas as pd

import podium


class CornersKnown(podium.ArchetypalAnalysis):
    """Archetypal analysis with one archetype per corner of the simplex, d + 1 in d dimensions, or more."""

    def __init__(self, further: int = 0, *, family: str = "classical", restarts: int = 5) -> None:
        super().__init__(3, family=family, restarts=restarts, workers=1)
        self.further = further

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> CornersKnown:
        """Fit with as many archetypes as corners, plus `further`."""
        self.n_archetypes = X.shape[1] + 1 + self.further
        super().fit(X, y, sample_weight)
        return self


def study(
    *,
    n: int = 2000,
    dimensions: Sequence[int] = (2, 3, 10, 15),
    shares: Sequence[float] = (0.0025, 0.01, 0.05),
    distances: Sequence[float] = (2, 3, 5, 15),
    further: Sequence[int] = (0,),
    replications: int = 100,
    restarts: int = 5,
) -> podium.Experiment:
    """Return the design of the study."""
    return podium.Experiment(
        name="robust archetypes",
        datasets=[podium.grid(podium.generator("corners", n=n), d=dimensions, outliers=shares, distance=distances)],
        algorithms=[
            podium.algorithm(
                CornersKnown(more, family=family, restarts=restarts), name=name + (f" {more:+d}" if more else "")
            )
            for more in further
            for name, family in (("original", "classical"), ("robust", "robust"))
        ],
        resampling=podium.FreshDraws(replications=replications),
        measures=["archetype distance", "corner distance", "outlier weight", "iterations", "fit time"],
        seed=1,
    )


def medians(results: podium.Results, experiment: podium.Experiment) -> pd.DataFrame:
    """Return the median of each measure, by factors and algorithm."""
    long = results.to_long().merge(experiment.factors.datasets, left_on="dataset", right_index=True)
    keys = [name for name in ("d", "outliers", "distance") if name in long]
    return long.pivot_table(index=[*keys, "algorithm"], columns="measure", values="value", aggfunc="median")


if __name__ == "__main__":
    warehouse = sys.argv[1] if len(sys.argv) > 1 else "robust_archetypes.db"
    design = study(replications=int(sys.argv[2]) if len(sys.argv) > 2 else 100)
    found = podium.run(design, warehouse=warehouse)
    sys.stdout.write(medians(found, design).round(3).to_string() + "\n")
    far = found.select(datasets=[name for name in found.datasets if "distance=15" in name])
    podium.plot.save(podium.plot.trellis(far.select(measure="archetype distance")), "robust_archetypes.png")
