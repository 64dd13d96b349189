"""Measures on a log scale have one mean in all of a report: tables and figures agree."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

import podium
from podium.reporting import Figure


def scores(datasets: int) -> podium.Results:
    """The time of one algorithm has a few long values: its arithmetic mean is the highest, its geometric the lowest."""
    rng = np.random.default_rng(3)
    times = np.exp(rng.normal(0, 0.1, size=(datasets, 12, 3))) * np.array([1.0, 2.0, 3.0])
    times[:, 0, 0] = 60.0
    values = np.stack([rng.random(times.shape), times], axis=-1)
    labels = {
        "dataset": [f"set {i}" for i in range(datasets)],
        "replication": list(range(12)),
        "algorithm": ["ada", "bob", "cleo"],
        "measure": ["error", "fit time"],
    }
    return podium.read(values, labels=labels, direction="lower", scale={"fit time": "log"}, units={"fit time": "s"})


@pytest.mark.parametrize("datasets", [1, 4])
@pytest.mark.parametrize(("measure", "name"), [("error", "time"), ("fit time", "box")])
def test_figures_show_the_geometric_means_of_the_table(datasets: int, measure: str, name: str) -> None:
    report = podium.report(scores(datasets), measure=measure, sections=["distributions"])
    (figure,) = [
        block for block in report.section("distributions").blocks if isinstance(block, Figure) and block.name == name
    ]
    assert "geometric mean" in figure.caption
    head = [column.name for column in figure.data.columns]
    table = {row[0].value: row[head.index("geometric mean")].value for row in figure.data.rows}
    assert next(iter(table)) == "ada"
    ax = figure.draw()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    points = np.asarray(ax.collections[-1].get_offsets())  # the means are drawn last
    drawn = dict(zip(labels, points[:, 0], strict=True))
    plt.close("all")
    assert drawn == pytest.approx(table)
