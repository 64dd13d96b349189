"""Tables of mlr3: what ``score()`` and ``aggregate()`` of a benchmark result return, written to a file."""

from __future__ import annotations

from typing import Any

import pandas as pd

from podium.errors import AmbiguousInputError, join_names
from podium.results.formats import Format, lacking_columns
from podium.results.forms.arguments import Arguments
from podium.results.forms.columns import holds_words

_NEEDED = ("task_id", "learner_id", "resampling_id")
_OTHERS = ("nr", "iters", "iteration", "warnings", "errors", "uhash", *_NEEDED)


def _convert(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read it as trials; a learner may have been run with one resampling per task."""
    schemes = source.groupby("task_id")["resampling_id"].nunique()
    if (schemes > 1).any():
        raise AmbiguousInputError(
            f"The task {join_names(schemes.index[schemes > 1])} was run with several resamplings. Keep the rows of "
            "one: frame[frame['resampling_id'] == 'cv']."
        )
    measures = [
        name
        for name in source.columns
        if name not in _OTHERS and not str(name).startswith("Unnamed") and not holds_words(source[name])
    ]
    frame = pd.DataFrame({"dataset": source["task_id"], "algorithm": source["learner_id"]})
    if "iteration" in source:
        fold = (source["resampling_id"] == "cv").all()  # another scheme has other replications
        frame["fold" if fold else "replication"] = source["iteration"]
    return frame.join(source[measures])


def _recognise(source: Any) -> bool:
    return not lacking_columns(source, _NEEDED)


FORMAT = Format(name="a table of mlr3", recognise=_recognise, convert=_convert)
