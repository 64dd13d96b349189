"""``podium run FILE``: run an experiment, or go on with it."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.running import add_running_options, run_file


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "run",
        help="run an experiment, or go on with it",
        description="Run what the warehouse does not have of an experiment. Run the same file again after an "
        "interrupt, or after adding replications, algorithms or data sets: only what is missing is done.",
        epilog="examples:\n  podium run monks.yaml\n  podium run monks.yaml --workers 4 --seconds-per-fit 60\n"
        "  podium run monks.yaml --dry-run",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_running_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run, and say how it stands."""
    return run_file(args)
