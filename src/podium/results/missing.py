"""Missing cells: why they are missing, and what an analysis may do about them.

There is one vocabulary of policies, used by every analysis:

``"raise"``
    refuse, and name the cells;
``"drop-block"``
    leave out every (data set, replication) in which a cell is missing;
``"drop-algorithm"``
    leave out every algorithm that has a missing cell;
``"worst-rank"``
    rank missing cells last within their block (analyses of ranks only);
``"worst-value"``
    fill in the worst value that any algorithm reached on the same data set;
``"available"``
    use the cells that are present: compare each pair of algorithms on the cells that both have, and take means, ranks
    and shares over the blocks that all algorithms have (a mixed-effects model uses every cell). An algorithm without
    any value takes part in nothing; where all share fewer than half of the blocks, no order is given.

Cells that were never run because a stopping rule had decided (reason ``"stopped"``) are planned. ``"raise"`` does not
refuse them, and they are given no worst value or rank: the blocks in which an algorithm was left out are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

import numpy as np

from podium.arrays import BoolArray
from podium.checks import as_list, check_call, check_choice, check_count, check_mapping
from podium.errors import InputError, MissingCellsError, join_names, plural
from podium.results.cube import REASON_NAMES, Cube
from podium.results.labels import Label
from podium.results.selection import take

C = TypeVar("C", bound=Cube)
MissingPolicy: TypeAlias = Literal["raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value", "available"]
POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)
RESOLVING: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-value", "available")
SETTING_ASIDE: tuple[MissingPolicy, ...] = ("raise", "worst-rank", "worst-value")  # cells that were stopped
RANKING: tuple[MissingPolicy, ...] = ("raise", "drop-block", "drop-algorithm", "worst-rank", "worst-value")


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonBlocks:
    """The blocks in which no algorithm lacks a value, which means and ranks rest on where cells are missing.

    Blocks that a stopping rule has left out, or in which no algorithm has a value, are not counted.

    Attributes
    ----------
    blocks, datasets : int
        Number of such blocks (replications of data sets), and of data sets with one.
    all_blocks, all_datasets : int
        Number of all blocks, and of all data sets.
    """

    blocks: int
    datasets: int
    all_blocks: int
    all_datasets: int

    @property
    def enough(self) -> bool:
        """Whether they are at least half of the blocks and of the data sets, so that they give an order."""
        return 0 < self.all_blocks <= 2 * self.blocks and self.all_datasets <= 2 * self.datasets

    def __str__(self) -> str:
        of = f"{self.blocks:,} of {plural(self.all_blocks, 'block')}"
        return of if self.all_datasets == 1 else f"{of} ({self.datasets} of {self.all_datasets} data sets)"


@check_call
@dataclass(frozen=True, slots=True, kw_only=True)
class MissingReport:
    """What a policy for missing cells found and did.

    Attributes
    ----------
    policy : str
        The policy that was applied.
    cells, missing : int
        Number of cells before, and how many of them were missing.
    reasons : mapping of str to int
        How many were missing for each reason.
    dropped_blocks : tuple of (dataset, replication)
        Blocks that were left out.
    dropped_datasets, dropped_algorithms : tuple of str
        Data sets without any block left, and algorithms that were left out.
    filled : int
        How many cells were given a value or a rank.
    absent : tuple of (algorithm, reason)
        Algorithms that take part in nothing because they have no value, with the commonest reason.
    common : CommonBlocks or None
        What means and ranks rest on, under the policy ``"available"``; None where they rest on all that is left, or
        on a model of every cell.
    """

    policy: MissingPolicy
    cells: int
    missing: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    dropped_blocks: tuple[tuple[str, Label], ...] = ()
    dropped_datasets: tuple[str, ...] = ()
    dropped_algorithms: tuple[str, ...] = ()
    filled: int = 0
    absent: tuple[tuple[str, str], ...] = ()
    common: CommonBlocks | None = None

    def __post_init__(self) -> None:
        check_choice(self.policy, POLICIES, "policy")
        check_count(self.cells, "cells", least=0)
        for name in ("missing", "filled"):
            check_count(getattr(self, name), name, least=0, most=self.cells)
        for reason, count in check_mapping(self.reasons, "`reasons`").items():
            check_choice(reason, REASON_NAMES[1:], "reasons")
            check_count(count, f"reasons[{reason!r}]", least=0, path=("reasons", reason))
        for name in ("dropped_blocks", "dropped_datasets", "dropped_algorithms", "absent"):
            object.__setattr__(self, name, tuple(as_list(getattr(self, name), name, keys=False)))
        object.__setattr__(self, "reasons", MappingProxyType(dict(self.reasons)))

    @property
    def ordered(self) -> bool:
        """Whether the algorithms have enough blocks in common for an order by their means or ranks."""
        return self.common is None or self.common.enough

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle through the constructor: a mapping proxy cannot be copied."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return _rebuild_report, ({**values, "reasons": dict(self.reasons)},)

    def __str__(self) -> str:
        if not self.missing:
            return f"no cell of {self.cells:,} is missing"
        why = ", ".join(f"{count:,} {reason}" for reason, count in self.reasons.items())
        done = []
        if self.dropped_blocks:
            done.append(f"dropped {plural(len(self.dropped_blocks), 'block')}")
        if self.dropped_datasets:
            done.append(f"no block is left of {join_names(self.dropped_datasets)}")
        if self.dropped_algorithms:
            done.append(f"dropped {join_names(self.dropped_algorithms)}")
        if self.filled:
            how = (
                "ranked last"
                if self.policy == "worst-rank"
                else f"given the worst value of {'its' if self.filled == 1 else 'their'} data set"
            )
            done.append(f"{plural(self.filled, 'cell')} {how}")
        if self.absent:
            names = [f"{name} ({reason})" for name, reason in self.absent]
            done.append(f"left out {join_names(names, quote=False)} without any value")
        if self.common is not None:
            done.append(
                f"compared pairs by the cells that both have, took means and ranks over {self.common} in common"
            )
        elif self.policy == "available":
            done.append("used the cells that are present")
        few = ""
        if self.common is not None and not self.common.enough:
            few = f"; these are too few for an order: {ways_out(self.common.blocks)}"
        return f"{self.missing:,} of {self.cells:,} cells missing ({why}); {self.policy}: {', '.join(done)}{few}"


# Why an analysis may not allow a policy.
_NOT_FOR: Mapping[str, str] = {
    "raise": "missing cells are part of what it shows",
    "drop-block": "it needs all blocks",
    "drop-algorithm": "it needs all algorithms",
    "worst-rank": "it gives missing cells a rank but no value, and values are needed",
    "worst-value": "it makes up values, and measured ones are needed",
    "available": "it leaves blocks with missing cells, and complete ones are needed",
}


def parse_policy(policy: str, *, allowed: tuple[MissingPolicy, ...] = POLICIES, analysis: str = "") -> MissingPolicy:
    """Check a policy's name; underscores may stand for hyphens. `analysis` is what allows only some, for a message."""
    name = policy.replace("_", "-") if isinstance(policy, str) else policy
    if isinstance(name, str) and name in POLICIES and name not in allowed:
        raise InputError(
            f"`missing={name!r}` does not apply{f' to {analysis}' if analysis else ' here'}: {_NOT_FOR[name]}. Use one "
            f"of {join_names([one for one in allowed if one != 'raise'], most=9)}."
        )
    check_choice(name, allowed, "missing")
    return cast("MissingPolicy", name)


