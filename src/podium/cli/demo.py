"""``podium demo``: the main job on what comes with the package."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import podium

SHOWN = "optdigits"


def add_parser(verbs: Any) -> None:
    """Add the verb."""
    parser = verbs.add_parser(
        "demo",
        help="analyse a bundled table and write tables and figures into a folder",
        description="Analyse the published comparison of eight classifiers on 38 data sets (Ulaş, Yıldız & Alpaydın "
        "2008) that comes with podium, and write tables and figures into a folder.",
        epilog="example: podium demo --out demo",
    )
    parser.add_argument("--out", type=Path, default=Path("podium-demo"), metavar="FOLDER", help="default: podium-demo")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Analyse, write, and say where."""
    folder: Path = args.out
    folder.mkdir(parents=True, exist_ok=True)
    results = podium.datasets.load_ulas2008()
    print(results, end="\n\n")
    summary = podium.summarize(results)
    print(f"{summary.attrs['measure']}, over data sets\n{summary.to_string(float_format='{:.2f}'.format)}\n")
    written = [
        results.write(folder / "results.csv"),
        _table(summary, folder / "summary.csv"),
        _table(results.aggregate("mean").ranks().to_wide(), folder / "ranks.csv"),
    ]
    written += _figures(results, folder)
    print("Written:")
    for path in written:
        print(f"  {path}")
    return 0


def _table(frame: Any, path: Path) -> Path:
    frame.to_csv(path)
    return path


def _figures(results: podium.Results, folder: Path) -> list[Path]:
    one = results.select(dataset=SHOWN)
    drawings = {
        "places": podium.plot.places(results),
        "box": podium.plot.box(results),
        f"podium {SHOWN}": podium.plot.podium(one, lines="algorithm"),
    }
    paths = []
    for name, ax in drawings.items():
        path = folder / f"{name.replace(' ', '-')}.png"
        podium.plot.save(ax, path)
        paths.append(path)
    return paths
