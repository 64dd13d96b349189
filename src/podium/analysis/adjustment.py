"""P-values adjusted for the number of hypotheses: arrays in, arrays out.

An adjusted p-value is the smallest level of the whole procedure at which the hypothesis is rejected: it is compared
with alpha like a plain one. NaN (not tested) stays NaN and does not count as a hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from scipy.special import comb

from podium.arrays import BoolArray, FloatArray, Int64Array, IntArray
from podium.checks import check_call, check_count, did_you_mean, shown
from podium.errors import InputError, join_names

EXHAUSTIVE_LIMIT = 14  # algorithms; about a second there, and three times that for each additional one
ROM_LIMIT = 300  # hypotheses; a few seconds there
ROM_TERMS = 60  # of the sum behind a level of Rom's; later ones are below rounding


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A way to adjust p-values.

    Attributes
    ----------
    name : str
    controls : str
        What stays below alpha: the family-wise error rate, the false discovery rate, or nothing.
    assumes : str
        Under which dependence of the p-values.
    logical : bool
        Whether it uses that the hypotheses are all pairs of K algorithms, so that some cannot be true together.
    caution : str
        Where it fails to control what it is used for; empty if it never fails.
    """

    name: str
    controls: str
    assumes: str
    logical: bool = False
    caution: str = ""


_FWER, _FDR = "family-wise error rate", "false discovery rate"
_ANY, _POSITIVE = "any dependence", "independence or positive dependence"
_FINNER = (
    "Finner's step-down levels control the family-wise error only if no algorithm differs; where some do, equal ones "
    "are called different far more often than alpha allows."
)
_LI = (
    "Li's procedure controls the family-wise error only of independent p-values. P-values of comparisons that share an "
    "algorithm are not independent, and the error exceeds alpha: by up to a half at 5%, up to threefold at 1%."
)

ADJUSTMENTS: Mapping[str, Adjustment] = MappingProxyType(
    {
        a.name: a
        for a in (
            Adjustment("none", "nothing", _ANY),
            Adjustment("bonferroni", _FWER, _ANY),
            Adjustment("holm", _FWER, _ANY),
            Adjustment("hochberg", _FWER, _POSITIVE),
            Adjustment("hommel", _FWER, _POSITIVE),
            Adjustment("rom", _FWER, "independence"),
            Adjustment("sidak", _FWER, _POSITIVE),
            Adjustment("holm-sidak", _FWER, _POSITIVE),
            Adjustment("finner", _FWER, "that no algorithm differs", caution=_FINNER),
            Adjustment("li", _FWER, "independence", caution=_LI),
            Adjustment("shaffer", _FWER, _ANY, logical=True),
            Adjustment("shaffer-dynamic", _FWER, _ANY, logical=True),
            Adjustment("bergmann-hommel", _FWER, _ANY, logical=True),
            Adjustment("bh", _FDR, _POSITIVE),
            Adjustment("by", _FDR, _ANY),
        )
    }
)
_ALIASES = {
    "benjamini-hochberg": "bh",
    "fdr": "bh",
    "fdr-bh": "bh",
    "fdr-by": "by",
    "benjamini-yekutieli": "by",
    "shaffer-static": "shaffer",
    "bergmann": "bergmann-hommel",
    "holland": "holm-sidak",
    "holland-copenhaver": "holm-sidak",
}


