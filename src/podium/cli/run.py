"""``podium run FILE``: run an experiment, or resume it."""

from __future__ import annotations

import argparse
import logging
import re
import shlex
import sys
from collections.abc import Sequence
from typing import Any

import podium
from podium.cli.design_file import announce_imports
from podium.cli.exit_status import DONE, interrupted, of_run
from podium.cli.output import terminal_width
from podium.errors import InputError
from podium.running.interrupts import RunInterrupted
from podium.store.address import without_password
from podium.store.location import warehouse_of

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "run",
        help="run an experiment, or resume it",
        description="Run the trials of an experiment that its warehouse does not have yet. Run the same file again "
        "after an interrupt, or after adding replications, algorithms or data sets: only the missing trials are run.",
        epilog="examples:\n  podium run monks.yaml\n  podium run monks.yaml --workers 4 --seconds-per-fit 60\n"
        "  podium run monks.yaml --dry-run",
    )
    add_run_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run, and print the status."""
    return run_file(args)


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and the options of `podium.run`."""
    parser.add_argument("file", metavar="FILE", help="design file: .yaml or .json")
    parser.add_argument(
        "--warehouse",
        metavar="WHERE",
        help="file or postgresql:// URL; default: a file named as FILE, with the extension .db, in the current folder, "
        "or beside FILE if only that exists",
    )
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes; default: all cores")
    parser.add_argument(
        "--executor",
        choices=("pool", "threads", "loky"),
        default="pool",
        help="how trials run in parallel; default: pool",
    )
    add_fit_limits(parser, "trial")
    parser.add_argument("--trials-per-worker", type=int, metavar="N", help="replace a process after N trials")
    parser.add_argument(
        "--environment",
        action="append",
        metavar="NAME",
        default=[],
        help="send this environment variable to the workers of an executor; may be repeated",
    )
    parser.add_argument("--seconds", type=float, metavar="S", help="limit for the whole run")
    parser.add_argument(
        "--accept",
        action="append",
        choices=("versions", "unknown", "stopping"),
        default=[],
        help="also count earlier trials made with other versions of libraries, or of unknown origin; 'stopping': "
        "make the decisions again by the changed stopping rule",
    )
    parser.add_argument(
        "--progress",
        choices=("auto", "bar", "log", "quiet"),
        default="auto",
        help="default: a bar in a terminal, else a log",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the plan and a time estimate, and store nothing")


def add_fit_limits(parser: argparse.ArgumentParser, noun: str) -> None:
    """Add the limits of one fit."""
    parser.add_argument("--seconds-per-fit", type=float, metavar="S", help=f"limit for one {noun}")
    parser.add_argument("--memory-per-fit", metavar="SIZE", help=f"limit for one {noun}, such as 500MB or 2GB")


def fit_limits(args: argparse.Namespace) -> dict[str, Any]:
    """Return these limits as arguments of a call."""
    memory = None if args.memory_per_fit is None else size(args.memory_per_fit)
    return {"seconds_per_fit": args.seconds_per_fit, "memory_per_fit": memory}


def run_file(args: argparse.Namespace, retry: Sequence[str] = ()) -> int:
    """Run the design file, or show what would be run; return the exit status."""
    announce_imports(args.verb, args.file)
    experiment = podium.Experiment.from_file(args.file, imports=True)
    where = args.warehouse or warehouse_of(args.file)
    options = {
        "executor": args.executor,
        "workers": args.workers,
        **fit_limits(args),
        "environment": args.environment,
        "retry": retry,
        "accept": args.accept,
    }
    if args.dry_run:
        print(podium.preview(experiment, where, **options).text(terminal_width()))
        return DONE
    if args.progress in ("auto", "log"):
        log_progress()
    try:
        limits = {"seconds": args.seconds, "trials_per_worker": args.trials_per_worker}
        podium.run(experiment, where, progress=args.progress, **limits, **options)
    except KeyboardInterrupt as interrupt:
        kept = "stopped; everything measured is kept"
        if isinstance(interrupt, RunInterrupted):
            kept = interrupt.what_was_kept
        return interrupted(f"podium {args.verb}", f"{kept}. To resume: {resume_command(args)}")
    with podium.Warehouse(where, readonly=True) as warehouse:
        status = warehouse.status()
    print(status.text(terminal_width()))
    if status.counts["left"]:
        print(f"\nThe time limit was reached. To resume:\n  {resume_command(args)}")
    return of_run(status.counts)


def log_progress() -> None:
    """Write the log of a run to the standard error stream."""
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%Y-%m-%d %H:%M:%S", stream=sys.stderr
    )


def resume_command(args: argparse.Namespace) -> str:
    """Return the command that resumes a run."""
    words = ["podium", "run", args.file]
    for option in ("warehouse", "workers", "seconds_per_fit", "memory_per_fit", "trials_per_worker"):
        value = getattr(args, option)
        if option == "warehouse" and value is not None:
            value = without_password(value)
        if value is not None:
            words += [f"--{option.replace('_', '-')}", f"{value:g}" if isinstance(value, float) else str(value)]
    words += [] if args.executor == "pool" else ["--executor", args.executor]
    words += [word for name in args.environment for word in ("--environment", name)]
    words += [word for accepted in args.accept for word in ("--accept", accepted)]
    return shlex.join(words)


def size(text: str) -> int:
    """Read a number of bytes.

    >>> size("1.5GB"), size("200 MB"), size("4096")
    (1500000000, 200000000, 4096)
    """
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if found is None:
        raise InputError(f"`--memory-per-fit` must be a size such as 500MB or 2GB; got {text!r}.")
    return int(float(found[1]) * _UNITS[found[2].upper()])
