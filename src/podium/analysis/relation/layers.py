"""Layers of a Hasse diagram: the order within each, and where everything goes; in whatever units text is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from podium.analysis.relation.hasse import Diagram
from podium.arrays import FloatArray

SWEEPS = 12
BUSY = 12  # edges between two layers; from here on, layers that are joined completely are drawn as frames

Layers = tuple[tuple[int, ...], ...]
Routes = tuple[tuple[int, ...], ...]


def ordered_layers(diagram: Diagram) -> tuple[Layers, Routes]:
    """Return what is at each height, from left to right, and for each edge the way it takes.

    Edges that pass by a layer get a bend in it; bends are numbered after the nodes. Layers are ordered for few
    crossings.
    """
    layers = [list(layer) for layer in diagram.layers]
    routes = []
    bend = len(diagram.members)
    for low, high in diagram.edges:
        passed = range(diagram.height[low] + 1, diagram.height[high])
        bends = range(bend, bend + len(passed))
        for level, number in zip(passed, bends, strict=True):
            layers[level].append(number)
        bend += len(passed)
        routes.append((low, *bends, high))
    return _ordered(layers, tuple(routes)), tuple(routes)


def _ordered(layers: list[list[int]], routes: Routes) -> Layers:
    """Order each layer by the mean position of its neighbours, up and down in turns (Sugiyama, Tagawa & Toda 1981)."""
    pieces = [piece for route in routes for piece in pairwise(route)]
    items = sum(len(layer) for layer in layers)
    linked = np.zeros((items, items), bool)
    for a, b in pieces:
        linked[a, b] = linked[b, a] = True
    level = {item: number for number, layer in enumerate(layers) for item in layer}
    x = np.zeros(items)
    for layer in layers:
        x[layer] = _centred(len(layer))
    best, fewest = x.copy(), _crossings(pieces, level, x)
    for sweep in range(SWEEPS):
        turn = layers if sweep % 2 == 0 else layers[::-1]
        for fixed, layer in pairwise(turn):
            members, known = np.array(layer), np.array(fixed)
            near = linked[np.ix_(members, known)]
            pull = np.where(near.any(axis=1), near @ x[known] / np.maximum(near.sum(axis=1), 1), x[members])
            x[members[np.lexsort((members, x[members], pull))]] = _centred(len(members))
        crossings = _crossings(pieces, level, x)
        if crossings < fewest:
            best, fewest = x.copy(), crossings
    return tuple(tuple(sorted(layer, key=lambda item: float(best[item]))) for layer in layers)


def _centred(count: int) -> FloatArray:
    return np.arange(count, dtype=np.float64) - (count - 1) / 2


def _crossings(pieces: list[tuple[int, int]], level: dict[int, int], x: FloatArray) -> int:
    """Pairs of lines between the same two layers that cross."""
    if not pieces:
        return 0
    low, high = np.array(pieces).T
    height = np.array([level[a] for a, _ in pieces])
    turned = (x[low][:, None] - x[low][None, :]) * (x[high][:, None] - x[high][None, :])
    return int(((height[:, None] == height[None, :]) & (turned < 0)).sum() // 2)


@dataclass(frozen=True)
class Placement:
    """Where nodes and edges go; y counts up from the bottom, where the best are.

    Attributes
    ----------
    spots : list of (float, float)
        Middle of each node and bend.
    bands : list of (float, float)
        Lower and upper end of each layer. A layer with more nodes than fit side by side has several rows in its band.
    lines : list of list of (float, float)
        Points of the lines between nodes, or between frames.
    frames : list of (float, float, float, float)
        Left, bottom, right and top of the layers that are drawn as frames: each node of one layer is joined with each
        of the next, and one line between the frames says so.
    tall : float
    """

    spots: list[tuple[float, float]]
    bands: list[tuple[float, float]]
    lines: list[list[tuple[float, float]]]
    frames: list[tuple[float, float, float, float]]
    tall: float


def place_layers(
    layers: Layers,
    routes: Routes,
    widths: Sequence[float],
    height: float,
    room: float,
    *,
    gap: float,
    between: float,
    bend: float,
) -> Placement:
    """Find the positions of nodes of these widths and of one height, in a space of a given width.

    Parameters
    ----------
    layers, routes
        As `ordered_layers` returns them.
    widths : sequence of float
        Width of each node.
    height : float
        Height of a node.
    room : float
        Width of the whole diagram.
    gap : float
        Distance of neighbours in a row, and of the rows of a layer.
    between : float
        Distance of two layers.
    bend : float
        Width that is kept free for an edge that passes by a layer.
    """
    nodes = len(widths)
    above, below = {route[0] for route in routes}, {route[-1] for route in routes}
    complete = _joined_completely(layers, routes, nodes)
    spots: list[tuple[float, float]] = [(0.0, 0.0)] * sum(map(len, layers))
    bands = []
    several = False
    y = 0.0
    for layer in layers:
        own = np.array([widths[item] + gap if item < nodes else 0.0 for item in layer])
        passing = np.array([item >= nodes for item in layer])
        free = min(bend, 0.3 * room / max(int(passing.sum()), 1))
        own[passing] = free
        rows = _rows(own, passing, room)
        linked = np.array([int(item in above) - int(item in below) for item in layer])
        if rows > 1 and not complete and len(set(linked[~passing].tolist())) > 1:
            places = _by_links(own, passing, room, linked)
            rows = max(row for _, row in places) + 1
        else:
            places = _in_rows(own, passing, rows, room, snug=complete)
        several |= rows > 1
        for i, (x, row) in enumerate(places):
            middle = y + (rows * (height + gap) - gap) / 2 if passing[i] else y + row * (height + gap) + height / 2
            spots[layer[i]] = (x, middle)
        bands.append((y, y + rows * (height + gap) - gap))
        y = bands[-1][1] + between
    busy = max((len(low) * len(high) for low, high in pairwise(layers)), default=0) >= BUSY
    if complete and (several or busy):
        frames = [_frame(layer, spots, widths, height, 0.45 * gap) for layer in layers]
        lines = [[(room / 2, low[3]), (room / 2, high[1])] for low, high in pairwise(frames)]
        frames = [frame for frame, layer in zip(frames, layers, strict=True) if len(layer) > 1]
    else:
        frames = []
        lines = [_line(route, spots, bands, layers) for route in routes]
    return Placement(spots, bands, lines, frames, bands[-1][1])


def _joined_completely(layers: Layers, routes: Routes, nodes: int) -> bool:
    """Return whether each node of a layer is joined with each of the next, and with no other."""
    expected = {(a, b) for low, high in pairwise(layers) for a in low for b in high}
    return sum(map(len, layers)) == nodes and {(route[0], route[-1]) for route in routes} == expected


def _rows(widths: FloatArray, passing: np.ndarray, room: float) -> int:
    """How many rows a layer takes, so that the nodes of each row fit side by side."""
    own, free = widths[~passing], float(widths[passing].sum())
    rows = 1
    while rows < len(own) and max(float(own[start::rows].sum()) for start in range(rows)) + free > room:
        rows += 1
    return rows


def _in_rows(widths: FloatArray, passing: np.ndarray, rows: int, room: float, *, snug: bool) -> list[tuple[float, int]]:
    """Return the place along the layer, and the row, of each item; the order from left to right stays."""
    if rows == 1 or snug:
        row = np.arange(len(widths)) * rows // len(widths) if snug else np.zeros(len(widths), int)
        row = rows - 1 - row  # names are read from the top
        x = np.zeros(len(widths))
        for one in range(rows):
            here = np.flatnonzero(row == one)
            ends = np.cumsum(widths[here])
            x[here] = (room - float(widths[here].sum())) / 2 + ends - widths[here] / 2
        fits = all(float(widths[row == one].sum()) <= room for one in range(rows))
        if fits or rows == 1:
            return list(zip(x.tolist(), row.tolist(), strict=True))
    # Neighbours alternate between the rows, so edges from above and below are short.
    squeeze = min(1.0, room * rows / float(widths.sum()))
    ends = np.cumsum(widths) * squeeze / rows
    x = (room - squeeze * float(widths.sum()) / rows) / 2 + ends - squeeze * widths / rows / 2
    row = np.zeros(len(widths), int)
    nodes = np.flatnonzero(~passing)
    for start in range(rows):
        here = nodes[start::rows]
        row[here] = start
        x[here] = _apart(x[here], widths[here], room)
    return list(zip(x.tolist(), row.tolist(), strict=True))


def _by_links(widths: FloatArray, passing: np.ndarray, room: float, linked: np.ndarray) -> list[tuple[float, int]]:
    """Return the places as `_in_rows` does, with what is joined to a higher layer in the upper rows, and so on.

    An edge then ends in the row next to the other layer, and does not cross nodes that it has nothing to do with.
    """
    nodes = np.flatnonzero(~passing)
    free = room - float(widths[passing].sum())
    row, y, taken = np.zeros(len(widths), int), 0, 0.0
    for item in nodes[np.argsort(linked[nodes], kind="stable")]:
        if taken and taken + widths[item] > free:
            y, taken = y + 1, 0.0
        row[item], taken = y, taken + float(widths[item])
    x = np.cumsum(widths) - widths / 2
    x = room / 2 + (x - float(widths.sum()) / 2) * min(1.0, room / float(widths.sum()))
    for one in range(y + 1):
        here = nodes[row[nodes] == one]
        x[here] = _apart(x[here], widths[here], room)
    return list(zip(x.tolist(), row.tolist(), strict=True))


def _apart(x: FloatArray, widths: FloatArray, room: float) -> FloatArray:
    """Move the nodes of a row so that none covers another and all stay inside."""
    if not len(x):
        return x
    low = np.concatenate([[0.0], np.cumsum((widths[1:] + widths[:-1]) / 2)])
    spread = np.maximum.accumulate(np.maximum(x, widths[0] / 2) - low) + low
    over = max(float(spread[-1] + widths[-1] / 2 - room), 0.0)
    last: FloatArray = np.minimum(spread, spread[-1] - over - low[-1] + low)
    return last


def _frame(
    layer: Sequence[int], spots: list[tuple[float, float]], widths: Sequence[float], height: float, pad: float
) -> tuple[float, float, float, float]:
    pad = pad if len(layer) > 1 else 0.0
    return (
        min(spots[i][0] - widths[i] / 2 for i in layer) - pad,
        min(spots[i][1] for i in layer) - height / 2 - pad,
        max(spots[i][0] + widths[i] / 2 for i in layer) + pad,
        max(spots[i][1] for i in layer) + height / 2 + pad,
    )


def _line(
    route: Sequence[int], spots: list[tuple[float, float]], bands: list[tuple[float, float]], layers: Layers
) -> list[tuple[float, float]]:
    """Points of an edge; it passes by a layer straight up."""
    level = {item: number for number, layer in enumerate(layers) for item in layer}
    points = [spots[route[0]]]
    for item in route[1:-1]:
        points += [(spots[item][0], bands[level[item]][0]), (spots[item][0], bands[level[item]][1])]
    return [*points, spots[route[-1]]]
