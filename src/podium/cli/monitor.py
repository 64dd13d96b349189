"""``podium monitor FILE``: repeat a test on accumulating replications."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import (
    FOR_VALUES,
    add_missing_option,
    add_pair_option,
    add_ratio_option,
    pair,
    read_chosen,
)
from podium.cli.output import add_output_options, emit_fitted, frame_table
from podium.cli.show import add_score_options


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "monitor",
        help="repeat a test on accumulating replications of one data set",
        description="Repeat a test on the first b replications of one data set, for every b, and find the point of "
        "consecutive significance. It describes; `podium sequential` decides.",
        epilog="examples:\n  podium monitor scores.csv --dataset iris --pair svm,knn\n"
        "  podium monitor scores.csv --dataset iris --method friedman",
    )
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    add_pair_options(parser)
    parser.add_argument("--method", default="wilcoxon", metavar="NAME", help="a test of pairs, or a global one")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    parser.add_argument("--burn-in", type=int, default=3, metavar="N", help="replications before the first test")
    parser.add_argument(
        "--rearrangements", type=int, default=0, metavar="N", help="random orders of the replications to try, too"
    )
    add_ratio_option(parser)
    add_missing_option(parser, FOR_VALUES)
    add_output_options(parser)
    parser.set_defaults(run=run)


def add_pair_options(parser: argparse.ArgumentParser) -> None:
    """Add `--pair` and `--alternative`."""
    add_pair_option(parser, "the two algorithms; default: all pairs")
    parser.add_argument("--alternative", default="two-sided", metavar="SIDE", help="two-sided, better or worse")


def run(args: argparse.Namespace) -> int:
    """Print the points of consecutive significance."""
    import podium

    results = read_chosen(args)
    found = podium.monitor(
        results,
        pair=pair(args, results),
        method=args.method,
        alternative=args.alternative,
        alpha=args.alpha,
        burn_in=args.burn_in,
        rearrangements=args.rearrangements,
        missing=args.missing,
        **({} if args.ratio is None else {"ratio": args.ratio}),
    )
    frame = found.frame()
    table = frame_table(args, frame, ["a", "b"], str(found), found.alpha)
    if found.rearranged is not None:
        note = "Point 25% to 75%: quartiles of the point over the random orders; ∞ where there is none."
        table = table.replace(notes=(note,))
    return emit_fitted(args, table, found.text(), facts={"pairs": frame, "pvalues": found.series, "alpha": found.alpha})
