"""``results.csv`` of the AutoML benchmark."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from podium.checks import as_numbers
from podium.errors import AmbiguousInputError, join_names
from podium.results.formats import Format, lacking_columns, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.known_measures import known_facts

_NEEDED = ("task", "framework", "fold", "result", "metric")


def _convert(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read it as trials; `result` is what each task was scored by, with greater values better.

    Frameworks that were run under several constraints are distinguished by them.
    """
    framework = source["framework"].astype(str)
    if "constraint" in source and source["constraint"].nunique() > 1:
        framework = framework + " (" + source["constraint"].astype(str) + ")"
    frame = pd.DataFrame({"dataset": source["task"].astype(str), "algorithm": framework, "fold": source["fold"]})
    wanted = arguments.wanted_measures
    if wanted is not None:
        return frame.join(source[[name for name in wanted if name in source]])
    metrics = [str(name) for name in source["metric"].dropna().unique()]
    lower = [name for name in metrics if known_facts(name).get("direction") == "lower"]
    if lower and len(metrics) > 1:
        raise AmbiguousInputError(
            f"The tasks are scored by {join_names(metrics)}, and for {join_names(lower)} lower is better. Choose a "
            f"column that all tasks have, such as measure={metrics[0]!r}, or keep the tasks of one metric."
        )
    name = metrics[0] if len(metrics) == 1 else "result"
    result = as_numbers(source["result"], "result")
    frame[name] = result
    frame["reason"] = np.where(np.isfinite(result), "", "failed")
    return with_directions(frame, {name: "lower" if lower else "higher"})


def _recognise(source: Any) -> bool:
    return not lacking_columns(source, _NEEDED)


FORMAT = Format(name="results of the AutoML benchmark", recognise=_recognise, convert=_convert)
