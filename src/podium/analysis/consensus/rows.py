"""Columns and rows of the integer program: how relations are written as numbers, and the laws they obey.

The laws are rows Σ ± x_ij ≤ b on the entries of a relation:

- *paths*: x_ij + x_jk − x_ik ≤ 1, which is transitivity;
- *circles*: x_ij + x_jk + x_ki − x_ji − x_kj − x_ik ≤ 1. Transitivity implies it for whole numbers but not for
  fractions: x_ij = x_jk = x_ki = ½ breaks it (Müller 1996). For linear orders it says the same as paths.
- *bridges*: x_su + x_ue + x_sv + x_ve + x_es − x_se − x_uv ≤ 3. If both ways from s over u and over v to e are there,
  so is x_se; and with x_es as well, all four are equivalent, and x_uv is there. Again fractions break it; it
  matters where there may be ties, and is looked at when the others hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from podium.analysis.consensus.kinds import BOTH, FIRST, NEITHER
from podium.analysis.consensus.problem import Problem
from podium.arrays import BoolArray, FloatArray, IntArray

BROKEN = 1e-6  # a row is broken by more than this


@dataclass(frozen=True, eq=False)
class Columns:
    """How the entries x_ij of a relation are made from the columns of a program: x = shift + map · columns.

    Linear orders have one column per pair, x_ji = 1 − x_ij; equivalences too, x_ji = x_ij; the others two, with a
    row per pair: x_ij + x_ji ≤ 1 for partial orders, ≥ 1 for weak orders.
    """

    map: csr_array
    shift: FloatArray
    pair_rows: csr_array | None
    pair_right: FloatArray

    @classmethod
    def of(cls, problem: Problem) -> Columns:
        """Lay out the columns of a problem."""
        size, states = problem.size, set(problem.rule.states)
        i, j = problem.pairs
        n = len(i)
        above, below, number = i * size + j, j * size + i, np.arange(n)
        shift, none = np.zeros(size * size), np.zeros(0)
        if states == {BOTH, NEITHER}:
            return cls(_map(size, above, below, number, 1.0), shift, None, none)
        if len(states) == 2:
            shift[below] = 1.0
            return cls(_map(size, above, below, number, -1.0), shift, None, none)
        layout = _map(size, above, below, number + n, 1.0)
        if len(states) == 4:
            return cls(layout, shift, None, none)
        sign = 1.0 if NEITHER in states else -1.0
        rows = csr_array((np.full(2 * n, sign), (np.tile(number, 2), np.arange(2 * n))), shape=(n, 2 * n))
        return cls(layout, shift, rows, np.full(n, sign))

    @property
    def count(self) -> int:
        """Number of columns."""
        return int(self.map.shape[1])

    @cached_property
    def size(self) -> int:
        """Number of algorithms."""
        return round(float(np.sqrt(len(self.shift))))

    @cached_property
    def _leaders(self) -> IntArray:
        """An entry with a plus sign for each column."""
        rows, columns = self.map.nonzero()
        leaders = np.empty(self.count, np.intp)
        plus = self.map.data > 0
        leaders[columns[plus]] = rows[plus]
        return leaders

    def bounds(self, lower: BoolArray, upper: BoolArray) -> FloatArray:
        """Bounds of the columns, columns × 2, from bounds of the entries; entries that share a column agree."""
        return np.stack([lower.ravel()[self._leaders], upper.ravel()[self._leaders]], axis=1).astype(np.float64)

    def entries(self, values: FloatArray) -> FloatArray:
        """Return the entries x_ij, K × K; the diagonal is 0."""
        matrix: FloatArray = (self.shift + self.map @ values).reshape(self.size, self.size)
        return matrix


def _map(size: int, above: IntArray, below: IntArray, second: IntArray, sign: float) -> csr_array:
    """Map from columns to entries: x_ij (i < j) is column 0, 1, ..., and x_ji the sign times its second column."""
    n = len(above)
    signs = np.concatenate([np.ones(n), np.full(n, sign)])
    at = (np.concatenate([above, below]), np.concatenate([np.arange(n), second]))
    return csr_array((signs, at), shape=(size * size, int(second[-1]) + 1))


@dataclass(frozen=True, eq=False)
class Rows:
    """Laws: ``matrix`` on the K² entries, at most ``right``."""

    matrix: csr_array
    right: FloatArray


def broken_laws(problem: Problem, entries: FloatArray, most: int) -> Rows | None:
    """Laws that a matrix breaks, the most broken first, at most so many; None if it obeys all."""
    states = set(problem.rule.states)
    families = [_broken_paths(problem.size, entries, states)]
    if len(states) > 2:
        families.append(_broken_circles(problem.size, entries))
    if not any(len(family.broken) for family in families) and {FIRST, BOTH} <= states:
        families = [_broken_bridges(problem.size, entries, most)]
    broken = np.concatenate([family.broken for family in families])
    if not len(broken):
        return None
    lengths = np.concatenate([np.full(len(family.broken), len(family.signs)) for family in families])
    matrix = csr_array(
        (
            np.concatenate([np.tile(family.signs, len(family.broken)) for family in families]),
            np.concatenate([family.columns.ravel() for family in families]),
            np.concatenate([[0], np.cumsum(lengths)]),
        ),
        shape=(len(broken), problem.size**2),
    )
    right = np.concatenate([np.full(len(family.broken), family.right) for family in families])
    if len(broken) > most:
        kept = np.sort(np.argsort(-broken, kind="stable")[:most])
        matrix, right = csr_array(matrix[kept]), right[kept]
    return Rows(matrix, right)


@dataclass(frozen=True, eq=False)
class _Family:
    """Laws of one form: columns (rows × terms), signs of the terms, right hand side, and by how much each is broken."""

    columns: IntArray
    signs: FloatArray
    right: float
    broken: FloatArray


def _broken_paths(size: int, entries: FloatArray, states: set[int]) -> _Family:
    value = entries[:, :, None] + entries[None, :, :] - entries[:, None, :] - 1.0
    at = np.arange(size)
    value[at, at, :] = value[:, at, at] = value[at, :, at] = -1.0
    i, j, k = np.nonzero(value > BROKEN)
    once = np.ones(len(i), bool)
    if states == {BOTH, NEITHER}:  # a path and its reverse are one row
        once = i < k
    elif len(states) == 2:  # the three rotations of a path are one row
        once = (i < j) & (i < k)
    i, j, k = i[once], j[once], k[once]
    columns = np.stack([i * size + j, j * size + k, i * size + k], axis=1)
    return _Family(columns, np.array([1.0, 1.0, -1.0]), 1.0, value[i, j, k])


def _broken_circles(size: int, entries: FloatArray) -> _Family:
    lead = entries - entries.T
    value = lead[:, :, None] + lead[None, :, :] + lead.T[:, None, :] - 1.0
    i, j, k = np.nonzero(value > BROKEN)
    once = (i < j) & (i < k)
    i, j, k = i[once], j[once], k[once]
    columns = np.stack([i * size + j, j * size + k, k * size + i, j * size + i, k * size + j, i * size + k], axis=1)
    return _Family(columns, np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0]), 1.0, value[i, j, k])


def _broken_bridges(size: int, entries: FloatArray, most: int) -> _Family:
    rows, broken = [], []
    apart = ~np.eye(size, dtype=bool)
    for s in range(size):
        over = entries[s, :, None] + entries  # over[u, e] = x_su + x_ue
        back = entries[:, s] - entries[s, :]
        value = over.T[:, :, None] + over.T[:, None, :] + back[:, None, None] - entries[None, :, :] - 3.0
        e, u, v = np.nonzero((value > BROKEN) & apart[:, :, None] & apart[:, None, :] & apart[None, :, :])
        inner = (e != s) & (u != s) & (v != s)
        e, u, v = e[inner], u[inner], v[inner]
        if len(e):
            start = np.full(len(e), s)
            ends = [(start, u), (u, e), (start, v), (v, e), (e, start), (start, e), (u, v)]
            rows.append(np.stack([a * size + b for a, b in ends], axis=1))
            broken.append(value[e, u, v])
    columns = np.concatenate(rows) if rows else np.zeros((0, 7), np.intp)
    excess = np.concatenate(broken) if broken else np.zeros(0)
    kept = np.argsort(-excess, kind="stable")[:most]
    return _Family(columns[kept], np.array([1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0]), 3.0, excess[kept])
