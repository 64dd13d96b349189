"""The warehouse: where trials are kept, append-only and resumable. Opening one never executes code."""

from typing import TYPE_CHECKING

from podium.checks import close_module
from podium.store.decision import Decision, DecisionIdentity, Look, PairDecision
from podium.store.integrity import Damage
from podium.store.predictions import KeptTrials
from podium.store.record import STATUSES, TrialIdentity, TrialKey, TrialRecord
from podium.store.status import Status
from podium.store.warehouse import Revision, Warehouse

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
