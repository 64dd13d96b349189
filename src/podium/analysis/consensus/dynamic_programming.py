"""Linear orders on up to a dozen algorithms, by dynamic programming over the sets that can come last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from podium.analysis.consensus.objective import Objective, Optima
from podium.arrays import BoolArray, FloatArray

MAX_ALGORITHMS = 12  # 4096 sets that can come last


def best_orders(objective: Objective, limit: int) -> Optima:
    """Optimal linear orders on at most twelve algorithms."""
    orders = Orders(objective.costs)
    near = list(islice(orders.near(objective.tolerance), limit + 1))
    return Optima(near[:limit], orders.value, orders.value, len(near) <= limit)


class Orders:
    """Cheapest linear orders (Held & Karp 1962).

    The cost of the best order of a set is that of the best order of the set without its first member, plus the cost of
    that member before all others; sets are bit patterns.
    """

    def __init__(self, costs: FloatArray) -> None:
        self.size = len(costs)
        before = np.zeros((1, self.size))  # before[S, i]: cost of i coming before all of S
        for member in range(self.size):
            before = np.concatenate([before, before + costs[:, member]])
        sets = np.arange(2**self.size)
        bits = 1 << np.arange(self.size)
        inside = (sets[:, None] & bits) > 0
        self._with_first = np.full(before.shape, np.inf)  # cost of the best order of S that begins with i
        self._best = np.zeros(len(sets))
        count = inside.sum(axis=1)
        for number in range(1, self.size + 1):
            row, first = np.nonzero(inside & (count == number)[:, None])
            rest = sets[row] ^ bits[first]
            self._with_first[row, first] = self._best[rest] + before[rest, first]
            chosen = np.flatnonzero(count == number)
            self._best[chosen] = self._with_first[chosen].min(axis=1)

    @property
    def value(self) -> float:
        """Cost of the best orders."""
        return float(self._best[-1])

    def near(self, slack: float) -> Iterator[BoolArray]:
        """Yield the orders that cost at most `slack` more than the best ones, by their first members."""
        place = np.empty(self.size, np.intp)

        def extend(left: int, number: int, spare: float) -> Iterator[BoolArray]:
            if not left:
                order: BoolArray = place[:, None] < place[None, :]
                yield order
                return
            excess = self._with_first[left] - self._best[left]
            for first in np.flatnonzero(excess <= spare):
                place[first] = number
                yield from extend(left ^ (1 << int(first)), number + 1, spare - float(excess[first]))

        yield from extend(2**self.size - 1, 0, slack)
