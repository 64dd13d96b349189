"""The application of section 6.4 of Eugster (2011): the leaders on 20 UCI data sets, in five stages of 50 replications.

    python benchmarks/uci_stages.py [--figure figure.png]

prints the table of docs/sequential.md beside the published list, and draws figure 6.6. A few seconds.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
from timing import parser

import podium

DATA = Path(__file__).parents[1] / "tests" / "reference" / "data" / "eugster" / "uci621raw.csv.gz"
# Decided after two stages, as printed in section 6.4.
PUBLISHED = [
    "Sonar",
    "Circle",
    "musk",
    "ringnorm",
    "chess",
    "twonorm",
    "threenorm",
    "liver",
    "Cards",
    "HouseVotes84",
    "PimaIndiansDiabetes",
    "Heart1",
]


def stages() -> list[podium.inference.Sequential]:
    """Test the two leaders on each data set, each with an error of its own, as section 6.4 does."""
    results = podium.read(DATA).select(measure="Misclassification").drop(dataset="monks3")
    return [
        podium.sequential(
            results.select(dataset=name),
            pair="leaders",
            stages=5,
            alternative="better",
            rule="shrinking",
            exhaust=False,
            missing="available",
            intervals=False,
        )
        for name in results.datasets
    ]


def main() -> None:
    """Print the table, and draw the figure where a file is named."""
    options = parser(__doc__)
    options.add_argument("--figure", type=Path)
    chosen = options.parse_args()
    found = stages()
    table = pd.concat([one.frame() for one in found])[
        ["dataset", "a", "b", "decision", "stage", "replications", "pvalue"]
    ]
    table["published"] = ["after two stages" if name in PUBLISHED else "" for name in table["dataset"]]
    print(table.to_string(index=False))
    if chosen.figure:
        figure, axes = plt.subplots(5, 4, figsize=(8, 10), sharex=True, sharey=True, layout="constrained")
        for ax, one in zip(axes.flat, found, strict=True):
            podium.plot.stages(one, ax=ax)
            ax.set_title(one.datasets[0], loc="left")
        podium.plot.save(figure, chosen.figure)


if __name__ == "__main__":
    main()
