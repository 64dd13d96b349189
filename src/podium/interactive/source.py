"""Where the explorer's numbers, design and data come from. No untrusted code is run here."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from podium.checks import check_call, describe
from podium.errors import InputError, PodiumError, listing, named
from podium.interactive.absence import Absence, Part, Reason
from podium.results import Results, read
from podium.results.reading import refuse_reading
from podium.setup.experiment import Experiment
from podium.warehouse import Warehouse
from podium.warehouse.location import find_warehouse, is_design

PARTS: tuple[Part, ...] = ("data", "samples", "models")


@check_call
@dataclass(frozen=True, kw_only=True, eq=False)
class Source:
    """What was opened.

    Attributes
    ----------
    results : Results
    experiment : Experiment or None
        The design, where it is known and could be loaded.
    fingerprints : mapping of str to str
        Of the data that the run used, by data set, as far as recorded.
    seconds : float
        Mean time of a fit in the run; NaN where it is not known.
    warehouse : str
        Path or URL of the warehouse; empty if there is none.
    absences : tuple of Absence
    address : str
        Where the warehouse can be opened again, to follow a run; empty if there is none. It may have a password, so it
        is not shown.
    """

    results: Results
    experiment: Experiment | None
    fingerprints: Mapping[str, str]
    seconds: float
    warehouse: str
    absences: tuple[Absence, ...]
    address: str = field(default="", repr=False)


def open_source(source: Any, experiment: Any = None, reading: Mapping[str, Any] | None = None) -> Source:
    """Open results, a warehouse or a design file, and the design that goes with it; `reading` is for a table."""
    reading = reading or {}
    if isinstance(source, Source | Results | Warehouse):
        refuse_reading(reading, source)
    if isinstance(source, Source):
        return source
    if isinstance(source, Experiment):
        raise InputError(
            f"{named('source')} must have numbers; an Experiment has none. "
            "Use podium.explorer(podium.run(experiment), experiment=experiment)."
        )
    given = _given(experiment)
    if isinstance(source, Results):
        return _numbers(source, given)
    if isinstance(source, Warehouse):
        found = _stored(source, given, None)
        return replace(found, address=source.name if Path(source.name).exists() else "")
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        design = text if is_design(text) else None
        where = find_warehouse(text)
        if where is not None:
            refuse_reading(reading, source)
            with Warehouse(where, readonly=True) as warehouse:
                return replace(_stored(warehouse, given, design), address=where)
    return _numbers(read(source, **reading), given)


def _given(experiment: Any) -> Experiment | None:
    """Return the design that the user vouches for: its code is imported."""
    if isinstance(experiment, str | os.PathLike):
        experiment = Experiment.from_file(Path(experiment))
    if experiment is not None and not isinstance(experiment, Experiment):
        raise InputError(f"{named('experiment')} must be an Experiment or a design file; got {describe(experiment)}.")
    if experiment is not None:
        experiment.import_code()
    return experiment


def _numbers(results: Results, given: Experiment | None) -> Source:
    return Source(
        results=results,
        experiment=given,
        fingerprints={},
        seconds=float("nan"),
        warehouse="",
        absences=() if given is not None else _absent("no design"),
    )


def _stored(warehouse: Warehouse, given: Experiment | None, file: str | None) -> Source:
    design = warehouse.design or {}
    record = design.get("record") or {}
    experiment, absences = (given, ()) if given is not None else _recorded(design, warehouse.name, file)
    results = warehouse.results()
    return Source(
        results=results,
        experiment=experiment,
        fingerprints={name: one["data"] for name, one in record.get("datasets", {}).items() if one.get("data")},
        seconds=float("nan") if experiment is None else _seconds(warehouse),
        warehouse=results.warehouse,
        absences=absences,
    )


def _seconds(warehouse: Warehouse) -> float:
    trials = warehouse.trials()
    return float(trials["fit_seconds"].mean()) if len(trials) else float("nan")


def _recorded(design: Mapping[str, Any], name: str, file: str | None) -> tuple[Experiment | None, tuple[Absence, ...]]:
    """Load the design of a run from its file or from the warehouse; code that it names is not imported."""
    written = design.get("experiment")
    try:
        if file is not None:
            experiment = Experiment.from_file(file)
        elif written is None:
            return None, _absent("no recorded design")
        else:
            if downloads := _downloads(written):
                return None, _absent("download", listing(downloads))
            folder = Path(name).resolve().parent if Path(name).exists() else None
            experiment = Experiment.from_dict(written, folder)
    except PodiumError as error:
        return None, _absent("design not loaded", str(error))
    if experiment.modules:
        return experiment, (
            Absence(part="models", reason="code not imported", detail=listing(experiment.modules, quote=False)),
        )
    return experiment, ()


def _downloads(design: Mapping[str, Any]) -> list[str]:
    """List the data sets that are fetched from elsewhere."""
    entries = design.get("datasets", [])
    found = []
    for entry in entries if isinstance(entries, list) else [entries]:
        if isinstance(entry, Mapping) and "openml" in entry:
            found.append(f"openml:{entry['openml']}")
        elif isinstance(entry, str) and entry.startswith("openml:"):
            found.append(entry)
    return found


def _absent(reason: Reason, detail: str = "") -> tuple[Absence, ...]:
    return tuple(Absence(part=part, reason=reason, detail=detail) for part in PARTS)
