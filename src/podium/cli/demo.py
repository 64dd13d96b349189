"""``podium demo``: a real experiment, from the design to an order, with the verbs that users have."""

from __future__ import annotations

import argparse
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

from podium.cli.exit_status import DONE
from podium.errors import InputError

USUAL = 20  # bootstrap samples in demo.yaml
SHOWN = "monks3"  # the data set of the figure for one data set


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "demo",
        help="run and analyse a small experiment; it needs about two minutes of processor time",
        description="Set up, run and analyse a real experiment: eight algorithms on six data sets, 20 bootstrap "
        "samples each, two measures. Each step is a command that you can use, and is shown. It writes the design, the "
        "trials, tables and figures to a folder. If it is interrupted, run it again to resume.",
        epilog="examples:\n  podium demo\n  podium demo --out quick --replications 5",
    )
    parser.add_argument("--out", type=Path, default=Path("podium-demo"), metavar="FOLDER", help="default: podium-demo")
    parser.add_argument("--replications", type=int, metavar="B", help="bootstrap samples; default: 20")
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes; default: all cores")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the design, run the commands one by one, and print the names of the files."""
    from podium.checks import check_count, write_text
    from podium.cli import main

    if args.replications is not None and args.replications < 2:
        raise InputError(
            f"`--replications` must be 2 or more, because replications are compared; got {args.replications}."
        )
    if args.workers is not None:
        check_count(args.workers, "--workers")
    folder: Path = args.out
    if folder.exists() and not folder.is_dir():
        raise InputError(f"`--out` must be a folder; {str(folder)!r} is a file.")
    folder.mkdir(parents=True, exist_ok=True)
    text = (files("podium.cli") / "demo.yaml").read_text(encoding="utf-8")
    replications = f"replications: {USUAL if args.replications is None else args.replications}"
    write_text(folder / "demo.yaml", text.replace(f"replications: {USUAL}", replications), "--out")
    for words in commands(folder, args.workers):
        print(f"$ {shlex.join(['podium', *words])}", flush=True)
        status = main(words)
        if status != DONE:
            return status
        print()
    return DONE


def commands(folder: Path, workers: int | None) -> list[list[str]]:
    """List the commands of the demonstration."""

    def at(name: str) -> str:
        return str(folder / name)

    error = ["--measure", "misclassification"]
    scores = at("demo.db")
    return [
        ["run", at("demo.yaml"), "--warehouse", scores, *(["--workers", str(workers)] if workers else [])],
        ["export", scores, at("results.csv")],
        ["summary", scores, *error],
        ["compare", scores, *error],
        ["consensus", scores, *error, "--method", "wnmt"],
        ["table", scores, *error, "--out", at("scores.tex")],
        ["table", scores, *error, "--kind", "algorithms", "--out", at("algorithms.md")],
        ["plot", "trellis", scores, *error, "--out", at("error-by-data-set.png")],
        ["plot", "podium", scores, *error, "--dataset", SHOWN, "--set", "lines=algorithm", "--out", at("podium.png")],
        ["plot", "pvalues", scores, *error, "--out", at("comparison.png")],
        ["plot", "time", scores, "--measure", "fit time", "--out", at("time.png")],
        ["report", scores, *error, "--out", at("report.html")],
    ]