@check_call
def adjust_pvalues(pvalues: npt.ArrayLike, adjust: str = "holm", *, n_algorithms: int | None = None) -> FloatArray:
    """Adjust p-values for multiplicity.

    Parameters
    ----------
    pvalues : array-like of float
        One per hypothesis. For the logical methods those of all pairs of K algorithms in the order
        (0, 1), (0, 2), …, (1, 2), …
    adjust : str, default "holm"
        ``"none"``, ``"bonferroni"``, ``"holm"``, ``"hochberg"``, ``"hommel"``, ``"rom"``, ``"sidak"``,
        ``"holm-sidak"`` (also called Holland's, ``"holland"``; family-wise error rate);
        ``"finner"``, ``"li"`` (the same, but only under conditions that rarely hold: see `ADJUSTMENTS`);
        ``"shaffer"`` (static), ``"shaffer-dynamic"``, ``"bergmann-hommel"`` (family-wise, all pairs only; the last two
        up to 14 algorithms); ``"bh"`` (Benjamini–Hochberg), ``"by"``
        (Benjamini–Yekutieli; false discovery rate).
    n_algorithms : int, optional
        K, for the logical methods; by default from the number of p-values.

    Returns
    -------
    ndarray of float
        In the order of the input: never below it, at most 1, and in the same order by size (except for
        Bergmann–Hommel, where logic may reject a hypothesis before one with a smaller p-value).

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6, 65–70. Hochberg (1988), Biometrika 75, 800–802. Hommel (1988),
    Biometrika 75, 383–386. Rom (1990), Biometrika 77, 663–665. Holland & Copenhaver (1987), Biometrics 43, 417–423.
    Finner (1993), JASA 88, 920–923. Li (2008), Journal of Statistical Planning and Inference
    138, 1521–1527. Shaffer (1986), JASA 81, 826–831. Bergmann & Hommel (1988), in Multiple Hypotheses Testing,
    100–115. Benjamini & Hochberg (1995), JRSS B 57, 289–300. Benjamini & Yekutieli (2001), Annals of Statistics 29,
    1165–1188.

    Examples
    --------
    >>> import podium
    >>> podium.inference.adjust_pvalues([0.01, 0.02, 0.03], "holm")
    array([0.03, 0.04, 0.04])
    >>> podium.inference.adjust_pvalues([0.01, 0.02, 0.03], "shaffer")
    array([0.03, 0.03, 0.03])
    """
    name = adjustment_name(adjust)
    try:
        p = np.asarray(pvalues, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"`pvalues` must be a list of numbers between 0 and 1; got {shown(pvalues)}.") from None
    if p.ndim != 1:
        raise InputError(f"`pvalues` must be a list of p-values; got an array of shape {p.shape}.")
    tested = ~np.isnan(p)
    strange = p[tested & ((p < 0) | (p > 1))]
    if strange.size:
        raise InputError(f"`pvalues` must lie between 0 and 1; got {join_names(strange.tolist(), quote=False)}.")
    if n_algorithms is not None:
        check_count(n_algorithms, "n_algorithms", least=2)
    if ADJUSTMENTS[name].logical:
        return _logical(name, p, n_algorithms)
    adjusted = np.full(p.shape, np.nan)
    if tested.any():
        adjusted[tested] = _METHODS[name](p[tested])
    return adjusted


def least_adjusted(least: float, hypotheses: int, adjust: str) -> float:
    """Return the smallest adjusted p-value of hypotheses whose p-values are `least` or more.

    It is that of equal p-values, which the logical methods adjust as Bonferroni's does.

    >>> [float(round(least_adjusted(0.03, 6, adjust), 2)) for adjust in ("shaffer", "by", "hochberg")]
    [0.18, 0.07, 0.03]
    """
    plain = "bonferroni" if ADJUSTMENTS[adjust].logical else adjust
    return float(adjust_pvalues(np.full(hypotheses, least), plain)[0])


def adjustment_name(adjust: object, besides: Sequence[str] = ()) -> str:
    """Check the name of an adjustment; case does not matter, and spaces and underscores may stand for hyphens.

    `besides` are names that the caller accepts and this module does not, for the message.
    """
    name = str(adjust).strip().lower().replace("_", "-").replace(" ", "-").replace("–", "-")
    name = _ALIASES.get(name, name)
    if name not in ADJUSTMENTS:
        known = [*besides, *ADJUSTMENTS]
        hint = did_you_mean(adjust, [*known, *_ALIASES])
        raise InputError(f"`adjust` must be one of {join_names(known, most=20)}; got {shown(adjust)}.{hint}")
    return name


