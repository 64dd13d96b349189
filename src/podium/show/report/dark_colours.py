"""The colours of figures on a dark page: dark becomes light and light dark, hues stay.

Every colour is changed by the same rule, so that what is told apart on white is told apart on a dark page, too: a light
line on a dark box becomes a dark line on a light box.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from podium.arrays import FloatArray

PAPER, INK = 0.215, 0.93  # lightness of the dark page and of what is black on white
LIFT = 0.7  # below 1: colours of medium lightness stay clear of the page
VIVID = 0.62  # least lightness of a colour with all of its chroma, such as yellow
PALE, FULL = 0.06, 0.12  # chroma of a colour that is not vivid at all, and of one that is

# Ottosson (2020), "A perceptual color space for image processing": linear sRGB to cone responses, and these to Oklab.
_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@cache
def on_dark(colour: str) -> str:
    """Return the colour that stands on a dark page for one on white; both as six hexadecimal digits.

    >>> on_dark("ffffff"), on_dark("000000")
    ('14191f', 'e8e8e8')
    """
    if colour == "ffffff":
        return "14191f"  # the page itself
    light, a, b = _oklab(colour)
    chroma = float(np.hypot(a, b))
    turned = PAPER + (INK - PAPER) * (1 - min(light, 1.0)) ** LIFT
    turned += float(np.clip((chroma - PALE) / (FULL - PALE), 0.0, 1.0)) * max(VIVID - turned, 0.0)
    low, high = 0.0, 1.0  # share of the chroma that the screen can show at this lightness
    for _ in range(20):
        share = (low + high) / 2
        low, high = (share, high) if _shown(_linear(turned, share * a, share * b)) else (low, share)
    share = 1.0 if _shown(_linear(turned, a, b)) else low
    return _written(_linear(turned, share * a, share * b))


def _oklab(colour: str) -> tuple[float, float, float]:
    coded = np.array([int(colour[i : i + 2], 16) for i in (0, 2, 4)]) / 255
    linear = np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)
    light, a, b = _LAB @ np.cbrt(_CONES @ linear)
    return float(light), float(a), float(b)


def _linear(light: float, a: float, b: float) -> FloatArray:
    return np.asarray(np.linalg.solve(_CONES, np.linalg.solve(_LAB, np.array([light, a, b])) ** 3))


def _shown(linear: FloatArray) -> bool:
    return bool((linear >= -1e-6).all() and (linear <= 1 + 1e-6).all())


def _written(linear: FloatArray) -> str:
    inside = np.clip(linear, 0.0, 1.0)
    coded = np.where(inside <= 0.0031308, 12.92 * inside, 1.055 * inside ** (1 / 2.4) - 0.055)
    return "".join(f"{round(255 * float(one)):02x}" for one in coded)
