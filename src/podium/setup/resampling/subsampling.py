"""Subsampling of a fraction, and the single hold-out split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.errors import InputError
from podium.setup.dataset import Dataset, Indices
from podium.setup.resampling.split import Split, check_count, check_fraction, check_replication, strata_of
from podium.setup.seeds import rng_for


@dataclass(frozen=True, kw_only=True)
class Subsampling:
    """Learning samples of a fraction of the data, drawn without replacement; the rest is the test sample.

    Parameters
    ----------
    replications : int, default 100
    fraction : float, default 2/3
        Share of the observations in the learning sample.
    stratify : bool, default False
        Draw that share of each class.
    """

    replications: int = 100
    fraction: float = 2 / 3
    stratify: bool = False

    def __post_init__(self) -> None:
        check_count("replications", self.replications, 1)
        check_fraction("fraction", self.fraction)

    @property
    def spec(self) -> Mapping[str, Any]:
        """The scheme as it is written in a file."""
        more = {"stratify": True} if self.stratify else {}
        return {"subsampling": {"replications": self.replications, "fraction": self.fraction, **more}}

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        check_replication(replication, self.replications)
        strata = strata_of(dataset, self.stratify)
        rng = rng_for(seed, "subsampling", dataset.name, replication)
        return split_fraction(strata, self.fraction, rng, dataset.name)

    def describe(self) -> str:
        """Describe the scheme in words."""
        within = " of each class" if self.stratify else ""
        return (
            f"subsampling {self.fraction:.0%} of the observations{within} ({self.replications} replications), "
            "with the remaining observations as test sample"
        )


@dataclass(frozen=True, kw_only=True)
class HoldOut:
    """One split: a fraction of the data for learning, the rest for testing.

    Parameters
    ----------
    fraction : float, default 2/3
        Share of the observations in the learning sample.
    stratify : bool, default False
        Draw that share of each class.
    """

    fraction: float = 2 / 3
    stratify: bool = False

    def __post_init__(self) -> None:
        check_fraction("fraction", self.fraction)

    @property
    def replications(self) -> int:
        """One."""
        return 1

    @property
    def spec(self) -> Mapping[str, Any]:
        """The scheme as it is written in a file."""
        return {"holdout": {"fraction": self.fraction, **({"stratify": True} if self.stratify else {})}}

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the only split."""
        check_replication(replication, 1)
        strata = strata_of(dataset, self.stratify)
        return split_fraction(strata, self.fraction, rng_for(seed, "holdout", dataset.name), dataset.name)

    def describe(self) -> str:
        """Describe the scheme in words."""
        within = " of each class" if self.stratify else ""
        return f"holding out {1 - self.fraction:.0%} of the observations{within} as test sample, once"


def split_fraction(strata: Indices, fraction: float, rng: np.random.Generator, name: str) -> Split:
    """Put a fraction of each stratum into the learning sample; shares are rounded so that the total is right."""
    n = len(strata)
    total = round(n * fraction)
    if not 0 < total < n:
        raise InputError(
            f"`fraction={fraction:g}` of the {n} observations of {name!r} leaves the learning or the test sample empty."
        )
    exact = np.bincount(strata) * fraction
    sizes = np.floor(exact).astype(int)
    by_remainder = np.argsort(sizes - exact, kind="stable")
    sizes[by_remainder[: total - sizes.sum()]] += 1
    shuffled = rng.permutation(n)
    order = shuffled[np.argsort(strata[shuffled], kind="stable")]
    counts = np.bincount(strata)
    place_in_stratum = np.arange(n) - np.repeat(np.cumsum(counts) - counts, counts)
    chosen = place_in_stratum < np.repeat(sizes, counts)
    return Split(np.sort(order[chosen]), np.sort(order[~chosen]))
