"""Measures of what a fit costs: time, memory, size."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd

from podium.design.fitted import Fitted, model_name
from podium.design.measures import PREDICTION, NamedMeasure
from podium.errors import UndefinedError

TIME = frozenset({"time"})
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)


def fit_time(fitted: Fitted) -> float:
    """Return the seconds of the fit, tuning included."""
    return fitted.fit_seconds


FIT_TIME = NamedMeasure(
    "fit time",
    "lower",
    "seconds of the fit, tuning included",
    needs=TIME,
    function=fit_time,
    units="s",
    scale="log",
)


def predict_time(fitted: Fitted) -> float:
    """Return the seconds of the prediction of the test sample."""
    if np.isnan(fitted.predict_seconds):
        raise UndefinedError(f"{model_name(fitted.model)} does not predict")
    return fitted.predict_seconds


PREDICT_TIME = NamedMeasure(
    "predict time",
    "lower",
    "seconds of the prediction of the test sample",
    needs=PREDICTION | TIME,
    function=predict_time,
    units="s",
    scale="log",
)


def peak_memory(fitted: Fitted) -> float:
    """Return the peak memory of the fit in bytes."""
    return fitted.peak_memory


PEAK_MEMORY = NamedMeasure(
    "peak memory",
    "lower",
    "most memory in use during the fit",
    needs=frozenset({"memory"}),
    function=peak_memory,
    units="B",
    scale="log",
)


def model_size(fitted: Fitted) -> float:
    """Return the bytes that the fitted model holds."""
    return float(held_bytes(fitted.model))


MODEL_SIZE = NamedMeasure(
    "model size",
    "lower",
    "memory of the fitted model",
    needs=frozenset({"model"}),
    function=model_size,
    units="B",
    scale="log",
)


def held_bytes(thing: Any) -> int:
    """Add up the bytes of an object and of all it refers to, each object once; code does not count.

    Arrays count with their data, including those inside compiled objects that can describe their state.

    >>> import numpy as np
    >>> held_bytes({"a": np.zeros(1000)}) - held_bytes({"a": np.zeros(0)})
    8000
    """
    seen: set[int] = set()
    keep: list[Any] = []  # objects made on the way must stay alive, or their ids could be used again
    waiting, total = [thing], 0
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, CODE):
            continue
        seen.add(id(item))
        keep.append(item)
        size, inside = _weigh(item)
        total += size
        waiting.extend(inside)
    return total


def _weigh(item: Any) -> tuple[int, Iterable[Any]]:
    """Return the bytes of an object itself, and what it refers to."""
    if isinstance(item, np.ndarray):
        if isinstance(item.base, np.ndarray):  # a view
            return sys.getsizeof(item), [item.base]
        borrowed = item.nbytes if item.base is not None else 0  # from a compiled object, which does not count it
        inside = item.ravel().tolist() if item.dtype.hasobject and not item.dtype.names else ()
        return sys.getsizeof(item) + borrowed, inside
    if isinstance(item, pd.DataFrame | pd.Series | pd.Index):
        used = item.memory_usage(deep=True)
        return int(np.sum(used)), ()
    if isinstance(item, memoryview):
        return item.nbytes, ()
    if type(item) is dict:  # that of an object shares keys with its class, and its size depends on how many there were
        return sys.getsizeof(dict(list(item.items()))), [*item.keys(), *item.values()]
    if isinstance(item, Mapping):
        return sys.getsizeof(item), [*item.keys(), *item.values()]
    if isinstance(item, list | tuple | set | frozenset):
        return sys.getsizeof(item), item
    return sys.getsizeof(item), _state(item)


def _state(item: Any) -> list[Any]:
    """Return the attributes of an object, or the state that a compiled one describes."""
    slots = [slot for kind in type(item).__mro__ for slot in _slots(kind)]
    inside = [getattr(item, slot) for slot in slots if hasattr(item, slot)]
    if hasattr(item, "__dict__"):
        inside.append(vars(item))
    elif not inside and "__reduce__" in vars(type(item)) and type(item).__module__ != "builtins":
        try:
            inside += [part for part in item.__reduce__()[1:3] if part is not None]
        except TypeError:  # it cannot be described
            return inside
    return inside


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
