"""Where the likelihood of a Bradley–Terry model has no finite maximum, and where parameters cannot be distinguished.

The maximum is infinite if some direction of the parameters lowers the probability of no outcome that was observed, and
raises that of at least one (Albert & Anderson 1984). Without ties and an effect of order, such a direction exists
unless wins lead from every object to every other one (Ford 1957).

A. Albert, J. A. Anderson (1984). On the existence of maximum likelihood estimates in logistic regression models.
Biometrika 71, 1–10. — L. R. Ford (1957). Solution of a ranking problem from binary comparisons. American Mathematical
Monthly 64 (8), 28–33.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, csr_array, vstack
from scipy.sparse.csgraph import NegativeCycleError, bellman_ford, connected_components
from scipy.sparse.linalg import lsqr

from podium.analysis.trees.likelihood import PairModel
from podium.analysis.trees.paired_comparisons import PairedComparisons
from podium.arrays import FloatArray, IntArray
from podium.errors import InputError, join_names

Infinite: TypeAlias = Literal["nothing", "worths", "ties", "order effect"]


@dataclass(frozen=True, eq=False)
class Separation:
    """What would be infinite at the maximum of the likelihood.

    Attributes
    ----------
    infinite : {"nothing", "worths", "ties", "order effect"}
    groups : tuple of ndarray
        Positions of objects, best group first. For ``"worths"`` no object of a later group ever won against an earlier
        one or tied with it; for ``"ties"`` none of a later group ever won against an earlier one. Otherwise one group.
    """

    infinite: Infinite
    groups: tuple[IntArray, ...]


def refuse_strangers(pairs: PairedComparisons) -> None:
    """Refuse objects that cannot be compared, not even through others."""
    k = len(pairs.objects)
    met = pairs.counts.sum(axis=1) > 0
    if not met.any():
        raise InputError("No comparison counts: all weights are 0.")
    count, label = connected_components(_graph(pairs.first[met], pairs.second[met], k), directed=False)
    if count > 1:
        groups = [[name for name, at in zip(pairs.objects, label, strict=True) if at == one] for one in range(count)]
        shown = "; ".join(f"{{{join_names(group, most=6)}}}" for group in groups[:6])
        raise InputError(
            f"These groups of objects never met, so their worths cannot be compared: {shown}"
            f"{f' and {count - 6} more' if count > 6 else ''}. Leave objects out, or fit each group alone."
        )


def refuse_confounding(pairs: PairModel, counts: FloatArray) -> None:
    """Refuse an effect of order that the worths could explain as well: t_i - t_j = 1 has a solution for all pairs."""
    met = counts.sum(axis=1) > 0
    first, second = pairs.first[met], pairs.second[met]
    rows = np.arange(len(first))
    table = coo_array(
        (np.repeat([1.0, -1.0], len(rows)), (np.tile(rows, 2), np.concatenate([first, second]))),
        shape=(len(rows), pairs.objects),
    )
    found = lsqr(table.tocsr(), np.ones(len(rows)), atol=1e-12, btol=1e-12)
    if found[3] <= 1e-6 * np.sqrt(len(rows)):
        raise InputError(
            "`order_effect` cannot be distinguished from the worths: in every comparison, the objects decide which "
            "is first. "
            "It needs pairs in both orders, or a cycle of pairs."
        )


def separation_of(pairs: PairModel, counts: FloatArray) -> Separation:
    """Find out whether the maximum of the likelihood is finite."""
    k, first, second = pairs.objects, pairs.first, pairs.second
    one, two, tie = (counts[:, outcome] > 0 for outcome in range(3))
    winners, losers = np.concatenate([first[one], second[two]]), np.concatenate([second[one], first[two]])
    tied = first[tie], second[tie]
    groups = _groups(np.concatenate([winners, *tied]), np.concatenate([losers, *tied[::-1]]), k)
    if len(groups) > 1:
        return Separation("worths", groups)
    if tie.any():
        levels = _levels(winners, losers, *tied, k)
        if levels is not None:
            return Separation("ties", levels)
    if pairs.order_effect and _unbounded_order(pairs, counts):
        return Separation("order effect", groups)
    return Separation("nothing", groups)


def _graph(start: IntArray, end: IntArray, k: int) -> Any:
    return csr_array((np.ones(len(start)), (start, end)), shape=(k, k))


def _groups(start: IntArray, end: IntArray, k: int) -> tuple[IntArray, ...]:
    """Strongly connected groups of a graph of wins, best first (Ford 1957)."""
    count, label = connected_components(_graph(start, end, k), directed=True, connection="strong")
    if count == 1:
        return (np.arange(k),)
    # Between groups wins go one way only: a group is as high as the longest chain of wins below it.
    above = np.zeros((count, count), bool)
    above[label[start], label[end]] = True
    np.fill_diagonal(above, False)
    height = np.zeros(count, int)
    for _ in range(count):
        new = np.array([1 + height[row].max() if row.any() else 0 for row in above])
        if np.array_equal(new, height):
            break
        height = new
    order = sorted(range(count), key=lambda group: (-height[group], int(np.flatnonzero(label == group)[0])))
    return tuple(np.flatnonzero(label == group) for group in order)


def _levels(winners: IntArray, losers: IntArray, one: IntArray, two: IntArray, k: int) -> tuple[IntArray, ...] | None:
    """Levels of objects such that a win goes down at least one level, and a tie at most; None if there are none.

    Where they exist, worths that grow by a factor from level to level, and ν by its square root, never lower the
    likelihood. Levels are bounds on differences, which have a solution unless they contradict each other in a cycle.
    """
    if len(winners) and connected_components(_graph(winners, losers, k), connection="strong")[0] < k:
        return None  # a cycle of wins
    steps = np.full((k + 1, k + 1), np.inf)
    steps[one, two] = steps[two, one] = 1.0
    steps[winners, losers] = -1.0
    steps[k, :k] = 1.0  # a start from which all can be reached
    try:
        level = bellman_ford(np.where(np.isinf(steps), 0.0, steps), indices=[k])[0, :k]
    except NegativeCycleError:
        return None
    return tuple(np.flatnonzero(level == value) for value in sorted(set(level.tolist()), reverse=True))


def _unbounded_order(pairs: PairModel, counts: FloatArray) -> bool:
    """Whether the effect of order is infinite, where worths and ties would be finite without it: a linear program."""
    k, first, second = pairs.objects, pairs.first, pairs.second
    one, two = counts[:, 0] > 0, counts[:, 1] > 0
    circles = [(first[one], second[one]), (second[two], first[two])]
    if all(connected_components(_graph(*circle, k), connection="strong")[0] == 1 for circle in circles):
        return False  # cycles of wins of the first, and of the second: neither can be favoured without limit
    at, ones = np.arange(len(first)), np.ones(len(first))
    columns = [[first], [second], [first, second]]  # of the predictor of each outcome
    values = [[ones], [ones], [0.5 * ones, 0.5 * ones]]
    columns[0].append(np.full(len(first), k + pairs.extra - 1))
    values[0].append(ones)
    columns[2].append(np.full(len(first), k))
    values[2].append(ones)
    outcomes = range(3 if pairs.ties else 2)
    predictor = [
        csr_array(
            (np.concatenate(values[o]), (np.tile(at, len(columns[o])), np.concatenate(columns[o]))),
            shape=(len(first), k + pairs.extra),
        )
        for o in outcomes
    ]
    slack: Any = vstack([(predictor[o] - predictor[x])[counts[:, o] > 0] for o in outcomes for x in outcomes if x != o])
    found = linprog(-slack.sum(axis=0), A_ub=-slack, b_ub=np.zeros(slack.shape[0]), bounds=(-1.0, 1.0))
    return bool(found.status == 0 and found.fun is not None and found.fun < -1e-7)
