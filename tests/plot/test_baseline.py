"""Drawings compared with the pictures in ``baseline/``: ``python tests/plot/drawings.py`` rewrites these."""

from __future__ import annotations

import re
from pathlib import Path

import drawings
import pytest
from drawings import BASELINE, DRAWINGS, six, write
from matplotlib.testing.compare import compare_images

from podium import plot

# Root mean square of the differences of pixel values, 0 to 255. matplotlib 3.9.4 and 3.11 differ by 0; the smallest
# of the errors made on purpose below by 8.
TOLERANCE = 2.0


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_matches_its_picture(name: str, tmp_path: Path) -> None:
    assert compare_images(str(BASELINE / f"{name}.png"), str(write(name, tmp_path)), TOLERANCE) is None


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("podium-lines", lambda: plot.podium(six(), lines="algorithm", seed=1)),
        ("podium-lines", lambda: plot.podium(six(), lines="neutral")),
        ("podium-lines", lambda: plot.podium(six(), lines="algorithm", palette={"svm": "#3DA584"})),
        ("box", lambda: plot.box(six(), size="column", reach=1.0)),
        ("percentile-intervals", lambda: plot.percentile_intervals(six(), alpha=0.05)),
        ("strip", lambda: plot.strip(six(), order=["svm", "lda", "knn", "rpart", "nnet", "rf"])),
    ],
)
def test_a_wrong_drawing_does_not_match(name: str, drawing, tmp_path: Path) -> None:
    found = compare_images(str(BASELINE / f"{name}.png"), str(write(name, tmp_path, drawing())), TOLERANCE)
    assert found is not None


def test_every_plot_has_a_picture() -> None:
    page = Path(drawings.__file__).read_text(encoding="utf-8")
    plots = [name for name in plot.__all__ if name not in ("colours", "plot_of", "save")]
    assert [
        name for name in plots if not re.search(rf'^    "[\w-]+": lambda: plot\.{name}\(', page, re.MULTILINE)
    ] == []


def test_every_picture_belongs_to_a_drawing() -> None:
    kept = {path.stem for path in BASELINE.glob("*.png")} - {path.stem for path in BASELINE.glob("*-failed-diff.png")}
    assert kept == set(DRAWINGS)
