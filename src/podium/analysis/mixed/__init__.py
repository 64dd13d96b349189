"""Mixed-effects models for benchmark designs: exact where a design is complete, fast where it is not."""

from podium.analysis.mixed.covariances import CovarianceComparison
from podium.analysis.mixed.design import Design
from podium.analysis.mixed.fit import MixedFit, mixed

__all__ = ["CovarianceComparison", "Design", "MixedFit", "mixed"]
