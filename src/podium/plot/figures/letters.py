"""Compact letter display: two algorithms that share a letter are not known to differ."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters

import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.groups import MAX_SHOWN_GROUPS, Group
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import ComparisonNumbers, from_comparison

__all__ = ["Letters", "letters"]


@record(eq=False, kw_only=True)
class Letters(ComparisonNumbers):
    """A compact letter display.

    Attributes
    ----------
    letters : tuple of str
        For each algorithm the letters of its groups.
    groups : tuple of tuple of int
        The groups, in the order of their letters, as positions in `algorithms`.
    """

    letters: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]

    def frame(self) -> pd.DataFrame:
        """One row per algorithm, best first, with its letters."""
        return pd.DataFrame({"algorithm": self.algorithms, "letters": self.letters})


def letters(comparison: Comparison) -> Letters:
    """Give letters to the groups of algorithms that are not known to differ, best group first.

    Examples
    --------
    >>> import podium
    >>> display = podium.plot.figures.letters(podium.compare(podium.examples.load_ulas2008(), method="nemenyi"))
    >>> dict(zip(display.algorithms, display.letters))["svl"]
    'ab'
    """
    expect(comparison, Comparison, "comparison")
    if comparison.control is not None:
        raise InputError(
            f"Letters need all pairs; this comparison has only those with the control {comparison.control!r}. Compare "
            "all pairs: leave `control` out."
        )
    order = [comparison.algorithms.index(name) for name in comparison.layout]
    place = {position: i for i, position in enumerate(order)}
    groups = sorted(tuple(sorted(place[i] for i in group)) for group in comparison.group_positions(MAX_SHOWN_GROUPS))
    return Letters(
        **from_comparison(comparison),
        letters=letters_of_groups(groups, len(order)),
        groups=tuple(groups),
    )


def letters_of_groups(groups: Sequence[Group], k: int) -> tuple[str, ...]:
    """Letters of each of k algorithms; after a–z and A–Z come numbered ones.

    >>> letters_of_groups([(0, 1), (1, 2)], 3)
    ('a', 'ab', 'b')
    """
    texts = [""] * k
    for i, group in enumerate(groups):
        turn, letter = divmod(i, len(ascii_letters))
        for member in group:
            texts[member] += ascii_letters[letter] + (str(turn + 1) if turn else "")
    return tuple(texts)
