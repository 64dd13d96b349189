"""What `run` and `preview` take, checked before anything is opened or started."""

from __future__ import annotations

from pathlib import Path

from podium.errors import InputError
from podium.setup.experiment import Experiment
from podium.warehouse.warehouse import Warehouse


def check_arguments(experiment: object, warehouse: object, workers: object) -> None:
    """Refuse what is no experiment, no place for a warehouse, or no number of workers."""
    if not isinstance(experiment, Experiment):
        if isinstance(experiment, str | Path):
            came, way_out = f"the text {str(experiment)!r}", f"Use podium.Experiment.from_file({str(experiment)!r})."
        elif isinstance(experiment, dict):
            came, way_out = "a dict", "Use podium.Experiment.from_dict(design)."
        else:
            came, way_out = (
                f"{experiment!r}",
                "podium.Experiment(datasets, algorithms, resampling, measures) makes one.",
            )
        raise InputError(f"`experiment` must be an Experiment; got {came}. {way_out}")
    if not isinstance(warehouse, str | Path | Warehouse):
        raise InputError(f"`warehouse` must be a file, a postgresql:// URL or a Warehouse; got {warehouse!r}.")
    if workers is None:
        return
    if not isinstance(workers, int) or isinstance(workers, bool):
        raise InputError(f"`workers` must be a whole number; got {workers!r}.")
    if workers < 1:
        raise InputError(f"`workers` must be at least 1; got {workers!r}.")
