"""The task, recognised from the response where it is clear, and refused where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.design.columns import whole_numbers
from podium.design.dataset import Task
from podium.errors import AmbiguousInputError, join_names

MAX_CODES = 10  # up to this many consecutive integers are taken for class codes


def recognised_task(y: pd.Series[Any], target: str) -> tuple[Task, str]:
    """Return the task and the reason for it, what the response holds.

    Text, bool and categorical responses are classes; two different numbers are classes; integers 0 to k-1 or 1 to k,
    with k up to 10, are class codes; numbers with fractions are a quantity. Other whole numbers may be either, and
    are refused.
    """
    dtype = y.dtype
    numeric = pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype)
    if not numeric:
        return "classification", _kind(y)
    values = y.to_numpy(dtype=float, na_value=np.nan)
    if not whole_numbers(values):
        return "regression", "numbers with fractions"
    distinct = np.unique(values[~np.isnan(values)]).astype(int)
    if len(distinct) <= 2:
        return "classification", "two different numbers"
    codes = distinct[0] in (0, 1) and distinct[-1] - distinct[0] == len(distinct) - 1
    if codes and len(distinct) <= MAX_CODES and pd.api.types.is_integer_dtype(dtype):
        return "classification", f"the integers {distinct[0]} to {distinct[-1]}"
    raise AmbiguousInputError(
        f"{target} holds {len(distinct)} different whole numbers ({join_names(distinct, most=4, quote=False)}), which "
        "may be classes or a measured quantity. Use task='classification' or task='regression'."
    )


def _kind(y: pd.Series[Any]) -> str:
    if isinstance(y.dtype, pd.CategoricalDtype):
        return "categories"
    return "true and false" if pd.api.types.is_bool_dtype(y.dtype) else "text"
