"""The design of an experiment in a warehouse: recorded, extended, or refused if it contradicts an earlier one."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from podium.errors import DesignChangedError
from podium.setup.resampling import FreshDraws

if TYPE_CHECKING:
    from podium.setup.experiment import Experiment
    from podium.warehouse.warehouse import Warehouse


def record_design(experiment: Experiment, warehouse: Warehouse) -> None:
    """Record the design in a new warehouse or as an extension of earlier ones; refuse one that contradicts them."""
    check_design(experiment, warehouse)
    document = design_document(experiment)
    if warehouse.design != document:
        warehouse.set_design(document, experiment.fingerprint())


def check_design(experiment: Experiment, warehouse: Warehouse) -> None:
    """Refuse a warehouse with trials that this experiment would not reproduce.

    Every earlier design counts, not only the newest: what was left out for a while may have come back changed.
    """
    for earlier in warehouse.designs():
        record = earlier.get("record")
        if record is None:
            raise DesignChangedError(
                f"The warehouse {warehouse.name!r} contains trials that were not made by podium.run, so it is "
                "unknown whether this experiment would reproduce them. Use another warehouse, and merge afterwards."
            )
        changes = experiment.changes(record)
        if changes:
            raise DesignChangedError(
                f"The warehouse {warehouse.name!r} was made with another design:\n"
                + "\n".join(f"  {line}" for line in changes)
                + "\nWhat was measured is kept. Use the old design, or another warehouse for the new one."
            )


def design_document(experiment: Experiment) -> dict[str, Any]:
    """Return a design as a warehouse stores it."""
    return {
        "datasets": [dataset.name for dataset in experiment.datasets],
        "algorithms": [algorithm.name for algorithm in experiment.algorithms],
        "replications": experiment.shape[1],
        "independent": isinstance(experiment.resampling, FreshDraws),
        "measures": [dataclasses.asdict(measure.info) for measure in experiment.measures],
        "experiment": experiment.to_dict(),
        "record": experiment.record(),
    }
