"""Confidence sequence of a mean difference."""

from __future__ import annotations

from podium.analysis.sequential.confidence_sequence import ConfidenceSequence
from podium.arrays import FloatArray
from podium.checks import expect, record
from podium.plot.figures.numbers import Numbers, copy_fields

__all__ = ["SequenceBand", "confidence_sequence"]


@record(eq=False, kw_only=True)
class SequenceBand(Numbers):
    """Numbers of a plot of a confidence sequence.

    Attributes
    ----------
    a, b, measure, dataset, kind : str
    replications, estimate, lower, upper : ndarray of float
        Mean difference a - b and its bounds after each number of replications; infinite during a burn-in.
    decided, equivalent : float
        Number of replications after which a difference, or equivalence, is shown; infinite if it is not.
    equivalence : tuple of float or None
    alpha : float
    """

    a: str
    b: str
    measure: str
    dataset: str
    kind: str
    replications: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    decided: float
    equivalent: float
    equivalence: tuple[float, ...] | None
    alpha: float


def confidence_sequence(sequence: ConfidenceSequence) -> SequenceBand:
    """Compute the numbers of a plot of a confidence sequence.

    Parameters
    ----------
    sequence : ConfidenceSequence
        The outcome of `podium.inference.confidence_sequence`.

    Examples
    --------
    >>> import podium
    >>> error = podium.examples.load_pima()
    >>> found = podium.inference.confidence_sequence(error, pair=("lda", "svm1"))
    >>> podium.plot.figures.confidence_sequence(found).decided
    27.0
    """
    expect(sequence, ConfidenceSequence, "sequence")
    return SequenceBand(**copy_fields(sequence, *SequenceBand.__dataclass_fields__))
