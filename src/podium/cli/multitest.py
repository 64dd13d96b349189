"""``podium multitest FILE --cost COST``: order algorithms by performance and cost."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

import podium
from podium.cli.comparison_options import ALL_POLICIES, add_missing_option, add_ratio_option, names_in
from podium.cli.messages import format_option
from podium.cli.output import add_output_options, emit_fitted
from podium.cli.show import add_score_options, read_all_measures, read_scores
from podium.errors import InputError, LabelError


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "multitest",
        help="order algorithms: the cheapest first, unless a costlier one is significantly better",
        description="Order algorithms by performance and cost: MultiTest on one data set, Multi²Test over several.",
        epilog="examples:\n  podium multitest scores.csv --measure accuracy --cost 'fit time'\n"
        "  podium multitest scores.csv --cost-file seconds.csv --test '5x2cv F'\n"
        "  podium multitest scores.csv --prior 'tree,lda,svm' --dataset iris\n"
        "  podium multitest scores.csv --cost 'fit time' --out order.tex",
    )
    add_score_options(parser)
    cost = parser.add_mutually_exclusive_group(required=True)
    cost.add_argument("--cost", action="append", metavar="NAME", help="a measure of the table; repeatable")
    cost.add_argument("--cost-file", metavar="FILE", help="another table: data sets, algorithms, and one measure")
    cost.add_argument(
        "--prior",
        metavar="NAMES",
        help="the algorithms, most preferred first, separated by commas; put a name that contains a comma in "
        "double quotes: '\"forest, 100 trees\",svm'",
    )
    parser.add_argument("--cost-measure", metavar="NAME", help="what the values of --cost-file are")
    parser.add_argument(
        "--cost-direction", choices=("lower", "higher"), help="which costs are preferred, if not known from the name"
    )
    parser.add_argument("--dataset", metavar="NAME", help="order on this data set only")
    parser.add_argument("--test", metavar="NAME", help="test of each pair, such as '5x2cv F' (default: by the design)")
    parser.add_argument(
        "--method", metavar="NAME", help="comparison of the ranks over several data sets (default: nemenyi)"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="level of the tests (default: 0.05)")
    parser.add_argument("--adjust", default="none", metavar="NAME", help="adjustment of the tests (default: none)")
    add_ratio_option(parser)
    add_missing_option(parser, ALL_POLICIES)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the order and how it came about."""
    args.shown["cost"] = "--prior" if args.prior else "--cost-file" if args.cost_file else "--cost"
    if args.cost_measure is not None and args.cost_file is None:
        raise InputError("`--cost-measure` says what the values of --cost-file are; there is no such file.")
    results = read_scores(args) if args.cost is None else read_all_measures(args)
    measure = args.measure if args.measure in results.measure_names else None
    settings: dict[str, Any] = {"test": args.test, "alpha": args.alpha, "adjust": args.adjust, "missing": args.missing}
    if args.ratio is not None:
        settings["ratio"] = args.ratio
    if args.dataset is not None:
        results = results.select(dataset=args.dataset)
    if len(results.datasets) > 1:
        settings["method"] = "nemenyi" if args.method is None else args.method
    elif args.method is not None:
        raise InputError(
            "`--method` compares ranks over several data sets; there is one. Leave it out, or name the test on the "
            f"data set: {format_option('--test', args.method)}."
        )
    if args.cost is not None and len(args.cost) > 1:
        if args.cost_direction is not None:
            raise InputError("`--cost-direction` is for a single cost.")
        found: Any = podium.inference.orders_by_cost(results, measure, costs=args.cost, **settings)
    else:
        order = podium.multi2test if len(results.datasets) > 1 else podium.multitest
        found = order(results, measure, cost=_cost(args, results), cost_direction=args.cost_direction, **settings)
    return emit_fitted(args, found.table(), found.text(), facts=_facts(found))


def _facts(found: Any) -> dict[str, Any]:
    """Return what machines read: the order, how it came about, and its parts."""
    if isinstance(found, podium.inference.OrdersByCost):
        return {
            "orders": found.orders,
            "disagreements": found.disagreements(),
            "costs": {name: _facts(one) for name, one in found.found.items()},
        }
    facts: dict[str, Any] = {"order": found.order, "prior": found.prior, "algorithms": found.frame().reset_index()}
    if isinstance(found, podium.inference.Multi2Test):
        return facts | {
            "ranks": found.ranks.reset_index(),
            "overrides": found.overrides(),
            "critical_difference": found.comparison.critical_difference,
            "notes": [str(note) for note in found.notes],
        }
    return facts | {
        "dataset": found.dataset,
        "test": found.method,
        "alpha": found.alpha,
        "adjust": found.adjust,
        "overrides": [asdict(edge) for edge in found.edges],
        "steps": [asdict(step) for step in found.steps],
        "ties": found.ties,
        "cycles": found.cycles,
        "notes": [str(note) for note in found.notes],
    }


def _cost(args: argparse.Namespace, results: podium.Results) -> Any:
    """Return the cost as `podium.multitest` takes it."""
    if args.cost is not None:
        return args.cost[0]
    if args.prior is not None:
        names = names_in(args.prior, "--prior")
        lacking = [name for name in results.algorithms if "," in name and name not in names]
        if lacking:
            raise LabelError(
                f"`--prior` lacks the algorithm {lacking[0]!r}. Put a name that contains a comma in double quotes: "
                f"{format_option('--prior', (lacking[0], '...'))}."
            )
        return names
    return podium.read(args.cost_file, measure=args.cost_measure, direction=args.cost_direction)
