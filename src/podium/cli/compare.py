"""``podium compare FILE``: compare all pairs of algorithms, or all with a control."""

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
from podium.cli.output import add_output_options, emit


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "compare",
        help="compare all pairs of algorithms, or all with a control",
        description="Compare all pairs of algorithms, or all with a control, by the procedure that fits the design or "
        "by the one you name, and say in a paragraph what is shown and what is not.",
        epilog="examples:\n  podium compare scores.csv --measure accuracy\n"
        "  podium compare scores.csv --measure accuracy --control svm --method wilcoxon\n"
        "  podium compare scores.csv --measure error --equivalence 0.01 --json\n"
        "  podium compare scores.csv --measure 'fit time' --transform log\n"
        "  podium compare monks.db --measure accuracy --out pairs.tex",
    )
    add_test_options(parser)
    add_area_option(parser)
    add_transform_option(parser)
    add_output_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the table of pairs and the paragraph."""
    found = compared(args, read_chosen(args), equivalence=area(args))
    facts = {
        "method": found.method,
        "procedure": found.procedure,
        "measure": found.measure.name,
        "direction": found.measure.direction,
        "unit": found.unit,
        "n": found.n,
        "alpha": found.alpha,
        "adjust": found.adjust,
        "control": found.control,
        "order": found.order,
        "pairs": found.frame(),
        "notes": [str(note) for note in found.notes],
        "text": found.text(),
    }
    table = found.table()
    if args.out is None:  # the paragraph has its notes
        table = table.replace(notes=())
    return emit(args, table, found.text(), facts=facts)
