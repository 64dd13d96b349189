"""Whether everything in a warehouse is as it should be."""

from __future__ import annotations

import json

from podium.warehouse.database import Database
from podium.warehouse.record import STATUSES

_DONE = STATUSES.index("done") + 1


def problems(database: Database) -> list[str]:
    """Check the database itself, the references, and that every finished trial has all its values."""
    found = database.problems()
    sets = {int(i): json.loads(text) for i, text in database.rows("SELECT id, document FROM measure_set")}
    sql = "SELECT id, status, measure_set, LENGTH(numbers) FROM trial WHERE status = ? OR numbers IS NOT NULL"
    for number, status, measure_set, size in database.rows(sql, (_DONE,)):
        if status != _DONE:
            found.append(f"trial {number} is not done and yet has values")
        elif measure_set is None or measure_set not in sets:
            found.append(f"trial {number} is done and says not what was measured")
        elif size is None:
            found.append(f"trial {number} has no values though it is done")
        elif size != 8 * len(sets[measure_set]):
            found.append(f"trial {number} has {size} bytes for {len(sets[measure_set])} values")
    wrong = f"SELECT id, status FROM trial WHERE status < 1 OR status > {len(STATUSES)}"
    found += [f"trial {number} has the unknown status {status}" for number, status in database.rows(wrong)]
    return found
