"""`confidence_sequence`: the mean difference of a pair, with bounds that hold after every replication."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

import numpy as np
import pandas as pd

from podium.analysis.blocks import VALUE_POLICIES, one_dataset, one_measure, to_blocks
from podium.analysis.methods.pairwise_test import Structure
from podium.analysis.notes import Note, format_p
from podium.analysis.pairs import equivalence_area
from podium.analysis.sequential.monitor import pair_positions
from podium.analysis.sequential.sequential import build_test
from podium.analysis.sequential.sequential_tests import BURN_IN, ConfidenceSequenceTest
from podium.arrays import FloatArray
from podium.checks import check_alpha, check_call, check_choice, check_count, record
from podium.errors import InputError
from podium.results import Results
from podium.typesetting.html import described
from podium.typesetting.numbers import confidence

SequenceKind: TypeAlias = Literal["betting", "asymptotic"]

TIGHTEST = 100  # replications after which an asymptotic sequence is tightest, however many there are
MAX_BOUNDS = 200  # numbers of replications at which the bounds of a betting sequence are found


@record(kw_only=True, eq=False)
class ConfidenceSequence:
    """The mean difference a - b on accumulating replications, with bounds that hold at all of them together.

    Attributes
    ----------
    a, b, dataset, measure : str
    kind : {"betting", "asymptotic"}
    replications : ndarray of int
        Numbers of replications at which the sequence is given: all from 2 on; for ``"betting"`` at most 200 of them.
    estimate, lower, upper : ndarray of float
        Mean difference so far, and the bounds; infinite during a burn-in.
    pvalue : ndarray of float
        Always-valid p-value of no difference, two-sided.
    alpha : float
        With probability 1 - alpha the mean difference lies within all bounds.
    equivalence : (float, float) or None
    notes : tuple of Note
    """

    a: str
    b: str
    dataset: str
    measure: str
    kind: SequenceKind
    replications: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    pvalue: FloatArray
    alpha: float
    equivalence: tuple[float, float] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def decided(self) -> float:
        """Number of replications after which 0 is outside the bounds; infinite if it never is."""
        return self._first((self.lower > 0) | (self.upper < 0))

    @property
    def equivalent(self) -> float:
        """Number of replications after which the bounds lie in the area of equivalence; infinite if they never do."""
        if self.equivalence is None:
            return float("inf")
        low, high = self.equivalence
        return self._first((self.lower >= low) & (self.upper <= high) & (self.lower < self.upper))

    def _first(self, reached: np.ndarray) -> float:
        return float(self.replications[np.argmax(reached)]) if reached.any() else float("inf")

    def frame(self) -> pd.DataFrame:
        """One row per number of replications: replications, estimate, lower, upper, pvalue."""
        names = ("replications", "estimate", "lower", "upper", "pvalue")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def text(self) -> str:
        """Describe the outcome in a paragraph."""
        how = "by betting" if self.kind == "betting" else "asymptotically"
        sentences = [
            f"The mean difference of {self.a} and {self.b} in {self.measure} on {self.dataset} is "
            f"{self.estimate[-1]:.4g} after {self.replications[-1]:.0f} replications, with bounds "
            f"[{self.lower[-1]:.4g}, {self.upper[-1]:.4g}] that hold {how} at all replications together with "
            f"{confidence(self.alpha):%} ({format_p(float(self.pvalue[-1]), self.alpha)}).",
            f"A difference is shown after {self.decided:.0f} replications."
            if np.isfinite(self.decided)
            else "No difference is shown.",
        ]
        if np.isfinite(self.equivalent):
            sentences.append(f"Equivalence is shown after {self.equivalent:.0f} replications.")
        return " ".join([*sentences, *map(str, self.notes)])

    def __str__(self) -> str:
        return (
            f"Confidence sequence ({self.kind}) of {self.a} - {self.b}: {self.estimate[-1]:.4g} "
            f"[{self.lower[-1]:.4g}, {self.upper[-1]:.4g}] after {self.replications[-1]:.0f} replications"
        )

    def _repr_html_(self) -> str:
        return described(str(self), [("in words", self.text())])


@check_call
def confidence_sequence(
    results: Results,
    measure: str | None = None,
    *,
    pair: tuple[str, str],
    kind: SequenceKind = "asymptotic",
    alpha: float = 0.05,
    equivalence: float | tuple[float, float] | None = None,
    bounds: tuple[float, float] | None = None,
    burn_in: int = BURN_IN,
    tightest: int = TIGHTEST,
    ratio: float | None = None,
    missing: str = "raise",
) -> ConfidenceSequence:
    """Mean difference of a pair with bounds that may be checked after every replication.

    The bounds after n replications do not depend on later ones, so the sequence may also be computed anew whenever
    replications are added.

    Parameters
    ----------
    results : Results
        Of one data set; the replications in their order.
    measure : str, optional
        The measure, where there are several.
    pair : (str, str)
        The two algorithms a and b.
    kind : {"asymptotic", "betting"}
        Of any measure, for many replications (Waudby-Smith et al. 2024); or of a bounded one, for any number of them
        (Waudby-Smith & Ramdas 2024).
    alpha : float, default 0.05
    equivalence : float or (float, float), optional
        Differences a - b that do not matter.
    bounds : (float, float), optional
        For ``"betting"``: smallest and largest possible value of the measure, where its name does not imply them.
    burn_in : int, default 20
        For ``"asymptotic"``: replications before which nothing is concluded.
    tightest : int, default 100
        For ``"asymptotic"``: number of replications after which the bounds are about as tight as such bounds can be.
        Choose it before you see the data, and do not change it.
    ratio : float, optional
        For ``"asymptotic"``: size of the test sample divided by that of the learning sample, where learning samples
        overlap.
    missing : {"raise", "drop-block", "drop-algorithm", "worst-value"}
        Policy for missing cells.

    Returns
    -------
    ConfidenceSequence

    Examples
    --------
    >>> import podium
    >>> error = podium.examples.load_pima()
    >>> found = podium.inference.confidence_sequence(error, pair=("lda", "svm1"))
    >>> print(found)
    Confidence sequence (asymptotic) of lda - svm1: -0.01578 [-0.01981, -0.01191] after 200 replications
    >>> found.decided
    27.0
    """
    check_alpha(alpha)
    check_choice(kind, get_args(SequenceKind), "kind")
    check_count(burn_in, "burn_in", least=2)
    check_count(tightest, "tightest", least=2)
    area = equivalence_area(equivalence)
    if kind == "betting" and ratio is not None:
        raise InputError("`ratio` is for kind='asymptotic'; betting does not support overlapping learning samples.")
    if kind == "asymptotic" and bounds is not None:
        raise InputError("`bounds` are for kind='betting'; otherwise leave them out.")
    if pair is None:
        raise InputError("`pair` must be two algorithms, such as pair=('a', 'b'); got None.")
    chosen = one_dataset(one_measure(results, measure), "A confidence sequence")
    blocks = to_blocks(chosen, missing=missing, allowed=VALUE_POLICIES)
    first, second = pair_positions(blocks, pair)
    differences = blocks.differences(first, second)
    n = blocks.n
    settings = {"bounds": bounds, "burn_in": burn_in, "tightest": tightest, "ratio": ratio}
    top = float(np.abs(blocks.values).max())
    test = build_test(kind, (1,) * n, settings, alpha, blocks.measure, top)
    assert isinstance(test, ConfidenceSequenceTest)
    most = MAX_BOUNDS if kind == "betting" else n
    at = np.unique(np.linspace(2, n, min(n - 1, most)).round().astype(int))
    p = np.minimum(1.0, 2 * np.minimum(test.pvalues(differences)[0], test.pvalues(-differences)[0]))
    structure = Structure.of(blocks.structure)
    overlap = not structure.drawn_afresh and ratio is None
    return ConfidenceSequence(
        a=blocks.algorithms[first[0]],
        b=blocks.algorithms[second[0]],
        dataset=chosen.datasets[0],
        measure=blocks.measure.name,
        kind=kind,
        replications=at.astype(float),
        estimate=(np.cumsum(differences[0]) / np.arange(1, n + 1))[at - 1],
        lower=test.lower_bounds(differences, alpha / 2, tuple(at))[0],
        upper=-test.lower_bounds(-differences, alpha / 2, tuple(at))[0],
        pvalue=p[at - 1],
        alpha=alpha,
        equivalence=area,
        notes=((Note("sequential resamples"),) if overlap else ()) + blocks.notes,
    )
