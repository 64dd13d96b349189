"""``podium warehouse``: check, merge, export and import warehouses, and show their history."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import podium
from podium.cli.exit_status import DAMAGED, DONE
from podium.errors import DamageError, PodiumError
from podium.store.address import is_address
from podium.store.record import printable
from podium.store.rows import WAY_OUT

_SHOWN = 100  # findings of a check


def add_parser(verbs: Any) -> None:
    """Add the verb with its actions."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "warehouse",
        help="check, merge, export or import warehouses, or show their history",
        description="Check, merge, export or import warehouses, the files in which runs store their trials, or "
        "show the history of their designs. WAREHOUSE is such a file or a postgresql:// URL.",
        epilog="examples:\n  podium warehouse check monks.db\n"
        "  podium warehouse history monks.db\n  podium warehouse merge monks.db other.db\n"
        "  podium warehouse export monks.db trials.parquet\n  podium warehouse import trials.parquet new.db",
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    def add(name: str, text: str, example: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=f"example:\n  podium warehouse {example}",
        )
        action.set_defaults(run=run)
        return action

    check = add("check", "look for damage; the exit status is 1 if there is any", "check monks.db", _check)
    check.add_argument("warehouse", metavar="WAREHOUSE")
    history = add(
        "history",
        "show the designs that were run, and what changed from each to the next",
        "history monks.db",
        _history,
    )
    history.add_argument("warehouse", metavar="WAREHOUSE")
    merge = add("merge", "add the trials of SOURCE that TARGET does not have", "merge monks.db other.db", _merge)
    merge.add_argument("target", metavar="TARGET")
    merge.add_argument("source", metavar="SOURCE", nargs="+")
    export = add("export", "write all attempts to a .csv or .parquet file", "export monks.db trials.csv", _export)
    export.add_argument("warehouse", metavar="WAREHOUSE")
    export.add_argument("file", type=Path, metavar="FILE")
    export.add_argument("--machines", action="store_true", help="also write names of hosts, and absolute paths")
    load = add("import", "read an exported file into an empty warehouse", "import trials.csv new.db", _import)
    load.add_argument("file", type=Path, metavar="FILE")
    load.add_argument("warehouse", metavar="WAREHOUSE")


def _check(args: argparse.Namespace) -> int:
    try:
        with podium.Warehouse(args.warehouse, readonly=True) as warehouse:
            damage = warehouse.check()
            trials = 0 if damage else sum(warehouse.counts().values())
            name = printable(warehouse.name)
    except DamageError as error:  # too damaged to be opened
        print(error)
        return 1
    for item in damage[:_SHOWN]:
        print(f"{name}: {item}")
    if len(damage) > _SHOWN:
        print(f"{name}: and {len(damage) - _SHOWN:,} more")
    if damage:
        print(WAY_OUT)
    else:
        print(f"{name}: {trials:,} trials, no damage found")
    return DAMAGED if damage else DONE


def _history(args: argparse.Namespace) -> int:
    with podium.Warehouse(args.warehouse, readonly=True) as warehouse:
        for revision in warehouse.history():
            print("\n".join(printable(line) for line in str(revision).splitlines()))
    return 0


def _merge(args: argparse.Namespace) -> int:
    with ExitStack() as stack:
        sources = [stack.enter_context(podium.Warehouse(where, readonly=True)) for where in args.source]
        target = stack.enter_context(podium.Warehouse(args.target))
        stack.enter_context(target.claimed())
        for source in sources:
            print(f"{target.name}: {target.merge(source):,} trials added from {source.name}")
    return 0


def _export(args: argparse.Namespace) -> int:
    with podium.Warehouse(args.warehouse, readonly=True) as warehouse:
        path = warehouse.export_trials(args.file, machines=args.machines)
        print(f"{path}: {warehouse.attempts:,} attempts")
    return 0


def _import(args: argparse.Namespace) -> int:
    is_new = not is_address(args.warehouse) and not Path(args.warehouse).exists()
    try:
        with podium.Warehouse(args.warehouse) as warehouse, warehouse.claimed():
            print(f"{warehouse.name}: {warehouse.import_trials(args.file):,} attempts")
    except PodiumError:
        if is_new:  # a failed import leaves no empty warehouse behind
            Path(args.warehouse).unlink(missing_ok=True)
        raise
    return 0