def _logical(name: str, p: FloatArray, n_algorithms: int | None) -> FloatArray:
    k = int((1 + np.sqrt(1 + 8 * len(p))) / 2) if n_algorithms is None else n_algorithms
    if k * (k - 1) // 2 != len(p):
        raise InputError(
            f"`adjust={name!r}` is for all pairs of algorithms, K(K - 1)/2 p-values; got {len(p)}"
            + (f" for {n_algorithms} algorithms" if n_algorithms is not None else "")
            + ". Use 'holm' for other families, such as all against a control."
        )
    if np.isnan(p).any():
        raise InputError(f"`adjust={name!r}` needs a p-value for every pair; {int(np.isnan(p).sum())} are missing.")
    if name == "shaffer":
        return shaffer_static(p, k)
    if k > EXHAUSTIVE_LIMIT:
        raise InputError(
            f"`adjust={name!r}` goes through all partitions of the algorithms, which is feasible up to "
            f"{EXHAUSTIVE_LIMIT} of them; there are {k}. Use 'shaffer' or 'holm'."
        )
    return shaffer_dynamic(p, k) if name == "shaffer-dynamic" else bergmann_hommel(p, k)


def _step_down(p: FloatArray, factor: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Adjust from the smallest p-value up: a hypothesis is rejected only if all with smaller p-values are."""
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(factor(p[order])), 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return adjusted


def _step_up(p: FloatArray, factor: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Adjust from the largest p-value down: a hypothesis is rejected if any with a larger p-value is."""
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.minimum.accumulate(factor(p[order])[::-1])[::-1], 1.0)
    adjusted = np.empty_like(p)
    adjusted[order] = stepped
    return adjusted


def _ranks(p: FloatArray) -> FloatArray:
    return np.arange(1.0, len(p) + 1.0)


def _bonferroni(p: FloatArray) -> FloatArray:
    return np.minimum(len(p) * p, 1.0)


def _sidak(p: FloatArray) -> FloatArray:
    return _power(p, np.full(len(p), float(len(p))))


def _holm(p: FloatArray) -> FloatArray:
    return _step_down(p, lambda ordered: (len(p) + 1 - _ranks(p)) * ordered)


def _hochberg(p: FloatArray) -> FloatArray:
    return _step_up(p, lambda ordered: (len(p) + 1 - _ranks(p)) * ordered)


def _hommel(p: FloatArray) -> FloatArray:
    """Hommel (1988): the closure of Simes tests; adjusted p-values after Wright (1992), Biometrics 48, 1005–1013."""
    m = len(p)
    order = np.argsort(p, kind="stable")
    ordered = p[order]
    adjusted = np.full(m, (m * ordered / _ranks(p)).min())
    for size in range(m - 1, 1, -1):
        upper = np.arange(m - size + 1, m)
        simes = (size * ordered[upper] / np.arange(2, size + 1)).min()
        adjusted[: m - size + 1] = np.maximum(
            adjusted[: m - size + 1], np.minimum(size * ordered[: m - size + 1], simes)
        )
        adjusted[upper] = np.maximum(adjusted[upper], adjusted[m - size])
    result = np.empty(m)
    result[order] = np.maximum(adjusted, ordered)
    return np.minimum(result, 1.0)


def _holm_sidak(p: FloatArray) -> FloatArray:
    """Holm's steps with Šidák's levels (Holland & Copenhaver 1987): the closure of Šidák's test of the smallest."""
    return _step_down(p, lambda ordered: _power(ordered, len(p) + 1 - _ranks(p)))


def _rom(p: FloatArray) -> FloatArray:
    """Rom (1990): Hochberg's steps with the largest levels that independent p-values allow.

    The adjusted p-value of a step is the alpha at which its level equals the p-value. Levels are convex in alpha and at
    least Hochberg's, alpha/r, so that Newton's method comes down to the solution from r p.
    """
    if len(p) > ROM_LIMIT:
        raise InputError(
            f"`adjust='rom'` is for up to {ROM_LIMIT} hypotheses; there are {len(p)}. Use 'hochberg', which is nearly "
            "the same."
        )
    left = np.arange(len(p), 0, -1)

    def solve(ordered: FloatArray) -> FloatArray:
        alpha = np.minimum(left * ordered, 1.0)
        for _ in range(50):
            level, slope = _rom_levels(alpha, left)
            step = np.where(level > ordered, (level - ordered) / slope, 0.0)
            alpha = np.maximum(alpha - step, ordered)
            if (step <= 1e-9 * alpha).all():  # the error is squared in every step: now it is below rounding
                break
        return alpha

    return _step_up(p, solve)


