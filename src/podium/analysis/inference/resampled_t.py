"""t and F tests of two algorithms on the replications of one data set, for many pairs at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.stats import f, t

from podium.analysis.inference.outcome import PairOutcome, Structure, two_sided_from
from podium.analysis.inference.permutation import monte_carlo_p
from podium.analysis.notes import Note
from podium.arrays import FloatArray, Int64Array
from podium.checks import random_generator
from podium.errors import InputError, listing

_ALL_SIGNS = 14  # up to here all 2^n signs are tried
_CHUNK = 4_000_000


def paired_t_test(
    differences: FloatArray, structure: Structure | None = None, *, level: float = 0.95, intervals: bool | None = None
) -> PairOutcome:
    """Student's t of each row of differences, taken as independent."""
    n = differences.shape[1]
    error = sample_sd(differences) / np.sqrt(n)
    return _t_outcome(differences.mean(axis=1), error, n - 1, level)


def kfold_t_test(
    differences: FloatArray, structure: Structure, *, level: float = 0.95, intervals: bool | None = None
) -> PairOutcome:
    """Paired t over the k folds of one cross-validation (Dietterich 1998, section 3.3)."""
    repeats = 1 if structure.repeat is None else len(np.unique(structure.repeat))
    folds = 0 if structure.fold is None else len(np.unique(structure.fold))
    n = differences.shape[1]
    if repeats != 1 or folds != n:
        found = f"{repeats} repeats of {folds} folds" if folds else "replications of which no fold is known"
        raise InputError(
            f"The k-fold t test needs one cross-validation with a value per fold; these are {n} values from {found}. "
            "Use 'corrected t' for repeated cross-validation, or tell the folds (fold=...)."
        )
    note = Note(
        "caution",
        caution="The learning samples of a cross-validation overlap; the k-fold t test ignores that, and is too "
        "liberal.",
    )
    outcome = paired_t_test(differences, structure, level=level)
    return replace(outcome, notes=(note,))


