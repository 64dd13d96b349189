"""Errors in the words of the command line: with the option that they are about, and those that would do."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Mapping

from podium.errors import DesignError, InputError

# Arguments that have another name on the command line.
_CALLED = {
    "columns": "column",
    "formats": "format",
    "path": "out",
    "resamples": "stability",
    "retry": "status",
    "statistics": "statistic",
    "where": "warehouse",
}


def error_text(error: InputError, options: Mapping[str, str]) -> str:
    """Word an error for a verb, whose arguments have these names on the command line.

    >>> error = InputError("Select one: measure='fit time'.", path=("measure",), remedy={"measure": "fit time"})
    >>> print(error_text(error, {"measure": "--measure", "file": "FILE"}))
    --measure: Select one: measure='fit time'.
    Use --measure 'fit time'.
    """
    known = {name: option for name, option in options.items() if option.startswith("-")}
    known |= {name: known[called] for name, called in _CALLED.items() if name not in known and called in known}
    about = known.get(str(error.path[0])) if error.path and not isinstance(error, DesignError) else None
    ways = [format_option(known[name], value) for name, value in error.remedy.items() if name in known]
    way = f"\nUse {' or '.join(ways)}.".replace("....", "...") if ways else ""
    return (f"{about}: " if about else "") + str(error) + way


def format_option(option: str, value: object) -> str:
    r"""Write an option with its value, as it is typed.

    >>> format_option("--column", {"algorithm": "clf", "dataset": ...}), format_option("--measure", "fit time")
    ('--column algorithm=clf --column dataset=...', "--measure 'fit time'")
    >>> format_option("--pair", ("forest, 100 trees", "svm")), format_option("--equivalence", (-0.01, 0.02))
    ('--pair \'"forest, 100 trees",svm\'', '--equivalence=-0.01,0.02')
    """
    if isinstance(value, Mapping):
        pairs = [f"{key}={'...' if one is ... else one}" for key, one in value.items()]
        return " ".join(f"{option} {shlex.quote(pair)}" for pair in pairs)
    if isinstance(value, tuple):  # as a row of a CSV file, with quotes where they are needed
        row = io.StringIO()
        csv.writer(row, lineterminator="").writerow(value)
        value = row.getvalue()
    text = shlex.quote(str(value))
    return f"{option}={text}" if text.startswith("-") else f"{option} {text}"
