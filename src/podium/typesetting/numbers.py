"""How numbers are written: as many decimals as their uncertainty leaves meaningful."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import numpy.typing as npt

from podium.checks import check_count

MAX_DECIMALS = 6  # beyond them, and from a million on, numbers are written with an exponent
LARGE = 1e6
WHOLE = 1e15  # from here on, the last digits of a whole number mean nothing


def decimals_of(uncertainties: npt.ArrayLike, values: npt.ArrayLike = (), digits: int = 2) -> int:
    """Return how many decimals show `digits` significant digits of a typical uncertainty.

    Without any uncertainty, the values themselves are shown with one digit more.

    >>> decimals_of([0.021, 0.034]), decimals_of([0.98]), decimals_of([], [0.8312, 0.8275])
    (3, 2, 3)
    """
    check_count(digits, "digits", most=17)
    sizes = np.abs(np.asarray(uncertainties, float).ravel())
    sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not sizes.size:
        digits += 1
        sizes = np.abs(np.asarray(values, float).ravel())
        sizes = sizes[np.isfinite(sizes) & (sizes > 0)]
    if not sizes.size:
        return digits
    typical = float(np.median(sizes))
    return max(0, digits - 1 - int(np.floor(np.log10(typical))))


def number(value: float, decimals: int) -> str:
    """Write a number; one that would be long gets an exponent.

    >>> number(0.8312, 3), number(-0.00001, 3), number(np.inf, 2), number(12345678.9, 1), number(3e-9, 10)
    ('0.831', '0.000', '∞', '1.23e+07', '3.0e-09')
    >>> number(12345678.0, 0), number(1e200, 0)
    ('12345678', '1.00e+200')
    """
    if np.isnan(value):
        return "–"
    if np.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= (LARGE if decimals > 0 else WHOLE):
        return f"{value:.2e}"
    if decimals > MAX_DECIMALS and value != 0:
        return f"{value:.1e}"
    written = f"{value:.{min(decimals, MAX_DECIMALS)}f}"
    return written.removeprefix("-") if float(written) == 0 else written


def interval(lower: float, upper: float, decimals: int) -> str:
    """Write an interval.

    >>> interval(0.1, 0.25, 2)
    '[0.10, 0.25]'
    """
    return f"[{number(lower, decimals)}, {number(upper, decimals)}]"


def pvalue(p: float, alpha: float = 0.05) -> str:
    """Write a p-value with three decimals; with more where three would not show on which side of alpha it lies.

    >>> pvalue(0.03141), pvalue(1e-9), pvalue(0.0502)
    ('0.031', '<0.001', '0.0502')
    """
    if np.isnan(p):
        return "–"
    relation, written = written_p(p, alpha)
    return f"<{written}" if relation == "<" else written


def written_p(p: float, alpha: float = 0.05) -> tuple[str, str]:
    """Return the sign of relation and the number with which a p-value is written.

    >>> written_p(0.03141), written_p(1e-9)
    (('=', '0.031'), ('<', '0.001'))
    """
    for digits in range(3, 16):
        least = 10.0**-digits
        if p < least <= alpha:
            return "<", f"{least:.{digits}f}"
        if p >= least and (round(p, digits) <= alpha) == (p <= alpha):
            return "=", f"{p:.{digits}f}"
    return "=", f"{p:.3g}"


def confidence(alpha: float) -> Decimal:
    """Return the confidence level 1 - alpha, with as many digits as alpha has.

    >>> f"{confidence(0.05):%}, {confidence(0.001):%}, {confidence(0.00001):%}", f"{confidence(0.05)}"
    ('95%, 99.9%, 99.999%', '0.95')
    """
    return 1 - Decimal(f"{alpha:.4g}")


def percent(share: float) -> str:
    """Write a share in the same way wherever it is shown: "81%", "97.5%".

    >>> percent(0.81), percent(0.975), percent(0.9996)
    ('81%', '97.5%', '>99.9%')
    """
    if 0 < share < 0.0005:
        return "<0.1%"
    if 0.9995 <= share < 1:
        return ">99.9%"
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
