"""``podium record WAREHOUSE``: record what your own loop has measured."""

from __future__ import annotations

import argparse
from typing import Any

import podium
from podium.errors import InputError

_LABELS = ("dataset", "algorithm", "replication")
_COUNTS = ("replication", "fold", "repeat", "n_learn", "n_test")


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "record",
        help="record what your own loop has measured in a warehouse",
        description="Record the measures of one trial, or that it failed. Several processes can record in one file; "
        "all verbs that read a warehouse read it.",
        epilog="examples:\n  podium record runs.db dataset=wmt algorithm=base replication=3 bleu=31.2 seconds=5400\n"
        "  podium record runs.db dataset=wmt algorithm=base replication=4 --failed 'out of memory'",
    )
    parser.add_argument("where", metavar="WAREHOUSE", help="file, created if it does not exist, or postgresql:// URL")
    parser.add_argument(
        "facts",
        nargs="+",
        metavar="NAME=VALUE",
        help="dataset, algorithm, replication; fold, repeat, n_learn, n_test; all others are measures",
    )
    parser.add_argument(
        "--direction",
        action="append",
        metavar="MEASURE=lower|higher",
        help="which values are better, where the name of a measure does not imply it; repeatable",
    )
    parser.add_argument(
        "--independent", action="store_true", help="the replications of a data set are independent of each other"
    )
    parser.add_argument("--failed", metavar="REASON", help="record that the trial failed, and why")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Record a trial."""
    facts: dict[str, Any] = _pairs(args.facts, "NAME=VALUE")
    lacking = [name for name in _LABELS if name not in facts]
    if lacking:
        raise InputError(f"`NAME=VALUE` must give dataset, algorithm and replication; {lacking[0]}=... is missing.")
    given = {name: _read(name, text) for name, text in facts.items()}
    key = {name: given.pop(name) for name in _LABELS}
    sample = {name: given.pop(name) for name in _COUNTS if name in given}
    direction = _pairs(args.direction or (), "--direction")
    record = podium.Recorder(args.where, direction=direction, independent=args.independent or None, **sample)
    if args.failed is None:
        record(**key, measures=given)
    elif given:
        raise InputError(f"`--failed` is for a trial without measures; got {next(iter(given))}=...")
    else:
        record.failed(**key, error=args.failed)
    return 0


def _pairs(words: Any, option: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if not name or not value or name in pairs:
            raise InputError(f"`{option}` must have the form name=value, each name once; got {word!r}.")
        pairs[name] = value
    return pairs


def _read(name: str, text: str) -> Any:
    """Read a label, a count or the value of a measure."""
    if name in ("dataset", "algorithm"):
        return text
    kind, noun = (int, "whole number") if name in _COUNTS else (float, "number")
    try:
        return kind(text)
    except ValueError:
        raise InputError(f"`{name}` must be a {noun}; got {text!r}.") from None
