"""From several relations to one: distances, consensus, votes, hierarchical orders, stability, several criteria."""

from podium.analysis.consensus.clustering import Clustering
from podium.analysis.consensus.consensus import Consensus, consensus
from podium.analysis.consensus.criteria import Criteria, criteria, hierarchical
from podium.analysis.consensus.distances import Distances, distance, distances, footrule, kendall_tau
from podium.analysis.consensus.overall import overall_consensus
from podium.analysis.consensus.sensitivity import Segment, Sensitivity, weight_sensitivity
from podium.analysis.consensus.stability import Stability, stability
from podium.analysis.consensus.voting import (
    Majority,
    Vote,
    borda,
    compare_aggregations,
    copeland,
    majority,
    mean_rank,
)

__all__ = [
    "Clustering",
    "Consensus",
    "Criteria",
    "Distances",
    "Majority",
    "Segment",
    "Sensitivity",
    "Stability",
    "Vote",
    "borda",
    "compare_aggregations",
    "consensus",
    "copeland",
    "criteria",
    "distance",
    "distances",
    "footrule",
    "hierarchical",
    "kendall_tau",
    "majority",
    "mean_rank",
    "overall_consensus",
    "stability",
    "weight_sensitivity",
]
