"""Nested dicts, such as ``{dataset: {algorithm: [values of the replications]}}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from podium.checks import describe, is_collection, is_utf8, shown
from podium.errors import AmbiguousInputError, InputError, LabelError, join_names, plural
from podium.results.cube import Cube
from podium.results.forms.arguments import Arguments
from podium.results.forms.cells import Cells, assemble
from podium.results.forms.columns import Coded, RowNames, constant, encode, numbers
from podium.results.labels import AXES, Axis, noun, one_or_several

# The keys from the root to a leaf, and the value or the list of values that it holds.
Leaf: TypeAlias = tuple[tuple[Any, ...], list[Any]]


def from_nested(tree: Mapping[Any, Any], arguments: Arguments) -> Cube:
    """Read a tree of dicts; `levels` names its levels from the outside in, and a list holds replications."""
    arguments.only_for("a nested dict", "levels")
    if _depth(tree) > len(AXES):
        raise InputError(
            f"The nested dict has more than {len(AXES)} levels, or contains itself; there are at most {len(AXES)}: "
            f"{join_names(AXES)}."
        )
    if _is_empty(tree):
        raise InputError("The table is empty: there is no value in the nested dict.")
    names = _check_levels(arguments.levels, _depth(tree))
    leaves = list(_leaves(tree, names))
    if "measure" in names:
        level = names.index("measure")
        measures = list(dict.fromkeys(keys[level] for keys, _ in leaves))
        wanted = {measures[i] for i in arguments.chosen(measures)}
        leaves = [(keys, values) for keys, values in leaves if keys[level] in wanted]
    if "replication" not in names:
        _refuse_unequal_lists(leaves, names)
    columns: dict[str, list[Any]] = {name: [] for name in (*names, "value")}
    columns.setdefault("replication", [])
    for keys, values in leaves:
        for name, key in zip(names, keys, strict=True):
            columns[name] += [key] * len(values)
        columns["value"] += values
        if "replication" not in names:
            columns["replication"] += range(1, len(values) + 1)
    return _assembled(columns, names, len(columns["value"]), arguments)


def _assembled(columns: Mapping[str, list[Any]], names: Sequence[Axis], n: int, arguments: Arguments) -> Cube:
    rows = RowNames(
        "value", lambda i: "/".join(str(columns[axis][i]) for axis in (*names, "replication")[: len(columns) - 1])
    )
    coded: dict[Axis, Coded] = {axis: encode(pd.Series(columns[axis]), axis, rows) for axis in AXES if axis in columns}
    if "dataset" in coded:
        arguments.refuse_dataset("a level of the nested dict names the data sets here")
    places: dict[Axis, Coded] = {
        "dataset": coded.get("dataset") or constant(arguments.dataset_name, n),
        "replication": coded["replication"],
        "algorithm": coded["algorithm"],
    }
    if "measure" in coded:
        places["measure"] = coded["measure"]
        measures = arguments.describe(coded["measure"].labels)
    else:
        measures = arguments.describe_only()
    cells = Cells(
        places=places,
        values=numbers(pd.Series(columns["value"], dtype=object, name="value"), rows, "The nested dict")[:, None],
        rows=rows,
        numbered="replication" in names,
    )
    origin = f"nested dict: {' → '.join(names)}; {plural(n, 'value')}"
    return assemble(cells, algorithms=coded["algorithm"].labels, measures=measures, origin=origin, form="nested dict")


def to_nested(cube: Cube) -> dict[str, dict[str, dict[str, dict[Any, float]]]]:
    """Values as ``{dataset: {algorithm: {measure: {replication: value}}}}``; NaN where missing."""
    return {
        dataset: {
            algorithm: {
                name: {cube.replications[b]: float(cube.values[m, b, k, j]) for b in np.flatnonzero(cube.design[m])}
                for j, name in enumerate(cube.measure_names)
            }
            for k, algorithm in enumerate(cube.algorithms)
        }
        for m, dataset in enumerate(cube.datasets)
    }


def _is_empty(tree: Any, level: int = 0) -> bool:
    if isinstance(tree, Mapping):
        return level <= len(AXES) and all(_is_empty(branch, level + 1) for branch in tree.values())
    return is_collection(tree) and isinstance(tree, Sized) and len(tree) == 0


def _depth(tree: Any) -> int:
    depth = 0
    while isinstance(tree, Mapping) and tree and depth <= len(AXES):
        tree = next(iter(tree.values()))
        depth += 1
    return depth


def _check_levels(levels: Sequence[str] | str | None, depth: int) -> list[Axis]:
    if levels is None:
        raise AmbiguousInputError(
            f"The nested dict has {plural(depth, 'level')}, and its keys do not say what they are. Name the levels "
            f"from the outside in, for example levels={_EXAMPLES.get(depth, _EXAMPLES[3])}."
        )
    given = [levels] if isinstance(levels, str) else list(levels)
    names: list[Axis] = [axis for word in given for axis in AXES if axis == word]
    if len(names) != depth or len(names) < len(given) or len(set(names)) < len(names) or "algorithm" not in names:
        raise InputError(
            f"`levels` must give each level of the nested dict (it has {depth}) a different name out of "
            f"{join_names(AXES)}, and one of them must be 'algorithm'; got {join_names(given) or 'none'}."
        )
    return names


# The levels of a nested dict that are most likely, by their number; four are those of `Results.to_nested`.
_EXAMPLES = {
    1: "'algorithm'",
    2: "('dataset', 'algorithm')",
    3: "('dataset', 'algorithm', 'measure')",
    4: "('dataset', 'algorithm', 'measure', 'replication')",
}


def _leaves(tree: Any, names: Sequence[Axis], keys: tuple[Any, ...] = ()) -> Iterator[Leaf]:
    if len(keys) == len(names):
        if is_collection(tree) and "replication" in names:
            raise InputError(
                f"The nested dict names replications but holds several values at {join_names(keys)}. Leave the "
                "replication level out, or give one number for each."
            )
        if isinstance(tree, Mapping):
            raise InputError(
                f"The nested dict has another level below {join_names(keys)}; make all branches equally deep."
            )
        yield keys, one_or_several(tree)
        return
    if not isinstance(tree, Mapping):
        raise InputError(
            f"The nested dict ends too early at {join_names(keys)}: expected a dict of {names[len(keys)]}s; got "
            f"{describe(tree)}."
        )
    for key, branch in tree.items():
        if isinstance(key, str) and not is_utf8(key):
            axis = noun(names[len(keys)])
            raise LabelError(f"The {axis} label must be text or a number; got {shown(key)} in the nested dict.")
        yield from _leaves(branch, names, (*keys, key))


def _refuse_unequal_lists(leaves: list[Leaf], names: Sequence[Axis]) -> None:
    """Refuse lists of unequal length in one data set: it would be unclear which values belong together."""
    level = names.index("dataset") if "dataset" in names else None
    first: dict[Any, Leaf] = {}
    for keys, values in leaves:
        others, theirs = first.setdefault(None if level is None else keys[level], (keys, values))
        if len(values) != len(theirs):
            raise InputError(
                f"All algorithms must have the same number of replications on a data set: there are {len(theirs)} at "
                f"{join_names(others)} and {len(values)} at {join_names(keys)}. Values of one replication are compared "
                "with each other, so give each list the same length (None where a value is missing), or give dicts "
                "{replication: value} instead of lists."
            )
