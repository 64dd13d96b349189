"""``podium describe FILE``: describe an experiment, formally and for a paper, with advice on its design."""

from __future__ import annotations

import argparse
import json
from typing import Any

import podium
from podium.cli.output import as_json, terminal_width
from podium.errors import InputError


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "describe",
        help="describe the design of an experiment, and give advice on it",
        description="Read a design file, check it, and describe the experiment: in formal notation, as a paragraph for "
        "a paper's methods section, and with advice on the design. Nothing is fitted.",
        epilog="examples:\n  podium describe monks.yaml\n  podium describe --schema > experiment.schema.json",
    )
    parser.add_argument("file", metavar="FILE", nargs="?", help="design file: .yaml or .json")
    parser.add_argument("--no-advice", action="store_true", help="leave the advice out")
    parser.add_argument(
        "--resolved", action="store_true", help="print the design with all defaults written out instead"
    )
    parser.add_argument("--schema", action="store_true", help="print the JSON Schema of design files instead")
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the description and the advice."""
    if args.schema:
        print(json.dumps(podium.design.experiment_schema(), indent=2, ensure_ascii=False))
        return 0
    if args.file is None:
        raise InputError("`FILE` is missing: give a design file, or use --schema.")
    experiment = podium.Experiment.from_file(args.file)
    if args.resolved:
        print(experiment.to_yaml(), end="")
        return 0
    advice = [] if args.no_advice else experiment.advice()
    if args.json:
        described = experiment.describe()
        facts = {"design": experiment.to_dict(), "description": str(described), "methods": described.methods}
        print(as_json({**facts, "advice": [str(item) for item in advice]}))
        return 0
    width = min(terminal_width(), 100)
    print(experiment.describe().text(width))
    if advice:
        print("\nAdvice")
        for item in advice:
            print(f"\n- {item.text(width)}")
    return 0
