"""The benchmark experiments of section 6.2 of Eugster (2011): run them, and write the table in podium.examples.

Pima Indians Diabetes, 200 bootstrap samples with out-of-bag test samples, misclassification of linear discriminant
analysis, two support vector machines with nearly the same cost (C = 1.00 and 1.01), and a random forest:

    python benchmarks/pima.py [--write src/podium/examples/tables/pima.csv]

About two minutes on one core.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from timing import parser

import podium

DATA = Path(__file__).parents[1] / "tests" / "reference" / "data" / "uci" / "PimaIndiansDiabetes.csv"


def experiment(replications: int) -> podium.Experiment:
    """Set up the experiment."""
    machines = {"svm1": 1.00, "svm2": 1.01}
    return podium.Experiment(
        datasets=podium.Dataset(pd.read_csv(DATA), target="diabetes", name="pima"),
        algorithms=[
            podium.Algorithm("lda", LinearDiscriminantAnalysis()),
            *(podium.Algorithm(name, make_pipeline(StandardScaler(), SVC(C=cost))) for name, cost in machines.items()),
            podium.Algorithm("rf", RandomForestClassifier(n_estimators=100)),
        ],
        resampling=podium.Bootstrap(replications=replications),
        measures=["misclassification"],
        seed=1,
    )


def main() -> None:
    """Run the experiment; print its summary, and write its results as a long table where a file is named."""
    options = parser(__doc__)
    options.add_argument("--write", type=Path)
    chosen = options.parse_args()
    results = podium.run(experiment(2 if chosen.quick else 200), progress="quiet", workers=2)
    print(podium.summarize(results))
    if chosen.write:
        results.to_long().to_csv(chosen.write, index=False)


if __name__ == "__main__":
    main()
