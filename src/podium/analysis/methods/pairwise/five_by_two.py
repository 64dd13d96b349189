"""The 5×2 cv tests: five repeats of a cross-validation with two folds."""

from __future__ import annotations

import numpy as np
from scipy.special import fdtrc, fdtri

from podium.analysis.methods.pairwise.t import mean_difference, safe_ratio, t_outcome
from podium.analysis.methods.pairwise_test import PairOutcome, PairwiseTest, Structure
from podium.analysis.notes import Note
from podium.arrays import FloatArray
from podium.errors import InputError, join_names
from podium.results.aggregation import power_of_two


def five_by_two_t_test(
    differences: FloatArray, structure: Structure, *, alpha: float = 0.05, intervals: bool = True
) -> PairOutcome:
    """5×2 cv t test (Dietterich 1998): the first difference over the root of the mean variance of the five repeats.

    T. G. Dietterich (1998). Approximate statistical tests for comparing supervised classification learning
    algorithms. Neural Computation 10, 1895–1923.
    """
    folds, variance, unit = _five_by_two(differences, structure)
    return t_outcome(folds[:, 0, 0] * unit, np.sqrt(variance.mean(axis=1)) * unit, 5, alpha)


def five_by_two_f_test(
    differences: FloatArray, structure: Structure, *, alpha: float = 0.05, intervals: bool = True
) -> PairOutcome:
    r"""5×2 cv F test (Alpaydın 1999): :math:`f = \sum\sum d_{ij}^2 / (2 \sum s_i^2)`, F with 10 and 5 df.

    The statistic has no sign; because the null distribution is symmetric, a one-sided p-value is half the two-sided
    one on the side of the mean difference. The interval holds the differences that the test does not reject. There may
    be none, as the statistic also grows with the variation between the repeats: a note then says so.

    E. Alpaydın (1999). Combined 5×2 cv F test for comparing supervised classification learning algorithms. Neural
    Computation 11, 1885–1892.
    """
    folds, variance, unit = _five_by_two(differences, structure)
    squares, spread = (folds**2).sum(axis=(1, 2)), 2 * variance.sum(axis=1)
    statistic = safe_ratio(squares, spread)
    p = np.where(squares > 0, fdtrc(10, 5, statistic), 1.0)
    mean = mean_difference(folds.reshape(len(folds), -1))
    less = np.where(mean < 0, p / 2, 1 - p / 2)
    greater = np.where(mean > 0, p / 2, 1 - p / 2)
    reach = spread * fdtri(10, 5, 1 - alpha) - (squares - 10 * mean**2)
    half = np.sqrt(np.where(reach >= 0, reach, np.nan) / 10)
    without = int((reach < 0).sum())
    return PairOutcome(
        estimate=mean * unit,
        statistic=statistic,
        less=less,
        greater=greater,
        two_sided=p,
        lower=(mean - half) * unit,
        upper=(mean + half) * unit,
        signed=False,
        notes=(Note("no interval", pairs=without),) if without else (),
    )


def _five_by_two(differences: FloatArray, structure: Structure) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Lay out the differences as pairs × 5 repeats × 2 folds, with the variance of each repeat, and their unit."""
    n = differences.shape[1]
    if structure.repeat is None or structure.fold is None:
        raise InputError(
            f"A 5×2 cv test needs the repeat and fold of each of its 10 values; for these {n} values they are unknown. "
            "Give them as `repeat` and `fold`."
        )
    repeats, counts = np.unique(structure.repeat, return_counts=True)
    cells = len(set(zip(structure.repeat.tolist(), structure.fold.tolist(), strict=True)))
    if len(repeats) != 5 or set(counts.tolist()) != {2} or cells != 10:
        raise InputError(
            f"A 5×2 cv test needs 5 repeats of 2 folds; these are {n} values from {len(repeats)} repeats with "
            f"{join_names(sorted(set(counts.tolist())), quote=False)} folds. Use 'corrected t' for other designs."
        )
    order = np.lexsort((structure.fold, structure.repeat))
    unit = power_of_two(differences)
    folds = (differences[:, order] / unit).reshape(-1, 5, 2)
    return folds, ((folds - folds.mean(axis=2, keepdims=True)) ** 2).sum(axis=2), unit[:, 0]


FIVE_BY_TWO_T = PairwiseTest(
    name="5x2cv t",
    title="5×2 cv t test",
    function=five_by_two_t_test,
    estimand="first fold",
    units=("replication",),
    independent=False,
    uses=("repeat", "fold"),
)
FIVE_BY_TWO_F = PairwiseTest(
    name="5x2cv F",
    title="5×2 cv F test",
    function=five_by_two_f_test,
    estimand="mean",
    units=("replication",),
    independent=False,
    uses=("repeat", "fold"),
)
