"""``podium report SOURCE``: from any table of scores to a report that can be shared."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.checks import hide_password
from podium.cli.comparison_options import add_area_option, area
from podium.cli.show import add_score_options, belongs_to_run, read_all_measures
from podium.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "report",
        help="write a report: the answer, figures, tests, orders, cautions, methods",
        description="Write a report on a table of scores, the results of a run, or the design file of an experiment "
        "that was run: the answer first, then everything it is based on. One HTML file by default; .md and .tex have a "
        "folder of figures beside them; a folder gets all forms, every table as CSV and every figure as SVG and PDF.",
        epilog="examples:\n  podium report scores.csv\n"
        "  podium report monks.db --measure misclassification --out report.tex\n"
        "  podium report scores.csv --without domain --out report/",
    )
    add_score_options(parser)
    parser.add_argument(
        "--out", default="report.html", metavar="PATH", help=".html, .md or .tex, or a folder; default: report.html"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    add_area_option(parser)
    parser.add_argument("--title", metavar="TEXT", help="default: Benchmark report")
    parser.add_argument("--author", action="append", metavar="NAME", help="repeatable")
    parser.add_argument("--sections", nargs="+", metavar="NAME", help="sections in the order wanted; default: all")
    parser.add_argument("--without", nargs="+", default=[], metavar="NAME", help="sections to leave out")
    parser.add_argument(
        "--characteristics",
        metavar="FILE",
        help="CSV file with characteristics of the data sets, their names in the first column; default: those that a "
        "run kept",
    )
    parser.add_argument(
        "--experiment", metavar="DESIGN", help="the design file of the scores, for a paragraph on the experiment"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for resamples and ties; default: 0")
    parser.add_argument(
        "--missing",
        default="available",
        metavar="POLICY",
        help="for missing cells: available (the default), raise, drop-block, drop-algorithm, worst-rank or worst-value",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report, and print its answer and its name."""
    import podium
    from podium.cli.output import filled
    from podium.show.report import Paragraph, Points

    results = read_all_measures(args)
    found = podium.report(
        args.file if belongs_to_run(args.file) else results,
        args.out,
        measure=args.measure if args.measure in results.measure_names else None,
        alpha=args.alpha,
        equivalence=area(args),
        title=args.title,
        authors=args.author or (),
        sections=args.sections,
        without=args.without,
        characteristics=None if args.characteristics is None else read_characteristics(args.characteristics),
        experiment=args.experiment,
        seed=args.seed,
        missing=args.missing,
        command=shlex.join(["podium", *map(hide_password, sys.argv[1:])]),
    )
    for block in found.sections[0].blocks if found.sections else ():
        if isinstance(block, Paragraph):
            print(filled(block.text))
        elif isinstance(block, Points):
            for item in block.items:
                print(filled(f"- {item}"))
    print(f"\n{args.out}")
    return 0


def read_characteristics(file: str) -> pd.DataFrame:
    """Read the characteristics of data sets from a CSV file; the first column names the data sets."""
    import pandas as pd

    from podium.results.text_files import foreign_file

    with foreign_file(Path(file), "--characteristics"):
        frame = pd.read_csv(file, index_col=0)
    frame.index = frame.index.map(str)
    if frame.index.has_duplicates:
        twice = frame.index[frame.index.duplicated()][0]
        raise InputError(f"`--characteristics` must have one row per data set; {file!r} has {twice!r} twice.")
    return frame
