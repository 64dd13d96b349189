"""Orders in words: one notation in all of a report, and how many orders are equally near."""

from __future__ import annotations

from podium.analysis.consensus import Consensus
from podium.analysis.domain.tables import relation_text

__all__ = ["nearest_in_words", "relation_text"]


def nearest_in_words(found: Consensus, to: str, *, given: str = "") -> str:
    """Say which order is nearest to others; of several that are equally near, how many there are and an example.

    A clause that is `given` begins the sentence.
    """
    orders = [relation_text(one) for one in found.relations]
    if len(orders) == 1:
        return f"{f'{given}, the' if given else 'The'} order nearest to {to} is {orders[0]}."
    many = f"{len(orders):,}{'' if found.exhausted else ' or more'} orders are equally near to {to}"
    examples = (
        f": {orders[0]}, and {orders[1]}" if len(orders) == 2 and found.exhausted else f", for example {orders[0]}"
    )
    return f"{given}{', ' if given else ''}{many}{examples}."
