"""`archetypes`: solutions for several numbers of archetypes, and where their scree curve bends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy.typing as npt
import pandas as pd
from sklearn.base import clone

from podium.analysis.archetypes.elbow import RULE, elbow_of
from podium.analysis.archetypes.estimator import ArchetypalAnalysis, FamilyName, MissingCells, Progress
from podium.analysis.archetypes.family import Family, LossName, Scaling, Start
from podium.analysis.archetypes.fitting import check_number, finish, run_restarts
from podium.analysis.archetypes.solution import Solution
from podium.analysis.archetypes.starts import StartRule
from podium.checks import check_call, check_count, check_types, holds_several, is_whole
from podium.errors import InputError, LabelError, listing


@check_call
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ArchetypePath:
    """Archetypes of one table for several numbers of archetypes.

    ``path[3]`` is the fitted `ArchetypalAnalysis` with three archetypes.

    Attributes
    ----------
    models : dict of int to ArchetypalAnalysis
        The fitted models, by number of archetypes, ascending.
    rule : str
        How the elbow is found: ``"chord"``.
    """

    _made_from: ClassVar = ((object, "Compute one with podium.archetypes(X)."),)

    models: dict[int, Any]
    rule: str = RULE

    def __post_init__(self) -> None:
        check_types(self)

    @property
    def k(self) -> tuple[int, ...]:
        """Numbers of archetypes."""
        return tuple(self.models)

    @property
    def elbow(self) -> int | None:
        """Number of archetypes at the elbow of the scree curve; None with fewer than three numbers.

        The rule ``"chord"``: the curve of the root of the RSS, which is the norm of the residuals, against k. The elbow
        is where it is furthest below the straight line between its ends; among those within one percent of that
        distance it is the smallest k.
        """
        return elbow_of(self.k, [model.criterion_ for model in self.models.values()])

    @property
    def solution_(self) -> Solution:
        """The solution at the elbow; that with most archetypes where there is none."""
        return self[self.elbow if self.elbow is not None else self.k[-1]].solution_

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """The solutions, by number of archetypes."""
        return tuple(model.solution_ for model in self.models.values())

    def frame(self) -> pd.DataFrame:
        """Scree table: one row per number of archetypes.

        Columns are k, rss, explained (share of the sum of squares), spectral_rss (the figure of R's package
        archetypes), criterion (what the family minimises), iterations, restarts, hits (how many of the restarts came
        within a percent of the best), elbow.
        """
        rows = []
        for k, solution in zip(self.k, self.solutions, strict=True):
            hits = int((solution.restarts <= 1.01 * solution.restarts.min() + 1e-12).sum())
            rows.append(
                {
                    "k": k,
                    **solution.summary(),
                    "iterations": len(solution.history),
                    "restarts": len(solution.restarts),
                    "hits": hits,
                    "elbow": k == self.elbow,
                }
            )
        return pd.DataFrame(rows)

    def __getitem__(self, k: int) -> ArchetypalAnalysis:
        if k not in self.models:
            raise LabelError(f"There is no solution with {k!r} archetypes; there are those with {listing(self.k)}.")
        found: ArchetypalAnalysis = self.models[k]
        return found

    def __len__(self) -> int:
        return len(self.models)

    def __iter__(self) -> Iterator[int]:
        return iter(self.models)

    def __repr__(self) -> str:
        ends = f"k = {self.k[0]}" if len(self) == 1 else f"k = {self.k[0]} … {self.k[-1]}"
        bend = "" if self.elbow is None else f", elbow at {self.elbow} by the rule {self.rule!r}"
        return f"Archetypes for {ends}{bend}"


@check_call
def archetypes(
    X: Any,
    k: Any = range(1, 11),
    *,
    sample_weight: npt.ArrayLike | None = None,
    family: FamilyName | Family = "classical",
    loss: LossName | None = None,
    start: Start | StartRule | None = None,
    scaling: Scaling | None = None,
    restarts: int = 10,
    seed: int = 0,
    missing: MissingCells = "raise",
    tol: float = 1e-7,
    max_iter: int = 1000,
    workers: int | None = None,
    progress: Progress = "auto",
) -> ArchetypePath:
    """Find archetypes for several numbers of them.

    Restarts for all numbers can run in parallel. The solution for each number, with further archetypes, is a start for
    the next, so that the criterion never rises with k.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        A DataFrame keeps its names.
    k : int or iterable of int, default range(1, 11)
        Numbers of archetypes. By default, those beyond the number of different rows are left out.
    sample_weight : array-like of shape (n_samples,), optional
        See `ArchetypalAnalysis.fit`.
    family, loss, start, scaling, restarts, seed, missing, tol, max_iter, workers, progress
        See `ArchetypalAnalysis`.

    Returns
    -------
    ArchetypePath
        Its ``frame()`` is the scree table, ``elbow`` the number at its bend, ``path[3]`` the model with three.

    Examples
    --------
    >>> import numpy as np, podium
    >>> generator = np.random.default_rng(1)
    >>> X = generator.dirichlet([0.3, 0.3, 0.3], 100) @ np.array([[0, 0], [4, 0], [0, 4]])
    >>> path = podium.archetypes(X, k=range(1, 6))
    >>> path
    Archetypes for k = 1 … 5, elbow at 3 by the rule 'chord'
    >>> path[3].archetypes_.shape
    (3, 2)
    """
    numbers = _numbers(k)
    model = ArchetypalAnalysis(
        numbers[-1],
        family=family,
        loss=loss,
        start=start,
        scaling=scaling,
        restarts=restarts,
        seed=seed,
        missing=missing,
        tol=tol,
        max_iter=max_iter,
        workers=workers,
        progress=progress,
    )
    table = model._prepare(X, sample_weight)
    if k == range(1, 11):
        numbers = [number for number in numbers if number <= table.distinct]
    check_number(table, numbers[-1])
    found = run_restarts(table, numbers, restarts, workers, progress)
    models: dict[int, ArchetypalAnalysis] = {}
    before: Solution | None = None
    for number in numbers:
        before = finish(table, number, found[number], before)
        fitted = clone(model).set_params(n_archetypes=number)
        fitted.n_features_in_ = model.n_features_in_
        if hasattr(model, "feature_names_in_"):
            fitted.feature_names_in_ = model.feature_names_in_
        models[number] = fitted._keep(before)
    return ArchetypePath(models=models)


def _numbers(k: Any) -> list[int]:
    given = [k] if is_whole(k) else list(k) if holds_several(k) else [k]
    if not given:
        raise InputError("`k` must hold at least one number of archetypes; got none.")
    for number in given:
        check_count(number, "k")
    return sorted({int(number) for number in given})
