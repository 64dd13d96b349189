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
    from podium.analysis.describe.summary import meaning_of_n, summarize_measure
    from podium.results.missing import RESOLVING, parse_policy

    results = read_chosen(args)
    policy = parse_policy(args.missing, allowed=RESOLVING)
    options = {"statistics": args.statistic, "missing": policy, "transform": args.transform}
    found = [summarize_measure(results, name, **options) for name in results.measure_names]
    measures = "; ".join(str(one.table.measure) for one in found)
    mean = "geometric mean" if all(one.transform == "log" for one in found) else "mean"
    first = f", best {mean} first" if found[0].ordered else ""
    title = f"{measures}{first}; {meaning_of_n(found[0].table.unit)}: n = {max(one.n for one in found)}."
    return emit(args, summary_table(found, title))
