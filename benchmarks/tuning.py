"""Tuning inside a fit: podium's candidates against the same search by scikit-learn's GridSearchCV.

python benchmarks/tuning.py
"""

from __future__ import annotations

import warnings
from math import isqrt

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from timing import compare, parser

from podium.design.candidates import named_candidate


def main() -> None:
    quick = parser(__doc__).parse_args().quick
    n, rounds = (60, 1) if quick else (500, 3)
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(n, 10)))
    y = (X[0] + X[1] ** 2 + rng.normal(size=n) > 1).astype(int).to_numpy()
    tree = DecisionTreeClassifier(min_samples_split=20, min_samples_leaf=7)
    path = tree.cost_complexity_pruning_path(X, y)
    rivals = {
        "knn": GridSearchCV(KNeighborsClassifier(), {"n_neighbors": range(1, isqrt(n) + 1)}, cv=10),
        "rpart": GridSearchCV(tree, {"ccp_alpha": np.maximum(path.ccp_alphas, 0)}, cv=10),
        "svm": GridSearchCV(SVC(), {"C": 2.0 ** np.arange(-5, 13, 3), "gamma": 2.0 ** np.arange(-10, 6, 3)}, cv=10),
    }
    for name, rival in rivals.items():
        model = named_candidate(name).model("classification", {})
        runs = {"podium": lambda m=model: m.fit(X, y), "GridSearchCV": lambda m=rival: m.fit(X, y)}
        compare(f"{name}, {n} observations, 10 attributes, 10 folds", runs, rounds)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
