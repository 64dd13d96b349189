"""The status of an experiment: what is done, what went wrong and why, what is left."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
import pandas as pd

from podium.arrays import CodeArray, Int64Array
from podium.checks import check_call
from podium.errors import join_names, plural
from podium.store.cube import STOPPED, Measured
from podium.store.database import Database
from podium.store.decision import Decision
from podium.store.record import STATUSES, TrialRecord, clean, printable
from podium.store.rows import damage_error, row_checksum
from podium.store.schema import COLUMNS, HAS_TROUBLE
from podium.typesetting import Table

_PROBLEMS_SHOWN = 10
_DECISIONS_SHOWN = 10
_PROBLEM_LINES = 3
_AT_ONCE = 500  # reasons that one query reads
_PROBLEM = ["status", "algorithm", "measure", "error_type", "message"]


@check_call
@dataclass(frozen=True, eq=False, kw_only=True)
class Status:
    """The status of an experiment.

    Attributes
    ----------
    warehouse : str
    counts : mapping of str to int
        Number of trials by status; ``"left"`` counts those that are left to do: not tried yet, or outdated. Those that
        are not to be run, or do not count, because a stopping rule has decided, are ``"stopped"``.
    by_algorithm, by_dataset : DataFrame
        The same, one row per algorithm or data set.
    problems : DataFrame
        Why trials are not done, and why a measure has no value in any trial that is (with the measure instead of an
        algorithm), the most frequent reason first: status, algorithm, measure, error_type, message, trials (their
        number).
    decisions : tuple of Decision
        The newest decision of the stopping rule about each data set, or about the domain; empty without such a rule.
    sequences : int
        Number of data sets that the rule decides about, 1 for the domain; 0 without a rule.
    superfluous : int
        Number of trials that were under way when a decision made them superfluous: they do not count.
    outdated : int
        Number of trials left to do that were tried before a measure was added or changed, and have no value of it.
    """

    warehouse: str
    counts: Mapping[str, int]
    by_algorithm: pd.DataFrame
    by_dataset: pd.DataFrame
    problems: pd.DataFrame
    decisions: tuple[Decision, ...] = ()
    sequences: int = 0
    superfluous: int = 0
    outdated: int = 0

    @property
    def total(self) -> int:
        """Number of trials of the experiment."""
        return sum(self.counts.values())

    @property
    def saved(self) -> int:
        """Number of trials that were not run because a stopping rule had decided."""
        return self.counts.get("stopped", 0) - self.superfluous

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int = 100) -> str:
        """Return all of it as plain text, in lines of at most `width` characters where words allow it."""
        shown = [status for status, count in self.counts.items() if count]
        counts = ", ".join(f"{self.counts[status]:,} {status}" for status in shown)
        table = self.by_algorithm[shown].rename(index=printable)
        lines = wrapped_lines(f"{printable(self.warehouse)}: {self.total:,} trials: {counts}", width)
        lines += ["", table.to_string(line_width=width)]
        if self.sequences:
            lines += ["", *(part for line in self._stopping() for part in wrapped_lines(line, width))]
        if len(self.problems):
            lines += ["", "Problems", *problem_lines(self.problems, width)]
        return "\n".join(lines)

    def _stopping(self) -> list[str]:
        """Say what the stopping rule has decided, and what was saved."""
        ended = [decision for decision in self.decisions if decision.stops]
        about = f"{len(ended)} of {plural(self.sequences, 'data set')}"
        if any(decision.dataset == "" for decision in self.decisions):
            about = "the domain" if ended else "nothing yet"
        vain = f"; {self.superfluous:,} that were under way do not count" if self.superfluous else ""
        lines = [f"Stopping rule: {about} ended, {plural(self.saved, 'trial')} saved{vain}"]
        lines += [f"  {printable(decision_line(decision))}" for decision in self.decisions[:_DECISIONS_SHOWN]]
        more = len(self.decisions) - _DECISIONS_SHOWN
        return [*lines, f"  and {more} more"] if more > 0 else lines

    def _repr_html_(self) -> str:
        shown = [status for status, count in self.counts.items() if count]
        counts = ", ".join(f"{self.counts[status]:,} {status}" for status in shown)
        title = f"{self.warehouse}: {self.total:,} trials: {counts}"
        table = Table.from_frame(self.by_algorithm[shown].rename_axis("algorithm"), title).html()
        if not len(self.problems):
            return table
        kept = self.problems.head(_PROBLEMS_SHOWN)
        empty = [name for name in kept if (kept[name] == "").all()]
        return table + Table.from_frame(kept.drop(columns=empty), "Problems").html()


_OUTCOMES = {  # words for the outcomes of pairs
    "better": "different",
    "worse": "different",
    "equivalent": "equivalent",
    "accepted": "not shown to differ",
    "left out": "left out",
    "open": "open",
}


def decision_line(decision: Decision) -> str:
    """Say in a line what was decided."""
    who = decision.dataset or "all data sets"
    after = f"after {plural(decision.replications, 'replication')} (stage {decision.stage})"
    how = {"": "continues", "decided": "decided", "maximum": "ended at the maximum,"}[decision.ending]
    counts = Counter(_OUTCOMES[pair.outcome] for pair in decision.pairs)
    found = ", ".join(f"{counts[word]} {word}" for word in dict.fromkeys(_OUTCOMES.values()) if counts[word])
    dropped = f"; left out from then on: {join_names(decision.dropped, quote=False)}" if decision.dropped else ""
    return f"{who}: {how} {after}: {found}{dropped}"


def status_of(
    warehouse: str,
    measured: Measured,
    design: Mapping[str, Any],
    decisions: Sequence[Decision],
    problems: pd.DataFrame,
) -> Status:
    """Make the status of a design from what there is of its trials, the decisions about them and what went wrong."""
    codes, datasets, algorithms = measured.complete_codes(), design["datasets"], design["algorithms"]
    names = [*STATUSES, "stopped", "left"]
    if design.get("recorded"):  # by a loop: what is left is known only where another algorithm was tried
        tried = (measured.newest > 0).any(axis=2, keepdims=True)
        codes = np.where(tried, measured.codes, len(names)).astype(np.uint8)
    table = np.stack([codes == code for code in (*range(1, len(names)), 0)], axis=-1)
    domain = bool(design.get("stopping")) and design["stopping"].get("scope") == "domain"
    by_algorithm = pd.DataFrame(table.sum(axis=(0, 1)), pd.Index(algorithms), names)
    return Status(
        warehouse=warehouse,
        counts={name: int(by_algorithm[name].sum()) for name in names},
        by_algorithm=by_algorithm,
        by_dataset=pd.DataFrame(table.sum(axis=(1, 2)), pd.Index(datasets), names),
        problems=problems,
        decisions=tuple({decision.dataset: decision for decision in decisions}.values()),
        sequences=0 if not design.get("stopping") else 1 if domain else len(datasets),
        superfluous=int(np.sum(measured.stopped & (measured.newest > 0))),
        outdated=int(np.sum((codes == 0) & (measured.newest > 0))),
    )


def load_problems(database: Database, measured: Measured, design: Mapping[str, Any]) -> pd.DataFrame:
    """Load why trials are not done, and why measures have no value in any trial that is."""
    algorithms = design["algorithms"]
    codes = measured.complete_codes()
    at = np.nonzero((codes > STATUSES.index("done") + 1) & (codes != STOPPED))
    order = np.argsort(measured.newest[at])
    numbers, statuses, places = measured.newest[at][order], codes[at][order], at[2][order]
    silent = measured.attached[at][order] & HAS_TROUBLE == 0
    counts: Counter[tuple[int, int, str, str]] = Counter()
    counts.update((status, k, "", "") for status, k in zip(statuses[silent], places[silent], strict=True))
    explained = 0
    ended = dict(zip(numbers.tolist(), zip(statuses.tolist(), places.tolist(), strict=True), strict=True))
    for trial, kind, message, _ in _reasons(database, numbers[~silent]):
        counts[(*ended[trial], kind, message)] += 1
        explained += 1
    if explained != np.sum(~silent):
        raise damage_error(database, "messages of trials that are not done are missing")
    rows: Counter[tuple[str, ...]] = Counter()
    for (status, k, kind, message), n in counts.items():
        rows[STATUSES[status - 1], algorithms[k], "", clean(kind), clean(message)] += n
    for (measure, reason), n in _without_value(database, measured, codes, design).items():
        rows["done", "", measure, "", clean(reason)] += n
    return _problem_frame(rows)


def _without_value(
    database: Database, measured: Measured, codes: CodeArray, design: Mapping[str, Any]
) -> Counter[tuple[str, str]]:
    """Count the reasons why measures have no value in any trial that is done."""
    done = codes == STATUSES.index("done") + 1
    found: Counter[tuple[str, str]] = Counter()
    if (measured.attached[done] & HAS_TROUBLE == 0).any():  # a trial with all values
        return found
    numbers = measured.newest[done]
    for _, _, _, undefined in _reasons(database, numbers):
        found.update(json.loads(undefined).items())
    total: Counter[str] = Counter()
    for (measure, _), n in found.items():
        total[measure] += n
    names = {entry["name"] for entry in design["measures"] if total[entry["name"]] == len(numbers)}
    return Counter({(measure, reason): n for (measure, reason), n in found.items() if measure in names})


def _reasons(database: Database, numbers: Int64Array) -> Iterator[tuple[int, str, str, str]]:
    """Yield attempts with the types and messages of their errors, and the reasons why measures have no value."""
    for start in range(0, len(numbers), _AT_ONCE):
        part = numbers[start : start + _AT_ONCE].tolist()
        sql = (
            f"SELECT {', '.join(COLUMNS['trouble'])}, checksum FROM trouble WHERE trial IN "
            f"({', '.join('?' * len(part))})"
        )
        for *row, stored in database.rows(sql, part):
            if row_checksum(*row) != stored:
                raise damage_error(database, f"the message of trial {row[0]} does not match its checksum")
            yield row[0], row[1], row[2], row[5]


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
    return _problem_frame(Counter(tuple(problem[name] for name in _PROBLEM) for problem in problems))


def _problem_frame(counts: Mapping[tuple[str, ...], int]) -> pd.DataFrame:
    rows = [(*problem, n) for problem, n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    return pd.DataFrame(rows, columns=[*_PROBLEM, "trials"])


def problem_lines(problems: pd.DataFrame, width: int) -> list[str]:
    """Write the most frequent problems, each in at most a few lines."""
    rows = problems.head(_PROBLEMS_SHOWN).to_dict("records")
    starts = [f"  {row['trials']:>6,} × {row['status']:<8} " for row in rows]
    room = max(20, width - max(map(len, starts), default=0))
    texts = _told_apart([_problem_text(row) for row in rows], room)
    lines = [
        line
        for start, text in zip(starts, texts, strict=True)
        for line in short_lines(text, len(start) + room, start, " " * len(start))
    ]
    more = len(problems) - _PROBLEMS_SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _problem_text(row: Mapping[Any, Any]) -> str:
    measure = f"{row['measure']} has no value: " if row["measure"] else ""
    algorithm = f"{row['algorithm']}: " if row["algorithm"] else ""
    text = f"{algorithm}{measure}{row['message'] or row['error_type']}"
    return printable(" ".join(text.split()))


def _told_apart(texts: Sequence[str], room: int) -> list[str]:
    """Leave out what comes before the first difference, where two texts differ only after what is shown of them.

    >>> _told_apart(["svm: " + 60 * "no " + last for last in ("numbers", "values")], 24)
    ['svm: no no no no no … no no no numbers', 'svm: no no no no no … no no no values']
    """
    found = []
    for i, text in enumerate(texts):
        shared = max((_shared(text, other) for other in (*texts[:i], *texts[i + 1 :])), default=0)
        if shared >= (_PROBLEM_LINES - 1) * room:
            head, tail = text[: room - 2], text[shared - room // 2 :]
            text = f"{head[: head.rfind(' ')]} … {tail[tail.find(' ') + 1 :]}"
        found.append(text)
    return found


def _shared(text: str, other: str) -> int:
    """Return the number of characters with which both begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))


def short_lines(text: str, width: int, first: str = "", indent: str = "") -> list[str]:
    """Break a message into lines; of a long one, show the beginning."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=indent,
        max_lines=_PROBLEM_LINES,
        placeholder=" …",
        break_on_hyphens=False,
    )


def wrapped_lines(text: str, width: int) -> list[str]:
    """Break a line; the rest is indented."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
