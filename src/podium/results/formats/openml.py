"""Evaluations as OpenML lists them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import check_call, shown
from podium.errors import AmbiguousInputError, InputError, join_names
from podium.results.formats import Format, lacking_columns, load_frame
from podium.results.forms.arguments import Arguments
from podium.results.reading import read
from podium.results.results import Results
from podium.results.text_files import load_json

_NEEDED = ("data_name", "function", "value")
_NAMES = {"predictive_accuracy": "accuracy", "area_under_roc_curve": "AUC"}


@check_call
def read_openml_evaluations(
    source: str | PathLike[str] | pd.DataFrame,
    *,
    algorithm: str = "flow_name",
    direction: str | Mapping[str, str] | None = None,
) -> Results:
    """Read evaluations as OpenML lists them, with or without the values per fold.

    Parameters
    ----------
    source : path or DataFrame
        With the columns ``data_name``, ``flow_name``, ``function`` and ``value``, and ``values`` where the evaluations
        were requested per fold (``list_evaluations(..., per_fold=True, output_format="dataframe")``).
    algorithm : str, default "flow_name"
        Column that names the algorithms; ``"setup_id"`` where one flow was run with several settings.
    direction : str or mapping, optional
        Which values are better, for measures whose names imply no direction.

    Returns
    -------
    Results

    Examples
    --------
    >>> import pandas as pd, podium
    >>> frame = pd.DataFrame({"data_name": "iris", "flow_name": ["svm", "knn"], "value": [0.97, 0.96]})
    >>> podium.results.read_openml_evaluations(frame.assign(function="predictive_accuracy")).measure_names
    ('accuracy',)
    """
    frame = load_frame(source)
    if not isinstance(algorithm, str):
        raise InputError(f"`algorithm` must be the name of a column; got {shown(algorithm)}.")
    lacking = lacking_columns(frame, (*_NEEDED, algorithm))
    if lacking:
        raise InputError(f"These are not evaluations of OpenML: there is no column {join_names(lacking)}.")
    results = read(_evaluations(frame, algorithm), direction=direction)
    return results.replace(origin="OpenML evaluations", form=FORMAT.name)


def _evaluations(frame: pd.DataFrame, algorithm: str) -> pd.DataFrame:
    """Make a long table; the values per fold are replications."""
    rows: list[dict[str, Any]] = []
    for record in frame.to_dict("records"):
        folds = record.get("values")
        if isinstance(folds, str) and folds.strip().startswith("["):  # as a CSV file has them
            folds = load_json(folds, "values")
        values = list(folds) if isinstance(folds, list | tuple | np.ndarray) and len(folds) else [record["value"]]
        function = str(record["function"])
        place = {
            "dataset": str(record["data_name"]),
            "algorithm": str(record[algorithm]),
            "measure": _NAMES.get(function, function),
        }
        rows += [{**place, "replication": i + 1, "value": value} for i, value in enumerate(values)]
    return pd.DataFrame(rows)


def _convert(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read flows as algorithms; one flow with several settings on a data set is ambiguous."""
    lacking = lacking_columns(source, (*_NEEDED, "flow_name"))
    if lacking:
        raise InputError(f"These are not evaluations of OpenML: there is no column {join_names(lacking)}.")
    if source.duplicated(["data_name", "flow_name", "function"]).any():
        raise AmbiguousInputError(
            "One flow has several evaluations on one data set. If they are different settings, read them with "
            "podium.results.read_openml_evaluations(source, algorithm='setup_id'); otherwise keep one of them."
        )
    return _evaluations(source, "flow_name")


FORMAT = Format(
    name="a list of evaluations from OpenML",
    recognise=lambda source: not lacking_columns(source, _NEEDED),
    convert=_convert,
)
