"""``podium consensus FILE``: find one order for several data sets or measures."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import ALL_POLICIES, add_missing_option, add_ratio_option
from podium.cli.output import add_output_options, as_json, folded, write
from podium.cli.show import add_score_options, read_scores
from podium.errors import InputError, plural


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "consensus",
        help="find one order for several data sets or measures",
        description="Order the algorithms on each data set, by each measure, or both, and find the orders that are "
        "nearest to all of these. With --method, an order on a data set is what the test shows on its replications; "
        "without, it is that of the means.",
        epilog="examples:\n  podium consensus scores.csv --measure accuracy\n"
        "  podium consensus scores.csv --measure accuracy --method wnmt --kind weak\n"
        "  podium consensus scores.csv --per both --json",
    )
    add_score_options(parser)
    parser.add_argument(
        "--per",
        choices=("dataset", "measure", "both"),
        help="the voters; default: data sets or measures, whichever there are several of",
    )
    parser.add_argument(
        "--kind", default="linear", metavar="CLASS", help="linear (the default), weak, partial, preorder, …"
    )
    parser.add_argument("--method", metavar="NAME", help="test on each data set, such as wnmt; default: means")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    add_ratio_option(parser)
    add_missing_option(
        parser,
        ALL_POLICIES,
        note="worst-rank is for methods of ranks, such as --method wnmt, and available for the others",
    )
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the nearest orders and their distances to the voters."""
    import podium
    from podium.typesetting import Table

    results = read_scores(args)
    one = args.measure if args.measure in results.measure_names else None
    if args.method is None:
        if args.ratio is not None:
            raise InputError("`--ratio` is an option of a test; name the test, too: --method 'corrected t'.")
        voters = podium.relations.preferences(results, one, per=args.per, missing=args.missing)
        method, how = "means", "each by the means"
    else:
        if args.per not in (None, "dataset"):
            raise InputError(
                "`--per` is for orders by means; a test orders the algorithms on each data set. Leave one out: "
                "`--per` or `--method`."
            )
        chosen = results if one is None else results.select(measure=one)
        if args.missing.replace("_", "-") == "drop-algorithm":  # on all data sets, whose orders are then comparable
            chosen = chosen.resolve_missing("drop-algorithm")
        options = {} if args.ratio is None else {"ratio": args.ratio}
        tests = {
            name: podium.compare(
                chosen.select(dataset=name), method=args.method, alpha=args.alpha, missing=args.missing, **options
            )
            for name in chosen.datasets
        }
        voters = {name: found.relation() for name, found in tests.items()}
        test = next(iter(tests.values()))
        method, how = test.method, f"each by the {test.method} at the {args.alpha:g} level"
    # Data sets may lack an algorithm, where only what is there is used.
    found = podium.consensus(
        voters, kind=args.kind, all_optima=True, missing="available" if args.missing == "available" else "raise"
    )
    if args.out is not None:
        import pandas as pd

        frame = pd.DataFrame(found.distances.T, index=pd.Index(found.voters, name="voter"))
        frame.columns = pd.Index([str(relation) for relation in found.relations])
        write(args, Table.from_frame(frame, "Distances of the nearest orders to the voters."))
    elif args.json:
        nearest = [str(relation) for relation in found.relations]
        facts = {"kind": found.kind, "relations": nearest, "criterion": found.criterion, "exhausted": found.exhausted}
        orders = {name: str(relation) for name, relation in voters.items()}
        print(as_json({**facts, "method": method, "voters": orders}))
    else:
        print(folded(f"{found}\nNearest to {plural(len(voters), 'order')}, {how}."))
    return 0
