"""The status of an experiment: what is done, what went wrong and why, what is left."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.checks import check_call
from podium.warehouse.record import STATUSES, TrialRecord

_PROBLEMS_SHOWN = 10
_PROBLEM_WIDTH = 90
_PROBLEM_LINES = 3
_PROBLEM = ["status", "algorithm", "measure", "error_type", "message"]


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Status:
    """The status of an experiment.

    Attributes
    ----------
    warehouse : str
    counts : mapping of str to int
        Number of trials by status; ``"left"`` counts those that have not been tried yet.
    by_algorithm, by_dataset : DataFrame
        The same, one row per algorithm or data set.
    problems : DataFrame
        Why trials are not done, the most frequent reason first: status, algorithm, measure (empty), error_type,
        message, trials (their number).
    """

    warehouse: str
    counts: Mapping[str, int]
    by_algorithm: pd.DataFrame
    by_dataset: pd.DataFrame
    problems: pd.DataFrame

    @property
    def total(self) -> int:
        """Number of trials of the experiment."""
        return sum(self.counts.values())

    def __str__(self) -> str:
        shown = [status for status, count in self.counts.items() if count]
        counts = ", ".join(f"{self.counts[status]:,} {status}" for status in shown)
        lines = [f"{self.warehouse}: {self.total:,} trials: {counts}", "", self.by_algorithm[shown].to_string()]
        if len(self.problems):
            lines += ["", "Problems", *problem_lines(self.problems)]
        return "\n".join(lines)


def status_of(
    warehouse: str,
    codes: npt.NDArray[np.uint8],
    datasets: Sequence[str],
    algorithms: Sequence[str],
    records: Iterable[TrialRecord],
) -> Status:
    """Make the status from the codes of all trials (see `Warehouse.status_codes`) and their newest records."""
    names = [*STATUSES, "left"]
    table = np.stack([codes == code for code in (*range(1, len(names)), 0)], axis=-1)
    by_algorithm = pd.DataFrame(table.sum(axis=(0, 1)), pd.Index(algorithms), names)
    return Status(
        warehouse=warehouse,
        counts={name: int(by_algorithm[name].sum()) for name in names},
        by_algorithm=by_algorithm,
        by_dataset=pd.DataFrame(table.sum(axis=(1, 2)), pd.Index(datasets), names),
        problems=count_problems(problem_of(record) for record in records if record.status != "done"),
    )


def problem_of(record: TrialRecord) -> dict[str, str]:
    """Return why a trial is not done, as a row for `count_problems`."""
    return {
        "status": record.status,
        "algorithm": record.key.algorithm,
        "measure": "",
        "error_type": record.error_type,
        "message": record.message,
    }


def count_problems(problems: Iterable[Mapping[str, str]]) -> pd.DataFrame:
    """Count equal problems, the most frequent first."""
    rows = list(problems)
    if not rows:
        return pd.DataFrame(columns=[*_PROBLEM, "trials"])
    counted = pd.DataFrame(rows).groupby(_PROBLEM).size().rename("trials").reset_index()
    return counted.sort_values("trials", ascending=False, kind="stable", ignore_index=True)


def problem_lines(problems: pd.DataFrame) -> list[str]:
    """Write the most frequent problems, each in at most a few lines."""
    lines = []
    for row in problems.head(_PROBLEMS_SHOWN).to_dict("records"):
        start = f"  {row['trials']:>6,} × {row['status']:<8} "
        measure = f"{row['measure']} has no value: " if row["measure"] else ""
        text = f"{row['algorithm']}: {measure}{row['message'] or row['error_type']}"
        lines += textwrap.fill(
            " ".join(text.split()),
            _PROBLEM_WIDTH + len(start),
            initial_indent=start,
            subsequent_indent=" " * len(start),
            max_lines=_PROBLEM_LINES,
            placeholder=" …",
            break_on_hyphens=False,
        ).splitlines()
    more = len(problems) - _PROBLEMS_SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines
