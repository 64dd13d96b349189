"""What scikit-learn's ``cross_validate`` tells of its splits: sizes, repeats and folds, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.errors import InputError, listing


def splits_of(outcomes: Mapping[str, Any], counts: Mapping[str, int], folds: int | None) -> list[dict[str, int]]:
    """Return what is known of each split, after a check that all algorithms had the same ones.

    Nothing is guessed: ten scores may be ten folds, five repeats of two, or ten random subsamples, and the variance of
    their mean differs by a factor of five between these.
    """
    if not counts:
        return []
    n = next(iter(counts.values()))
    other = [name for name, count in counts.items() if count != n]
    if other:
        raise InputError(
            f"All algorithms of a data set must have the same splits; {next(iter(counts))!r} has {n} scores, "
            f"{listing([f'{name}: {counts[name]}' for name in other], quote=False)}. "
            "Call cross_validate with the same `cv` object, with a fixed random_state."
        )
    splits: list[dict[str, int]] = [{} for _ in range(n)]
    known = {name: outcome["indices"] for name, outcome in outcomes.items() if "indices" in outcome}
    if known:
        first, *rest = known
        strangers = [name for name in rest if not _same(known[first], known[name])]
        if strangers:
            raise InputError(
                f"All algorithms of a data set must have the same splits; those of {listing(strangers)} are not "
                f"those of {first!r}. Call cross_validate with the same `cv` object, with a fixed random_state."
            )
        learn, test = known[first]["train"], known[first]["test"]
        splits = [{"n_learn": len(a), "n_test": len(b)} for a, b in zip(learn, test, strict=True)]
        folds = _folds(test, len(learn[0]) + len(test[0])) if folds is None else folds
    return splits if folds is None else [{**s, **f} for s, f in zip(splits, _numbered(n, folds), strict=True)]


def _numbered(n: int, folds: int) -> list[dict[str, int]]:
    """Repeat and fold of each score: scikit-learn gives one repeat after the other."""
    if not isinstance(folds, int) or isinstance(folds, bool) or folds < 2 or n % folds:
        raise InputError(f"`folds` must be a whole number of at least 2 that divides the {n} scores; got {folds!r}.")
    return [{"repeat": i // folds + 1, "fold": i % folds + 1} for i in range(n)]


def _folds(tests: Any, examples: int) -> int | None:
    """Return the number of folds, if the test samples are those of a (repeated) cross-validation."""
    for folds in range(2, len(tests) + 1):
        if len(tests) % folds == 0 and all(
            _is_partition(tests[i : i + folds], examples) for i in range(0, len(tests), folds)
        ):
            return folds
    return None


def _is_partition(tests: Any, examples: int) -> bool:
    together = np.concatenate([np.asarray(test) for test in tests])
    return len(together) == examples == len(np.unique(together))


def _same(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    return all(
        len(a[part]) == len(b[part]) and all(np.array_equal(x, y) for x, y in zip(a[part], b[part], strict=True))
        for part in ("train", "test")
    )
