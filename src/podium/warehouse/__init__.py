"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""

from podium.warehouse.history import Revision
from podium.warehouse.integrity import Damage
from podium.warehouse.record import STATUSES, TrialIdentity, TrialKey, TrialRecord
from podium.warehouse.status import Status
from podium.warehouse.warehouse import Warehouse

__all__ = [
    "STATUSES",
    "Damage",
    "Revision",
    "Status",
    "TrialIdentity",
    "TrialKey",
    "TrialRecord",
    "Warehouse",
]
