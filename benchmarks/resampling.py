"""Drawing samples: podium against the splitters of scikit-learn, in one run. Prints seconds and their ratio.

Run: python benchmarks/resampling.py

podium draws each split on its own, from the seed of its data set and replication, so any of them can be drawn again
without the others; scikit-learn draws all of them in a row. Both draw the same number of splits of the same data.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import resample

import podium

N, REPLICATIONS, TURNS = 20_000, 100, 3

rng = np.random.default_rng(1)
X = pd.DataFrame({"x": rng.normal(size=N)})
classes = rng.integers(0, 4, N)
data = podium.Dataset(name="data", X=X, y=pd.Series(classes).astype(str))


def bootstrap(stratify: object = None) -> Iterable[object]:
    for i in range(REPLICATIONS):
        learn = resample(np.arange(N), random_state=i, stratify=stratify)
        yield learn, np.setdiff1d(np.arange(N), learn)


PAIRS: dict[
    str, tuple[podium.Bootstrap | podium.Subsampling | podium.CrossValidation, Callable[[], Iterable[object]]]
] = {
    "bootstrap": (podium.Bootstrap(replications=REPLICATIONS), bootstrap),
    "stratified bootstrap": (
        podium.Bootstrap(replications=REPLICATIONS, stratify=True),
        lambda: bootstrap(classes),
    ),
    "subsampling": (
        podium.Subsampling(replications=REPLICATIONS),
        lambda: ShuffleSplit(REPLICATIONS, train_size=2 / 3).split(X),
    ),
    "stratified subsampling": (
        podium.Subsampling(replications=REPLICATIONS, stratify=True),
        lambda: StratifiedShuffleSplit(REPLICATIONS, train_size=2 / 3).split(X, classes),
    ),
    "stratified cross-validation": (
        podium.CrossValidation(folds=10, repeats=REPLICATIONS // 10, stratify=True),
        lambda: RepeatedStratifiedKFold(n_splits=10, n_repeats=REPLICATIONS // 10).split(X, classes),
    ),
}


def seconds(draw: Callable[[], object]) -> float:
    begun = time.perf_counter()
    draw()
    return time.perf_counter() - begun


for name, (scheme, theirs) in PAIRS.items():
    ours = min(
        seconds(lambda s=scheme: [s.split(data, b, 1) for b in range(1, REPLICATIONS + 1)]) for _ in range(TURNS)
    )
    other = min(seconds(lambda t=theirs: list(t())) for _ in range(TURNS))
    print(
        f"{name:28} {REPLICATIONS} x {N:,}: podium {ours:.3f} s, scikit-learn {other:.3f} s, ratio {other / ours:.2f}"
    )
