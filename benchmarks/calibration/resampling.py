"""Two equal algorithms on real resamples: a classification problem with two equally useful features.

Each algorithm sees one of the two features and puts a threshold between the class means; by symmetry both have the same
expected error. Learning and test samples are drawn from one data set of 200 examples as usual, so they overlap.
"""

from __future__ import annotations

import numpy as np
from benchmarks.calibration.simulate import ALPHA, FloatArray, Share

from podium.analysis.methods.pairwise_test import PAIRWISE_TESTS, Structure

EXAMPLES = 200
DESIGNS = ("10-fold cv", "10 × 10-fold cv", "30 subsamples 90%", "30 subsamples 2/3", "30 bootstraps", "5 × 2 cv")
TESTS = ("t", "wilcoxon", "k-fold t", "corrected t", "5x2cv t", "5x2cv F")


def learning_samples(design: str, rng: np.random.Generator) -> tuple[list[np.ndarray], list[np.ndarray], Structure]:
    """Draw learning samples (positions, repeated in a bootstrap) and test samples, with what is known about them."""
    n = EXAMPLES
    learn, test, repeat, fold = [], [], [], []
    cross = {"10-fold cv": (1, 10), "10 × 10-fold cv": (10, 10), "5 × 2 cv": (5, 2)}
    if design in cross:
        repeats, folds = cross[design]
        for r in range(repeats):
            parts = np.array_split(rng.permutation(n), folds)
            for f, part in enumerate(parts):
                learn.append(np.concatenate([p for i, p in enumerate(parts) if i != f]))
                test.append(part)
                repeat.append(r)
                fold.append(f)
    else:
        for _ in range(30):
            order = rng.permutation(n)
            cut = int(n * 0.9) if "90" in design else 2 * n // 3
            drawn = rng.integers(0, n, n) if "bootstrap" in design else order[:cut]
            learn.append(drawn)
            test.append(np.setdiff1d(np.arange(n), drawn))
    sizes = {
        "n_learn": np.array([len(part) for part in learn]),
        "n_test": np.array([len(part) for part in test]),
    }
    known = {"repeat": np.array(repeat), "fold": np.array(fold)} if fold else {}
    return learn, test, Structure(**sizes, **known)


def errors_of_features(x: FloatArray, y: np.ndarray, learn: list[np.ndarray], test: list[np.ndarray]) -> FloatArray:
    """Return the errors of one algorithm per feature in every replication, replications × algorithms."""
    found = []
    for inside, outside in zip(learn, test, strict=True):
        one = y[inside] == 1
        means = np.stack([x[inside][~one].mean(axis=0), x[inside][one].mean(axis=0)])
        threshold, rises = means.mean(axis=0), means[1] > means[0]
        wrong = ((x[outside] > threshold) == rises) != (y[outside] == 1)[:, None]
        found.append(wrong.mean(axis=0))
    return np.array(found)


def resampling_rows(samples: int) -> tuple[dict[str, dict[str, Share]], list[str]]:
    """Errors of the tests of two algorithms, by test and design."""
    rows: dict[str, dict[str, Share]] = {PAIRWISE_TESTS[name].title: {} for name in TESTS}
    for design in DESIGNS:
        rng = np.random.default_rng(3)
        collected = []
        for _ in range(samples):
            y = rng.integers(0, 2, EXAMPLES)
            x = rng.normal(size=(EXAMPLES, 2)) + y[:, None]
            learn, test, structure = learning_samples(design, rng)
            errors = errors_of_features(x, y, learn, test)
            collected.append((errors[:, 0] - errors[:, 1], structure))
        for name in TESTS:
            if (name == "k-fold t" and design != "10-fold cv") or (name.startswith("5x2") and design != "5 × 2 cv"):
                continue
            errors = 0
            for d, structure in collected:
                p = PAIRWISE_TESTS[name].function(d[None, :], structure, alpha=0.05, intervals=False).two_sided[0]
                errors += bool(p <= ALPHA)
            rows[PAIRWISE_TESTS[name].title][design] = Share(errors, samples)
    return rows, list(DESIGNS)