def corrected_t_test(
    differences: FloatArray,
    structure: Structure,
    *,
    level: float = 0.95,
    intervals: bool | None = None,
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
    share, why = (ratio, "as given") if ratio is not None else sample_ratio(structure)
    if not np.isfinite(share) or share <= 0:
        raise InputError(
            f"`ratio` must be a positive number, the size of the test over that of the learning sample; got {share!r}."
        )
    error = np.sqrt(1 / n + share) * sample_sd(differences)
    outcome = _t_outcome(differences.mean(axis=1), error, n - 1, level)
    note = Note("corrected variance", n=n, ratio=share, source=why)
    return replace(outcome, details={"ratio": share}, notes=(note,))


def sample_ratio(structure: Structure, asked_by: str = "corrected t test") -> tuple[float, str]:
    """Size of the test sample over that of the learning sample, and where the figure comes from.

    From the sizes where they are known. A bootstrap draws as many examples as there are: learning samples of one
    size with test samples of varying size are recognised as one, and the examples in the learning sample are then
    those that are not in the test sample. Else from the number k of folds: 1/(k - 1). Samples drawn afresh do not
    overlap: 0.
    """
    if structure.drawn_afresh:
        return 0.0, "samples drawn afresh"
    learn, out = structure.n_learn, structure.n_test
    if learn is not None and out is not None:
        if np.ptp(learn) == 0 and np.ptp(out) > 1:
            return float(np.mean(out / (learn - out))), "out-of-bag over distinct in-bag examples of the bootstrap"
        return float(np.mean(out / learn)), "test over learning sample"
    if structure.fold is not None and len(np.unique(structure.fold)) > 1:
        k = len(np.unique(structure.fold))
        return 1 / (k - 1), f"{k} folds"
    raise InputError(
        f"The {asked_by} needs the sizes of learning and test samples, or the folds of a cross-validation; these "
        "results know neither. Give ratio=n_test/n_learn, such as 1/9 for 10-fold cross-validation."
    )


def five_by_two_t_test(
    differences: FloatArray, structure: Structure, *, level: float = 0.95, intervals: bool | None = None
) -> PairOutcome:
    """5×2 cv t test (Dietterich 1998): the first difference over the root of the mean variance of the five repeats.

    T. G. Dietterich (1998). Approximate statistical tests for comparing supervised classification learning
    algorithms. Neural Computation 10, 1895–1923.
    """
    folds, variance, unit = _five_by_two(differences, structure)
    return _t_outcome(folds[:, 0, 0] * unit, np.sqrt(variance.mean(axis=1)) * unit, 5, level)


def five_by_two_f_test(
    differences: FloatArray, structure: Structure, *, level: float = 0.95, intervals: bool | None = None
) -> PairOutcome:
    r"""5×2 cv F test (Alpaydın 1999): :math:`f = \sum\sum d_{ij}^2 / (2 \sum s_i^2)`, F with 10 and 5 df.

    The statistic has no sign; because the null distribution is symmetric, a one-sided p-value is half the two-sided
    one on the side of the mean difference. The interval holds the differences that the test does not reject.

    E. Alpaydın (1999). Combined 5×2 cv F test for comparing supervised classification learning algorithms. Neural
    Computation 11, 1885–1892.
    """
    folds, variance, unit = _five_by_two(differences, structure)
    squares, spread = (folds**2).sum(axis=(1, 2)), 2 * variance.sum(axis=1)
    statistic = _ratio(squares, spread)
    p = np.where(squares > 0, f.sf(statistic, 10, 5), 1.0)
    mean = folds.mean(axis=(1, 2))
    less = np.where(mean < 0, p / 2, 1 - p / 2)
    greater = np.where(mean > 0, p / 2, 1 - p / 2)
    reach = spread * f.ppf(level, 10, 5) - (squares - 10 * mean**2)
    half = np.sqrt(np.where(reach >= 0, reach, np.nan) / 10)
    return PairOutcome(
        estimate=mean * unit,
        statistic=statistic,
        less=less,
        greater=greater,
        two_sided=p,
        lower=(mean - half) * unit,
        upper=(mean + half) * unit,
        signed=False,
    )


def permutation_t_test(
    differences: FloatArray,
    structure: Structure | None = None,
    *,
    level: float = 0.95,
    intervals: bool | None = None,
    permutations: int = 10_000,
    seed: int = 0,
) -> PairOutcome:
    """Test the mean difference by random signs: which of the two algorithms is a is a coin toss in every block.

    All 2^n signs up to 14 blocks, random ones beyond. The interval is Student's. As a t statistic orders the signs
    in the same way as the mean does, this is the permutation version of the paired t test.
    """
    n = differences.shape[1]
    observed = differences.mean(axis=1)
    low, high, tried = _sign_counts(differences, permutations, seed)
    exact = n <= _ALL_SIGNS
    less, greater = (low / tried, high / tried) if exact else (monte_carlo_p(low, tried), monte_carlo_p(high, tried))
    student = paired_t_test(differences, level=level)
    note = Note("random signs", signs=tried, error=float(np.sqrt(0.0475 / tried)))
    return PairOutcome(
        estimate=observed,
        statistic=student.statistic,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=student.lower,
        upper=student.upper,
        details={"exact": exact, "signs": tried},
        notes=(Note("exact signs") if exact else note,),
    )


def _sign_counts(differences: FloatArray, permutations: int, seed: int) -> tuple[Int64Array, Int64Array, int]:
    """How many sign patterns give a sum at most, and at least, as large as the observed one."""
    pairs, n = differences.shape
    observed = differences.sum(axis=1)
    slack = 1e-9 * np.abs(differences).sum(axis=1)
    low, high = np.zeros(pairs, np.int64), np.zeros(pairs, np.int64)
    rng = random_generator(seed)
    total = 2**n if n <= _ALL_SIGNS else permutations
    step = max(1, _CHUNK // max(n, pairs))
    for start in range(0, total, step):
        size = min(step, total - start)
        if n <= _ALL_SIGNS:
            bits = (np.arange(start, start + size)[:, None] >> np.arange(n)) & 1
        else:
            bits = rng.integers(0, 2, size=(size, n), dtype=np.int8)
        sums = (2.0 * bits - 1.0) @ differences.T
        low += (sums <= observed + slack).sum(axis=0)
        high += (sums >= observed - slack).sum(axis=0)
    return low, high, total


def _five_by_two(differences: FloatArray, structure: Structure) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Lay out the differences as pairs × 5 repeats × 2 folds, with the variance of each repeat, and their unit."""
    n = differences.shape[1]
    if structure.repeat is None or structure.fold is None:
        raise InputError(
            f"A 5×2 cv test needs to know repeat and fold of each of its 10 values; of these {n} values it is not "
            "known. Give repeat=... and fold=..., or arrays of shape (5, 2)."
        )
    repeats, counts = np.unique(structure.repeat, return_counts=True)
    cells = len(set(zip(structure.repeat.tolist(), structure.fold.tolist(), strict=True)))
    if len(repeats) != 5 or set(counts.tolist()) != {2} or cells != 10:
        raise InputError(
            f"A 5×2 cv test needs 5 repeats of 2 folds; these are {n} values from {len(repeats)} repeats with "
            f"{listing(sorted(set(counts.tolist())), quote=False)} folds. Use 'corrected t' for other designs."
        )
    order = np.lexsort((structure.fold, structure.repeat))
    unit = _unit(differences)
    folds = (differences[:, order] / unit[:, None]).reshape(-1, 5, 2)
    return folds, ((folds - folds.mean(axis=2, keepdims=True)) ** 2).sum(axis=2), unit


def _t_outcome(mean: FloatArray, error: FloatArray, df: int, level: float) -> PairOutcome:
    """Turn means and standard errors into tests; without any variance a difference is certain, and none is none."""
    statistic = _ratio(mean, error)
    half = t.ppf((1 + level) / 2, df) * error
    less, greater = t.cdf(statistic, df), t.sf(statistic, df)
    same = (mean == 0) & (error == 0)
    less, greater = np.where(same, 1.0, less), np.where(same, 1.0, greater)
    return PairOutcome(
        estimate=mean,
        statistic=statistic,
        less=less,
        greater=greater,
        two_sided=two_sided_from(less, greater),
        lower=mean - half,
        upper=mean + half,
        df=np.full(len(mean), float(df)),
    )


def _ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    safe = np.where(bottom > 0, bottom, 1.0)
    return np.where(bottom > 0, top / safe, np.where(top == 0, 0.0, np.copysign(np.inf, top)))


def sample_sd(differences: FloatArray) -> FloatArray:
    """Sample standard deviation of each row; exactly 0 where all differences are equal up to rounding."""
    unit = _unit(differences)
    scaled = differences / unit[:, None]
    deviation = scaled.std(axis=1, ddof=1)
    negligible = deviation <= 1e-12 * np.abs(scaled).max(axis=1)
    return np.where(negligible, 0.0, deviation * unit)


def _unit(differences: FloatArray) -> FloatArray:
    """Power of two of the size of each row: in it squares neither vanish nor overflow, and no digit is lost."""
    unit: FloatArray = np.ldexp(1.0, np.frexp(np.abs(differences).max(axis=1))[1])
    return unit
