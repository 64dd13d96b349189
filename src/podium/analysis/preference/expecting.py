"""One check of what is handed on as a relation, with the way from what came to one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.errors import InputError
from podium.results import Results
from podium.results.expecting import came

if TYPE_CHECKING:
    from podium.analysis.preference.relation import Relation


def expect_relation(thing: object, argument: str = "relation") -> Relation:
    """Return `thing` if it is a `Relation`; else say what came, and how to get one.

    >>> expect_relation("svm < knn")
    Traceback (most recent call last):
    ...
    podium.errors.InputError: `relation` must be a Relation; got a str. Use podium.Relation.from_chain('svm < knn').
    """
    from podium.analysis.preference.relation import Relation  # relation.py needs this module

    if isinstance(thing, Relation):
        return thing
    raise InputError(f"`{argument}` must be a Relation; got {came(thing)}. {way_to_relation(thing)}")


def way_to_relation(thing: object) -> str:
    """Tell how to make a relation of something, if there is a way."""
    kind = type(thing).__name__  # comparisons and consensus stand on relations and cannot be imported here
    if isinstance(thing, str) and ("<" in thing or "~" in thing):
        return f"Use podium.Relation.from_chain({thing!r})."
    if isinstance(thing, Results):
        return "Use podium.compare(results).relation(), or podium.Relation.from_results(results)."
    if isinstance(thing, pd.DataFrame):
        return (
            "Use podium.Relation.from_incidence(frame) for an incidence matrix, or "
            "podium.compare(podium.read(frame)).relation() for scores."
        )
    if isinstance(thing, np.ndarray):
        return "Use podium.Relation.from_incidence(matrix, names)."
    if kind == "Comparison":
        return "Use comparison.relation()."
    if kind == "Consensus":
        return "Use consensus.relation, or one of consensus.relations."
    return "comparison.relation(), podium.Relation.from_chain, from_ranks and from_estimates make one."


def refuse_no_numbers(thing: object, argument: str) -> None:
    """Refuse what holds no numbers of algorithms at all, before anything else is asked about it."""
    if isinstance(thing, str) or not isinstance(thing, Mapping | Sequence | np.ndarray | pd.Series | pd.DataFrame):
        raise InputError(f"`{argument}` must be numbers; got {came(thing)}. {way_to_relation(thing)}")


def as_numbers(values: npt.ArrayLike, argument: str) -> npt.NDArray[np.float64]:
    """Take numbers; refuse what is none, by the name of the argument."""
    try:
        return np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"`{argument}` must be numbers; got {came(values)}: {values!r:.60}.") from None
