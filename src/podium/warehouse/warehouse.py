"""`Warehouse`: where every trial of an experiment is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.checks import (
    as_list,
    check_call,
    check_count,
    check_flag,
    check_mapping,
    describe,
    did_you_mean,
    expect,
    holds_several,
    is_whole,
    shown,
)
from podium.errors import BusyError, InputError, LabelError, listing
from podium.results import Results
from podium.setup.predictions import Kept
from podium.warehouse.cube import is_trial_of, load_codes, load_results
from podium.warehouse.database import Database, open_database
from podium.warehouse.files import read_trials, write_trials
from podium.warehouse.history import Revision, read_history
from podium.warehouse.integrity import Damage, find_damage
from podium.warehouse.merge import joint_design, new_trials
from podium.warehouse.predictions import KeptTrials, load_kept, parameter_frame, prediction_frame, read_kept
from podium.warehouse.record import (
    STATUSES,
    TrialIdentity,
    TrialKey,
    TrialRecord,
    TrialStatus,
    check_statuses,
    measure_set,
)
from podium.warehouse.schema import DESIGN_COLUMNS, PREDICTION_COLUMNS, TRIAL_COLUMNS, TROUBLE_COLUMNS
from podium.warehouse.status import Status, status_of

_BATCH = 5000  # trials that a merge adds at once
_SHOWN_OTHERWISE = ("key", "status", "values", "identity", "kept")
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

    _ways_out: ClassVar = {"Results": "Use warehouse.results()."}
    _made_from: ClassVar = (
        ((str, Path), "Open it: podium.Warehouse({thing})."),
        (object, "Open one with podium.Warehouse('file.db')."),
    )

    def __init__(self, where: str | Path, *, readonly: bool = False) -> None:
        check_flag(readonly, "readonly")
        self._database: Database = open_database(where, readonly=readonly)
        self._labels: dict[tuple[str, ...], int] = {}
        self._documents: dict[str, dict[str, int]] = {"host": {}, "measure_set": {}}
        self._learn_numbers()

    @property
    def name(self) -> str:
        """Path of the file, or address of the database without its password."""
        return self._database.name

    def __repr__(self) -> str:
        if self._database.closed:
            return f"Warehouse {self.name!r}: closed"
        counts = ", ".join(f"{count:,} {status}" for status, count in self.counts().items())
        return f"Warehouse {self.name!r}: {counts or 'no trials yet'}"

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
        (name, direction, units, scale of each), ``experiment`` (the design as it is written in a file, or None) and
        ``record`` (what two designs are compared by; absent where no experiment was run).
        """
        newest = next(iter(self._database.rows("SELECT document FROM design ORDER BY id DESC LIMIT 1")), None)
        return None if newest is None else json.loads(newest[0])

    def designs(self) -> list[dict[str, Any]]:
        """Return every design the warehouse has had, oldest first."""
        return [json.loads(text) for (text,) in self._database.rows("SELECT document FROM design ORDER BY id")]

    def set_design(self, document: Mapping[str, Any], fingerprint: str) -> None:
        """Record a design (its keys: see `design`); the earlier ones stay."""
        if not isinstance(fingerprint, str):
            raise InputError(f"`fingerprint` must be text; got {shown(fingerprint)}.", path=("fingerprint",))
        self._set_design(_checked_document(document, "document"), fingerprint, time.time())

    def _set_design(
        self, document: Mapping[str, Any], fingerprint: str, created: float, before: int | None = None
    ) -> None:
        text = json.dumps(document, sort_keys=True)
        with self._database.transaction():
            if before is None:
                before = int(next(self._database.rows("SELECT COALESCE(MAX(id), 0) FROM trial"))[0])
            self._database.insert("design", DESIGN_COLUMNS, [(created, fingerprint, text, before)])

    def _design(self, number: int | None) -> dict[str, Any]:
        """Return a design by its number in `history`, by default the newest."""
        design = self.design
        if design is None:
            raise InputError(f"The warehouse {self.name!r} is empty: it has no design and no trials.")
        if number is None:
            return design
        check_count(number, "design")
        designs = self.designs()
        if number > len(designs):
            raise InputError(
                f"`design` must be a number of `history()`, from 1 to {len(designs)}; got {number}.", path=("design",)
            )
        return designs[number - 1]

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
        return tuple(read_history(self._database))

    def identities(self) -> dict[str, dict[str, set[str]]]:
        """Return the identities of the data sets, algorithms and measures of all trials, by their names.

        An identity is empty if it is not known; see `TrialIdentity`.
        """
        found: dict[str, dict[str, set[str]]] = {"datasets": {}, "algorithms": {}, "measures": {}}
        for axis, name, identity in self._database.rows("SELECT axis, name, identity FROM label"):
            found[f"{axis}s"].setdefault(name, set()).add(identity)
        for (document,) in self._database.rows("SELECT document FROM measure_set"):
            for name, identity in measure_set(document):
                found["measures"].setdefault(name, set()).add(identity)
        return found

    # ---- writing --------------------------------------------------------------------------------------------------

    def append(self, records: Iterable[TrialRecord]) -> None:
        """Add trials, all of them or none."""
        if not isinstance(records, Iterable):
            raise InputError(f"`records` must be a sequence of TrialRecord; got {describe(records)}.")
        records = [expect(record, TrialRecord, "records") for record in records]
        if not records:
            return
        try:
            with self._database.transaction():
                self._insert(records)
        except BaseException:
            self._learn_numbers()  # forget those that were rolled back
            raise

    def merge(self, source: Warehouse) -> int:
        """Add the trials of another warehouse that this one does not have, and the history of its design.

        The designs must have the same seed and resampling. Trials of a data set, algorithm or measure that differs
        between them are kept apart, each under its own identity; those of this warehouse's newest design count. A trial
        that is done in both must have the same values, times aside; where it is done in one only, that counts.

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
            If a trial is done in both with different values; its `report` lists all of them.
        """
        expect(source, Warehouse, "source")
        design, other = self.design, source.design
        if other is None:
            return 0
        joint = other if design is None else joint_design(design, other, self.name, source.name)
        new = new_trials(self.records(), source.records(), joint, self.name, source.name)
        known = self.designs()
        sql = "SELECT document, fingerprint, created FROM design ORDER BY id"
        for text, fingerprint, created in source._database.rows(sql):
            if json.loads(text) not in known:
                self._set_design(json.loads(text), fingerprint, created)
        if joint != self.design:
            self.set_design(joint, fingerprint="merged")
        for start in range(0, len(new), _BATCH):
            self.append(new[start : start + _BATCH])
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
        records, designs = read_trials(path)
        if self.counts():
            raise InputError(f"The warehouse {self.name!r} is not empty; import into a new one and merge it.")
        for design in designs:
            document = _checked_document(design["document"], "path")
            created, before = design.get("created", time.time()), design.get("before", 0)
            self._set_design(document, design.get("fingerprint", "imported"), created, before)
        self.append(records)
        return len(records)

    def _insert(self, records: Sequence[TrialRecord]) -> None:
        numbers = self._database.insert("trial", TRIAL_COLUMNS, (self._row(record) for record in records))
        trouble = [
            (number, r.error_type, r.message, r.traceback, json.dumps(list(r.warnings)), json.dumps(dict(r.undefined)))
            for number, r in zip(numbers, records, strict=True)
            if r.error_type or r.message or r.traceback or r.warnings or r.undefined
        ]
        if trouble:
            self._database.insert_plain("trouble", TROUBLE_COLUMNS, trouble)
        kept = [(number, record.kept) for number, record in zip(numbers, records, strict=True) if record.kept]
        if kept:
            self._database.insert_plain("prediction", PREDICTION_COLUMNS, kept)

    def _row(self, record: TrialRecord) -> tuple[Any, ...]:
        key, identity = record.key, record.identity
        names = list(record.values)
        measured = names or list(identity.measures)  # of a trial that failed: what could not be measured
        numbers = np.array([record.values[name] for name in names], "<f8").tobytes() if names else None
        return (
            self._label("dataset", key.dataset, identity.dataset),
            int(key.replication),
            self._label("algorithm", key.algorithm, identity.algorithm),
            STATUSES.index(record.status) + 1,
            self._measure_set(measured, identity.measures) if measured else None,
            numbers,
            record.repeat,
            record.fold,
            record.n_learn,
            record.n_test,
            record.seed,
            record.started,
            _or_none(record.fit_seconds),
            _or_none(record.predict_seconds),
            self._document("host", record.host) if record.host else None,
        )

    def _label(self, axis: str, name: str, identity: str) -> int:
        label = axis, name, identity
        if label not in self._labels:
            self._learn_numbers()
        if label not in self._labels:
            self._labels[label] = self._database.insert("label", ("axis", "name", "identity"), [label])[0]
        return self._labels[label]

    def _measure_set(self, names: Sequence[str], identities: Mapping[str, str]) -> int:
        return self._document("measure_set", _measure_document(tuple((n, identities.get(n, "")) for n in names)))

    def _document(self, table: str, text: str) -> int:
        known = self._documents[table]
        if text not in known:
            self._learn_numbers()
        if text not in known:
            known[text] = self._database.insert(table, ("document",), [(text,)])[0]
        return known[text]

    def _learn_numbers(self) -> None:
        """Read the numbers that this or another process has assigned."""
        rows = self._database.rows
        self._labels = {tuple(label): int(i) for i, *label in rows("SELECT id, axis, name, identity FROM label")}
        for table, known in self._documents.items():
            known.clear()
            known.update({document: int(i) for i, document in rows(f"SELECT id, document FROM {table}")})

    # ---- reading --------------------------------------------------------------------------------------------------

    def results(self, design: int | None = None) -> Results:
        """Return everything that was measured; a trial that is not done is a missing cell with its reason.

        Parameters
        ----------
        design : int, optional
            Number of a design in `history`; by default the newest. Each design has the trials that were made with its
            own data sets, algorithms and measures, or that were accepted for it.
        """
        return load_results(self._database, self._design(design), self.name)

    def status(self, design: int | None = None) -> Status:
        """Return what is done, what went wrong and why, and what is left; also while a run writes."""
        document = self._design(design)
        codes = load_codes(self._database, document)
        records = self._records(kept=False, design=document) if (codes > 1).any() else ()
        return status_of(self.name, codes, document["datasets"], document["algorithms"], _newest(records))

    def check(self) -> tuple[Damage, ...]:
        """Check the integrity of the warehouse.

        Returns
        -------
        tuple of Damage
            What is wrong; empty if the warehouse is intact.
        """
        return find_damage(self._database)

    def export_trials(self, path: str | Path) -> Path:
        """Write every attempt at every trial into a ``.csv`` or ``.parquet`` file.

        One row per attempt, in the order they were made, with a column ``value: <measure>`` for each measure. All
        designs are written to a file beside it, ``<name>.design.json``.

        Returns
        -------
        Path
        """
        sql = (
            "SELECT created, fingerprint, document, (SELECT COUNT(*) FROM trial t WHERE t.id <= design.before) "
            "FROM design ORDER BY id"
        )
        designs = [
            {"created": created, "fingerprint": fingerprint, "before": int(before), "document": json.loads(document)}
            for created, fingerprint, document, before in self._database.rows(sql)
        ]
        return write_trials(path, self.records(), designs)

    def counts(self) -> dict[str, int]:
        """Count the trials by the status of their newest attempt."""
        sql = (
            "SELECT status, COUNT(*) FROM trial WHERE id IN "
            "(SELECT MAX(id) FROM trial GROUP BY dataset, replication, algorithm) GROUP BY status ORDER BY status"
        )
        return {STATUSES[status - 1]: int(count) for status, count in self._database.rows(sql)}

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

    def status_codes(self, design: int | Mapping[str, Any] | None = None) -> npt.NDArray[np.uint8]:
        """Return the status of every trial of a design: 0 for one left to do, else 1 + its position in `STATUSES`.

        A trial is done if it has a value of every measure of the design. Otherwise its newest attempt counts; a trial
        whose newest attempt is done lacks a measure that was added or changed since, and is left to do.

        Parameters
        ----------
        design : int or mapping, optional
            Number of a design in `history`, or a design that is not recorded; by default the newest.

        Returns
        -------
        ndarray of uint8, shape (M, B, K)
        """
        document = _checked_document(design, "design") if isinstance(design, Mapping) else self._design(design)
        return load_codes(self._database, document)

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
        return prediction_frame(self._kept(dataset, algorithm, replication, "'predictions', 'probabilities'"))

    def parameters(
        self,
        dataset: str | Sequence[str] | None = None,
        algorithm: str | Sequence[str] | None = None,
        replication: int | Sequence[int] | None = None,
    ) -> pd.DataFrame:
        """Return the hyperparameters that each fit has chosen, one row per trial.

        They are kept on request: ``Experiment(..., keep="parameters")``. The arguments are those of `predictions`.
        """
        return parameter_frame(self._kept(dataset, algorithm, replication, "'parameters'"))

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
                f"The warehouse {self.name!r} has none: nothing was kept. Use Experiment(..., keep=[{kinds}])."
            )
        for m in wanted[0]:
            for b in wanted[1]:
                cells = [(k, int(numbers[m, b, k])) for k in wanted[2] if numbers[m, b, k]]
                kept = read_kept(self._database, [number for _, number in cells])
                for k, number in cells:
                    yield TrialKey(design["datasets"][m], b + 1, design["algorithms"][k]), kept[number]

    def kept_trials(self, design: Mapping[str, Any]) -> KeptTrials:
        """Return what the warehouse has of the trials of a design: measures, and kept predictions."""
        return load_kept(self._database, _checked_document(design, "design"))

    def kept(self, numbers: Sequence[int]) -> dict[int, Kept]:
        """Return what was kept of attempts, by their numbers in `kept_trials`."""
        wanted = as_list(numbers, "numbers", "a list of whole numbers")
        for number in wanted:
            check_count(number, "numbers")
        return read_kept(self._database, wanted)

    def records(
        self, *, every_attempt: bool = True, design: int | Mapping[str, Any] | None = None, kept: bool = True
    ) -> Iterator[TrialRecord]:
        """Yield every attempt in the order it was appended, or only the newest attempt at each trial of a design.

        `design` is the number of one in `history`, or a design; without `kept`, predictions are not read.
        """
        check_flag(every_attempt, "every_attempt")
        check_flag(kept, "kept")
        if isinstance(design, Mapping):
            document: Mapping[str, Any] | None = _checked_document(design, "design")
        else:
            document = None if self.design is None or (every_attempt and design is None) else self._design(design)
        records = self._records(kept=kept, design=document)
        return records if every_attempt else _newest(records)

    def _records(self, *, kept: bool = True, design: Mapping[str, Any] | None = None) -> Iterator[TrialRecord]:
        """Yield attempts, with or without the predictions that were kept: all of them, or those of a design."""
        sql = (
            "SELECT d.name, t.replication, a.name, t.status, s.document, t.numbers, t.repeat, t.fold, t.n_learn, "
            "t.n_test, t.seed, t.started, t.fit_seconds, t.predict_seconds, h.document, x.error_type, x.message, "
            f"x.traceback, x.warnings, x.undefined, d.identity, a.identity, {'p.content' if kept else 'NULL'} "
            "FROM trial t JOIN label d ON d.id = t.dataset JOIN label a ON a.id = t.algorithm "
            "LEFT JOIN measure_set s ON s.id = t.measure_set LEFT JOIN host h ON h.id = t.host "
            "LEFT JOIN trouble x ON x.trial = t.id "
            f"{'LEFT JOIN prediction p ON p.trial = t.id ' if kept else ''}ORDER BY t.id"
        )
        for row in self._database.rows(sql):
            key = TrialKey(row[0], int(row[1]), row[2])
            if design is not None and not is_trial_of(design, key, row[20], row[21]):
                continue
            measured = measure_set(row[4]) if row[4] else []
            numbers = np.frombuffer(row[5] or b"", "<f8").tolist()
            yield TrialRecord(
                key=key,
                status=STATUSES[row[3] - 1],
                values={name: number for (name, _), number in zip(measured if numbers else (), numbers, strict=True)},
                repeat=int(row[6]),
                fold=int(row[7]),
                n_learn=int(row[8]),
                n_test=int(row[9]),
                seed=int(row[10]),
                started=float(row[11]),
                fit_seconds=_or_nan(row[12]),
                predict_seconds=_or_nan(row[13]),
                host=row[14] or "",
                error_type=row[15] or "",
                message=row[16] or "",
                traceback=row[17] or "",
                warnings=tuple(json.loads(row[18])) if row[18] else (),
                undefined=json.loads(row[19]) if row[19] else {},
                identity=TrialIdentity(row[20], row[21], {name: identity for name, identity in measured if identity}),
                kept=bytes(row[22] or b""),
            )


