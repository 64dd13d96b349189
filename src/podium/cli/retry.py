"""``podium retry FILE``: try again what did not end as done."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.running import add_running_options, run_file


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "retry",
        help="try trials again that failed, timed out or crashed",
        description="Try the trials again that ended in one of the named states, and run what is missing. The "
        "earlier attempts stay in the warehouse; the newest counts.",
        epilog="examples:\n  podium retry monks.yaml --status failed,timeout\n"
        "  podium retry monks.yaml --status timeout --seconds-per-fit 600",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_running_options(parser)
    parser.add_argument(
        "--status",
        default="failed,timeout,crashed",
        metavar="STATES",
        help="states to try again, with commas: failed, timeout, crashed, skipped; default: the first three",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run, and say how it stands."""
    return run_file(args, retry=[word.strip() for word in args.status.split(",")])
