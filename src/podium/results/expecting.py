"""One check of what an analysis or a figure is given, so that a table or a file name gets a way out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from podium.errors import InputError
from podium.results.results import Results


def expect_results(thing: object, argument: str = "results") -> Results:
    """Return `thing` if it is a `Results`; else say what came, and what to do with it.

    >>> import podium
    >>> expect_results("scores.csv")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `results` must be a Results; got the text 'scores.csv'. Use podium.read('scores.csv').
    """
    if isinstance(thing, Results):
        return thing
    raise InputError(f"`{argument}` must be a Results; got {_came(thing)}. {_way_out(thing, argument)}")


def _came(thing: object) -> str:
    if isinstance(thing, str | Path):
        return f"the text {str(thing)!r}"
    return came(thing)


def with_article(noun: str) -> str:
    """Put the indefinite article before a name.

    >>> with_article("Experiment"), with_article("DataFrame")
    ('an Experiment', 'a DataFrame')
    """
    return f"a{'n' if noun[0] in 'AEIOUaeio' else ''} {noun}"


def _way_out(thing: object, argument: str) -> str:
    kind = type(thing).__name__
    if isinstance(thing, str | Path):
        return f"Use podium.read({str(thing)!r})."
    if isinstance(thing, pd.DataFrame | pd.Series):
        return "Use podium.read(frame); it needs measure='...' if the table does not say what was measured."
    if kind == "Experiment":
        return "Use podium.run(experiment)."
    if kind == "Warehouse":
        return "Use warehouse.results()."
    if hasattr(thing, "algorithms"):
        return f"Hand in the results that the {kind} was made from."
    return f"podium.read and podium.run make {argument}."


def came(thing: object) -> str:
    """Name what was handed in.

    >>> came(None), came([0.1]), came("iris")
    ('None', 'a list', 'a str')
    """
    return "None" if thing is None else with_article(type(thing).__name__)
