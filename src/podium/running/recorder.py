"""`Recorder`: a warehouse for loops that podium does not run."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isnan
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from podium.checks import (
    check_call,
    check_count,
    check_flag,
    check_mapping,
    check_name,
    describe,
    is_number,
    is_storable,
    shown,
)
from podium.errors import DirectionError, InputError, join_names
from podium.results import MeasureInfo
from podium.results.cube import SAMPLE_FIELDS
from podium.results.forms.arguments import Arguments
from podium.results.measure_info import parse_direction
from podium.running.environment import environment
from podium.store.address import is_address
from podium.store.record import TrialKey, TrialRecord
from podium.store.rows import LIMITS
from podium.store.sqlite import MEMORY
from podium.store.warehouse import Warehouse


@check_call
class Recorder:
    """Records what your own loop measures, in a warehouse that the rest of podium reads.

    Calling it records the measures of one trial: one algorithm on one replication of one data set. Each row is kept
    before the call returns. Any number of processes and threads, also forked ones, can record in one file at once.

    Parameters
    ----------
    where : path or str
        A file (SQLite), created if it does not exist, or a ``postgresql://`` URL.
    direction : mapping of str to {"lower", "higher"}, optional
        Which values are better, for measures whose names do not imply it.
    fold, repeat : int, optional
        Place in a cross-validation, counted from 1. This and the following are facts that tests need; each can be given
        here for all rows, or with a row.
    n_learn, n_test : int, optional
        Sizes of the learning and the test sample.
    independent : bool, optional
        Whether the replications of a data set are independent of each other, see `read`; the same for a whole file.

    Examples
    --------
    >>> import podium
    >>> folder = getfixture("tmp_path")
    >>> with podium.Recorder(folder / "runs.db", direction={"chrF": "higher"}) as record:
    ...     for seed in (1, 2):
    ...         if not record.done(dataset="wmt", algorithm="base", replication=seed):
    ...             record(dataset="wmt", algorithm="base", replication=seed, chrF=58.1 + seed, seconds=5400)
    >>> podium.read(folder / "runs.db").shape
    (1, 2, 1, 2)
    """

    def __init__(
        self,
        where: str | Path,
        *,
        direction: Mapping[str, str] | None = None,
        fold: int | None = None,
        repeat: int | None = None,
        n_learn: int | None = None,
        n_test: int | None = None,
        independent: bool | None = None,
    ) -> None:
        if str(where) == MEMORY:
            raise InputError("`where` must be a file or a postgresql:// URL: processes do not share a memory.")
        words = check_mapping({} if direction is None else direction, "`direction`")
        self._direction = {name: parse_direction(word) for name, word in words.items()}
        self._facts = _facts(fold=fold, repeat=repeat, n_learn=n_learn, n_test=n_test, independent=independent)
        self._where = where
        with self._opened() as warehouse:
            warehouse.together(lambda: self._check(warehouse, independent=independent))
        self._where = where if is_address(str(where)) else Path(where).absolute()  # the loop may change its folder

    def __repr__(self) -> str:
        with self._opened() as warehouse:
            return repr(warehouse).replace("Warehouse", "Recorder", 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        """Do nothing: every row is kept already."""

    def __call__(
        self,
        *,
        dataset: str,
        algorithm: str,
        replication: int,
        measures: Mapping[str, float] | None = None,
        fold: int | None = None,
        repeat: int | None = None,
        n_learn: int | None = None,
        n_test: int | None = None,
        independent: bool | None = None,
        **values: float,
    ) -> None:
        """Record the measures of a trial.

        Parameters
        ----------
        dataset, algorithm : str
        replication : int
            Counted from 1; what has the same number on a data set shares its learning sample, seed or fold.
        measures : mapping of str to float, optional
            Measures whose names are no identifiers of Python, such as ``{"top-5 accuracy": 0.93}``.
        fold, repeat, n_learn, n_test, independent : optional
            Facts about this replication, see `Recorder`; they win over those given there.
        **values : float
            The measures by name. A value that is not finite is kept as undefined.

        Raises
        ------
        InputError
            If a measure of this trial is recorded already, or the facts contradict those of another row.
        """
        measured = {**check_mapping({} if measures is None else measures, "`measures`"), **values}
        numbers = {check_name(name, "measures"): _number(name, value) for name, value in measured.items()}
        if not numbers:
            raise InputError("There is nothing to record: give at least one measure, such as accuracy=0.93.")
        facts = _facts(fold=fold, repeat=repeat, n_learn=n_learn, n_test=n_test, independent=independent)
        self._add(_key(dataset, algorithm, replication), numbers, {**self._facts, **facts})

    def failed(self, *, dataset: str, algorithm: str, replication: int, error: str | BaseException) -> None:
        """Record that a trial failed, and why; it can be tried and recorded again.

        Parameters
        ----------
        dataset, algorithm : str
        replication : int
        error : str or exception
        """
        key = _key(dataset, algorithm, replication)
        if isinstance(error, BaseException):
            trace = "".join(traceback.format_exception(error))
            self._add(key, {}, self._facts, error_type=type(error).__name__, message=str(error), traceback=trace)
        else:
            self._add(key, {}, self._facts, message=check_name(error, "error"))

    def done(self, *, dataset: str, algorithm: str, replication: int) -> bool:
        """Return whether measures of a trial are recorded, by whatever process; not whether it failed.

        Parameters
        ----------
        dataset, algorithm : str
        replication : int
        """
        key = _key(dataset, algorithm, replication)
        with self._opened() as warehouse:
            return any(
                record.key == key and record.status == "done"
                for record in warehouse.records_of(key.dataset, key.replication)
            )

    def _opened(self) -> Warehouse:
        """Open the warehouse for one call.

        A connection would not survive a fork, could not be used by another thread or be pickled, and a server or
        firewall may end it during the hours that a trial takes.
        """
        return Warehouse(self._where)

    def _check(self, warehouse: Warehouse, names: Iterable[str] = (), independent: object = None) -> None:
        """Refuse a contradiction to what is recorded, and record which values of new measures are better."""
        design = warehouse.design or {"datasets": [], "algorithms": [], "replications": 0, "measures": []}
        if warehouse.design is not None and not design.get("recorded"):
            raise InputError(f"The warehouse {warehouse.name!r} is written by runs. Use another one for a Recorder.")
        known = {str(entry["name"]): entry for entry in design["measures"]}
        for name, word in self._direction.items():
            if name in known and known[name]["direction"] != word:
                raise DirectionError(
                    f"`direction` says that {word} values of {name!r} are better; in {warehouse.name!r} it is recorded "
                    f"that {known[name]['direction']} values are.",
                    path=("direction",),
                )
        if independent is not None and independent != design.get("independent", independent):
            raise InputError(
                f"`independent` is a fact about all rows of a file: {design['independent']} in {warehouse.name!r}; "
                f"got {independent}."
            )
        new = [self._info(name) for name in names if name not in known]
        told = {} if independent is None or "independent" in design else {"independent": independent}
        if new or told or warehouse.design is None:
            document = {**design, "measures": [*known.values(), *map(asdict, new)], "recorded": True, **told}
            warehouse.set_design(document, fingerprint="recorded")

    def _info(self, name: str) -> MeasureInfo:
        """Describe a measure that is recorded for the first time."""
        given = {name: self._direction[name]} if name in self._direction else None
        return Arguments(direction=given).describe([name])[0]

    def _add(self, key: TrialKey, values: Mapping[str, float], facts: Mapping[str, int], **trouble: Any) -> None:
        """Record a trial in one transaction, which no other recorder shares."""
        sample: dict[str, Any] = {fact: int(facts[fact]) for fact in SAMPLE_FIELDS if fact in facts}
        undefined = {name: "the loop measured no number" for name, value in values.items() if isnan(value)}
        record = TrialRecord(
            key=key,
            status="done" if values else "failed",
            values=values,
            undefined=undefined,
            started=time.time(),
            host=environment(),
            **sample,
            **trouble,
        )

        def add() -> None:
            self._check(warehouse, values, facts.get("independent"))
            _refuse_second(record, warehouse.records_of(key.dataset, key.replication))
            warehouse.append([record])
            _ = warehouse.design  # refuses more cells than results can have, such as those of replication 10⁹

        with self._opened() as warehouse:
            warehouse.together(add)


def _refuse_second(record: TrialRecord, others: Sequence[TrialRecord]) -> None:
    """Refuse what is recorded already, and facts that contradict those of the same replication."""
    for other in others:
        if other.key == record.key and other.status == "done":
            shared = [name for name in other.values if name in record.values or not record.values]
            if shared:
                recorded, given = (
                    join_names((f"{name}={values[name]}" for name in shared if name in values), quote=False)
                    for values in (other.values, record.values)
                )
                raise InputError(f"{record.key} has {recorded} already; got {given or shown(record.message)}.")
        for fact in SAMPLE_FIELDS:
            before, now = getattr(other, fact), getattr(record, fact)
            if before != now and min(before, now) >= 0:
                raise InputError(
                    f"`{fact}` is the same for all algorithms in a replication: {before} in {other.key}; got {now}.",
                    path=(fact,),
                )


def _key(dataset: str, algorithm: str, replication: int) -> TrialKey:
    for name, argument in ((dataset, "dataset"), (algorithm, "algorithm")):
        check_name(name, argument)
        if not is_storable(name):
            raise InputError(f"`{argument}` has characters that cannot be stored; got {shown(name)}.", path=(argument,))
    check_count(replication, "replication", most=LIMITS["replication"][1])
    return TrialKey(dataset.strip(), int(replication), algorithm.strip())


def _facts(**given: int | None) -> dict[str, int]:
    """Return the facts that are given."""
    facts = {name: fact for name, fact in given.items() if fact is not None}
    for name, fact in facts.items():
        if name == "independent":
            check_flag(fact, name)
        else:
            check_count(fact, name, most=LIMITS[name][1])
    return facts


def _number(name: str, value: object) -> float:
    if not is_number(value):
        raise InputError(f"`{name}` must be a number; got {describe(value)}.", path=(name,))
    return float(value)  # type: ignore[arg-type]
