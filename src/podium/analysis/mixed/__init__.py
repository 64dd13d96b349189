"""Mixed-effects models made for benchmark designs: exact where a design is complete, fast where it is not."""

from podium.analysis.mixed.compare import compare_mixed
from podium.analysis.mixed.covariances import CovarianceComparison
from podium.analysis.mixed.fit import MixedFit, mixed

__all__ = ["CovarianceComparison", "MixedFit", "compare_mixed", "mixed"]
