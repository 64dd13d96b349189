"""Means of a measure: one kind in all of a report, geometric ones on a log scale."""

from __future__ import annotations

import dataclasses
from typing import Literal, TypeAlias

import numpy as np

from podium.analysis.transform import transform_results
from podium.arrays import FloatArray
from podium.results import Results

Mean: TypeAlias = Literal["mean", "geometric mean"]


def mean_in_words(results: Results) -> Mean:
    """Name the mean by which one measure is averaged everywhere in a report: geometric on a log scale."""
    return "geometric mean" if transform_results(results, None).transform == "log" else "mean"


def geometric_mean(values: FloatArray) -> float:
    """Return the geometric mean of positive values."""
    return float(np.exp(np.mean(np.log(values))))


def averaged(results: Results) -> Results:
    """Reduce the replications of each data set to their mean by one measure."""
    if mean_in_words(results) == "mean":
        return results.aggregate("mean", missing="available")
    logs = transform_results(results, None).results.aggregate("mean", missing="available")
    return dataclasses.replace(logs, values=np.exp(logs.values), measures=results.measures)
