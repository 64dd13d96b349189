"""``podium show FILE``: say what a table of scores holds, and summarise it."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.cli.reading import add_reading_options, read_results


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "show",
        help="say what a table of scores or a run holds, and summarise it",
        description="Read a table of scores, or the results of a run, say what it holds, and summarise each measure.",
        epilog="example: podium show scores.csv --direction loss=lower",
    )
    add_reading_options(parser)
    parser.add_argument(
        "--missing",
        default="available",
        help="what to do about missing cells: raise, drop-block, drop-algorithm, worst-value or available "
        "(default: %(default)s, which uses the cells that are there)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the description and one summary per measure."""
    results = read_results(args)
    print(results)
    if not results.present.any():
        print("\nNo trial has a value yet. `podium status` tells how far a run is; `podium run` does what is missing.")
        return 0
    names = results.measure_names if args.measure not in results.measure_names else (args.measure,)
    for name in names:
        summary = podium.summarize(results, name, missing=args.missing)
        print(f"\n{summary.attrs['measure']}")
        print(f"{summary.attrs['missing']}")
        print(summary.to_string(float_format=lambda x: f"{x:.4g}"))
    return 0
