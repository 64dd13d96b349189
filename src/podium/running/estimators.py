"""`compare_estimators`: from estimators and data to a comparison in one call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from podium.analysis.compare import compare
from podium.analysis.comparison import Comparison
from podium.checks import check_call, check_mapping
from podium.design.algorithm import as_algorithm
from podium.design.dataset import Dataset
from podium.design.experiment import Experiment
from podium.design.resampling import CrossValidation
from podium.design.sample import Task
from podium.progress import Progress, ProgressMode
from podium.running.runner import run
from podium.store.warehouse import Warehouse

_MEASURES = {"classification": "misclassification", "regression": "root mean squared error"}


@check_call
def compare_estimators(
    estimators: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    resampling: Any = None,
    measure: Any = None,
    task: Task | None = None,
    name: str = "data",
    seed: int = 0,
    warehouse: str | Path | Warehouse = ":memory:",
    workers: int | None = None,
    progress: ProgressMode | Progress = "auto",
    **options: Any,
) -> Comparison:
    """Run estimators on one data set, all on the same learning samples, and compare them.

    It is `run` and `compare` in one call. What it finds holds for this data set and samples of this size.

    Parameters
    ----------
    estimators : mapping of str to estimator
        Anything that `podium.Algorithm` takes, by name.
    X : DataFrame or array, one row per observation
    y : Series or array
    resampling : name, Resampling, mapping or splitter, optional
        Default: 10-fold cross-validation repeated 10 times, stratified by class.
    measure : name, function, Measure or mapping, optional
        Default: the misclassification or, for regression, the root mean squared error.
    task : {"classification", "regression"}, optional
        By default it is recognised from `y`, see `podium.Dataset`.
    name : str, default "data"
        Name of the data set.
    seed, warehouse, workers, progress : optional
        See `run`; with a file as `warehouse` the call can be interrupted and resumed.
    **options
        Those of `compare`: method, alpha, equivalence, control, ... By default the test is the corrected t test, which
        takes into account that learning samples overlap.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import podium
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> candidates = {"bayes": GaussianNB(), "constant": DummyClassifier()}
    >>> comparison = podium.compare_estimators(candidates, X, y, workers=1, progress="quiet")
    >>> print(comparison.relation())
    bayes < constant
    """
    check_mapping(estimators, "`estimators`")
    data = Dataset(X, y, task=task, name=name)
    if resampling is None:
        resampling = CrossValidation(10, repeats=10, stratify=data.task == "classification")
    experiment = Experiment(
        data,
        [as_algorithm(estimator, name) for name, estimator in estimators.items()],
        resampling,
        _MEASURES.get(data.task) if measure is None else measure,
        seed=seed,
    )
    return compare(run(experiment, warehouse, workers=workers, progress=progress), **options)
