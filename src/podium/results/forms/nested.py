"""Nested dicts, such as ``{dataset: {algorithm: [values of the replications]}}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from podium.errors import AmbiguousInputError, InputError, listing
from podium.results.cube import Cube
from podium.results.forms.assemble import Rows
from podium.results.forms.table import Describe, from_long
from podium.results.forms.wide import describe_one
from podium.results.labels import AXES, Axis


def from_nested(
    tree: Mapping[Any, Any],
    levels: Sequence[str] | str | None,
    describe: Describe,
    *,
    measure: str | None,
    dataset: str,
) -> Cube:
    """Read a tree of dicts; `levels` names its levels from the outside in, and a list holds replications."""
    names = _check_levels(levels, _depth(tree))
    records = list(_leaves(tree, names, {}))
    if not records:
        raise InputError("The table is empty: there is no value in the nested dict.")
    frame = pd.DataFrame(records)
    if "measure" not in frame:
        only = describe_one(measure, describe, {})
        frame["measure"] = only[0].name

        def describe(labels: Sequence[str], **_: Any) -> Any:
            return only

    _refuse_unequal_lists(frame)
    frame = frame.explode(["replication", "value"]).reset_index(drop=True)
    roles: dict[Any, Any] = {role: role for role in ("dataset", "algorithm", "replication", "measure", "value")}
    if "dataset" not in frame:
        del roles["dataset"]
    cube = from_long(frame, roles, describe, dataset=dataset, stored={}, rows=Rows("leaf"))
    return cube.replace(origin=f"nested dict: {' → '.join(names)}; {len(frame):,} values")


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


def _depth(tree: Any) -> int:
    depth = 0
    while isinstance(tree, Mapping) and tree:
        tree = next(iter(tree.values()))
        depth += 1
    return depth


def _check_levels(levels: Sequence[str] | str | None, depth: int) -> list[Axis]:
    if levels is None:
        raise AmbiguousInputError(
            f"The nested dict has {depth} levels, and its keys do not say what they are. Name the levels from the "
            "outside in, for example levels=('dataset', 'algorithm', 'measure')."
        )
    names = levels.split("/") if isinstance(levels, str) else list(levels)
    if len(names) != depth or set(names) - set(AXES) or len(set(names)) < len(names) or "algorithm" not in names:
        raise InputError(
            f"`levels` must name each of the {depth} levels of the nested dict once, with words out of "
            f"{listing(AXES)}, 'algorithm' among them; got {listing(names)}."
        )
    return names  # type: ignore[return-value]


def _leaves(tree: Any, names: Sequence[Axis], path: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if not names:
        values = list(tree) if isinstance(tree, Sequence | np.ndarray) and not isinstance(tree, str) else [tree]
        if "replication" in path:
            if len(values) != 1:
                raise InputError(
                    f"The nested dict names replications and yet holds a list of {len(values)} values at "
                    f"{listing(path.values())}. Leave the replication level out, or give one number for each."
                )
            yield {**path, "replication": [path["replication"]], "value": values}
        else:
            yield {**path, "replication": list(range(1, len(values) + 1)), "value": values}
        return
    if not isinstance(tree, Mapping):
        raise InputError(
            f"The nested dict ends too early at {listing(path.values())}: expected a dict of {names[0]}s, "
            f"got {type(tree).__name__}."
        )
    for key, branch in tree.items():
        yield from _leaves(branch, names[1:], {**path, names[0]: key})


def _refuse_unequal_lists(frame: pd.DataFrame) -> None:
    """Refuse lists of unequal length in one data set: nobody could say which values belong together."""
    sizes = frame["replication"].map(len)
    if (sizes <= 1).all():
        return
    by = frame["dataset"] if "dataset" in frame else pd.Series("the data set", index=frame.index)
    for dataset, group in sizes.groupby(by, sort=False):
        if group.nunique() > 1:
            counts = {frame.loc[i, "algorithm"]: int(size) for i, size in group.items()}
            shown = ", ".join(f"{name!r} {size}" for name, size in list(counts.items())[:5])
            raise InputError(
                f"The algorithms have unequal numbers of replications on {dataset!r}: {shown}. Values of one "
                "replication are compared with each other, so give each list the same length (None where a value is "
                "missing), or give dicts {replication: value} instead of lists."
            )
