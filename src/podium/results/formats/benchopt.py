"""Results of benchopt."""

from __future__ import annotations

from os import PathLike

import numpy as np
import pandas as pd

from podium.checks import as_numbers, check_call, shown
from podium.errors import AmbiguousInputError, InputError, join_names
from podium.results.formats import Format, lacking_columns, load_frame, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.reading import read
from podium.results.results import Results

_NEEDED = ("solver_name", "idx_rep", "stop_val", "time")


@check_call
def read_benchopt(
    source: str | PathLike[str] | pd.DataFrame, measure: str = "objective_value", *, direction: str = "lower"
) -> Results:
    """Read a results file of benchopt: the last value of each run, and its time.

    Parameters
    ----------
    source : path or DataFrame
        A ``.parquet`` or ``.csv`` file that ``benchopt run`` wrote.
    measure : str, default "objective_value"
        Column to read besides ``time``.
    direction : {"lower", "higher"}
        Which values of it are better.

    Returns
    -------
    Results
        Solvers are the algorithms; a data set is benchopt's data set, with the objective where there are several.

    Examples
    --------
    >>> import pandas as pd, podium
    >>> row = {"dataset_name": "simulated", "idx_rep": 0, "stop_val": 10, "time": 0.2}
    >>> frame = pd.DataFrame([row, row]).assign(solver_name=["cd", "pgd"], objective_value=[1.5, 1.7])
    >>> podium.results.read_benchopt(frame).algorithms
    ('cd', 'pgd')
    """
    if not isinstance(measure, str):
        raise InputError(f"`measure` must be the name of a column; got {shown(measure)}.")
    runs = _runs(load_frame(source), measure)
    directions = {measure: direction, "time": "lower"}
    results = read(runs, measure=[measure, "time"], direction=directions, units={"time": "s"})
    return results.replace(origin="benchopt", form=FORMAT.name)


def _runs(frame: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Take the last value of each run, and its time."""
    data = "data_name" if "data_name" in frame and "dataset_name" not in frame else "dataset_name"
    lacking = lacking_columns(frame, (*_NEEDED, measure, data))
    if lacking:
        raise InputError(f"This is not a results table of benchopt: there is no column {join_names(lacking)}.")
    dataset = frame[data].astype(str)
    if "objective_name" in frame and frame["objective_name"].nunique() > 1:
        dataset = dataset + " / " + frame["objective_name"].astype(str)
    value = as_numbers(frame[measure], measure)
    finite = np.isfinite(value)  # a solver that diverges ends at infinity: that is a failure, not a number
    runs = pd.DataFrame(
        {
            "dataset": dataset,
            "algorithm": frame["solver_name"].astype(str),
            "replication": as_numbers(frame["idx_rep"], "idx_rep") + 1,
            measure: np.where(finite, value, np.nan),
            "time": frame["time"],
            "reason": np.where(finite, "", "failed"),
            "stop_val": frame["stop_val"],
        }
    )
    last = runs.sort_values("stop_val", kind="stable").groupby(["dataset", "algorithm", "replication"]).tail(1)
    return last.drop(columns="stop_val")


def _convert(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read the objective value, which solvers minimise, or the columns that are named."""
    wanted = [str(name) for name in arguments.wanted_measures or () if name != "time"]
    if len(wanted) > 1:
        raise InputError(f"`measure` must be one column of benchopt, besides 'time'; got {wanted!r}.")
    measure = wanted[0] if wanted else "objective_value"
    if measure not in source:
        numeric = [str(name) for name in source.select_dtypes("number").columns if name not in _NEEDED]
        raise AmbiguousInputError(
            f"The results of benchopt have no column {measure!r}. Say which one to read besides 'time': "
            f"measure={numeric[0] if numeric else '...'!r}, direction='lower'."
        )
    runs = _runs(source, measure)
    return with_directions(runs, {"time": "lower", **({} if wanted else {measure: "lower"})})


FORMAT = Format(
    name="a results table of benchopt",
    recognise=lambda source: not lacking_columns(source, _NEEDED),
    convert=_convert,
)
