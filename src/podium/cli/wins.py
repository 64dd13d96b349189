"""``podium wins FILE``: on how many data sets each algorithm beats each of the others."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.analysis.multitest.text import wins_lines
from podium.cli.comparison_options import FOR_PAIRS, add_missing_option, add_ratio_option
from podium.cli.output import add_output_options, as_json, filled, fits, terminal_width, titled, write
from podium.cli.show import add_score_options, read_scores


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "wins",
        help="on how many data sets each algorithm beats each of the others, with sign tests",
        description="Count on how many data sets each algorithm (row) beats each of the others (column), by the better "
        "mean or by a test on each data set; a star marks wins that the sign test over data sets calls significant.",
        epilog="examples:\n  podium wins scores.csv --measure accuracy\n  podium wins scores.csv --test '5x2cv F'\n"
        "  podium wins scores.csv --measure accuracy --out wins.tex",
    )
    add_score_options(parser)
    parser.add_argument(
        "--test", metavar="NAME", help="a win is a significant difference by this test, such as '5x2cv F', 'wilcoxon'"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="level of the tests (default: 0.05)")
    parser.add_argument(
        "--adjust", default="none", metavar="NAME", help="adjustment of the sign tests, such as holm (default: none)"
    )
    add_ratio_option(parser)
    add_missing_option(parser, FOR_PAIRS)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    results = read_scores(args)
    measure = args.measure if args.measure in results.measure_names else None
    options = {} if args.ratio is None else {"ratio": args.ratio}
    table = podium.inference.win_table(
        results, measure, test=args.test, alpha=args.alpha, adjust=args.adjust, missing=args.missing, **options
    )
    if args.out is not None:
        write(args, table.table())
    elif args.json:
        print(as_json({"test": table.method, "alpha": table.alpha, "adjust": table.adjust, "pairs": table.pairs()}))
    else:
        shown = table.table()
        print(titled(shown.replace(notes=())) if fits(shown) else wins_lines(table, terminal_width()))
        print(f"\n{filled(table.text())}")
    return 0
