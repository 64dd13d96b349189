"""Outcomes of scikit-learn's hyperparameter searches, ``GridSearchCV(...).cv_results_``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from podium.results.formats import Format


def _recognise(source: Any) -> bool:
    named = source.columns if isinstance(source, pd.DataFrame) else source
    return isinstance(source, Mapping | pd.DataFrame) and "params" in named and "mean_fit_time" in named


FORMAT = Format(
    name="cv_results_ of a scikit-learn search, with one row per setting",
    recognise=_recognise,
    way_out="To compare the settings, make each a column of its scores: "
    r"scores = pandas.DataFrame(cv_results_).set_index('params').filter(regex=r'^split\d+_test_score$').T; "
    "scores.columns = scores.columns.map(str); "
    "podium.read(scores.reset_index(drop=True), rows='replication', direction='greater'). "
    "If the search had several scorers, replace 'test_score' by 'test_' and the name of one of them.",
)
