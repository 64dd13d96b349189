"""A model whose attributes are encoded before it sees them."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.arrays import FloatArray
from podium.setup.encoding import Encoder, Nominal

LOOKING_AT_ATTRIBUTES = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "transform",
    "score_samples",
)


class Encoded:
    """Any object with `fit`, behind an encoder that is fitted to the same learning sample.

    Parameters
    ----------
    model : object
        The model; it has `fit`.
    nominal : {"one-hot", "treatment", "ordered", "codes"}
        See `podium.setup.encoding.Encoder`. Missing values are filled.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.svm import SVC
    >>> from podium.setup.encoded import Encoded
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
            raise AttributeError(name)  # not there yet, when an object is copied
        found = getattr(self.model, name)
        if name not in LOOKING_AT_ATTRIBUTES:
            return found

        def answer(X: Any) -> Any:
            return found(self.encoder.transform(X))

        answer.__name__ = name  # scikit-learn's scorers look at it
        return answer


def response_columns(y: Any) -> FloatArray:
    """Return a response as columns of numbers: itself, or a 0/1 column per class."""
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return values.astype(float)[:, None]
    classes = np.unique(values.astype(str))
    columns: FloatArray = (values.astype(str)[:, None] == classes).astype(float)
    return columns
