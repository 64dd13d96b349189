"""qda: quadratic discriminant analysis."""

from __future__ import annotations

from dataclasses import dataclass

from podium.arrays import FloatArray
from podium.design.candidates import NamedCandidate
from podium.design.candidates.candidate import Codes
from podium.design.candidates.lda import DiscriminantAnalysis, is_singular, pooled_covariance


@dataclass(kw_only=True, eq=False)
class QuadraticDiscriminantAnalysis(DiscriminantAnalysis):
    """A covariance for each class.

    The covariance of a class is singular if the class is small or an attribute is constant within it. It is then
    replaced by the average of itself and the pooled covariance, with the weights n_g - 1 and the number of columns.
    """

    def covariances(self, within: FloatArray, codes: Codes) -> list[FloatArray]:
        """Return the covariance of each class."""
        pooled = pooled_covariance(within, classes=int(codes.max()) + 1)
        return [self._of_class(within[codes == g], pooled) for g in range(codes.max() + 1)]

    @staticmethod
    def _of_class(deviations: FloatArray, pooled: FloatArray) -> FloatArray:
        freedom, width = len(deviations) - 1, len(pooled)
        scatter = deviations.T @ deviations
        if freedom >= width and not is_singular(scatter):
            return scatter / freedom
        return (scatter + width * pooled) / (freedom + width)


QDA = NamedCandidate("qda", "quadratic discriminant analysis", {"classification": QuadraticDiscriminantAnalysis})
