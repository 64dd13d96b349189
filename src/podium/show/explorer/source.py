"""Where the explorer's numbers and the experiment behind them come from.

An experiment is only what the user gives: nothing that a warehouse names is imported, opened or fitted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from podium.checks import check_call
from podium.design.experiment import Experiment, given_experiment
from podium.errors import InputError
from podium.results import Results, read
from podium.results.reading import refuse_reading
from podium.store import Warehouse
from podium.store.location import find_warehouse, is_design


@check_call
@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """What was opened.

    Attributes
    ----------
    results : Results
    experiment : Experiment or None
        The experiment that the user gave; its code is imported.
    fingerprints : mapping of str to str
        Of the data that the run used, by data set, as far as recorded.
    seconds : float
        Mean time of a fit in the run; NaN where it is not known.
    """

    results: Results
    experiment: Experiment | None
    fingerprints: Mapping[str, str]
    seconds: float


def open_source(source: Any, experiment: Any = None, reading: Mapping[str, Any] | None = None) -> Source:
    """Open results, a warehouse, or the design file of an experiment that was run; `reading` is for a table."""
    reading = reading or {}
    if isinstance(source, Source | Results | Warehouse):
        refuse_reading(reading, source)
    if isinstance(source, Source):
        return source
    if isinstance(source, Experiment):
        raise InputError(
            "`source` must have numbers; an Experiment has none. Use podium.explorer(podium.run(experiment), "
            "experiment=experiment)."
        )
    if isinstance(source, Warehouse):
        return _stored(source, _with_code(experiment))
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        where = find_warehouse(text)
        if where is not None:
            refuse_reading(reading, source)
            design = text if experiment is None and is_design(text) else experiment
            with Warehouse(where, readonly=True) as warehouse:
                return _stored(warehouse, _with_code(design))
    results = source if isinstance(source, Results) else read(source, **reading)
    return Source(results=results, experiment=_with_code(experiment), fingerprints={}, seconds=float("nan"))


def _with_code(experiment: Any) -> Experiment | None:
    """Return the experiment that the user gives, with the code that it names imported."""
    if experiment is None:
        return None
    given = given_experiment(experiment)
    given.import_code()
    return given


def _stored(warehouse: Warehouse, experiment: Experiment | None) -> Source:
    record = (warehouse.design or {}).get("record") or {}
    return Source(
        results=warehouse.results(),
        experiment=experiment,
        fingerprints={name: one["data"] for name, one in record.get("datasets", {}).items() if one.get("data")},
        seconds=float("nan") if experiment is None else _seconds(warehouse),
    )


def _seconds(warehouse: Warehouse) -> float:
    trials = warehouse.trials()
    return float(trials["fit_seconds"].mean()) if len(trials) else float("nan")
