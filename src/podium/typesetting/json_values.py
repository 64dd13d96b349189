"""Values as JSON has them, for people and scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd


def json_value(value: object, otherwise: Callable[[Any], Any] = str) -> Any:
    """Return a value as lists, mappings, texts, numbers, true, false and null.

    NaN is null. Infinite numbers, which JSON does not have, are texts that ``Number()`` in JavaScript and ``float()``
    in Python read. A DataFrame is a list of its rows. `otherwise` writes what is none of these.

    >>> json_value({"interval": (-np.inf, np.float64(0.5)), "pvalues": np.array([0.04, np.nan])})
    {'interval': ['-Infinity', 0.5], 'pvalues': [0.04, None]}
    """
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        ready = value.dtype.kind in "biuU" or (value.dtype.kind == "f" and bool(np.isfinite(value).all()))
        return value.tolist() if ready else json_value(value.tolist(), otherwise)
    if isinstance(value, pd.DataFrame):
        return [json_value(row, otherwise) for row in value.to_dict("records")]
    if isinstance(value, Mapping):
        return {str(key): json_value(item, otherwise) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [json_value(item, otherwise) for item in value]
    return otherwise(value)
