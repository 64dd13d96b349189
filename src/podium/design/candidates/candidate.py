"""`Candidate`: a model that tunes itself inside its fit, and what all candidates share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, BoolArray, FloatArray, IntArray
from podium.design.encoding import Encoder, Nominal, as_frame
from podium.design.parameter import Parameter
from podium.design.seeds import rng_for, seed_for
from podium.errors import InputError

Codes: TypeAlias = IntArray


def parameter(default: Any, **limits: Any) -> Any:
    """Declare a hyperparameter of a candidate as a field of its class; `limits` are those of a `Parameter`."""
    return field(default=default, metadata={"parameter": Parameter(default=default, **limits)})


@dataclass(kw_only=True, eq=False)
class Candidate:
    """A model with tuning inside its fit.

    Parameters
    ----------
    seed : int
        All randomness comes from it.
    rows : array, optional
        Which observation of the data set each row of the learning sample is. Copies of one observation, as in a
        bootstrap sample, then fall into the same fold when the fit cross-validates; in different folds they would
        reward overfitting.

    Attributes
    ----------
    tuned : dict
        The hyperparameters that the fit chose.
    """

    seed: int = 0
    rows: AnyArray | None = field(default=None, repr=False)
    tuned: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    nominal: ClassVar[Nominal] = "one-hot"
    impute: ClassVar[bool] = True
    scale: ClassVar[bool] = False

    @classmethod
    def parameters(cls) -> dict[str, Parameter]:
        """Return the hyperparameters."""
        return {f.name: f.metadata["parameter"] for f in fields(cls) if "parameter" in f.metadata}

    def rng(self, *purpose: str | int) -> np.random.Generator:
        """Return a random generator for one purpose."""
        return rng_for(self.seed, *purpose)

    def random_state(self, *purpose: str | int) -> int:
        """Return a seed for scikit-learn."""
        return seed_for(self.seed, *purpose) % 2**32

    def new_encoder(self) -> Encoder:
        """Return an encoder as the method needs it."""
        return Encoder(nominal=self.nominal, impute=self.impute, scale=self.scale)

    def encode(self, X: pd.DataFrame, response: FloatArray | None = None) -> FloatArray:
        """Fit the encoder of the final model and return the learning sample as a matrix."""
        self.encoder = self.new_encoder().fit(X, response)
        return self.matrix(X)

    def matrix(self, X: pd.DataFrame) -> FloatArray:
        """Return observations as a matrix of at least one column."""
        matrix = self.encoder.transform(X)
        return matrix if matrix.shape[1] else np.zeros((len(matrix), 1))

    def _check(self, X: pd.DataFrame, y: Any) -> None:
        if len(y) != len(X):
            raise InputError(f"`y` has {len(y)} entries for {len(X)} observations.")
        if self.rows is not None and len(self.rows) != len(X):
            raise InputError(f"`rows` has {len(self.rows)} entries for {len(X)} observations.")

    def _tags(self, kind: str) -> Any:
        """Tell scikit-learn's scorers what kind of model this is."""
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
        )


class Classifier(Candidate):
    """A candidate that predicts classes.

    Subclasses learn from the classes of the learning sample, numbered 0 to G - 1, at least two. Where the learning
    sample has only one class, every candidate predicts it.
    """

    _estimator_type = "classifier"

    def fit(self, X: Any, y: Any) -> Classifier:
        """Learn from observations and their classes."""
        frame = as_frame(X)
        self._check(frame, y)
        self.classes_, codes = numbered(y)
        self.tuned = {}
        if len(self.classes_) > 1:
            with one_thread():
                self.learn(frame, codes)
        self.rows = None  # not part of the model
        return self

    def predict(self, X: Any) -> AnyArray:
        """Predict the class of each observation."""
        frame = as_frame(X)
        codes = np.zeros(len(frame), dtype=np.intp) if len(self.classes_) == 1 else self.decide(frame)
        return self.classes_[codes]

    def predict_proba(self, X: Any) -> FloatArray:
        """Predict the probability of each class in ``classes_``."""
        frame = as_frame(X)
        return np.ones((len(frame), 1)) if len(self.classes_) == 1 else self.probabilities(frame)

    def decide(self, X: pd.DataFrame) -> Codes:
        """Return the number of the predicted class: the most probable one; ties go to the first."""
        decided: Codes = self.probabilities(X).argmax(axis=1)
        return decided

    @abstractmethod
    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Tune and fit."""

    @abstractmethod
    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return the probability of each class."""

    def __sklearn_tags__(self) -> Any:
        return self._tags("classifier")


