"""``podium table FILE``: make a table for a paper."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import add_test_options, add_transform_option, read_chosen
from podium.cli.output import ENDINGS, add_output_options, emit
from podium.errors import InputError

KINDS = ("scores", "algorithms", "pairs", "wins", "measures")


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "table",
        help="make a table for a paper: text, LaTeX, Markdown, HTML, CSV, JSON",
        description="Make a table for a paper: data sets × algorithms with mean ± sd, best in bold, marks of "
        "significance and mean ranks (scores); one row per algorithm with rank, median, interval and effect size "
        f"(algorithms); pairs; wins, ties and losses (wins); algorithms × measures (measures). --out: {ENDINGS}.",
        epilog="examples:\n  podium table scores.csv --measure accuracy\n"
        "  podium table scores.csv --measure accuracy --out table.tex\n"
        "  podium table scores.csv --measure accuracy --kind algorithms --control svm\n"
        "  podium table folds.csv --measure accuracy --ratio 1/9\n"
        "  podium table scores.csv --kind measures --out measures.md",
    )
    add_test_options(parser, missing="worst-rank is for --kind algorithms, pairs and wins")
    parser.add_argument("--kind", choices=KINDS, default="scores", help="which table; default: scores")
    parser.add_argument("--digits", type=int, default=2, metavar="N", help="significant digits of the uncertainty")
    parser.add_argument("--no-marks", action="store_true", help="do not test")
    add_transform_option(parser)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print or write the table."""
    from podium.show.tables import table

    options: dict[str, Any] = {"method": args.method, "alpha": args.alpha, "control": args.control}
    options |= {"adjust": args.adjust, "digits": args.digits}
    options |= {name: value for name in ("ratio", "transform") if (value := getattr(args, name)) is not None}
    unused = {"wins": ("control", "digits")}.get(args.kind, ())
    for name in unused:
        if options.pop(name) not in (None, 2):
            raise InputError(f"`--{name}` is not for `--kind {args.kind}`.")
    if options.get("adjust", "") is None:
        del options["adjust"]
    if args.no_marks:
        if args.kind not in ("scores", "measures"):
            raise InputError("`--no-marks` is for `--kind scores` and `--kind measures`.")
        options["marks"] = False
    return emit(args, table(read_chosen(args), kind=args.kind, missing=args.missing, **options))
