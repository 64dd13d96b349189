"""The application of section 6.4 of Eugster (2011): the leaders on 20 UCI data sets, in five stages of 50 replications.

    python benchmarks/uci_stages.py [--figure figure.png]

prints the table of docs/sequential.md beside the published list, and draws figure 6.6. A few seconds.
"""

from __future__ import annotations

from pathlib import Path

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


def stages() -> podium.inference.Sequential:
    """Test the two leaders on each data set, as section 6.4 does."""
    results = podium.read(DATA).select(measure="Misclassification").drop(dataset="monks3")
    return podium.sequential(
        results,
        pair="leaders",
        stages=5,
        alternative="better",
        rule="shrinking",
        exhaust=False,
        missing="available",
        intervals=False,
    )


def main() -> None:
    """Print the table, and draw the figure where a file is named."""
    options = parser(__doc__)
    options.add_argument("--figure", type=Path)
    chosen = options.parse_args()
    found = stages()
    table = found.frame()[["dataset", "a", "b", "decision", "stage", "replications", "pvalue"]]
    table["published"] = ["after two stages" if name in PUBLISHED else "" for name in table["dataset"]]
    print(f"{table.to_string(index=False)}\n\n{found}")
    if chosen.figure:
        podium.plot.save(podium.plot.stages(found, size="page"), chosen.figure)


if __name__ == "__main__":
    main()
