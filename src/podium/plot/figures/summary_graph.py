"""Benchmark summary graph: data sets as nodes, near each other where their relations are similar."""

from __future__ import annotations

import numpy as np

from podium.analysis.domain import Domain
from podium.arrays import FloatArray, IntArray
from podium.checks import check_count, expect, record
from podium.plot.figures.numbers import Numbers

__all__ = ["SummaryGraph", "summary_graph"]

SWEEPS = 400  # of the layout at most
EDGES = 6  # per data set, that a graph shows by default
STILL = 1e-7  # relative change of the stress at which it ends
BREAK = 1e-3  # relative size of what decides where the distances leave a choice
DIGITS = 9  # of means and distances, significant ones: two that differ less are equal


@record(eq=False, kw_only=True)
class SummaryGraph(Numbers):
    """Numbers of a benchmark summary graph.

    Attributes
    ----------
    datasets : tuple of str
        The nodes.
    algorithms : tuple of str
    x, y : ndarray of float
        Where the nodes are; a distance of 1 in the drawing is a distance of 1 between relations, as far as possible.
    winner : ndarray of int
        The unique winner of each data set, by its position in `algorithms`; -1 where several are first.
    first, second : ndarray of int
        The edges: positions of two data sets.
    level : ndarray of int
        Level of each edge: 0 for the smallest distance.
    levels : ndarray of float
        The distances of the levels, smallest first.
    stress : float
        How badly the drawing shows the distances: the sum of squared relative errors, over the number of pairs.
    """

    datasets: tuple[str, ...]
    algorithms: tuple[str, ...]
    x: FloatArray
    y: FloatArray
    winner: IntArray
    first: IntArray
    second: IntArray
    level: IntArray
    levels: FloatArray
    stress: float


def summary_graph(domain: Domain, *, nearest: int | None = None) -> SummaryGraph:
    """Compute the numbers of a benchmark summary graph (Eugster 2011, section 4.2).

    The layout follows the spring model of Kamada & Kawai (1989), by the majorization of Gansner, Koren & North (2004).
    Data sets with the same relation are told apart by their means; only where these are equal as well, by their names.

    Parameters
    ----------
    nearest : int, optional
        How many of the smallest different distances are drawn as edges. By default about 40 percent of them, fewer if
        there would be more than six edges per data set.

    References
    ----------
    E. R. Gansner, Y. Koren, S. North (2004). Graph drawing by stress majorization. Graph Drawing, LNCS 3383,
    239–250. — T. Kamada, S. Kawai (1989). An algorithm for drawing general undirected graphs. Information Processing
    Letters 31, 7–15.
    """
    expect(domain, Domain, "domain")
    names = tuple(sorted(domain.datasets))
    matrix = domain.distances.frame().loc[list(names), list(names)].to_numpy()
    first, second = np.triu_indices(len(names), 1)
    apart = matrix[first, second]
    known = np.unique(apart)
    if nearest is None:
        edges = np.searchsorted(np.sort(apart), known, side="right")  # for each number of levels
        few = int((edges <= EDGES * len(names)).sum())
        nearest = max(min(int(np.ceil(0.4 * len(known))), few), 1)
    check_count(nearest, "nearest")
    shown = known[:nearest]
    drawn = np.isin(apart, shown)
    order = _order_by_values(domain, names, matrix)
    position = np.empty((len(names), 2))
    position[order], stress = spring_layout(matrix[np.ix_(order, order)])
    winners = [domain.local[name].winners for name in names]
    return SummaryGraph(
        datasets=names,
        algorithms=domain.algorithms,
        x=position[:, 0],
        y=position[:, 1],
        winner=np.array([domain.algorithms.index(won[0]) if len(won) == 1 else -1 for won in winners]),
        first=first[drawn],
        second=second[drawn],
        level=np.searchsorted(shown, apart[drawn]),
        levels=shown,
        stress=stress,
    )


