"""``podium explorer SOURCE``: the interactive view in a browser, as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from podium.cli.design_file import announce_imports
from podium.cli.output import filled
from podium.cli.run import add_fit_limits, fit_limits
from podium.cli.show import add_score_options, belongs_to_run, read_all_measures
from podium.store.location import is_design


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "explorer",
        help="explore an experiment in a browser: podium, replications, samples, models, data",
        description="Explore a table of scores, the results of a run, or the design file of an experiment that was run "
        "in a browser. The page is one file, which needs nothing else and can be sent to others. With the design file, "
        "as FILE or --experiment, it also has the data, the samples and models, which are fitted again.",
        epilog="examples:\n  podium explorer scores.csv\n  podium explorer monks.yaml\n"
        "  podium explorer monks.db --experiment monks.yaml --out explorer.html",
    )
    add_score_options(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="write this .html file; default: explorer.html, which is opened in a browser"
    )
    parser.add_argument(
        "--experiment",
        metavar="DESIGN",
        help="the design file of the scores, whose code you trust: it is imported, and models are fitted with it",
    )
    parser.add_argument(
        "--models",
        choices=("extreme", "all", "none"),
        help="replications whose models the file contains; default: the extreme ones, if that is quick",
    )
    add_fit_limits(parser, "model")
    parser.add_argument("--title", metavar="TEXT", help="default: the name of the experiment")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="for random ties; default: 0")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the file; without a name for it, also open it."""
    import podium
    from podium.show.explorer.absence import sentences
    from podium.show.explorer.explorer import open_browser

    results = read_all_measures(args)
    source = args.file if belongs_to_run(args.file) else results
    design = args.experiment or (args.file if is_design(args.file) else None)
    if design is not None:
        announce_imports(args.verb, design)
    options = {"models": args.models, "title": args.title, "seed": args.seed}
    view = podium.explorer(source, experiment=design, **options, **fit_limits(args))
    path = view.save(args.out or "explorer.html")
    print(f"{path}  {Path(path).stat().st_size / 1e6:.1f} MB")
    for sentence in sentences(view.absences):
        print(filled(f"not shown: {sentence}"))
    if args.out is None:
        open_browser(path)
    return 0
