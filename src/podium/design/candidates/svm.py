"""svm: support vector machines, tuned on a grid of cost and kernel width, and what svl, sv2 and svr share with it."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, FloatArray, IntArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Candidate, Classifier, Codes, Mask, Regressor, folds, parameter, splits

Kernel = Literal["radial", "linear", "quadratic"]
Settings: TypeAlias = dict[str, Any]
Part: TypeAlias = Callable[[Mask, Mask], FloatArray]

MATRIX_ROWS = 4000  # learning samples up to this size are tuned on their kernel matrix


@dataclass(kw_only=True, eq=False)
class Machine(Candidate, ABC):
    """Kernel, grid, and the search over it.

    The kernel matrix is computed once per width. Where no support vector is at its bound, a larger cost changes
    nothing, so such fits are not repeated; the outcome is that of the full search.

    Parameters
    ----------
    costs : pair of float
        Smallest and largest exponent of the cost C.
    step : float
        Step between exponents; 1 gives the full grid.
    folds : int
        Folds of the cross-validation.
    iterations : int
        Maximum number of iterations of one fit.
    """

    costs: tuple[float, float] = parameter((-5, 12))
    step: float = parameter(3, above=0)
    folds: int = parameter(10, whole=True, minimum=2)
    iterations: int = parameter(100_000, whole=True, minimum=1)

    scale: ClassVar[bool] = True
    kernel: ClassVar[Kernel] = "radial"
    base: ClassVar[float] = 2.0
    Z: FloatArray = field(init=False, repr=False)

    def settings(self, width: float) -> Settings:
        """Return the kernel as parameters of scikit-learn."""
        if self.kernel == "quadratic":
            return {"kernel": "poly", "degree": 2, "gamma": 1 / self.Z.shape[1], "coef0": 1.0}
        return {"kernel": "linear"} if self.kernel == "linear" else {"kernel": "rbf", "gamma": width}

    def parts(self, width: float) -> tuple[Part, Settings]:
        """Return what machines of this width learn from: parts of the kernel matrix, or rows if it is too large."""
        if len(self.Z) > MATRIX_ROWS:
            return lambda rows, columns: self.Z[rows], self.settings(width)
        from sklearn.metrics.pairwise import pairwise_kernels

        settings = self.settings(width)
        K = pairwise_kernels(self.Z, metric=settings.pop("kernel"), **settings)
        return lambda rows, columns: K[np.ix_(rows, columns)], {"kernel": "precomputed"}

    def grid(self) -> tuple[FloatArray, FloatArray]:
        """Return the costs and the widths to try, in ascending order."""
        return self.powers(self.costs), np.ones(1)

    def powers(self, exponents: tuple[float, float]) -> FloatArray:
        """Return the powers of the base between two exponents."""
        low, high = exponents
        return np.asarray(self.base ** np.arange(low, high + 1e-9, self.step), dtype=np.float64)

    def search(self, y: AnyArray, codes: Codes | None) -> IntArray:
        """Find cost and width with the smallest cross-validated loss, ties going to the smallest; return the folds."""
        fold = folds(len(y), self.folds, self.rng("folds"), codes=codes, rows=self.rows)
        costs, widths = self.grid()
        loss = np.array([self._losses_by_cost(width, y, fold, costs) for width in widths]).T
        at_cost, at_width = np.unravel_index(loss.argmin(), loss.shape)
        self.tuned = {"C": float(costs[at_cost])}
        if self.kernel == "radial":
            self.tuned["gamma"] = float(widths[at_width])
        return fold

    def _losses_by_cost(self, width: float, y: AnyArray, fold: Any, costs: FloatArray) -> FloatArray:
        losses = np.zeros(len(costs))
        part, settings = self.parts(width)
        for learn, held in splits(fold):
            of_fold = np.zeros(len(costs))
            inner, outer = part(learn, learn), part(held, learn)
            for i, cost in enumerate(costs):
                machine = self.fit_machine(inner, y[learn], cost, settings)
                of_fold[i:] = self.held_out_loss(machine, outer, y[held])
                if machine is None or _is_free(machine, cost):
                    break  # the same solution for all larger costs
            losses += of_fold
        return losses

    def final(self, y: AnyArray) -> None:
        """Fit with the chosen cost and width to the whole learning sample; only the support vectors are kept."""
        settings = self.settings(self.width)
        self.machine = self.fit_machine(self.Z, y, self.tuned["C"], settings, warn=True)
        del self.Z

    @property
    def width(self) -> float:
        """The chosen width."""
        return float(self.tuned.get("gamma", 1.0))

    def fit_machine(self, part: FloatArray, y: AnyArray, cost: float, settings: Settings, *, warn: bool = False) -> Any:
        """Fit one machine to rows or to a kernel matrix; None if there is nothing to separate."""
        if len(np.unique(y)) < 2:
            return None
        from sklearn.exceptions import ConvergenceWarning

        with warnings.catch_warnings():
            if not warn:
                warnings.simplefilter("ignore", ConvergenceWarning)
            return self.new_machine(C=cost, max_iter=self.iterations, **settings).fit(part, y)

    @abstractmethod
    def new_machine(self, **settings: Any) -> Any:
        """Return an unfitted machine of scikit-learn."""

    @abstractmethod
    def held_out_loss(self, machine: Any, part: FloatArray, y: AnyArray) -> float:
        """Return the total loss on held-out observations."""


@dataclass(kw_only=True, eq=False)
class Radial(Machine):
    """The kernel exp(-γ |x - x'|²).

    Parameters
    ----------
    widths : pair of float
        Smallest and largest exponent of γ.
    """

    widths: tuple[float, float] = parameter((-10, 5))

    def grid(self) -> tuple[FloatArray, FloatArray]:
        """Return the costs and the widths to try, in ascending order."""
        return self.powers(self.costs), self.powers(self.widths)


@dataclass(kw_only=True, eq=False)
class SupportVectorClassifier(Machine, Classifier):
    """C-classification, one against one for more than two classes.

    Probabilities come from a logistic regression on the decision values of held-out observations (Platt 1999); the
    predicted class is that of the machine.
    """

    def learn(self, X: pd.DataFrame, codes: Codes) -> None:
        """Tune, fit and calibrate."""
        from sklearn.linear_model import LogisticRegression

        self.Z = self.encode(X)
        fold = self.search(codes, codes)
        decisions = np.zeros((len(codes), len(self.classes_)))
        part, settings = self.parts(self.width)
        for learn, held in splits(fold):
            machine = self.fit_machine(part(learn, learn), codes[learn], self.tuned["C"], settings)
            if machine is not None:
                decisions[held] = self._decisions(machine, part(held, learn))
        self.unit = float(decisions.std()) or 1.0
        self.calibration = LogisticRegression().fit(decisions / self.unit, codes)
        self.final(codes)

    def _decisions(self, machine: Any, part: FloatArray) -> FloatArray:
        """Return a decision value per class; a class that the machine has not seen gets the smallest."""
        values = machine.decision_function(part)
        values = np.column_stack([-values, values]) if values.ndim == 1 else values
        decisions = np.repeat(values.min(axis=1, keepdims=True), len(self.classes_), axis=1)
        decisions[:, machine.classes_] = values
        return decisions

    def decide(self, X: pd.DataFrame) -> Codes:
        """Return the class that the machine predicts."""
        decided: Codes = self.machine.predict(self.matrix(X))
        return decided

    def probabilities(self, X: pd.DataFrame) -> FloatArray:
        """Return calibrated probabilities."""
        decisions = self._decisions(self.machine, self.matrix(X))
        calibrated: FloatArray = self.calibration.predict_proba(decisions / self.unit)
        return calibrated

    def new_machine(self, **settings: Any) -> Any:
        """Return an unfitted classification machine."""
        from sklearn.svm import SVC

        return SVC(**settings)

    def held_out_loss(self, machine: Any, part: FloatArray, y: AnyArray) -> float:
        """Count the misclassified."""
        if machine is None:
            return 0.0  # the same for the whole grid
        return float((machine.predict(part) != y).sum())


@dataclass(kw_only=True, eq=False)
class RadialClassifier(Radial, SupportVectorClassifier):
    """Radial kernel; costs and widths are powers of 2."""


@dataclass(kw_only=True, eq=False)
class RadialRegressor(Radial, Regressor):
    """ε-regression of the standardised response with a radial kernel; costs and widths are powers of 2.

    Parameters
    ----------
    epsilon : float
        Errors up to this size cost nothing, in standard deviations of the response.
    """

    costs: tuple[float, float] = parameter((-5, 7))
    epsilon: float = parameter(0.1, minimum=0)

    def learn(self, X: pd.DataFrame, y: FloatArray) -> None:
        """Tune and fit."""
        self.centre, self.spread = float(y.mean()), float(y.std())
        self.Z = self.encode(X)
        standardised = (y - self.centre) / self.spread
        self.search(standardised, None)
        self.final(standardised)

    def respond(self, X: pd.DataFrame) -> FloatArray:
        """Return the predicted response."""
        standardised: FloatArray = self.machine.predict(self.matrix(X))
        return standardised * self.spread + self.centre

    def new_machine(self, **settings: Any) -> Any:
        """Return an unfitted regression machine."""
        from sklearn.svm import SVR

        return SVR(epsilon=self.epsilon, **settings)

    def held_out_loss(self, machine: Any, part: FloatArray, y: FloatArray) -> float:
        """Add up the squared errors."""
        return float(((machine.predict(part) - y) ** 2).sum()) if machine is not None else 0.0


def _is_free(machine: Any, cost: float) -> bool:
    """Return whether no support vector has reached its bound, so that a higher one would change nothing."""
    largest = np.abs(machine.dual_coef_).max(initial=0.0)
    return bool(machine.fit_status_ == 0 and largest < cost * (1 - 1e-9))


SVM = NamedCandidate(
    "svm",
    "support vector machine with radial kernel",
    {"classification": RadialClassifier, "regression": RadialRegressor},
    rule="C between 2^-5 and 2^12 (regression: 2^7) and γ between 2^-10 and 2^5, in steps of 2^3, by 10-fold "
    "cross-validation",
)
