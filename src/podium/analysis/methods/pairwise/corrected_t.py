"""The corrected resampled t test, for learning samples that overlap."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from podium.analysis.methods.pairwise.t import mean_difference, sample_sd, t_outcome
from podium.analysis.methods.pairwise_test import STRUCTURE, PairOutcome, PairwiseTest, Structure
from podium.analysis.notes import Note, RatioSource
from podium.arrays import FloatArray, Int64Array
from podium.checks import check_ratio
from podium.errors import InputError


def corrected_t_test(
    differences: FloatArray,
    structure: Structure,
    *,
    alpha: float = 0.05,
    intervals: bool = True,
    ratio: float | None = None,
) -> PairOutcome:
    r"""Corrected resampled t test (Nadeau & Bengio 2003): variance :math:`(1/B + n_2/n_1) s^2`, B - 1 df.

    :math:`n_2/n_1` is the size of the test sample over that of the learning sample, each example counted once;
    see `sample_ratio` for where it comes from.

    C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine Learning 52, 239–281. — R. R.
    Bouckaert, E. Frank (2004). Evaluating the replicability of significance tests for comparing learning algorithms.
    PAKDD, 3–12 (repeated cross-validation).
    """
    n = differences.shape[1]
    if ratio is None and structure.drawn_afresh:
        raise InputError(
            "The corrected t test is for learning samples that overlap; these were drawn afresh, and are independent. "
            "Use 't' or 'wilcoxon'."
        )
    if ratio is not None:
        check_ratio(ratio)
    known = SampleRatio(ratio, "given") if ratio is not None else sample_ratio(structure)
    error = np.sqrt(1 / n + known.ratio) * sample_sd(differences)
    outcome = t_outcome(mean_difference(differences), error, n - 1, alpha)
    note = Note("ratio", **known._asdict())
    return replace(outcome, details={"ratio": known.ratio}, notes=(note,))


class SampleRatio(NamedTuple):
    """Size of the test sample over that of the learning sample, and where it comes from.

    Attributes
    ----------
    ratio : float
    source : {"given", "fresh draws", "bootstrap", "sample sizes", "folds"}
    folds : int or None
        The number of folds that it comes from.
    """

    ratio: float
    source: RatioSource
    folds: int | None = None


def sample_ratio(structure: Structure, asked_by: str = "corrected t test") -> SampleRatio:
    """Find the size of the test sample over that of the learning sample.

    From the sizes where they are known. Out-of-bag samples of a bootstrap are recognised by their sizes; the examples
    in the learning sample, each counted once, are then those that are not in the test sample. Else from the number k
    of folds of a repeat: 1/(k - 1). Samples drawn afresh do not overlap: 0.
    """
    if structure.drawn_afresh:
        return SampleRatio(0.0, "fresh draws")
    learn, out = structure.n_learn, structure.n_test
    if learn is not None and out is not None:
        if _is_bootstrap(learn, out):
            return SampleRatio(float(np.mean(out / (learn - out))), "bootstrap")
        return SampleRatio(float(np.mean(out / learn)), "sample sizes")
    k = structure.folds
    if k > 1:
        return SampleRatio(1 / (k - 1), "folds", k)
    raise InputError(
        f"The {asked_by} needs the sizes of learning and test samples, or the folds of a cross-validation; these "
        "results have neither. Give `ratio`, n_test/n_learn, such as 1/9 for 10-fold cross-validation."
    )


def _is_bootstrap(learn: Int64Array, out: Int64Array) -> bool:
    """Whether these are sizes of bootstrap samples and of what they left out.

    As many examples are drawn as there are, n: all learning samples have one size. An example is left out with
    probability (1 - 1/n)^n, about 0.37. The number of those left out is that of empty urns, whose variance is about
    n (1/e - 2/e²) (W. Feller 1968, An Introduction to Probability Theory and Its Applications, volume 1, IV.2). Drawing
    within classes changes the share a little. Test samples of one fixed size are not from a bootstrap.
    """
    n = int(learn[0])
    if np.ptp(learn) > 0 or np.ptp(out) == 0 or n < 2:
        return False
    error = np.sqrt((np.exp(-1) - 2 * np.exp(-2)) / (n * len(out)))
    return bool(np.all(out < n) and abs(np.mean(out) / n - (1 - 1 / n) ** n) <= 5 * error + 0.05)


CORRECTED_T = PairwiseTest(
    name="corrected t",
    title="corrected resampled t test",
    function=corrected_t_test,
    estimand="mean",
    units=("replication",),
    independent=False,
    uses=STRUCTURE,
)
