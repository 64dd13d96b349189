"""``podium status WAREHOUSE``: show the status of an experiment."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import podium
from podium.cli.design_file import announce_imports, difference_text, say
from podium.cli.output import as_json, filled, terminal_width
from podium.errors import DesignChangedError, InputError, PodiumError
from podium.store.location import existing_warehouse, is_design, is_warehouse


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "status",
        help="show the status of an experiment, also while it runs",
        description="Count the trials of a warehouse by status and algorithm, and show why some are not done. With a "
        "design file, what `podium run` would run is left, also if the file has changed since the last run; its data "
        "are read and its code is imported.",
        epilog="examples:\n  podium status monks.db\n  podium status monks.yaml",
    )
    parser.add_argument("source", metavar="WAREHOUSE", help="file, postgresql:// URL, or the design file of a run")
    parser.add_argument(
        "--warehouse",
        metavar="WHERE",
        help="the warehouse of the design file, if it is not the default of `podium run`",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for scripts")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the status."""
    source: str = args.source
    file = source if is_design(source) or (source.lower().endswith(".json") and not is_warehouse(source)) else None
    if file is None and args.warehouse is not None:
        raise InputError(f"`--warehouse` is for a design file, .yaml or .json; got {source!r}.")
    where = source if file is None else args.warehouse or existing_warehouse(file)
    with podium.Warehouse(where, readonly=True) as warehouse:
        compared = None if file is None else _compared(args, file, warehouse)
        status = warehouse.status(None if compared is None else compared[0])
    notes = () if compared is None else compared[1]
    if args.json:
        print(as_json(_facts(status, notes)))
        return 0
    print(status.text(terminal_width()))
    for note in notes:
        print(f"\n{filled(note)}")
    return 0


def _compared(
    args: argparse.Namespace, file: str, warehouse: podium.Warehouse
) -> tuple[Mapping[str, Any] | None, tuple[str, ...]]:
    """Return the design of the file as a run would store it, and what differs from the last run; None without it."""
    from podium.design.spec.difference import differences
    from podium.running.design import agree

    try:
        announce_imports(args.verb, file)
        agreement = agree(podium.Experiment.from_file(file, imports=True), warehouse)
    except DesignChangedError as error:
        shown = shlex.quote(warehouse.name)
        raise DesignChangedError(f"{error} `podium status {shown}` shows the status of what was run.") from error
    except PodiumError as error:
        say(args.verb, f"{file} was not compared with {warehouse.name}, whose own design is counted: {error}")
        return None, ()
    before = (warehouse.design or {}).get("record")
    changes = [] if before is None else differences(before, agreement.document["record"])
    changed = [f"{file} has changed since the last run: {difference_text(changes)}"] if changes else []
    return agreement.document, (*changed, *map(str, agreement.earlier))


def _facts(status: podium.store.Status, notes: Sequence[str]) -> dict[str, Any]:
    """What `--json` prints."""
    by_algorithm = status.by_algorithm.rename_axis("algorithm").reset_index()
    facts = {"warehouse": status.warehouse, "counts": status.counts, "by_algorithm": by_algorithm, "changes": notes}
    if status.sequences:
        facts["stopping"] = {
            "sequences": status.sequences,
            "saved": status.saved,
            "superfluous": status.superfluous,
            "decisions": [
                {
                    "dataset": decision.dataset,
                    "stage": decision.stage,
                    "replications": decision.replications,
                    "ending": decision.ending,
                    "dropped": list(decision.dropped),
                    "open": decision.undecided,
                }
                for decision in status.decisions
            ],
        }
    return {**facts, "problems": status.problems}
