"""``podium retry FILE``: run trials again that are not done, and those that are left."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.run import add_run_options, run_file


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "retry",
        help="run trials again that failed, timed out or crashed, and those that are left",
        description="Run the trials with the given statuses again, and those that are left, as `podium run` does. The "
        "earlier attempts stay in the warehouse; the newest one counts.",
        epilog="examples:\n  podium retry monks.yaml --status failed,timeout\n"
        "  podium retry monks.yaml --status timeout --seconds-per-fit 600",
    )
    add_run_options(parser)
    parser.add_argument(
        "--status",
        default="failed,timeout,crashed",
        metavar="STATUSES",
        help="which trials, separated by commas: failed, timeout, crashed, skipped; default: the first three",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run, and print the status."""
    return run_file(args, retry=[word.strip() for word in args.status.split(",")])
