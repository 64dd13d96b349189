"""The choice of characteristics, by set, by name or defined by the user, and their values for one data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from podium.checks import check_choice, describe
from podium.design.characteristics.characteristic import CHARACTERISTICS, Characteristic
from podium.design.characteristics.data_view import DataView
from podium.design.characteristics.reductions import Reduction, labels, reduced
from podium.errors import InputError, LabelError, UndefinedError, join_names

STATLOG = (
    "obs.n",
    "var.n",
    "nvar.n",
    "nvar.entropy",
    "nvar.bin",
    "cvar.n",
    "cvar.mac",
    "cvar.skew",
    "cvar.kurt",
    "resp.cl",
    "resp.entropy",
    "i2r.fcc",
    "i2r.frac1",
    "i2r.mi",
    "i2r.envar",
    "i2r.nsratio",
)
SETS = ("statlog", "landmarks", "extended")

NAME = "(characteristics)"  # of the algorithm under which a warehouse has them

Chosen: TypeAlias = (
    str | Characteristic | Mapping[str, tuple[Any, Reduction]] | Sequence[str | Characteristic | Mapping[str, Any]]
)


def described(
    view: DataView, chosen: Sequence[Characteristic], reduce: Reduction | None
) -> tuple[dict[str, float], dict[str, str]]:
    """Values, and why others are missing."""
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for one in chosen:
        reduction = one.reduce if reduce is None or not one.per_variable else reduce
        try:
            found = np.asarray(one.map(view), dtype=float).reshape(-1)
            known = found[~np.isnan(found)]
            if not len(known):
                raise UndefinedError("The data set has no variable from which it could be computed.")
            values |= reduced(known, reduction, one.name)
        except Exception as error:  # whatever a user's function raises costs only this characteristic
            undefined = isinstance(error, UndefinedError)
            reasons[one.name] = str(error) if undefined else f"{type(error).__name__}: {error}"
            values |= dict.fromkeys(labels(reduction, one.name), float("nan"))
    return values, reasons


def check_characteristics(given: Any, algorithms: Iterable[str]) -> tuple[Characteristic, ...]:
    """Return the characteristics that an experiment names; an empty sequence names none."""
    if isinstance(given, list | tuple) and not given:
        return ()
    if NAME in algorithms:
        raise InputError(f"The name {NAME!r} is reserved for the characteristics; give the algorithm another one.")
    return chosen_characteristics(given)


def chosen_characteristics(given: Any) -> tuple[Characteristic, ...]:
    """Return characteristics chosen by set, by name, or defined by the user."""
    parts = [given] if isinstance(given, str | Characteristic | Mapping) else given
    if not isinstance(parts, Iterable) or (isinstance(parts, np.ndarray) and parts.ndim != 1):
        raise InputError(f"`characteristics` must be names, or Characteristic objects; got {describe(given)}.")
    found: list[Characteristic] = []
    for i, part in enumerate(parts):
        if isinstance(part, Mapping):
            found += [_own(name, pair) for name, pair in part.items()]
        elif isinstance(part, Characteristic):
            found.append(part)
        else:
            found += [CHARACTERISTICS[name] for name in _names(part, i)]
    if not found:
        raise InputError("`characteristics` is empty; name at least one.")
    unique = list(dict.fromkeys(found))
    names = [one.name for one in unique]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LabelError(f"`characteristics` must have different names; {join_names(twice)} occurs twice.")
    return tuple(unique)


def _names(part: object, i: int) -> tuple[str, ...]:
    if part == "statlog":
        return STATLOG
    if part == "landmarks":
        return tuple(name for name in CHARACTERISTICS if name.startswith("land."))
    if part == "extended":
        return (*STATLOG, *(name for name in CHARACTERISTICS if name not in STATLOG))
    check_choice(part, [*SETS, *CHARACTERISTICS], "characteristics", path=("characteristics", i))
    return (str(part),)


def _own(name: object, pair: object) -> Characteristic:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise InputError(f"`characteristics[{name!r}]` must be a pair (map, reduce); got {describe(pair)}.")
    return Characteristic(name, *pair)  # type: ignore[arg-type]  # it checks the name
