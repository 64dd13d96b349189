"""Texts that are measured once: as matplotlib measures them, whatever they differ in."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text

from podium.plot.layout import Constrained, measured_once

MEASURE = Text._get_layout
# Each text differs from the first in one of these, and in nothing else.
LOOKS: list[dict[str, Any]] = [
    {},
    {"s": "gradient boosting\n(depth = $12$), tuned, stopped late"},
    {"fontsize": 14},
    {"fontweight": "bold"},
    {"rotation": 30},
    {"rotation": 90},
    {"rotation": 30, "rotation_mode": "anchor"},
    {"ha": "right"},
    {"va": "top"},
    {"multialignment": "center"},
    {"linespacing": 2.0},
    {"parse_math": False},
    {"wrap": True},
]


def drawn() -> tuple[Any, list[Text]]:
    figure, ax = plt.subplots(figsize=(3, 3))
    look = {"s": "gradient boosting\n(depth = $12$), tuned, stopped early", "fontsize": 10}
    return figure, [ax.text(0.5, 0.5, **look | one) for one in LOOKS]


def measured(figure: Any, texts: list[Text]) -> list[Any]:
    renderer = figure.canvas.get_renderer()
    places = [text.get_window_extent(renderer).extents.tolist() for text in texts]
    lines = [text._get_layout(renderer)[1:] for text in texts]
    return list(zip(places, lines, strict=True))


def test_texts_that_differ_in_anything_are_measured_as_by_matplotlib() -> None:
    figure, texts = drawn()
    for dpi in (100, 150):
        figure.set_dpi(dpi)
        expected = measured(figure, texts)
        assert all(one != two for one, two in combinations(expected, 2))
        with measured_once():
            assert measured(figure, texts) == expected
            assert measured(figure, texts) == expected
            with measured_once():
                assert measured(figure, texts) == expected
            assert Text._get_layout is not MEASURE
        assert Text._get_layout is MEASURE


def test_a_text_that_changes_is_measured_again() -> None:
    figure, (text, *_, wrapped) = drawn()
    renderer = figure.canvas.get_renderer()
    with measured_once():
        heights = [text.get_window_extent(renderer, dpi=dpi).height for dpi in (100, 200)]
        text.get_fontproperties().set_size(20)
        heights.append(text.get_window_extent(renderer, dpi=100).height)
        assert len(set(np.round(heights, 3))) == 3
        broken = wrapped.get_window_extent(renderer).height
        wrapped.set_x(-0.1)  # where there is more room for it
        assert wrapped.get_window_extent(renderer).height < broken


def test_a_figure_is_laid_out_as_by_matplotlib() -> None:
    places = []
    for layout in (Constrained(), ConstrainedLayoutEngine()):
        figure, ax = plt.subplots(layout=layout)
        ax.set(title="a title\nof two lines", xlabel="score", yticks=[0, 1], yticklabels=["svm", "gradient\nboosting"])
        figure.draw_without_rendering()
        places.append(ax.get_position().extents)
        assert Text._get_layout is MEASURE
    np.testing.assert_array_equal(*places)
