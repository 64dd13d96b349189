"""Cutting planes: inequalities that hold for all relations of a class and that fractional solutions violate.

Each is a row Σ ± x_ij ≤ b on the entries of a relation:

- *paths*: x_ij + x_jk − x_ik ≤ 1, which is transitivity;
- *cycles*: x_ij + x_jk + x_ki − x_ji − x_kj − x_ik ≤ 1. Transitivity implies it for whole numbers but not for
  fractions: x_ij = x_jk = x_ki = ½ violates it (Müller 1996). For linear orders it is the same as paths.
- *bridges*: x_su + x_ue + x_sv + x_ve + x_es − x_se − x_uv ≤ 3. If both ways from s to e, over u and over v, are
  present, so is x_se; if x_es is present too, all four are equivalent, and x_uv is present. Again fractions violate
  it. It matters where ties are allowed, and is checked when the others hold.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from podium.analysis.consensus.objective import Objective
from podium.analysis.consensus.relation_classes import BOTH, FIRST, NEITHER
from podium.arrays import FloatArray, IntArray

VIOLATED = 1e-6  # a row is violated by more than this


@dataclass(frozen=True, eq=False)
class Inequalities:
    """Inequalities: ``matrix`` times the K² entries is at most ``right``."""

    matrix: csr_array
    right: FloatArray


def violated_rows(objective: Objective, entries: FloatArray, most: int) -> Inequalities | None:
    """The `most` rows that a matrix violates most, or fewer; None if it violates none."""
    states = set(objective.within.states)
    families = [_paths(objective.size, entries, states)]
    if len(states) > 2:
        families.append(_cycles(objective.size, entries))
    if not any(len(family.excess) for family in families) and {FIRST, BOTH} <= states:
        families = [_bridges(objective.size, entries, most)]
    excess = np.concatenate([family.excess for family in families])
    if not len(excess):
        return None
    lengths = np.concatenate([np.full(len(family.excess), len(family.signs)) for family in families])
    matrix = csr_array(
        (
            np.concatenate([np.tile(family.signs, len(family.excess)) for family in families]),
            np.concatenate([family.columns.ravel() for family in families]),
            np.concatenate([[0], np.cumsum(lengths)]),
        ),
        shape=(len(excess), objective.size**2),
    )
    right = np.concatenate([np.full(len(family.excess), family.right) for family in families])
    if len(excess) > most:
        kept = np.sort(np.argsort(-excess, kind="stable")[:most])
        matrix, right = csr_array(matrix[kept]), right[kept]
    return Inequalities(matrix, right)


@dataclass(frozen=True, eq=False)
class _Family:
    """Rows of one form: columns (rows × terms), signs of the terms, right-hand side, and the excess of each row."""

    columns: IntArray
    signs: FloatArray
    right: float
    excess: FloatArray


def _paths(size: int, entries: FloatArray, states: set[int]) -> _Family:
    value = entries[:, :, None] + entries[None, :, :] - entries[:, None, :] - 1.0
    at = np.arange(size)
    value[at, at, :] = value[:, at, at] = value[at, :, at] = -1.0
    i, j, k = np.nonzero(value > VIOLATED)
    once = np.ones(len(i), bool)
    if states == {BOTH, NEITHER}:  # a path and its reverse are one row
        once = i < k
    elif len(states) == 2:  # the three rotations of a path are one row
        once = (i < j) & (i < k)
    i, j, k = i[once], j[once], k[once]
    columns = np.stack([i * size + j, j * size + k, i * size + k], axis=1)
    return _Family(columns, np.array([1.0, 1.0, -1.0]), 1.0, value[i, j, k])


def _cycles(size: int, entries: FloatArray) -> _Family:
    lead = entries - entries.T
    value = lead[:, :, None] + lead[None, :, :] + lead.T[:, None, :] - 1.0
    i, j, k = np.nonzero(value > VIOLATED)
    once = (i < j) & (i < k)
    i, j, k = i[once], j[once], k[once]
    columns = np.stack([i * size + j, j * size + k, k * size + i, j * size + i, k * size + j, i * size + k], axis=1)
    return _Family(columns, np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), 1.0, value[i, j, k])


def _bridges(size: int, entries: FloatArray, most: int) -> _Family:
    rows, violated = [], []
    apart = ~np.eye(size, dtype=bool)
    for s in range(size):
        over = entries[s, :, None] + entries  # over[u, e] = x_su + x_ue
        back = entries[:, s] - entries[s, :]
        value = over.T[:, :, None] + over.T[:, None, :] + back[:, None, None] - entries[None, :, :] - 3.0
        e, u, v = np.nonzero((value > VIOLATED) & apart[:, :, None] & apart[:, None, :] & apart[None, :, :])
        inner = (e != s) & (u != s) & (v != s)
        e, u, v = e[inner], u[inner], v[inner]
        if len(e):
            start = np.full(len(e), s)
            ends = [(start, u), (u, e), (start, v), (v, e), (e, start), (start, e), (u, v)]
            rows.append(np.stack([a * size + b for a, b in ends], axis=1))
            violated.append(value[e, u, v])
    columns = np.concatenate(rows) if rows else np.zeros((0, 7), np.intp)
    excess = np.concatenate(violated) if violated else np.zeros(0)
    kept = np.argsort(-excess, kind="stable")[:most]
    return _Family(columns[kept], np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0]), 3.0, excess[kept])
