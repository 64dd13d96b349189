"""Numbers that other tools measured, as `Results`: cross_validate, benchopt, OpenML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import InputError, listing
from podium.results import Results, read
from podium.warehouse.splits import splits_of

_TIMES = {"fit_time": "fit time", "score_time": "predict time"}


def read_cross_validate(
    outcomes: Mapping[str, Any],
    *,
    dataset: str = "data",
    direction: str | Mapping[str, str] = "greater",
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
    direction : str or mapping, default "greater"
        Which scores are better; scorers of scikit-learn are made so that greater is.
    folds : int, optional
        Number of folds, where the splits were a cross-validation, repeated or not: 10 for ``KFold(10)``, 2 for
        ``RepeatedKFold(n_splits=2, n_repeats=5)``. Not needed if ``cross_validate(..., return_indices=True)`` tells
        the splits; without either, nothing is known of how the samples overlap, and tests that must know ask for it.

    Returns
    -------
    Results
        The measures are the scores (``test_score`` becomes ``score``), ``fit time`` and ``predict time``; scores on the
        learning samples are left out.

    Examples
    --------
    >>> outcome = {"fit_time": [0.1, 0.1], "score_time": [0.0, 0.0], "test_score": [0.9, 0.8]}
    >>> read_cross_validate({"svm": outcome, "knn": outcome}).measure_names
    ('fit time', 'predict time', 'score')
    """
    if not isinstance(outcomes, Mapping) or _is_outcome(outcomes):
        came = "the outcome of one algorithm" if isinstance(outcomes, Mapping) else f"a {type(outcomes).__name__}"
        raise InputError(f"`outcomes` must be a dict {{algorithm: cross_validate(...)}}; got {came}. Name it.")
    nested = outcomes if _is_nested(outcomes) else {dataset: outcomes}
    rows: list[dict[str, Any]] = []
    names: dict[str, None] = {}
    for data, algorithms in nested.items():
        scores = {algorithm: _scores(outcome, algorithm) for algorithm, outcome in algorithms.items()}
        splits = splits_of(algorithms, {name: len(next(iter(of.values()))) for name, of in scores.items()}, folds)
        for algorithm, of in scores.items():
            names |= dict.fromkeys(of)
            for i, split in enumerate(splits):
                place = {"dataset": data, "algorithm": algorithm, "replication": i + 1, **split}
                rows.append({**place, **{name: float(values[i]) for name, values in of.items()}})
    if not rows:
        raise InputError("`outcomes` is empty: give {algorithm: cross_validate(...)}.")
    words = dict.fromkeys(names, direction) if isinstance(direction, str) else dict(direction)
    words |= {name: "lower" for name in _TIMES.values() if name in names}
    frame = pd.DataFrame(rows)
    return read(frame, measure=list(names), direction=words).replace(origin="scikit-learn cross_validate")


def read_benchopt(
    source: str | Path | pd.DataFrame, *, measure: str = "objective_value", direction: str = "lower"
) -> Results:
    """Read a results file of benchopt: the last value of each run, and its time.

    Parameters
    ----------
    source : path or DataFrame
        A ``.parquet`` or ``.csv`` file that ``benchopt run`` wrote.
    measure : str, default "objective_value"
        Column to read besides ``time``.
    direction : {"lower", "greater"}
        Which values of it are better.

    Returns
    -------
    Results
        Solvers are the algorithms; a data set is benchopt's data set, with the objective where there are several.
    """
    frame = _frame(source)
    data = next((name for name in ("dataset_name", "data_name") if name in frame), None)
    needed = ["solver_name", "idx_rep", "stop_val", "time", measure]
    lacking = [name for name in needed if name not in frame] + ([] if data else ["dataset_name"])
    if lacking or data is None:
        raise InputError(f"This is no results table of benchopt: it lacks the columns {listing(lacking)}.")
    several = "objective_name" in frame and frame["objective_name"].nunique() > 1
    labels = frame[data].astype(str) + (" / " + frame["objective_name"].astype(str) if several else "")
    last = frame.assign(_dataset=labels).sort_values("stop_val", kind="stable")
    last = last.groupby(["_dataset", "solver_name", "idx_rep"], sort=False).tail(1)
    table = pd.DataFrame(
        {
            "dataset": last["_dataset"],
            "algorithm": last["solver_name"].astype(str),
            "replication": last["idx_rep"].astype(int) + 1,
            measure: last[measure],
            "time": last["time"],
        }
    )
    # A diverging solver ends at infinity: that is a failure, not a number.
    table["reason"] = np.where(np.isfinite(table[measure].astype(float)), "", "failed")
    table.loc[table["reason"] == "failed", measure] = np.nan
    told = {measure: direction, "time": "lower"}
    return read(table, measure=[measure, "time"], direction=told, units={"time": "s"}).replace(origin="benchopt")


def read_openml_evaluations(
    source: str | Path | pd.DataFrame, *, algorithm: str = "flow_name", direction: str | Mapping[str, str] | None = None
) -> Results:
    """Read evaluations as OpenML lists them, with or without the values per fold.

    Parameters
    ----------
    source : path or DataFrame
        With the columns ``data_name``, ``flow_name``, ``function`` and ``value``, and ``values`` where the evaluations
        were asked for per fold (``list_evaluations(..., per_fold=True, output_format="dataframe")``).
    algorithm : str, default "flow_name"
        Column that names the algorithms; ``"setup_id"`` where one flow was run with several settings.
    direction : str or mapping, optional
        Which values are better, for measures whose names do not say so.

    Returns
    -------
    Results
    """
    frame = _frame(source)
    needed = ["data_name", algorithm, "function", "value"]
    lacking = [name for name in needed if name not in frame]
    if lacking:
        raise InputError(f"These are no evaluations of OpenML: the columns {listing(lacking)} are lacking.")
    rows = []
    for record in frame.to_dict("records"):
        folds = record.get("values")
        values = list(folds) if isinstance(folds, list | tuple | np.ndarray) and len(folds) else [record["value"]]
        name = str(record["function"]).replace("predictive_accuracy", "accuracy").replace("area_under_roc_curve", "AUC")
        place = {"dataset": str(record["data_name"]), "algorithm": str(record[algorithm]), "measure": name}
        rows += [{**place, "replication": i + 1, "value": float(value)} for i, value in enumerate(values)]
    return read(pd.DataFrame(rows), direction=direction).replace(origin="OpenML evaluations")


def _is_outcome(thing: Mapping[str, Any]) -> bool:
    return any(str(name).startswith("test_") and not isinstance(value, Mapping) for name, value in thing.items())


def _is_nested(outcomes: Mapping[str, Any]) -> bool:
    first: Any = next(iter(outcomes.values()), {})
    inner = next(iter(first.values()), None) if isinstance(first, Mapping) else None
    return isinstance(inner, Mapping)


def _scores(outcome: Any, algorithm: str) -> dict[str, Any]:
    if not isinstance(outcome, Mapping) or not any(str(name).startswith("test_") for name in outcome):
        raise InputError(
            f"The outcome of {algorithm!r} must be what cross_validate returned, a dict with 'test_score' or "
            f"'test_<scorer>'; got {type(outcome).__name__}."
        )
    scores = {_TIMES[name]: outcome[name] for name in _TIMES if name in outcome}
    return scores | {name[5:]: values for name, values in outcome.items() if name.startswith("test_")}


def _frame(source: str | Path | pd.DataFrame) -> pd.DataFrame:
    if isinstance(source, pd.DataFrame):
        return source
    path = Path(source)
    if not path.exists():
        raise InputError(f"There is no file {str(path)!r}.")
    return pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
