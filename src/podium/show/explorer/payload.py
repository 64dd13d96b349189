"""The payload of a page: plain values and packed arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.plot.figures.palette import colours
from podium.results.labels import Label
from podium.show.explorer.absence import sentences
from podium.show.explorer.data import Data, DataColumn
from podium.show.explorer.models import Model, PredictionGrid
from podium.show.explorer.numbers import as_json, decimal_kind, domain_numbers, measure_numbers, packed, whole_kind
from podium.show.explorer.space import ShownModels, Space

MAX_LISTED_ABSENCES = 20  # absences that a page lists


def whole_payload(
    space: Space, title: str, models: ShownModels | Sequence[Label] | None, *, seed: int = 0
) -> dict[str, Any]:
    """Return everything that the page shows."""
    results = space.results
    palette = colours(results)
    requested = {name: space.requested(name, models) for name in results.datasets}
    space.fit(requested)
    datasets = [dataset_payload(space, name, labels, seed=seed) for name, labels in requested.items()]
    several = len(results.datasets) > 1
    domain = [domain_numbers(results, name) for name in results.measure_names] if several else []
    return {
        "title": title,
        "algorithms": [{"name": name, "colour": palette[name]} for name in results.algorithms],
        "measures": list(results.measure_names),
        "datasets": datasets,
        "domain": [one for one in domain if one is not None],
        "absences": absences_payload(space),
        "contents": _contents(datasets),
    }


def _contents(datasets: Sequence[dict[str, Any]]) -> list[str]:
    """Say how many models there are, and how much space they take."""
    with_data = [one for one in datasets if one["samples"] is not None]
    if not with_data:
        return []
    there = sum(len(one["models"]) for one in with_data)
    size = sum(len(as_json(one["models"])) for one in with_data)
    return [
        f"models of {there:,} of {sum(len(one['labels']) for one in with_data):,} replications, "
        + (f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.0f} kB")
    ]


def absences_payload(space: Space) -> list[str]:
    """Return what cannot be shown and why, one sentence each; the first ones if there are many."""
    found = sentences(space.absences)
    return (
        found
        if len(found) <= MAX_LISTED_ABSENCES
        else [*found[:MAX_LISTED_ABSENCES], f"and {len(found) - MAX_LISTED_ABSENCES:,} more"]
    )


def dataset_payload(space: Space, dataset: str, models: Sequence[Label], *, seed: int = 0) -> dict[str, Any]:
    """Return the numbers, data and samples of one data set, and the models of some replications."""
    labels = space.replications(dataset)
    one = space.results.select(dataset=dataset)
    data, grid, frequencies = space.data(dataset), space.grid(dataset), space.frequencies(dataset)
    return {
        "name": dataset,
        "labels": list(labels),
        "measures": [measure_numbers(one, name, labels, seed) for name in one.measure_names],
        "data": None if data is None else _data(data),
        "grid": None if grid is None else _grid(grid),
        "samples": None if frequencies is None else packed(frequencies, whole_kind(int(frequencies.max(initial=0)))),
        "models": {str(labels.index(label)): models_payload(space, dataset, label) for label in models},
    }


def models_payload(space: Space, dataset: str, replication: Label) -> list[dict[str, Any]]:
    """Return the models of one replication."""
    data = space.data(dataset)
    classes = data is not None and data.task != "regression"
    return [_model(space, one, classes=classes) for one in space.models(dataset, replication)]


def _model(space: Space, model: Model, *, classes: bool) -> dict[str, Any]:
    return {
        "algorithm": space.results.algorithms.index(model.algorithm),
        "prediction": packed(model.prediction, "f4" if classes else "f8"),  # small errors of large values count
        "surface": packed(model.surface, decimal_kind(model.surface)) if len(model.surface) else None,
    }


def _data(data: Data) -> dict[str, Any]:
    return {
        "task": data.task,
        "n": data.n,
        "inputs": [_column(column) for column in data.inputs],
        "target": None if data.target is None else _column(data.target),
        "components": None if data.components is None else packed(data.components.T, "f4"),
        "explained": list(data.explained),
    }


def _column(column: DataColumn) -> dict[str, Any]:
    levels = list(column.levels)
    kind = "f8" if not levels else "f4"
    return {"name": column.name, "levels": levels, "values": packed(np.asarray(column.values), kind)}


def _grid(grid: PredictionGrid) -> dict[str, Any]:
    return {"columns": list(grid.columns), "axes": [packed(axis) for axis in grid.axes]}