def common_blocks(cube: Cube) -> BoolArray:
    """Find the blocks in which no algorithm lacks a value, as an M × B array; one without any value does not count."""
    valued = np.asarray(cube.present.any(axis=(0, 1)))
    return cube.design & np.asarray((cube.present | ~valued).all(axis=(2, 3)))


def shared_cells(cube: Cube) -> BoolArray:
    """Find the replications that all algorithms with a value of a measure on a data set share, M × B × 1 × J."""
    valued = np.asarray(cube.present.any(axis=1, keepdims=True))
    return np.asarray((cube.present | ~valued).all(axis=2, keepdims=True))


def take_common(cube: C, keep: Sequence[str] = ()) -> C:
    """Take the algorithms that have a value, and the blocks in which none of them lacks one.

    Algorithms to `keep` that have no value stay as empty columns.
    """
    common = common_blocks(cube)
    if not common.any():
        raise MissingCellsError(f"No block has a value of every algorithm: {ways_out(0)}.")
    kept = cube.present.any(axis=(0, 1, 3)) | np.isin(cube.algorithms, list(keep))
    return take(cube.replace(design=common), algorithm=np.flatnonzero(kept))


def ways_out(blocks: int) -> str:
    """Say what can be done where the algorithms have too few blocks in common, or none."""
    or_block = " or 'drop-block'" if blocks else ""
    return (
        f"use missing='drop-algorithm'{or_block}, leave out an algorithm or a data set with many missing cells, or fit "
        "a model to all cells, method='mixed'"
    )


