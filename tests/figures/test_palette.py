"""Colours: the published ones, stable, and apart for everyone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import podium
from podium.plot.figures import colours, markers
from podium.plot.figures.palette import PALETTE, PUBLISHED

# Machado, Oliveira & Fernandes (2009), severity 1.0, for linear RGB.
VISION = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def lab(colour: str, vision: str) -> np.ndarray:
    """CIELAB of a colour as seen."""
    part = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    t = TO_XYZ @ np.clip(VISION[vision] @ linear, 0, 1) / [0.95047, 1, 1.08883]
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def difference(one: np.ndarray, two: np.ndarray) -> float:
    """CIEDE2000 (Sharma, Wu & Dalal 2005)."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dl, dc, dh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * np.cos(np.radians(hm - 30))
        + 0.24 * np.cos(np.radians(2 * hm))
        + 0.32 * np.cos(np.radians(3 * hm + 6))
        - 0.20 * np.cos(np.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / np.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    theta = 30 * np.exp(-(((hm - 275) / 25) ** 2))
    rt = -np.sin(np.radians(2 * theta)) * 2 * np.sqrt(cm**7 / (cm**7 + 25**7))
    return float(np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * dc / sc * dh / sh))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_measure_of_difference_itself(one, two, expected: float) -> None:
    # Sharma, Wu & Dalal (2005), table 1, pairs 1, 17, 25, 34.
    assert difference(np.array(one), np.array(two)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("vision", VISION)
def test_the_ten_colours_are_apart_for_everyone(vision: str) -> None:
    seen = {name: lab(colour, vision) for name, colour in PALETTE.items()}
    nearest = min((difference(seen[a], seen[b]), a, b) for a, b in combinations(PALETTE, 2))
    assert nearest[0] > 11, nearest


@pytest.mark.parametrize("vision", VISION)
def test_the_published_seven_are_further_apart(vision: str) -> None:
    seen = {name: lab(PALETTE[name], vision) for name in PUBLISHED.values()}
    nearest = min((difference(seen[a], seen[b]), a, b) for a, b in combinations(seen, 2))
    assert nearest[0] > 13, nearest


@pytest.mark.parametrize(
    ("algorithm", "hue"),
    [
        ("lda", (255, 300)),
        ("knn", (45, 65)),
        ("rpart", (340, 365)),
        ("svm", (205, 230)),
        ("nnet", (140, 170)),
        ("rf", (20, 40)),
        ("nb", (20, 40)),
    ],
)
def test_the_algorithms_of_the_dissertation_keep_their_colours(algorithm: str, hue: tuple[float, float]) -> None:
    # Eugster (2011), chapter 2: lda purple, knn yellow, rpart red, svm blue, nnet green, rf orange; 4.5: nb brown.
    import colorsys

    colour = colours([algorithm, "other"])[algorithm]
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    found, _, value = colorsys.rgb_to_hsv(red, green, blue)
    low, high = hue
    assert low <= 360 * found + (360 if high > 360 and found < 0.5 else 0) <= high
    assert (value < 0.5) == (algorithm in ("nb",)) or algorithm == "lda"


def test_colours_do_not_depend_on_the_order_of_names() -> None:
    names = ["svm", "b", "a", "knn", "c10", "c9"]
    assert colours(names) == {name: colours(sorted(names))[name] for name in names}
    assert list(colours(names)) == names


def test_no_two_of_thirty_algorithms_have_the_same_colour() -> None:
    names = [f"algorithm {i}" for i in range(23)] + list(PUBLISHED)
    assert len(set(colours(names).values())) == 30


def test_results_give_their_names() -> None:
    results = podium.examples.load_demsar2006()
    assert colours(results) == colours(results.algorithms)
    assert list(markers(results)) == list(results.algorithms)
    assert len(set(markers(results).values())) == 4
