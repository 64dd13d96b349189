"""The fonts that draw a text: one that every matplotlib has, and installed ones for other characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import product

from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager, get_font

FONT = "DejaVu Sans"

# Fonts for scripts that FONT does not have, on Linux, macOS and Windows; matplotlib takes the first that has a letter.
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK TC", "Noto Sans CJK KR", "Source Han Sans SC"),
    *("Noto Sans SC", "Noto Sans JP", "Noto Sans KR", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
    *("Droid Sans Fallback", "IPAGothic", "NanumGothic", "PingFang SC", "Hiragino Sans", "Apple SD Gothic Neo"),
    *("Microsoft YaHei", "SimHei", "Yu Gothic", "Malgun Gothic"),
    *("Noto Sans Devanagari", "Lohit Devanagari", "Kohinoor Devanagari", "Devanagari MT", "Nirmala UI", "Mangal"),
    *("Noto Sans Bengali", "Noto Sans Tamil", "Noto Sans Telugu", "Noto Sans Thai", "Leelawadee UI", "Thonburi"),
    *("Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola", "Arial Unicode MS", "FreeSans", "Unifont"),
)


@cache
def families() -> tuple[str, ...]:
    """Return FONT, and the fallbacks that are installed.

    Where a fallback has no face for normal or bold text, its nearest face is entered as that: matplotlib takes it
    anyway, but writes a complaint to standard error, even if no letter of the text needs the fallback.
    """
    installed: dict[str, list[FontEntry]] = {}
    for entry in fontManager.ttflist:
        installed.setdefault(entry.name, []).append(entry)
    found = [name for name in FALLBACKS if name in installed]
    for name, weight in product(found, (400, 700)):
        nearest = min(installed[name], key=lambda entry: (entry.style != "normal", abs(int(entry.weight) - weight)))
        if nearest.weight != weight:
            fontManager.ttflist.append(replace(nearest, weight=weight))
    return (FONT, *found)


@cache
def _letters() -> frozenset[int]:
    """Return the code points that some of the families can draw."""
    found: set[int] = set()
    for name in families():
        found.update(get_font(findfont(FontProperties(family=[name]))).get_charmap())
    return frozenset(found)


def missing_letters(texts: Iterable[str]) -> list[str]:
    r"""Return the letters that none of the families has, each once, in order.

    >>> missing_letters(["svm", "k-NN\n", "\U0010fffd"])
    ['\U0010fffd']
    """
    written = dict.fromkeys(letter for text in texts for letter in text)
    return [letter for letter in written if ord(letter) not in _letters() and not letter.isspace()]
