"""What `run` and `preview` take, checked before anything is opened or started."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from podium.errors import InputError, listing
from podium.setup.experiment import Experiment
from podium.warehouse.record import STATUSES
from podium.warehouse.warehouse import Warehouse

EXECUTORS = ("pool", "threads", "loky")


def check_arguments(
    experiment: object, warehouse: object, workers: object, executor: object = None, retry: str | Sequence[str] = ()
) -> None:
    """Refuse what is no experiment, place for a warehouse, number of workers, executor or state of trials.

    A run that is refused leaves no file behind.
    """
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
    if isinstance(executor, str) and executor not in EXECUTORS:
        raise InputError(f"`executor` must be 'pool', 'threads' or 'loky', or an executor; got {executor!r}.")
    wrong = [status for status in ([retry] if isinstance(retry, str) else retry) if status not in STATUSES]
    if wrong:
        raise InputError(f"`retry` names {listing(wrong)}; a trial ends as one of {listing(STATUSES)}.")
    if workers is None:
        return
    if not isinstance(workers, int) or isinstance(workers, bool):
        raise InputError(f"`workers` must be a whole number; got {workers!r}.")
    if workers < 1:
        raise InputError(f"`workers` must be at least 1; got {workers!r}.")
