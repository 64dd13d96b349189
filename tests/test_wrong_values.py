"""No public function ends in a raw error when its arguments have the wrong type."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from podium.errors import PodiumError
from public_names import public_callables

VALUES = {
    "object": object(),
    "number": 3.5,
    "text": "nonsense",
    "None": None,
    "empty list": [],
    "mapping": {"a": object()},
    "scalar array": np.array(3),
    "empty frame": pd.DataFrame(),
}


def functions() -> Iterator[tuple[str, Callable[..., Any], int]]:
    """Public functions, and methods of classes, that need an argument; with the number of those that are needed."""
    for name, thing in public_callables():
        if inspect.isclass(thing):
            continue
        if "." in name.removeprefix("podium.") and name.split(".")[-2][:1].isupper() and not inspect.ismethod(thing):
            continue  # a method of an object
        needed = [p for p in inspect.signature(thing).parameters.values() if p.default is p.empty and p.kind < 2]
        if needed:
            yield name, thing, len(needed)


def raw_error(function: Callable[..., Any], arguments: list[Any]) -> str:
    """Call a function; return the error if it is not one of podium's."""
    try:
        function(*arguments)
    except PodiumError:
        return ""
    except Exception as error:
        return repr(error)
    return ""


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_a_wrong_value_is_refused_by_podium(value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a name may be that of a file to write
    found = {name: raw_error(function, [value] * needed) for name, function, needed in functions()}
    assert len(found) > 150
    assert {name: error for name, error in found.items() if error} == {}
