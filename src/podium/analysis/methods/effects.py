"""How large a difference is: the probability of superiority with its interval, beside differences of values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.analysis.blocks import PAIR_POLICIES, Unit, all_pairs, to_blocks
from podium.analysis.magnitude import magnitude, superiority_interval
from podium.analysis.methods.location import pseudomedian_interval
from podium.analysis.methods.ranks import rank_together
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
        - ``magnitude``: the word for its size, see `magnitude`.

    Examples
    --------
    >>> import podium
    >>> table = podium.inference.effect_sizes(podium.examples.load_demsar2006())
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
    for a, b, row in zip(first, second, blocks.differences(first, second), strict=True):
        difference = row[~np.isnan(row)]
        if difference.size < 2:
            continue
        balance = np.sign(sign * difference).sum()  # positive where b is better more often
        if balance > 0 or (balance == 0 and blocks.algorithms[b] < blocks.algorithms[a]):
            a, b, difference = b, a, -difference
        wins, losses = int((sign * difference < 0).sum()), int((sign * difference > 0).sum())
        shift = [float(x[0]) for x in pseudomedian_interval(difference[None, :], 1 - alpha)]
        share = superiority(wins, losses, difference.size, alpha)
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
                **_three("superiority", *share),
                "magnitude": magnitude(share[0]),
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
    lower, upper = superiority_interval(np.array([wins]), np.array([losses]), np.array([n]), alpha)
    return (1 + (wins - losses) / n) / 2, float(lower[0]), float(upper[0])


@check_call
def cliffs_delta(a: npt.ArrayLike, b: npt.ArrayLike) -> float:
    """Cliff's δ = P(a > b) - P(a < b) over all combinations of values of two samples that are not paired.

    Paired values, such as those of two algorithms on the same data sets, have the probability of superiority; see
    `effect_sizes`.

    N. Cliff (1993). Dominance statistics: ordinal analyses to answer ordinal questions. Psychological Bulletin 114,
    494–509.

    Examples
    --------
    >>> import podium
    >>> podium.inference.cliffs_delta([3, 4, 5, 6], [1, 2, 3, 4, 5])
    0.55
    """
    x, y = as_numbers(a, "a"), as_numbers(b, "b")
    if x.ndim != 1 or y.ndim != 1 or not x.size or not y.size:
        raise InputError(f"`a` and `b` must be two lists of numbers; got shapes {x.shape} and {y.shape}.")
    both = np.concatenate([x, y])
    x, y = np.split(rank_together(both, np.abs(both)), [x.size])  # equal up to rounding is equal
    ordered = np.sort(y)
    return float((ordered.searchsorted(x, "left") + ordered.searchsorted(x, "right") - y.size).sum()) / (
        x.size * y.size
    )


def _three(name: str, estimate: float, lower: float, upper: float) -> dict[str, float]:
    return {name: estimate, f"{name} lower": lower, f"{name} upper": upper}
