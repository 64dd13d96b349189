"""Several relations become one: distances, consensus, votes, hierarchical orders, stability, several criteria."""

from podium.analysis.consensus.clustering import Clustering
from podium.analysis.consensus.hierarchy import hierarchical
from podium.analysis.consensus.metrics import Distances, distance, distances, footrule, kendall_tau
from podium.analysis.consensus.multicriteria import Criteria, criteria
from podium.analysis.consensus.optimum import Consensus, consensus
from podium.analysis.consensus.resampled import Stability, stability
from podium.analysis.consensus.sensitivity import Segment, Sensitivity, weight_sensitivity
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
    "stability",
    "weight_sensitivity",
]
