"""What all optima of a consensus agree on, even where there are too many to list."""

from __future__ import annotations

import numpy as np

from podium.analysis.consensus.consensus import Consensus
from podium.analysis.consensus.decomposition import solve
from podium.analysis.consensus.objective import Objective, consensus_objective
from podium.analysis.consensus.profile import Ensemble, Weights, make_profile
from podium.analysis.consensus.relation_classes import find_class
from podium.analysis.relation import Relation
from podium.arrays import BoolArray


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
