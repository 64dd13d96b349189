"""`consensus`: the relations of a class that are nearest to an ensemble of relations."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import field
from time import perf_counter
from typing import ClassVar, Literal

import numpy as np
import pandas as pd

from podium.analysis.consensus.decomposition import solve
from podium.analysis.consensus.linear_programming import LONG
from podium.analysis.consensus.objective import Objective, consensus_objective
from podium.analysis.consensus.profile import Ensemble, Weights, make_profile
from podium.analysis.consensus.relation_classes import ConsensusKind, Reading, find_class, find_reading
from podium.analysis.relation import Relation
from podium.analysis.relation.svg import chain_html, diagram_svg
from podium.arrays import BoolArray, FloatArray, IntArray
from podium.checks import check_call, check_count, check_flag, is_number, record, shown
from podium.errors import InputError

_SHOWN = 10  # relations in a notebook


@record(eq=False, kw_only=True)
class Consensus:
    """The relations of a class that are nearest to an ensemble.

    Attributes
    ----------
    relations : tuple of Relation
        The nearest relations, sorted as text; only one unless `all_optima` is set. Orders and tournaments are strict
        relations, preorders and equivalences weak ones.
    criterion : float
        Weighted sum of their distances to the voters, Σ w d. Pairs of an algorithm with itself do not count.
    bound : float
        No relation of the class has a smaller criterion.
    exhausted : bool
        Whether `relations` are all of them. False without `all_optima`, or if `limit` or `time_limit` truncated the
        list.
    limit : int
        The largest number of relations to list; 1 without `all_optima`.
    kind : str
        The class.
    reading : {"strict", "weak"}
        How the voters were read.
    voters : tuple of str
    weights : ndarray of float
    distances : ndarray of float, shape (relations, voters)
        Distance of each relation to each voter, without weights.
    seconds : float
    programs : int
        How many linear and integer programs it took.
    ranked : ndarray of int or None
        How many algorithms each voter ranks; None if all voters rank all of them.
    """

    _ways_out: ClassVar = {Relation: "Use consensus.relation, or one of consensus.relations."}

    relations: tuple[Relation, ...]
    criterion: float
    bound: float
    exhausted: bool
    limit: int
    kind: ConsensusKind
    reading: Reading
    voters: tuple[str, ...]
    weights: FloatArray
    distances: FloatArray
    seconds: float = field(compare=False)
    programs: int = field(compare=False)
    ranked: IntArray | None = None

    @property
    def relation(self) -> Relation:
        """The first of the relations."""
        return self.relations[0]

    @property
    def optimal(self) -> bool:
        """Whether the relations are proven to be nearest."""
        return self.gap == 0.0

    @property
    def gap(self) -> float:
        """How much smaller the criterion of another relation could be at most; 0 if optimality is proven."""
        return max(self.criterion - self.bound, 0.0)

    @property
    def criterion_with_diagonal(self) -> float:
        """The criterion as the R package relations counts it.

        There a consensus is reflexive, so each algorithm adds the weights of the voters that are not: K Σ w for
        voters read as strict, nothing for voters read as weak.
        """
        sizes = len(self.relation) if self.ranked is None else self.ranked
        return self.criterion + (float((sizes * self.weights).sum()) if self.reading == "strict" else 0.0)

    def frame(self) -> pd.DataFrame:
        """One row per voter: its weight, its distance to the nearest and the farthest of the relations, and its share.

        The share is weight times distance to the first relation, in proportion to the criterion.
        """
        pull = self.weights * self.distances[0]
        return pd.DataFrame(
            {
                "weight": self.weights,
                "nearest": self.distances.min(axis=0),
                "farthest": self.distances.max(axis=0),
                "share": pull / pull.sum() if pull.sum() else pull,
            },
            index=pd.Index(self.voters, name="voter"),
        )

    def __len__(self) -> int:
        return len(self.relations)

    def __iter__(self) -> Iterator[Relation]:
        return iter(self.relations)

    def __str__(self) -> str:
        return "\n".join([*(str(relation) for relation in self.relations), f"({self._summary()})"])

    def _summary(self) -> str:
        proof = "optimal" if self.optimal else f"at most {self.gap:g} above the optimum"
        number = f"{len(self)} {'relation' if len(self) == 1 else 'relations'}"
        return f"{self.kind}, criterion {self.criterion:g}, {proof}; {number}{self._rest()}"

    def _rest(self) -> str:
        """Say why the list of relations may be incomplete."""
        if self.exhausted:
            return ""
        if self.limit == 1:
            return ", there may be others"
        cut = f"the limit of {self.limit}" if len(self) == self.limit else "the time limit"
        return f", {cut} truncated the list"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        chains = [str(relation) for relation in self.relations]
        more = len(chains) - _SHOWN
        shown = [*chains[:_SHOWN], *([f"… and {more} more"] if more > 0 else [])]
        first = self.relation
        return (
            f"<div>{''.join(map(chain_html, shown))}"
            f'<div style="color:#6B7079">{html.escape(self._summary())}</div>'
            f"{diagram_svg(first.better, first.algorithms)}</div>"
        )


@check_call
def consensus(
    relations: Ensemble,
    kind: ConsensusKind = "linear",
    *,
    weights: Weights = None,
    all_optima: bool = False,
    limit: int = 1000,
    reading: Reading | None = None,
    time_limit: float | None = None,
    missing: Literal["raise", "available"] = "raise",
) -> Consensus:
    """Find the relations of a class with the smallest weighted sum of distances to an ensemble.

    The distance is the symmetric difference: the number of ordered pairs that are in only one of two relations
    (Kemeny & Snell 1972). The optimum is exact and proven, by integer programming.

    Parameters
    ----------
    relations : sequence or mapping of Relation
        The voters: one relation per data set, per measure, ... on the same algorithms.
    kind : {"linear", "weak", "partial", "preorder", "equivalence", "tournament"}
        The class: linear orders; weak orders (complete preorders: linear with ties); partial orders; preorders (partial
        with ties); equivalences (which algorithms belong together); tournaments (a winner for each pair, not
        necessarily transitive).
    weights : sequence or mapping of float, optional
        Importance of each voter; in a mapping by name, 1 for those not named.
    all_optima : bool, default False
        Find all optimal relations. Several are common, especially with few voters.
    limit : int, default 1000
        With `all_optima`, stop after this many relations; then `exhausted` is False.
    reading : {"strict", "weak"}, optional
        How voters are read. "weak": an indifferent pair counts as related both ways, so a voter with a tie is nearest
        to a consensus with that tie. "strict": it counts as not related, so the voter is nearest to a consensus that
        leaves the pair open. The default is "strict" for partial orders and "weak" for all others. For linear orders
        and tournaments both give the same result.
    time_limit : float, optional
        Seconds after which the best relation found so far is returned, with the remaining gap.
    missing : {"raise", "available"}
        What to do about algorithms that some voters do not rank. ``"available"``: a voter counts for the pairs it
        ranks, and the consensus orders all algorithms. The order of a pair that no voter judges may follow from other
        pairs; otherwise every way to relate the two is optimal, and `all_optima` lists them all.

    References
    ----------
    C. Dwork, R. Kumar, M. Naor, D. Sivakumar (2001). Rank aggregation methods for the web. Proceedings of the 10th
    World Wide Web Conference, 613–622 (voters that rank some of the algorithms). —
    K. Hornik, D. Meyer (2007). Deriving consensus rankings from benchmarking experiments. In: Advances in Data
    Analysis, 163–170. — J. G. Kemeny, J. L. Snell (1972). Mathematical Models in the Social Sciences.

    Examples
    --------
    Eugster, Hothorn & Leisch (2008), section 3.3:

    >>> import podium
    >>> mean = podium.Relation.from_chain("blue ~ red < green < orange ~ purple ~ yellow")
    >>> worst = podium.Relation.from_chain("blue < red < orange ~ purple < green < yellow")
    >>> time = podium.Relation.from_chain("red < purple < orange < yellow < green < blue")
    >>> podium.consensus([mean, worst, time], "linear", all_optima=True)
    blue < red < purple < orange < green < yellow
    red < blue < purple < orange < green < yellow
    (linear, criterion 21, optimal; 2 relations)
    >>> print(podium.consensus([mean, worst, time], weights=[1, 1.2, 1]).relation)
    blue < red < purple < orange < green < yellow
    """
    started = perf_counter()
    within = find_class(kind)
    reading = find_reading(reading, within)
    check_flag(all_optima, "all_optima")
    check_count(limit, "limit")
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        raise InputError(f"`time_limit` must be a number of seconds greater than 0, or None; got {shown(time_limit)}.")
    profile = make_profile(relations, weights, missing)
    voters = profile.matrices(reading)
    judged = profile.judged
    objective, factor = consensus_objective(voters, profile.weights, within, judged)
    seconds = np.inf if time_limit is None else min(time_limit, LONG)
    optima = solve(objective, keep_all=all_optima, limit=limit, seconds=seconds)
    found = [(within.relation(solution, profile.algorithms), solution) for solution in optima.solutions]
    if len(found) > 1:
        found.sort(key=lambda pair: str(pair[0]))
    distances = np.array([((voters != solution) & judged).sum(axis=(1, 2)) for _, solution in found], np.float64)
    criterion = float((distances @ profile.weights).min())
    return Consensus(
        relations=tuple(relation for relation, _ in found),
        criterion=criterion,
        bound=criterion - max(optima.value - optima.bound, 0.0) / factor,
        exhausted=optima.exhausted,
        limit=limit if all_optima else 1,
        kind=kind,
        reading=reading,
        voters=profile.voters,
        weights=profile.weights,
        distances=distances,
        seconds=perf_counter() - started,
        programs=optima.programs,
        ranked=profile.ranked.sum(axis=1),
    )


def agreed(relations: Ensemble, found: Consensus, *, weights: Weights = None, missing: str = "available") -> Relation:
    """Return the preferences that all optima of a consensus have in common, as a strict relation.

    It depends neither on the order of the optima nor on names. If `found` does not list all optima, those listed only
    suggest preferences. They are tried together: an optimum is sought that breaks as many of them as possible, those
    that it breaks are dropped, and so on until no optimum breaks any.
    """
    names = found.relation.algorithms
    common: BoolArray = np.logical_and.reduce([one.restrict(names).better for one in found.relations])
    if found.exhausted:
        return Relation(common, names)
    profile = make_profile(relations, weights, missing)
    within = find_class(found.kind)
    objective, _ = consensus_objective(profile.matrices(found.reading), profile.weights, within, profile.judged)
    common = Relation(common, names).restrict(profile.algorithms).better
    while common.any():
        optimum = solve(_against(objective, common), keep_all=False, limit=1, seconds=np.inf).solutions[0]
        kept = common & within.relation(optimum, profile.algorithms).restrict(profile.algorithms).better
        if kept.sum() == common.sum():
            break
        common = kept
    return Relation(common, profile.algorithms)


def _against(objective: Objective, preferences: BoolArray) -> Objective:
    """Change the costs by so little that the optima stay optimal, and those with fewer of the preferences are cheaper.

    A preference costs 2, its reverse −1, a tie 1. All these together are less than the smallest difference of the
    criterion between an optimum and another relation.
    """
    change = 2.0 * preferences - preferences.T
    if objective.whole:
        return Objective(objective.costs * (3.0 * preferences.sum() + 1.0) + change, objective.within, True)
    small = 100.0 * objective.tolerance / (3.0 * preferences.sum() + 1.0)
    return Objective(objective.costs + small * change, objective.within, False)
