"""Subsampling of a fraction, and the single hold-out split."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from podium.checks import check_call
from podium.design.dataset import Dataset
from podium.design.resampling.split import Scheme, Split, check_split, strata_of
from podium.design.sample import Indices
from podium.design.seeds import rng_for
from podium.design.spec.entry import Count, Fractional, written_fraction
from podium.errors import InputError


@check_call
@dataclass(frozen=True, kw_only=True)
class Subsampling(Scheme):
    """Learning samples of a fraction of the data, drawn without replacement; the rest is the test sample.

    Parameters
    ----------
    replications : int, default 100
        Number of learning samples.
    fraction : float, default 2/3
        Share of the observations in the learning sample, rounded to whole observations.
    stratify : bool, default False
        Draw that share of each class, up to one observation.

    Examples
    --------
    >>> import podium
    >>> podium.Subsampling(replications=100, fraction=2 / 3).describe()
    'subsampling 2/3 of the observations (100 replications), with the remaining observations as test sample'
    """

    scheme: ClassVar[str] = "subsampling"

    replications: Count = field(default=100, kw_only=False)
    fraction: Fractional = 2 / 3
    stratify: bool = False

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        check_split(dataset, replication, self)
        strata = strata_of(dataset, self.stratify)
        rng = rng_for(seed, "subsampling", dataset.name, replication)
        return split_fraction(strata, self.fraction, rng, dataset.name)

    def describe(self) -> str:
        """Describe the scheme in words."""
        return (
            f"subsampling {share_in_words(self.fraction, self.stratify)} ({self.replications} replications), "
            "with the remaining observations as test sample"
        )


@check_call
@dataclass(frozen=True, kw_only=True)
class HoldOut(Scheme):
    """One split: a fraction of the data for learning, the rest for testing.

    Parameters
    ----------
    fraction : float, default 2/3
        Share of the observations in the learning sample, rounded to whole observations.
    stratify : bool, default False
        Draw that share of each class, up to one observation.

    Examples
    --------
    >>> import podium
    >>> podium.HoldOut(fraction=0.75).describe()
    'a single split (hold-out) of 0.75 of the observations, with the remaining observations as test sample'
    """

    scheme: ClassVar[str] = "hold-out"

    fraction: Fractional = field(default=2 / 3, kw_only=False)
    stratify: bool = False

    @property
    def replications(self) -> int:
        """One."""
        return 1

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the only split."""
        check_split(dataset, replication, self)
        strata = strata_of(dataset, self.stratify)
        return split_fraction(strata, self.fraction, rng_for(seed, "hold-out", dataset.name), dataset.name)

    def describe(self) -> str:
        """Describe the scheme in words."""
        share = share_in_words(self.fraction, self.stratify)
        return f"a single split (hold-out) of {share}, with the remaining observations as test sample"


def share_in_words(fraction: float, stratify: bool) -> str:
    """Write how much of the data is drawn."""
    return f"{written_fraction(fraction)} of the observations{' of each class' if stratify else ''}"


def split_fraction(strata: Indices, fraction: float, rng: np.random.Generator, name: str) -> Split:
    """Put a fraction of each stratum into the learning sample; shares are rounded so that the total is right."""
    n = len(strata)
    total = round(n * fraction)
    if not 0 < total < n:
        raise InputError(
            f"`fraction={written_fraction(fraction)}` of the {n} observations of {name!r} leaves the learning or the "
            "test sample empty."
        )
    counts = np.bincount(strata)
    exact = counts * fraction
    sizes = np.floor(exact).astype(int)
    # The largest remainders are rounded up, equal ones in random order: no class is favoured for its name.
    by_remainder = np.lexsort((rng.random(len(sizes)), sizes - exact))
    sizes[by_remainder[: total - sizes.sum()]] += 1
    shuffled = rng.permutation(n)
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    place_in_stratum = np.arange(n) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = place_in_stratum < np.repeat(sizes, counts)
    return Split(rng.permutation(order[chosen]), np.sort(order[~chosen]))
