"""`archetypes`: fits for several numbers of archetypes."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
from sklearn.base import clone

from podium.analysis.archetypes.estimator import ArchetypalAnalysis, FamilyName, MissingCells
from podium.analysis.archetypes.family import Family, LossName, Scaling, Start
from podium.analysis.archetypes.path import ArchetypePath
from podium.analysis.archetypes.restarts import check_number, finish, run_restarts
from podium.analysis.archetypes.solution import Solution
from podium.analysis.archetypes.starts import StartRule
from podium.checks import check_call, check_count, is_collection, is_whole
from podium.errors import InputError
from podium.progress import Progress, ProgressMode

DEFAULT_NUMBERS = range(1, 11)


@check_call
def archetypes(
    X: Any,
    k: Any = DEFAULT_NUMBERS,
    *,
    sample_weight: npt.ArrayLike | None = None,
    family: FamilyName | Family = "classical",
    loss: LossName | None = None,
    start: Start | StartRule | None = None,
    scaling: Scaling | None = None,
    n_init: int | None = None,
    seed: int = 0,
    missing: MissingCells = "raise",
    tol: float = 1e-7,
    max_iter: int = 1000,
    workers: int | None = None,
    progress: ProgressMode | Progress = "auto",
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
    family, loss, start, scaling, n_init, seed, missing, tol, max_iter, workers, progress
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
    numbers = numbers_of(k)
    model = ArchetypalAnalysis(
        numbers[-1],
        family=family,
        loss=loss,
        start=start,
        scaling=scaling,
        n_init=n_init,
        random_state=seed,
        missing=missing,
        tol=tol,
        max_iter=max_iter,
        workers=workers,
        progress=progress,
    )
    table = model._prepare(X, sample_weight)
    if isinstance(k, range) and k == DEFAULT_NUMBERS:
        numbers = [number for number in numbers if number <= max(table.distinct, 1)]
    check_number(table, numbers[-1])
    found = run_restarts(table, numbers, workers, progress)
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


def numbers_of(k: Any) -> list[int]:
    """Return numbers of archetypes, given as one or several, ascending."""
    given = [k] if is_whole(k) else list(k) if is_collection(k) else [k]
    if not given:
        raise InputError("`k` must hold at least one number of archetypes; got none.", path=("k",))
    for number in given:
        check_count(number, "k")
    return sorted({int(number) for number in given})
