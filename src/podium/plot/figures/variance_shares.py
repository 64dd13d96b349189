"""Shares of the variance: how much each source of variation adds, for one or several mixed models."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from podium.analysis.mixed import MixedFit
from podium.arrays import FloatArray
from podium.checks import conversion_hint, describe, expect, record
from podium.errors import InputError
from podium.plot.figures.numbers import FigureNumbers, from_blocks

__all__ = ["VarianceShares", "variance_shares"]

SOURCES = ("dataset", "interaction", "replication", "residual")


@record(eq=False, kw_only=True)
class VarianceShares(FigureNumbers):
    """Numbers of a plot of variance shares.

    Attributes
    ----------
    labels : tuple of str
        One per fit.
    sources : tuple of {"dataset", "interaction", "replication", "residual"}
        Sources of variation.
    shares : ndarray of float, shape (fits, sources)
        Parts of the whole variance; 0 where a model does not have the source.
    sd : ndarray of float, shape (fits, sources)
        Standard deviations.
    alike : bool
        Whether all fits are to the same data sets or to the same number of replications.
    """

    labels: tuple[str, ...]
    sources: tuple[str, ...]
    shares: FloatArray
    sd: FloatArray
    alike: bool


def variance_shares(fits: MixedFit | Mapping[str, MixedFit]) -> VarianceShares:
    """Compute the numbers of a plot of variance shares.

    Parameters
    ----------
    fits : MixedFit or mapping of str to MixedFit
        One model, or several by name, such as one per measure or data set.

    Examples
    --------
    >>> import podium
    >>> podium.plot.figures.variance_shares(podium.mixed(podium.examples.load_ulas2008())).shares.round(2)
    array([[0.82, 0.14, 0.01, 0.03]])
    """
    named = _by_name(fits)
    if not named:
        raise InputError("`fits` must have at least one mixed model; it is empty.")
    tables = [fit.components for fit in named.values()]
    there = tuple(source for source in SOURCES if any(source in table.index for table in tables))
    first = next(iter(named.values()))

    def column(name: str) -> FloatArray:
        return np.array([table[name].reindex(list(there)).fillna(0.0).to_numpy(float) for table in tables])

    return VarianceShares(
        **from_blocks(first.design),
        labels=tuple(named),
        sources=there,
        shares=column("share"),
        sd=column("sd"),
        alike=len({(fit.design.unit, fit.design.n) for fit in named.values()}) == 1,
    )


def _by_name(fits: object) -> dict[str, MixedFit]:
    """Return the fits with their names; refuse anything else."""
    if isinstance(fits, MixedFit):
        return {fits.design.measure.name: fits}
    if isinstance(fits, Mapping):
        return {str(name): expect(fit, MixedFit, f"fits[{name!r}]") for name, fit in fits.items()}
    several = isinstance(fits, list | tuple) and any(isinstance(fit, MixedFit) for fit in fits)
    way_out = "Name them: {'first': fit, ...}." if several else conversion_hint(fits, MixedFit)
    raise InputError(f"`fits` must be a MixedFit, or a mapping from names to MixedFit; got {describe(fits)}. {way_out}")