def absent_algorithms(cube: Cube) -> tuple[tuple[str, str], ...]:
    """Name the algorithms without any value, with the commonest reason."""
    found = []
    for k in np.flatnonzero(~cube.present.any(axis=(0, 1, 3))):
        codes = cube.reasons[:, :, k][cube.design]
        found.append((cube.algorithms[k], REASON_NAMES[np.bincount(codes.ravel()).argmax()]))
    return tuple(found)


def _common(cube: Cube) -> CommonBlocks:
    """Count the blocks that are common to all algorithms, of those that a stopping rule left to all."""
    common = common_blocks(cube)
    all_blocks = cube.design & cube.present.any(axis=(2, 3)) & ~np.any(cube.stopped, axis=(2, 3))
    return CommonBlocks(
        blocks=int(common.sum()),
        datasets=int(common.any(axis=1).sum()),
        all_blocks=int(all_blocks.sum()),
        all_datasets=int(all_blocks.any(axis=1).sum()),
    )


def report_missing(cube: Cube, policy: MissingPolicy, **done: Any) -> MissingReport:
    """Count the missing cells of a cube for a report on what `policy` did."""
    lacking = cube.missing
    codes, counts = np.unique(cube.reasons[lacking], return_counts=True)
    if policy == "available" and lacking.any():
        done = {"absent": absent_algorithms(cube), "common": _common(cube), **done}
    return MissingReport(
        policy=policy,
        cells=cube.cells,
        missing=int(lacking.sum()),
        reasons={REASON_NAMES[code]: int(count) for code, count in zip(codes, counts, strict=True)},
        **done,
    )


def resolve_missing(cube: C, policy: str, *, allowed: tuple[MissingPolicy, ...] = RESOLVING) -> tuple[C, MissingReport]:
    """Apply a policy; the returned cube has no missing cell unless the policy is ``"available"``.

    `allowed` are the policies that the caller accepts, for the message of ``"raise"``.
    """
    name = parse_policy(policy, allowed=RESOLVING)
    whole = cube
    if name in SETTING_ASIDE:
        cube = set_stopped_aside(cube)
    if cube is not whole:
        resolved, report = resolve_missing(cube, name, allowed=allowed)
        return resolved, report_with_stopped(report, whole, cube)
    lacking = cube.missing
    if not lacking.any() or name == "available":
        return cube, report_missing(cube, name)
    if name == "drop-block":
        return _drop_blocks(cube, lacking)
    if name == "drop-algorithm":
        return _drop_algorithms(cube, lacking)
    if name == "worst-value":
        return _fill_worst(cube, lacking)
    raise missing_cells_error(cube, allowed)


def set_stopped_aside(cube: C) -> C:
    """Leave out the blocks in which an algorithm was not run because a stopping rule had dropped it."""
    bad = np.any(cube.stopped & cube.missing, axis=(2, 3))
    if not bad.any():
        return cube
    design = cube.design & ~bad
    if not design.any():
        raise MissingCellsError(
            "Nothing would be left: in every block some algorithm was not run, because a stopping rule had dropped it. "
            "Use missing='drop-algorithm', or 'available' where the analysis accepts it."
        )
    return take(cube.replace(design=design))


def report_with_stopped(report: MissingReport, whole: Cube, rest: Cube) -> MissingReport:
    """Add to a report on the rest of a cube what `set_stopped_aside` has left out."""
    stopped = int(np.sum(whole.stopped & whole.missing))
    labels = {
        (name, label)
        for name, row in zip(rest.datasets, rest.design, strict=True)
        for label, there in zip(rest.replications, row, strict=True)
        if there
    }
    aside = [
        (whole.datasets[m], whole.replications[b])
        for m, b in np.argwhere(whole.design)
        if (whole.datasets[m], whole.replications[b]) not in labels
    ]
    return replace(
        report,
        cells=whole.cells,
        missing=report.missing + stopped,
        reasons={**report.reasons, "stopped": report.reasons.get("stopped", 0) + stopped},
        dropped_blocks=(*aside, *report.dropped_blocks),
        dropped_datasets=(*(n for n in whole.datasets if n not in rest.datasets), *report.dropped_datasets),
    )


