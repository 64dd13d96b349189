"""Characteristics of learning samples: computed in a run, or read from a warehouse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.checks import check_call, shown
from podium.design.characteristics.characterize import characterize_data
from podium.design.characteristics.recorded import characteristics_experiment
from podium.design.characteristics.reductions import Reduction
from podium.design.characteristics.selection import Chosen
from podium.design.dataset import Dataset
from podium.design.experiment import Experiment
from podium.design.sample import Sample, Task
from podium.errors import InputError
from podium.results import Results
from podium.running.design import Agreement
from podium.running.plan import Plan, plan_trials
from podium.store.cube import design_of_characteristics
from podium.store.location import is_warehouse
from podium.store.record import TrialStatus
from podium.store.warehouse import Warehouse, opened


def planned_characteristics(
    experiment: Experiment, warehouse: Warehouse, agreement: Agreement, retry: Sequence[TrialStatus]
) -> tuple[Experiment, Plan, Agreement]:
    """Plan the characteristics of the learning samples with a trial in the warehouse: as trials of an experiment."""
    described = characteristics_experiment(experiment)
    document = design_of_characteristics(agreement.document)
    tried = np.asarray((warehouse.status_codes(agreement.document) > 0).any(axis=2), bool)[:, :, None]
    plan = plan_trials(described, warehouse, document, retry, without=~tried)
    return described, plan, Agreement(document=document, earlier=(), problems=())


@check_call
def characterize(
    data: pd.DataFrame | Dataset | Sample | Experiment | Sequence[Dataset | str] | Results | Warehouse | str | Path,
    target: str | None = None,
    *,
    task: Task | None = None,
    characteristics: Chosen | None = None,
    reduce: Reduction | None = None,
    seed: int = 0,
) -> pd.Series | pd.DataFrame:
    """Compute characteristics of a data set, or of the learning samples of an experiment.

    Parameters
    ----------
    data : DataFrame, Dataset, name of a data set, Sample, sequence of data sets, Experiment, Warehouse or Results
        An experiment gives one row for each learning sample; test samples are never used. A warehouse, given as a
        `Warehouse` or its file, and results read from one have the characteristics that the run kept.
    target : str, optional
        The column of a frame that is the response; without it only the inputs are described.
    task : {"classification", "regression", "unsupervised"}, optional
        Recognised from the response by default.
    characteristics : str, Characteristic, mapping, or a sequence of these, optional
        ``"statlog"``, the default: the sixteen of the StatLog project; ``"landmarks"``: errors of simple algorithms;
        ``"extended"``: all that podium has; or names. Your own are `Characteristic` objects, or a mapping from names
        to pairs ``(map, reduce)``. An experiment that names characteristics has these by default.
    reduce : str or callable, optional
        A reduction for all characteristics that have a value for each variable, such as ``"quantiles"`` or
        ``podium.design.histogram([-2, 0, 2])``; by default each has its own, mostly the mean.
    seed : int, default 0
        Seed for landmarks.

    Returns
    -------
    Series or DataFrame
        A Series for one data set. A frame for several: one row per data set, or per data set and replication. What
        cannot be computed is NaN; ``.attrs["reasons"]`` says why. Variables without a value (the skewness of a
        constant) are left out of a reduction.

    Notes
    -----
    Entropies are in bits. Numeric columns are continuous, all others nominal. Levels and classes are those that a
    categorical column declares. Missing values are left out: pairwise for mutual information, observations with any
    missing numeric input for correlations.

    References
    ----------
    R. D. King, C. Feng, A. Sutherland (1995). Applied Artificial Intelligence 9, 289–333. — M. J. A. Eugster (2011).
    Benchmark Experiments. Dissertation, LMU Munich, section 5.2, table 5.1.

    Examples
    --------
    >>> import podium
    >>> found = podium.characterize("iris")
    >>> found[["obs.n", "cvar.n", "resp.entropy", "i2r.fcc"]].round(3).to_dict()
    {'obs.n': 150.0, 'cvar.n': 4.0, 'resp.entropy': 1.585, 'i2r.fcc': 0.985}
    """
    if isinstance(data, Results | Warehouse | Path) or _is_file(data):
        if seed != 0 or any(option is not None for option in (target, task, characteristics, reduce)):
            raise InputError("A warehouse has only what its run kept; for more, use podium.characterize(experiment).")
        return _from_warehouse(data)  # type: ignore[arg-type]
    if isinstance(data, str) and is_warehouse(data):
        raise InputError(f"`data` names a warehouse that does not exist: {shown(data)}.")
    if characteristics is None:
        named = data.characteristics if isinstance(data, Experiment) else ()
        characteristics = named or "statlog"
    chosen: dict[str, Any] = {"characteristics": characteristics, "reduce": reduce, "seed": seed}
    return characterize_data(data, target, task=task, **chosen)


def _is_file(data: object) -> bool:
    return isinstance(data, str) and ("://" in data or Path(data).is_file())


def _from_warehouse(data: Results | Warehouse | str | Path) -> pd.DataFrame:
    where = data.warehouse if isinstance(data, Results) else data
    if not where:
        raise InputError(
            "These results do not say which data sets are behind them: they were not read from a warehouse, or it "
            "was in memory. "
            "Use podium.characterize(experiment), or run into a file: podium.run(experiment, 'file.db')."
        )
    with opened(where, readonly=True) as store:
        table = store.characteristics()
    return _only(table, data) if isinstance(data, Results) else table


def _only(table: pd.DataFrame, results: Results) -> pd.DataFrame:
    """Keep the rows of the data sets and replications of some results."""
    m, b = np.nonzero(results.design)
    wanted = {(results.datasets[i], results.replications[j]) for i, j in zip(m, b, strict=True)}
    kept = table[[key in wanted for key in table.index]]
    if not len(kept):
        raise InputError("The results have other data sets or replications than the warehouse they were read from.")
    kept.attrs["reasons"] = {key: why for key, why in table.attrs["reasons"].items() if key in wanted}
    return kept
