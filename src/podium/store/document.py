"""Designs as a warehouse stores them, read with limits: a hostile one costs neither memory nor time."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import prod
from typing import Any

from podium.checks import check_mapping, is_storable, is_whole, shown
from podium.errors import InputError, join_names

MAX_CELLS = 10**8  # values that `Results` may have: 0.8 GB
MAX_CHARACTERS = 2**26
_DIRECTIONS = ("lower", "higher")


def parse(text: object) -> Any:
    """Read JSON; a ValueError says what is wrong with it."""
    if not isinstance(text, str):
        raise ValueError(f"text was expected; got {shown(text)}")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"it has {len(text):,} characters; at most {MAX_CHARACTERS:,} are read")
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def check_document(document: object, argument: str) -> Mapping[str, Any]:
    """Refuse a mapping that is not a design, or one that is too large to be held in memory."""
    mapping: Mapping[str, Any] = check_mapping(document, f"`{argument}`")
    problem = _problem(mapping)
    if problem:
        raise InputError(f"`{argument}` must be the mapping of a design: {problem}.", path=(argument,))
    return mapping


def _problem(design: Mapping[str, Any]) -> str:
    """Say what is wrong with a design; empty if nothing is."""
    lacking = [key for key in ("datasets", "algorithms", "replications", "measures") if key not in design]
    if lacking:
        return f"it lacks {join_names(lacking)}"
    for axis in ("datasets", "algorithms"):
        names = design[axis]
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            return f"`{axis}` must be a list of names; got {shown(names)}"
        if len(set(names)) < len(names):
            return f"`{axis}` must be different names"
        odd = [name for name in names if not is_storable(name)]
        if odd:
            return f"the name {shown(odd[0])} has characters that cannot be stored"
    if not is_whole(design["replications"]) or design["replications"] < 0:
        return f"`replications` must be a whole number; got {shown(design['replications'])}"
    measures = design["measures"]
    if not isinstance(measures, list | tuple) or not all(
        isinstance(each, Mapping) and isinstance(each.get("name"), str) and each.get("direction") in _DIRECTIONS
        for each in measures
    ):
        return "`measures` must be a list of mappings with a name and a direction"
    if len({each["name"] for each in measures}) < len(measures):
        return "`measures` must have different names"
    for key in ("identities", "record"):
        if design.get(key) is not None and not isinstance(design[key], Mapping):
            return f"`{key}` must be a mapping; got {shown(design[key])}"
    sizes = len(design["datasets"]), int(design["replications"]), len(design["algorithms"]), max(1, len(measures))
    if prod(sizes) > MAX_CELLS:
        return f"{' × '.join(f'{n:,}' for n in sizes)} values are more than {MAX_CELLS:,}, the most that podium holds"
    return ""