def _rom_levels(alpha: FloatArray, left: IntArray) -> tuple[FloatArray, FloatArray]:
    """Rom's level for r hypotheses left at each alpha, and its derivative (Rom 1990).

    The levels c_1, c_2, ... solve P(p_(1) > c_r, ..., p_(r) > c_1) = 1 - alpha for r independent p-values, for all r:
    r c_r = alpha + ... + alpha^(r-1) - sum over j = 1, ..., r - 2 of (r choose j) c_(j+1)^(r-j).
    """
    most = int(left.max())
    level, slope = np.empty((most, len(alpha))), np.ones((most, len(alpha)))
    level[0] = alpha
    sums, slopes, power = np.zeros(len(alpha)), np.zeros(len(alpha)), np.ones(len(alpha))
    with np.errstate(under="ignore"):
        for r in range(2, most + 1):
            sums, slopes, power = sums + power * alpha, slopes + (r - 1) * power, power * alpha
            j = np.arange(max(1, r - ROM_TERMS), r - 1)
            lower, exponent = level[j], (r - j)[:, None]
            terms = _binomials(r)[:, None] * lower ** (exponent - 1)
            level[r - 1] = (sums - (terms * lower).sum(axis=0)) / r
            slope[r - 1] = (slopes - (terms * exponent * slope[j]).sum(axis=0)) / r
    at = left - 1, np.arange(len(alpha))
    return level[at], slope[at]


@lru_cache(maxsize=ROM_LIMIT)
def _binomials(r: int) -> FloatArray:
    return np.asarray(comb(r, np.arange(max(1, r - ROM_TERMS), r - 1)))


def _finner(p: FloatArray) -> FloatArray:
    return _step_down(p, lambda ordered: _power(ordered, len(p) / _ranks(p)))


def _li(p: FloatArray) -> FloatArray:
    """Return p / (p + 1 - p_max); the largest keeps its p-value (Li 2008)."""
    largest = p.max()
    others: FloatArray = np.divide(p, p + (1 - largest), out=np.zeros_like(p), where=p > 0)
    return np.where(p == largest, largest, others)


def _bh(p: FloatArray) -> FloatArray:
    return _step_up(p, lambda ordered: len(p) / _ranks(p) * ordered)


def _by(p: FloatArray) -> FloatArray:
    return _step_up(p, lambda ordered: len(p) / _ranks(p) * (1 / _ranks(p)).sum() * ordered)


def _power(p: FloatArray, exponent: FloatArray) -> FloatArray:
    """1 - (1 - p)^exponent, exact for tiny p."""
    with np.errstate(divide="ignore"):
        powered: FloatArray = -np.expm1(exponent * np.log1p(-p))
    return powered


_METHODS: Mapping[str, Callable[[FloatArray], FloatArray]] = MappingProxyType(
    {
        "none": np.copy,
        "bonferroni": _bonferroni,
        "rom": _rom,
        "sidak": _sidak,
        "holm-sidak": _holm_sidak,
        "holm": _holm,
        "hochberg": _hochberg,
        "hommel": _hommel,
        "finner": _finner,
        "li": _li,
        "bh": _bh,
        "by": _by,
    }
)


# Adjustments that use logic: if a = b and b = c, then a = c, so not every set of pairs can be equal together. The true
# hypotheses among all pairs of K algorithms are always the pairs inside the groups of a partition. Shaffer's procedures
# ask how many hypotheses can still be true; Bergmann & Hommel's asks it of every such set. Both questions are answered
# by one recursion over subsets of the algorithms instead of a list of all partitions.


def shaffer_static(p: FloatArray, k: int) -> FloatArray:
    """Shaffer's (1986) first procedure: Holm with the largest number of hypotheses that can be true.

    At step i at least i - 1 hypotheses are false; the factor is the largest possible number of true ones that is at
    most m - i + 1.
    """
    possible = _possible_counts(k)
    order = np.argsort(p, kind="stable")
    left = len(p) - np.arange(len(p))
    factors = possible[np.searchsorted(possible, left, side="right") - 1]
    return _stepped(p, order, factors * p[order])


