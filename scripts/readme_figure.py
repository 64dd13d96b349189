"""Draw the figure of the README from bundled data: ``python scripts/readme_figure.py``."""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("MPLBACKEND", "Agg")

import podium

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "podium.png"


def main() -> None:
    """Write the picture."""
    results = podium.datasets.load_ulas2008()
    ax = podium.plot.podium(results, lines="algorithm", size=(9, 5.4))
    ax.set_title("Eight classifiers on 38 data sets: who takes which place?", loc="left")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    podium.plot.save(ax, PICTURE, dpi=86)


if __name__ == "__main__":
    main()
