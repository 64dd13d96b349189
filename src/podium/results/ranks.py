"""Ranks within blocks: in each (data set, replication), rank 1 is the best algorithm."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from podium.arrays import BoolArray, FloatArray, HashArray
from podium.checks import check_choice, check_seed
from podium.results.cube import Cube
from podium.results.measure_info import MeasureInfo
from podium.results.missing import (
    RANKING,
    MissingReport,
    parse_policy,
    report_missing,
    report_with_stopped,
    resolve_missing,
    set_stopped_aside,
)

C = TypeVar("C", bound=Cube)
Ties: TypeAlias = Literal["average", "min", "max", "random"]

# Means of the same numbers, added up in another order, differ by a few units in the last place; numbers that were
# written with 15 digits, as spreadsheets and R do, by up to 45.
ROUNDING = 64 * float(np.finfo(np.float64).eps)


def rank_rows(costs: FloatArray, ties: Ties, tiebreak: HashArray | None = None) -> FloatArray:
    """Rank along the last axis, 1 for the smallest cost; NaN counts as worse than any number.

    Two costs that differ by rounding alone are equal (see `ROUNDING`); what else is in the row does not matter.
    `tiebreak` orders equal costs when `ties` is ``"random"``.
    """
    n = costs.shape[-1]
    keys = np.where(np.isnan(costs), np.inf, costs)
    order = np.argsort(keys, axis=-1, kind="stable")
    starts = _differ_from_previous(np.take_along_axis(keys, order, axis=-1))
    places = np.arange(1.0, n + 1.0)
    if ties == "random":
        level = np.empty(order.shape)
        np.put_along_axis(level, order, np.cumsum(starts, axis=-1), axis=-1)
        order = order if tiebreak is None else np.lexsort((tiebreak, level))
        rank = np.broadcast_to(places, order.shape)
    else:
        ends = np.ones(order.shape, bool)
        ends[..., :-1] = starts[..., 1:]
        lowest = np.maximum.accumulate(np.where(starts, places, 0.0), axis=-1)
        highest = np.minimum.accumulate(np.where(ends, places, n)[..., ::-1], axis=-1)[..., ::-1]
        rank = {"average": (lowest + highest) / 2, "min": lowest, "max": highest}[ties]
    ranks = np.empty(order.shape)
    np.put_along_axis(ranks, order, rank, axis=-1)
    return ranks


def _differ_from_previous(in_order: FloatArray) -> BoolArray:
    """Return for each cost of an ordered row whether it exceeds the previous one by more than rounding."""
    sizes = np.where(np.isfinite(in_order), np.abs(in_order), 0.0)
    starts = np.ones(in_order.shape, bool)
    with np.errstate(invalid="ignore"):  # infinite minus infinite: both missing, hence equal
        gaps = in_order[..., 1:] - in_order[..., :-1]
    starts[..., 1:] = gaps > ROUNDING * np.maximum(sizes[..., 1:], sizes[..., :-1])
    return starts


def rank_cube(cube: C, ties: Ties, seed: int, missing: str) -> tuple[C, MissingReport]:
    """Rank the algorithms within each block of each measure, with a policy for missing cells."""
    check_choice(ties, get_args(Ties), "ties")
    check_seed(seed)
    policy = parse_policy(missing, allowed=RANKING)
    if policy == "worst-rank":
        complete = set_stopped_aside(cube)
        report = report_missing(complete, policy, filled=int(complete.missing.sum()))
        if complete is not cube:
            report = report_with_stopped(report, cube, complete)
    else:
        complete, report = resolve_missing(cube, policy, allowed=RANKING)
    sign = np.array([measure.sign for measure in complete.measures], dtype=float)
    costs = np.moveaxis(complete.values * sign, 2, 3)
    axes = (complete.datasets, complete.replications, complete.algorithms, complete.measure_names)
    tiebreak = None if ties != "random" else np.moveaxis(identity_keys(axes, seed), 2, 3)
    ranked = complete.replace(
        values=np.moveaxis(rank_rows(costs, ties, tiebreak), 3, 2),
        reasons=None,
        measures=tuple(MeasureInfo(info.name, "lower", units="rank") for info in complete.measures),
    )
    return ranked, report


def identity_keys(axes: tuple[Sequence[object], ...], seed: int) -> HashArray:
    """One random number per cell, data set × replication × algorithm × measure, for the labels of each axis.

    It depends on the seed and the names of the cell and on nothing else.

    Hence neither the order of rows and columns nor the other cells can change how a tie is broken.
    """
    key = _hashes([seed])
    for position, labels in enumerate(axes):
        shape = [1, 1, 1, 1]
        shape[position] = len(labels)
        key = _scramble(key ^ _hashes(labels).reshape(shape))
    return key


def _hashes(labels: Iterable[object]) -> HashArray:
    digests = [hashlib.blake2b(str(label).encode(), digest_size=8).digest() for label in labels]
    return np.array([int.from_bytes(digest, "big") for digest in digests], np.uint64)


def _scramble(x: HashArray) -> HashArray:
    """Mix the bits of 64-bit integers: the finaliser of splitmix64 (Steele, Lea & Flood 2014, OOPSLA)."""
    with np.errstate(over="ignore"):
        x = x + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
