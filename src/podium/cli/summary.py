"""``podium summary FILE``: summarise each algorithm."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import FOR_PAIRS, add_missing_option, add_transform_option, read_chosen
from podium.cli.output import add_output_options, emit, summary_table
from podium.cli.show import add_score_options


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "summary",
        help="summarise each algorithm: mean, sd, median, quartiles, mean rank",
        description="Summarise each algorithm, best first: over replications of one data set, or over data sets.",
        epilog="examples:\n  podium summary scores.csv --measure accuracy\n"
        "  podium summary scores.csv --measure accuracy --statistic q95 --statistic worst\n"
        "  podium summary scores.csv --out summary.tex",
    )
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    parser.add_argument(
        "--statistic",
        action="append",
        default=[],
        metavar="NAME",
        help="an additional column: worst, iqr, q95, …; repeatable",
    )
    add_transform_option(parser)
    add_missing_option(parser, FOR_PAIRS)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one table."""
    import podium

    results = read_chosen(args)
    measure = results.measure_names[0] if len(results.measures) == 1 else list(results.measure_names)
    frame = podium.summarize(
        results, measure, statistics=args.statistic, missing=args.missing, transform=args.transform
    )
    names = ["measure", "algorithm"] if frame.index.nlevels > 1 else ["algorithm"]
    first = "best geometric mean first" if "geometric mean" in frame and "mean" not in frame else "best mean first"
    title = f"{frame.attrs['measure']}, {first}; {frame.attrs['legend']['n']}: n = {frame['n'].max()}."
    return emit(args, summary_table(frame.rename_axis(names), title))
