"""Names of algorithms in the room that a drawing has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile


def shorten(names: Sequence[str], width: int = 22, lines: int = 2) -> list[str]:
    r"""Break long names into lines, and cut the middle out of those that are still too long; no two become equal.

    Examples
    --------
    >>> shorten(["svm", "gradient boosting (depth=12)"], width=18)
    ['svm', 'gradient boosting\n(depth=12)']
    >>> shorten(["a_name_that_goes_on_and_on_and_on_without_an_end"], width=12)
    ['a_name_that_\ngoes…_an_end']
    """
    short = [_fit(name, width, lines) for name in names]
    distinct = [name if short.count(text) > 1 else text for name, text in zip(names, short, strict=True)]
    return [literal(text) for text in distinct]


def literal(text: str) -> str:
    """Keep matplotlib from setting text between dollar signs as a formula."""
    return text.replace("$", r"\$")


def _fit(name: str, width: int, lines: int) -> str:
    if len(name) <= width:
        return name
    pieces = [piece for piece in re.split(r"(?<=[\s_\-+/,.;:=)])|(?=[(\[])|(?<=[a-z])(?=[A-Z])", name) if piece]
    rows = [""]
    for piece in pieces:
        if rows[-1] and len((rows[-1] + piece).rstrip()) > width:
            rows.append("")
        rows[-1] += piece
    rows = [row.strip() for row in rows]
    if len(rows) <= lines and max(map(len, rows)) <= width:
        return "\n".join(rows)
    if lines == 1:
        return _cut(name, width)
    head = rows[0] if len(rows[0]) <= width else name[:width]
    return head + "\n" + _cut(name[len(head) :].strip(), width)


def _cut(text: str, width: int) -> str:
    """Leave out the middle; more of the end stays than of the beginning, because variants differ there."""
    if len(text) <= width:
        return text
    tail = (width * 3) // 5
    return text[: width - 1 - tail] + "…" + text[-tail:]


def fit_names(names: Sequence[str], width: int) -> list[str]:
    """Cut names to `width` letters on one line; those that become equal are cut around the part in which they differ.

    Names that are equal even then stay whole.

    Examples
    --------
    >>> fit_names(["svm", "boosting(depth=1,rate=0.1)", "boosting(depth=2,rate=0.1)"], 18)
    ['svm', 'boos…pth=1,rate=0…', 'boos…pth=2,rate=0…']
    """
    short = shorten(names, width, lines=1)
    long = [name for name, text in zip(names, short, strict=True) if len(text) > width and len(name) > width]
    if len(long) < 2:
        return short
    shared = sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*long, strict=False)))
    cut = {name: literal(_around_difference(name, shared, width)) for name in long}
    fitted = [cut.get(name, text) for name, text in zip(names, short, strict=True)]
    return fitted if len(set(fitted)) == len(set(names)) else short


def _around_difference(name: str, shared: int, width: int) -> str:
    few = max((width - 4) // 3, 1)  # letters that stay of the beginning, and before the first difference
    start = shared - min(few, 6)
    kept = f"{name[:few]}…{name[start:]}" if start > few else name
    return kept if len(kept) <= width else f"{kept[: width - 1]}…"
