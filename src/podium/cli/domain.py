"""``podium domain FILE``: from the orders on many data sets to one order, its model and its groups."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from podium.cli.comparison_options import ALL_POLICIES, add_area_option, add_missing_option, add_ratio_option, area
from podium.cli.messages import format_option
from podium.cli.output import add_output_options, as_json, folded, titled, write
from podium.cli.show import add_score_options, read_scores
from podium.errors import InputError, LabelError, join_names

MAX_LISTED_ORDERS = 20  # orders that are listed where many are equally near


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "domain",
        help="analyse many data sets jointly: order on each, order of all, places, model",
        description="Compare the algorithms on every data set, by one measure or by all of the table; combine the "
        "orders into one order of the domain; count places; and fit a mixed-effects model.",
        epilog="examples:\n  podium domain scores.csv --measure accuracy\n"
        "  podium domain scores.csv --statistic mean --count 3\n"
        "  podium domain scores.csv --weight seconds=0.2 --height 12 --resamples 500\n"
        "  podium domain scores.csv --measure error --method wnmt --table places --out places.tex",
    )
    add_score_options(parser)
    parser.add_argument(
        "--method", metavar="NAME", help="test on each data set: wnmt, corrected t, …; default: what fits the design"
    )
    parser.add_argument(
        "--statistic", metavar="NAME", help="a point estimate instead of a test: mean, median, worst, …"
    )
    parser.add_argument(
        "--consensus", default="linear", metavar="CLASS", help="linear (the default), weak, partial, preorder, …"
    )
    parser.add_argument("--alpha", type=float, default=0.05, metavar="A", help="error level; default: 0.05")
    add_area_option(parser)
    add_ratio_option(parser)
    parser.add_argument("--by", choices=("significance", "relevance"), default="significance", help="what counts")
    parser.add_argument(
        "--count", type=int, metavar="N", help="also cut the data sets into N groups with similar orders"
    )
    parser.add_argument("--height", type=float, metavar="D", help="the same, cut at this distance of their orders")
    parser.add_argument(
        "--resamples",
        type=int,
        metavar="N",
        help="also draw N bootstrap samples of the data sets: how stable are the groups and their winners?",
    )
    parser.add_argument(
        "--weight",
        action="append",
        default=[],
        metavar="MEASURE=W",
        help="how much a measure counts on a data set; default: 1; repeatable",
    )
    parser.add_argument(
        "--covariance",
        choices=("scalar", "unstructured"),
        help="covariance of the model; default: what a likelihood ratio test calls for",
    )
    parser.add_argument(
        "--table",
        choices=("orders", "places", "effects"),
        default="orders",
        help="which table --out writes: orders on the data sets (the default), places, or effects of the model",
    )
    parser.add_argument(
        "--progress", choices=("auto", "bar", "log", "quiet"), default="auto", help="how progress is shown"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes; default: as many as are useful")
    add_missing_option(parser, ALL_POLICIES, "available", note="worst-rank is for tests, not for --statistic")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the analysis, write the table of orders, or print the facts as JSON."""
    import podium
    from podium.checks import did_you_mean

    if args.count is not None and args.count < 1:
        raise InputError(f"`--count` must be at least 1; got {args.count}.")
    if args.height is not None and not args.height >= 0:
        raise InputError(f"`--height` must be a number of at least 0; got {args.height:g}.")
    if args.ratio is not None and args.statistic is not None:
        raise InputError("`--ratio` is for a test on each data set; with `--statistic` there is none. Leave one out.")
    if args.count is not None and args.height is not None:
        raise InputError("Give `--count` or `--height`, not both.")
    results = read_scores(args)
    names = results.measure_names
    weights = _weights(args.weight)
    unknown = [name for name in weights or () if name not in names]
    if unknown:
        raise LabelError(
            f"`--weight` names {join_names(unknown)}; the measures are "
            f"{join_names(names, most=12)}.{did_you_mean(unknown[0], names)}"
        )
    if args.equivalence is not None and args.measure not in names and len(names) > 1:
        raise InputError(
            f"`--equivalence` is in the units of one measure; these results have {len(names)}. Say which one: "
            f"{format_option('--measure', names[0])}."
        )
    found = podium.domain(
        results,
        args.measure if args.measure in names else None,
        method=args.method,
        statistic=args.statistic,
        consensus=args.consensus,
        alpha=args.alpha,
        equivalence=area(args),
        by=args.by,
        missing=args.missing,
        weights=weights,
        covariance=args.covariance,
        workers=args.workers,
        progress=args.progress,
        options=None if args.ratio is None else {"ratio": args.ratio},
    )
    if args.count is not None and args.count > len(found.datasets):
        raise InputError(
            f"`--count` must lie between 1 and {len(found.datasets)}, the number of data sets; got {args.count}."
        )
    cut = args.count is not None or args.height is not None or args.resamples is not None
    groups = found.subdomains(args.count, height=args.height) if cut else ()
    stable = (
        None
        if args.resamples is None
        else found.subdomain_stability(args.count, height=args.height, resamples=args.resamples)
    )
    if args.out is not None:
        write(args, found.table(args.table))
    elif args.json:
        more = {"groups": [_group(one) for one in groups]} if groups else {}
        print(as_json(_facts(found) | more | ({} if stable is None else {"stability": stable.frame().reset_index()})))
    else:
        print("\n\n".join(folded(str(part)) for part in (found, *groups)))
        if stable is not None:
            print(f"\n{titled(stable.table())}")
    return 0


def _weights(given: list[str]) -> dict[str, float] | None:
    """Read weights such as 'seconds=0.2'."""
    found: dict[str, float] = {}
    for one in given:
        name, sign, number = one.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            sign = ""
        if not sign or not name:
            raise InputError(
                f"`--weight` must be the name of a measure and a number, such as seconds=0.2; got {one!r}."
            )
        found[name] = weight
    return found or None


def _facts(found: Any) -> dict[str, Any]:
    return {
        "criteria": [one.name for one in found.criteria],
        "tests": found.test_frame(),
        "kind": found.consensus.kind,
        "relations": [str(relation) for relation in found.consensus.relations[:MAX_LISTED_ORDERS]],
        "optima": len(found.consensus),
        "agreed": str(found.relation),
        "datasets": found.frame().reset_index(),
        "places": found.place_frame().reset_index(),
        "effects": found.effects().reset_index() if found.has_effects else None,
        "means": None if found.model is None else found.model.estimates.to_dict(),
        "model": None if found.model_relation is None else str(found.model_relation),
        "model_problem": "" if found.model_problem is None else str(found.model_problem),
        "disagreements": [asdict(one) | {"text": str(one)} for one in found.disagreements],
        "left_out": found.left_out,
        "alpha": found.alpha,
    }


def _group(one: Any) -> dict[str, Any]:
    return {
        "datasets": one.datasets,
        "relations": [str(relation) for relation in one.consensus.relations[:MAX_LISTED_ORDERS]],
        "optima": len(one.consensus),
        "agreed": str(one.relation),
        "winners": one.winners,
        "diameter": one.diameter,
    }
