"""Sensitivity of archetypal analysis to outliers: the simulation study of Eugster (2011), section 9.5.

The data are uniform in a regular simplex, whose corners are the true archetypes, with a group of outliers. Factors are
the dimension, the share of the outliers and their distance. Measures are the total distance of the archetypes to their
nearest corners and of the corners to their nearest archetypes, the number of iterations, the time, the RSS, the RSS
weighted by the robust weights, and the mean weight of the outliers. As in the section, each fit has one random start
and at most 100 iterations.

Differences from the section: there, 5, 20 or 100 outliers are added to 2000 observations, here they are among the 2000;
its RSS is a spectral norm; and it does not measure the weight of the outliers. The algorithms are podium's, and an
iteration of the robust one computes weights and then makes up to ten steps with them.

Run it with ``python examples/robust_archetypes.py study.db``; it can be interrupted and resumed. A second argument,
such as ``3``, is the number of replications (default 100), each of which takes about half a minute of CPU time. Two
options choose other designs, each of which needs a warehouse of its own: ``--numbers`` is the second simulation of the
section, with two fewer to two more archetypes than corners; ``--defaults`` uses podium's default start and keeps the
best of five restarts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

import podium


class CornersKnown(podium.ArchetypalAnalysis):
    """Archetypal analysis with one archetype per corner of the simplex, d + 1 in d dimensions, or more.

    A run sets `random_state`, so that each trial has a start of its own.
    """

    def __init__(
        self,
        further: int = 0,
        *,
        family: str = "classical",
        start: str | None = "random",
        n_init: int = 1,
        random_state: int = 0,
    ) -> None:
        super().__init__(
            3, family=family, start=start, n_init=n_init, random_state=random_state, max_iter=100, workers=1
        )
        self.further = further

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> CornersKnown:
        """Fit with as many archetypes as corners, plus `further`."""
        self.n_archetypes = X.shape[1] + 1 + self.further
        super().fit(X, y, sample_weight)
        return self


def rss(model: Any, learn: Any, test: Any) -> float:
    """Return the residual sum of squares of all observations."""
    return float(model.rss_)


def weighted_rss(model: Any, learn: Any, test: Any) -> float:
    """Return the residual sum of squares, weighted by the robust weights."""
    scale = model.solution_.scale
    residuals = scale.scaled(learn.X.to_numpy()) - model.coefficients_ @ scale.scaled(model.archetypes_)
    return float(model.robust_weights_ @ (residuals**2).sum(axis=1))


def study(
    *,
    n: int = 2000,
    dimensions: Sequence[int] = (2, 3, 10, 15),
    shares: Sequence[float] = (0.0025, 0.01, 0.05),
    distances: Sequence[float] = (2, 3, 5, 15),
    further: Sequence[int] = (),
    start: str | None = "random",
    n_init: int = 1,
    replications: int = 100,
) -> podium.Experiment:
    """Return the design of the study; `further` makes the number of archetypes a factor of the algorithms."""
    algorithms = [
        podium.Algorithm(name, CornersKnown(family=family, start=start, n_init=n_init))
        for name, family in (("original", "classical"), ("robust", "robust"))
    ]
    return podium.Experiment(
        name="robust archetypes",
        datasets=[
            podium.grid(podium.Dataset.generated("corners", n=n), d=dimensions, outliers=shares, distance=distances)
        ],
        algorithms=[podium.grid(one, further=further) for one in algorithms] if further else algorithms,
        resampling=podium.FreshDraws(replications=replications),
        measures=[
            "archetype distance",
            "corner distance",
            "outlier weight",
            "iterations",
            "fit time",
            podium.Measure("RSS", rss, direction="lower"),
            podium.Measure("weighted RSS", weighted_rss, direction="lower"),
        ],
        seed=1,
    )


def medians(results: podium.Results, experiment: podium.Experiment) -> pd.DataFrame:
    """Return the median of each measure, by factors and algorithm."""
    long = experiment.factors.join(results.to_long())
    factors = [name for name in ("d", "outliers", "distance") if name in long]
    return long.pivot_table(index=[*factors, "algorithm"], columns="measure", values="value", aggfunc="median")


def breakdowns(results: podium.Results, experiment: podium.Experiment) -> pd.DataFrame:
    """Count the fits in which the outliers keep a mean weight above 0.1, by dimension, share and algorithm."""
    weights = experiment.factors.join(results.select(measure="outlier weight").to_long())
    kept = weights.assign(kept=weights["value"] > 0.1)
    return kept.pivot_table(index=["d", "outliers"], columns="algorithm", values="kept", aggfunc="sum")


def draw(results: podium.Results, experiment: podium.Experiment, stem: str) -> None:
    """Save box plots of both distances: with 10 dimensions (figure 9.9), and with the furthest outliers (9.10)."""
    levels = experiment.factors.datasets
    many = levels["outliers"] == levels["outliers"].max()
    chosen = {"10 dimensions": levels["d"] == 10, "furthest": levels["distance"] == levels["distance"].max()}
    for name, ones in chosen.items():
        for measure in ("archetype distance", "corner distance"):
            panels = podium.plot.trellis(results.select(datasets=[*levels.index[many & ones]], measure=measure))
            podium.plot.save(panels, f"{stem}, {name}, {measure}.png")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("warehouse", nargs="?", default="robust_archetypes.db")
    parser.add_argument("replications", nargs="?", type=int, default=100)
    design = parser.add_mutually_exclusive_group()
    design.add_argument("--numbers", action="store_true")
    design.add_argument("--defaults", action="store_true")
    given = parser.parse_args()
    chosen: dict[str, Any] = {"further": (-2, -1, 0, 1, 2)} if given.numbers else {}
    if given.defaults:
        chosen = {"start": None, "n_init": 5}
    experiment = study(replications=given.replications, **chosen)
    found = podium.run(experiment, warehouse=given.warehouse)
    sys.stdout.write(medians(found, experiment).round(2).to_string() + "\n")
    sys.stdout.write("\nFits that leave the outliers a mean weight above 0.1:\n")
    sys.stdout.write(breakdowns(found, experiment).to_string() + "\n")
    draw(found, experiment, Path(given.warehouse).stem)
