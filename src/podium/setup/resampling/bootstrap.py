"""Bootstrap samples, tested on the out-of-bag observations or on a second bootstrap sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from podium.errors import InputError
from podium.setup.dataset import Dataset, Indices
from podium.setup.resampling.split import Split, check_count, check_flag, check_replication, strata_of
from podium.setup.seeds import rng_for

_ATTEMPTS = 1000


@dataclass(frozen=True, kw_only=True)
class Bootstrap:
    """Learning samples of the size of the data set, drawn with replacement (Efron 1979).

    Parameters
    ----------
    replications : int, default 250
    test : {"out-of-bag", "bootstrap"}
        Test on the observations that were not drawn (on average a share of (1 - 1/n)ⁿ ≈ 0.368), or on a second,
        independent bootstrap sample.
    stratify : bool, default False
        Draw within each class, so that class frequencies stay.

    Notes
    -----
    A sample that leaves nothing out of the bag, possible in tiny data sets only, is drawn again.

    Examples
    --------
    >>> Bootstrap(replications=100).describe()
    'bootstrapping (100 replications), with the out-of-bag observations as test sample'
    """

    replications: int = field(default=250, kw_only=False)
    test: Literal["out-of-bag", "bootstrap"] = "out-of-bag"
    stratify: bool = False

    def __post_init__(self) -> None:
        check_count("replications", self.replications, 1)
        check_flag("stratify", self.stratify)
        if self.test not in ("out-of-bag", "bootstrap"):
            raise InputError(f"`test` must be 'out-of-bag' or 'bootstrap'; got {self.test!r}.")

    @property
    def spec(self) -> Mapping[str, Any]:
        """The scheme as it is written in a file."""
        more = {"stratify": True} if self.stratify else {}
        return {"bootstrap": {"replications": self.replications, "test": self.test, **more}}

    def split(self, dataset: Dataset, replication: int, seed: int) -> Split:
        """Draw the samples of one replication."""
        check_replication(replication, self.replications)
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
            f"The data set {dataset.name!r} with {len(dataset)} observations leaves nothing out of the bag. "
            "Use test='bootstrap'."
        )

    def describe(self) -> str:
        """Describe the scheme in words."""
        within = " within classes" if self.stratify else ""
        tested = "the out-of-bag observations" if self.test == "out-of-bag" else "a second bootstrap sample"
        return f"bootstrapping{within} ({self.replications} replications), with {tested} as test sample"


def _draw(strata: Indices, rng: np.random.Generator) -> Indices:
    """Draw n positions with replacement, within each stratum; they come in random order."""
    order = np.argsort(strata, kind="stable")
    sizes = np.bincount(strata)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    drawn: Indices = order[starts + rng.integers(0, np.repeat(sizes, sizes))]
    return rng.permutation(drawn)
