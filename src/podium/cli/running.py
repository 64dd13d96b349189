"""What the verbs that run an experiment share: their options, and how they end."""

from __future__ import annotations

import argparse
import logging
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import podium
from podium.errors import InputError

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
INTERRUPTED = 130
DESIGNS = (".yaml", ".yml")  # the endings of a design file; .json may be a table as well


def add_running_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the options of `podium.run`."""
    parser.add_argument("file", metavar="FILE", help="design file: .yaml or .json")
    parser.add_argument(
        "--warehouse", metavar="WHERE", help="file or postgresql:// URL; default: FILE with the ending .db"
    )
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes; default: all cores")
    parser.add_argument("--executor", choices=("pool", "threads", "loky"), default="pool", help="default: pool")
    parser.add_argument("--seconds-per-fit", type=float, metavar="S", help="limit of one trial")
    parser.add_argument("--memory-per-fit", metavar="SIZE", help="limit of one trial, such as 500MB or 2GB")
    parser.add_argument("--seconds", type=float, metavar="S", help="limit of the whole run")
    parser.add_argument(
        "--progress", choices=("auto", "bar", "log", "quiet"), default="auto", help="default: a bar in a terminal"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the plan and a time estimate; run nothing else")


def run_file(args: argparse.Namespace, retry: Sequence[str] = ()) -> int:
    """Run the design file, or show what would be run; return the exit status."""
    experiment = podium.Experiment.from_file(args.file)
    where = warehouse_of(args.file, args.warehouse)
    options = {
        "executor": args.executor,
        "workers": args.workers,
        "seconds_per_fit": args.seconds_per_fit,
        "memory_per_fit": None if args.memory_per_fit is None else size(args.memory_per_fit),
        "retry": retry,
    }
    if args.dry_run:
        print(podium.preview(experiment, where, **options))
        return 0
    if args.progress in ("auto", "log"):
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    try:
        podium.run(experiment, where, seconds=args.seconds, progress=args.progress, **options)
    except KeyboardInterrupt as interrupt:
        text = str(interrupt) or "stopped; what was measured is kept"
        print(f"\npodium {args.verb}: {text}. To go on:\n  {go_on(args)}", file=sys.stderr)
        return INTERRUPTED
    status = podium.status(where)
    print(status)
    if status.counts["left"]:
        print(f"\nThe time was up. To go on:\n  {go_on(args)}")
    return 0


def warehouse_of(file: str, given: str | None) -> str:
    """Return the warehouse of a design file: the one given, or a file of its name, here or else beside the design."""
    if given is not None:
        return given
    beside = Path(file).with_suffix(".db")
    here = Path(beside.name)
    return str(beside if beside.exists() and not here.exists() else here)


def go_on(args: argparse.Namespace) -> str:
    """Return the command that goes on with a run."""
    words = ["podium", "run", args.file]
    options = ("warehouse", "workers", "seconds_per_fit", "memory_per_fit")
    for option in options:
        value = getattr(args, option)
        if value is not None:
            words += [f"--{option.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    words += [] if args.executor == "pool" else ["--executor", args.executor]
    return shlex.join(words)


def size(text: str) -> int:
    """Read a number of bytes.

    >>> size("1.5GB"), size("200 MB"), size("4096")
    (1500000000, 200000000, 4096)
    """
    found = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise InputError(f"`--memory-per-fit` must be a size such as 500MB or 2GB; got {text!r}.")
    return int(float(found[1]) * _UNITS[found[2].upper()])
