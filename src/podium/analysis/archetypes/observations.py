"""Observations: the rows that are fitted, checked, sorted and scaled.

Rows are sorted and equal rows are joined into one with their weights added, so that neither the order of the rows nor
the difference between a weight of two and two equal rows can show in a solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from podium.analysis.archetypes.family import Scaling, weighted_median
from podium.arrays import AnyArray, BoolArray, FloatArray, IntArray
from podium.checks import describe, record
from podium.errors import CellValueError, InputError, LabelError, MissingCellsError, join_names, plural
from podium.results import Results

MAD_OF_NORMAL = 1.4826  # makes the median absolute deviation of a normal sample its standard deviation
_SMALLEST = 1e-150  # a standard deviation whose square loses no digits
LARGEST = 1 / _SMALLEST  # a standardised value whose square is finite
_LOST = 1e-7  # median absolute deviation, in standard deviations, below which residuals are as good as zero
_LARGEST_WEIGHT = 1e100  # products of weights and squares stay far from the ends of double precision


@record(eq=False)
class Scale:
    """Centre and spread of each variable.

    Attributes
    ----------
    centre, spread : ndarray of float
    """

    centre: FloatArray
    spread: FloatArray

    def scaled(self, values: FloatArray) -> FloatArray:
        """Standardise values."""
        with np.errstate(over="ignore"):  # such values are refused
            return np.asarray((values - self.centre) / self.spread)

    def original(self, values: FloatArray) -> FloatArray:
        """Return standardised values in their own units."""
        return values * self.spread + self.centre


@dataclass(frozen=True, eq=False)
class Observations:
    """Distinct rows, sorted.

    Attributes
    ----------
    values : ndarray of shape (d, m)
        Distinct rows.
    counts : ndarray of shape (d,)
        Sum of the weights of the rows that are equal to each.
    place : ndarray of shape (n,)
        Which distinct row each row of the table is; -1 for rows of weight zero.
    """

    values: FloatArray
    counts: FloatArray
    place: IntArray

    @property
    def complete(self) -> BoolArray:
        """Which distinct rows have no missing cell."""
        return np.asarray(~np.isnan(self.values).any(axis=1))


_ROWS_OF_RESULTS = " Use podium.archetypal.domain_archetypes(results) for the archetypes of Results."
OR_AVAILABLE = ", or leave the cells out of the loss with `missing='available'`"  # where there is this argument


def check_values(
    X: Any, *, missing: bool, fitting: bool = True, argument: str = "X", way_out: str = OR_AVAILABLE
) -> None:
    """Refuse text, infinite values and, unless they are allowed, missing ones; name the culprits.

    A fit needs a value in each column; observations that are compared with a fit do not.
    """
    if isinstance(X, pd.DataFrame):
        twice = list(dict.fromkeys(X.columns[X.columns.duplicated()]))
        if twice:
            raise LabelError(f"`{argument}` must have a different name for each column; repeated: {join_names(twice)}.")
        columns: list[Any] = [str(name) for name in X.columns]
        index: list[Any] = list(X.index)
        parts = [X[name] for name in X.columns]
    else:
        try:
            table = np.asarray(X)
        except ValueError:
            return  # rows of several lengths: scikit-learn reports them
        if not hasattr(X, "toarray") and (table.ndim == 0 or (table.ndim == 1 and not _are_values(table))):
            raise InputError(
                f"`{argument}` must be a table of numbers with a row for each observation, such as a DataFrame; got "
                f"{describe(X)}.{_ROWS_OF_RESULTS if isinstance(X, Results) else ''}",
                path=(argument,),
            )
        if table.ndim != 2 or table.dtype.kind == "c":
            return  # scikit-learn says what is wrong with it, and with a sparse matrix
        _check_cells(table, argument)
        columns, index = list(range(table.shape[1])), list(range(len(table)))
        parts = [pd.Series(column) for column in table.T] if table.dtype.kind in "OSU" else []
    text = [columns[j] for j, part in enumerate(parts) if not _is_numeric(part)]
    if text:
        raise InputError(
            f"`{argument}` must hold numbers; {plural(len(text), 'column')} {'holds' if len(text) == 1 else 'hold'} "
            f"something else: {join_names(text)}. Leave out or encode {'it' if len(text) == 1 else 'them'}."
        )
    if parts:
        values = np.column_stack([pd.to_numeric(part).to_numpy(np.float64, na_value=np.nan) for part in parts])
    else:
        values = np.empty((len(index), 0)) if isinstance(X, pd.DataFrame) else table.astype(np.float64)
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        cells = [(index[i], columns[j]) for i, j in infinite]
        raise CellValueError(
            f"`{argument}` must hold finite numbers; {plural(len(cells), 'cell')} (row, column) "
            f"{'is' if len(cells) == 1 else 'are'} inf: {join_names(cells)}. Correct such values, or leave out their "
            "rows."
        )
    lacking = np.argwhere(np.isnan(values))
    if len(lacking) and not missing:
        cells = [(index[i], columns[j]) for i, j in lacking]
        raise MissingCellsError(
            f"`{argument}`: {plural(len(cells), 'cell')} (row, column) {'is' if len(cells) == 1 else 'are'} missing "
            f"(NaN): {join_names(cells)}. Leave such rows out with X.dropna(){way_out}."
        )
    if len(lacking) and fitting:
        empty = [columns[j] for j in np.flatnonzero(np.isnan(values).all(axis=0))]
        if empty:
            raise MissingCellsError(
                f"`{argument}`: {plural(len(empty), 'column')} without any value: {join_names(empty)}. Leave "
                f"{'it' if len(empty) == 1 else 'them'} out."
            )


class CellTypeError(CellValueError, TypeError):
    """A cell is an object that is not a number; scikit-learn expects a TypeError from its estimators."""


def _check_cells(table: AnyArray, argument: str) -> None:
    """Refuse cells that are neither numbers nor text nor missing, such as a dict."""
    if _are_values(table):
        return
    cells = [(i, j) for i, j in np.ndindex(table.shape) if not pd.api.types.is_scalar(table[i, j])]
    raise CellTypeError(
        f"`{argument}`: the argument must be a string or a number in each cell; {plural(len(cells), 'cell')} (row, "
        f"column) {'holds' if len(cells) == 1 else 'hold'} something else: {join_names(cells)}.",
        path=(argument,),
    )


def _are_values(table: AnyArray) -> bool:
    """Tell whether cells are numbers, text or missing, not containers."""
    return table.dtype.kind != "O" or all(pd.api.types.is_scalar(cell) for cell in table.ravel())


def _is_numeric(column: pd.Series[Any]) -> bool:
    """Tell whether all cells of a column are numbers, or missing."""
    if pd.api.types.is_numeric_dtype(column):
        return True
    if not (pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)):
        return False
    return bool((pd.to_numeric(column, errors="coerce").isna() <= column.isna()).all())


def check_weights(weights: Any, n: int, *, matrix: bool) -> FloatArray:
    """Return weights as an array; refuse those that are negative, not finite, or all zero."""
    try:
        given = np.asarray(weights)
        found = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`sample_weight` must be numbers; got {describe(weights)}.") from None
    as_text = given.dtype.kind in "USO" and any(isinstance(weight, str | bytes) for weight in given.ravel())
    if as_text or (given.ndim == 0 and given.dtype.kind == "b"):
        raise InputError(f"`sample_weight` must be numbers; got {describe(weights)}.")
    if found.ndim == 0:
        found = np.full(n, float(found))
    allowed = [(n,), (n, n)] if matrix else [(n,)]
    if found.shape not in allowed:
        raise InputError(
            f"`sample_weight` must have one value for each of the {plural(n, 'row')} of "
            f"`X`{', or be a square matrix with as many rows and columns' if matrix else ''}; got an array of shape "
            f"{found.shape}."
        )
    if not np.isfinite(found).all():
        where = np.unique(np.argwhere(~np.isfinite(found))[:, 0])
        raise CellValueError(f"`sample_weight` must hold finite numbers; {_rows_have(where)} a weight that is not.")
    if found.ndim == 1:
        negative = np.flatnonzero(found < 0)
        if len(negative):
            raise InputError(
                f"`sample_weight` must not be negative; {_rows_have(negative)} a negative weight. A weight of 0 leaves "
                "a row out."
            )
    if not found.any():
        raise InputError("`sample_weight` must not be zero for all rows; give at least one row a positive weight.")
    largest = float(np.abs(found).max())
    if not 1 / _LARGEST_WEIGHT <= largest <= _LARGEST_WEIGHT:
        raise InputError(
            f"`sample_weight` must have its largest value between {1 / _LARGEST_WEIGHT:g} and {_LARGEST_WEIGHT:g}; got "
            f"{largest:g}. Divide all weights by it."
        )
    return found


def _rows_have(rows: IntArray) -> str:
    return f"row {rows[0]} has" if len(rows) == 1 else f"rows {join_names(rows.tolist())} have"


def observe(values: FloatArray, weights: FloatArray | None) -> Observations:
    """Sort rows, join equal ones, and leave out those of weight zero."""
    n = len(values)
    counts = np.ones(n) if weights is None else weights
    kept = np.flatnonzero(counts > 0)
    order = kept[_sorted_rows(values[kept])]
    ordered = values[order]
    if len(ordered) > 1:
        same = (ordered[1:] == ordered[:-1]) | (np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
        first = np.concatenate([[True], ~same.all(axis=1)])
    else:
        first = np.ones(len(ordered), dtype=bool)
    group = np.cumsum(first) - 1
    place = np.full(n, -1)
    place[order] = group
    return Observations(ordered[first], np.asarray(np.bincount(group, weights=counts[order]), np.float64), place)


def _sorted_rows(values: FloatArray) -> IntArray:
    """Order of rows by their first value, and by the others where that is not enough."""
    order = np.argsort(values[:, 0], kind="stable")
    first = values[order, 0]
    if (first[1:] == first[:-1]).any() or np.isnan(first).any():
        return np.asarray(np.lexsort(values.T[::-1]))
    return np.asarray(order)


def find_scale(found: Observations, scaling: Scaling, columns: list[Any], *, left_out: bool = False) -> Scale:
    """Find centre and spread of each variable; refuse a constant one.

    `left_out` says that there are rows of weight zero, in which a column may have other values.

    Without scaling the spread is one. The data are centred all the same, because far from the origin products of the
    values would lose the digits in which they differ.
    """
    if scaling == "robust":
        centre, spread = _median_and_deviation(found)
        flat = spread == 0
    else:
        centre, spread = _mean_and_deviation(found)
        flat = values_are_flat(found.values)
    if flat.any() and scaling != "none":
        names = [columns[j] for j in np.flatnonzero(flat)]
        rows = "the rows with a positive weight" if left_out else "the rows"
        half = (f" in {rows}" if left_out else "") if scaling == "standard" else f" in more than half of {rows}"
        raise InputError(
            f"`X`: {plural(len(names), 'column')} {'is' if len(names) == 1 else 'are'} constant{half}: "
            f"{join_names(names)}. Such a column cannot be standardised; leave it out, or use `scaling='none'`."
        )
    lost = ~np.isfinite(spread)
    if scaling == "robust":
        lost |= _reach(found.values, centre) * _SMALLEST > spread
    elif scaling == "none":
        lost |= (spread > LARGEST) | (~flat & (spread.max() < _SMALLEST))
    else:
        lost |= ~flat & (spread < _SMALLEST)
    if lost.any():
        raise CellValueError(
            f"`X`: values of {join_names([columns[j] for j in np.flatnonzero(lost)])} are too large or too small for "
            "squares in double precision. Give them in other units."
        )
    return Scale(centre, np.ones_like(spread) if scaling == "none" else spread)


def _mean_and_deviation(found: Observations) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each variable."""
    values, counts = found.values, found.counts
    observed = ~np.isnan(values)
    weight, rows = counts @ observed, observed.sum(axis=0)
    filled = np.where(observed, values, 0.0)
    shift = np.where(observed, values, np.inf).min(axis=0)  # near the values: large offsets cost no digits
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # such values are refused
        centre = shift + counts @ (filled - np.where(observed, shift, 0.0)) / weight
        squares = counts @ np.where(observed, values - centre, 0.0) ** 2
    whole = bool((counts == np.round(counts)).all())
    freedom = weight - 1 if whole else weight * (rows - 1) / np.maximum(rows, 1)
    return centre, np.sqrt(squares / np.maximum(freedom, 1e-300))


