"""The columns of a data set: attributes become numeric or nominal, a response becomes classes or numbers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import AnyIntArray, FloatArray
from podium.checks import describe, shown
from podium.errors import InputError, join_names


def typed_attributes(X: pd.DataFrame, name: str) -> pd.DataFrame:
    """Make text, bool and categorical columns categorical and all others float; column names become text.

    A categorical column keeps the levels it declares, also those that do not occur.
    """
    try:
        X = pd.DataFrame(X).reset_index(drop=True)
        if not isinstance(X.columns.dtype, pd.StringDtype) or X.columns.hasnans:
            X = X.rename(columns=str)
    except (ValueError, TypeError):
        raise InputError(f"`X` of {name!r} must be a DataFrame; got {describe(X)}.") from None
    if not len(X):
        raise InputError(f"The data set {name!r} is empty: `X` has no rows.")
    if not X.shape[1]:
        raise InputError(f"The data set {name!r} has no attributes: `X` has no columns.")
    names = X.columns.tolist()
    if len(set(names)) < len(names):
        twice = X.columns[X.columns.duplicated()].unique()
        raise InputError(f"`X` of {name!r} has the attribute {join_names(twice)} twice. Rename or remove one of them.")
    if all(dtype == np.float64 for dtype in X.dtypes) and not np.isinf(X.to_numpy()).any():
        return X
    return pd.DataFrame({column: _typed_attribute(X[column], column, name) for column in names}, index=X.index)


def typed_classes(y: pd.Series[Any], name: str, n: int) -> pd.Series[Any]:
    """Make a response categorical, without classes that do not occur; whole floats become integers."""
    y = _complete(y, name, n)
    if not isinstance(y.dtype, pd.CategoricalDtype):
        if pd.api.types.is_float_dtype(y.dtype) and whole_numbers(y.to_numpy(dtype=float)):
            y = y.astype(np.int64)
        odd = next((i for i, value in enumerate(y) if not isinstance(value, Hashable)), None)
        if odd is not None:
            raise InputError(
                f"The response `y` of {name!r} must have one class per row; row {odd} has {shown(y[odd])}."
            )
        y = y.astype("category")
    else:
        y = y.cat.remove_unused_categories()
    if len(y.cat.categories) < 2:
        raise InputError(
            f"The response `y` of {name!r} has only one class, {y.cat.categories[0]!r}; it needs at least two."
        )
    return y


def typed_quantity(y: pd.Series[Any], name: str, n: int) -> pd.Series[Any]:
    """Make a response float."""
    y = _complete(y, name, n)
    words = isinstance(y.dtype, pd.CategoricalDtype) or not _holds_only(y, (int, float, np.integer, np.floating))
    if words and not _is_number(y.dtype):
        raise InputError(
            f"The response `y` of {name!r} must be numbers for regression; got {join_names(y.unique(), most=3)}. For "
            "classes use task='classification'."
        )
    values = y.to_numpy(dtype=float)
    if not np.isfinite(values).all():
        rows = np.flatnonzero(~np.isfinite(values))
        raise InputError(f"The response `y` of {name!r} is infinite in rows {join_names(rows, quote=False)}.")
    return pd.Series(values, name=y.name)


def attributes_in_words(X: pd.DataFrame) -> str:
    """Count the attributes by kind.

    >>> attributes_in_words(pd.DataFrame({"dose": [1.0], "ward": pd.Categorical(["a"])}))
    '1 numeric and 1 nominal attribute'
    """
    nominal = sum(isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes)
    counts = [(count, kind) for count, kind in ((X.shape[1] - nominal, "numeric"), (nominal, "nominal")) if count]
    kinds = " and ".join(f"{count} {kind}" for count, kind in counts)
    return f"{kinds} attribute{'' if counts[-1][0] == 1 else 's'}"


def coded(codes: AnyIntArray | Sequence[int], levels: Sequence[str]) -> pd.Categorical:
    """Make a nominal column from the positions of its levels; -1 is missing."""
    return pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype(list(levels)))


def whole_numbers(values: FloatArray) -> bool:
    """Return whether all values that are not missing are whole numbers."""
    present = values[~np.isnan(values)]
    return bool(np.isfinite(present).all() and (present == np.floor(present)).all())


def _complete(y: pd.Series[Any], name: str, n: int) -> pd.Series[Any]:
    try:
        y = pd.Series(y).reset_index(drop=True)
    except (ValueError, TypeError):
        raise InputError(f"The response `y` of {name!r} must be a Series; got {describe(y)}.") from None
    if len(y) != n:
        raise InputError(f"The response `y` of {name!r} has {len(y)} entries for {n} observations.")
    if y.isna().any():
        rows = np.flatnonzero(y.isna())
        raise InputError(
            f"The response `y` of {name!r} is missing in rows {join_names(rows, quote=False)}. Remove these rows."
        )
    return y


def _typed_attribute(column: pd.Series[Any], attribute: str, name: str) -> pd.Series[Any]:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if pd.api.types.is_bool_dtype(column.dtype):
        return column.astype("category")
    if _is_number(column.dtype):
        return _numeric(column, attribute, name)
    if isinstance(column.dtype, pd.StringDtype):
        return column.astype("category")
    if column.dtype == object:
        if _holds_only(column, (bool, np.bool_)) or _holds_only(column, (str,)):
            return column.astype("category")
        if _holds_only(column, (int, float, np.integer, np.floating)):
            return _numeric(column, attribute, name)
        kinds = sorted({type(value).__name__ for value in column.dropna()})
        raise InputError(
            f"The attribute {attribute!r} of {name!r} mixes {join_names(kinds, quote=False)}. It must be numeric or "
            "nominal: convert it to numbers or text, or leave it out."
        )
    what = "dates" if pd.api.types.is_datetime64_any_dtype(column.dtype) else f"values of the type {column.dtype}"
    raise InputError(
        f"The attribute {attribute!r} of {name!r} holds {what}, which are neither numeric nor nominal. "
        "Convert them to numbers or text, or leave the attribute out."
    )


def _numeric(column: pd.Series[Any], attribute: str, name: str) -> pd.Series[Any]:
    values = column.to_numpy(dtype=float, na_value=np.nan)
    if np.isinf(values).any():
        rows = np.flatnonzero(np.isinf(values))
        raise InputError(
            f"The attribute {attribute!r} of {name!r} is infinite in rows {join_names(rows, quote=False)}. Make these "
            "values missing (NaN) or finite."
        )
    return pd.Series(values, index=column.index)


def _is_number(dtype: Any) -> bool:
    return (
        pd.api.types.is_numeric_dtype(dtype)
        and not pd.api.types.is_bool_dtype(dtype)
        and not pd.api.types.is_complex_dtype(dtype)
    )


def _holds_only(column: pd.Series[Any], kinds: tuple[type, ...]) -> bool:
    """Return whether every value that is not missing is of these types; bool is not a number."""
    bools = bool in kinds
    return all(isinstance(v, kinds) and (bools or not isinstance(v, bool)) for v in column.dropna())
