"""``podium demo``: a real experiment, from the design to an order, in about a minute."""

from __future__ import annotations

import argparse
import shlex
import shutil
import textwrap
from importlib.resources import files
from pathlib import Path
from typing import Any

import podium
from podium.checks import check_count
from podium.cli.run import interrupted, log_progress
from podium.errors import InputError

SOME = 4  # orders that are printed
SHOWN = "monks3"  # the data set of the figures for one data set


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "demo",
        help="run and analyse a small experiment, about a minute on two cores",
        description="Set up, run and analyse a real experiment: eight algorithms on six data sets, 20 bootstrap "
        "samples each, two measures. It writes the design, the trials, tables and figures to a folder. If it is "
        "interrupted, run it again to resume.",
        epilog="examples:\n  podium demo\n  podium demo --out quick --replications 5",
    )
    parser.add_argument("--out", type=Path, default=Path("podium-demo"), metavar="FOLDER", help="default: podium-demo")
    parser.add_argument("--replications", type=int, metavar="B", help="bootstrap samples; default: 20")
    parser.add_argument("--workers", type=int, metavar="N", help="number of processes; default: all cores")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run what is missing, analyse, write, and print the names of the files."""
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
    experiment = _design(folder, args.replications)
    described = experiment.describe()
    print(f"{described.title}\n\n{experiment}\n")
    log_progress()
    try:
        results = podium.run(experiment, folder / "demo.db", workers=args.workers)
    except KeyboardInterrupt as interrupt:
        return interrupted("demo", interrupt, shlex.join(["podium", "demo", "--out", str(folder)]))
    (folder / "design.txt").write_text(f"{described}\n", encoding="utf-8")
    written = [folder / "demo.yaml", folder / "demo.db", folder / "design.txt", *_analyse(results, folder)]
    print("Written:")
    for path in written:
        print(f"  {path}")
    return 0


def _design(folder: Path, replications: int | None) -> podium.Experiment:
    with (files("podium.cli") / "demo.yaml").open("rb") as source, (folder / "demo.yaml").open("wb") as target:
        shutil.copyfileobj(source, target)
    experiment = podium.Experiment.from_file(folder / "demo.yaml")
    if replications is None:
        return experiment
    return experiment.replace(resampling=podium.Bootstrap(replications=replications))


def _analyse(results: podium.Results, folder: Path) -> list[Path]:
    """Print the analysis, and write tables and figures."""
    error = results.measure_names[0]
    summary = podium.summarize(results, error)
    comparison = podium.compare(results, error)
    print(f"\n{error}, over data sets\n{summary.to_string(float_format='{:.3f}'.format)}\n")
    print(f"{textwrap.fill(comparison.text(), 100)}\n")
    alone = {name: podium.compare(results.select(dataset=name), error, method="wnmt") for name in results.datasets}
    orders = {name: found.relation() for name, found in alone.items()}
    nearest = podium.consensus(orders, all_optima=True).relations
    text = (
        "Each data set alone, tested on its bootstrap samples, gives a relation between the algorithms. Of all linear "
        f"orders, {len(nearest)} {'is' if len(nearest) == 1 else 'are'} nearest to these {len(orders)} relations; "
        "where such orders differ, the data sets do not decide:"
    )
    print(textwrap.fill(text, 100))
    for relation in nearest[:SOME]:
        print(f"  {relation}")
    print(f"  and {len(nearest) - SOME} more\n" if len(nearest) > SOME else "")
    tables = {folder / "summary.csv": summary, folder / "comparison.csv": comparison.frame()}
    for path, table in tables.items():
        table.to_csv(path)
    return [results.write(folder / "results.csv"), *tables, *_figures(results, comparison, folder)]


def _figures(results: podium.Results, comparison: podium.Comparison, folder: Path) -> list[Path]:
    error, seconds = results.measure_names
    one = results.select(dataset=SHOWN)
    drawings: dict[str, Any] = {
        "error by data set": podium.plot.trellis(results, error),
        f"podium {SHOWN}": podium.plot.podium(one, error, lines="algorithm"),
        "comparison": podium.plot.pvalues(comparison),
        "time": podium.plot.time(results, seconds),
    }
    return [podium.plot.save(ax, folder / f"{name.replace(' ', '-')}.png") for name, ax in drawings.items()]
