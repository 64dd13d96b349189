"""Draw the figures of the README from bundled data: ``python scripts/readme_figure.py``."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")

import podium

IMAGES = Path(__file__).parents[1] / "docs" / "images"


def main() -> None:
    """Write the pictures."""
    results = podium.datasets.load_ulas2008()
    ax = podium.plot.podium(results, lines="algorithm", size=(9, 5.4))
    ax.set_title("Eight classifiers on 38 data sets: who takes which place?", loc="left")
    IMAGES.mkdir(parents=True, exist_ok=True)
    podium.plot.save(ax, IMAGES / "podium.png", dpi=86)
    nemenyi = podium.compare(results, method="nemenyi")
    ax = podium.plot.critical_difference(nemenyi, size=(7, 2.4))
    podium.plot.save(ax, IMAGES / "critical-difference.png", dpi=110)


if __name__ == "__main__":
    main()
