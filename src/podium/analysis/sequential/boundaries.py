"""`boundaries`: group sequential boundaries for a planned number of looks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.special import ndtr

from podium.analysis.sequential.group_sequential import (
    BOUNDARIES,
    MAX_LOOKS,
    Sides,
    SpendingFunction,
    boundary_values,
    crossing_probabilities,
)
from podium.checks import as_numbers, check_alpha, check_call, check_choice, check_count, function_name, record, shown
from podium.errors import InputError
from podium.typesetting.html import described


@record(kw_only=True)
class Boundaries:
    """Group sequential boundaries.

    Attributes
    ----------
    information : tuple of float
        Share of the planned information at each look.
    critical : tuple of float
        Normal deviate that must be reached at each look.
    nominal : tuple of float
        P-value that must be reached at each look.
    spent : tuple of float
        Probability of a crossing by each look, if there is no difference.
    alpha : float
    boundary : str
    sides : {1, 2}
    """

    information: tuple[float, ...]
    critical: tuple[float, ...]
    nominal: tuple[float, ...]
    spent: tuple[float, ...]
    alpha: float
    boundary: str
    sides: Sides

    def frame(self) -> pd.DataFrame:
        """One row per look: look, information, critical, nominal, spent."""
        columns = {name: getattr(self, name) for name in ("information", "critical", "nominal", "spent")}
        return pd.DataFrame({"look": np.arange(1, len(self.critical) + 1), **columns})

    def __str__(self) -> str:
        found = ", ".join(f"{x:.3f}" for x in self.critical)
        return f"Boundaries ({self.boundary}) of {len(self.critical)} looks at the {self.alpha:g} level: {found}"

    def _repr_html_(self) -> str:
        rows = zip(self.critical, self.nominal, strict=True)
        return described(str(self), [(f"look {k}", f"{c:.4f}, p = {p:.4g}") for k, (c, p) in enumerate(rows, 1)])


@check_call
def boundaries(
    looks: int | Sequence[float],
    *,
    alpha: float = 0.05,
    boundary: str | SpendingFunction = "obrien-fleming",
    sides: Sides = 2,
) -> Boundaries:
    """Group sequential boundaries: the normal deviate, and the p-value, that each look must reach.

    Found by numerical integration over all looks: the probability of crossing any of them, if there is no difference,
    is exactly alpha.

    Parameters
    ----------
    looks : int or sequence of float
        Number of equally spaced looks, or the share of the planned information (replications) at each, up to 1.
    alpha : float, default 0.05
    boundary : {"pocock", "obrien-fleming", "pocock spending", "obrien-fleming spending"} or callable
        The classical shapes of Pocock (1977) and of O'Brien and Fleming (1979); or the error spending functions of Lan
        and DeMets (1983) that resemble them; or your own spending function, from the share of the information to the
        share of alpha that may be spent until then.
    sides : {1, 2}
        One-sided, or two-sided and symmetric.

    Returns
    -------
    Boundaries

    Examples
    --------
    >>> import podium
    >>> print(podium.inference.boundaries(5, boundary="pocock"))
    Boundaries (pocock) of 5 looks at the 0.05 level: 2.413, 2.413, 2.413, 2.413, 2.413
    >>> print(podium.inference.boundaries(5, boundary="obrien-fleming"))
    Boundaries (obrien-fleming) of 5 looks at the 0.05 level: 4.562, 3.226, 2.634, 2.281, 2.040
    >>> print(podium.inference.boundaries([0.5, 1], boundary=lambda share: share**2))
    Boundaries (<lambda>) of 2 looks at the 0.05 level: 2.498, 2.018
    """
    check_alpha(alpha)
    check_choice(sides, (1, 2), "sides")
    if not callable(boundary):
        check_choice(boundary, BOUNDARIES, "boundary")
    shares = _shares(looks)
    critical = boundary_values(shares, float(alpha), boundary, sides)
    crossed = np.cumsum(crossing_probabilities(critical, np.array(shares), sides))
    return Boundaries(
        information=shares,
        critical=tuple(float(c) for c in critical),
        nominal=tuple(float(p) for p in sides * ndtr(-np.array(critical))),
        spent=tuple(float(p) for p in crossed),
        alpha=alpha,
        boundary=boundary if isinstance(boundary, str) else function_name(boundary),
        sides=sides,
    )


def _shares(looks: object) -> tuple[float, ...]:
    if isinstance(looks, Sequence | np.ndarray) and not isinstance(looks, str):
        shares = as_numbers(looks, "looks")
        rising = shares.ndim == 1 and shares.size and (np.diff(shares, prepend=0.0) > 0).all()
        if not rising or shares[-1] > 1 or len(shares) > MAX_LOOKS:
            raise InputError(
                f"`looks` must be up to {MAX_LOOKS} shares of the information, increasing, above 0 and up to 1; got "
                f"{shown(looks)}."
            )
        return tuple(float(share) for share in shares)
    check_count(looks, "looks", most=MAX_LOOKS)
    return tuple(float(share) for share in np.arange(1, int(looks) + 1) / int(looks))  # type: ignore[call-overload]
