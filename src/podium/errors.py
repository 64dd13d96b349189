"""Every error podium raises on purpose, as one tree, and its warnings.

::

    PodiumError
    ├── InputError (ValueError)          an argument or its content cannot be used
    │   ├── AmbiguousInputError          it can be read in more than one way
    │   ├── LabelError (KeyError)        an unknown or repeated data set, algorithm, ...
    │   ├── DuplicateCellError           one cell of the cube was given more than once
    │   ├── CellValueError               a value that is not a finite number
    │   ├── DirectionError               it is unknown whether lower or higher is better
    │   └── DesignError                  a design, in Python or in a file, that cannot be run; carries ``path``
    ├── MissingCellsError (ValueError)   cells are missing and the policy is "raise"
    ├── ConflictError (ValueError)       two Results contradict each other; carries ``report``
    ├── ExecutionError (RuntimeError)    a run cannot continue
    │   ├── BusyError                    another run is writing into the warehouse
    │   ├── DamageError                  a warehouse cannot be read as it was written
    │   ├── StorageError                 a warehouse cannot be written: a full disk, a lost server, missing privileges
    │   └── DesignChangedError           the warehouse was made with another design
    │       └── UnknownIdentityError     it is not known what made the trials in the warehouse
    ├── FetchError (OSError)             a file on a server cannot be fetched
    ├── FitError (RuntimeError)          a model cannot be fitted, or its predictions cannot be used
    ├── SkipTrial                        an algorithm declares that it does not apply to a sample
    ├── UndefinedError (ArithmeticError) a measure has no value for this model or sample
    └── MissingExtraError (ImportError)  an optional package is not installed

    PodiumWarning (UserWarning)
    ├── ImplausibleValuesWarning         values that the measure cannot have, or on two scales; carries the cells
    ├── IncompleteCopyWarning            a warehouse without the log of a run that was killed
    ├── IndexColumnWarning               a column that counts the rows was taken for an algorithm
    └── MissingLettersWarning            letters that no installed font has, drawn as boxes

A message names the argument, what was expected, what was given, where the fault is, and the way out, in the words of
Python; the command line adds its options, from `path` and `remedy`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

__all__ = [
    "AmbiguousInputError",
    "BusyError",
    "CellValueError",
    "ConflictError",
    "DamageError",
    "DesignChangedError",
    "DesignError",
    "DirectionError",
    "DuplicateCellError",
    "ExecutionError",
    "FetchError",
    "FitError",
    "ImplausibleValuesWarning",
    "IncompleteCopyWarning",
    "IndexColumnWarning",
    "InputError",
    "LabelError",
    "MissingCellsError",
    "MissingExtraError",
    "MissingLettersWarning",
    "PodiumError",
    "PodiumWarning",
    "SkipTrial",
    "StorageError",
    "UndefinedError",
    "UnknownIdentityError",
]

EntryPath: TypeAlias = tuple[str | int, ...]


class PodiumError(Exception):
    """Base of every error raised by podium."""


class InputError(PodiumError, ValueError):
    """An argument, or what it contains, cannot be used.

    Attributes
    ----------
    path : tuple of str and int
        The argument, or the offending entry inside the value that was checked: ``("parameters", "k")``; empty if it is
        that value.
    remedy : mapping
        Arguments with values that would do.
    """

    def __init__(self, *arguments: object, path: EntryPath = (), remedy: Mapping[str, object] | None = None) -> None:
        super().__init__(*arguments)
        self.path = path
        self.remedy = remedy or {}


class AmbiguousInputError(InputError):
    """The input can be read in more than one way; the message lists them."""


class LabelError(InputError, KeyError):
    """A label is unknown, or is given twice."""

    __str__ = Exception.__str__  # KeyError would show the repr of the message


class DuplicateCellError(InputError):
    """One cell of the cube was given more than once."""


class CellValueError(InputError):
    """A value is not a finite number."""


class DirectionError(InputError):
    """The direction of a measure is unknown."""


class DesignError(InputError):
    """The design of an experiment cannot be run.

    Attributes
    ----------
    path : tuple of str and int
        Where in the design: ``("algorithms", 2)`` is the third entry of `algorithms`.
    file : str
        The file the design was read from; empty if it was not.
    line : int
        The line in that file, counted from 1; 0 without a file.
    """

    def __init__(self, message: str, path: EntryPath = (), *, file: str = "", line: int = 0) -> None:
        super().__init__(f"{file}:{line}: {message}" if file else message, path=path)
        self.message = message
        self.file = file
        self.line = line


class MissingCellsError(PodiumError, ValueError):
    """Cells are missing and the policy in force is ``"raise"``."""


class ConflictError(PodiumError, ValueError):
    """Two Results contradict each other.

    Attributes
    ----------
    report : pandas.DataFrame
        One row per contradicting cell, with both values.
    """

    def __init__(self, message: str, report: Any) -> None:
        super().__init__(message)
        self.report = report


class ExecutionError(PodiumError, RuntimeError):
    """A run cannot continue, or a task of it was lost."""


class BusyError(ExecutionError):
    """Another run is writing into the warehouse."""


class DamageError(ExecutionError):
    """A warehouse is damaged: something in it is not as it was written, or is missing."""


class StorageError(ExecutionError):
    """A warehouse cannot be written: its disk is full, its server is gone, or privileges are missing."""


class DesignChangedError(ExecutionError):
    """The design of an experiment contradicts the one a warehouse was made with."""


class UnknownIdentityError(DesignChangedError):
    """It is not known what made trials in a warehouse, so an experiment cannot resume them."""


class FetchError(PodiumError, OSError):
    """A file on a server cannot be fetched: no network, no such file, or damaged in transfer."""


class FitError(PodiumError, RuntimeError):
    """A model could not be fitted, or its predictions cannot be used.

    Attributes
    ----------
    algorithm : str
        Name of the algorithm.
    stage : {"make", "fit", "predict"}
        What failed.
    """

    def __init__(self, algorithm: str, stage: str, reason: str) -> None:
        super().__init__(f"{_STAGES[stage]} {algorithm!r} failed: {reason}")
        self.algorithm = algorithm
        self.stage = stage
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.algorithm, self.stage, self.reason)


_STAGES = {"make": "Making a model of", "fit": "The fit of", "predict": "The prediction of"}


class SkipTrial(PodiumError):
    """Raised by an algorithm that does not apply to a sample; its trial is then skipped, with this reason."""


class UndefinedError(PodiumError, ArithmeticError):
    """A measure has no value: the model or the sample lacks what it needs."""


class PodiumWarning(UserWarning):
    """Base of every warning given by podium."""


class ImplausibleValuesWarning(PodiumWarning):
    """Values of a measure that its name rules out, or that are on two scales.

    Attributes
    ----------
    measure : str
    limits : (float, float)
        Between which the measure lies.
    algorithms : tuple of str
        Those whose values are all beyond these limits, while the others have none there; empty if there are none.
    cells : tuple of (dataset, replication, algorithm, value)
        The values that are suspected.
    """

    def __init__(
        self,
        message: str,
        *,
        measure: str,
        limits: tuple[float, float],
        algorithms: tuple[str, ...] = (),
        cells: tuple[tuple[str, str | int, str, float], ...] = (),
    ) -> None:
        super().__init__(message)
        self.measure, self.limits, self.algorithms, self.cells = measure, limits, algorithms, cells


class IncompleteCopyWarning(PodiumWarning):
    """A warehouse was copied without the log of a run that did not end properly, or that is still running."""


class IndexColumnWarning(PodiumWarning):
    """A column of a wide table counts the rows and was taken for an algorithm.

    Attributes
    ----------
    column : str
    """

    def __init__(self, message: str, *, column: str) -> None:
        super().__init__(message)
        self.column = column


class MissingLettersWarning(PodiumWarning):
    """A figure has letters that no installed font has.

    Attributes
    ----------
    letters : tuple of str
    """

    def __init__(self, message: str, *, letters: tuple[str, ...]) -> None:
        super().__init__(message)
        self.letters = letters


class MissingExtraError(PodiumError, ImportError):
    """An optional package is needed and not installed."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        super().__init__(f"{purpose} needs {package}; run: pip install 'podium[{extra}]'")


@contextmanager
def at_path(*path: str | int) -> Iterator[None]:
    """Prepend this path to the path of every input error raised inside."""
    try:
        yield
    except InputError as error:
        error.path = (*path, *error.path)
        raise


def join_names(items: Iterable[object], *, most: int = 5, quote: bool = True) -> str:
    """Write out the first few items and how many more there are; memory addresses are left out.

    >>> join_names(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    everything = list(items)
    shown = ", ".join(repr(item) if quote else str(item) for item in everything[:most])
    rest = len(everything) - most
    return re.sub(r" at 0x[0-9a-fA-F]+", "", shown) + (f" and {rest} more" if rest > 0 else "")


def plural(n: int, noun: str) -> str:
    """Write a number of things.

    >>> plural(1, "row"), plural(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def __dir__() -> list[str]:
    return __all__
