"""``podium explore FILE``: write the tables and figures for a first look into a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from podium.cli.show import add_score_options, read_scores


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "explore",
        help="write summaries and figures of a table of scores, or of a run, to a folder",
        description="Read a table of scores, or the results of a run, and write everything for a first look to a "
        "folder: tables of summaries, orders, intervals, worst case and places, the quartile chart, and all figures.",
        epilog="examples:\n  podium explore scores.csv\n"
        "  podium explore scores.csv --out look --format png --format pdf",
    )
    add_score_options(parser)
    parser.add_argument("--out", type=Path, default=Path("exploration"), metavar="FOLDER", help="default: exploration")
    parser.add_argument("--format", action="append", metavar="FORMAT", help="png (the default), svg or pdf; repeatable")
    parser.add_argument(
        "--size",
        choices=("screen", "column"),
        default="screen",
        help="size of the figures: for a screen (the default) or a column of a paper",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for ties broken at random; default: 0")
    parser.add_argument(
        "--missing",
        default="available",
        metavar="POLICY",
        help="for missing cells: available (the default: the blocks that all algorithms have), raise, drop-block, "
        "drop-algorithm, worst-value or worst-rank",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the files, and print their names."""
    from podium.plot.explore import explore

    results = read_scores(args)
    written = explore(
        results,
        args.out,
        measures=[args.measure] if args.measure in results.measure_names else None,
        formats=args.format or ("png",),
        size=args.size,
        seed=args.seed,
        missing=args.missing,
    )
    for path in written:
        print(path)
    return 0
