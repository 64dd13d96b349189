"""Means of a measure: one kind in all of a report, geometric ones on a log scale."""

from __future__ import annotations

import dataclasses

import numpy as np

from podium.analysis.transform import transform_results
from podium.arrays import FloatArray
from podium.results import Results


def is_geometric(results: Results) -> bool:
    """Whether one measure is averaged by geometric means everywhere in a report: on a log scale."""
    return transform_results(results, None).transform == "log"


def mean_in_words(results: Results) -> str:
    """Name the mean by which one measure is averaged everywhere in a report."""
    return "geometric mean" if is_geometric(results) else "mean"


def geometric_mean(values: FloatArray) -> float:
    """Return the geometric mean of positive values."""
    return float(np.exp(np.mean(np.log(values))))


def averaged(results: Results) -> Results:
    """Reduce the replications of each data set to their mean by one measure."""
    if not is_geometric(results):
        return results.aggregate("mean", missing="available")
    logs = transform_results(results, None).results.aggregate("mean", missing="available")
    return dataclasses.replace(logs, values=np.exp(logs.values), measures=results.measures)
