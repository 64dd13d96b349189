"""Tuning inside a fit: podium's candidates against the same search by scikit-learn's GridSearchCV, in one run."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from math import isqrt

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from podium.setup.candidates import named_candidate


def seconds(run: Callable[[], object], repeats: int = 3) -> float:
    """Best processor time of a few runs."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def main(n: int = 500) -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(n, 10)))
    y = (X[0] + X[1] ** 2 + rng.normal(size=n) > 1).astype(int).to_numpy()
    path = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7).cost_complexity_pruning_path(X, y)
    tree = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7)
    rivals = {
        "knn": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": range(1, isqrt(n) + 1)}, cv=10),
        "rpart": GridSearchCV(tree, {"ccp_alpha": np.maximum(path.ccp_alphas, 0)}, cv=10),
        "svm": GridSearchCV(SVC(), {"C": 2.0 ** np.arange(-5, 13, 3), "gamma": 2.0 ** np.arange(-10, 6, 3)}, cv=10),
    }
    print(f"{n} observations, 10 attributes, 10 folds; processor seconds of a fit with tuning")
    print(f"{'':6} {'podium':>9} {'GridSearchCV':>13} {'ratio':>7}")
    for name, rival in rivals.items():
        model = named_candidate(name).model("classification", {})
        ours, theirs = seconds(lambda m=model: m.fit(X, y)), seconds(lambda m=rival: m.fit(X, y))
        print(f"{name:6} {ours:9.3f} {theirs:13.3f} {theirs / ours:7.1f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
