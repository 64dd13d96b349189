"""Characteristics of data in memory: frames, data sets, and the learning samples of an experiment."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import pandas as pd

from podium.checks import check_choice, check_seed, describe, did_you_mean, shown
from podium.design.characteristics.characteristic import Characteristic
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.reductions import Reduction, check_reduction
from podium.design.characteristics.selection import Chosen, chosen_characteristics, described
from podium.design.dataset import Dataset
from podium.design.experiment import Experiment
from podium.design.sample import TASKS, Sample, Task
from podium.design.sources.frame import recognised_task
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names


def characterize_data(
    data: str | pd.DataFrame | Dataset | Sample | Experiment | Sequence[Dataset | str],
    target: str | None = None,
    *,
    task: Task | None = None,
    characteristics: Chosen = "statlog",
    reduce: Reduction | None = None,
    seed: int = 0,
) -> pd.Series | pd.DataFrame:
    """Do what `podium.characterize` does, for everything but warehouses and results."""
    chosen = chosen_characteristics(characteristics)
    if reduce is not None:
        check_reduction(reduce, "reduce")
    if task is not None:
        check_choice(task, TASKS, "task")
    check_seed(seed)
    data = [_by_name(one) for one in data] if isinstance(data, list | tuple) else _by_name(data)
    if not isinstance(data, pd.DataFrame) and (target is not None or (task and not isinstance(data, Sample))):
        raise InputError("`target` and `task` belong to a DataFrame; this data set knows its own.")
    if isinstance(data, Experiment):
        return _samples(data, chosen, reduce, seed)
    if isinstance(data, list | tuple) and not data:
        raise InputError("`data` has no data sets: the sequence is empty.")
    if isinstance(data, list | tuple) and all(isinstance(one, Dataset) for one in data):
        return _table({one.name: described(_of_dataset(one, seed), chosen, reduce) for one in data}, ["dataset"])
    values, reasons = described(_view(data, target, task, seed), chosen, reduce)
    found = pd.Series(values, dtype=float, name=data.name if isinstance(data, Dataset) else None)
    found.attrs["reasons"] = reasons
    return found


def _by_name(data: Any) -> Any:
    return Dataset.named(data) if isinstance(data, str) else data


def _view(data: Any, target: str | None, task: Task | None, seed: int) -> DataView:
    if isinstance(data, Dataset):
        return _of_dataset(data, seed)
    if isinstance(data, Sample):
        return DataView(X=data.X, y=data.y, task=task or _task_of(data.y, "The response"), seed=seed)
    if not isinstance(data, pd.DataFrame):
        raise InputError(
            f"`data` must be a DataFrame, a Dataset, the name of one or an Experiment; got {describe(data)}."
        )
    if target is None:
        if task not in (None, "unsupervised"):
            raise AmbiguousInputError(f"Which column is the response? Name it with `target`, one of {_some(data)}.")
        return DataView(X=data, task="unsupervised", seed=seed)
    if not isinstance(target, Hashable) or target not in data.columns:
        hint = did_you_mean(target, data.columns) or f" It has {_some(data)}."
        raise LabelError(f"`data` has no column {shown(target)}, named by `target`.{hint}", path=("target",))
    if list(data.columns).count(target) > 1:
        raise LabelError(f"`data` has the column {target!r} twice. Rename or remove one of them.")
    X, y = data.drop(columns=target), data[target]
    return DataView(X=X, y=y, task=task or _task_of(y, f"The response {target!r}"), seed=seed)


def _some(frame: pd.DataFrame) -> str:
    return join_names(list(map(str, frame.columns)), most=12)


def _task_of(y: pd.Series | None, noun: str) -> Task:
    return "unsupervised" if y is None else recognised_task(y, noun)[0]


def _of_dataset(data: Dataset, seed: int) -> DataView:
    return DataView(X=data.X, y=data.y, task=data.task, seed=seed)


def _samples(
    experiment: Experiment, chosen: Sequence[Characteristic], reduce: Reduction | None, seed: int
) -> pd.DataFrame:
    """Characteristics of all learning samples."""
    found = {}
    for problem in experiment.datasets:
        for replication in range(1, experiment.resampling.replications + 1):
            learn, _ = experiment.samples(problem.name, replication)
            view = DataView(X=learn.X, y=learn.y, task=problem.task, seed=seed)
            found[problem.name, replication] = described(view, chosen, reduce)
    return _table(found, ["dataset", "replication"])


def _table(found: Mapping[Any, tuple[dict[str, float], dict[str, str]]], names: list[str]) -> pd.DataFrame:
    keys = list(found)
    index = pd.Index(keys, name=names[0]) if len(names) == 1 else pd.MultiIndex.from_tuples(keys, names=names)
    table = pd.DataFrame([values for values, _ in found.values()], dtype=float).set_index(index)
    table.attrs["reasons"] = {key: reasons for key, (_, reasons) in found.items() if reasons}
    return table
