"""Names fitted to a drawing: whole, or broken over lines; cut only where nothing else helps.

Widths are measured with the font that draws them, in points, so a name that fits here fits in the drawing:

- `text_width` measures a text, `lines_of` counts its lines;
- `fit_names` breaks names so that none is wider than the room for them;
- `fits` says whether names, broken between words, need no more than some lines;
- `names_beside` does so for the names of rows, to the left of axes;
- `names_above` finds how names fit the columns of a table: level, upright, or as numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate, product, takewhile

from matplotlib.font_manager import FontEntry, FontProperties, findfont, fontManager, get_font
from matplotlib.textpath import TextToPath

LINE = 1.2  # height of a line of text, in font sizes
BESIDE = 0.42  # of the width of a figure, for names beside rows at most
SMALLEST_NAME = 5.0  # points; smaller names cannot be read in print
_MEASURED = 100.0  # points; widths are measured once at this size and scaled
_MAX_LINES = 4
_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
)  # what XML does not allow, and what is not seen

_PLACES_TO_BREAK = re.compile(r"(?<=[\s_\-+/,.;:=)\]])(?![\s)\]])|(?=[(\[])|(?<=[a-z])(?=[A-Z])")
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


@lru_cache(maxsize=20_000)
def _width_in_ems(text: str, bold: bool) -> float:
    font = FontProperties(family=list(families()), size=_MEASURED, weight="bold" if bold else "normal")
    for letter in missing_letters([text]):  # drawn as a box, which is not wider than this
        text = text.replace(letter, "\ufffd")
    width, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(width) / _MEASURED


def text_width(text: str, font: float, *, bold: bool = False) -> float:
    r"""Width of a text in points: of its longest line, at a font size in points.

    >>> 9 < text_width("mm", 5) < text_width("mmm\nm", 5)
    True
    """
    return font * max(_width_in_ems(line.replace(r"\$", "$"), bold) for line in text.split("\n"))


def widest(texts: Sequence[str], font: float, *, bold: bool = False) -> float:
    """Width in points of the widest of these texts."""
    return max((text_width(text, font, bold=bold) for text in texts), default=0.0)


def lines_of(texts: Sequence[str]) -> int:
    """Return the largest number of lines of these texts."""
    return max((text.count("\n") + 1 for text in texts), default=1)


def literal(text: str) -> str:
    """Keep matplotlib from setting text between dollar signs as a formula, and control characters out of SVG files."""
    return _CONTROL.sub("\ufffd", text).replace("$", r"\$")


def fit_names(
    names: Sequence[str], width: float, font: float, *, lines: int = _MAX_LINES, bold: bool = False
) -> list[str]:
    r"""Break names into lines of at most `width` points; no two become equal.

    A name is broken between words where that is possible, and within them where it is not. Only a name that needs more
    than `lines` lines loses its middle. Dollar signs are escaped, so that matplotlib draws them.

    Parameters
    ----------
    names : sequence of str
    width : float
        Room for a line, in points.
    font : float
        Size of the font, in points.
    lines : int, default 4
        The largest number of lines.
    bold : bool, default False

    Examples
    --------
    >>> fit_names(["svm", "gradient boosting (depth=12)"], 90, 10)
    ['svm', 'gradient boosting\n(depth=12)']
    """
    broken = [_fit(name, width, font, lines, bold) for name in names]
    if len(set(broken)) < len(set(names)):
        # Names that would be cut to the same text are cut around the part in which they differ, or stay whole.
        alike = {text for text in broken if broken.count(text) > 1}
        same = [name for name, text in zip(names, broken, strict=True) if text in alike]
        start = _shared_start(same)
        turned = {name: _fit("…" + name[start:], width, font, lines, bold) for name in same}
        broken = [turned.get(name, text) for name, text in zip(names, broken, strict=True)]
        broken = [name if broken.count(text) > 1 else text for name, text in zip(names, broken, strict=True)]
    return [literal(text) for text in broken]


def fits(names: Sequence[str], width: float, font: float, lines: int = 1) -> bool:
    """Return whether all names, broken between words, fit this many lines of at most `width` points."""
    found = [_broken_between_words(name, width, font) for name in names]
    return all(text is not None and text.count("\n") < lines for text in found)


def names_beside(names: Sequence[str], room: float, font: float) -> list[str]:
    """Break the names of rows so that they take at most a share of a room in points, the rest of it is for the rows."""
    return fit_names(names, BESIDE * room, font)


@dataclass(frozen=True)
class ColumnNames:
    """How the names of columns fit above or below them.

    Attributes
    ----------
    texts : tuple of str
        The names; empty text for a column that has none because there is no room.
    font : float
        Size of the font, in points.
    rotation : {0, 90}
    height : float
        The height that they take, in points.
    numbered : bool
        Whether they are numbers, which must be added to the names of the rows, too.
    """

    texts: tuple[str, ...]
    font: float
    rotation: int
    height: float
    numbered: bool


def names_above(names: Sequence[str], column: float, font: float, *, tallest: float = 130.0) -> ColumnNames:
    r"""Find how names fit columns: level, over several lines; upright; or as numbers, some of them if need be.

    Parameters
    ----------
    names : sequence of str
    column : float
        Width of a column, in points.
    font : float
        Size of the font wanted, in points; upright names may be smaller.
    tallest : float, default 130.0
        The largest height of the names, in points.

    Examples
    --------
    >>> names_above(["svm", "random forest"], 50, 8).texts
    ('svm', 'random\nforest')
    >>> names_above(["svm", "random forest"], 10, 8).rotation
    90
    >>> names_above(["a", "b", "c", "d", "e"], 4, 8).texts
    ('1', '', '3', '', '5')
    """
    level = [_broken_between_words(name, column - 0.5 * font, font) for name in names]
    if all(text is not None and text.count("\n") < 3 for text in level):
        texts = tuple(literal(text or "") for text in level)
        if len(set(texts)) == len(set(names)):
            return ColumnNames(texts, font, 0, LINE * font * lines_of(texts), False)
    size = min(font, column / LINE)
    if size >= SMALLEST_NAME:
        most = min(max(int((column - 0.6 * size) / (LINE * size)), 1), 3)
        # As few lines as keep the names low, or at least within their limit.
        rooms = [(lines, room) for room in (70.0, 100.0, tallest) for lines in range(1, most + 1) if room <= tallest]
        lines, room = next((pair for pair in rooms if fits(names, pair[1], size, pair[0])), (most, tallest))
        texts = tuple(fit_names(names, room, size, lines=lines))
        if not any("…" in text and "…" not in name for text, name in zip(texts, names, strict=True)):
            return ColumnNames(texts, size, 90, widest(texts, size), False)
    size = font
    widest_number = text_width("0" * len(str(len(names))), size) + 0.25 * size
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 10**9) if step * column >= widest_number)
    shown = range(1, len(names) + 1, 2) if step == 2 else [1, *range(step, len(names) + 1, step)]
    shown = [i for i in shown if i == 1 or (i - 1) * column >= widest_number]
    return ColumnNames(
        tuple(str(i) if i in shown else "" for i in range(1, len(names) + 1)), size, 0, LINE * size, True
    )


def _shared_start(names: Sequence[str]) -> int:
    """Return how many letters to leave out: nearly all in which these names agree at their beginning."""
    shared = 0
    while all(len(name) > shared for name in names) and len({name[shared] for name in names}) == 1:
        shared += 1
    return max(shared - 4, 0)


def _fit(name: str, width: float, font: float, lines: int, bold: bool) -> str:
    whole = _broken_between_words(name, width, font, bold)
    if whole is None or whole.count("\n") >= lines:
        whole = "\n".join(_rows(name, width, font, bold))
    rows = whole.split("\n")
    return whole if len(rows) <= lines else _cut(name, width, font, lines, bold)


def _broken_between_words(name: str, width: float, font: float, bold: bool = False) -> str | None:
    """Break a name between its words into as few lines as possible, of similar widths; None if a word is too wide."""
    if text_width(name, font, bold=bold) <= width:
        return name
    pieces = [piece for piece in _PLACES_TO_BREAK.split(name) if piece]
    if any(text_width(piece.rstrip(), font, bold=bold) > width for piece in pieces):
        return None
    rows = _rows(pieces, width, font, bold)
    # The same number of lines, but narrower: no line of one word below a full one.
    for share in (0.55, 0.65, 0.75, 0.85, 0.93):
        if all(text_width(piece.rstrip(), font, bold=bold) <= share * width for piece in pieces):
            narrower = _rows(pieces, share * width, font, bold)
            if len(narrower) == len(rows):
                return "\n".join(narrower)
    return "\n".join(rows)


def _rows(pieces: Sequence[str], width: float, font: float, bold: bool) -> list[str]:
    """Put as many pieces on each row as fit it, but at least one."""
    rows = []
    while pieces:
        count = _fitting(pieces, width, font, bold)
        rows.append("".join(pieces[:count]).strip())
        pieces = pieces[count:]
    return rows or [""]


def _fitting(pieces: Sequence[str], width: float, font: float, bold: bool) -> int:
    """Return how many pieces fit a row; one, if none does.

    The widths of single letters, of which there are few, tell it but for kerning, so few rows need to be measured.
    """

    def too_wide(count: int) -> bool:
        return text_width("".join(pieces[:count]).rstrip(), font, bold=bold) > width

    letters = accumulate(_width_of_letters(piece, font, bold) for piece in pieces)
    count = max(sum(1 for _ in takewhile(lambda used: used <= width, letters)), 1)
    while count < len(pieces) and not too_wide(count + 1):
        count += 1
    while count > 1 and too_wide(count):
        count -= 1
    return count


@lru_cache(maxsize=20_000)
def _width_of_letters(piece: str, font: float, bold: bool) -> float:
    return sum(text_width(letter, font, bold=bold) for letter in piece)


def _cut(name: str, width: float, font: float, lines: int, bold: bool) -> str:
    """Leave out the middle; more of the end stays than of the beginning, because variants differ there."""
    low, high = 1, len(name)  # letters that stay
    while low < high:
        middle = (low + high + 1) // 2
        if len(_rows(_without_middle(name, middle), width, font, bold)) <= lines:
            low = middle
        else:
            high = middle - 1
    return "\n".join(_rows(_without_middle(name, low), width, font, bold))


def _without_middle(name: str, letters: int) -> str:
    tail = (letters * 3) // 5
    return name[: letters - tail] + "…" + (name[-tail:] if tail else "")


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
