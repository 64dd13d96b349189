"""``podium mixed FILE``: fit a mixed-effects model."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import FOR_PAIRS, add_missing_option, add_transform_option, read_chosen
from podium.cli.output import add_output_options, as_json, filled, folded, write
from podium.cli.show import add_score_options


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "mixed",
        help="fit a mixed-effects model",
        description="Fit a mixed-effects model: algorithms are fixed effects, data sets and replications random. "
        "`podium compare --method mixed` compares the pairs.",
        epilog="examples:\n  podium mixed scores.csv --measure accuracy\n"
        "  podium mixed scores.csv --measure accuracy --covariance unstructured\n"
        "  podium mixed scores.csv --measure accuracy --out means.tex",
    )
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    parser.add_argument("--model", default="auto", metavar="NAME", help="block, domain or survey; default: what fits")
    parser.add_argument("--covariance", default="scalar", metavar="NAME", help="scalar (the default) or unstructured")
    parser.add_argument("--estimation", default="REML", metavar="NAME", help="REML (the default) or ML")
    add_transform_option(parser)
    add_missing_option(parser, FOR_PAIRS, "available")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the fit and its test of no difference."""
    import pandas as pd

    import podium

    options = {"model": args.model, "covariance": args.covariance, "estimation": args.estimation}
    fit = podium.mixed(read_chosen(args), missing=args.missing, transform=args.transform, **options)
    means = pd.DataFrame({"mean": fit.estimates, "standard error": fit.se}).rename_axis("algorithm")
    test = fit.omnibus()
    if args.out is not None:
        write(args, podium.show.tables.Table.from_frame(means, str(test)).replace(notes=tuple(map(str, test.notes))))
    elif args.json:
        facts = {"statistic": test.statistic, "pvalue": test.pvalue, "df": test.df, "method": test.method}
        facts["notes"] = [str(note) for note in test.notes]
        parts = fit.components.rename_axis("component").reset_index()
        print(
            as_json({"means": means.reset_index(), "components": parts, "criterion": fit.criterion, "omnibus": facts})
        )
    else:
        print(f"{folded(fit.summary())}\n\n{filled(test.text())}")
    return 0
