"""Covariates of a tree: numeric, ordered or nominal; how they can split, and how missing values are handled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import check_choice, expect, record, shown
from podium.errors import InputError, LabelError, join_names, plural

CovariateKind: TypeAlias = Literal["numeric", "ordered", "nominal"]
Candidate: TypeAlias = "float | tuple[int, ...]"  # a threshold, or the levels that go left

Counts: TypeAlias = Any  # outcomes of subjects (rows) by pair and outcome (columns), as a sparse array

_NUMBERS = ("floating", "integer", "mixed-integer-float", "decimal")  # of values, whatever their column is
MISSING = "missing"  # the level of values that are not known
MAX_LEVELS = 16  # of a nominal covariate, whose 2^(levels - 1) - 1 splits are all tried


@record(eq=False, kw_only=True)
class CovariateSplit:
    """A binary split of subjects by a covariate.

    Attributes
    ----------
    variable : str
    threshold : float or None
        Subjects with values up to this one go left; None for a nominal covariate.
    left, right : tuple of str
        The levels that go left and right, where the covariate has levels.
    """

    variable: str
    threshold: float | None
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.threshold is not None:
            return f"{self.variable} <= {self.threshold:g}"
        return f"{self.variable} in {{{', '.join(self.left)}}}"


@record(eq=False)
class Covariate:
    """One column of what is known about the subjects.

    Attributes
    ----------
    name : str
    kind : {"numeric", "ordered", "nominal"}
    values : ndarray
        Numbers, or positions of levels.
    levels : tuple of str
        Of ordered and nominal covariates.
    edges : tuple of float
        Where a number was cut into levels: the ends of the intervals. Its last level is "missing".
    """

    name: str
    kind: CovariateKind
    values: FloatArray
    levels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()

    @classmethod
    def of(cls, column: pd.Series[Any]) -> Covariate:
        """Recognise a column."""
        expect(column, pd.Series, "column")
        name = str(column.name)
        if isinstance(column.dtype, pd.CategoricalDtype):
            used = column.cat.remove_unused_categories()
            kind: CovariateKind = "ordered" if used.cat.ordered else "nominal"
            levels = tuple(str(level) for level in used.cat.categories)
            return cls(name, kind, used.cat.codes.to_numpy().astype(np.float64), levels)
        if pd.api.types.is_bool_dtype(column.dtype):
            return cls(name, "nominal", column.to_numpy().astype(np.float64), ("False", "True"))
        if pd.api.types.is_numeric_dtype(column.dtype):
            return cls(name, "numeric", column.to_numpy(np.float64))
        codes, levels_found = pd.factorize(column.astype(str), sort=True)
        return cls(name, "nominal", codes.astype(np.float64), tuple(str(level) for level in levels_found))

    def take(self, rows: IntArray) -> Covariate:
        """Return the values of some of the subjects."""
        return replace(self, values=self.values[rows])

    def present(self) -> FloatArray:
        """The different values."""
        return np.unique(self.values)

    def candidates(self, min_size: int) -> list[Any]:
        """List the splits that leave at least `min_size` subjects on both sides."""
        present, counts = np.unique(self.values, return_counts=True)
        n = len(self.values)
        if self.kind != "nominal":
            below = np.cumsum(counts)
            return [float(v) for v, left in zip(present, below, strict=True) if min_size <= left <= n - min_size]
        found = []
        for code in range(1, 2 ** (len(present) - 1)):  # the last level is always on the right
            chosen = [i for i in range(len(present)) if code >> i & 1]
            left = int(counts[chosen].sum())
            if min_size <= left <= n - min_size:
                found.append(tuple(int(present[i]) for i in chosen))
        return found

    def goes(self, candidate: Any) -> BoolArray:
        """Which subjects go left."""
        if self.kind == "nominal":
            return np.isin(self.values, candidate)
        left: BoolArray = self.values <= candidate
        return left

    def counts_left(self, candidates: Sequence[Any], counts: Counts) -> FloatArray:
        """Outcomes of the subjects that go left, for each candidate, as a candidates × cells array."""
        if self.kind == "nominal":
            present, place = np.unique(self.values, return_inverse=True)
            chosen = np.stack([np.isin(present, one) for one in candidates]).astype(np.float64)
            by_level: FloatArray = _sums(place, len(present), counts)
            return chosen @ by_level
        ends = np.asarray(candidates, np.float64)
        place = np.searchsorted(ends, self.values)  # the first candidate that takes a subject to the left
        return np.cumsum(_sums(place, len(ends) + 1, counts)[:-1], axis=0)

    def split(self, candidate: Any) -> CovariateSplit:
        """Make the split of a candidate."""
        if self.kind == "numeric":
            return CovariateSplit(variable=self.name, threshold=float(candidate))
        present = [int(code) for code in np.unique(self.values)]
        chosen = [code for code in present if (code in candidate if self.kind == "nominal" else code <= candidate)]
        return CovariateSplit(
            variable=self.name,
            threshold=None,
            left=tuple(self.levels[code] for code in chosen),
            right=tuple(self.levels[code] for code in present if code not in chosen),
        )

    def goes_left(self, column: pd.Series[Any], split: CovariateSplit) -> tuple[BoolArray, BoolArray]:
        """Which new subjects go left, and for which that is not known: no value, or a level the node has not seen."""
        if split.threshold is not None or self.edges:
            numbers = pd.to_numeric(column.where(column.notna(), np.nan), errors="coerce")
            wrong = column[numbers.isna().to_numpy() & column.notna().to_numpy()]
            if len(wrong):
                raise InputError(f"The covariate {self.name!r} must be numbers; got {shown(wrong.iloc[0])}.")
        if split.threshold is not None:
            values = numbers.to_numpy(np.float64, na_value=np.nan)
            return values <= split.threshold, np.isnan(values)
        if self.edges:
            labels = pd.Series(interval_labels(column, self.edges))
        else:
            labels = column.astype(object).where(column.notna(), MISSING).astype(str)
        if self.kind == "ordered":
            unknown = sorted(set(labels[column.notna().to_numpy()]) - set(self.levels))
            if unknown:
                raise LabelError(
                    f"The covariate {self.name!r} has the levels {join_names(self.levels)}; got {join_names(unknown)}."
                )
        found = labels.to_numpy()
        left = np.isin(found, split.left)
        return left, ~left & ~np.isin(found, split.right)


def _sums(place: IntArray, size: int, counts: Counts) -> FloatArray:
    """Sum the outcomes of the subjects at each place."""
    member = csr_array((np.ones(len(place)), (place, np.arange(len(place)))), shape=(size, len(place)))
    found: FloatArray = (member @ counts).toarray()
    return found


def aligned(covariates: pd.DataFrame, pairs: PairedComparisons) -> pd.DataFrame:
    """Put covariates into the order of the subjects: by their labels where they have them, else as they are.

    Labels are those of the subjects, (data set, replication) for results, or those of the data sets.
    """
    index = covariates.index
    columns = [name for name in ("dataset", "replication") if name in covariates.columns]
    if pairs.dataset and columns:
        raise LabelError(
            f"`covariates` has the columns {join_names(columns)}, which are labels and cannot split. Make them the "
            f"index: covariates.set_index({columns if len(columns) > 1 else repr(columns[0])})."
        )
    if isinstance(index, pd.RangeIndex) or not pairs.subjects or index.equals(pd.Index(pairs.subjects)):
        return _same_length(covariates, pairs)
    if pairs.subjects == tuple(range(pairs.rows)) and set(index) != set(pairs.subjects):
        return _same_length(covariates, pairs)  # the comparisons have no labels
    given = [_key(label) for label in index]
    place = {label: i for i, label in enumerate(given)}
    for labels in (pairs.subjects, pairs.dataset):
        wanted = [_key(label) for label in labels]
        lacking = [label for label, key in zip(labels, wanted, strict=True) if key not in place]
        if not labels or len(lacking) == len(labels):
            continue
        twice = index[index.duplicated()].unique()
        if len(twice) or len(place) < len(given):
            raise LabelError(f"`covariates` must have one row for each label; {join_names(list(twice))} occurs twice.")
        if lacking:
            raise LabelError(
                "`covariates` must have a row for every subject; it has none for "
                f"{join_names(list(dict.fromkeys(lacking)), most=6)}."
            )
        return covariates.iloc[[place[key] for key in wanted]]
    if isinstance(index, pd.MultiIndex) or set(index.names) & {"dataset", "replication"}:
        raise LabelError(
            f"The rows of `covariates` have the labels {join_names(list(index), most=3)}, the comparisons "
            f"{join_names(list(pairs.subjects), most=3)}. Without labels, reset_index(drop=True), they are used in "
            "their order."
        )
    return _same_length(covariates, pairs)


def _key(label: Any) -> tuple[str, ...]:
    """A label as text: files do not distinguish 1 from "1"."""
    return tuple(map(str, label)) if isinstance(label, tuple) else (str(label),)


def _same_length(covariates: pd.DataFrame, pairs: PairedComparisons) -> pd.DataFrame:
    if len(covariates) != pairs.rows:
        raise InputError(
            f"`covariates` must have one row per subject: the comparisons have {plural(pairs.rows, 'subject')}, the "
            f"covariates {plural(len(covariates), 'row')}."
        )
    return covariates


@dataclass(frozen=True, eq=False)
class KnownCovariates:
    """Covariates without missing values, the subjects that they are of, and what was missing."""

    frame: pd.DataFrame
    rows: IntArray
    unknown: tuple[str, ...] = ()  # covariates because of which subjects were left out
    edges: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # of numbers that were cut into levels

    def covariates(self, frame: pd.DataFrame) -> tuple[Covariate, ...]:
        """Recognise the columns of a frame: this one, or what it was reduced to."""
        return tuple(
            replace(Covariate.of(frame[name]), edges=self.edges.get(name, ())) for name in map(str, frame.columns)
        )


def encode_covariates(covariates: pd.DataFrame, pairs: PairedComparisons, missing: str) -> KnownCovariates:
    """Check covariates, and apply the policy for missing values."""
    check_choice(missing, ("category", "drop-block", "raise"), "missing")
    names = [str(name) for name in covariates.columns]
    if not names:
        raise InputError("`covariates` has no columns: there is nothing to split by.")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(f"`covariates` must have different names; {join_names(twice)} occurs twice.")
    # Without attributes, which pandas would copy with every column that is looked at.
    frame = pd.DataFrame(covariates).set_axis(names, axis=1).reset_index(drop=True)
    _refuse_comparisons(frame, pairs)
    for name in names:
        kind = frame[name].dtype
        if pd.api.types.is_object_dtype(kind) and pd.api.types.infer_dtype(frame[name], skipna=True) in _NUMBERS:
            frame[name] = pd.to_numeric(frame[name])
        if pd.api.types.is_datetime64_any_dtype(kind) or pd.api.types.is_timedelta64_dtype(kind):
            raise InputError(f"The covariate {name!r} holds dates or times. Convert them to numbers.")
        if pd.api.types.is_complex_dtype(kind):
            raise InputError(f"The covariate {name!r} holds complex numbers, which have no order.")
    infinite = [
        name
        for name in names
        if pd.api.types.is_numeric_dtype(frame[name].dtype)
        and np.isinf(frame[name].to_numpy(np.float64, na_value=0)).any()
    ]
    if infinite:
        raise InputError(f"`covariates` must be finite numbers; {join_names(infinite)} has infinite values.")
    gaps = frame.isna()
    culprits = tuple(name for name in names if gaps[name].any() and not gaps[name].all())
    everything = np.arange(len(frame))
    if missing == "raise" and gaps.to_numpy().any():
        raise InputError(
            f"`covariates` has missing values in {join_names([name for name in names if gaps[name].any()])}. Leave "
            "those subjects out, missing='drop-block', or make them a separate level, missing='category'."
        )
    for name in names:
        if gaps[name].all():  # nothing is known: it is a constant, which cannot be tested
            frame[name] = 0.0
    if not culprits:
        return KnownCovariates(_splittable(frame), everything)
    if missing == "category":
        edges = {}
        for name in culprits:
            frame[name], edges[name] = _with_level(frame[name])
        return KnownCovariates(_splittable(frame), everything, (), edges)
    rows = np.flatnonzero(~gaps[list(culprits)].any(axis=1).to_numpy())
    if not len(rows):
        raise InputError(
            f"Every subject lacks a value of one of {join_names(culprits)}, so none would be left. Leave out a "
            "covariate, or make missing values a separate level, missing='category'."
        )
    return KnownCovariates(_splittable(frame.iloc[rows].reset_index(drop=True)), rows, culprits)


def _refuse_comparisons(frame: pd.DataFrame, pairs: PairedComparisons) -> None:
    """Refuse columns that are the comparisons themselves: ``"a:b"`` of a table of pairs, or the sides of duels."""
    known = set(pairs.objects)
    sides = {name: [side.strip() for side in name.split(":")] for name in frame.columns}
    wrong = [name for name, both in sides.items() if len(both) == 2 and set(both) <= known]
    objects = np.array(pairs.objects, object)
    for side in (pairs.first, pairs.second):
        there = objects[side[pairs.pair]]
        for name in frame.columns:
            if not pd.api.types.is_numeric_dtype(frame[name].dtype):
                given = frame[name].astype(str).to_numpy()[pairs.row]
                wrong += [name] if (given == there).all() else []
    if wrong:
        raise LabelError(
            "`covariates` has columns of the comparisons themselves: "
            f"{join_names(list(dict.fromkeys(wrong)), most=6)}. Give only what is known about the subjects: "
            "covariates[['size', ...]]."
        )


def _splittable(frame: pd.DataFrame) -> pd.DataFrame:
    """Refuse nominal covariates with more levels than can be split in all ways."""
    for name in frame.columns:
        covariate = Covariate.of(frame[name])
        if covariate.kind == "nominal" and len(covariate.present()) > MAX_LEVELS:
            raise InputError(
                f"The covariate {name!r} has {len(covariate.present())} levels; at most {MAX_LEVELS} are possible, "
                "because all splits are tried. Merge levels, or give them an order: pd.Categorical(..., ordered=True)."
            )
    return frame


def _with_level(column: pd.Series[Any]) -> tuple[pd.Series[Any], tuple[float, ...]]:
    """Make "missing" a level; numbers become quartiles first, and the edges of these are returned, too."""
    edges: tuple[float, ...] = ()
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
        known = column.dropna().to_numpy(np.float64)
        edges = tuple(np.unique(np.quantile(known, [0, 0.25, 0.5, 0.75, 1])).tolist())
        text = pd.Series(interval_labels(column, edges))
        levels = [*interval_names(edges), MISSING]
    else:
        if MISSING in set(column.dropna().astype(str)):
            raise InputError(
                f"The covariate {str(column.name)!r} has the level {MISSING!r} and missing values. Give the level "
                "another name, or fill the missing values."
            )
        text = column.astype(object).where(column.notna(), MISSING).astype(str)
        levels = [*sorted(set(text) - {MISSING}), MISSING]
    return pd.Series(pd.Categorical(text, levels), name=column.name, index=column.index), edges


def interval_names(edges: Sequence[float]) -> list[str]:
    """Name the intervals between edges: ``[0, 1]``, ``(1, 4]``."""
    if len(edges) == 1:
        return [f"{edges[0]:g}"]
    return [f"{'(' if i else '['}{low:g}, {high:g}]" for i, (low, high) in enumerate(pairwise(edges))]


def interval_labels(column: pd.Series[Any], edges: Sequence[float]) -> list[str]:
    """Name the interval of each number; those beyond the ends belong to the first or the last, others are missing."""
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    names = interval_names(edges)
    place = np.searchsorted(np.asarray(edges)[1:-1], numbers)
    return [MISSING if np.isnan(value) else names[i] for value, i in zip(numbers, place, strict=True)]


def reduce_covariates(frame: pd.DataFrame, groups: IntArray, count: int) -> pd.DataFrame:
    """Reduce covariates to one value per data set: the mean of numbers, the most frequent level of others."""
    reduced = {}
    for name in frame.columns:
        column = frame[name]
        if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype):
            sums = np.bincount(groups, column.to_numpy(np.float64), minlength=count)
            means = sums / np.bincount(groups, minlength=count)
            # The mean of equal numbers is that number, without rounding.
            low, high = np.full(count, np.inf), np.full(count, -np.inf)
            np.minimum.at(low, groups, column.to_numpy(np.float64))
            np.maximum.at(high, groups, column.to_numpy(np.float64))
            reduced[name] = pd.Series(np.where(low == high, low, means))
        else:
            if isinstance(column.dtype, pd.CategoricalDtype):
                codes, levels = column.cat.codes.to_numpy(), column.cat.categories
            else:
                codes, levels = pd.factorize(column, sort=True)
            table = np.bincount(groups * len(levels) + codes, minlength=count * len(levels)).reshape(count, -1)
            most = table.argmax(axis=1)  # the first of those that are as frequent
            if isinstance(column.dtype, pd.CategoricalDtype):
                reduced[name] = pd.Series(pd.Categorical.from_codes(most, dtype=column.dtype))
            else:
                reduced[name] = pd.Series(np.asarray(levels, object)[most], dtype=column.dtype)
    return pd.DataFrame(reduced)
