"""``podium sequential FILE``: when a sequential test would have stopped."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import (
    FOR_PAIRS,
    add_area_option,
    add_missing_option,
    add_ratio_option,
    area,
    pair,
    read_chosen,
)
from podium.cli.monitor import add_pair_options
from podium.cli.output import add_output_options, emit_fitted, frame_table
from podium.cli.show import add_score_options


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "sequential",
        help="find when a sequential test would have stopped",
        description="Apply a sequential test to replications, stage by stage, and find when it stops or where the next "
        "look is.",
        epilog="examples:\n  podium sequential scores.csv --dataset iris --pair svm,knn\n"
        "  podium sequential scores.csv --control svm --kind 'group sequential' --stages 5",
    )
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    add_pair_options(parser)
    parser.add_argument("--control", metavar="NAME", help="compare all others with this algorithm")
    parser.add_argument(
        "--stages",
        type=_stages,
        default=5,
        metavar="N",
        help="number of stages (default: 5), or the replications of each, also of those to come: 50,50,100",
    )
    parser.add_argument(
        "--kind", default="combination", metavar="NAME", help="combination, group sequential, betting or asymptotic"
    )
    parser.add_argument("--method", metavar="NAME", help="the test of a stage, or of all data so far")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    parser.add_argument("--racing", action="store_true", help="leave out algorithms that are beaten")
    add_area_option(parser)
    add_ratio_option(parser)
    add_missing_option(parser, FOR_PAIRS)
    add_output_options(parser)
    parser.set_defaults(run=run)


def _stages(text: str) -> int | list[int]:
    try:
        return [int(part) for part in text.split(",")] if "," in text else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number, or numbers such as 50,50,100") from None


def run(args: argparse.Namespace) -> int:
    """Print what would have been decided, and when."""
    import podium

    results = read_chosen(args)
    found = podium.sequential(
        results,
        pair=pair(args, results),
        control=args.control,
        stages=args.stages,
        kind=args.kind,
        method=args.method,
        alternative=args.alternative,
        alpha=args.alpha,
        equivalence=area(args),
        racing=args.racing,
        ratio=args.ratio,
        missing=args.missing,
    )
    frame = found.frame()
    table = frame_table(args, frame, ["dataset", "measure", "a", "b"], str(found), found.alpha)
    facts = {"pairs": frame, "stages": found.stages, "next_looks": found.next_looks, "saved": found.saved}
    return emit_fitted(args, table, found.text(), facts=facts)
