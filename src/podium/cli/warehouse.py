"""``podium warehouse``: check, merge, export and import warehouses."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import podium
from podium.errors import InputError


def add_parser(verbs: Any) -> None:
    """Add the verb with its own verbs."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "warehouse",
        help="check, merge, export or import warehouses",
        description="What can be done with warehouses besides running experiments. WAREHOUSE is a file or a "
        "postgresql:// URL.",
        epilog="examples:\n  podium warehouse check monks.db\n  podium warehouse merge monks.db other.db\n"
        "  podium warehouse export monks.db trials.parquet\n  podium warehouse import trials.parquet new.db",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    check = actions.add_parser("check", help="look for damage; status 1 if there is some")
    check.add_argument("warehouse", metavar="WAREHOUSE")
    check.set_defaults(run=_check)
    merge = actions.add_parser("merge", help="add to TARGET what SOURCE has and it lacks")
    merge.add_argument("target", metavar="TARGET")
    merge.add_argument("source", metavar="SOURCE", nargs="+")
    merge.set_defaults(run=_merge)
    export = actions.add_parser("export", help="write all attempts into a .csv or .parquet file")
    export.add_argument("warehouse", metavar="WAREHOUSE")
    export.add_argument("file", type=Path, metavar="FILE")
    export.set_defaults(run=_export)
    read = actions.add_parser("import", help="read what was exported into an empty warehouse")
    read.add_argument("file", type=Path, metavar="FILE")
    read.add_argument("warehouse", metavar="WAREHOUSE")
    read.set_defaults(run=_import)


def _check(args: argparse.Namespace) -> int:
    with podium.Warehouse(args.warehouse, readonly=True) as warehouse:
        found = warehouse.check()
        trials = sum(warehouse.counts().values())
        name = warehouse.name
    for problem in found:
        print(f"{name}: {problem}")
    if not found:
        print(f"{name}: {trials:,} trials, nothing is wrong")
    return 1 if found else 0


def _merge(args: argparse.Namespace) -> int:
    with ExitStack() as stack:
        sources = [stack.enter_context(podium.Warehouse(where, readonly=True)) for where in args.source]
        target = stack.enter_context(podium.Warehouse(args.target))
        stack.enter_context(target.claimed())
        for source in sources:
            print(f"{target.name}: {podium.merge(target, source):,} trials added from {source.name}")
    return 0


def _export(args: argparse.Namespace) -> int:
    with podium.Warehouse(args.warehouse, readonly=True) as warehouse:
        path = podium.export_trials(warehouse, args.file)
        print(f"{path}: {len(warehouse.trials(every_attempt=True)):,} attempts")
    return 0


def _import(args: argparse.Namespace) -> int:
    if not args.file.exists():
        raise InputError(f"There is no file {str(args.file)!r}.")
    with podium.Warehouse(args.warehouse) as warehouse, warehouse.claimed():
        print(f"{warehouse.name}: {podium.import_trials(args.file, warehouse):,} attempts")
    return 0
