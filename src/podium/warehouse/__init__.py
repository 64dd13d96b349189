"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""

from podium.warehouse.history import Revision
from podium.warehouse.integrity import Damage
from podium.warehouse.predictions import KeptTrials
from podium.warehouse.record import STATUSES, TrialIdentity, TrialKey, TrialRecord
from podium.warehouse.status import Status
from podium.warehouse.warehouse import Warehouse

__all__ = [
    "STATUSES",
    "Damage",
    "KeptTrials",
    "Revision",
    "Status",
    "TrialIdentity",
    "TrialKey",
    "TrialRecord",
    "Warehouse",
]
