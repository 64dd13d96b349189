"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""

from typing import TYPE_CHECKING

from podium.checks import close_module
from podium.warehouse.decision import Decision, DecisionIdentity, Look, PairDecision
from podium.warehouse.history import Revision
from podium.warehouse.integrity import Damage
from podium.warehouse.predictions import KeptTrials
from podium.warehouse.record import STATUSES, TrialIdentity, TrialKey, TrialRecord
from podium.warehouse.status import Status
from podium.warehouse.warehouse import Warehouse

__all__ = [
    "STATUSES",
    "Damage",
    "Decision",
    "DecisionIdentity",
    "KeptTrials",
    "Look",
    "PairDecision",
    "Revision",
    "Status",
    "TrialIdentity",
    "TrialKey",
    "TrialRecord",
    "Warehouse",
]

if not TYPE_CHECKING:  # type checkers see the names above, and refuse others themselves
    __getattr__, __dir__ = close_module(__name__, __all__)