def missing_cells_error(
    cube: Cube, allowed: tuple[MissingPolicy, ...] = POLICIES, planned: BoolArray | None = None
) -> MissingCellsError:
    """Build the error of the policy ``"raise"``: which cells, why, and the other policies that are allowed.

    `planned` says which cells should have a value, M × B × K × J; by default all but those that a stopping rule left
    out.
    """
    *others, last = (repr(policy) for policy in allowed if policy != "raise")
    choice = f"{', '.join(others)} or {last}" if others else last
    expected = cube.design[:, :, None, None] & ~cube.stopped if planned is None else planned
    lacking = np.argwhere(cube.missing & expected)
    first = [
        f"{cube.algorithms[k]} on {cube.datasets[m]}, replication {cube.replications[b]}, "
        f"{cube.measures[j].name} ({REASON_NAMES[cube.reasons[m, b, k, j]]})"
        for m, b, k, j in lacking[:3]
    ]
    more = f"; and {len(lacking) - 3:,} more" if len(lacking) > 3 else ""
    of = f"{len(lacking):,} of {int(expected.sum()):,} cells"
    return MissingCellsError(
        f"{of} {'is' if len(lacking) == 1 else 'are'} missing: {'; '.join(first)}{more}. Choose what to do about them "
        f"with `missing`: {choice}."
    )


def _drop_blocks(cube: C, lacking: BoolArray) -> tuple[C, MissingReport]:
    bad = np.any(lacking, axis=(2, 3))
    design = cube.design & ~bad
    if not design.any():
        per_algorithm = np.sum(lacking, axis=(0, 1, 3))
        k = int(np.argmax(per_algorithm))
        raise MissingCellsError(
            f"`missing='drop-block'` would leave nothing: every block has a missing cell. {cube.algorithms[k]!r} has "
            f"the most ({plural(int(per_algorithm[k]), 'cell')}). Leave that algorithm out, or use 'drop-algorithm' or "
            "'worst-value'."
        )
    left = take(cube.replace(design=design))
    return left, report_missing(
        cube,
        "drop-block",
        dropped_blocks=tuple((cube.datasets[m], cube.replications[b]) for m, b in np.argwhere(bad)),
        dropped_datasets=tuple(name for name in cube.datasets if name not in left.datasets),
    )


def _drop_algorithms(cube: C, lacking: BoolArray) -> tuple[C, MissingReport]:
    bad = np.flatnonzero(np.any(lacking, axis=(0, 1, 3)))
    if len(bad) == len(cube.algorithms):
        raise MissingCellsError(
            "`missing='drop-algorithm'` would leave nothing: every algorithm has a missing cell. Use 'drop-block' or "
            "'worst-value'."
        )
    report = report_missing(cube, "drop-algorithm", dropped_algorithms=tuple(cube.algorithms[k] for k in bad))
    return take(cube, algorithm=np.setdiff1d(np.arange(len(cube.algorithms)), bad)), report


def _fill_worst(cube: C, lacking: BoolArray) -> tuple[C, MissingReport]:
    sign = np.array([measure.sign for measure in cube.measures], dtype=float)
    cost = np.where(cube.present, cube.values * sign, -np.inf)
    worst = np.max(cost, axis=(1, 2), keepdims=True) * sign
    hopeless = np.argwhere(np.isinf(worst) & np.any(lacking, axis=(1, 2), keepdims=True))
    if len(hopeless):
        m, _, _, j = hopeless[0]
        raise MissingCellsError(
            f"`missing='worst-value'` finds no value of {cube.measures[j].name} on {cube.datasets[m]!r}. Leave that "
            "data set out, or use 'drop-block'."
        )
    filled = cube.replace(values=np.where(lacking, worst, cube.values), reasons=None)
    return filled, report_missing(cube, "worst-value", filled=int(lacking.sum()))


def _rebuild_report(values: dict[str, Any]) -> MissingReport:
    return MissingReport(**values)
