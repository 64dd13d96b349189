"""Outcomes of scikit-learn's hyperparameter searches, ``GridSearchCV(...).cv_results_``."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from podium.errors import InputError
from podium.results.formats import Format, with_directions
from podium.results.forms.arguments import Arguments

_SCORE = re.compile(r"split(\d+)_test_(.+)")


def _recognise(source: Any) -> bool:
    named = source.columns if isinstance(source, pd.DataFrame) else source
    return isinstance(source, Mapping | pd.DataFrame) and "params" in named and "mean_fit_time" in named


def _convert(source: Any, arguments: Arguments) -> pd.DataFrame:
    """Read each setting as an algorithm, the splits as replications, and the scorers as measures."""
    table = pd.DataFrame(dict(source)) if isinstance(source, Mapping) else source
    found = {column: match for column in table.columns if (match := _SCORE.fullmatch(str(column)))}
    if not found:
        raise InputError("The outcome of the search has no scores of individual splits, split0_test_score and so on.")
    settings = [_setting(params) for params in table["params"]]
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for column, match in found.items():
        for setting, value in zip(settings, table[column], strict=True):
            place = {"algorithm": setting, "replication": int(match[1]) + 1}
            rows.setdefault((setting, int(match[1])), place)[match[2]] = value
    return with_directions(pd.DataFrame(list(rows.values())), {match[2]: "higher" for match in found.values()})


def _setting(params: Any) -> str:
    """Write a setting; in a CSV file it is the text of a dict."""
    if isinstance(params, str):
        try:
            params = ast.literal_eval(params)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            return str(params)
    if not isinstance(params, Mapping):
        return str(params)
    return ", ".join(f"{name}={value}" for name, value in params.items()) or "defaults"


FORMAT = Format(name="cv_results_ of a scikit-learn search", recognise=_recognise, convert=_convert)
