"""``podium status WAREHOUSE``: say where an experiment stands."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.cli.running import warehouse_of


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "status",
        help="say where an experiment stands, also while it runs",
        description="Count the trials of a warehouse by state and algorithm, and say why some did not end as done.",
        epilog="examples:\n  podium status monks.db\n  podium status monks.yaml",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("warehouse", metavar="WAREHOUSE", help="file, postgresql:// URL, or the design file of a run")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    where: str = args.warehouse
    print(podium.status(warehouse_of(where, None) if where.endswith((".yaml", ".yml", ".json")) else where))
    return 0
