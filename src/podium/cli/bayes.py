"""``podium bayes FILE``: compare pairs of algorithms with Bayesian tests."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import (
    FOR_VALUES,
    add_area_option,
    add_missing_option,
    add_ratio_option,
    area,
    read_chosen,
)
from podium.cli.output import add_output_options, emit
from podium.cli.show import add_score_options


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "bayes",
        help="compare pairs of algorithms with Bayesian tests",
        description="Find, for each pair, the probabilities that one is better, that the difference does not matter "
        "(--equivalence), and the reverse.",
        epilog="examples:\n  podium bayes scores.csv --measure accuracy --equivalence 0.01\n"
        "  podium bayes scores.csv --measure accuracy --method 'signed rank' --control svm\n"
        "  podium bayes folds.csv --measure accuracy --equivalence 0.01 --ratio 1/9 --out bayes.tex",
    )
    add_score_options(parser)
    parser.add_argument("--dataset", metavar="NAME", help="only this data set")
    parser.add_argument(
        "--method", metavar="NAME", help="correlated t, sign, signed rank or hierarchical; default: what fits"
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="A", help="decide at a probability of 1 - A or more"
    )
    parser.add_argument("--control", metavar="NAME", help="compare all others with this algorithm")
    add_area_option(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the draws; default: 0")
    add_ratio_option(parser)
    add_missing_option(parser, FOR_VALUES)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the probabilities and the paragraph."""
    from podium.analysis.methods import compare_bayes

    found = compare_bayes(
        read_chosen(args),
        method=args.method,
        equivalence=area(args),
        control=args.control,
        alpha=args.alpha,
        ratio=args.ratio,
        seed=args.seed,
        missing=args.missing,
    )
    facts = {
        "method": found.method,
        "measure": found.measure.name,
        "equivalence": found.equivalence,
        "alpha": found.alpha,
        "pairs": found.frame(),
        "text": found.text(),
    }
    return emit(args, found.table(), found.text(), facts=facts)
