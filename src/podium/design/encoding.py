"""Encoding: attributes of a learning sample as a matrix of numbers, for models that need one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.arrays import FloatArray, IntArray
from podium.checks import check_choice
from podium.errors import InputError, join_names

Nominal: TypeAlias = Literal["one-hot", "treatment", "ordered", "codes"]
TAKING_ATTRIBUTES = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "transform",
    "score_samples",
)


@dataclass(kw_only=True)
class Encoder:
    """Turn nominal and numeric attributes into a matrix, as learned from the learning sample.

    Levels, medians, means and standard deviations come from the learning sample. A level that occurs only later is not
    an error: it has no column, or in ``"ordered"`` the place of an average level.

    Parameters
    ----------
    nominal : {"one-hot", "treatment", "ordered", "codes"}
        ``"one-hot"``: a 0/1 column per level. ``"treatment"``: the same without the first level, which becomes the
        reference. ``"ordered"``: one column with the rank of the level when the levels are sorted by the mean
        response, which lets a tree with thresholds find the splits into two sets of levels: for two classes and for
        regression the best one is among them (Breiman et al. 1984, sec. 4.2.2), for more classes the levels are
        sorted by their first principal component (Coppersmith, Hong & Hosking 1999). ``"codes"``: one column with
        the number of the level.
    impute : bool
        Fill missing values: a numeric attribute by its median in the learning sample, a nominal one by a separate
        level. Otherwise they stay NaN.
    scale : bool
        Give numeric attributes the mean 0 and the standard deviation 1 of the learning sample. Columns made from
        nominal attributes are not changed, and neither are constant ones.

    Examples
    --------
    >>> import pandas as pd
    >>> learn = pd.DataFrame({"size": [1.0, None, 3.0, 8.0], "colour": ["red", "blue", None, "red"]})
    >>> encoder = Encoder().fit(learn)
    >>> encoder.transform(pd.DataFrame({"size": [None], "colour": ["green"]}))
    array([[3., 0., 0., 0.]])
    """

    nominal: Nominal = "one-hot"
    impute: bool = True
    scale: bool = False
    columns: dict[str, EncodedColumn] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        check_choice(self.nominal, get_args(Nominal), "nominal")

    def fit(self, X: pd.DataFrame, response: FloatArray | None = None) -> Encoder:
        """Learn levels, medians and scales.

        Parameters
        ----------
        X : DataFrame
        response : array, shape (observations, columns), optional
            Response as numbers, classes as 0/1 columns; only ``"ordered"`` uses it.
        """
        frame = as_frame(X)
        self.columns = {
            str(name): self._nominal(column, response) if is_nominal(column) else self._numeric(column)
            for name, column in frame.items()
        }
        return self

    def transform(self, X: pd.DataFrame) -> FloatArray:
        """Return the matrix of these observations."""
        frame = as_frame(X)
        absent = [name for name in self.columns if name not in frame.columns]
        if absent:
            raise InputError(
                f"`X` lacks the attribute {join_names(absent)} of the learning sample; it has "
                f"{join_names(frame.columns)}."
            )
        blocks = [column.matrix(frame[name]) for name, column in self.columns.items()]
        return np.hstack([np.empty((len(frame), 0)), *blocks])

    def fit_transform(self, X: pd.DataFrame, response: FloatArray | None = None) -> FloatArray:
        """Learn from the observations and return their matrix."""
        return self.fit(X, response).transform(X)

    def _numeric(self, column: pd.Series[Any]) -> EncodedColumn:
        values = column.to_numpy(dtype=float)
        present = values[~np.isnan(values)]
        fill = float(np.median(present)) if self.impute and len(present) else (0.0 if self.impute else np.nan)
        if not self.scale or not len(present):
            return NumericColumn(fill, 0.0, 1.0)
        spread = float(present.std())
        return NumericColumn(fill, float(present.mean()), spread if spread > 0 else 1.0)

    def _nominal(self, column: pd.Series[Any], response: FloatArray | None) -> EncodedColumn:
        levels = column.astype("category").cat.categories
        codes = levels.get_indexer(pd.Index(column))
        missing = bool(column.isna().any())
        if self.nominal == "codes":
            return PlaceColumn(levels, np.arange(len(levels), dtype=float), np.nan, np.nan)
        if self.nominal == "ordered":
            return _ordered(levels, codes, response, missing and self.impute)
        occurring = levels[np.unique(codes[codes >= 0])]
        shown = occurring[1:] if self.nominal == "treatment" else occurring
        return IndicatorColumn(shown, missing and self.impute, keep_missing=not self.impute)


class Encoded:
    """Any object with `fit`, behind an encoder that is fitted to the same learning sample.

    Parameters
    ----------
    model : object
        The model; it has `fit`.
    nominal : {"one-hot", "treatment", "ordered", "codes"}
        See `podium.design.encoding.Encoder`. Missing values are filled.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.svm import SVC
    >>> X = pd.DataFrame({"colour": ["red", "blue", "red", "blue"]})
    >>> Encoded(SVC(), "one-hot").fit(X, ["a", "b", "a", "b"]).predict(X)
    array(['a', 'b', 'a', 'b'], dtype='<U1')
    """

    def __init__(self, model: Any, nominal: Nominal) -> None:
        self.model = model
        self.encoder = Encoder(nominal=nominal)

    def fit(self, X: Any, y: Any = None) -> Encoded:
        """Encode and fit."""
        matrix = self.encoder.fit_transform(X, None if y is None else response_columns(y))
        if y is None:
            self.model.fit(matrix)
        else:
            self.model.fit(matrix, y)
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("model", "encoder") or (name.startswith("__") and name != "__sklearn_tags__"):
            raise AttributeError(name)  # not set yet while an object is copied
        found = getattr(self.model, name)
        if name not in TAKING_ATTRIBUTES:
            return found

        def answer(X: Any) -> Any:
            return found(self.encoder.transform(X))

        answer.__name__ = name  # scikit-learn's scorers use it
        return answer


def response_columns(y: Any) -> FloatArray:
    """Return a response as columns of numbers: itself, or a 0/1 column per class."""
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return values.astype(float)[:, None]
    classes = np.unique(values.astype(str))
    columns: FloatArray = (values.astype(str)[:, None] == classes).astype(float)
    return columns


class EncodedColumn(Protocol):
    """One attribute as columns of numbers."""

    def matrix(self, column: pd.Series[Any]) -> FloatArray:
        """Return its columns of the matrix."""


@dataclass(frozen=True)
class NumericColumn:
    """A numeric attribute: filled, centred, scaled."""

    fill: float
    centre: float
    spread: float

    def matrix(self, column: pd.Series[Any]) -> FloatArray:
        """Return the attribute as one column."""
        numeric = column if column.dtype == np.float64 else pd.to_numeric(column)
        values = numeric.to_numpy(dtype=float, copy=True)
        values[np.isnan(values)] = self.fill
        return ((values - self.centre) / self.spread)[:, None]


@dataclass(frozen=True)
class IndicatorColumn:
    """A nominal attribute: a 0/1 column per level, and one for missing values if the learning sample had any."""

    levels: pd.Index[Any]
    missing: bool
    keep_missing: bool = False

    def matrix(self, column: pd.Series[Any]) -> FloatArray:
        """Return a 0/1 column per level."""
        codes = self.levels.get_indexer(pd.Index(column))
        matrix = (codes[:, None] == np.arange(len(self.levels))).astype(float)
        lacking = column.isna().to_numpy()
        if self.keep_missing:
            matrix[lacking] = np.nan
        return np.column_stack([matrix, lacking.astype(float)]) if self.missing else matrix


@dataclass(frozen=True)
class PlaceColumn:
    """A nominal attribute: one column with the place of each level."""

    levels: pd.Index[Any]
    places: FloatArray
    of_missing: float
    of_unknown: float

    def matrix(self, column: pd.Series[Any]) -> FloatArray:
        """Return the places as one column."""
        codes = self.levels.get_indexer(pd.Index(column))
        places = np.append(self.places, self.of_unknown)[codes]
        places[column.isna().to_numpy()] = self.of_missing
        return places[:, None]


def _ordered(levels: pd.Index[Any], codes: IntArray, response: FloatArray | None, place_missing: bool) -> EncodedColumn:
    """Rank the levels by their mean response; levels that do not occur count as average."""
    if response is None:
        raise InputError('nominal="ordered" sorts the levels by the response: give `response` to `fit`.')
    average = response.mean(axis=0)
    groups = len(levels) + 1  # the last one: missing and unseen levels
    sizes = np.bincount(codes % groups, minlength=groups).astype(float)
    totals = np.column_stack([np.bincount(codes % groups, column, minlength=groups) for column in response.T])
    if not place_missing:
        totals[-1], sizes[-1] = 0.0, 0.0
    means = np.where(sizes[:, None] > 0, totals / np.maximum(sizes, 1.0)[:, None], average)
    scores = first_component(means - average, sizes)
    places = np.empty(groups)
    places[np.argsort(scores, kind="stable")] = np.arange(groups)
    return PlaceColumn(levels, places[:-1], places[-1] if place_missing else np.nan, places[-1])


def first_component(deviations: FloatArray, weights: FloatArray) -> FloatArray:
    """Project on the direction in which the weighted deviations spread most."""
    if deviations.shape[1] == 1:
        return deviations[:, 0]
    _, vectors = np.linalg.eigh((deviations * weights[:, None]).T @ deviations)
    direction = vectors[:, -1]
    projected: FloatArray = deviations @ (direction * np.sign(direction[np.abs(direction).argmax()]))
    return projected


def is_nominal(column: pd.Series[Any]) -> bool:
    """Return whether an attribute is nominal: categorical, text or bool."""
    return not pd.api.types.is_numeric_dtype(column.dtype) or pd.api.types.is_bool_dtype(column.dtype)


def as_frame(X: Any) -> pd.DataFrame:
    """Return attributes as a DataFrame with text as column names; an array gets the names "0", "1", ...."""
    frame = X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X))
    return frame if all(isinstance(name, str) for name in frame.columns) else frame.rename(columns=str)