@contextmanager
def opened(warehouse: str | Path | Warehouse, *, readonly: bool = False) -> Iterator[Warehouse]:
    """Open a warehouse for the duration of the block; one that is open already stays open."""
    if isinstance(warehouse, Warehouse):
        yield warehouse
        return
    with Warehouse(warehouse, readonly=readonly) as store:
        yield store


def _checked_document(document: object, argument: str) -> Mapping[str, Any]:
    """Refuse a mapping that lacks what every design has."""
    mapping: Mapping[str, Any] = check_mapping(document, f"`{argument}`")
    lacking = [key for key in ("datasets", "algorithms", "replications", "measures") if key not in mapping]
    if lacking:
        raise InputError(
            f"`{argument}` must be the mapping of a design; it lacks {listing(lacking)}.", path=(argument,)
        )
    return mapping


def _chosen(labels: Any, known: Sequence[Any], argument: str) -> list[int]:
    """Return the positions of labels; of all if none are given."""
    if labels is None:
        return list(range(len(known)))
    wanted = list(labels) if holds_several(labels) else [labels]
    for label in wanted:
        if not (isinstance(label, str) or is_whole(label)) or label not in known:
            raise LabelError(
                f"`{argument}` must be one of {listing(known, most=12)}; got {shown(label)}."
                f"{did_you_mean(label, known)}"
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


@lru_cache
def _measure_document(measures: tuple[tuple[str, str], ...]) -> str:
    return json.dumps(measures)


def _or_none(x: float) -> float | None:
    return None if np.isnan(x) else float(x)


def _or_nan(x: Any) -> float:
    return float("nan") if x is None else float(x)
