"""``podium export SOURCE FILE``: write the scores of a run, or of a table, to a file."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.show import add_score_options, read_scores


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "export",
        help="write the scores of a run, or of a table, to a file",
        description="Write scores in the long form, one row per value: .csv, .parquet or .json. "
        "`podium warehouse export` writes whole trials, with their errors.",
        epilog="examples:\n  podium export monks.db scores.csv\n"
        "  podium export monks.yaml accuracy.csv --measure accuracy",
    )
    add_score_options(parser)
    parser.add_argument("target", metavar="TARGET", help="file: .csv, .parquet or .json")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write, and print the name of the file."""
    print(read_scores(args).write(args.target))
    return 0
