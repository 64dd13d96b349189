"""Table of all pairs of algorithms."""

from __future__ import annotations

from typing import Any

from podium.analysis.compare import compare
from podium.checks import check_call
from podium.results import Results
from podium.show.tables.comparison_options import check_options
from podium.typesetting import Table


@check_call
def pairs(
    results: Results,
    measure: str | None = None,
    *,
    method: str | None = None,
    alpha: float = 0.05,
    control: str | None = None,
    digits: int = 2,
    missing: str = "raise",
    **options: Any,
) -> Table:
    """Compare all pairs, or all with a control: one row each, with difference, interval, effect size, p, decision.

    Parameters
    ----------
    results : Results
    measure, method, alpha, control, missing
        As for `podium.compare`.
    digits : int, default 2
        Significant digits of the uncertainty; differences have as many decimals.
    **options
        Additional options of `podium.compare`, such as ``adjust`` or ``equivalence``.

    Examples
    --------
    >>> import podium
    >>> demsar = podium.examples.load_demsar2006()
    >>> podium.show.tables.pairs(demsar, control="C4.5").frame()["Superiority"].round(2).tolist()
    [0.82, 0.79, 0.54]
    """
    check_options("pairs", pairs, method, options)
    found = compare(results, measure, method=method, alpha=alpha, control=control, missing=missing, **options)
    return found.table(digits=digits)
