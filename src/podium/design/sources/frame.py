"""Frames and arrays as data: the roles of their columns, and the task, where the response makes it clear."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import did_you_mean
from podium.design.columns import whole_numbers
from podium.design.sample import Task
from podium.design.spec.entry import check_fields
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names

MAX_CODES = 10  # up to this many consecutive integers are taken for class codes
MOSTLY = 0.8  # a text column with this share of numbers is taken for a column of numbers with errors
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table are.

    Attributes
    ----------
    target : str or None
        The response.
    task : {"classification", "regression", "unsupervised"} or None
        None if it is to be recognised.
    nominal : sequence of str
        Attributes that are nominal although they hold numbers.
    drop : sequence of str
        Columns left out.
    groups : str or None
        Column that says which observations belong together.
    """

    target: str | None = None
    task: Task | None = None
    nominal: Sequence[str] = ()
    drop: Sequence[str] = ()
    groups: str | None = None

    def __post_init__(self) -> None:
        check_fields(self)

    def as_spec(self) -> dict[str, Any]:
        """Return the roles that were given, for a file."""
        columns: dict[str, Any] = {"target": self.target, "task": self.task, "groups": self.groups}
        lists = {"nominal": list(self.nominal), "drop": list(self.drop)}
        return {key: value for key, value in {**columns, **lists}.items() if value}


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns of a table by their roles, and why the task is what it is; empty if it was given."""

    X: pd.DataFrame
    y: pd.Series[Any] | None
    task: Task
    groups: np.ndarray[Any, Any] | None
    reason: str


def in_roles(X: Any, y: Any, roles: Roles, name: str) -> Columns:
    """Take the columns of a table with one row per observation, or arrays, apart."""
    frame = X if isinstance(X, pd.DataFrame) else _numbered(X)
    if not all(isinstance(column, str) for column in frame.columns):
        frame = frame.rename(columns=str)
    if frame.columns.has_duplicates:
        twice = frame.columns[frame.columns.duplicated()].unique()
        raise LabelError(f"The table {name!r} has the column {join_names(twice)} twice. Rename or remove one of them.")
    _check_roles(frame, roles, name, separate=y is not None)
    if y is not None:
        y = _response(y, roles.target, frame)
    elif roles.target is not None:
        y = frame[roles.target]
    task, reason = _task(roles.task, y)
    used = {roles.target, roles.groups, *roles.drop}
    attributes = frame[[column for column in frame.columns if column not in used]]
    _refuse_doubtful_text(attributes, roles.nominal, name)
    attributes = attributes.assign(**{column: _as_levels(attributes[column]) for column in roles.nominal})
    groups = None if roles.groups is None else frame[roles.groups].to_numpy()
    return Columns(X=attributes, y=y, task=task, groups=groups, reason=reason)


def _response(y: Any, target: str | None, frame: pd.DataFrame) -> pd.Series[Any]:
    values = y if isinstance(y, pd.Series | pd.Categorical) else np.asarray(y)
    if values.ndim != 1 or len(values) != len(frame):
        raise InputError(
            f"`y` must have one entry for each of the {len(frame)} rows of `X`; got the shape {values.shape}."
        )
    response = pd.Series(values)
    if target is None and response.name is not None:
        return response
    if (target or "y") in frame.columns:
        raise LabelError(f"`X` already has a column {target or 'y'!r}. Name the response with `target`.")
    return response.rename(target or "y")


def _numbered(X: Any) -> pd.DataFrame:
    if hasattr(X, "toarray"):
        raise InputError("`X` must be dense; got a sparse matrix. Use X.toarray().")
    values = np.asarray(X)
    if values.ndim == 1:
        raise InputError("`X` must have two dimensions, observations × attributes; got one. Use X.reshape(-1, 1).")
    if values.ndim != 2:
        raise InputError(f"`X` must have two dimensions, observations × attributes; got {values.ndim}.")
    return pd.DataFrame(values, columns=[f"x{i + 1}" for i in range(values.shape[1])])


def _check_roles(frame: pd.DataFrame, roles: Roles, name: str, *, separate: bool) -> None:
    chosen = {
        "target": [None if separate else roles.target],
        "groups": [roles.groups],
        "drop": roles.drop,
        "nominal": roles.nominal,
    }
    for role, columns in chosen.items():
        for column in columns:
            if column is not None and column not in frame.columns:
                hint = did_you_mean(column, frame.columns) or f" It has {join_names(frame.columns)}."
                raise LabelError(f"{name!r} has no column {column!r}, named by `{role}`.{hint}", path=(role,))
    if roles.target is None and not separate and roles.task != "unsupervised":
        raise AmbiguousInputError(
            f"Which column of {name!r} is the response? Name it with `target`, one of {join_names(frame.columns)}; "
            "without a response use task='unsupervised'."
        )
    clash = {roles.target, roles.groups, *roles.drop} & set(roles.nominal) - {None}
    if roles.target is not None and (roles.target in roles.drop or roles.target == roles.groups):
        raise InputError(
            f"The column {roles.target!r} of {name!r} is the response and cannot have another role.", path=("target",)
        )
    if clash:
        raise InputError(
            f"`nominal` names {join_names(sorted(map(str, clash)))}, which is not an attribute of {name!r}.",
            path=("nominal",),
        )


def _task(given: Task | None, y: pd.Series[Any] | None) -> tuple[Task, str]:
    if given is not None:
        return given, ""
    if y is None:
        return "unsupervised", ""
    task, held = recognised_task(y, f"The response {y.name!r}")
    return task, f"{task}, because the response {y.name!r} holds {held}"


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


def _refuse_doubtful_text(X: pd.DataFrame, nominal: Sequence[str], name: str) -> None:
    """Refuse text that looks like an identifier, or like numbers with a few other entries: it would become nominal."""
    for column in X.columns:
        dtype = X[column].dtype
        if column in nominal or not (isinstance(dtype, pd.StringDtype) or pd.api.types.is_object_dtype(dtype)):
            continue
        present = X[column].dropna()
        if not all(isinstance(value, str) for value in present):
            continue  # `Dataset` refuses mixed types
        _refuse_almost_numbers(present, column, name)
        if present.nunique() > max(10, len(present) / 2):
            raise AmbiguousInputError(
                f"The column {column!r} of {name!r} holds {present.nunique()} different texts in {len(present)} rows "
                f"and looks like an identifier. Leave it out with drop={[column]!r}, or keep it with "
                f"nominal={[column]!r}."
            )


def _refuse_almost_numbers(present: pd.Series[Any], column: str, name: str) -> None:
    number = pd.to_numeric(present, errors="coerce").notna()
    if number.mean() >= MOSTLY and not number.all():
        raise AmbiguousInputError(
            f"The column {column!r} of {name!r} holds numbers, but also "
            f"{join_names(present[~number].unique(), most=3)}. Name the entries that mean missing with `na_values`, or "
            f"keep it as text with nominal={[column]!r}."
        )
    if len(present) and present.map(lambda text: _DECIMAL_COMMA.fullmatch(text) is not None).mean() >= MOSTLY:
        raise AmbiguousInputError(
            f"The column {column!r} of {name!r} holds numbers with a decimal comma, such as {present.iloc[0]!r}. Read "
            "the file with pandas.read_csv(..., decimal=',') and pass the frame."
        )


def _as_levels(column: pd.Series[Any]) -> pd.Series[Any]:
    """Make a column nominal; whole numbers become levels without a decimal point, in numeric order."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
        levels = np.sort(column.dropna().unique().astype(float))
        words: Mapping[float, str] = {
            level: f"{level:g}" if level != int(level) else str(int(level)) for level in levels
        }
        return column.map(words, na_action="ignore").astype(pd.CategoricalDtype(list(words.values())))
    return column.astype("category")
