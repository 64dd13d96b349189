"""``podium status WAREHOUSE``: show the status of an experiment."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.cli.run import existing_warehouse


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "status",
        help="show the status of an experiment, also while it runs",
        description="Count the trials of a warehouse by status and algorithm, and show why some are not done.",
        epilog="examples:\n  podium status monks.db\n  podium status monks.yaml",
    )
    parser.add_argument("warehouse", metavar="WAREHOUSE", help="file, postgresql:// URL, or the design file of a run")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    where: str = args.warehouse
    is_design = where.endswith((".yaml", ".yml", ".json"))
    with podium.Warehouse(existing_warehouse(where) if is_design else where, readonly=True) as warehouse:
        print(warehouse.status())
    return 0
