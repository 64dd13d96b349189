"""What a comparison decides, in sentences: pair by pair where these are few, in numbers where they are many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.analysis.omnibus import format_p

if TYPE_CHECKING:
    import pandas as pd

    from podium.analysis.comparison import Comparison

MANY = 12  # names, or pairs, that can be read in a sentence
_GROUPS = 4  # groups that can be read in a sentence


def decisions_in_words(comparison: Comparison) -> list[str]:
    """Say which pairs differ, which are equivalent, and what is left open."""
    frame = comparison.frame()
    better, alike = (frame[frame["decision"] == word] for word in ("better", "equivalent"))
    undecided = frame[frame["decision"] == "undecided"]
    sentences = []
    if len(frame) == 1 and len(undecided):
        row = undecided.iloc[0]
        sentences.append(
            f"Neither a difference between {row['a']} and {row['b']} nor its absence is shown "
            f"({_evidence(comparison, row)})."
        )
    elif not len(better):
        sentences += [] if len(frame) == 1 or comparison.significant.any() else ["No pair is shown to differ."]
    elif len(better) <= MANY:
        sentences.append(_one_by_one(comparison, better))
    else:
        sentences += _in_numbers(comparison, better)
    if comparison.equivalence is not None:
        sentences.append(_equivalent(comparison, alike))
    if len(undecided) and len(frame) > 1:
        verb = "is" if len(undecided) == 1 else "are"
        sentences.append(
            f"{len(undecided)} of {len(frame)} pairs {verb} undecided: neither a difference nor its absence is shown."
        )
    return sentences + (_groups(comparison) if len(comparison.algorithms) > 2 else [])


def enumerated(items: Sequence[str], most: int = MANY) -> str:
    """Join items as in a sentence, and count those beyond the first few.

    >>> enumerated(["a", "b", "c"]), enumerated(["a", "b", "c"], 2)
    ('a, b and c', 'a, b and 1 more')
    """
    shown = list(items[:most])
    if len(items) > most:
        return ", ".join(shown) + f" and {len(items) - most} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def _one_by_one(comparison: Comparison, better: pd.DataFrame) -> str:
    told = []
    for winner, rows in better.groupby("a", sort=False):
        losers = [f"{row['b']} ({_evidence(comparison, row)})" for _, row in rows.iterrows()]
        told.append(f"{winner} is better than {enumerated(losers)}")
    return "; ".join(told) + "."


def _in_numbers(comparison: Comparison, better: pd.DataFrame) -> list[str]:
    """How many pairs differ, and how the first algorithm stands among all."""
    pairs, first = len(comparison.first), comparison.order[0]
    sentences = [f"{len(better)} of {pairs} pairs are shown to differ."]
    if comparison.control is not None:
        above = [str(name) for name in better["a"] if name != comparison.control]
        below = [str(name) for name in better["b"] if name != comparison.control]
        told = [
            f"{enumerated(names)} {'is' if len(names) == 1 else 'are'} {word} than {comparison.control}"
            for names, word in ((above, "better"), (below, "worse"))
            if names
        ]
        return [*sentences, "; ".join(told) + "."]
    beaten = {str(name) for name in better.loc[better["a"] == first, "b"]}
    open_ones = [name for name in comparison.order if name != first and name not in beaten]
    rest = f", and not shown to differ from {enumerated(open_ones)}" if open_ones else ""
    others = len(comparison.algorithms) - 1
    return [*sentences, f"{first} comes first; it is better than {len(beaten)} of the {others} others{rest}."]


def _equivalent(comparison: Comparison, alike: pd.DataFrame) -> str:
    low, high = comparison.area or (0.0, 0.0)
    pairs = [f"{a} and {b}" for a, b in zip(alike["a"], alike["b"], strict=True)]
    more = f"; and {len(pairs) - MANY} more" if len(pairs) > MANY else ""
    which = "; ".join(pairs[:MANY]) + more if pairs else "no pair"
    return f"Equivalent, with a difference in [{low:g}, {high:g}], is shown for {which}."


def _groups(comparison: Comparison) -> list[str]:
    groups = [group for group in comparison.groups() if len(group) > 1]
    if not groups or comparison.control is not None:
        return []
    if len(groups) > _GROUPS:
        return [
            f"There are {len(groups)} overlapping groups without a known difference; the best is "
            f"{{{', '.join(groups[0][:MANY])}{', …' if len(groups[0]) > MANY else ''}}}."
        ]
    listed = "; ".join("{" + ", ".join(group) + "}" for group in groups)
    return [f"Groups without a known difference: {listed}."]


def _evidence(comparison: Comparison, row: pd.Series[Any]) -> str:
    """Return the estimate and its interval, where the procedure has them in the units of the measure, and p."""
    p = format_p(float(row["adjusted"]))
    lower, upper = float(row["lower"]), float(row["upper"])
    one_sided = comparison.details.get("alternative", "two-sided") != "two-sided"
    if one_sided or not np.isfinite([lower, upper]).all():
        return p
    return f"difference {row['estimate']:.3g}, interval [{lower:.3g}, {upper:.3g}], {p}"
