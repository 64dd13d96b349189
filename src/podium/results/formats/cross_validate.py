"""Outcomes of scikit-learn's ``cross_validate`` for several algorithms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import FloatArray
from podium.checks import as_numbers, check_call, check_name, describe, is_whole, shown
from podium.errors import AmbiguousInputError, InputError, join_names
from podium.results.formats import Format, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.reading import read
from podium.results.results import Results

_TIMES = {"fit_time": "fit time", "score_time": "predict time"}


@check_call
def read_cross_validate(
    outcomes: Mapping[str, Any],
    *,
    dataset: str = "data",
    direction: str | Mapping[str, str] = "higher",
    folds: int | None = None,
) -> Results:
    """Read what scikit-learn's ``cross_validate`` returned, for several algorithms.

    Parameters
    ----------
    outcomes : mapping
        ``{algorithm: cross_validate(...)}``, or ``{dataset: {algorithm: cross_validate(...)}}``. All algorithms of a
        data set must have been run with the same splits, so that their folds belong together.
    dataset : str, default "data"
        Name of the data set, where `outcomes` has none.
    direction : str or mapping, default "higher"
        Which scores are better; greater, for the scorers of scikit-learn.
    folds : int, optional
        Number of folds, where the splits were a cross-validation, repeated or not: 10 for ``KFold(10)``, 2 for
        ``RepeatedKFold(n_splits=2, n_repeats=5)``. Not needed with ``cross_validate(..., return_indices=True)``, which
        keeps the splits. Without either, nothing is known about how the samples overlap, and tests that need to know
        this raise an error.

    Returns
    -------
    Results
        The measures are the scores (``test_score`` becomes ``score``), ``fit time`` and ``predict time``; scores on the
        learning samples are left out.

    Examples
    --------
    >>> import podium
    >>> outcome = {"fit_time": [0.1, 0.1], "score_time": [0.0, 0.0], "test_score": [0.9, 0.8]}
    >>> podium.results.read_cross_validate({"svm": outcome, "knn": outcome}).measure_names
    ('fit time', 'predict time', 'score')
    """
    if not isinstance(outcomes, Mapping):
        raise InputError(f"`outcomes` must be a dict {{algorithm: cross_validate(...)}}; got {describe(outcomes)}.")
    if _is_outcome(outcomes):
        raise InputError(
            "`outcomes` must be a dict {algorithm: cross_validate(...)}; got the outcome of one algorithm. Name it: "
            "{'name of the algorithm': outcome}."
        )
    check_name(dataset, "dataset")
    if not isinstance(direction, str | Mapping):
        raise InputError(f"`direction` must be 'lower' or 'higher', or a mapping; got {shown(direction)}.")
    frame, names = _trials(outcomes, dataset, folds)
    words = dict.fromkeys(names, direction) if isinstance(direction, str) else dict(direction)
    words |= {name: "lower" for name in _TIMES.values() if name in names}
    results = read(frame, measure=list(names), direction=words)
    return results.replace(origin="scikit-learn cross_validate", form=FORMAT.name)


def _trials(outcomes: Mapping[str, Any], dataset: str, folds: int | None) -> tuple[pd.DataFrame, list[str]]:
    """Make a table of trials, and list its measures."""
    nested = outcomes if _is_nested(outcomes) else {dataset: outcomes}
    rows: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    for data, algorithms in nested.items():
        if not isinstance(algorithms, Mapping):
            raise InputError(f"The outcomes on {data!r} must be a dict by algorithm; got {describe(algorithms)}.")
        scores = {algorithm: _scores(outcome, algorithm) for algorithm, outcome in algorithms.items()}
        splits = _splits(algorithms, {name: len(next(iter(of.values()))) for name, of in scores.items()}, folds)
        for algorithm, of in scores.items():
            names |= dict.fromkeys(of)
            for i, split in enumerate(splits):
                place = {"dataset": data, "algorithm": algorithm, "replication": i + 1, **split}
                rows.append({**place, **{name: values[i] for name, values in of.items()}})
    if not rows:
        raise InputError("`outcomes` is empty: give {algorithm: cross_validate(...)}.")
    return pd.DataFrame(rows), list(names)


def _convert(source: Mapping[str, Any], arguments: Arguments) -> pd.DataFrame:
    """Read scores, for which greater is better, and times."""
    if _is_outcome(source):
        raise AmbiguousInputError(
            "This is the outcome of cross_validate for one algorithm, which does not name it. Name it: "
            "podium.read({'name of the algorithm': outcome, ...})."
        )
    frame, names = _trials(source, arguments.dataset_name, None)
    frame = frame if _is_nested(source) else frame.drop(columns="dataset")  # `dataset` of `podium.read` names it
    return with_directions(frame, {name: "lower" if name in _TIMES.values() else "higher" for name in names})


def _is_outcome(thing: object) -> bool:
    """Return whether something is what one call of cross_validate returned."""
    return isinstance(thing, Mapping) and any(
        str(name).startswith("test_") and not isinstance(value, Mapping) for name, value in thing.items()
    )


def _recognise(source: object) -> bool:
    """Return whether a dict holds outcomes of cross_validate, at whatever depth."""
    for _ in range(3):
        if isinstance(source, Mapping) and source and not _is_outcome(source):
            source = next(iter(source.values()))
    return _is_outcome(source)


def _is_nested(outcomes: Mapping[str, Any]) -> bool:
    """Return whether the outcomes are given by data set and algorithm."""
    first = next(iter(outcomes.values()), None)
    return isinstance(first, Mapping) and isinstance(next(iter(first.values()), None), Mapping)


def _scores(outcome: Any, algorithm: str) -> dict[str, FloatArray]:
    """Return the scores and times of one algorithm, by the names of the measures."""
    if not _is_outcome(outcome):
        raise InputError(
            f"The outcome of {algorithm!r} must be what cross_validate returned, a dict with 'test_score' or "
            f"'test_<scorer>'; got {describe(outcome)}."
        )
    named = {_TIMES[name]: outcome[name] for name in _TIMES if name in outcome}
    named |= {name[5:]: values for name, values in outcome.items() if str(name).startswith("test_")}
    scores = {name: as_numbers(values, f"{name} of {algorithm}") for name, values in named.items()}
    shapes = {values.shape for values in scores.values()}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        raise InputError(f"The scores and times of {algorithm!r} must be lists of equal length, one entry per split.")
    return scores


def _splits(outcomes: Mapping[str, Any], counts: Mapping[str, int], folds: int | None) -> list[dict[str, int]]:
    """Return what is known about each split, after a check that all algorithms had the same ones.

    Nothing is guessed: ten scores may be ten folds, five repeats of two, or ten random subsamples, and the variance of
    their mean differs between these by a factor of five.
    """
    if not counts:
        return []
    n = next(iter(counts.values()))
    other = [name for name, count in counts.items() if count != n]
    if other:
        raise InputError(
            f"All algorithms of a data set must have the same splits; {next(iter(counts))!r} has {n} scores, "
            f"{join_names([f'{name}: {counts[name]}' for name in other], quote=False)}. Call cross_validate with the "
            "same `cv` object, with a fixed random_state."
        )
    splits: list[dict[str, int]] = [{} for _ in range(n)]
    known = {name: outcome["indices"] for name, outcome in outcomes.items() if "indices" in outcome}
    if known:
        first, *rest = known
        others = [name for name in rest if not _same(known[first], known[name])]
        if others:
            raise InputError(
                f"All algorithms of a data set must have the same splits; those of {join_names(others)} differ from "
                f"those of {first!r}. Call cross_validate with the same `cv` object, with a fixed random_state."
            )
        learn, test = known[first]["train"], known[first]["test"]
        splits = [{"n_learn": len(a), "n_test": len(b)} for a, b in zip(learn, test, strict=True)]
        folds = _folds(test, len(learn[0]) + len(test[0])) if folds is None else folds
    return splits if folds is None else [{**s, **f} for s, f in zip(splits, _numbered(n, folds), strict=True)]


def _numbered(n: int, folds: int) -> list[dict[str, int]]:
    """Repeat and fold of each score: scikit-learn gives one repeat after the other."""
    if not is_whole(folds) or folds < 2 or n % folds:
        raise InputError(
            f"`folds` must be a whole number of at least 2 that divides the {n} scores; got {shown(folds)}."
        )
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


FORMAT = Format(
    name="the outcome of scikit-learn's cross_validate",
    recognise=_recognise,
    convert=_convert,
)
