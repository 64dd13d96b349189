"""``podium status WAREHOUSE``: show the status of an experiment."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.cli.output import as_json
from podium.warehouse.location import existing_warehouse, is_design, is_warehouse


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "status",
        help="show the status of an experiment, also while it runs",
        description="Count the trials of a warehouse by status and algorithm, and show why some are not done.",
        epilog="examples:\n  podium status monks.db\n  podium status monks.yaml",
    )
    parser.add_argument("warehouse", metavar="WAREHOUSE", help="file, postgresql:// URL, or the design file of a run")
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    where: str = args.warehouse
    if is_design(where) or (where.lower().endswith(".json") and not is_warehouse(where)):
        where = existing_warehouse(where)
    with podium.Warehouse(where, readonly=True) as warehouse:
        status = warehouse.status()
    if args.json:
        by_algorithm = status.by_algorithm.rename_axis("algorithm").reset_index()
        facts = {"warehouse": status.warehouse, "counts": status.counts, "by_algorithm": by_algorithm}
        if status.sequences:
            facts["stopping"] = {
                "sequences": status.sequences,
                "saved": status.saved,
                "superfluous": status.superfluous,
                "decisions": [
                    {
                        "dataset": decision.dataset,
                        "stage": decision.stage,
                        "replications": decision.replications,
                        "ending": decision.ending,
                        "dropped": list(decision.dropped),
                        "open": decision.undecided,
                    }
                    for decision in status.decisions
                ],
            }
        print(as_json({**facts, "problems": status.problems}))
    else:
        print(status)
    return 0
