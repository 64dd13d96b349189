"""Figures of archetypes: names, outliers at the edge, whole markers, titles that break where they should."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

import podium


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    corners = np.array([[1, 2, 5], [9, 1, 4], [4, 8, 9]])
    values = rng.dirichlet([0.5] * 3, 200) @ corners + 0.1 * rng.normal(size=(200, 3))
    return pd.DataFrame(values, columns=["length", "width", "weight"])


@pytest.fixture(scope="module")
def robust(table: pd.DataFrame) -> podium.ArchetypalAnalysis:
    far = pd.concat([table, pd.DataFrame([[40, 40, 40], [11, 9, 8]], columns=table.columns)], ignore_index=True)
    return podium.ArchetypalAnalysis(3, family="robust", n_init=3).fit(far)


def test_far_outliers_do_not_rule_the_axes(robust: podium.ArchetypalAnalysis, table: pd.DataFrame) -> None:
    assert set(robust.outliers().index) == {200, 201}
    numbers = podium.plot.figures.archetype_plane(robust)
    assert np.flatnonzero(numbers.beyond).tolist() == [200]  # the other outlier is near enough to be shown
    ax = podium.plot.archetype_plane(robust, size="column")
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < table["length"].min() and 11 < right < 14 and bottom < table["width"].min() and 9 < top < 11
    crosses = [found for found in ax.collections if len(found.get_offsets()) == 1]
    assert crosses[0].get_offsets().tolist() == [[right, top]]
    assert "1 outlier further out" in [text.get_text().replace("\n", " ") for text in ax.figure.findobj(plt.Text)]
    classical = podium.ArchetypalAnalysis(3, n_init=1).fit(robust.solution_.data)
    assert not podium.plot.figures.archetype_plane(classical).beyond.any()
    assert podium.plot.archetype_plane(classical).get_xlim()[1] > 40


def test_the_circle_of_the_elbow_is_whole(table: pd.DataFrame) -> None:
    path = podium.archetypes(table.head(60), k=range(1, 6), n_init=1)
    ax = podium.plot.archetype_scree(path, size="column")
    ax.figure.canvas.draw()
    circle = ax.lines[-1]
    y = ax.transData.transform((path.elbow, path[path.elbow].rss_))[1]
    radius = (circle.get_markersize() + circle.get_markeredgewidth()) / 2 * ax.figure.dpi / 72
    assert ax.bbox.y0 <= y - radius and y + radius <= ax.bbox.y1
    bottom = ax.get_ylim()[0]
    assert min(tick for tick in ax.get_yticks() if tick >= bottom) == 0
    assert ax.get_title(loc="left").split("\n")[-1] == "elbow\u00a0at\u00a03\u00a0(chord)"


def test_a_triangle_takes_the_height_of_its_figure(table: pd.DataFrame) -> None:
    ax = podium.plot.archetype_simplex(podium.ArchetypalAnalysis(3, n_init=1).fit(table))
    bottom, top = ax.get_ylim()
    assert 1.5 / (top - bottom) > 0.75  # the triangle has a height of 1.5
