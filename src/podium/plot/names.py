"""Names of algorithms in the room a drawing has, cut where they are alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from podium.plot.style import literal, shorten


def fit_names(names: Sequence[str], width: int) -> list[str]:
    """Cut names to `width` letters on one line; those alike after that are cut round the part in which they differ.

    Where even that does not tell them apart, whole names stay.

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
    cut = {name: literal(_round_difference(name, shared, width)) for name in long}
    fitted = [cut.get(name, text) for name, text in zip(names, short, strict=True)]
    return fitted if len(set(fitted)) == len(set(names)) else short


def _round_difference(name: str, shared: int, width: int) -> str:
    few = max((width - 4) // 3, 1)  # letters that stay of the beginning, and before the first difference
    start = shared - min(few, 6)
    kept = f"{name[:few]}…{name[start:]}" if start > few else name
    return kept if len(kept) <= width else f"{kept[: width - 1]}…"
