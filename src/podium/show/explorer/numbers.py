"""The numbers of all views of a data set, from `podium.plot.figures`, as a page needs them.

Arrays are text: their bytes in base64, which a browser turns into typed arrays without reading numbers.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from podium.analysis.blocks import ordered_blocks
from podium.analysis.describe.places import ranks_of
from podium.analysis.domain import domain as analyse
from podium.arrays import AnyArray, FloatArray, IntArray
from podium.errors import PodiumError
from podium.plot import figures
from podium.plot.figures.summary import summary as summary_numbers
from podium.plot.figures.summary_graph import summary_graph as graph_numbers
from podium.results import Results
from podium.results.labels import Label
from podium.results.missing import common_blocks
from podium.typesetting.table import json_value

DRAWS = 6  # random breaks of ties that a page can step through
DENSITY = 4  # every fourth point of a density is drawn
EVERY = 1_000_000_000  # nothing is thinned here: a page selects from all
_KINDS = {"f8": "<f8", "f4": "<f4", "i4": "<i4", "i1": "i1", "u1": "u1", "u2": "<u2"}


def measure_numbers(results: Results, measure: str, labels: tuple[Label, ...], seed: int) -> dict[str, Any] | None:
    """Return the numbers of one measure of one data set; None without a replication that all algorithms have.

    Places and distributions are those of such replications. Rows are the replications in the order of `labels`, columns
    the algorithms in the order of the results.
    """
    chosen = results.select(measure=measure, replications=list(labels))
    values = chosen.values[0, :, :, 0]
    if not chosen.present.any() or not common_blocks(chosen).any():
        return None
    first = figures.podium(chosen, missing="available", seed=seed, most_lines=EVERY, most_dots=EVERY)
    absent = [name for name in results.algorithms if name not in first.algorithms]
    column = np.array([results.algorithms.index(name) for name in (*first.algorithms, *absent)])
    counts = np.zeros((len(column), len(column)))
    counts[: len(first.algorithms), : len(first.algorithms)] = first.counts
    draws = [first.line_algorithm]
    if _has_ties(chosen):
        table = ordered_blocks(chosen, missing="available", order=first.algorithms)
        again = (ranks_of(table, "random", seed + step) for step in range(1, DRAWS))
        draws += [np.argsort(ranks, axis=1, kind="stable") for ranks in again]
    info = first.measure
    positive = bool((values[~np.isnan(values)] > 0).all())
    return {
        "name": info.name,
        "label": first.value_label,
        "direction": info.direction,
        "log": bool(first.logarithmic and positive),
        "values": packed(values),
        "order": column.tolist(),
        "places": packed(_orders(draws, first.labels, column, labels), whole_kind(len(results.algorithms))),
        "counts": counts[:, np.argsort(column)].tolist(),
        "n": first.n,
        **_distributions(chosen, values, results.algorithms),
    }


def _has_ties(results: Results) -> bool:
    low, high = (results.ranks(ties=ties, missing="worst-rank").values for ties in ("min", "max"))
    return bool((low < high).any())


def _orders(draws: list[IntArray], blocks: tuple[Label, ...], column: IntArray, labels: tuple[Label, ...]) -> IntArray:
    """The algorithm at each place of each replication; -1 where none has a place."""
    orders = np.full((len(draws), len(labels), len(column)), -1, np.int64)
    row = {label: at for at, label in enumerate(labels)}
    placed = column[np.array(draws)]
    orders[:, [row[block] for block in blocks], : placed.shape[2]] = placed
    return orders


def _distributions(chosen: Results, values: FloatArray, algorithms: tuple[str, ...]) -> dict[str, Any]:
    """Box, strip and density; the algorithms in the order of the results."""
    given = {"order": algorithms, "missing": "available"}
    box = figures.box(chosen, **given)  # type: ignore[arg-type]
    strip = figures.strip(chosen, most=EVERY, **given)  # type: ignore[arg-type]
    density = figures.density(chosen, **given)  # type: ignore[arg-type]
    offset = np.zeros(values.shape)
    common = common_blocks(chosen)[0]
    for k in range(len(algorithms)):
        there = np.flatnonzero(common & ~np.isnan(values[:, k]))
        # The figure has the values of an algorithm in increasing order; equal values may take each other's place.
        offset[there[np.argsort(values[there, k], kind="stable")], k] = strip.offset[strip.algorithm == k]
    return {
        "box": {
            "quartiles": json_value(box.quartiles),
            "whiskers": json_value(box.whiskers),
            "means": json_value(box.means),
        },
        "strip": packed(np.round(127 * offset), "i1"),
        "density": {
            "grid": packed(density.grid[::DENSITY], decimal_kind(density.grid)),
            "heights": packed(density.density[:, ::DENSITY], decimal_kind(density.density)),
        },
    }


def domain_numbers(results: Results, measure: str) -> dict[str, Any] | None:
    """Return the numbers of the views of a domain by one measure; None where it cannot be analysed."""
    chosen = results.select(measure=measure)
    tested = True
    try:
        domain = analyse(chosen, progress="quiet")
    except PodiumError:
        tested = False
        try:
            domain = analyse(chosen, statistic="mean", progress="quiet")
        except PodiumError:
            return None
    summary, graph, tree = summary_numbers(domain), graph_numbers(domain), figures.distances(domain)
    known = results.datasets
    return {
        "measure": measure,
        "label": summary.measure.name,
        "statistic": summary.statistic,
        "tested": tested,
        "summary": {
            "datasets": [known.index(name) for name in summary.datasets],
            "algorithms": [results.algorithms.index(name) for name in summary.algorithms],
            "podium": summary.podium.tolist(),
            "values": json_value(summary.values),
            "share": json_value(summary.share),
            "border": summary.border.astype(int).tolist(),
            "relations": [str(domain.relations[name]) for name in summary.datasets],
        },
        "graph": {
            "datasets": [known.index(name) for name in graph.datasets],
            "x": graph.x.tolist(),
            "y": graph.y.tolist(),
            "winner": [-1 if one < 0 else results.algorithms.index(graph.algorithms[one]) for one in graph.winner],
            "first": graph.first.tolist(),
            "second": graph.second.tolist(),
            "level": graph.level.tolist(),
            "levels": graph.levels.tolist(),
        },
        "dendrogram": {
            "datasets": [known.index(name) for name in tree.labels],
            "links": tree.links.tolist(),
            "winner": [results.algorithms.index(name) if name else -1 for name in tree.winners],
            "metric": tree.metric,
        },
    }


def packed(array: AnyArray, kind: str = "f8") -> dict[str, Any]:
    """Write an array as its type, shape and bytes.

    >>> packed(np.array([[1, 2]]), "u1")
    {'type': 'u1', 'shape': [1, 2], 'bytes': 'AQI='}
    """
    values = np.ascontiguousarray(array, dtype=_KINDS[kind])
    return {"type": kind, "shape": list(values.shape), "bytes": base64.b64encode(values.tobytes()).decode("ascii")}


def whole_kind(largest: int) -> str:
    """Choose the type for whole numbers from 0 to `largest`; the largest number of the type is left free."""
    return "u1" if largest < 255 else "u2" if largest < 65_535 else "i4"


def decimal_kind(values: AnyArray) -> str:
    """Choose the type for numbers that are only drawn: half the bytes, unless some would overflow or vanish.

    >>> decimal_kind(np.array([0.0, 2.5])), decimal_kind(np.array([1e300]))
    ('f4', 'f8')
    """
    sizes = np.abs(values[np.isfinite(values) & (values != 0)])
    return "f4" if not sizes.size or (sizes.max() < 1e30 and sizes.max() > 1e-30) else "f8"


def as_json(facts: Any) -> str:
    """Write facts as JSON that may be embedded in a page: no end of a script, no comment, no line separator."""
    text = json.dumps(facts, allow_nan=False, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
