"""Several criteria: a relation by each, their consensus and its sensitivity to weights, and hierarchical orders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from podium.analysis.consensus.consensus import Consensus, consensus
from podium.analysis.consensus.profile import make_profile
from podium.analysis.consensus.relation_classes import ConsensusKind, Reading
from podium.analysis.consensus.sensitivity import Sensitivity, weight_sensitivity
from podium.analysis.relation import Relation, preferences
from podium.analysis.relation.estimates import OrderStatistic, positions
from podium.checks import check_call, describe, expect, position, record
from podium.errors import InputError
from podium.results import Results
from podium.typesetting.html import described


@record(eq=False, kw_only=True)
class Criteria:
    """Preferences by several criteria and their consensus.

    Attributes
    ----------
    relations : dict of str to Relation
        One per criterion.
    weights : dict of str to float
    consensus : Consensus
        With all optima.
    """

    relations: dict[str, Relation]
    weights: dict[str, float]
    consensus: Consensus

    def __str__(self) -> str:
        voters = [f"{name} (weight {self.weights[name]:g}): {relation}" for name, relation in self.relations.items()]
        return "\n".join([*voters, "consensus:", str(self.consensus)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        voters = [(f"{name} (weight {self.weights[name]:g})", str(one)) for name, one in self.relations.items()]
        return f"<div>{described('criteria', voters)}{self.consensus._repr_html_()}</div>"

    def frame(self) -> pd.DataFrame:
        """One row per criterion: weight, order, and its distance to the nearest and farthest consensus relation."""
        table = self.consensus.frame()
        table.insert(1, "order", [str(relation) for relation in self.relations.values()])
        return table.rename_axis("criterion")

    def sensitivity(self, criterion: str) -> Sensitivity:
        """Follow the consensus as the share of one criterion in the weights goes from 0 to 1."""
        position(tuple(self.relations), criterion, "criterion")
        return weight_sensitivity(
            self.relations,
            criterion,
            self.consensus.kind,
            weights=self.weights,
            reading=self.consensus.reading,
        )

    def winner_changes(self) -> pd.DataFrame:
        """List the weights of each criterion at which the winner changes, and the winners there; see `Sensitivity`."""
        tables = [self.sensitivity(name).winner_changes().assign(criterion=name) for name in self.relations]
        return pd.concat(tables, ignore_index=True)[["criterion", "share", "weight", "below", "above"]]


@check_call
def criteria(
    results: Results,
    kind: ConsensusKind = "linear",
    *,
    weights: Mapping[str, float] | None = None,
    statistic: OrderStatistic = "mean",
    epsilon: float | Mapping[str, float] = 0.0,
    quantile: float | None = None,
    missing: str = "raise",
    replace: Mapping[str, Relation] | None = None,
    reading: Reading | None = None,
    limit: int = 1000,
) -> Criteria:
    """Make a preference relation for each measure on one data set, and find their consensus.

    Parameters
    ----------
    results : Results
        One data set with several measures.
    kind : str, default "linear"
        Class of the consensus; see `consensus`.
    weights : mapping of str to float, optional
        Importance of the criteria by name; 1 for those not named.
    statistic, epsilon, quantile, missing
        How a measure orders the algorithms; see `preferences`. Give `epsilon` per measure.
    replace : mapping of str to Relation, optional
        Relations obtained in another way, such as by a test. Under the name of a measure they replace its relation;
        under another name they are additional criteria.
    reading, limit
        As in `consensus`.

    Examples
    --------
    >>> import podium
    >>> import pandas as pd
    >>> table = pd.DataFrame({"algorithm": ["svm", "rf", "lda"], "error": [0.1, 0.2, 0.3], "seconds": [9, 3, 1]})
    >>> choice = podium.relations.criteria(podium.read(table), weights={"seconds": 0.2})
    >>> print(choice.consensus.relation)
    svm < rf < lda
    >>> choice.winner_changes()
      criterion  share  weight below above
    0     error    0.5     0.2   lda   svm
    1   seconds    0.5     1.0   svm   lda
    """
    relations = preferences(
        results, statistic=statistic, per="measure", epsilon=epsilon, quantile=quantile, missing=missing
    )
    for argument, given, values in (("weights", weights, "numbers"), ("replace", replace, "relations")):
        if not isinstance(given, Mapping | None):
            raise InputError(f"`{argument}` must be a mapping from criteria to {values}; got {describe(given)}.")
    relations.update({str(name): expect(one, Relation, f"replace[{name!r}]") for name, one in (replace or {}).items()})
    positions(tuple(relations), weights or (), "weights")
    each = dict.fromkeys(relations, 1.0) | dict(weights or {})
    found = consensus(relations, kind, weights=each, all_optima=True, limit=limit, reading=reading)
    weights = dict(zip(relations, found.weights.tolist(), strict=True))
    return Criteria(relations=relations, weights=weights, consensus=found)


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
