"""How large a difference is: paired effect sizes with intervals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import betaincinv, ndtri, stdtrit

from podium.analysis.blocks import PAIR_POLICIES, Unit, all_pairs, to_blocks
from podium.analysis.inference.location import pseudomedian_interval
from podium.analysis.inference.ranks import rank_together
from podium.analysis.magnitude import magnitude
from podium.arrays import FloatArray, IntArray
from podium.checks import as_numbers, check_alpha, check_call, check_count
from podium.errors import InputError
from podium.results import Results
from podium.results.aggregation import Aggregation


@check_call
def effect_sizes(
    results: Results,
    measure: str | None = None,
    *,
    alpha: float = 0.05,
    unit: Unit | None = None,
    aggregate: Aggregation = "mean",
    missing: str = "raise",
) -> pd.DataFrame:
    """Measure how large the difference of each pair is, with intervals for each pair alone.

    Parameters
    ----------
    results : Results
    measure : str, optional
    alpha : float, default 0.05
        Each interval has confidence 1 - alpha; it is not adjusted for the number of pairs.
    unit, aggregate, missing
        As for `compare`; with ``missing="available"`` each pair uses the blocks it has.

    Returns
    -------
    DataFrame
        One row per pair, the one that is better more often as a (equal ones by name), with columns

        - ``a``, ``b``, ``n``; ``wins``, ``ties``, ``losses`` of a over the blocks;
        - ``mean difference`` a - b;
        - ``difference``, ``difference lower``, ``difference upper``: Hodges–Lehmann estimate of a - b;
        - ``superiority`` …: probability that a is better than b in a block, ties counted half (0.5: no difference);
        - ``delta`` …: Cliff's δ, the probability that a value of a is better than *any* value of b minus that it is
          worse (0: no difference). It does not pair the values; its interval takes their pairing into account;
        - ``magnitude``: the word for the size of δ, see `magnitude`.

    Examples
    --------
    >>> import podium
    >>> table = podium.inference.effect_sizes(podium.datasets.load_demsar2006())
    >>> table[["a", "b", "wins", "ties", "losses", "superiority"]].head(2).round(3)
             a     b  wins  ties  losses  superiority
    0   C4.5+m  C4.5    10     2       2        0.786
    1  C4.5+cf  C4.5     7     1       6        0.536
    """
    check_alpha(alpha)
    blocks = to_blocks(results, measure, unit=unit, aggregate=aggregate, missing=missing, allowed=PAIR_POLICIES)
    first, second = all_pairs(len(blocks.algorithms))
    sign = blocks.measure.sign
    rows = []
    laid = zip(first, second, blocks.differences(first, second), *blocks.sides(first, second), strict=True)
    for a, b, row, of_a, of_b in laid:
        there = ~np.isnan(row)
        difference, x, y = row[there], of_a[there], of_b[there]
        if difference.size < 2:
            continue
        balance = np.sign(sign * difference).sum()  # positive where b is better more often
        if balance > 0 or (balance == 0 and blocks.algorithms[b] < blocks.algorithms[a]):
            a, b, difference, x, y = b, a, -difference, y, x
        wins, losses = int((sign * difference < 0).sum()), int((sign * difference > 0).sum())
        shift = [float(x[0]) for x in pseudomedian_interval(difference[None, :], 1 - alpha)]
        delta = cliffs_delta(-sign * x, -sign * y, alpha)
        rows.append(
            {
                "a": blocks.algorithms[a],
                "b": blocks.algorithms[b],
                "n": difference.size,
                "wins": wins,
                "ties": difference.size - wins - losses,
                "losses": losses,
                "mean difference": float(difference.mean()),
                **_three("difference", *shift),
                **_three("superiority", *superiority(wins, losses, difference.size, alpha)),
                **_three("delta", *delta),
                "magnitude": magnitude(delta[0]),
            }
        )
    table = pd.DataFrame(rows)
    table.attrs["measure"], table.attrs["unit"] = str(blocks.measure), blocks.unit
    table.attrs["missing"] = str(blocks.missing)
    return table


@check_call
def superiority(wins: int, losses: int, n: int, alpha: float = 0.05) -> tuple[float, float, float]:
    """Probability of being better in a block, ties counted half, with an interval.

    The probability is 1/2 + q (π - 1/2), where q is the probability that a block is decided and π that a decided block
    is won. The interval holds its values for all q and π in their exact intervals (Clopper & Pearson 1934, Biometrika
    26, 404–413). Hence it excludes 1/2 exactly where the sign test rejects. Its coverage, summed over all outcomes of
    3 to 60 blocks, is at least 1 - alpha whatever the share of ties; that of Wald's interval is far below with few
    blocks.

    Examples
    --------
    >>> import podium
    >>> podium.inference.superiority(10, 2, 14)[0]
    0.7857142857142857
    """
    check_alpha(alpha)
    check_count(wins, "wins", least=0)
    check_count(losses, "losses", least=0)
    check_count(n, "n", least=max(1, wins + losses))
    decided = wins + losses
    ends = [
        0.5 + q * (won - 0.5)
        for won in _exact_interval(wins, decided, alpha)
        for q in _exact_interval(decided, n, alpha)
    ]
    return (1 + (wins - losses) / n) / 2, min(ends), max(ends)


def _exact_interval(successes: int, n: int, alpha: float) -> tuple[float, float]:
    """Interval of a probability by Clopper & Pearson."""
    lower = float(betaincinv(successes, n - successes + 1, alpha / 2)) if successes > 0 else 0.0
    upper = float(betaincinv(successes + 1, n - successes, 1 - alpha / 2)) if successes < n else 1.0
    return lower, upper


@check_call
def cliffs_delta(a: npt.ArrayLike, b: npt.ArrayLike, alpha: float = 0.05) -> tuple[float, float, float]:
    """Cliff's δ = P(a > b) - P(a < b) over all combinations of values, with an interval for paired samples.

    The interval is formed on the scale of Fisher's z around the comparisons between different blocks, which estimate
    δ without bias; those within a block (a share 1/n of all) only widen it where they pull the estimate away. The
    variance is the larger of the jackknife's over blocks and that of the projection with all comparisons. Where all
    values of one are above all of the other, the inner end is Wilson's bound for as many successes as there are
    blocks. Where all blocks are identical, which can happen if they are few, they show no variance: the interval then
    reaches 1 - (alpha/2)^(1/n) to both sides, the largest probability of another kind of block that n blocks may have
    missed. Two blocks do not show the spread: their interval is [-1, 1].

    N. Cliff (1993). Dominance statistics: ordinal analyses to answer ordinal questions. Psychological Bulletin 114,
    494–509.

    Examples
    --------
    >>> import podium
    >>> podium.inference.cliffs_delta([3, 4, 5, 6], [1, 2, 3, 4])[0]
    0.75
    """
    check_alpha(alpha)
    x, y, level = as_numbers(a, "a"), as_numbers(b, "b"), 1 - alpha
    if x.shape != y.shape or x.ndim != 1 or x.size < 2:
        raise InputError(f"`a` and `b` must be paired values, at least two each; got shapes {x.shape} and {y.shape}.")
    n = x.size
    both = np.concatenate([x, y])
    x, y = np.split(rank_together(both, np.abs(both)), 2)  # equal up to rounding is equal
    row, column = _dominance(x, y), -_dominance(y, x)
    within = np.sign(x - y)
    delta, between = float(row.sum()) / n**2, float((row - within).sum()) / (n * (n - 1))
    if abs(between) > 1 - 1e-12:
        inner = 2 * n / (n + float(ndtri((1 + level) / 2)) ** 2) - 1
        lower, upper = (inner, 1.0) if between > 0 else (-1.0, -inner)
    elif n == 2:
        lower, upper = -1.0, 1.0
    else:
        jackknife = (((row + column - 2 * within) / (n - 1) - 2 * between) ** 2).sum() * (n - 1) / (n * (n - 2) ** 2)
        projection = (((row + column) / n - 2 * delta) ** 2).sum() / (n * (n - 1))
        half = float(stdtrit(n - 1, (1 + level) / 2)) * np.sqrt(max(jackknife, projection)) / (1 - between**2)
        lower, upper = (float(np.tanh(np.arctanh(between) + side * half)) for side in (-1, 1))
        if half < 1e-9:
            missed = 1 - (alpha / 2) ** (1 / n)
            lower, upper = max(-1.0, between - missed), min(1.0, between + missed)
    return delta, min(lower, delta), max(upper, delta)


def _dominance(values: FloatArray, others: FloatArray) -> IntArray:
    """Count, for each value, the others below it minus those above it."""
    ordered = np.sort(others)
    return ordered.searchsorted(values, "left") + ordered.searchsorted(values, "right") - others.size


def _three(name: str, estimate: float, lower: float, upper: float) -> dict[str, float]:
    return {name: estimate, f"{name} lower": lower, f"{name} upper": upper}
