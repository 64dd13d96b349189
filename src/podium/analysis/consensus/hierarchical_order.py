"""Hierarchical orders: the next order breaks the ties of the first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from podium.analysis.consensus.profile import make_profile
from podium.analysis.relation import Relation
from podium.checks import check_call, expect
from podium.errors import InputError


@check_call
def hierarchical(*orders: Relation | Sequence[Relation] | Mapping[str, Relation]) -> Relation:
    """Break the ties of the first order by the second, those that remain by the third, and so on: h(R₁, R₂, ...).

    Parameters
    ----------
    *orders : Relation
        Weak orders on the same algorithms, the most important first; or one sequence or dict of them.

    Returns
    -------
    Relation
        A strict weak order.

    References
    ----------
    M. J. A. Eugster, T. Hothorn, F. Leisch (2008). Exploratory and inferential analysis of benchmark experiments.
    Technical report 30, Ludwig-Maximilians-Universität München, section 3.3.

    Examples
    --------
    >>> import podium
    >>> mean = podium.Relation.from_chain("blue ~ red < green < orange ~ purple ~ yellow")
    >>> worst = podium.Relation.from_chain("blue < red < orange ~ purple < green < yellow")
    >>> time = podium.Relation.from_chain("red < purple < orange < yellow < green < blue")
    >>> str(podium.relations.hierarchical(mean, worst, time))
    'blue < red < green < purple < orange < yellow'
    """
    given: Iterable[object] = orders
    if len(orders) == 1 and isinstance(orders[0], list | tuple | Mapping):
        given = orders[0].values() if isinstance(orders[0], Mapping) else orders[0]
    listed = [expect(order, Relation, "orders") for order in given]
    profile = make_profile(listed)
    better = np.zeros_like(profile.relations[0].better)
    for number, order in enumerate(profile.relations):
        if order.chain is None:
            raise InputError(
                f"`orders` must be weak orders, whose ties can be broken; number {number + 1} is not: {order}. "
                f"Use the nearest weak order, `podium.consensus([relation], 'weak').relation`."
            )
        better |= order.better & ~better.T & ~better
    return Relation(better, profile.algorithms).restrict(listed[0].algorithms)
