"""Results of the Language Model Evaluation Harness: models × tasks × metrics, or its logs of single samples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from podium.errors import AmbiguousInputError, InputError
from podium.results.formats import Format, lacking_columns, with_directions
from podium.results.forms.arguments import Arguments
from podium.results.known_measures import known_facts

_SAMPLE = ("doc_id", "filtered_resps", "target")
_NAMED_FILE = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.:-]+")
_LOWER = ("perplexity", "bits_per_byte", "loss", "brier_score", "ter", "wer")


def _recognise(source: Any) -> bool:
    """Return whether a dict is a results file."""
    return isinstance(source, Mapping) and isinstance(source.get("results"), Mapping) and "configs" in source


def _convert(source: Mapping[str, Any], arguments: Arguments) -> pd.DataFrame:
    """Read a results file as a long table; a group of tasks is left out, because its tasks are included."""
    model = _model(source)
    groups = {name for name, tasks in (source.get("group_subtasks") or {}).items() if tasks}
    rows: list[dict[str, Any]] = []
    directions: dict[str, str] = {}
    for task, numbers in source["results"].items():
        if task in groups or not isinstance(numbers, Mapping):
            continue
        better = (source.get("higher_is_better") or {}).get(task) or {}
        for key, value in numbers.items():
            metric, _, filter = str(key).partition(",")
            if metric.endswith("_stderr") or isinstance(value, bool) or not isinstance(value, int | float):
                continue
            measure = metric if filter in ("", "none") else f"{metric}, {filter}"
            rows.append({"dataset": task, "algorithm": model, "measure": measure, "value": value})
            directions.setdefault(measure, _direction(metric, better.get(metric)))
    if not rows:
        raise InputError("The results of the harness contain no metric of any task.")
    return with_directions(pd.DataFrame(rows), directions)


def _model(source: Mapping[str, Any]) -> str:
    """Name the model as the harness does; earlier versions have it in the arguments only."""
    config = source.get("config") or {}
    text = str(config.get("model_args") or "") if isinstance(config, Mapping) else ""
    found = re.search(r"(?:pretrained|model|engine)=([^,]+)", text)
    name = source.get("model_name") or (found[1] if found else None) or config.get("model")
    if not name:
        raise AmbiguousInputError("The results of the harness do not name the model. Add the key 'model_name'.")
    return str(name)


def _direction(metric: str, higher: object) -> str:
    """Take what the harness says, otherwise what the name implies: greater is better except for losses."""
    if isinstance(higher, bool):
        return "higher" if higher else "lower"
    known = known_facts(metric).get("direction")
    return str(known) if known else "lower" if metric.endswith(_LOWER) else "higher"


def are_samples(source: Any) -> bool:
    """Return whether a table is a log of single samples."""
    return not lacking_columns(source, _SAMPLE)


def with_model_and_task(frame: pd.DataFrame, path: Path) -> pd.DataFrame:
    """Add model and task of a log, which the harness writes to ``MODEL/samples_TASK_TIME.jsonl``."""
    found = _NAMED_FILE.match(path.name)
    folder = path.resolve().parent.name.replace("__", "/")
    names = {"model": folder, "task": found[1] if found else path.name.partition(".")[0].removeprefix("samples_")}
    return frame.assign(**{column: name for column, name in names.items() if column not in frame})


def _convert_samples(source: pd.DataFrame, arguments: Arguments) -> pd.DataFrame:
    """Read a log of single samples as trials: each sample of a task is a replication."""
    lacking = lacking_columns(source, ("model", "task"))
    if lacking:
        raise AmbiguousInputError(
            "A log of samples does not say which model and task it belongs to. Read it from its file, "
            "MODEL/samples_TASK_TIME.jsonl, or add the columns 'model' and 'task'."
        )
    if "metrics" in source:
        metrics = list(dict.fromkeys(name for names in source["metrics"] for name in names))
    else:
        plain = source.select_dtypes("number").columns
        metrics = [name for name in plain if name not in ("doc_id", "target")]
    if not metrics:
        raise InputError("The log of samples does not name any metrics.")
    columns = {"model": "algorithm", "task": "dataset", "doc_id": "replication"}
    several = "filter" in source and source["filter"].nunique() > 1
    if several:
        raise AmbiguousInputError(
            f"The log has several filters, {', '.join(map(repr, source['filter'].unique()))}. Keep the rows of one."
        )
    frame = source[[*columns, *metrics]].rename(columns=columns)
    return with_directions(frame, {metric: _direction(metric, None) for metric in metrics})


RESULTS = Format(name="results of lm-evaluation-harness", recognise=_recognise, convert=_convert)
SAMPLES = Format(name="samples of lm-evaluation-harness", recognise=are_samples, convert=_convert_samples)
