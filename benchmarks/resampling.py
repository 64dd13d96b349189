"""Drawing samples: podium against the splitters of scikit-learn.

python benchmarks/resampling.py

podium draws each split on its own, from the seed of its data set and replication, so any of them can be drawn again
without the others; scikit-learn draws all of them in a row. Both draw the same number of splits of the same data.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import resample
from timing import compare, parser

import podium


def main() -> None:
    n, b = (500, 10) if parser(__doc__).parse_args().quick else (20_000, 100)
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"x": rng.normal(size=n)})
    classes = rng.integers(0, 4, n)
    data = podium.Dataset(name="data", X=X, y=pd.Series(classes).astype(str))

    def bootstrap(stratify: object = None) -> Iterable[object]:
        for i in range(b):
            learn = resample(np.arange(n), random_state=i, stratify=stratify)
            yield learn, np.setdiff1d(np.arange(n), learn)

    pairs = {
        "bootstrap": (podium.Bootstrap(replications=b), bootstrap),
        "stratified bootstrap": (podium.Bootstrap(replications=b, stratify=True), lambda: bootstrap(classes)),
        "subsampling": (podium.Subsampling(replications=b), lambda: ShuffleSplit(b, train_size=2 / 3).split(X)),
        "stratified subsampling": (
            podium.Subsampling(replications=b, stratify=True),
            lambda: StratifiedShuffleSplit(b, train_size=2 / 3).split(X, classes),
        ),
        "stratified cross-validation": (
            podium.CrossValidation(folds=10, repeats=b // 10, stratify=True),
            lambda: RepeatedStratifiedKFold(n_splits=10, n_repeats=b // 10).split(X, classes),
        ),
    }
    for name, (scheme, theirs) in pairs.items():
        runs = {
            "podium": lambda s=scheme: [s.split(data, i, 1) for i in range(1, b + 1)],
            "scikit-learn": lambda t=theirs: list(t()),
        }
        compare(f"{name}, {b} × {n:,}", runs, rounds=3)


if __name__ == "__main__":
    main()
