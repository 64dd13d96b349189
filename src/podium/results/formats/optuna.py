"""Trials of optuna: a study, or ``study.trials_dataframe()`` written to a file."""

from __future__ import annotations

from typing import Any

import pandas as pd

from podium.errors import InputError
from podium.results.formats import Format, lacking_columns, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.forms.roles import role_of

_NEEDED = ("number", "state")
_REASONS = {"COMPLETE": "", "FAIL": "failed", "PRUNED": "skipped", "RUNNING": "absent", "WAITING": "absent"}
_KEPT = ("dataset", "algorithm", "replication", "fold", "repeat")


def _is_study(source: Any) -> bool:
    return callable(getattr(source, "trials_dataframe", None)) and hasattr(source, "directions")


def _recognise(source: Any) -> bool:
    if _is_study(source):
        return True
    return not lacking_columns(source, _NEEDED) and bool(_values(source))


def _values(frame: pd.DataFrame) -> list[str]:
    return [name for name in map(str, frame.columns) if name == "value" or name.startswith("values_")]


def _convert(source: Any, arguments: Arguments) -> pd.DataFrame:
    """Read trials: each setting of the parameters is an algorithm, a setting tried again has replications.

    A user attribute called dataset, algorithm, replication, fold or repeat has that role.
    """
    table: pd.DataFrame = source.trials_dataframe() if _is_study(source) else source.mask(source.eq(""))
    parameters = [name for name in table.columns if str(name).startswith("params_")]
    frame = pd.DataFrame(index=table.index)
    for name in table.columns:
        role = role_of(str(name).removeprefix("user_attrs_")) if str(name).startswith("user_attrs_") else None
        if role in _KEPT:
            frame[role] = table[name]
            if table[name].nunique() == 1:  # a trial that failed or was pruned may have ended before it was set
                frame[role] = table[name].dropna().iloc[0]
    if "algorithm" not in frame:
        if not parameters:
            raise InputError("The trials of optuna have no parameters, so nothing names the settings.")
        frame["algorithm"] = [_setting(row) for row in table[parameters].to_dict("records")]
    if not {"replication", "fold", "repeat"} & set(frame):
        within = [name for name in ("dataset", "algorithm") if name in frame]
        frame["replication"] = frame.groupby(within, observed=True).cumcount() + 1
    frame["reason"] = [_REASONS.get(str(state).rpartition(".")[2].upper(), "failed") for state in table["state"]]
    values = _values(table)
    names = _names(values, arguments)
    for column, name in zip(values, names, strict=True):
        frame[name] = table[column].where(frame["reason"] == "")
    if not _is_study(source):
        return frame
    words = [str(getattr(direction, "name", direction)).lower() for direction in source.directions]
    given = zip(names, words, strict=True)
    return with_directions(frame, {name: {"minimize": "lower", "maximize": "higher"}[word] for name, word in given})


def _names(values: list[str], arguments: Arguments) -> list[str]:
    """Name the objectives: as given, or as in the columns; ``value`` alone would mean a long table."""
    wanted = [str(name) for name in arguments.wanted_measures or ()]
    if len(wanted) == len(values):
        return wanted
    return ["objective"] if values == ["value"] else [name.removeprefix("values_") for name in values]


def _setting(row: dict[Any, Any]) -> str:
    given = {str(name).removeprefix("params_"): value for name, value in row.items() if not pd.isna(value)}
    return ", ".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}" for name, value in given.items()
    )


FORMAT = Format(name="trials of optuna", recognise=_recognise, convert=_convert)
