"""The measures known by name.

Each is defined in a module of this folder as a `NamedMeasure`. To add one, add a module, or a definition to the module
of its family.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias

import pandas as pd

from podium.arrays import FloatArray
from podium.checks import check_call, did_you_mean
from podium.design.parameter import Parameter
from podium.design.sample import Task
from podium.errors import AmbiguousInputError, LabelError, join_names
from podium.registry import Registry
from podium.results.measure_info import Direction, Scale

__all__ = ["MEASURES", "NamedMeasure", "measures", "named_measure"]

Functional: TypeAlias = Literal["mean", "median"] | float

ANY_TASK: tuple[Task, ...] = ("classification", "regression", "unsupervised")
LABELS = frozenset({"prediction", "labels"})
PREDICTION = frozenset({"prediction"})
PROBABILITY = frozenset({"probability"})
SCORE = frozenset({"score"})


@dataclass(frozen=True)
class NamedMeasure:
    """A measure known by name: a functional of a loss, or a function of the whole trial.

    Attributes
    ----------
    name : str
    direction : {"lower", "higher"}
        Which values are better.
    title : str
        What it is, in a few words.
    tasks : tuple of str
        The tasks it is for.
    needs : frozenset of {"prediction", "labels", "probability", "score", "model", "time", "memory"}
        What it looks at; see `Measure`. If empty, it may look at the model and at the times.
    loss : callable, optional
        ``loss(fitted: Fitted, **options) -> array``: the loss of each test observation.
    function : callable, optional
        ``function(fitted: Fitted, **options) -> float``; either this or a loss.
    functional : {"mean", "median"} or float
        The functional of the losses, unless the user asks for another.
    options : mapping
        Name to `Parameter`.
    aliases : tuple of str
        Other names.
    ambiguous : tuple of str
        Other names that the literature also uses for another measure; they are refused.
    units : str
        The units of its values.
    scale : {"linear", "log"}, optional
        The scale of its axis.
    """

    name: str
    direction: Direction
    title: str
    tasks: tuple[Task, ...] = ANY_TASK
    needs: frozenset[str] = frozenset()
    loss: Callable[..., FloatArray] | None = None
    function: Callable[..., float] | None = None
    functional: Functional = "mean"
    options: Mapping[str, Parameter] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    units: str = ""
    scale: Scale | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of all options."""
        return (*(("functional",) if self.loss else ()), *self.options)


MEASURES: Registry[NamedMeasure] = Registry(__name__, NamedMeasure)


def named_measure(name: str) -> NamedMeasure:
    """Return the measure of this name; case, spaces and punctuation do not matter."""
    found = _index().get(_key(name), [])
    if len(found) > 1:
        meanings = " and ".join(f"{known.name!r} ({known.title})" for known in found)
        raise AmbiguousInputError(f"{name!r} stands for {len(found)} measures: {meanings}. Give one of these names.")
    if not found:
        raise LabelError(
            f"There is no measure {name!r}. The measures are {join_names(MEASURES, most=40)}. A scorer of scikit-learn "
            f"is {{'scorer': {name!r}}}; any function of model, learning sample and test sample can be a "
            f"measure.{did_you_mean(name, MEASURES)}"
        )
    return found[0]


@cache
def _index() -> dict[str, list[NamedMeasure]]:
    """Return the measures that each name may stand for."""
    found: dict[str, list[NamedMeasure]] = {}
    for known in MEASURES.values():
        for word in dict.fromkeys(map(_key, (known.name, *known.aliases, *known.ambiguous))):
            found.setdefault(word, []).append(known)
    return found


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("²", "2"))


@check_call
def measures() -> pd.DataFrame:
    """List the measures known by name.

    Returns
    -------
    DataFrame
        One row per measure: direction, units, what it is, for which tasks, its options and other names.

    Examples
    --------
    >>> import podium
    >>> podium.measures().loc["recall", "other names"]
    'pd, sensitivity, tpr, true positive rate, probability of detection'
    """
    rows = [
        {
            "measure": known.name,
            "better": known.direction,
            "units": known.units,
            "title": known.title,
            "tasks": ", ".join(known.tasks),
            "options": ", ".join(known.keys),
            "other names": ", ".join(known.aliases),
        }
        for known in MEASURES.values()
    ]
    return pd.DataFrame(rows).set_index("measure")