def _median_and_deviation(found: Observations) -> tuple[FloatArray, FloatArray]:
    """Median and median absolute deviation of each variable."""
    values, counts = found.values, found.counts
    observed = ~np.isnan(values)
    centre = np.array([weighted_median(values[o, j], counts[o]) for j, o in enumerate(observed.T)])
    with np.errstate(over="ignore"):
        away = np.abs(values - centre)
        spread = MAD_OF_NORMAL * np.array([weighted_median(away[o, j], counts[o]) for j, o in enumerate(observed.T)])
    return centre, spread


def check_differences(found: Observations, spread: FloatArray, scaling: Scaling, columns: list[Any]) -> None:
    """Refuse values so far out that, in units of this spread, the others do not differ: no residual would show them."""
    _, deviation = _median_and_deviation(found)
    lost = (deviation > 0) & (deviation < _LOST * spread)
    if lost.all() if scaling == "none" else lost.any():  # without scaling a variable may be small beside the others
        raise CellValueError(
            f"`X`: some values of {join_names([columns[j] for j in np.flatnonzero(lost)])} are so far out that beside "
            "them the differences of the others are lost in rounding. Use `scaling='robust'`, or leave out their rows.",
            path=("X",),
        )


def check_reach(scaled: FloatArray, columns: Sequence[str]) -> FloatArray:
    """Return standardised values; refuse those whose squares would not be finite."""
    far = np.flatnonzero((np.abs(np.nan_to_num(scaled, nan=0.0)) > LARGEST).any(axis=0))
    if len(far):
        raise CellValueError(
            f"`X`: values of {join_names([columns[j] for j in far.tolist()])} are too far from those of `fit` for "
            "squares in double precision. Give them in the same units, or leave out their rows."
        )
    return scaled


def _reach(values: FloatArray, centre: FloatArray) -> FloatArray:
    """Distance of the furthest value of each variable from its centre."""
    with np.errstate(over="ignore"):
        return np.asarray(np.nanmax(np.abs(values - centre), axis=0))


def values_are_flat(values: FloatArray) -> BoolArray:
    """Tell which columns have one value only, up to rounding."""
    low, high = np.nanmin(values, axis=0), np.nanmax(values, axis=0)
    return np.asarray(high / 2 - low / 2 <= 0.5e-13 * np.maximum(np.abs(low), np.abs(high)))
