"""``podium init FILE``: write a commented experiment file to start from."""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path
from typing import Any

from podium.errors import InputError

TASKS = ("classification", "regression")


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "init",
        help="write a commented experiment file to start from",
        description="Write an experiment file that can be run as it is, with comments on what to change.",
        epilog="examples:\n  podium init\n  podium init monks.yaml\n  podium init prices.yaml --task regression",
    )
    parser.add_argument("file", nargs="?", default="experiment.yaml", metavar="FILE", help="default: experiment.yaml")
    parser.add_argument("--task", choices=TASKS, default=TASKS[0], help="default: classification")
    parser.add_argument("--force", action="store_true", help="replace a file that exists")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file, and say what to do next."""
    from podium.checks import check_path, write_text

    path = check_path(Path(args.file), "FILE")
    if path.suffix not in (".yaml", ".yml"):
        raise InputError(f"FILE must end in .yaml or .yml; got {path.name!r}.")
    if path.exists() and not args.force:
        raise InputError(f"{str(path)!r} already exists. Name another file, or replace it with --force.")
    text = (files("podium.cli") / f"init_{args.task}.yaml").read_text(encoding="utf-8")
    write_text(path, text.replace("NAME", path.stem).replace("FILE", path.name), "FILE")
    print(f"{path}\n\nNext:\n  podium describe {path}\n  podium run {path} --dry-run\n  podium run {path}")
    return 0
