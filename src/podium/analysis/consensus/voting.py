"""Voting rules: Borda, Copeland, mean rank, and the pairwise majority with its Condorcet winner and Smith set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import pandas as pd

from podium.analysis.blocks import best_first
from podium.analysis.consensus.consensus import consensus
from podium.analysis.consensus.distances import distance
from podium.analysis.consensus.profile import Ensemble, Profile, Weights, make_profile
from podium.analysis.consensus.relation_classes import ConsensusKind, find_class
from podium.analysis.relation import Relation
from podium.analysis.relation.algebra import components, mid_ranks
from podium.arrays import BoolArray, FloatArray
from podium.checks import as_list, check_call, record
from podium.errors import InputError
from podium.results.measure_info import Direction
from podium.results.ranks import ROUNDING
from podium.typesetting.html import described


@record(eq=False)
class Vote:
    """Scores of the algorithms and the order they imply.

    Attributes
    ----------
    method : str
    scores : Series
        One score per algorithm, best first.
    relation : Relation
        The order by the scores; equal scores are indifferent.
    """

    method: str
    scores: pd.Series  # its type parameter is unknown when the program runs
    relation: Relation

    def __str__(self) -> str:
        return f"{self.relation} ({self.method})"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        scores = [(str(name), f"{score:g}") for name, score in self.scores.items()]
        return f"<div>{self.relation._repr_html_()}{described(self.method, scores)}</div>"


@record(eq=False)
class Majority:
    """Which algorithm beats which by the majority of the voters' weights.

    Attributes
    ----------
    relation : Relation
        i is better than j if more weight prefers i to j than j to i. It may contain a cycle.
    margins : DataFrame
        Weight of the voters who prefer the row to the column, less that of those who prefer the column to the row.
    condorcet_winner, condorcet_loser : str or None
        The algorithm that beats, or is beaten by, every other one.
    smith_set : tuple of str
        The smallest set of algorithms each of which beats every algorithm outside.
    """

    relation: Relation
    margins: pd.DataFrame
    condorcet_winner: str | None
    condorcet_loser: str | None
    smith_set: tuple[str, ...]

    def __str__(self) -> str:
        winner = f"Condorcet winner {self.condorcet_winner}" if self.condorcet_winner else "no Condorcet winner"
        return f"{self.relation} (majority; {winner}; Smith set {', '.join(self.smith_set)})"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        facts = [("Condorcet winner", self.condorcet_winner or "none"), ("Smith set", ", ".join(self.smith_set))]
        return f"<div>{self.relation._repr_html_()}{described('majority', facts)}</div>"


@check_call
def borda(relations: Ensemble, *, weights: Weights = None) -> Vote:
    """Order the algorithms by their wins in all paired comparisons of all voters; a tie is half a win.

    Examples
    --------
    >>> import podium
    >>> votes = [podium.Relation.from_chain(chain) for chain in ("a < b < c", "a < b < c", "b < c < a")]
    >>> podium.relations.borda(votes).scores.to_dict()
    {'a': 4.0, 'b': 4.0, 'c': 1.0}
    """
    profile = make_profile(relations, weights)
    total = float(profile.weights.sum())
    wins = profile.support
    ties = total - wins - wins.T
    np.fill_diagonal(ties, 0.0)
    return _vote("Borda", (wins + ties / 2).sum(axis=1), profile, better="higher")


@check_call
def copeland(relations: Ensemble, *, weights: Weights = None) -> Vote:
    """Order the algorithms by how many others they beat by majority; a draw is half a win.

    Examples
    --------
    >>> import podium
    >>> votes = [podium.Relation.from_chain(chain) for chain in ("a < b < c", "a < b < c", "b < c < a")]
    >>> str(podium.relations.copeland(votes).relation)
    'a < b < c'
    """
    profile = make_profile(relations, weights)
    beats = _beats(profile)
    draws = ~(beats | beats.T | np.eye(len(beats), dtype=bool))
    return _vote("Copeland", beats.sum(axis=1) + draws.sum(axis=1) / 2, profile, better="higher")


@check_call
def mean_rank(relations: Ensemble, *, weights: Weights = None) -> Vote:
    """Order the algorithms by the weighted mean of their ranks, mid-ranks for ties.

    The order is that of `borda`: a mean rank is K less the Borda score per voter.

    Examples
    --------
    >>> import podium
    >>> votes = [podium.Relation.from_chain(chain) for chain in ("a < b ~ c", "b < a < c")]
    >>> podium.relations.mean_rank(votes).scores.to_dict()
    {'a': 1.5, 'b': 1.75, 'c': 2.75}
    """
    profile = make_profile(relations, weights)
    ranks = np.stack([mid_ranks(relation.better) for relation in profile.relations])
    return _vote("mean rank", profile.weights @ ranks / profile.weights.sum(), profile, better="lower")


@check_call
def majority(
    relations: Ensemble, *, weights: Weights = None, missing: Literal["raise", "available"] = "raise"
) -> Majority:
    """Decide every pair of algorithms by the majority of the voters (Condorcet's method).

    With ``missing="available"`` voters may rank only some of the algorithms, and count for the pairs they rank.

    Examples
    --------
    >>> import podium
    >>> votes = [podium.Relation.from_chain(chain) for chain in ("a < b < c < d", "b < c < a < d", "c < a < b < d")]
    >>> outcome = podium.relations.majority(votes)
    >>> outcome.condorcet_winner is None, outcome.condorcet_loser, outcome.smith_set
    (True, 'd', ('a', 'b', 'c'))
    """
    profile = make_profile(relations, weights, missing)
    names = list(profile.algorithms)
    beats = _beats(profile)
    others = len(names) - 1
    winners, losers = beats.sum(axis=1) == others, beats.sum(axis=0) == others
    # Draw an arc from i to j unless j beats i: the first component reaches all others and is reached by none of them.
    leading = components(~beats.T)[0]
    return Majority(
        relation=Relation(beats, profile.algorithms),
        margins=pd.DataFrame(profile.support - profile.support.T, index=names, columns=names),
        condorcet_winner=names[int(winners.argmax())] if winners.any() else None,
        condorcet_loser=names[int(losers.argmax())] if losers.any() else None,
        smith_set=tuple(names[i] for i in leading),
    )


@check_call
def compare_aggregations(
    relations: Ensemble, *, weights: Weights = None, kinds: Sequence[ConsensusKind] = ("linear", "weak")
) -> pd.DataFrame:
    """Compare the ways to aggregate an ensemble.

    Parameters
    ----------
    relations : sequence or mapping of Relation
    weights : sequence or mapping of float, optional
        Importance of each voter; in a mapping by name, 1 for those not named.
    kinds : sequence of str
        The classes in which an exact consensus is sought; all its optima are counted.

    Returns
    -------
    DataFrame
        One row per method: the exact consensus of each kind, Borda, Copeland, mean rank, majority. Columns are
        ``order`` (the first of the optima), ``best``, ``optima``, ``criterion`` (weighted sum of distances to the
        voters, by `distance`), and ``distance`` to the first exact consensus.

    Examples
    --------
    >>> import podium
    >>> votes = [podium.Relation.from_chain(chain) for chain in ("a < b < c", "a < b < c", "b < c < a")]
    >>> podium.relations.compare_aggregations(votes, kinds=["linear"])[["order", "criterion"]]
                                           order  criterion
    method
    consensus, linear order            a < b < c        4.0
    Borda                              a ~ b < c        5.0
    Copeland                           a < b < c        4.0
    mean rank                          a ~ b < c        5.0
    majority                           a < b < c        4.0
    """
    expected = "one or more kinds of consensus, such as ['linear', 'weak']"
    listed = as_list(kinds, "kinds", expected)
    if not listed:
        raise InputError(f"`kinds` must be {expected}; got an empty sequence.")
    descriptions = [find_class(kind, "kinds").description for kind in listed]
    profile = make_profile(relations, weights)
    found: dict[str, tuple[Relation, int]] = {}
    for kind, description in zip(listed, descriptions, strict=True):
        optima = consensus(relations, kind, weights=weights, all_optima=True)
        found[f"consensus, {description}"] = (optima.relation, len(optima))
    for vote in (borda, copeland, mean_rank):
        outcome = vote(relations, weights=weights)
        found[outcome.method] = (outcome.relation, 1)
    found["majority"] = (majority(relations, weights=weights).relation, 1)
    reference = next(iter(found.values()))[0]
    rows = [
        {
            "method": method,
            "order": str(relation),
            "best": " ~ ".join(relation.best),
            "optima": optima_found,
            "criterion": criterion(relation, profile),
            "distance": distance(relation, reference),
        }
        for method, (relation, optima_found) in found.items()
    ]
    return pd.DataFrame(rows).set_index("method")


def criterion(relation: Relation, profile: Profile) -> float:
    """Weighted sum of the distances of a relation to the voters."""
    each = [distance(relation, voter) for voter in profile.relations]
    return float(profile.weights @ np.array(each))


def _beats(profile: Profile) -> BoolArray:
    """Whose support exceeds that of the other by more than rounding errors."""
    margin = profile.support - profile.support.T
    beats: BoolArray = margin > ROUNDING * profile.weights.sum()
    return beats


def _vote(method: str, scores: FloatArray, profile: Profile, *, better: Direction) -> Vote:
    series = pd.Series(scores, index=list(profile.algorithms), name=method)
    relation = Relation.from_estimates(series, direction=better)
    order = best_first(scores if better == "lower" else -scores, profile.algorithms)
    return Vote(method, series.iloc[order], relation)
