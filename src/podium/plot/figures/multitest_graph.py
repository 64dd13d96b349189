"""MultiTest graph: algorithms in prior order, and the tests that override it; the walk through it, step by step."""

from __future__ import annotations

from typing import Any

from podium.analysis.multitest import Multi2Test, MultiTest
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["GraphStep", "MultiTestGraph", "MultiTestWalk", "multitest_graph", "multitest_walk"]


@record(eq=False, kw_only=True)
class MultiTestGraph(Numbers):
    """Numbers of a MultiTest graph.

    Attributes
    ----------
    algorithms : tuple of str
        In prior order, cheapest first.
    place : tuple of int
        Place of each in the final order, from 1.
    edges : tuple of tuple of int
        Positions (preferred, better) of each test that overrides the prior order.
    tied_edges : tuple of tuple of int
        The same between algorithms of equal cost.
    equal : tuple of tuple of int
        Groups of algorithms with equal costs.
    cost : ndarray of float
        In the order of `algorithms`.
    cost_name : str
    dataset : str or None
    method : str
        The test.
    alpha : float or None
    """

    algorithms: tuple[str, ...]
    place: tuple[int, ...]
    edges: tuple[tuple[int, ...], ...]
    tied_edges: tuple[tuple[int, ...], ...]
    equal: tuple[tuple[int, ...], ...]
    cost: FloatArray
    cost_name: str
    dataset: str | None
    method: str
    alpha: float | None


@record(slots=True, kw_only=True)
class GraphStep:
    """One step of the walk, as positions in `MultiTestWalk.algorithms`.

    Attributes
    ----------
    chosen : int
        The algorithm that gets the next place.
    free : tuple of int
        Those that could.
    left : tuple of int
        Those without a place.
    """

    chosen: int
    free: tuple[int, ...]
    left: tuple[int, ...]


@record(eq=False, kw_only=True)
class MultiTestWalk(MultiTestGraph):
    """Numbers of the walk through a MultiTest graph.

    Attributes
    ----------
    steps : tuple of GraphStep
        One per place.
    """

    steps: tuple[GraphStep, ...]


def multitest_graph(multitest: MultiTest | Multi2Test) -> MultiTestGraph:
    """Compute the numbers of a MultiTest graph.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(dataset="segment")
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> numbers = podium.plot.figures.multitest_graph(podium.multitest(results, cost=seconds))
    >>> [(numbers.algorithms[i], numbers.algorithms[j]) for i, j in numbers.edges]
    []
    """
    return MultiTestGraph(**_shared(one_graph(multitest)))


def multitest_walk(multitest: MultiTest | Multi2Test) -> MultiTestWalk:
    """Compute the numbers of the walk through a MultiTest graph.

    Examples
    --------
    >>> import podium
    >>> results = podium.examples.load_ulas2008().select(dataset="optdigits")
    >>> seconds = podium.examples.load_ulas2008("training time")
    >>> numbers = podium.plot.figures.multitest_walk(podium.multitest(results, cost=seconds))
    >>> [numbers.algorithms[step.chosen] for step in numbers.steps]
    ['svr', 'svl', 'sv2', '5nn', 'mlp', 'lnp', 'mdt', 'c45']
    """
    found = one_graph(multitest)
    at = {name: i for i, name in enumerate(found.prior)}
    steps = tuple(
        GraphStep(
            chosen=at[step.chosen],
            free=tuple(at[name] for name in step.free),
            left=tuple(at[name] for name in step.left),
        )
        for step in found.steps
    )
    return MultiTestWalk(**_shared(found), steps=steps)


def one_graph(multitest: MultiTest | Multi2Test) -> MultiTest:
    """Take the second pass of Multi²Test."""
    return multitest.second if isinstance(multitest, Multi2Test) else expect(multitest, MultiTest, "multitest")


def _shared(found: MultiTest) -> dict[str, Any]:
    at = {name: i for i, name in enumerate(found.prior)}
    pairs = [(at[edge.preferred], at[edge.better], edge.tied) for edge in found.edges]
    return {
        "algorithms": found.prior,
        "place": tuple(found.order.index(name) + 1 for name in found.prior),
        "edges": tuple((i, j) for i, j, tied in pairs if not tied),
        "tied_edges": tuple((i, j) for i, j, tied in pairs if tied),
        "equal": tuple(tuple(at[name] for name in group) for group in found.ties),
        "cost": found.cost[[found.algorithms.index(name) for name in found.prior]],
        "cost_name": found.cost_info.name,
        "dataset": found.dataset,
        "method": found.method,
        "alpha": found.alpha,
    }
