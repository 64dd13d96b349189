"""Domains: from the comparisons on many data sets to statements about all of them."""

from podium.analysis.domain.criterion import Criterion
from podium.analysis.domain.disagreement import Disagreement
from podium.analysis.domain.domain import Domain, domain
from podium.analysis.domain.local_analysis import LocalAnalysis
from podium.analysis.domain.subdomains import GroupStability, SubDomain, SubDomainStability

__all__ = [
    "Criterion",
    "Disagreement",
    "Domain",
    "GroupStability",
    "LocalAnalysis",
    "SubDomain",
    "SubDomainStability",
    "domain",
]
