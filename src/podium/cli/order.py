"""``podium order FILE``: order the algorithms as far as the data allow."""

from __future__ import annotations

import argparse
from typing import Any

from podium.cli.comparison_options import (
    add_area_option,
    add_test_options,
    add_transform_option,
    area,
    compared,
    read_chosen,
)
from podium.cli.output import add_output_options, as_json, filled, write
from podium.errors import InputError

LEGEND = "a < b: a is shown to be better than b, whichever values are better; a ~ b: neither is."


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "order",
        help="order the algorithms as far as the data allow",
        description="Compare all pairs and turn the decisions into a preference relation: a < b where a is shown to "
        "be better than b. With --by relevance, differences inside --equivalence do not count.",
        epilog="examples:\n  podium order scores.csv --measure accuracy\n"
        "  podium order scores.csv --measure error --equivalence 0.01 --by relevance\n"
        "  podium order monks.yaml --measure misclassification --json",
    )
    add_test_options(parser)
    add_area_option(parser)
    add_transform_option(parser)
    parser.add_argument("--by", choices=("significance", "relevance"), default="significance", help="what counts")
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the relation, its levels and how it was found."""
    from podium.typesetting import Table

    if args.control is not None:
        raise InputError("`--control` compares with one algorithm only; an order needs all pairs.")
    found = compared(args, read_chosen(args), equivalence=area(args))
    relation = found.relation(by=args.by)
    if args.out is not None:
        frame = relation.frame().astype(int).rename_axis("better than")
        write(args, Table.from_frame(frame, f"1: the row is better than the column. {relation}"))
    elif args.json:
        facts = {
            "relation": str(relation),
            "order": found.order,
            "levels": relation.levels(),
            "pairs": relation.pairs(),
        }
        print(as_json({**facts, "method": found.method, "alpha": found.alpha, "text": found.text()}))
    else:
        first = [f"Best estimate first: {', '.join(found.order)}"] if found.ordered else []
        print("\n\n".join(map(filled, (str(relation), LEGEND, *first, found.text()))))
    return 0
