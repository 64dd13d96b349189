"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""

from podium.warehouse.exporters import export_trials, import_trials
from podium.warehouse.importers import read_benchopt, read_cross_validate, read_openml_evaluations
from podium.warehouse.merging import merge
from podium.warehouse.record import STATUSES, Status, TrialKey, TrialRecord
from podium.warehouse.warehouse import Warehouse

__all__ = [
    "STATUSES",
    "Status",
    "TrialKey",
    "TrialRecord",
    "Warehouse",
    "export_trials",
    "import_trials",
    "merge",
    "read_benchopt",
    "read_cross_validate",
    "read_openml_evaluations",
]