class Regressor(Candidate):
    """A candidate that predicts numbers.

    Where the response of the learning sample is constant, every candidate predicts that constant.
    """

    _estimator_type = "regressor"

    def fit(self, X: Any, y: Any) -> Regressor:
        """Learn from observations and their responses."""
        frame = as_frame(X)
        self._check(frame, y)
        self.tuned = {}
        response = np.asarray(y, dtype=float)
        self.constant = float(response[0]) if (response == response[0]).all() else None
        if self.constant is None:
            with one_thread():
                self.learn(frame, response)
        self.rows = None  # not part of the model
        return self

    def predict(self, X: Any) -> FloatArray:
        """Predict the response of each observation."""
        frame = as_frame(X)
        return self.respond(frame) if self.constant is None else np.full(len(frame), self.constant)

    @abstractmethod
    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Tune and fit."""

    @abstractmethod
    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the predicted response."""

    def __sklearn_tags__(self) -> Any:
        return self._tags("regressor")


def one_thread() -> AbstractContextManager[Any]:
    """Keep linear algebra in one thread: the matrices of a fit are small, and more threads wait for each other."""
    limited: AbstractContextManager[Any] = _thread_controller().limit(limits=1, user_api="blas")
    return limited


@cache  # finding the libraries takes longer than many fits
def _thread_controller() -> Any:
    import scipy.linalg  # noqa: F401, only loaded libraries are found
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # scikit-learn depends on it

    return ThreadpoolController()


def numbered(y: Any) -> tuple[AnyArray, Codes]:
    """Return the classes that occur, in order, and the number of each observation's class."""
    values = pd.Categorical(y).remove_unused_categories()
    return values.categories.to_numpy(), np.asarray(values.codes, dtype=np.intp)


def one_hot(codes: Codes, classes: int) -> FloatArray:
    """Return a 0/1 column per class."""
    columns: FloatArray = (codes[:, None] == np.arange(classes)).astype(float)
    return columns


def softmax(logits: FloatArray) -> FloatArray:
    """Turn each row into probabilities."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: FloatArray = shifted / shifted.sum(axis=1, keepdims=True)
    return probabilities


Mask = BoolArray


def folds(
    n: int,
    k: int,
    rng: np.random.Generator,
    *,
    codes: Codes | None = None,
    rows: AnyArray | None = None,
) -> IntArray:
    """Deal observations into k folds: equal sizes, equal shares of each class, copies of one observation together.

    Parameters
    ----------
    n : int
        Number of observations.
    k : int
        Number of folds; at most the number of observations.
    rng : Generator
    codes : array, optional
        Class of each observation; each fold gets its share of each class.
    rows : array, optional
        Identity of each observation; equal ones fall into the same fold.

    Returns
    -------
    array of int
        Number of the fold of each observation.

    Examples
    --------
    >>> import numpy as np
    >>> fold = folds(6, 3, np.random.default_rng(1), codes=np.array([0, 0, 0, 1, 1, 1]))
    >>> sorted(fold[:3]), sorted(fold[3:])
    ([np.int64(0), np.int64(1), np.int64(2)], [np.int64(0), np.int64(1), np.int64(2)])
    """
    identity = np.arange(n) if rows is None else rows
    _, first, unit = np.unique(identity, return_index=True, return_inverse=True)
    order = rng.permutation(len(first))
    if codes is not None:
        order = order[np.argsort(codes[first][order], kind="stable")]
    fold = np.empty(len(first), dtype=np.intp)
    fold[order] = np.arange(len(first)) % min(k, len(first))
    return fold[unit]


def splits(fold: IntArray) -> Iterator[tuple[Mask, Mask]]:
    """Yield which observations each fold learns from and which it holds out; nothing for a single fold."""
    for number in range(fold.max() + 1 if fold.max() > 0 else 0):
        held = fold == number
        yield ~held, held
