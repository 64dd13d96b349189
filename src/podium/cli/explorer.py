"""``podium explorer SOURCE``: the interactive view in a browser, served here or as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from podium.cli.output import filled
from podium.cli.show import add_score_options, belongs_to_run, read_all_measures


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "explorer",
        help="explore an experiment in a browser: podium, replications, samples, models, data",
        description="Explore a table of scores, the results of a run, or the design file of an experiment that was run "
        "in a browser. The page is served on this machine until you press Ctrl+C; it fits models of the replications "
        "you open, and follows a run that is still running. With --out it is one file, which can be sent to others.",
        epilog="examples:\n  podium explorer scores.csv\n  podium explorer monks.db\n"
        "  podium explorer monks.db --experiment monks.yaml --out explorer.html",
    )
    add_score_options(parser)
    parser.add_argument("--out", metavar="FILE", help="write one .html file instead of serving the page")
    parser.add_argument(
        "--experiment",
        metavar="DESIGN",
        help="the design file of the scores, whose code you trust: it is imported, and models are fitted with it",
    )
    parser.add_argument(
        "--models",
        choices=("extreme", "all", "none"),
        help="replications whose models a file contains; default: the extreme ones, if that is quick",
    )
    parser.add_argument("--title", metavar="TEXT", help="default: the name of the experiment")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for random ties; default: 0")
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="where to serve the page; default: any free one"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file, or serve the page until it is interrupted."""
    import podium

    results = read_all_measures(args)
    source = args.file if belongs_to_run(args.file) else results
    view = podium.explorer(source, experiment=args.experiment, models=args.models, title=args.title, seed=args.seed)
    if args.out is not None:
        path = view.save(args.out)
        print(f"{args.out}  {Path(path).stat().st_size / 1e6:.1f} MB")
        for absence in view.absences:
            print(filled(f"not shown: {absence}"))
        return 0
    with view.show(port=args.port, browser=not args.no_browser) as server:
        try:
            print(f"{server.url}\nPress Ctrl+C to stop.", flush=True)
            server.wait()
        except KeyboardInterrupt:
            print("Stopped.")
    return 0