def shaffer_dynamic(p: FloatArray, k: int) -> FloatArray:
    """Shaffer's (1986) second procedure: the number that can be true given *which* hypotheses were rejected."""
    order = np.argsort(p, kind="stable")
    factors = np.ones(len(p))
    for step, threshold in enumerate(p[order]):
        factors[step] = _most_true(_square(p >= threshold, k))[-1]
    return _stepped(p, order, np.maximum(factors, 1) * p[order])


def bergmann_hommel(p: FloatArray, k: int) -> FloatArray:
    """Bergmann & Hommel (1988): the largest |I| · min p over all sets I of pairs that can be true together.

    A set that holds pair i and has no p-value below a threshold has at most so many pairs; the maximum over the
    thresholds is the adjusted p-value.
    """
    first, second = np.triu_indices(k, 1)
    adjusted = np.zeros(len(p))
    everything = (1 << k) - 1
    sizes = _subset_sizes(k)
    subsets = np.arange(1 << k)
    for threshold in np.unique(p):
        allowed = _square(p >= threshold, k)
        most = _most_true(allowed)
        cliques = subsets[_cliques(allowed) & (sizes > 1)]
        worth = sizes[cliques] * (sizes[cliques] - 1) // 2 + most[everything ^ cliques]
        for i in np.flatnonzero(p >= threshold):
            both = (1 << first[i]) | (1 << second[i])
            largest = worth[(cliques & both) == both].max()
            adjusted[i] = max(adjusted[i], threshold * largest)
    return np.minimum(adjusted, 1.0)


def _stepped(p: FloatArray, order: IntArray, values: FloatArray) -> FloatArray:
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(values), 1.0)
    return adjusted


@lru_cache(maxsize=256)
def _possible_counts(k: int) -> IntArray:
    """Numbers of equal pairs that k algorithms can have: a group of j and the rest in any way (Shaffer 1986)."""
    counts = [1]  # of 0, 1, ... algorithms: bit i is set if i pairs can be equal
    for size in range(1, k + 1):
        bits = 0
        for j in range(1, size + 1):
            bits |= counts[size - j] << (j * (j - 1) // 2)
        counts.append(bits)
    return np.flatnonzero(np.array(list(bin(counts[k])[:1:-1])) == "1")


def _square(allowed: BoolArray, k: int) -> BoolArray:
    square = np.zeros((k, k), bool)
    square[np.triu_indices(k, 1)] = allowed
    return square | square.T


@lru_cache(maxsize=32)
def _subset_sizes(k: int) -> Int64Array:
    return np.array([i.bit_count() for i in range(1 << k)], np.int64)


def _cliques(allowed: BoolArray) -> BoolArray:
    """For every subset of the algorithms (as bits), whether all its pairs are allowed."""
    k = len(allowed)
    whole = np.zeros(1 << k, bool)
    whole[0] = True
    subsets = np.arange(1 << k)
    for b in range(k):
        neighbours = int((1 << np.flatnonzero(allowed[b, :b])).sum())
        below = subsets[: 1 << b]
        whole[1 << b : 2 << b] = whole[: 1 << b] & ((below & ~neighbours) == 0)
    return whole


def _most_true(allowed: BoolArray) -> Int64Array:
    """For every subset, the largest number of pairs inside the groups of a partition into allowed groups.

    The highest algorithm b of a subset is in a group with some T below it; the rest R is split at its best:
    most(T + b + R) = max over T of |T| (|T| + 1) / 2 + most(R).
    """
    k = len(allowed)
    cliques = _cliques(allowed)
    sizes = _subset_sizes(k)
    most = np.zeros(1 << k, np.int64)
    for b in range(k):
        top = 1 << b
        most[top : 2 * top] = most[:top]  # b alone
        for group in np.flatnonzero(cliques[top : 2 * top])[1:]:
            rest = _subsets_outside(int(group), b)
            gain = most[rest] + sizes[group] * (sizes[group] + 1) // 2
            at = top | group | rest
            most[at] = np.maximum(most[at], gain)
    return most


@lru_cache(maxsize=20_000)
def _subsets_outside(group: int, width: int) -> Int64Array:
    """List all subsets of the bits below `width` that are not in `group`."""
    rest = np.zeros(1, np.int64)
    for bit in range(width):
        if not group >> bit & 1:
            rest = np.concatenate([rest, rest | (1 << bit)])
    return rest
