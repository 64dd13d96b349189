"""Bootstrap samples, tested on the out-of-bag observations or on a second bootstrap sample."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from podium.checks import check_call
from podium.design.dataset import Dataset
from podium.design.resampling.split import Scheme, Split, check_split, strata_of
from podium.design.sample import Indices
from podium.design.seeds import rng_for
from podium.design.spec.entry import Count
from podium.errors import InputError

_ATTEMPTS = 1000


@check_call
@dataclass(frozen=True, kw_only=True)
class Bootstrap(Scheme):
    """Learning samples of the size of the data set, drawn with replacement (Efron 1979).

    Parameters
    ----------
    replications : int, default 250
        Number of bootstrap samples.
    test : {"out-of-bag", "bootstrap"}
        Test on the observations that were not drawn (on average a share of (1 - 1/n)ⁿ ≈ 0.368), or on a second,
        independent bootstrap sample.
    stratify : bool, default False
        Draw within each class, which keeps the class frequencies.

    Notes
    -----
    A sample with no out-of-bag observation, possible only in tiny data sets, is drawn again.

    Examples
    --------
    >>> import podium
    >>> podium.Bootstrap(replications=100).describe()
    'bootstrapping (100 replications), with the out-of-bag observations as test sample'
    """

    scheme: ClassVar[str] = "bootstrap"

    replications: Count = field(default=250, kw_only=False)
    test: Literal["out-of-bag", "bootstrap"] = "out-of-bag"
    stratify: bool = False

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        check_split(dataset, replication, self)
        rng = rng_for(seed, "bootstrap", dataset.name, replication)
        strata = strata_of(dataset, self.stratify)
        if self.test == "bootstrap":
            return Split(_draw(strata, rng), np.sort(_draw(strata, rng)))
        for _ in range(_ATTEMPTS):
            learn = _draw(strata, rng)
            bag = np.zeros(len(dataset), bool)
            bag[learn] = True
            if not bag.all():
                return Split(learn, np.flatnonzero(~bag))
        raise InputError(
            f"No observation of the data set {dataset.name!r} ({len(dataset)} observations) stays out of the bag. Use "
            "test='bootstrap'."
        )

    def describe(self) -> str:
        """Describe the scheme in words."""
        within = " within classes" if self.stratify else ""
        tested = "the out-of-bag observations" if self.test == "out-of-bag" else "a second bootstrap sample"
        return f"bootstrapping{within} ({self.replications} replications), with {tested} as test sample"


def _draw(strata: Indices, rng: np.random.Generator) -> Indices:
    """Draw n positions with replacement, within each stratum; they are in random order."""
    order = np.argsort(strata, kind="stable")
    sizes = np.bincount(strata)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    drawn: Indices = order[starts + rng.integers(0, np.repeat(sizes, sizes))]
    return rng.permutation(drawn)
