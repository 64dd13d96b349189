"""``podium import FILE TARGET``: read scores in the form of another tool and write them in podium's own."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.show import add_score_options, read_scores


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "import",
        help="read scores in the form of another tool and write them in podium's own",
        description="Read a table in any form that podium supports (long, wide, of benchopt, mlr3, OpenML, …), say "
        "what was recognised, and write it in the long form. Without TARGET nothing is written.",
        epilog="examples:\n  podium import study.csv --column algorithm=clf --direction loss=lower\n"
        "  podium import benchmark.parquet scores.csv",
    )
    add_score_options(parser)
    parser.add_argument("target", metavar="TARGET", nargs="?", help="file: .csv, .parquet or .json")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write, and print what was recognised."""
    results = read_scores(args)
    written = None if args.target is None else results.write(args.target)
    print(results if written is None else f"{results}\n\n{written}")
    return 0