def _order_by_values(domain: Domain, names: tuple[str, ...], distances: FloatArray) -> IntArray:
    """Order the data sets by what they are: by their means and distances, from the smallest up, and only then by name.

    So the layout depends neither on the order nor on the names of data sets and algorithms.
    """
    table = np.column_stack([np.sort(domain.means.loc[list(names)].to_numpy(), axis=1), np.sort(distances, axis=1)])
    size = 10.0 ** (DIGITS - np.ceil(np.log10(np.where(table == 0, 1.0, np.abs(table)))))
    keys = [tuple(row) for row in np.nan_to_num(np.round(table * size) / size, nan=np.inf).tolist()]
    return np.array(sorted(range(len(names)), key=lambda i: (keys[i], names[i])))


def spring_layout(distances: FloatArray) -> tuple[FloatArray, float]:
    """Place points in the plane so that their distances are those given, near ones above all; and the stress left.

    Points with distance 0 are drawn a little apart: at a quarter of the smallest distance. Where the distances leave a
    choice (points that could be exchanged, a picture that could be turned or mirrored), the order of the points
    decides, by far more than rounding could.
    """
    n = len(distances)
    if n == 1:
        return np.zeros((1, 2)), 0.0
    off = ~np.eye(n, dtype=bool)
    positive = distances[off & (distances > 0)]
    wanted = np.where(distances > 0, distances, 0.25 * positive.min() if len(positive) else 1.0)
    weight = np.where(off, 1.0 / np.where(off, wanted, 1.0) ** 2, 0.0)
    position = _start(wanted * off)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    stress = np.inf
    for _ in range(SWEEPS):
        gap = position[:, None] - position[None, :]
        length = np.sqrt((gap**2).sum(axis=2))
        new = float((weight * (length - wanted) ** 2)[off].sum()) / 2
        if stress - new <= STILL * new:
            break
        stress = new
        pull = np.where(off & (length > 1e-12), -weight * wanted / np.maximum(length, 1e-12), 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        position = inverse @ (pull @ position)
    return _turned(position), stress / (n * (n - 1) / 2)


def _start(distances: FloatArray) -> FloatArray:
    """Return the first two principal coordinates (Torgerson 1952) of the points, each moved a little of its own.

    Products of coordinates on a spiral are added to those of the points. So no two points coincide, points on a line
    can leave it, and of directions that are equally wide the same are always first.
    """
    n = len(distances)
    centred = distances**2
    centred = -0.5 * (centred - centred.mean(axis=0) - centred.mean(axis=1)[:, None] + centred.mean())
    angle = 2.0 * np.pi * _irregular(n)
    spiral = np.sqrt(np.arange(1.0, n + 1.0))[:, None] * np.column_stack([np.cos(angle), 0.6 * np.sin(angle)])
    spiral -= spiral.mean(axis=0)
    products = spiral @ spiral.T
    values, vectors = np.linalg.eigh(centred + BREAK * np.trace(centred) / np.trace(products) * products)
    position: FloatArray = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0.0))
    return position


def _turned(position: FloatArray) -> FloatArray:
    """Turn a layout so that it is widest from left to right, with the heavier ends on the right and on top.

    Points weigh a little differently, so that a regular polygon has a widest direction and a heavier end as well.
    """
    weight = 1.0 + BREAK * _irregular(len(position))
    x, y = (position - position.mean(axis=0)).T
    angle = 0.5 * np.arctan2(2.0 * (weight * x * y).sum(), (weight * (x**2 - y**2)).sum())
    turned = np.column_stack([np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x])
    return turned * np.where((weight[:, None] * turned**3).sum(axis=0) < 0, -1.0, 1.0)


def _irregular(n: int) -> FloatArray:
    """Return numbers between 0 and 1 without any pattern that distances could share: multiples of the golden ratio."""
    numbers: FloatArray = np.arange(1.0, n + 1.0) * (np.sqrt(5.0) - 1.0) / 2.0 % 1.0
    return numbers
