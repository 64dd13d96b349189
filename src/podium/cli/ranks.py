"""``podium ranks FILE``: the rank report of a table of scores, from quartile charts to the final sentence."""

from __future__ import annotations

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import podium
from podium.analysis.multitest import text
from podium.checks import write_text
from podium.cli.comparison_options import FOR_RANKS, add_missing_option
from podium.cli.output import as_json, filled, fitted, terminal_width
from podium.cli.show import add_score_options, read_scores
from podium.errors import InputError
from podium.typesetting.plain import columns_of

_ENDINGS = (".html", ".txt", ".tex", ".md", ".csv", ".json")


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "ranks",
        help="rank report: quartiles, ranks, Friedman test, critical difference, losers and winners",
        description="Compare algorithms by ranks: quartile charts overall and for each data set, the table of medians "
        "with ranks, the Friedman test, the critical difference, which algorithms lose against the best, and a "
        "warning if the "
        "overall verdict hides a striking exception.",
        epilog="examples:\n  podium ranks scores.csv --measure accuracy\n"
        "  podium ranks scores.csv --aggregate mean --alpha 0.1 --out ranks.html",
    )
    add_score_options(parser)
    parser.add_argument(
        "--aggregate",
        choices=("median", "mean"),
        default="median",
        help="how replications of a data set are reduced (default: %(default)s)",
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="level of the tests (default: 0.05)")
    parser.add_argument(
        "--ties",
        choices=("corrected", "plain"),
        default="corrected",
        help="whether the Friedman statistic is corrected for ties (default: %(default)s)",
    )
    parser.add_argument("--short", action="store_true", help="print only one line per algorithm and the final sentence")
    add_missing_option(parser, FOR_RANKS)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="also write the report to a file: .html or .txt; or its table: .tex, .md, .csv or .json",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the report of each measure, and write it if a file is named."""
    if args.out is not None and args.out.suffix.lower() not in _ENDINGS:
        raise InputError(f"`--out` must end in {', '.join(_ENDINGS)}; got {str(args.out)!r}.")
    results = read_scores(args)
    measure = args.measure if args.measure in results.measure_names else None
    report = podium.inference.rank_report(
        results, measure, aggregate=args.aggregate, alpha=args.alpha, ties=args.ties, missing=args.missing
    )
    if args.json:
        print(as_json(_facts(report)))
    elif args.short:
        print(f"{filled(text.heading(report))}\n\n{fitted(text.verdict_table(report))}")
        for sentence in filter(None, (report.sentence, report.warning)):
            print(f"\n{filled(sentence)}")
    else:
        width = terminal_width()
        excess = max(map(columns_of, str(report.chart).split("\n"))) - width
        chart = replace(report.chart, width=max(10, report.chart.width - max(0, excess)))
        print(replace(report, chart=chart).text(min(width, 100)))
    if args.out is not None:
        write_text(args.out, _written(report, args.out.suffix.lower()), "--out")
    return 0


def _facts(report: podium.inference.RankReport) -> dict[str, Any]:
    """Return what machines read: tests, ranks, winners and losers, overall and on each data set."""

    def verdict(found: podium.inference.RankVerdict) -> dict[str, Any]:
        return {
            "mean_ranks": dict(zip(found.algorithms, found.mean_ranks.tolist(), strict=True)),
            "friedman": {"statistic": found.friedman.statistic, "pvalue": found.friedman.pvalue},
            "F": {"statistic": found.iman_davenport.statistic, "pvalue": found.iman_davenport.pvalue},
            "critical_difference": found.critical_difference,
            "winners": found.winners,
            "losers": found.losers,
        }

    return {
        "measure": report.measure.name,
        "direction": report.measure.direction,
        "aggregate": report.aggregate,
        "alpha": report.alpha,
        "algorithms": report.frame().reset_index(),
        "winners": report.winners,
        "losers": report.losers,
        "sentence": report.sentence,
        "warning": report.warning,
        "overall": verdict(report.overall),
        "datasets": {name: verdict(one) for name, one in report.per_dataset.items()},
        "striking": [asdict(one) for one in report.striking],
        "ranks": report.rank_frame().reset_index(),
    }


def _written(report: podium.inference.RankReport, ending: str) -> str:
    if ending == ".html":
        return f'<!doctype html>\n<meta charset="utf-8">\n<title>Rank report</title>\n{report._repr_html_()}\n'
    if ending == ".csv":
        return report.rank_frame().to_csv()
    if ending == ".json":
        return f"{as_json(_facts(report))}\n"
    if ending == ".md":
        return f"{report.table().markdown()}\n"
    return report.latex() if ending == ".tex" else f"{report}\n"
