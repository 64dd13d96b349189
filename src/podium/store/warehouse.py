"""`Warehouse`: where every trial of an experiment is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from html import escape
from itertools import count, pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
import pandas as pd

from podium.arrays import AnyArray, CodeArray
from podium.checks import (
    check_call,
    check_count,
    check_flag,
    check_text,
    describe,
    did_you_mean,
    expect,
    is_collection,
    is_storable,
    is_whole,
    shown,
)
from podium.design.predictions import Kept
from podium.design.spec.difference import Difference, differences
from podium.errors import (
    BusyError,
    ExecutionError,
    InputError,
    LabelError,
    PodiumError,
    StorageError,
    join_names,
    plural,
)
from podium.results import Results
from podium.store.attempts import read_records
from podium.store.cube import (
    characteristics_frame,
    compared,
    design_of_characteristics,
    load_counts,
    load_measured,
    load_results,
)
from podium.store.database import Database, UnstorableError
from podium.store.decision import (
    Decision,
    decision_frame,
    decision_row,
    decisions_of,
    load_stopped,
    read_decisions,
)
from podium.store.document import check_document, parse
from podium.store.files import read_trials, write_trials
from podium.store.integrity import Damage, find_damage
from podium.store.location import open_database
from podium.store.merge import joint_design, new_decisions, new_trials
from podium.store.predictions import KeptTrials, load_kept, parameter_frame, prediction_frame, read_kept
from podium.store.record import (
    STATUSES,
    TrialKey,
    TrialRecord,
    TrialStatus,
    check_statuses,
    clean,
    measure_set,
    printable,
    storable,
)
from podium.store.rows import LIMITS, UNREADABLE, check_count_of, damage_error, read_table, trial_checksums
from podium.store.schema import COLUMNS, HAS_PREDICTION, HAS_TROUBLE
from podium.store.status import Status, load_problems, status_of

T = TypeVar("T")
_NAMED = ("datasets", "algorithms")
_BATCH = 5000  # trials that a merge adds at once
_SHOWN_OTHERWISE = ("key", "status", "values", "identity", "kept")
_REAL = ("started", "fit_seconds", "predict_seconds")
_UNKNOWN_BELOW_0 = ("repeat", "fold", "n_learn", "n_test")


@check_call
class Warehouse:
    """Where the trials of one experiment are kept: append-only, resumable, readable while a run writes.

    Parameters
    ----------
    where : path or str
        A file (SQLite), created if it does not exist, or a ``postgresql://`` URL.
    readonly : bool, default False
        Open for reading only; the warehouse must exist.

    Examples
    --------
    >>> import podium
    >>> experiment = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
    >>> with podium.Warehouse(":memory:") as warehouse:
    ...     results = podium.run(experiment, warehouse, executor="threads", workers=1)
    ...     print(warehouse.status())
    :memory:: 4 trials: 4 done
    <BLANKLINE>
              done
    lda          2
    constant     2
    """

    _ways_out: ClassVar = {Results: "Use warehouse.results()."}
    _made_from: ClassVar = (
        ((str, Path), "Open it: podium.Warehouse({thing})."),
        (object, "Open one with podium.Warehouse('file.db')."),
    )

    def __init__(self, where: str | Path, *, readonly: bool = False) -> None:
        check_flag(readonly, "readonly")
        self._database: Database = open_database(where, readonly=readonly)
        self._numbers: dict[str, dict[tuple[str, ...], int]] = {}  # of labels, hosts and sets of measures, as known

    @property
    def name(self) -> str:
        """Path of the file, or URL of the database without its password."""
        return self._database.name

    def __repr__(self) -> str:
        if self._database.closed:
            return f"Warehouse {self.name!r}: closed"
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts().items())
        return f"Warehouse {self.name!r}: {counts or 'no trials yet'}"

    def _repr_html_(self) -> str:
        return f"<div>{escape(repr(self))}</div>" if self._database.closed else self.status()._repr_html_()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; everything appended is kept already."""
        self._database.close()

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Be the only run that writes here while the block lasts; other runs are refused, readers are not.

        Raises
        ------
        BusyError
            If another run is writing.
        """
        with self._database.claim() as ours:
            if not ours:
                raise BusyError(
                    f"Another run is writing into the warehouse {self.name!r}. `podium status` shows its progress; "
                    "wait for it, or use another warehouse and merge the two afterwards."
                )
            yield

    # ---- the design -----------------------------------------------------------------------------------------------

    @property
    def design(self) -> dict[str, Any] | None:
        """The newest design, or None in an empty warehouse.

        A mapping with the keys ``datasets``, ``algorithms`` (names), ``replications`` (their number), ``measures``
        (name, direction, units, scale of each), ``experiment`` (the design as it is written in a file, or None),
        ``stopping`` (the stopping rule; absent where there is none) and ``record`` (what two designs are compared by;
        absent where no experiment was run). What a `podium.Recorder` writes is ``recorded``: it has the data sets,
        algorithms and replications seen so far.
        """
        return self._read(self._newest_design)

    def _newest_design(self) -> dict[str, Any] | None:
        designs = read_table(self._database, "design")
        return dict(check_document(self._grown(parse(designs[-1][3])), "design")) if designs else None

    def _grown(self, design: Any) -> Any:
        """Return a design; one of a `podium.Recorder` with the names and replications seen so far."""
        if not (isinstance(design, dict) and design.get("recorded")):
            return design
        labels = read_table(self._database, "label")
        names = {part: [*design[part], *(n for _, axis, n, _ in labels if f"{axis}s" == part)] for part in _NAMED}
        last = self._database.one("SELECT COALESCE(MAX(replication), 0) FROM trial")
        return {**design, **{part: list(dict.fromkeys(names[part])) for part in _NAMED}, "replications": int(last)}

    def designs(self) -> list[dict[str, Any]]:
        """Return every design the warehouse has had, oldest first."""
        return self._read(lambda: [parse(row[3]) for row in read_table(self._database, "design")])

    def set_design(self, document: Mapping[str, Any], fingerprint: str) -> None:
        """Record a design (its keys: see `design`); the earlier ones stay."""
        check_text(fingerprint, "fingerprint")
        newest = self.design
        if newest is not None and bool(newest.get("recorded")) != bool(document.get("recorded")):
            now, new = ("a Recorder", "runs") if newest.get("recorded") else ("runs", "a Recorder")
            raise InputError(f"The warehouse {self.name!r} is written by {now}. Use another one for {new}.")
        self._set_design(check_document(document, "document"), fingerprint, time.time())

    def _set_design(
        self, document: Mapping[str, Any], fingerprint: str, created: float, before: int | None = None
    ) -> None:
        text = json.dumps(document, sort_keys=True)

        def add() -> None:
            last = self._database.one("SELECT COALESCE(MAX(id), 0) FROM trial") if before is None else before
            self._database.add("design", (float(created), clean(fingerprint), text, int(last)))

        self._write(add)

    def _design(self, number: int | None) -> dict[str, Any]:
        """Return a design by its number in `history`, by default the newest."""
        design = self.design
        if design is None:
            raise InputError(f"The warehouse {self.name!r} has no design: no experiment was run with it.")
        if number is None:
            return design
        check_count(number, "design")
        designs = self.designs()
        if number > len(designs):
            raise InputError(
                f"`design` must be a number of `history()`, from 1 to {len(designs)}; got {number}.", path=("design",)
            )
        return self._read(lambda: dict(self._grown(designs[number - 1])))

    def history(self) -> tuple[Revision, ...]:
        """Return the designs, oldest first: when each was recorded, what it changed, and how many trials it cost.

        Examples
        --------
        >>> import podium
        >>> few = podium.Experiment("iris", ["lda", "constant"], podium.Bootstrap(replications=2), "accuracy")
        >>> more = few.replace(algorithms=["lda", "constant", "rpart"])
        >>> with podium.Warehouse(":memory:") as warehouse:
        ...     for experiment in (few, more):
        ...         results = podium.run(experiment, warehouse, workers=1)
        ...     for revision in warehouse.history():
        ...         print(revision.number, revision.trials, *revision.changes)
        1 4
        2 2 the algorithm 'rpart' is new
        """
        return self._read(lambda: tuple(read_history(self._database)))

    def identities(self) -> dict[str, dict[str, set[str]]]:
        """Return the identities of the data sets, algorithms and measures of all trials, by their names.

        An identity is empty if it is not known; see `TrialIdentity`.
        """
        return self._read(self._identities)

    def _identities(self) -> dict[str, dict[str, set[str]]]:
        found: dict[str, dict[str, set[str]]] = {"datasets": {}, "algorithms": {}, "measures": {}}
        for _, axis, name, identity in read_table(self._database, "label"):
            found[f"{axis}s"].setdefault(name, set()).add(identity)
        for _, document in read_table(self._database, "measure_set"):
            for name, identity in measure_set(document):
                found["measures"].setdefault(name, set()).add(identity)
        return found

    # ---- writing --------------------------------------------------------------------------------------------------

    def append(self, records: Iterable[TrialRecord]) -> None:
        """Add trials.

        Text is cleaned and cut (a message may hold anything), and a value that is not finite is undefined. A trial that
        the database still refuses is kept as failed, with the reason; the others of the batch are not affected.
        Whatever else goes wrong (a full disk, a lost server), all of them are kept, or none.

        Raises
        ------
        StorageError
            If nothing can be written; the message says what is kept.
        """
        if not is_collection(records):
            raise InputError(f"`records` must be a sequence of TrialRecord; got {describe(records)}.")
        records = [storable(expect(record, TrialRecord, "records")) for record in records]
        if not records:
            return
        try:
            self._write(lambda: self._insert(records))
        except UnstorableError:
            self._append_one_by_one(records)
        except StorageError as error:
            raise type(error)(f"{error} {self._kept_until_now()}".strip()) from error

    def append_decisions(self, decisions: Iterable[Decision]) -> None:
        """Add decisions of a stopping rule, all of them or none; see `decisions`."""
        if not is_collection(decisions):
            raise InputError(f"`decisions` must be a sequence of Decision; got {describe(decisions)}.")
        made = [expect(decision, Decision, "decisions") for decision in decisions]
        self._add_decisions([(time.time(), decision) for decision in made])

    def _add_decisions(self, decisions: Sequence[tuple[float, Decision]]) -> None:
        def add() -> None:
            for created, decision in decisions:
                self._database.add("decision", decision_row(decision, created))

        if decisions:
            self._write(add)

    def _append_one_by_one(self, records: Iterable[TrialRecord]) -> None:
        refused: list[str] = []
        for record in records:
            try:
                self._write(partial(self._insert, [record]))
            except UnstorableError as error:
                try:
                    self._write(partial(self._insert, [_refused(record, error)]))
                except UnstorableError:
                    refused.append(f"{printable(str(record.key))}: {error}")
        if refused:
            raise ExecutionError(f"{plural(len(refused), 'trial')} cannot be stored, first {refused[0]}")

    def _kept_until_now(self) -> str:
        try:
            return f"The warehouse has {plural(self._database.rows_of('trial'), 'attempt')}."
        except PodiumError:
            return ""

    def _write(self, function: Callable[[], T]) -> T:
        """Call a function in a transaction; what it has learnt about numbers counts only if it succeeds."""
        calls = count()

        def write() -> T:
            if next(calls):  # again: the connection was lost
                self._numbers = {}
            return function()

        try:
            return self._database.write(write)
        except BaseException:
            self._numbers = {}
            raise

    def _read(self, function: Callable[[], T]) -> T:
        """Call a function that reads one state of the database."""
        with self._damage_explained():
            return self._database.read(function)

    @contextmanager
    def _damage_explained(self) -> Iterator[None]:
        """Turn what content that cannot be understood raises into an error that says so."""
        try:
            yield
        except PodiumError:
            raise
        except UNREADABLE as error:
            raise damage_error(self._database, f"it cannot be read ({type(error).__name__}: {error!s:.200})") from error

    def merge(self, source: Warehouse) -> int:
        """Add the trials of another warehouse that this one does not have, and the history of its design.

        The designs must have the same seed and resampling. Trials of a data set, algorithm or measure that differs
        between them are kept apart, each under its own identity; those of this warehouse's newest design count. A trial
        that is done in both must have the same values, apart from times; where it is done in only one, that one counts.

        Parameters
        ----------
        source : Warehouse
            The other warehouse; it is not changed.

        Returns
        -------
        int
            Number of trials added.

        Raises
        ------
        DesignChangedError
            If the designs contradict each other.
        ConflictError
            If a trial is done in both with different values; its `report` lists all of them. Also if a stopping rule
            decided differently in the two.
        """
        expect(source, Warehouse, "source")
        design, other = self.design, source.design
        if other is None:
            return 0
        joint = other if design is None else joint_design(design, other, self.name, source.name)
        new = new_trials(self.records(kept=False), source.records(), joint, self.name, source.name)
        mine = self._read(lambda: read_decisions(self._database))
        decided = new_decisions(mine, source._read(lambda: read_decisions(source._database)), self.name, source.name)
        known = self.designs()
        theirs = source._read(lambda: read_table(source._database, "design"))
        for _, created, fingerprint, text, _ in theirs:
            if parse(text) not in known:
                self._set_design(check_document(parse(text), "source"), fingerprint, created)
        if joint != self.design:
            self.set_design(joint, fingerprint="merged")
        for start in range(0, len(new), _BATCH):
            self.append(new[start : start + _BATCH])
        self._add_decisions(decided)
        return len(new)

    def import_trials(self, path: str | Path) -> int:
        """Read what `export_trials` wrote into this warehouse, which must be empty.

        Parameters
        ----------
        path : path or str
            The ``.csv`` or ``.parquet`` file; ``<name>.design.json`` must be in the same folder.

        Returns
        -------
        int
            Number of attempts read.
        """
        if self.counts():
            raise InputError(f"The warehouse {self.name!r} is not empty; import into a new one and merge it.")

        def load() -> int:
            designs, decisions, batches = read_trials(path)
            for design in designs:
                document = check_document(design["document"], "path")
                created, before = design.get("created", time.time()), design.get("before", 0)
                self._set_design(document, str(design.get("fingerprint", "imported")), created, before)
            n = 0
            for records in batches:
                self.append(records)
                n += len(records)
            self._add_decisions(decisions)
            return n

        return self._write(load)

    def _insert(self, records: Sequence[TrialRecord]) -> None:
        numbers = self._database.new_numbers("trial", len(records))
        rows = [(number, *self._row(record)) for number, record in zip(numbers, records, strict=True)]
        columns = dict(zip(COLUMNS["trial"], zip(*rows, strict=True), strict=True))
        values = columns.pop("numbers")
        sums = trial_checksums([_column(name, column) for name, column in columns.items()], values)
        self._database.insert("trial", rows, sums.tolist())
        trouble = [
            (number, r.error_type, r.message, r.traceback, json.dumps(list(r.warnings)), json.dumps(dict(r.undefined)))
            for number, r in zip(numbers, records, strict=True)
            if _has_trouble(r)
        ]
        self._database.insert("trouble", trouble)
        kept = [(number, record.kept) for number, record in zip(numbers, records, strict=True) if record.kept]
        self._database.insert("prediction", kept)

    def _row(self, record: TrialRecord) -> tuple[Any, ...]:
        key, identity = record.key, record.identity
        names = list(record.values)
        measured = names or list(identity.measures)  # of a trial that failed: what could not be measured
        document = json.dumps([(name, identity.measures.get(name, "")) for name in measured])
        numbers = np.array([record.values[name] for name in names], "<f8").tobytes() if names else None
        row: tuple[Any, ...] = (
            self._number("label", "dataset", key.dataset, identity.dataset),
            int(key.replication),
            self._number("label", "algorithm", key.algorithm, identity.algorithm),
            STATUSES.index(record.status) + 1,
            self._number("measure_set", document) if measured else None,
            numbers,
            int(record.repeat),
            int(record.fold),
            int(record.n_learn),
            int(record.n_test),
            int(record.seed),
            float(record.started),
            _or_none(record.fit_seconds),
            _or_none(record.predict_seconds),
            self._number("host", record.host) if record.host else None,
            HAS_TROUBLE * _has_trouble(record) + HAS_PREDICTION * bool(record.kept),
        )
        for name, value in zip(list(COLUMNS["trial"])[1:], row, strict=True):
            least, most = LIMITS.get(name, (-(2**63), 2**63 - 1))
            if type(value) is int and not least <= value <= most:
                raise UnstorableError(f"`{name}` must be from {least} to {most}; got {shown(value)}.")
        return row

    def _number(self, table: str, *fields: str) -> int:
        """Return the number of a label, a host or a set of measures; a new one is added."""
        if fields not in self._numbers.get(table, ()):  # another process may have added it
            self._numbers[table] = {tuple(row): number for number, *row in read_table(self._database, table)}
        if fields not in self._numbers[table]:
            if not all(map(is_storable, fields)):
                raise UnstorableError(f"{' '.join(fields)!r} has characters that cannot be stored.")
            self._numbers[table][fields] = self._database.add(table, fields)
        return self._numbers[table][fields]

    def together(self, function: Callable[[], T]) -> T:
        """Call a function that reads and writes; meanwhile no other process is in such a function."""

        def call() -> T:
            self._database.wait_for_others()
            return function()

        with self._damage_explained():
            return self._write(call)

    # ---- reading --------------------------------------------------------------------------------------------------

    def results(self, design: int | Mapping[str, Any] | None = None) -> Results:
        """Return everything that was measured; a trial that is not done is a missing cell with its reason.

        Where a stopping rule has decided, what comes after its decision is left out, with the reason ``"stopped"``.

        Parameters
        ----------
        design : int or mapping, optional
            Number of a design in `history`, or a design that is not recorded; by default the newest. Each design has
            the trials that were made with its own data sets, algorithms and measures, or that were accepted for it.
        """
        return self._read(lambda: load_results(self._database, self._given_design(design), self.name))

    def _given_design(self, design: int | Mapping[str, Any] | None) -> Mapping[str, Any]:
        return check_document(design, "design") if isinstance(design, Mapping) else self._design(design)

    def status(self, design: int | Mapping[str, Any] | None = None) -> Status:
        """Return what is done, what went wrong and why, and what is left; also while a run writes.

        Parameters
        ----------
        design : int or mapping, optional
            Number of a design in `history`, or a design that is not recorded; by default the newest.
        """

        def load() -> Status:
            document = self._given_design(design)
            decisions = decisions_of(self._database, document)
            measured = load_measured(self._database, document)
            problems = load_problems(self._database, measured, document)
            return status_of(self.name, measured, document, decisions, problems)

        return self._read(load)

    def decisions(self, design: int | Mapping[str, Any] | None = None) -> tuple[Decision, ...]:
        """Return the decisions of the stopping rule, by data set and stage; none where a run had no such rule.

        Parameters
        ----------
        design : int or mapping, optional
            Number of a design in `history`, or a design that is not recorded; by default the newest.
        """
        return self._read(lambda: tuple(decisions_of(self._database, self._given_design(design))))

    def decision_frame(self, design: int | None = None) -> pd.DataFrame:
        """Return the decisions as a table: one row per data set, stage, measure, pair and one-sided test.

        Its columns are ``dataset``, ``stage``, ``until`` (replications until the end of the stage), ``ending`` and
        ``dropped`` of `Decision`; those of `PairDecision`, with ``decided_in`` for the stage in which the pair was
        decided; and those of `Look`.
        """
        return decision_frame(self.decisions(design))

    def check(self) -> tuple[Damage, ...]:
        """Look for damage: the database checks itself, and every row of every table is compared with its checksum.

        Returns
        -------
        tuple of Damage
            What is wrong; empty if the warehouse is intact.
        """
        return find_damage(self._database)

    def export_trials(self, path: str | Path, *, machines: bool = False) -> Path:
        """Write every attempt at every trial into a ``.csv`` or ``.parquet`` file.

        One row per attempt, in the order they were made, with a column ``value: <measure>`` for each measure. Trials
        that a stopping rule has made superfluous are marked in a column ``superfluous``. All designs and the decisions
        of stopping rules are written to a file beside it, ``<name>.design.json``.

        Parameters
        ----------
        path : path or str
        machines : bool, default False
            Whether to write the names of the hosts, and absolute paths, which are otherwise cut to the name of the
            file: in designs, messages and tracebacks. Names of users are often part of them.

        Returns
        -------
        Path
        """
        check_flag(machines, "machines")

        def load() -> tuple[list[dict[str, Any]], list[tuple[float, Decision]], list[str]]:
            designs = [
                {
                    "created": created,
                    "fingerprint": fingerprint,
                    "before": self._database.one("SELECT COUNT(*) FROM trial WHERE id <= ?", (before or 0,)),
                    "document": parse(document),
                }
                for _, created, fingerprint, document, before in read_table(self._database, "design")
            ]
            sets = read_table(self._database, "measure_set")
            measures = list(dict.fromkeys(name for _, document in sets for name, _ in measure_set(document)))
            return designs, read_decisions(self._database), measures

        designs, decisions, measures = self._read(load)
        counts = None if self.design is None else self._counts_of(self.design)
        return write_trials(path, self.records(), designs, decisions, measures, counts, machines=machines)

    def counts(self) -> dict[str, int]:
        """Count the trials by the status of their newest attempt."""
        return self._read(lambda: load_counts(self._database))

    @property
    def attempts(self) -> int:
        """Number of attempts at trials, under all designs."""

        def load() -> int:
            n = self._database.rows_of("trial")
            check_count_of(self._database, "trial", n)
            return n

        return self._read(load)

    def trials(
        self,
        status: TrialStatus | Sequence[TrialStatus] | None = None,
        *,
        every_attempt: bool = False,
        design: int | None = None,
    ) -> pd.DataFrame:
        """Return one row per trial, with everything that is known about it.

        Parameters
        ----------
        status : str or sequence of str, optional
            Only trials with these statuses.
        every_attempt : bool, default False
            Return every attempt, in the order they were made, instead of the newest one at each trial.
        design : int, optional
            Number of a design in `history`. By default the newest, or with `every_attempt` all of them.
        """
        wanted = STATUSES if status is None else check_statuses(status, "status")
        records = self.records(every_attempt=every_attempt, design=design)
        return _trial_frame(record for record in records if record.status in wanted)

    def failures(self) -> pd.DataFrame:
        """Return one row per trial that is not done, with its reason."""
        frame = self.trials(("failed", "timeout", "crashed", "skipped"))
        columns = ["dataset", "replication", "algorithm", "status", "error_type", "message"]
        return frame.reindex(columns=columns)

    def status_codes(self, design: int | Mapping[str, Any] | None = None) -> CodeArray:
        """Return the status of every trial of a design: 0 for one left to do, else 1 + its position in `STATUSES`.

        A trial is done if it has a value of every measure of the design. Otherwise its newest attempt counts; a trial
        whose newest attempt is done lacks a measure that was added or changed since, and is left to do. A trial that is
        not to be run because a stopping rule has decided is one more than the last status.

        Parameters
        ----------
        design : int or mapping, optional
            Number of a design in `history`, or a design that is not recorded; by default the newest.

        Returns
        -------
        ndarray of uint8, shape (M, B, K)
        """

        def load() -> CodeArray:
            return load_measured(self._database, self._given_design(design)).complete_codes()

        return self._read(load)

    def predictions(
        self,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        replication: int | Sequence[int] | None = None,
    ) -> pd.DataFrame:
        """Return what was predicted, one row per test observation of each trial.

        Predictions are kept on request: ``Experiment(..., keep=["predictions", "probabilities"])``.

        Parameters
        ----------
        dataset, algorithm : str or sequence of str, optional
            Only these data sets and algorithms.
        replication : int or sequence of int, optional
            Only these replications.

        Returns
        -------
        DataFrame
            ``dataset``, ``replication``, ``algorithm``; ``row``, the position of the observation in the data set (in
            the test sample for fresh draws); ``truth`` and ``prediction``; then a column ``probability: <class>`` per
            class, or ``score: <class>`` for models with decision values only.
        """
        return self._read(
            lambda: prediction_frame(self._kept(dataset, algorithm, replication, "'predictions', 'probabilities'"))
        )

    def parameters(
        self,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        replication: int | Sequence[int] | None = None,
    ) -> pd.DataFrame:
        """Return the hyperparameters that each fit has chosen, one row per trial.

        They are kept on request: ``Experiment(..., keep="parameters")``. The arguments are those of `predictions`.
        """
        return self._read(lambda: parameter_frame(self._kept(dataset, algorithm, replication, "'parameters'")))

    def _kept(self, dataset: Any, algorithm: Any, replication: Any, kinds: str) -> Iterator[tuple[TrialKey, Kept]]:
        """Read what was kept of the trials of the newest design, in the order of the design."""
        design = self._design(None)
        replications = range(1, design["replications"] + 1)
        wanted = (
            _chosen(dataset, design["datasets"], "dataset"),
            _chosen(replication, replications, "replication"),
            _chosen(algorithm, design["algorithms"], "algorithm"),
        )
        numbers = load_kept(self._database, design).numbers
        if not numbers.any():
            raise InputError(
                f"The warehouse {self.name!r} has no predictions or parameters: none were kept. Use "
                f"Experiment(..., keep=[{kinds}])."
            )
        for m in wanted[0]:
            for b in wanted[1]:
                cells = [(k, int(numbers[m, b, k])) for k in wanted[2] if numbers[m, b, k]]
                kept = read_kept(self._database, [number for _, number in cells])
                for k, number in cells:
                    yield TrialKey(design["datasets"][m], b + 1, design["algorithms"][k]), kept[number]

    def characteristics(self, design: int | None = None) -> pd.DataFrame:
        """Return the characteristics of the learning samples, one row per data set and replication.

        They are kept on request: ``Experiment(..., characteristics="statlog")``. What has no value is NaN, and
        ``attrs["reasons"]`` says why. The rows are those of samples that were described.

        Parameters
        ----------
        design : int, optional
            Number of a design in `history`; by default the newest.
        """

        def load() -> pd.DataFrame:
            document = self._design(design)
            if "characteristics" not in document:
                raise InputError(
                    f"The warehouse {self.name!r} has no characteristics: its design names none. Use "
                    "Experiment(..., characteristics='statlog'), or podium.characterize(experiment)."
                )
            part = design_of_characteristics(document)
            newest = list(_newest(read_records(self._database, kept=False, design=part)))
            return characteristics_frame(load_results(self._database, part, self.name), newest)

        return self._read(load)

    def kept_trials(self, design: Mapping[str, Any]) -> KeptTrials:
        """Return what the warehouse has of the trials of a design: measures, and kept predictions."""
        document = check_document(design, "design")
        return self._read(lambda: load_kept(self._database, document))

    def kept(self, numbers: Sequence[int]) -> dict[int, Kept]:
        """Return what was kept of attempts, by their numbers in `kept_trials`."""
        return self._read(lambda: read_kept(self._database, numbers))

    def records(
        self, *, every_attempt: bool = True, design: int | Mapping[str, Any] | None = None, kept: bool = True
    ) -> Iterator[TrialRecord]:
        """Yield every attempt in the order it was appended, or only the newest attempt at each trial of a design.

        `design` is the number of one in `history`, or a design; without `kept`, predictions are not read.
        """
        everything = (every_attempt and design is None) or self.design is None
        document = None if everything else self._given_design(design)
        records = self._records(kept=kept, design=document)
        return records if every_attempt else self._counting(_newest(records), document)

    def records_of(self, dataset: str, replication: int) -> list[TrialRecord]:
        """Return every attempt of all algorithms at one replication of a data set, without predictions."""
        with self._damage_explained():
            return list(read_records(self._database, kept=False, replication=(dataset, replication)))

    def _counting(self, records: Iterator[TrialRecord], design: Mapping[str, Any] | None) -> Iterator[TrialRecord]:
        """Yield the records of trials that no decision of a stopping rule has made superfluous."""
        counts = None if design is None else self._counts_of(design)
        return records if counts is None else (record for record in records if counts(record.key))

    def _counts_of(self, design: Mapping[str, Any]) -> Callable[[TrialKey], bool] | None:
        """Return a function that says whether a trial counts; None without a stopping rule: all of them do."""
        if not design.get("stopping"):
            return None
        stopped = self._read(lambda: load_stopped(self._database, design))
        datasets, algorithms = ({name: i for i, name in enumerate(design[part])} for part in ("datasets", "algorithms"))

        def counts(key: TrialKey) -> bool:
            known = key.dataset in datasets and key.algorithm in algorithms and key.replication <= stopped.shape[1]
            return not known or not stopped[datasets[key.dataset], key.replication - 1, algorithms[key.algorithm]]

        return counts

    def _records(self, *, kept: bool = True, design: Mapping[str, Any] | None = None) -> Iterator[TrialRecord]:
        """Yield attempts, with or without the predictions that were kept: all of them, or those of a design."""
        with self._damage_explained():
            yield from read_records(self._database, kept=kept, design=design)


@contextmanager
def opened(warehouse: str | Path | Warehouse, *, readonly: bool = False) -> Iterator[Warehouse]:
    """Open a warehouse for the duration of the block; one that is already open stays open."""
    if isinstance(warehouse, Warehouse):
        yield warehouse
        return
    with Warehouse(warehouse, readonly=readonly) as store:
        yield store


def _chosen(labels: Any, known: Sequence[Any], argument: str) -> list[int]:
    """Return the positions of labels; of all if none are given."""
    if labels is None:
        return list(range(len(known)))
    wanted = list(labels) if is_collection(labels) else [labels]
    for label in wanted:
        if not (isinstance(label, str) or is_whole(label)) or label not in known:
            raise LabelError(
                f"`{argument}` must be one of {join_names(known, most=12)}; got "
                f"{shown(label)}.{did_you_mean(label, known)}"
            )
    return [known.index(label) for label in wanted]


def _newest(records: Iterable[TrialRecord]) -> Iterator[TrialRecord]:
    """Yield the last record of each trial, in the order they were made."""
    last: dict[TrialKey, TrialRecord] = {}
    for record in records:
        last.pop(record.key, None)
        last[record.key] = record
    return iter(last.values())


def _trial_frame(records: Iterable[TrialRecord]) -> pd.DataFrame:
    rows = [
        {**record.key._asdict(), "status": record.status, **record.values, **_details(record)} for record in records
    ]
    frame = pd.DataFrame(rows, columns=None if rows else [*TrialKey._fields, "status"])
    if rows:
        frame["started"] = pd.to_datetime(frame["started"], unit="s", utc=True)
        for name in _UNKNOWN_BELOW_0:
            frame[name] = frame[name].astype("Int64").where(frame[name] >= 0)
    return frame


def _details(record: TrialRecord) -> dict[str, Any]:
    shown = [field.name for field in fields(TrialRecord) if field.name not in _SHOWN_OTHERWISE]
    identity = {"dataset_identity": record.identity.dataset, "algorithm_identity": record.identity.algorithm}
    return {**{name: getattr(record, name) for name in shown}, **identity}


def _has_trouble(record: TrialRecord) -> bool:
    return bool(record.error_type or record.message or record.traceback or record.warnings or record.undefined)


def _refused(record: TrialRecord, error: UnstorableError) -> TrialRecord:
    """Return what is kept of a trial that the database refuses: that it was tried."""
    return TrialRecord(
        key=record.key,
        status="failed",
        host=record.host,
        identity=record.identity,
        error_type="StorageError",
        message=clean(f"what was measured cannot be stored: {error}"),
    )


def _column(name: str, column: Sequence[Any]) -> AnyArray:
    """Return a column of a table as an array; -1 stands for None in whole numbers."""
    if name in _REAL:
        return np.array(column, np.float64)
    return np.array([-1 if value is None else value for value in column], np.int64)


def _or_none(x: float) -> float | None:
    return None if np.isnan(x) else float(x)


@check_call
@dataclass(frozen=True, kw_only=True)
class Revision:
    """One design in the history of a warehouse.

    Attributes
    ----------
    number : int
        From 1, the oldest; ``Warehouse.results(design=number)`` has its outcomes.
    created : datetime
        When it was recorded.
    changes : tuple of Difference
        How it differs from the one before; empty for the first, and where a design was not recorded by `podium.run`.
    accept : tuple of str
        What was accepted; see `podium.run`.
    trials : int
        Number of attempts at trials that were added while it was the newest.
    """

    number: int
    created: datetime
    changes: tuple[Difference, ...]
    accept: tuple[str, ...]
    trials: int

    def __str__(self) -> str:
        accepted = f", accepting {' and '.join(self.accept)}" if self.accept else ""
        noun = "trial" if self.trials == 1 else "trials"
        head = f"{self.number}. {self.created:%Y-%m-%d %H:%M} UTC: {self.trials:,} {noun}{accepted}"
        return "\n".join([head, *(f"   {change}" for change in self.changes)])


def read_history(database: Database) -> Iterator[Revision]:
    """Yield the designs of a database, oldest first."""
    rows = read_table(database, "design")
    designs = [parse(row[3]) for row in rows]
    records = [None, *(design.get("record") for design in designs)]
    before = [row[4] for row in rows]
    numbers = np.concatenate([np.empty(0, np.int64), *(keys["number"] for keys in compared(database))])
    trials = np.diff(np.searchsorted(numbers, before, side="right"), append=len(numbers))
    for number, ((old, new), row) in enumerate(zip(pairwise(records), rows, strict=True), start=1):
        known = old is not None and new is not None
        yield Revision(
            number=number,
            created=datetime.fromtimestamp(row[1], UTC),
            changes=tuple(differences(old, new)) if known else (),
            accept=tuple(designs[number - 1].get("accept", ())),
            trials=int(trials[number - 1]),
        )
