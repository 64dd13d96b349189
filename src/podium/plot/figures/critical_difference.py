"""Critical difference diagrams: mean ranks, bars that join algorithms not known to differ; compact letter displays."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_letters
from typing import Literal

import numpy as np
import pandas as pd

from podium.analysis.comparison import Comparison
from podium.analysis.groups import MAX_SHOWN_GROUPS, Group
from podium.arrays import BoolArray, FloatArray
from podium.checks import expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import ComparisonNumbers, from_comparison

__all__ = ["CriticalDifference", "GroupBar", "Letters", "critical_difference", "letters"]

_WHOLE_AXIS = 12  # algorithms; with more the axis shows only the part in which mean ranks lie


@record(slots=True, kw_only=True)
class GroupBar:
    """One bar: algorithms no two of which are known to differ.

    Attributes
    ----------
    members : tuple of int
        Positions in `algorithms`, best first.
    low, high : float
        Ends on the axis.
    line : int
        Line on which it is drawn; bars on one line do not overlap.
    unbroken : bool
        Whether every algorithm between its ends is a member. If not, the members must be marked on the bar.
    """

    members: tuple[int, ...]
    low: float
    high: float
    line: int
    unbroken: bool


@record(eq=False, kw_only=True)
class CriticalDifference(ComparisonNumbers):
    """Numbers of a critical difference diagram.

    Attributes
    ----------
    positions : ndarray of float
        Mean rank of each algorithm, or its mean difference with the sign that makes low values better.
    sign : {1, -1}
        -1 for differences of a measure whose high values are better; 1 otherwise, and for ranks.
    ranks : bool
        Whether positions are mean ranks; otherwise they are mean differences from the other algorithms, or from the
        control.
    start, end : float
        Ends of the axis.
    critical_difference : float or None
        How far apart two positions must be, where one number applies to all pairs.
    bars : tuple of GroupBar
    letters : tuple of str
        Letters of each algorithm: two that share one are not known to differ. Empty against a control.
    control : str or None
    different : ndarray of bool
        With a control: which algorithms differ from it.
    untested : int
        Number of pairs without a p-value; no bar joins them.
    rejected : bool
        Whether pairs may differ at all: False after a global test that is not significant.
    """

    positions: FloatArray
    sign: Literal[1, -1]
    ranks: bool
    start: float
    end: float
    critical_difference: float | None
    bars: tuple[GroupBar, ...]
    letters: tuple[str, ...]
    control: str | None
    different: BoolArray
    untested: int
    rejected: bool

    @property
    def values(self) -> FloatArray:
        """Mean rank of each algorithm, or its mean difference in the measure's own direction."""
        return self.sign * self.positions + 0.0  # + 0.0: not -0


def critical_difference(comparison: Comparison) -> CriticalDifference:
    """Compute the numbers of a critical difference diagram.

    Parameters
    ----------
    comparison : Comparison
        The outcome of `podium.compare`, by any method. Algorithms are placed at their mean ranks, where the
        comparison has them, and otherwise at their mean estimated difference from the other algorithms.

    Examples
    --------
    >>> import podium
    >>> comparison = podium.compare(podium.examples.load_demsar2006(), method="nemenyi", omnibus=False)
    >>> numbers = podium.plot.figures.critical_difference(comparison)
    >>> numbers.algorithms, numbers.positions.round(2).tolist()
    (('C4.5+m+cf', 'C4.5+m', 'C4.5+cf', 'C4.5'), [1.93, 2.0, 2.93, 3.14])
    >>> [bar.members for bar in numbers.bars]
    [(0, 1, 2, 3)]
    """
    expect(comparison, Comparison, "comparison")
    positions, start, end = _positions(comparison)
    size = float(np.abs(positions).max()) or 1.0
    order = np.lexsort((np.array(comparison.algorithms), np.round(positions / size, 10)))
    place = np.empty(len(order), int)
    place[order] = np.arange(len(order))
    groups = sorted(
        tuple(sorted(int(place[i]) for i in group)) for group in comparison.group_positions(MAX_SHOWN_GROUPS)
    )
    sorted_positions = positions[order]
    different = np.zeros(len(order), bool)
    if comparison.control is not None:
        others = np.where(
            comparison.algorithms.index(comparison.control) == comparison.first, comparison.second, comparison.first
        )
        different[place[others]] = comparison.significant
    omnibus = comparison.omnibus
    return CriticalDifference(
        **from_comparison(comparison, tuple(comparison.algorithms[i] for i in order)),
        positions=sorted_positions,
        sign=1 if comparison.mean_ranks is not None else comparison.sign,
        ranks=comparison.mean_ranks is not None,
        start=start,
        end=end,
        critical_difference=None if comparison.mean_ranks is None else comparison.critical_difference,
        bars=stacked_bars(groups, sorted_positions, end - start),
        letters=() if comparison.control is not None else letters_of_groups(groups, len(order)),
        control=comparison.control,
        different=different,
        untested=int(comparison.untested.sum()),
        rejected=not (comparison.gated and omnibus is not None and not omnibus.significant),
    )


def stacked_bars(groups: list[Group], positions: FloatArray, span: float) -> tuple[GroupBar, ...]:
    """Lay the groups of two or more on lines so that bars on one line stay apart."""
    gap = 0.02 * span
    ends: list[float] = []
    bars = []
    for members in sorted((g for g in groups if len(g) > 1), key=lambda g: (positions[g[0]], -len(g), g)):
        low, high = float(positions[members[0]]), float(positions[members[-1]])
        line = next((i for i, end in enumerate(ends) if low > end + gap), len(ends))
        if line == len(ends):
            ends.append(high)
        else:
            ends[line] = high
        unbroken = members == tuple(range(members[0], members[-1] + 1))
        bars.append(GroupBar(members=members, low=low, high=high, line=line, unbroken=unbroken))
    return tuple(bars)


def _positions(comparison: Comparison) -> tuple[FloatArray, float, float]:
    """Return the positions, and the ends of the axis."""
    k = len(comparison.algorithms)
    ranks = comparison.mean_ranks
    if ranks is not None:
        if k <= _WHOLE_AXIS and ranks.max() <= k:  # ranks over all blocks can be larger
            return ranks, 1.0, float(k)
        return ranks, float(np.floor(ranks.min())), float(np.ceil(ranks.max()))
    if not comparison.ordered:
        raise InputError(f"A critical difference diagram needs an order: {comparison.missing}")
    if np.isnan(comparison.estimate).any():
        raise InputError(
            "A critical difference diagram needs a position for every algorithm; this comparison has neither mean "
            "ranks nor an estimate for every pair."
        )
    total = np.zeros(k)
    lead = comparison.sign * comparison.estimate
    np.add.at(total, comparison.first, lead)
    if comparison.control is None:
        np.subtract.at(total, comparison.second, lead)
        total /= k
    margin = 0.02 * max(float(np.ptp(total)), 1e-12)
    return total, float(total.min()) - margin, float(total.max()) + margin


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
