"""`Characteristic`: a number, or several, that describe a data set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from podium.checks import check_call, check_name, shown
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.reductions import Reduction, check_reduction
from podium.errors import InputError
from podium.registry import Registry


@check_call
@dataclass(frozen=True)
class Characteristic:
    """A characteristic of data sets: a map, followed by a reduction.

    Parameters
    ----------
    name : str
    map : callable
        ``map(data: DataView) -> number or vector``. The length may depend on the data; an empty vector makes the
        characteristic missing. It may raise `podium.errors.UndefinedError`, whose text is the reason.
    reduce : str or callable, default "mean"
        How the vector is reduced: a name in `podium.design.REDUCTIONS`, `podium.design.quantiles`,
        `podium.design.histogram`, or a function ``reduce(vector) -> number or mapping from suffixes to numbers``.
    description : str
    per_variable : bool, default False
        Whether the map has a value for each variable, so that the argument `reduce` of `podium.characterize` applies.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> zeros = podium.design.Characteristic("zeros", lambda data: (data.numeric == 0).mean(axis=0), "max")
    >>> frame = pd.DataFrame({"a": [0.0, 0.0, 1.0, 2.0], "b": [1.0, 2.0, 3.0, 0.0]})
    >>> podium.characterize(frame, characteristics=zeros).to_dict()
    {'zeros': 0.5}
    """

    _made_from: ClassVar = ((object, "Create one with podium.design.Characteristic(name, map, reduce)."),)

    name: str
    map: Callable[[DataView], Any]
    reduce: Reduction = "mean"
    description: str = ""
    per_variable: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", check_name(self.name, "name"))
        if not callable(self.map):
            raise InputError(f"`map` of {self.name!r} must be a function of the data; got {shown(self.map)}.")
        check_reduction(self.reduce, "reduce")


CHARACTERISTICS: Registry[Characteristic] = Registry("podium.design.characteristics", Characteristic)
