"""`ArchetypalAnalysis`: archetypes of a table, as an estimator of scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from podium.analysis.archetypes.descent import coefficients_of_observed
from podium.analysis.archetypes.family import Family, LossName, Scaling, Start, find_family
from podium.analysis.archetypes.observations import check_reach, check_values, check_weights
from podium.analysis.archetypes.restarts import PreparedTable, check_number, finish, prepare, run_restarts
from podium.analysis.archetypes.simplex import simplex_least_squares
from podium.analysis.archetypes.solution import Solution
from podium.analysis.archetypes.starts import StartRule
from podium.arrays import FloatArray, ObjectArray
from podium.checks import check_call, check_choice, check_count, describe, is_number, shown
from podium.errors import InputError
from podium.progress import Progress, ProgressMode, check_progress

FamilyName: TypeAlias = Literal["classical", "weighted", "robust"]
MissingCells: TypeAlias = Literal["raise", "available"]


@check_call
class ArchetypalAnalysis(TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Archetypal analysis: a few extreme points of which all observations are mixtures.

    Archetypes Z are convex combinations of the observations, and the observations are approximated by convex
    combinations of the archetypes, so that the residual sum of squares of the standardised data is least.

    Parameters
    ----------
    n_archetypes : int, default 3
        Number of archetypes.
    family : {"classical", "weighted", "robust"} or podium.archetypal.Family, default "classical"
        The variant of the problem. ``"weighted"`` moves observations towards the centre by the weights given to `fit`;
        ``"robust"`` weights residuals by their length, and so finds the outliers.
    loss : {"bisquare", "huber", "welsch"}, optional
        The loss of a robust family; by default that of the family, the bisquare.
    start : {"furthest-sum", "hull", "inner", "random"} or callable, optional
        Where restarts begin; by default as in the family: ``"furthest-sum"``, or ``"inner"`` if it is robust.
    scaling : {"standard", "robust", "none"}, optional
        How variables are scaled; by default as in the family, by mean and standard deviation.
    n_init : int, optional
        Number of starts, of which the best solution is kept; by default that of the family: 10, or 20 if it is robust.
    random_state : int, RandomState or None, default 0
        Other functions of podium call it `seed`; this is scikit-learn's name, with its meaning.
    missing : {"raise", "available"}, default "raise"
        What happens to missing cells: an error, or they are left out of the loss. Archetypes are then combinations of
        the complete rows.
    tol : float, default 1e-7
        The descent ends when an iteration reduces the criterion by less than this, relative to it.
    max_iter : int, default 1000
        Largest number of iterations from a start to its solution.
    workers : int, optional
        Number of processes for the restarts; by default one per core where the work is worth it. The solution does
        not depend on it.
    progress : {"auto", "bar", "log", "quiet"} or object, default "quiet"
        What counts the restarts. ``"auto"``: a bar in a terminal or a notebook, if it takes more than two seconds.
        Your own object has the methods `update` and `close`.

    Attributes
    ----------
    archetypes_ : ndarray of shape (n_archetypes, n_features)
        In the units of the data; in the order of the mean of their standardised values, lowest first.
    coefficients_ : ndarray of shape (n_samples, n_archetypes)
        How much each archetype contributes to each observation (α): not negative, with rows that sum to one.
    data_weights_ : ndarray of shape (n_samples, n_archetypes)
        How much each observation contributes to each archetype (β): not negative, with columns that sum to one.
    rss_ : float
        Residual sum of squares (Frobenius norm) of the standardised data.
    explained_ : float
        Share of the sum of squares that the archetypes explain; 0 where the mean would be a better approximation, as
        can happen with one archetype of a robust family, or of data with missing cells.
    spectral_rss_ : float
        What R's package archetypes calls RSS: the largest singular value of the residuals, divided by n.
    criterion_ : float
        What the family has minimised.
    robust_weights_ : ndarray of shape (n_samples,)
        Weights of the observations, 0 to 1; all 1 without a robust loss.
    n_iter_ : int
        Number of iterations of the best restart; of a robust family, how often weights were computed.
    history_ : ndarray of float
        The criterion after each of them; it never increases.
    solution_ : podium.archetypal.Solution
        All of this with names, and what figures need.

    References
    ----------
    A. Cutler, L. Breiman (1994). Archetypal analysis. Technometrics 36, 338–347.
    M. J. A. Eugster, F. Leisch (2011). Weighted and robust archetypal analysis. Computational Statistics & Data
    Analysis 55, 1215–1225.

    Examples
    --------
    >>> import numpy as np, podium
    >>> generator = np.random.default_rng(1)
    >>> corners = np.array([[0, 0], [4, 0], [0, 4]])
    >>> X = generator.dirichlet([0.3, 0.3, 0.3], 200) @ corners
    >>> aa = podium.ArchetypalAnalysis(n_archetypes=3).fit(X)
    >>> aa.archetypes_.round(1) + 0
    array([[0., 0.],
           [0., 4.],
           [4., 0.]])
    >>> aa.transform([[1, 1]]).round(2)
    array([[0.5 , 0.25, 0.25]])
    """

    def __init__(
        self,
        n_archetypes: int = 3,
        *,
        family: FamilyName | Family = "classical",
        loss: LossName | None = None,
        start: Start | StartRule | None = None,
        scaling: Scaling | None = None,
        n_init: int | None = None,
        random_state: int | np.random.RandomState | None = 0,
        missing: MissingCells = "raise",
        tol: float = 1e-7,
        max_iter: int = 1000,
        workers: int | None = None,
        progress: ProgressMode | Progress = "quiet",
    ) -> None:
        self.n_archetypes = n_archetypes
        self.family = family
        self.loss = loss
        self.start = start
        self.scaling = scaling
        self.n_init = n_init
        self.random_state = random_state
        self.missing = missing
        self.tol = tol
        self.max_iter = max_iter
        self.workers = workers
        self.progress = progress

    def fit(self, X: Any, y: Any = None, sample_weight: npt.ArrayLike | None = None) -> ArchetypalAnalysis:
        """Find the archetypes of a table.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A DataFrame keeps its names.
        y : ignored
        sample_weight : array-like of shape (n_samples,), optional
            Weights of the squared residuals: a weight of two is the same as two equal rows, a row of weight zero is
            left out. The family ``"weighted"`` moves observations towards the centre by their weights instead, relative
            to the largest; it also takes a square matrix W, and finds the archetypes of W X.

        Returns
        -------
        ArchetypalAnalysis
        """
        check_count(self.n_archetypes, "n_archetypes")
        table = self._prepare(X, sample_weight)
        check_number(table, self.n_archetypes, "n_archetypes")
        found = run_restarts(table, [self.n_archetypes], self.workers, self.progress)
        return self._keep(finish(table, self.n_archetypes, found[self.n_archetypes]))

    def fit_transform(self, X: Any, y: Any = None, sample_weight: npt.ArrayLike | None = None) -> Any:
        """Find the archetypes of a table, and return its coefficients."""
        return self.fit(X, y, sample_weight=sample_weight).transform(X)

    def transform(self, X: Any) -> Any:
        """Return the coefficients of observations: their best approximation by the archetypes.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_archetypes)
            Not negative, with rows that sum to one.
        """
        check_is_fitted(self)
        scaled = self._scaled(X)
        archetypes = self.solution_.scale.scaled(self.archetypes_)
        observed = ~np.isnan(scaled)
        if observed.all():
            return simplex_least_squares(archetypes, scaled)
        return coefficients_of_observed(archetypes, np.where(observed, scaled, 0.0), observed)

    def inverse_transform(self, X: Any) -> FloatArray:
        """Return the observations that coefficients stand for, in the units of the data.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_archetypes)
            Coefficients.
        """
        check_is_fitted(self)
        try:
            coefficients = np.asarray(X, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"`X` must hold coefficients, which are numbers; got {describe(X)}.") from None
        if coefficients.ndim != 2 or coefficients.shape[1] != len(self.archetypes_):
            raise InputError(
                f"`X` must have one column for each of the {len(self.archetypes_)} archetypes; "
                f"got an array of shape {coefficients.shape}."
            )
        return coefficients @ self.archetypes_

    def score(self, X: Any, y: Any = None) -> float:
        """Return the share of the sum of squares of these observations that the archetypes explain.

        It is at most 1, and below 0 if the mean of the observations would be a better approximation.
        """
        coefficients = np.asarray(self.transform(X))
        scaled = self._scaled(X)
        residuals = scaled - coefficients @ self.solution_.scale.scaled(self.archetypes_)
        seen = np.maximum((~np.isnan(scaled)).sum(axis=0), 1)
        total = np.nansum((scaled - np.nansum(scaled, axis=0) / seen) ** 2)
        left = np.nansum(residuals**2)
        return float(1 - left / total) if total > 0 else float(left == 0)

    def get_feature_names_out(self, input_features: Iterable[str] | None = None) -> ObjectArray:
        """Return the names of the archetypes: A1, A2 and so on."""
        check_is_fitted(self)
        return np.array(self.solution_.names, dtype=object)

    def outliers(self, below: float = 0.1) -> pd.DataFrame:
        """Return the observations with a robust weight smaller than this, smallest first."""
        check_is_fitted(self)
        return self.solution_.outliers(below)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "solution_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        tags.input_tags.allow_nan = self.missing == "available"
        return tags

    def _values(self, X: Any, *, reset: bool) -> FloatArray:
        available = self.missing == "available"
        check_values(X, missing=available, fitting=reset)
        try:
            found = validate_data(
                self,
                X,
                reset=reset,
                dtype=np.float64,
                order="C",
                ensure_all_finite="allow-nan" if available else True,
                ensure_min_samples=2 if reset else 1,
            )
        except (TypeError, ValueError) as error:
            raise InputError(f"`X`: {error}", path=("X",)) from None
        return np.asarray(found)

    def _scaled(self, X: Any) -> FloatArray:
        """Observations in the scale of the fit."""
        scaled = self.solution_.scale.scaled(self._values(X, reset=False))
        return check_reach(scaled, self.solution_.columns)

    def _prepare(self, X: Any, sample_weight: Any) -> PreparedTable:
        family = self._family()
        check_count(self.max_iter, "max_iter")
        check_choice(self.missing, ("raise", "available"), "missing")
        check_progress(self.progress)
        if self.workers is not None:
            check_count(self.workers, "workers")
        if not is_number(self.tol) or not 0 < self.tol < 1:
            raise InputError(f"`tol` must be a number between 0 and 1; got {shown(self.tol)}.", path=("tol",))
        values = self._values(X, reset=True)
        weights = None if sample_weight is None else check_weights(sample_weight, len(values), matrix=family.shrink)
        index = X.index if isinstance(X, pd.DataFrame) else pd.RangeIndex(len(values))
        names: list[Any]
        if isinstance(X, pd.DataFrame):
            names = list(X.columns)  # scikit-learn keeps text only, not the years 2001, 2002 and so on
        else:
            names = list(getattr(self, "feature_names_in_", [f"x{j + 1}" for j in range(values.shape[1])]))
        return prepare(
            values,
            [" ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in names],
            index,
            family,
            weights,
            seed=self._seed(),
            tol=float(self.tol),
            most=int(self.max_iter),
        )

    def _seed(self) -> int:
        if isinstance(self.random_state, np.random.RandomState) or self.random_state is None:
            return int(check_random_state(self.random_state).randint(2**31))
        check_count(self.random_state, "random_state", least=0, most=2**128 - 1)
        return int(self.random_state)

    def _family(self) -> Family:
        family = find_family(self.family)
        given: dict[str, Any] = {
            name: value
            for name, value in (
                ("start", self.start),
                ("scaling", self.scaling),
                ("loss", self.loss),
                ("n_init", self.n_init),
            )
            if value is not None
        }
        if "loss" in given and not family.robust:
            raise InputError(f"`loss={self.loss!r}` needs family='robust'; otherwise leave it out.", path=("loss",))
        return replace(family, **given) if given else family

    def _keep(self, solution: Solution) -> ArchetypalAnalysis:
        self.solution_ = solution
        self.archetypes_ = solution.prototypes
        self.coefficients_ = solution.coefficients
        self.data_weights_ = solution.data_weights
        self.rss_ = solution.rss
        self.explained_ = solution.explained
        self.spectral_rss_ = solution.spectral_rss
        self.criterion_ = solution.criterion
        self.robust_weights_ = solution.weights
        self.history_ = solution.history
        self.n_iter_ = len(solution.history)
        return self
