"""Where an experiment stands: what is done, what went wrong and why, what is left."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from podium.errors import InputError
from podium.execution.opening import opened
from podium.warehouse.record import STATUSES
from podium.warehouse.warehouse import Warehouse

_REASONS_SHOWN = 10
_REASON_WIDTH = 90
_REASON_LINES = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Status:
    """Where an experiment stands.

    Attributes
    ----------
    warehouse : str
    counts : mapping of str to int
        Number of trials by state; ``"left"`` are those that were not tried yet.
    by_algorithm, by_dataset : DataFrame
        The same, one row per algorithm or data set.
    reasons : DataFrame
        Why trials did not end as done, the most frequent first: status, algorithm, error type, message, trials.
    """

    warehouse: str
    counts: Mapping[str, int]
    by_algorithm: pd.DataFrame
    by_dataset: pd.DataFrame
    reasons: pd.DataFrame

    @property
    def total(self) -> int:
        """Number of trials of the experiment."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        states = ", ".join(f"{count:,} {state}" for state, count in self.counts.items() if count)
        lines = [f"{self.warehouse}: {self.total:,} trials: {states}"]
        shown = [state for state, count in self.counts.items() if count]
        lines += ["", self.by_algorithm[shown].to_string()]
        if len(self.reasons):
            lines += ["", "Why", *reason_lines(self.reasons)]
        return "\n".join(lines)


def status(warehouse: str | Path | Warehouse) -> Status:
    """Say where the experiment of a warehouse stands; also while it runs.

    Parameters
    ----------
    warehouse : path, URL or Warehouse

    Returns
    -------
    Status
    """
    with opened(warehouse, readonly=True) as store:
        design = store.design
        if design is None:
            raise InputError(f"The warehouse {store.name!r} is empty: it has no design and no trial.")
        states = store.states(design["datasets"], design["replications"], design["algorithms"])
        failures = store.failures() if (states > 1).any() else pd.DataFrame()
        name = store.name
    words = ("left", *STATUSES)
    shown = [*STATUSES, "left"]
    table = np.stack([states == code for code in range(len(words))], axis=-1)
    by_algorithm = pd.DataFrame(table.sum(axis=(0, 1)), pd.Index(design["algorithms"]), list(words))[shown]
    by_dataset = pd.DataFrame(table.sum(axis=(1, 2)), pd.Index(design["datasets"]), list(words))[shown]
    return Status(
        warehouse=name,
        counts={state: int(by_algorithm[state].sum()) for state in shown},
        by_algorithm=by_algorithm,
        by_dataset=by_dataset,
        reasons=count_reasons(failures),
    )


def reason_lines(reasons: pd.DataFrame) -> list[str]:
    """Write the most frequent reasons, each in a few lines at most."""
    lines = []
    for row in reasons.head(_REASONS_SHOWN).to_dict("records"):
        start = f"  {row['trials']:>6,} × {row['status']:<8} "
        text = f"{row['algorithm']}: {row['message'] or row['error_type']}"
        below = " " * len(start)
        lines += textwrap.fill(
            " ".join(text.split()),
            _REASON_WIDTH + len(start),
            initial_indent=start,
            subsequent_indent=below,
            max_lines=_REASON_LINES,
            placeholder=" …",
            break_on_hyphens=False,
        ).splitlines()
    more = len(reasons) - _REASONS_SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def count_reasons(failures: pd.DataFrame) -> pd.DataFrame:
    """Count equal reasons, the most frequent first."""
    columns = ["status", "algorithm", "error_type", "message"]
    if not len(failures):
        return pd.DataFrame(columns=[*columns, "trials"])
    counted = failures.groupby(columns, dropna=False).size().rename("trials").reset_index()
    return counted.sort_values("trials", ascending=False, kind="stable", ignore_index=True)
